/* rounding.c - the model evaluated again with other rounding errors.
 *
 * The points: the first rows of a run, and LOOKS spread over it. At each the
 * model is evaluated with the states as they are, once as always and RUNS times
 * with rounding by chance. What an item (a variable, a slope, lhs - rhs of a
 * relation) differs by is noted; the second largest of all points counts, as a
 * selection may have gone the other way at a point by itself.
 *
 * Too much is more than SHARE of the largest value at these points. What is
 * smaller than a tolerance would resolve (LEAST, over the nominal value) does
 * not count, nor does what is nothing but error and small: a sum of currents
 * that is zero is a zero with rounding errors. A slope is too inexact if in
 * addition the state moves too far by it: for the length of the run, or as long
 * as the state remembers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "rounding/rounding.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "rounding/apart.h"
#include "sim/sim_parts.h"

enum { FIRST = 3, LOOKS = 30, RUNS = 3 };
enum { TURNS = 10000 }; /* of loops: another rounding may make them endless */
static const double SHARE = 1e-3;
static const double LEAST = 1e-7;
static const double NOISE = 20; /* a value that is less than so many times its
                                   error is nothing else */

typedef struct Item {
    int slot;          /* what is looked at; NONE: a relation */
    int state;         /* slot of the state whose slope it is; NONE */
    int entry;         /* of the Inlined table; NONE */
    int relation;      /* number; NONE */
    int constant;      /* variable of the Sys that is one; NONE */
    double nominal;    /* 1 if there is none */
    double size, x;    /* largest so far; x: of the state */
    double most, next; /* the largest errors, of two points */
    double time;       /* of the largest */
    double now;        /* value at this point */
    double error;      /* at this point */
} Item;

struct Rounding {
    const Lowered *low;
    Exec *exec;
    double *base;  /* slots at the last point */
    double *entry; /* values of entries, for expressions */
    double *seen;  /* three numbers of each item, at a point */
    int *state;    /* slots of states */
    int nstate;
    Vec(Item) item;
    double start, length;
    int nlook;
    bool is_apart; /* looks are taken in a process of their own */
    bool is_over;  /* one of those gave nothing: it may have taken long */
    Arena *arena;
};

/* ---- what is looked at ---- */

static double nominal_of(const Inlined *d, int var)
{
    double x = 0;
    Expr e = var == NONE ? EXPR_NONE : d->sys->var[var].nominal;
    bool is_given = e != EXPR_NONE && expr_is_const(d->dag, e, &x) && x != 0;
    return is_given ? fabs(x) : 1;
}

static void add_values(Rounding *w)
{
    const Inlined *d = w->low->inlined;
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (!inlined_has_scale(d, i) || v->is_state ||
            w->low->slot[i] == NONE || v->type != ET_REAL)
            continue;
        Item x = {.slot = w->low->slot[i],
                  .state = NONE,
                  .entry = i,
                  .relation = NONE,
                  .constant = NONE,
                  .nominal = v->order > 0 ? 1 : nominal_of(d, v->sys_var)};
        int of =
            v->order > 0 ? inlined_find(d, v->sys_var, v->order - 1) : NONE;
        if (of != NONE && d->var[of].is_state)
            x.state = w->low->slot[of];
        if (x.state != NONE)
            x.nominal = nominal_of(d, v->sys_var);
        vec_push(w->arena, &w->item, x);
    }
}

static void add_relations(Rounding *w)
{
    const Inlined *d = w->low->inlined;
    for (int i = 0; i < d->nrelation; i++) {
        ExprOp op = expr_op(d->dag, d->relation[i].now);
        if (op != EX_LT && op != EX_LE && op != EX_GT && op != EX_GE)
            continue;
        vec_push(w->arena, &w->item,
                 ((Item){.slot = NONE,
                         .state = NONE,
                         .entry = NONE,
                         .relation = i,
                         .constant = NONE,
                         .nominal = inlined_band_scale(d, i)}));
    }
}

/* Variables that were found to be constants: those whose digits were lost as
 * they were folded (expr/inexact.c). */
static void add_constants(Rounding *w)
{
    const Inlined *d = w->low->inlined;
    for (int i = 0; i < d->sys->nvar; i++) {
        const SysVar *v = &d->sys->var[i];
        if (v->role != SR_CONSTANT || !(v->off > 0) || v->flat == NONE ||
            d->sys->flat->var[v->flat].variability < FV_DISCRETE)
            continue;
        const TapeSymbol *s = tape_find_symbol(w->low->tape, v->name);
        if (!s || s->slot == NONE)
            continue;
        vec_push(w->arena, &w->item,
                 ((Item){.slot = s->slot,
                         .state = NONE,
                         .entry = NONE,
                         .relation = NONE,
                         .constant = i,
                         .nominal = nominal_of(d, i)}));
    }
}

/* May functions be called once more? Those in C that are pure may, but nobody
 * knows whether they come to an end with another rounding: in a process of
 * their own. */
static bool may_look(const Inlined *d, bool *is_apart)
{
    const ExprFunction *f;
    for (int i = 0; (f = dag_function(d->dag, i)); i++)
        *is_apart |= f->foreign != NULL;
    return !dag_has_impure(d->dag);
}

static Rounding *begin(const Sim *s, Arena *arena)
{
    const Inlined *d = s->low->inlined;
    bool is_apart = false;
    if (!d->dae || d->event == NONE || !may_look(d, &is_apart))
        return NULL;
    Rounding *w = NEW(arena, Rounding);
    *w = (Rounding){.low = s->low,
                    .arena = arena,
                    .exec = exec_new(s->low->tape),
                    .is_apart = is_apart,
                    .start = s->options.start,
                    .length = s->options.stop - s->options.start};
    w->base = NEW_ARRAY(arena, double, s->low->tape->nslot + 1);
    w->entry = NEW_ARRAY(arena, double, d->nvar + 1);
    w->state = NEW_ARRAY(arena, int, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++)
        if (inlined_has_scale(d, i) && d->var[i].is_state &&
            s->low->slot[i] != NONE)
            w->state[w->nstate++] = s->low->slot[i];
    add_values(w);
    add_relations(w);
    add_constants(w);
    w->seen = NEW_ARRAY(arena, double, 3 * w->item.n + 1);
    return w;
}

void rounding_free(Rounding *w)
{
    if (w)
        exec_free(w->exec);
}

/* ---- a point ---- */

static void set_slots(Rounding *w, const double *r)
{
    memcpy(w->exec->r, r, (size_t)w->low->tape->nslot * sizeof *r);
    w->exec->r[w->low->sampling] = 0;
    exec_reset_status(w->exec);
}

static bool evaluate(Rounding *w)
{
    const Lowered *low = w->low;
    exec_run(w->exec, tape_find_segment(low->tape, "param"));
    exec_run(w->exec, &low->system[low->inlined->event].run);
    exec_run(w->exec, &low->output);
    for (int i = 0; i < low->inlined->nvar; i++)
        w->entry[i] = low->slot[i] == NONE ? 0 : w->exec->r[low->slot[i]];
    return w->exec->code >= 0;
}

/* lhs - rhs. */
static double distance(const Rounding *w, int relation)
{
    const Inlined *d = w->low->inlined;
    InlinedPoint at = {w->entry, w->exec->r[w->low->tape->time]};
    Expr now = d->relation[relation].now;
    return expr_eval(d->dag, expr_arg(d->dag, now, 0), inlined_leaf_value,
                     &at) -
           expr_eval(d->dag, expr_arg(d->dag, now, 1), inlined_leaf_value, &at);
}

static double value_of(const Rounding *w, const Item *x)
{
    return x->slot == NONE ? distance(w, x->relation) : w->exec->r[x->slot];
}

static void note_values(Rounding *w)
{
    for (int i = 0; i < w->item.n; i++) {
        Item *x = &w->item.at[i];
        x->now = value_of(w, x);
        x->error = 0;
        if (isfinite(x->now))
            x->size = fmax(x->size, fabs(x->now));
        if (x->state != NONE)
            x->x = fmax(x->x, fabs(w->exec->r[x->state]));
    }
}

static void note_errors(Rounding *w)
{
    for (int i = 0; i < w->item.n; i++) {
        Item *x = &w->item.at[i];
        double off = fabs(value_of(w, x) - x->now);
        x->error = isfinite(off) ? fmax(x->error, off) : x->error;
    }
}

static void keep_errors(Rounding *w, double time)
{
    for (int i = 0; i < w->item.n; i++) {
        Item *x = &w->item.at[i];
        if (x->error > x->most) {
            x->next = x->most;
            x->most = x->error;
            x->time = time;
        } else {
            x->next = fmax(x->next, x->error);
        }
    }
}

/* States are known to half of their last bit at best. */
static void shake_states(Rounding *w, int run)
{
    for (int k = 0; k < w->nstate; k++) {
        double *x = &w->exec->r[w->state[k]];
        int turn = (k + run) % 3;
        if (turn != 2)
            *x = nextafter(*x, turn == 0 ? INFINITY : -INFINITY);
    }
}

/* Constants that rounding made off may as well be so much larger or smaller. */
static void shake_constants(Rounding *w, int run)
{
    const Tape *t = w->low->tape;
    for (int k = 0; k < t->inexact.n; k++) {
        TapeInexact x = t->inexact.at[k];
        w->exec->r[x.slot] += (k + run) % 2 ? x.off : -x.off;
    }
}

/* The model again, RUNS times. */
static void run_rough(Rounding *w)
{
    Dag *dag = w->low->inlined->dag;
    int limit = dag_most_turns(dag);
    if (!limit)
        dag_limit_turns(dag, TURNS);
    for (int k = 0; k < RUNS; k++) {
        set_slots(w, w->base);
        shake_states(w, k + w->nlook);
        shake_constants(w, k + w->nlook);
        w->exec->rough = 0x9e3779b97f4a7c15u + (unsigned)(w->nlook * RUNS + k);
        if (evaluate(w))
            note_errors(w);
    }
    dag_limit_turns(dag, limit);
}

/* Gives three numbers of each item; false: there are none. */
static bool take_look(void *context, double *out)
{
    Rounding *w = context;
    if (!evaluate(w))
        return false;
    note_values(w);
    run_rough(w);
    for (int i = 0; i < w->item.n; i++) {
        const Item *x = &w->item.at[i];
        out[3 * i] = x->size;
        out[3 * i + 1] = x->x;
        out[3 * i + 2] = x->error;
    }
    return true;
}

static void look(Rounding *w, const Sim *s, double time)
{
    int n = 3 * w->item.n;
    w->exec->tolerance = s->exec->tolerance;
    w->exec->rough = 0;
    set_slots(w, s->exec->r);
    memcpy(w->base, w->exec->r, (size_t)w->low->tape->nslot * sizeof *w->base);
    if (!(w->is_apart ? apart_run(take_look, w, w->seen, n)
                      : take_look(w, w->seen))) {
        w->is_over = w->is_apart;
        return;
    }
    for (int i = 0; i < w->item.n; i++) {
        Item *x = &w->item.at[i];
        x->size = w->seen[3 * i];
        x->x = w->seen[3 * i + 1];
        x->error = w->seen[3 * i + 2];
    }
    keep_errors(w, time);
}

static bool is_due(const Rounding *w, double time)
{
    double part = w->length > 0 ? (time - w->start) / w->length : 0;
    if (w->is_over)
        return false;
    return w->nlook < FIRST || w->nlook - FIRST < part * LOOKS;
}

void rounding_row(Rounding **w, const Sim *s, long row, double time,
                  Arena *arena)
{
    if (row == 0) {
        rounding_free(*w);
        *w = begin(s, arena);
    }
    if (!*w || !is_due(*w, time))
        return;
    look(*w, s, time);
    (*w)->nlook++;
}

/* ---- what is said ---- */

/* How fast the slope of a state falls as the state rises: 1/s. */
static double rate_of(Rounding *w, const Item *x)
{
    set_slots(w, w->base);
    w->exec->rough = 0;
    if (!evaluate(w))
        return 0;
    double before = w->exec->r[x->slot];
    double by = 1e-6 * fmax(x->nominal, x->x);
    set_slots(w, w->base);
    w->exec->r[x->state] += by;
    if (!evaluate(w))
        return 0;
    double rate = fabs(w->exec->r[x->slot] - before) / by;
    return isfinite(rate) ? rate : 0;
}

/* Are the digits of the value itself gone? */
static bool is_lost(const Item *x)
{
    double error = x->next;
    double least = (x->size > NOISE * error ? LEAST : SHARE) * x->nominal;
    if (x->state != NONE)
        least = 0;
    return error > SHARE * x->size && error > least;
}

static bool is_bad(Rounding *w, const Item *x)
{
    if (!is_lost(x))
        return false;
    if (x->state == NONE)
        return true;
    double moves = x->next * w->length;
    double scale = SHARE * fmax(x->nominal, x->x);
    return moves > scale &&
           x->next * fmin(w->length, 1 / rate_of(w, x)) > scale;
}

static Span span_of(const Rounding *w, const Item *x)
{
    const Inlined *d = w->low->inlined;
    const Tape *t = w->low->tape;
    const TapeSegment *all[] = {&w->low->system[d->event].run, &w->low->output};
    for (int k = 0; x->entry != NONE && k < 2; k++)
        for (int i = all[k]->first; i < all[k]->first + all[k]->count; i++) {
            const TapeInstr *in = &t->code.at[i];
            Span span = t->origin.at[in->origin].span;
            if (tape_writes(in) == x->slot && span.source != NONE)
                return span;
        }
    int var = x->entry == NONE ? x->constant : d->var[x->entry].sys_var;
    return var == NONE ? d->sys->flat->span : d->sys->var[var].span;
}

static const Item *worst(Rounding *w)
{
    const Item *found = NULL;
    double most = 0;
    for (int i = 0; w->nlook > 1 && i < w->item.n; i++) {
        const Item *x = &w->item.at[i];
        double share = x->next / fmax(x->size, DBL_MIN);
        if (share > most && is_bad(w, x)) {
            most = share;
            found = x;
        }
    }
    return found;
}

static const char *digits(const Rounding *w, const Item *x)
{
    double left = floor(log10(x->size / x->next));
    if (!(left >= 1))
        return "no digit";
    return left < 2 ? "1 digit" : arena_printf(w->arena, "%g digits", left);
}

static const char *name_of(const Rounding *w, const Item *x)
{
    const Inlined *d = w->low->inlined;
    if (x->constant != NONE)
        return arena_printf(w->arena, "'%s'", d->sys->var[x->constant].name);
    if (x->relation == NONE)
        return arena_printf(w->arena, "'%s'", d->var[x->entry].name);
    return arena_printf(w->arena, "the difference that decides on %s",
                        expr_text(d->dag, d->relation[x->relation].now,
                                  inlined_var_name, (void *)d, 120, w->arena));
}

void rounding_warn(Rounding *w, Diag *diag)
{
    const Item *x = w ? worst(w) : NULL;
    if (!x)
        return;
    diag_report(diag, span_of(w, x), DIAG_W1381,
                "rounding leaves %s of %s: it is %.3g at most, and off by %.2g "
                "at time %g",
                digits(w, x), name_of(w, x), x->size, x->next, x->time);
    diag_note(diag, NO_SPAN,
              "it follows from differences of numbers that are much larger, or "
              "from a choice that rounding makes: take out what the numbers "
              "have in common, or choose another origin; no step and no "
              "tolerance helps");
}
