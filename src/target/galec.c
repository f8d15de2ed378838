/* galec.c - what is what in the block of a step, and its three methods. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/galec.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/number.h"
#include "target/galec_internal.h"

const char *galec_number(GalecWork *w, double x)
{
    char text[40];
    if (isnan(x))
        return "nan()";
    if (isinf(x))
        return x > 0 ? "plusInfinite()" : "minusInfinite()";
    number_shortest(fabs(x), false, text);
    /* a Real has a point, an exponent has a sign */
    char *e = strchr(text, 'e');
    const char *power = e ? arena_strdup(w->arena, e + 1) : NULL;
    if (e)
        *e = '\0';
    const char *all = arena_printf(
        w->arena, "%s%s%s%s%s", text, strchr(text, '.') ? "" : ".0",
        e ? "e" : "", e && *power != '-' && *power != '+' ? "+" : "",
        e ? power : "");
    return signbit(x) ? arena_printf(w->arena, "(-%s)", all) : all;
}

/* ---- names ---- */

static const char *end_of_identifier(const char *s)
{
    if (!isalpha((unsigned char)*s))
        return NULL;
    while (isalnum((unsigned char)*s) || *s == '_')
        s++;
    if (*s != '[')
        return s;
    s += 1 + strspn(s + 1, "0123456789,");
    return *s == ']' ? s + 1 : NULL;
}

/* scalarized-reference of the grammar: a.b[1].c */
static bool is_reference(const char *name)
{
    const char *s = name;
    for (;; s++) {
        s = end_of_identifier(s);
        if (!s || (*s != '.' && *s != '\0'))
            return false;
        if (*s == '\0')
            return true;
    }
}

static bool is_taken(const GalecWork *w, const char *name)
{
    for (int i = 0; i < w->var.n; i++)
        if (!strcmp(w->var.at[i].name, name))
            return true;
    return false;
}

static bool is_keyword(const char *name)
{
    static const char *const word[] = {
#define WORD(text) #text,
#include "target/galec_words.def"
#undef WORD
    };
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        if (!strcmp(word[i], name))
            return true;
    return false;
}

/* The name of a quantity: an identifier as it is, others in quotes, wrapped in
 * `function` if that is not "". takt's own are those beneath 'takt', and so are
 * quantities whose names the grammar does not allow or that have none. */
static const char *full_name(GalecWork *w, const char *name,
                             const char *function)
{
    if (!*function && !strncmp(name, "der(", 4)) {
        const char *of = arena_strndup(w->arena, name + 4, strlen(name) - 5);
        return is_reference(of) ? arena_printf(w->arena, "'derivative(%s)'", of)
                                : NULL;
    }
    if (!is_reference(name) || !strncmp(name, "takt.", 5))
        return NULL;
    if (*function)
        return arena_printf(w->arena, "'%s(%s)'", function, name);
    return strpbrk(name, ".[") || is_keyword(name)
               ? arena_printf(w->arena, "'%s'", name)
               : name;
}

static const char *name_of(GalecWork *w, const char *name, const char *function,
                           char letter, int number)
{
    const char *full = name ? full_name(w, name, function) : NULL;
    return full && !is_taken(w, full)
               ? full
               : arena_printf(w->arena, "'takt.%c%d'", letter, number);
}

typedef struct Named {
    const char *name;
    int slot;
} Named;

static int by_name(const void *a, const void *b)
{
    const Named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->slot - y->slot;
}

/* The names of slots; of several with the same the first has it. */
static const char **slot_names(const Tape *t, Arena *arena)
{
    const char **name = NEW_ARRAY(arena, const char *, t->nslot + 1);
    Named *all = NEW_ARRAY(arena, Named, t->nslot + 1);
    int n = 0;
    for (int i = 0; i < t->nslot; i++)
        if (t->slot_name[i])
            all[n++] = (Named){t->slot_name[i], i};
    qsort(all, (size_t)n, sizeof *all, by_name);
    for (int i = 0; i < n; i++)
        if (i == 0 || strcmp(all[i].name, all[i - 1].name) != 0)
            name[all[i].slot] = all[i].name;
    return name;
}

/* ---- what is what ---- */

static double constant(const GalecWork *w, Expr e)
{
    double x;
    return e != EXPR_NONE && expr_is_const(w->in->flat->dag, e, &x) &&
                   isfinite(x)
               ? x
               : NAN;
}

static GalecVar *add(GalecWork *w, const char *name, GalecCausality causality,
                     double start)
{
    vec_push(w->arena, &w->var,
             ((GalecVar){.name = name,
                         .description = "",
                         .unit = "",
                         .causality = causality,
                         .type = FT_REAL,
                         .start = start,
                         .min = NAN,
                         .max = NAN,
                         .row = NONE,
                         .slot = NONE}));
    return &w->var.at[w->var.n - 1];
}

static void add_row(GalecWork *w, int row, GalecCausality causality)
{
    const EmitRow *r = &w->in->out->row[row];
    const Flat *f = w->in->flat;
    int flat = flat_find(f, r->name);
    GalecVar *v =
        add(w, name_of(w, r->name, "", 'v', row), causality, r->value);
    v->unit = r->unit;
    v->type = r->kind;
    v->row = row;
    v->slot = r->slot;
    if (flat == NONE)
        return;
    v->description = f->var[flat].comment ? f->var[flat].comment : "";
    v->min = constant(w, f->var[flat].min);
    v->max = constant(w, f->var[flat].max);
}

static bool is_tunable(const GalecWork *w, const EmitRow *r)
{
    const Sys *sys = w->in->step->sys;
    return r->use == EU_PARAMETER && r->var != NONE && r->order == 0 &&
           r->sign == 1 && r->offset == 0 &&
           sys->var[r->var].role == SR_PARAMETER && sys->var[r->var].is_tunable;
}

/* Is there an output? Else all that is kept is one. */
static bool has_outputs(const GalecWork *w)
{
    for (int i = 0; i < w->in->out->nvar; i++)
        if (w->in->out->row[i].use == EU_OUTPUT)
            return true;
    return false;
}

static void add_interface(GalecWork *w)
{
    const Emitted *e = w->in->out;
    EmitUse shown = has_outputs(w) ? EU_OUTPUT : EU_LOCAL;
    for (int i = 0; i < e->nvar; i++)
        if (e->row[i].use == EU_INPUT)
            add_row(w, i, GALEC_INPUT);
    for (int i = 0; i < e->nvar; i++)
        if (e->row[i].use == shown)
            add_row(w, i, GALEC_OUTPUT);
    for (int i = 0; i < e->nvar; i++)
        if (is_tunable(w, &e->row[i]))
            add_row(w, i, GALEC_TUNABLE);
}

static bool lives(const GalecWork *w, int slot)
{
    return w->f->carried[slot] || w->f->wanted[slot];
}

/* What follows from parameters, and what a step leaves for the next. */
static void add_own(GalecWork *w)
{
    const Tape *t = w->t;
    for (int i = 0; i < t->nslot; i++)
        if (t->region[i] == TR_DERIVED && lives(w, i) && i != t->step) {
            const char *name = name_of(w, w->name[i], "", 'x', i);
            add(w, name, GALEC_DEPENDENT, w->value[i])->slot = i;
            w->state[i] = arena_printf(w->arena, "self.%s", name);
        }
    GalecVar *h = add(w, "'takt.step'", GALEC_CONSTANT, w->in->size);
    h->unit = "s";
    h->slot = t->step;
    for (int i = 0; i < t->nslot; i++)
        if (w->written[i] && w->f->carried[i] && t->region[i] != TR_DERIVED) {
            const char *name = name_of(w, w->name[i], "previous", 's', i);
            add(w, name, GALEC_STATE, w->value[i])->slot = i;
            w->state[i] = arena_printf(w->arena, "self.%s", name);
        }
    if (w->f->nstep > 1)
        add(w, "'takt.turn'", GALEC_STATE, 0)->type = FT_INTEGER;
}

/* ---- how a method reads slots ---- */

static const char *self_of(GalecWork *w, const GalecVar *v)
{
    return arena_printf(w->arena, "self.%s", v->name);
}

/* Everything that the method does not write itself. */
static void read_all(GalecWork *w)
{
    const Tape *t = w->t;
    for (int i = 0; i < t->nslot; i++)
        w->ref[i] = w->state[i] ? w->state[i]
                                : galec_number(w, t->region[i] == TR_CONST
                                                      ? t->initial[i]
                                                      : w->value[i]);
    for (int i = 0; i < w->var.n; i++) {
        const GalecVar *v = &w->var.at[i];
        if (v->causality == GALEC_TUNABLE || v->causality == GALEC_INPUT ||
            v->causality == GALEC_CONSTANT)
            w->ref[v->slot] = self_of(w, v);
    }
}

static bool is_number(const GalecVar *v)
{
    return v->type == FT_REAL;
}

static bool has_rotations(const GalecWork *w)
{
    for (int i = 0; i < w->t->system.n; i++)
        if (w->t->system.at[i].kind == TS_TABLE_QR)
            return true;
    return false;
}

/* Declares the variables of a method: slots that it writes, and numbers that
 * stand for what is no Real. */
static void declare(GalecWork *w, bool is_step)
{
    const Tape *t = w->t;
    galec_line(w, "protected");
    w->depth++;
    galec_line(w, "Real 'takt.sum';");
    for (int i = 0; has_rotations(w) && i < 2; i++)
        galec_line(w, "Real 'takt.%c';", "ab"[i]);
    if (is_step) {
        galec_line(w, "Real 'takt.finite';");
        galec_line(w, "Real 'takt.lost';");
    }
    for (int i = 0; i < w->var.n; i++)
        if (!is_number(&w->var.at[i]) && w->var.at[i].slot != NONE &&
            (w->var.at[i].causality == GALEC_TUNABLE ||
             w->var.at[i].causality == GALEC_INPUT))
            w->mine[w->var.at[i].slot] = true;
    for (int i = 0; i < t->nslot; i++) {
        if (!w->mine[i] || (t->region[i] == TR_DERIVED && w->state[i]))
            continue;
        w->ref[i] = name_of(w, w->name[i], "", 'x', i);
        galec_line(w, "Real %s;", w->ref[i]);
    }
    w->depth--;
}

/* Truths and whole numbers of the interface as numbers. */
static void take_numbers(GalecWork *w)
{
    for (int i = 0; i < w->var.n; i++) {
        const GalecVar *v = &w->var.at[i];
        if (is_number(v) ||
            (v->causality != GALEC_INPUT && v->causality != GALEC_TUNABLE))
            continue;
        if (v->type == FT_BOOLEAN)
            galec_line(w, "%s := (if %s then 1.0 else 0.0);", w->ref[v->slot],
                       self_of(w, v));
        else
            galec_line(w, "%s := real(%s);", w->ref[v->slot], self_of(w, v));
    }
}

static void begin_method(GalecWork *w, const char *name, const char *signals)
{
    memset(w->mine, 0, (size_t)w->t->nslot * sizeof *w->mine);
    read_all(w);
    w->nloop = 0;
    fputc('\n', w->out);
    galec_line(w, "method %s", name);
    if (*signals)
        galec_line(w, "  signals %s;", signals);
}

static void end_method(GalecWork *w, const char *name)
{
    w->depth--;
    galec_line(w, "end %s;", name);
}

/* ---- the methods ---- */

static void write_recalibrate(GalecWork *w)
{
    const TapeSegment *param = &w->t->segment.at[0];
    begin_method(w, "Recalibrate", "");
    galec_writes(w, param, w->mine);
    declare(w, false);
    galec_line(w, "algorithm");
    w->depth++;
    take_numbers(w);
    galec_body(w, param, false);
    end_method(w, "Recalibrate");
}

static const char *start_text(GalecWork *w, const GalecVar *v)
{
    if (v->type == FT_BOOLEAN)
        return v->start != 0 ? "true" : "false";
    if (v->type == FT_REAL)
        return galec_number(w, v->start);
    return arena_printf(w->arena, v->start < 0 ? "(-%.0f)" : "%.0f",
                        fabs(v->start));
}

static void write_startup(GalecWork *w)
{
    begin_method(w, "Startup", "");
    galec_line(w, "algorithm");
    w->depth++;
    for (int c = 0; c < GALEC_NCAUSALITY; c++)
        for (int i = 0; i < w->var.n; i++)
            if (w->var.at[i].causality == (GalecCausality)c &&
                c != GALEC_DEPENDENT)
                galec_line(w, "%s := %s;", self_of(w, &w->var.at[i]),
                           start_text(w, &w->var.at[i]));
    galec_line(w, "() := Recalibrate();");
    end_method(w, "Startup");
}

static void write_output(GalecWork *w, const GalecVar *v)
{
    const EmitRow *r = &w->in->out->row[v->row];
    const char *x = w->ref[r->slot];
    if (r->sign != 1)
        x = arena_printf(w->arena, "-%s", x);
    if (r->offset != 0)
        x = arena_printf(w->arena, "%s + %s", x, galec_number(w, r->offset));
    if (v->type == FT_BOOLEAN)
        galec_line(w, "%s := (if %s <> 0.0 then true else false);",
                   self_of(w, v), x);
    else if (v->type != FT_REAL)
        galec_line(w, "%s := integer(%s);", self_of(w, v), x);
    else
        galec_line(w, "%s := %s;", self_of(w, v), x);
}

/* States and outputs of a step that is done. */
static void keep(GalecWork *w)
{
    for (int i = 0; i < w->t->nslot; i++)
        if (w->written[i] && w->f->carried[i] && w->state[i])
            galec_line(w, "%s := %s;", w->state[i], w->ref[i]);
    for (int i = 0; i < w->var.n; i++)
        if (w->var.at[i].causality == GALEC_OUTPUT)
            write_output(w, &w->var.at[i]);
}

/* Methods with a history: steps in turn, and the first ones apart. */
static int step_of(const Fused *f, int system)
{
    for (int i = 0; i < f->nstep; i++)
        if (f->system[i] == system)
            return i;
    return 0;
}

static void write_turns(GalecWork *w)
{
    const Inlined *d = w->f->low->inlined;
    int n = d->nstart + d->ncycle;
    for (int k = 0; k < n; k++) {
        int system = k < d->nstart ? d->start[k] : d->cycle[k - d->nstart];
        galec_line(w, "%s self.'takt.turn' == %d then", k ? "elseif" : "if", k);
        w->depth++;
        galec_body(w, &w->t->segment.at[1 + step_of(w->f, system)], true);
        w->depth--;
    }
    galec_line(w, "end if;");
}

/* With the numbers that C has: turn, and 0 where an event broke the history. */
static void write_next_turn(GalecWork *w)
{
    const Inlined *d = w->f->low->inlined;
    int n = d->nstart + d->ncycle;
    const char *next = arena_printf(
        w->arena,
        "(if self.'takt.turn' < %d then self.'takt.turn' + 1 else %d)", n - 1,
        d->nstart);
    if (w->f->broken != NONE)
        next = arena_printf(w->arena, "(if %s == 0.0 then %s else 0)",
                            w->ref[w->f->broken], next);
    galec_line(w, "self.'takt.turn' := %s;", next);
}

static void look_at_all(GalecWork *w)
{
    for (int i = 0; i < w->t->nslot; i++)
        if (w->written[i] && lives(w, i))
            galec_line(w, "'takt.finite' := 'takt.finite' + 0.0 * %s;",
                       w->ref[i]);
    if (w->f->asserted != NONE)
        galec_line(w,
                   "'takt.lost' := (if %s == 0.0 then 'takt.lost' else 1.0);",
                   w->ref[w->f->asserted]);
}

static void write_end(GalecWork *w)
{
    look_at_all(w);
    galec_line(w, "if isFinite('takt.finite') then");
    w->depth++;
    galec_line(w, "if 'takt.lost' == 0.0 then");
    w->depth++;
    keep(w);
    if (w->f->nstep > 1)
        write_next_turn(w);
    w->depth--;
    galec_line(w, "else");
    galec_line(w, "  signal NO_SOLUTION_FOUND;");
    galec_line(w, "end if;");
    w->depth--;
    galec_line(w, "else");
    galec_line(w, "  signal NAN;");
    galec_line(w, "end if;");
}

static void write_step(GalecWork *w)
{
    begin_method(w, "DoStep", "NAN, NO_SOLUTION_FOUND");
    for (int k = 0; k < w->f->nstep; k++)
        galec_writes(w, &w->t->segment.at[1 + k], w->mine);
    declare(w, true);
    galec_line(w, "algorithm");
    w->depth++;
    galec_line(w, "'takt.finite' := 0.0;");
    galec_line(w, "'takt.lost' := 0.0;");
    take_numbers(w);
    for (int i = 0; i < w->t->nslot; i++)
        if (w->written[i] && w->state[i])
            galec_line(w, "%s := %s;", w->ref[i], w->state[i]);
    if (w->f->nstep > 1)
        write_turns(w);
    else
        galec_body(w, &w->t->segment.at[1], true);
    write_end(w);
    end_method(w, "DoStep");
}

/* ---- the block ---- */

static const char *type_word(FlatType type)
{
    return type == FT_REAL      ? "Real"
           : type == FT_BOOLEAN ? "Boolean"
                                : "Integer";
}

static void write_variables(GalecWork *w, GalecCausality first,
                            GalecCausality last)
{
    static const char *const word[] = {"input ",     "output ",   "parameter ",
                                       "parameter ", "constant ", ""};
    for (int c = (int)first; c <= (int)last; c++)
        for (int i = 0; i < w->var.n; i++)
            if ((int)w->var.at[i].causality == c)
                galec_line(w, "%s%s %s;", word[c], type_word(w->var.at[i].type),
                           w->var.at[i].name);
}

static void write_block(GalecWork *w)
{
    const char *name = w->in->name;
    galec_line(w, "block %s", name);
    w->depth++;
    write_variables(w, GALEC_INPUT, GALEC_TUNABLE);
    w->depth--;
    galec_line(w, "protected");
    w->depth++;
    write_variables(w, GALEC_DEPENDENT, GALEC_STATE);
    w->depth--;
    galec_line(w, "public");
    w->depth++;
    write_startup(w);
    write_recalibrate(w);
    write_step(w);
    w->depth--;
    galec_line(w, "end %s;", name);
}

static bool can_be(const GalecWork *w, Diag *diag)
{
    const char *what = w->in->out->foreign ? "external C" : NULL;
    for (int k = 0; !what && k <= w->f->nstep; k++)
        what = galec_refuses(w, &w->t->segment.at[k]);
    if (what)
        diag_report(diag, w->in->flat->span, DIAG_U1403,
                    "not supported: algorithm code of eFMI for %s; --target c "
                    "and FMUs have it",
                    what);
    return !what;
}

const Galec *galec_make(const TargetInput *in, Arena *arena, Diag *diag)
{
    GalecWork w = {.in = in,
                   .f = in->step->fused,
                   .t = in->step->fused->tape,
                   .value = in->step->value,
                   .arena = arena};
    if (!can_be(&w, diag))
        return NULL;
    int n = w.t->nslot;
    w.ref = NEW_ARRAY(arena, const char *, n + 1);
    w.state = NEW_ARRAY(arena, const char *, n + 1);
    w.written = NEW_ARRAY(arena, bool, n + 1);
    w.mine = NEW_ARRAY(arena, bool, n + 1);
    w.name = slot_names(w.t, arena);
    for (int k = 0; k < w.f->nstep; k++)
        galec_writes(&w, &w.t->segment.at[1 + k], w.written);
    add_interface(&w);
    add_own(&w);
    char *text = NULL;
    size_t size = 0;
    w.out = open_memstream(&text, &size);
    if (!w.out)
        die("out of memory");
    write_block(&w);
    bool failed = ferror(w.out) != 0;
    if (fclose(w.out) != 0 || failed)
        die("out of memory");
    Galec *g = NEW(arena, Galec);
    *g = (Galec){.in = in,
                 .text = arena_strndup(arena, text, size),
                 .var = w.var.at,
                 .nvar = w.var.n,
                 .step = "'takt.step'"};
    free(text);
    return g;
}
