/* fmu_variables.c - the rows of generated code as variables of an FMU. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "target/fmu.h"
#include "target/foreign.h"

typedef struct Work {
    const TargetInput *in;
    const Sys *sys;
    Arena *arena;
    Vec(FmuVar) var;
    int *of_row; /* number of the variable of each row, or NONE */
    const EmitRow **by_name;
    bool exchanges;
    unsigned *states; /* by variable of the system: orders of its derivatives
                         that are states, as bits */
    int version;      /* of FMI */
} Work;

/* ---- names ---- */

/* "der(der(x))" is "der(x,2)". */
static const char *fmi_name(const char *name, Arena *arena)
{
    int order = 0;
    const char *inner = name;
    for (; !strncmp(inner, "der(", 4); inner += 4)
        order++;
    if (order < 2)
        return name;
    int n = (int)strlen(inner) - order;
    return arena_printf(arena, "der(%.*s,%d)", n, inner, order);
}

/* One identifier with its indices; returns what follows, NULL: it is none. */
static const char *identifier_end(const char *s)
{
    if (*s == '\'') {
        for (s++; *s && *s != '\''; s++) {
            if (*s == '\\' && s[1])
                s++;
            else if (*s == '"' || (unsigned char)*s < 32 ||
                     (unsigned char)*s > 126)
                return NULL;
        }
        if (*s++ != '\'')
            return NULL;
    } else {
        if (!isalpha((unsigned char)*s) && *s != '_')
            return NULL;
        while (isalnum((unsigned char)*s) || *s == '_')
            s++;
    }
    if (*s == '[') {
        s += 1 + strspn(s + 1, "0123456789,");
        return *s == ']' ? s + 1 : NULL;
    }
    return s;
}

/* FMI 2.0, section 2.2.9: the naming convention "structured". */
static bool is_structured(const char *name)
{
    bool wrapped = !strncmp(name, "der(", 4);
    const char *s = wrapped ? name + 4 : name;
    for (;; s++) {
        s = identifier_end(s);
        if (!s)
            return false;
        if (*s != '.')
            break;
    }
    if (wrapped && *s == ',')
        s += 1 + strspn(s + 1, "0123456789");
    return wrapped ? !strcmp(s, ")") : *s == '\0';
}

/* ---- rows by name ---- */

static int row_order(const void *a, const void *b)
{
    return strcmp((*(const EmitRow *const *)a)->name,
                  (*(const EmitRow *const *)b)->name);
}

static void sort_rows(Work *w)
{
    int n = w->in->out->nvar;
    w->by_name = NEW_ARRAY(w->arena, const EmitRow *, n + 1);
    for (int i = 0; i < n; i++)
        w->by_name[i] = &w->in->out->row[i];
    qsort(w->by_name, (size_t)n, sizeof *w->by_name, row_order);
}

static int find_row(const Work *w, const char *name)
{
    EmitRow key = {.name = name};
    const EmitRow *k = &key;
    const EmitRow **hit = bsearch(&k, w->by_name, (size_t)w->in->out->nvar,
                                  sizeof *w->by_name, row_order);
    return hit ? (int)(*hit - w->in->out->row) : NONE;
}

/* ---- what a row is ---- */

static double constant(const Work *w, Expr e)
{
    double x = NAN;
    if (e != EXPR_NONE && expr_is_const(w->sys->dag, e, &x) && isfinite(x))
        return x;
    return NAN;
}

static const FlatVar *flat_of(const Work *w, const EmitRow *r)
{
    int flat = r->var == NONE ? NONE : w->sys->var[r->var].flat;
    return flat == NONE ? NULL : &w->sys->flat->var[flat];
}

/* Does the value of x at the start follow from its start value? */
static bool is_exact(const Work *w, int var)
{
    const Dae *d = w->in->step->dae;
    if (w->sys->var[var].fixed)
        return true;
    for (int i = 0; d && i < d->init.nchosen; i++)
        if (d->state[d->init.chosen[i]].var == var)
            return true;
    return false;
}

static void classify(const Work *w, const EmitRow *r, FmuVar *v)
{
    const FlatVar *f = flat_of(w, r);
    const SysVar *s = r->var == NONE ? NULL : &w->sys->var[r->var];
    bool is_parameter = f && f->variability <= FV_PARAMETER && r->order == 0;
    v->variability = r->kind != FT_REAL || (f && r->order == 0 &&
                                            f->variability == FV_DISCRETE)
                         ? FMU_DISCRETE
                         : FMU_CONTINUOUS;
    v->causality = r->use == EU_OUTPUT ? FMU_OUTPUT : FMU_LOCAL;
    v->initial = "calculated";
    if (r->use == EU_EXCHANGE) {
        v->is_indicator = true;
    } else if (r->use == EU_TIME) {
        v->causality = FMU_INDEPENDENT;
        v->initial = NULL;
    } else if (r->use == EU_INPUT && s->role == SR_INPUT) {
        v->causality = FMU_INPUT;
        v->initial = NULL;
        v->has_start = true;
    } else if (r->use == EU_PARAMETER && s && s->role == SR_PARAMETER &&
               s->is_tunable) {
        v->causality = FMU_PARAMETER;
        v->variability = FMU_TUNABLE;
        v->initial = "exact";
        v->has_start = true;
    } else if (is_parameter || r->use == EU_PARAMETER) {
        v->causality = FMU_CALCULATED;
        v->variability = r->use == EU_PARAMETER ? FMU_TUNABLE : FMU_FIXED;
    }
}

/* A variable with a start value of its own. */
static void add_start(const Work *w, const EmitRow *r, FmuVar *v)
{
    bool own = r->var != NONE && r->order == 0 &&
               w->sys->var[r->var].role == SR_UNKNOWN &&
               (v->causality == FMU_LOCAL || v->causality == FMU_OUTPUT);
    if (own)
        v->start_row =
            find_row(w, arena_printf(w->arena, "start(%s)", r->name));
    if (v->start_row == NONE)
        return;
    v->initial = is_exact(w, r->var) ? "exact" : "approx";
    v->has_start = true;
    v->start = w->in->out->row[v->start_row].value;
}

static void add_row(Work *w, int i)
{
    const EmitRow *r = &w->in->out->row[i];
    const FlatVar *f = flat_of(w, r);
    const SysVar *s = r->var == NONE ? NULL : &w->sys->var[r->var];
    FmuVar v = {.name = r->use == EU_EXCHANGE
                            ? arena_printf(w->arena, "'%s'", r->name)
                            : fmi_name(r->name, w->arena),
                .description = f && r->order == 0 ? f->comment : "",
                .unit = r->unit,
                .quantity = f && r->order == 0 ? f->quantity : "",
                .row = i,
                .reference = i,
                .type = r->kind,
                .enumeration = f ? f->enumeration : NONE,
                .start_row = NONE,
                .base = NONE,
                .derivative_of = NONE,
                .alias = NONE,
                .start = r->value,
                .min = NAN,
                .max = NAN,
                .nominal = NAN};
    classify(w, r, &v);
    add_start(w, r, &v);
    if (v.causality == FMU_INPUT && r->order > 0) {
        v.base = find_row(w, w->sys->var[r->var].name);
        v.start = 0;
    }
    if (s && r->order == 0) {
        v.min = constant(w, s->min);
        v.max = constant(w, s->max);
        v.nominal = r->kind == FT_REAL ? fabs(constant(w, s->nominal)) : NAN;
    }
    w->of_row[i] = w->var.n;
    vec_push(w->arena, &w->var, v);
}

/* ---- relations between variables ---- */

static bool same_value(const EmitRow *a, const EmitRow *b)
{
    return a->slot == b->slot && a->sign == b->sign && a->offset == b->offset &&
           a->kind == b->kind && !strcmp(a->unit, b->unit);
}

static int rank_of(const FmuVar *v)
{
    return v->causality != FMU_LOCAL ? 3 : v->start_row != NONE ? 2 : 1;
}

enum { MOST_ORDER = 31 };

static void mark_states(Work *w)
{
    const Dae *d = w->in->step->dae;
    w->states = NEW_ARRAY(w->arena, unsigned, w->sys->nvar + 1);
    for (int i = 0; w->exchanges && i < d->nstate; i++)
        if (d->state[i].order < MOST_ORDER)
            w->states[d->state[i].var] |= 1u << d->state[i].order;
}

/* Is it a state, or with below = 1 the derivative of one? */
static bool is_state_row(const Work *w, const EmitRow *r, int below)
{
    int order = r->order - below;
    return r->var != NONE && order >= 0 && order < MOST_ORDER &&
           (w->states[r->var] >> order & 1u);
}

/* In FMI 3 another name is what the variable is: an output, or a state whose
 * value at the start is computed. Those have no other names: importers would
 * miss them among the initial unknowns. */
static bool can_have_names(const Work *w, const FmuVar *v)
{
    bool is_result = v->causality == FMU_OUTPUT ||
                     v->causality == FMU_CALCULATED ||
                     (is_state_row(w, &w->in->out->row[v->row], 0) &&
                      v->initial && strcmp(v->initial, "exact") != 0);
    return w->version == 2 || !is_result;
}

/* Locals share the reference of the best of those with the same value. Rows of
 * a slot are found by lists: first[slot] is the last row seen so far. */
static void find_aliases(Work *w)
{
    const EmitRow *row = w->in->out->row;
    int nslot = 0;
    for (int i = 0; i < w->in->out->nvar; i++)
        nslot = row[i].slot >= nslot ? row[i].slot + 1 : nslot;
    int *first = NEW_ARRAY(w->arena, int, nslot + 1);
    int *next = NEW_ARRAY(w->arena, int, w->var.n + 1);
    memset(first, 0xff, (size_t)nslot * sizeof *first);
    for (int i = w->var.n - 1; i >= 0; i--) {
        int slot = row[w->var.at[i].row].slot;
        next[i] = first[slot];
        first[slot] = i;
    }
    for (int i = 0; i < w->var.n; i++) {
        FmuVar *v = &w->var.at[i];
        int best = i;
        for (int k = first[row[v->row].slot]; k != NONE; k = next[k])
            if (same_value(&row[w->var.at[k].row], &row[v->row]) &&
                can_have_names(w, &w->var.at[k]) &&
                (rank_of(&w->var.at[k]) > rank_of(&w->var.at[best]) ||
                 (rank_of(&w->var.at[k]) == rank_of(&w->var.at[best]) &&
                  k < best)))
                best = k;
        bool plain = v->causality == FMU_LOCAL && v->start_row == NONE &&
                     best != i && !v->is_slope && !v->is_indicator &&
                     can_have_names(w, v);
        if (!plain)
            continue;
        v->alias = best;
        v->reference = w->var.at[best].row;
        v->variability = w->var.at[best].variability;
        if (w->var.at[best].causality == FMU_PARAMETER)
            v->causality = FMU_CALCULATED;
    }
}

static void find_derivatives(Work *w)
{
    const EmitRow *row = w->in->out->row;
    for (int i = 0; i < w->var.n; i++) {
        const EmitRow *r = &row[w->var.at[i].row];
        if (r->order < 1 || w->var.at[i].causality == FMU_INPUT)
            continue;
        int n = (int)strlen(r->name) - 5; /* der(...) */
        int of = find_row(w, arena_printf(w->arena, "%.*s", n, r->name + 4));
        w->var.at[i].derivative_of = of == NONE ? NONE : w->of_row[of];
    }
}

/* ---- Strings ---- */

static const char *text_of(const Work *w, const FlatVar *f)
{
    return f->binding != EXPR_NONE && expr_op(w->sys->dag, f->binding) == EX_STR
               ? expr_node(w->sys->dag, f->binding)->text
               : NULL;
}

/* The path of a resource is that in the FMU: where it was made is nobody's
 * concern. */
static const char *shown_text(const Work *w, const char *text)
{
    const TargetForeign *f = w->in->foreign;
    for (int i = 0; f && text && f->what->file[i]; i++)
        if (!strcmp(f->what->file[i], text))
            return arena_printf(w->arena, "resources/%s", f->file[i]);
    return text;
}

static int add_texts(Work *w)
{
    int n = 0;
    for (int i = 0; i < w->sys->flat->nvar; i++) {
        const FlatVar *f = &w->sys->flat->var[i];
        const char *text =
            f->type == FT_STRING && f->variability <= FV_PARAMETER
                ? shown_text(w, text_of(w, f))
                : NULL;
        if (!text)
            continue;
        FmuVar v = {.name = f->name,
                    .description = f->comment,
                    .unit = "",
                    .quantity = "",
                    .row = NONE,
                    .reference = w->in->out->nvar + n++,
                    .type = FT_STRING,
                    .enumeration = NONE,
                    .causality = f->variability == FV_CONSTANT ? FMU_LOCAL
                                                               : FMU_PARAMETER,
                    .variability = f->variability == FV_CONSTANT ? FMU_CONSTANT
                                                                 : FMU_FIXED,
                    .initial = "exact",
                    .has_start = true,
                    .text = text,
                    .start_row = NONE,
                    .base = NONE,
                    .derivative_of = NONE,
                    .alias = NONE,
                    .min = NAN,
                    .max = NAN,
                    .nominal = NAN};
        vec_push(w->arena, &w->var, v);
    }
    return n;
}

/* ---- the model ---- */

static uint64_t mix(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (h ^ 0xff) * UINT64_C(1099511628211);
}

/* A name of this model, this code and this version of FMI (FNV-1a, twice). */
static const char *make_token(const TargetInput *in, int version, Arena *arena)
{
    uint64_t h[2] = {UINT64_C(14695981039346656037),
                     UINT64_C(0x9e3779b97f4a7c15)};
    for (int k = 0; k < 2; k++) {
        h[k] = mix(h[k], version == 2 ? "fmi2" : "fmi3");
        h[k] = mix(h[k], in->model);
        h[k] = mix(h[k], in->out->header);
        h[k] = mix(h[k], in->out->code);
    }
    return arena_printf(arena, "{%08x-%04x-%04x-%04x-%012llx}",
                        (unsigned)(h[0] >> 32), (unsigned)(h[0] >> 16 & 0xffff),
                        (unsigned)(h[0] & 0xffff), (unsigned)(h[1] >> 48),
                        (unsigned long long)(h[1] & UINT64_C(0xffffffffffff)));
}

/* Is the row a variable of the FMU? Of what integrators need, FMI 3 has
 * indicators as variables. */
static bool is_shown(const Work *w, const EmitRow *r, int version)
{
    const FusedExchange *x = w->in->step->fused->exchange;
    if (fmu_is_clock(w->in, r->name))
        return false;
    if (r->use != EU_EXCHANGE)
        return r->use != EU_STEP && r->use != EU_START;
    for (int i = 0; version == 3 && w->exchanges && i < x->nz; i++)
        if (x->indicator[i] == r->slot)
            return true;
    return false;
}

/* Derivatives of states are variables of their own. */
static void find_slopes(Work *w)
{
    for (int i = 0; i < w->var.n; i++)
        w->var.at[i].is_slope =
            is_state_row(w, &w->in->out->row[w->var.at[i].row], 1);
}

const FmuModel *fmu_model(const TargetInput *in, int version, Arena *arena)
{
    Work w = {
        .in = in, .sys = in->step->sys, .arena = arena, .version = version};
    int n = in->out->nvar;
    w.of_row = NEW_ARRAY(arena, int, n + 1);
    memset(w.of_row, 0xff, (size_t)n * sizeof(int));
    w.exchanges = fmu_can_exchange(in);
    sort_rows(&w);
    for (int i = 0; i < n; i++)
        if (is_shown(&w, &in->out->row[i], version))
            add_row(&w, i);
    mark_states(&w);
    find_slopes(&w);
    find_aliases(&w);
    find_derivatives(&w);
    FmuModel *m = NEW(arena, FmuModel);
    m->has_cosim =
        in->interface == TARGET_BOTH || in->interface == TARGET_COSIM;
    if (w.exchanges)
        m->exchange = fmu_exchange(in, w.var.at, w.var.n, w.of_row, arena);
    for (int i = 0; version == 3 && i < w.var.n; i++)
        if (w.var.at[i].is_state && w.var.at[i].alias != NONE)
            w.var.at[w.var.at[i].alias].is_state = true;
    m->ntext = add_texts(&w);
    m->in = in;
    m->var = w.var.at;
    m->nvar = w.var.n;
    m->version = version;
    m->token = make_token(in, version, arena);
    fmu_add_clocks(m, arena);
    m->is_structured = true;
    for (int i = 0; i < m->nvar; i++)
        m->is_structured &= is_structured(m->var[i].name);
    return m;
}

bool fmu_is_initial_unknown(const FmuVar *v)
{
    bool open = v->initial && strcmp(v->initial, "exact") != 0;
    return open &&
           (v->causality == FMU_OUTPUT || v->causality == FMU_CALCULATED ||
            v->is_state || v->is_slope);
}
