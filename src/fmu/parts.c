/* parts.c - an FMU, or several that are connected, as one flat model. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/fmu_internal.h"

static FlatExperiment experiment(const FmuFlat *w)
{
    const FmuDescription *d = w->d;
    bool given = d->step > 0 || w->s->is_block;
    return (FlatExperiment){.has_start = !isnan(d->start),
                            .has_stop = !isnan(d->stop),
                            .has_tolerance = !isnan(d->tolerance),
                            .has_interval = given,
                            .start = d->start,
                            .stop = d->stop,
                            .tolerance = d->tolerance,
                            .interval = w->size};
}

static Flat *finish(const FmuFlat *w)
{
    Flat *f = NEW(w->arena, Flat);
    f->foreign = w->u;
    f->model = w->d->model;
    f->comment = w->d->comment;
    f->dag = w->dag;
    f->component = NEW_ARRAY(w->arena, FlatComponent, 1);
    f->component[0] = (FlatComponent){.name = "",
                                      .parent = NONE,
                                      .class_name = w->d->model,
                                      .span = w->d->span};
    f->ncomponent = 1;
    f->var = w->var.at;
    f->nvar = w->var.n;
    f->eqn = w->eqn.at;
    f->neqn = w->eqn.n;
    f->initial = w->initial.at;
    f->ninitial = w->initial.n;
    f->when = w->when.at;
    f->nwhen = w->when.n;
    f->assertion = w->assertion.at;
    f->nassertion = w->assertion.n;
    f->enumeration = w->enumeration.at;
    f->nenumeration = w->enumeration.n;
    f->experiment = experiment(w);
    f->span = w->d->span;
    return f;
}

static int name_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_twins(const FmuFlat *w, Diag *diag)
{
    const char **name = NEW_ARRAY(w->arena, const char *, w->var.n + 1);
    for (int i = 0; i < w->var.n; i++)
        name[i] = w->var.at[i].name;
    qsort(name, (size_t)w->var.n, sizeof *name, name_order);
    for (int i = 1; i < w->var.n; i++)
        if (!strcmp(name[i], name[i - 1])) {
            diag_report(diag, w->d->span, DIAG_E0221,
                        "two variables have the name '%s'", name[i]);
            return true;
        }
    return false;
}

static void note_left_out(const FmuDescription *d, Diag *diag)
{
    const FmuVariable *first = NULL;
    int n = 0;
    for (int i = 0; i < d->nvariable; i++) {
        const FmuVariable *v = &d->variable[i];
        bool is_text = v->type == FMU_STRING || v->type == FMU_BINARY;
        if (!is_text || (v->type == FMU_STRING && v->start &&
                         v->variability <= FMU_TUNABLE))
            continue;
        first = first ? first : v;
        n++;
    }
    if (n)
        diag_report(diag, first->span, DIAG_W0225,
                    "%d variable%s that are texts or bytes are left out, "
                    "'%s' among them",
                    n, n == 1 ? "" : "s", first->name);
}

bool fmu_may_load(Fmu *f, const FmuShape *s, Diag *diag)
{
    const char *binary = fmu_binary(s->d, s->kind, f->arena);
    const char *const part[] = {binary, "resources/", NULL};
    if (s->kind->needs_tool) {
        diag_report(diag, s->d->span, DIAG_U0224,
                    "not supported: an FMU that needs the tool it was made "
                    "with");
        return false;
    }
    f->folder = fmu_unpack(f->path, part, f->arena, diag);
    if (!f->folder)
        return false;
    FILE *is = fopen(arena_printf(f->arena, "%s/%s", f->folder, binary), "rb");
    if (is)
        fclose(is);
    else
        diag_report(diag, s->d->span, DIAG_E0222,
                    "the FMU has no binary for this machine: there is no %s",
                    binary);
    return is != NULL;
}

/* ---- several ---- */

/* The values for one of the parts, without its name in front. */
static FmuOptions options_for(const FmuOptions *o, const char *prefix,
                              Arena *arena)
{
    FmuOptions own = *o;
    size_t n = strlen(prefix);
    const char **set = NEW_ARRAY(arena, const char *, o->nset + 1);
    own.nset = 0;
    for (int i = 0; i < o->nset; i++)
        if (!strncmp(o->set[i], prefix, n))
            set[own.nset++] = o->set[i] + n;
    own.set = set;
    return own;
}

static int find_variable(const FmuFlat *w, const char *name)
{
    for (int i = 0; i < w->var.n; i++)
        if (!strcmp(w->var.at[i].name, name))
            return i;
    return NONE;
}

/* The variable at the end of a connection. */
static int end_of(const FmuFlat *w, const FmuLink *l, const char *name,
                  Diag *diag)
{
    int v = find_variable(w, name);
    if (v == NONE)
        diag_report(diag, l->span, DIAG_E0223,
                    "a connection names '%s', which no FMU of the system has",
                    name);
    return v;
}

static Expr leaf(const FmuFlat *w, int v)
{
    FlatType t = w->var.at[v].type;
    return expr_var(w->dag, v, 0,
                    t == FT_REAL      ? ET_REAL
                    : t == FT_BOOLEAN ? ET_BOOLEAN
                                      : ET_INTEGER);
}

/* `to` is an input no more: it is what `from` is. */
static bool connect(FmuFlat *w, const FmuLink *l, Diag *diag)
{
    int from = end_of(w, l, l->from, diag), to = end_of(w, l, l->to, diag);
    if (from == NONE || to == NONE)
        return false;
    FlatVar *v = &w->var.at[to];
    const char *wrong =
        v->causality != FC_INPUT ? "is no input, or is connected already"
        : (v->type == FT_BOOLEAN) != (w->var.at[from].type == FT_BOOLEAN) ||
                (v->type != FT_REAL && w->var.at[from].type == FT_REAL)
            ? "has another type than what it is connected with"
            : NULL;
    if (wrong) {
        diag_report(diag, l->span, DIAG_E0223, "'%s' %s", v->name, wrong);
        return false;
    }
    v->causality = FC_LOCAL;
    FlatEqn e = {.lhs = leaf(w, to),
                 .rhs = leaf(w, from),
                 .origin = FO_EQUATION,
                 .ordinal = ++w->ordinal,
                 .span = l->span};
    vec_push(w->arena, &w->eqn, e);
    return true;
}

static bool add_parts(FmuFlat *w, const FmuSystem *s, const FmuOptions *o,
                      Diag *diag)
{
    w->system = s;
    for (int i = 0; i < s->npart; i++) {
        FmuOptions own = options_for(o, s->part[i]->prefix, w->arena);
        if (!fmu_add_part(w, s->part[i], &own, diag))
            return false;
        note_left_out(s->part[i]->d, diag);
        fmu_note_direct(s->part[i], w->s, w->arena);
    }
    bool fine = true;
    for (int i = 0; i < s->nlink; i++)
        fine &= connect(w, &s->link[i], diag);
    return fine;
}

/* Names and times of the system in place of those of its last part. */
static void rename_model(Flat *f, const FmuSystem *s)
{
    f->model = f->component[0].class_name = s->name;
    f->comment = "";
    f->span = f->component[0].span = s->span;
    if (!isnan(s->start)) {
        f->experiment.has_start = true;
        f->experiment.start = s->start;
    }
    if (!isnan(s->stop)) {
        f->experiment.has_stop = true;
        f->experiment.stop = s->stop;
    }
}

Flat *fmu_flatten(Fmu *f, const FmuOptions *o, Arena *arena, Diag *diag)
{
    FmuFlat w = {
        .arena = arena, .dag = dag_new(arena), .u = foreign_new(arena)};
    bool fine = f->system ? add_parts(&w, f->system, o, diag)
                          : fmu_add_part(&w, f, o, diag);
    if (!fine || has_twins(&w, diag))
        return NULL;
    if (!f->system)
        note_left_out(f->d, diag);
    Flat *flat = finish(&w);
    if (f->system) {
        rename_model(flat, f->system);
        fmu_name_loops(f->system, arena, diag);
    }
    if (!o->may_run)
        foreign_forbid(w.u);
    return foreign_load(w.u, diag) ? flat : NULL;
}
