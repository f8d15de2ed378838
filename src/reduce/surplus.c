/* surplus.c - an initial condition too many: redundant or a contradiction?
 *
 * The condition and the equations that compete with it for the same unknowns
 * form the over-determined part around it. Without the condition that part is
 * square: it is solved by Newton's method from the start values, and the
 * condition holds at the solution or it does not.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

#include <math.h>
#include <stdlib.h>

#include "num/pivot.h"

enum { LARGEST = 400, STEPS = 40 };

typedef struct Over {
    int *row, nrow; /* competing rows, without the surplus one */
    int *col, ncol;
} Over;

/* Rows and columns reached from the surplus row over matched pairs. */
static Over reach(const InitSystem *s, int root, Arena *tmp)
{
    const Incidence *inc = s->inc;
    bool *seen_row = NEW_ARRAY(tmp, bool, inc->neqn);
    bool *seen_col = NEW_ARRAY(tmp, bool, inc->nvar);
    Over o = {NEW_ARRAY(tmp, int, inc->neqn), 0, NEW_ARRAY(tmp, int, inc->nvar),
              0};
    seen_row[root] = true;
    for (int at = -1; at < o.nrow; at++) {
        int i = at < 0 ? root : o.row[at];
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            int j = inc->var[k], next = s->match->eqn_of[j];
            if (seen_col[j])
                continue;
            seen_col[j] = true;
            o.col[o.ncol++] = j;
            if (next == NONE || seen_row[next])
                continue;
            seen_row[next] = true;
            o.row[o.nrow++] = next;
        }
    }
    return o;
}

/* ---- Newton ---- */
typedef struct Guess {
    const InitSystem *s;
    const Expr *leaf; /* sorted by handle */
    double *value;
    int n;
} Guess;

static int place_of(const Guess *g, Expr leaf)
{
    int low = 0, high = g->n;
    while (low < high) {
        int mid = (low + high) / 2;
        if (g->leaf[mid] < leaf)
            low = mid + 1;
        else
            high = mid;
    }
    return low < g->n && g->leaf[low] == leaf ? low : NONE;
}

static double guess_value(void *context, const Dag *d, Expr e)
{
    const Guess *g = context;
    int at = place_of(g, e), v, order;
    if (at != NONE)
        return g->value[at];
    switch (expr_op(d, e)) {
    case EX_VAR:
        expr_is_var(d, e, &v, &order);
        return order ? 0 : g->s->r->start[v];
    case EX_PRE: return guess_value(context, d, expr_arg(d, e, 0));
    case EX_INITIAL: return 1;
    case EX_TIME:
    case EX_TERMINAL:
    case EX_SAMPLE: return 0;
    default: return NAN;
    }
}

static double residual(const InitSystem *s, int row, Guess *g)
{
    const SysEqn *e = &s->eqn.at[row];
    return expr_eval(s->r->dag, e->lhs, guess_value, g) -
           expr_eval(s->r->dag, e->rhs, guess_value, g);
}

static int by_handle(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return (x > y) - (x < y);
}

static Guess first_guess(const InitSystem *s, const Over *o, Arena *tmp)
{
    Expr *leaf = NEW_ARRAY(tmp, Expr, o->ncol);
    for (int k = 0; k < o->ncol; k++)
        leaf[k] = s->unknown.at[o->col[k]];
    if (o->ncol)
        qsort(leaf, (size_t)o->ncol, sizeof *leaf, by_handle);
    Guess g = {s, leaf, NEW_ARRAY(tmp, double, o->ncol), 0};
    for (int k = 0; k < o->ncol; k++) /* g.n == 0: values of the start point */
        g.value[k] = guess_value(&g, s->r->dag, leaf[k]);
    g.n = o->ncol;
    return g;
}

typedef struct Slope {
    int row, col;
    Expr entry;
} Slope;

typedef Vec(Slope) Slopes;

static bool add_slopes(const InitSystem *s, int row, int i, const Guess *g,
                       Slopes *list, Arena *tmp)
{
    Dag *d = s->r->dag;
    const SysEqn *e = &s->eqn.at[row];
    for (int k = s->inc->start[row]; k < s->inc->start[row + 1]; k++) {
        Expr x = s->unknown.at[s->inc->var[k]];
        if (expr_op(d, x) != EX_VAR)
            return false;
        Expr a = expr_diff(d, e->lhs, x), b = expr_diff(d, e->rhs, x);
        if (a == EXPR_NONE || b == EXPR_NONE)
            return false;
        Slope slope = {i, place_of(g, x), expr_sub(d, a, b)};
        vec_push(tmp, list, slope);
    }
    return true;
}

static bool step(const InitSystem *s, const Over *o, Guess *g,
                 const Slopes *list, Pivot *p, double *rhs, double *entry)
{
    for (int i = 0; i < o->nrow; i++)
        rhs[i] = residual(s, o->row[i], g);
    for (int k = 0; k < list->n; k++)
        entry[k] = expr_eval(s->r->dag, list->at[k].entry, guess_value, g);
    if (!pivot_factor(p, entry))
        return false;
    pivot_solve(p, rhs);
    return true;
}

/* Solves the square part; false if that fails. */
static bool solve(const InitSystem *s, const Over *o, Guess *g, Arena *tmp)
{
    Slopes list = {0};
    if (o->nrow != o->ncol || o->nrow > LARGEST)
        return false;
    for (int i = 0; i < o->nrow; i++) {
        if (!add_slopes(s, o->row[i], i, g, &list, tmp))
            return false;
    }
    int *row = NEW_ARRAY(tmp, int, list.n), *col = NEW_ARRAY(tmp, int, list.n);
    for (int k = 0; k < list.n; k++) {
        row[k] = list.at[k].row;
        col[k] = list.at[k].col;
    }
    double *rhs = NEW_ARRAY(tmp, double, o->nrow);
    double *entry = NEW_ARRAY(tmp, double, list.n);
    Pivot *p = pivot_new(o->nrow, list.n, row, col);
    bool done = o->nrow == 0;
    for (int t = 0; t < STEPS && !done; t++) {
        if (!step(s, o, g, &list, p, rhs, entry))
            break;
        done = true;
        for (int k = 0; k < o->nrow; k++) {
            g->value[k] -= rhs[k];
            if (!(fabs(rhs[k]) <= 1e-10 * (1 + fabs(g->value[k]))))
                done = false;
        }
    }
    pivot_free(p);
    return done;
}

/* ---- messages ---- */
static const char *text_of(const InitSystem *s, int row)
{
    const SysEqn *e = &s->eqn.at[row];
    return sys_eqn_text(s->r->sys, e, 80, s->r->tmp);
}

static bool is_condition(const InitSystem *s, int row)
{
    SysRule rule = s->eqn.at[row].origin.rule;
    return rule == RULE_INITIAL || rule == RULE_START || rule == RULE_BINDING;
}

static void name_competitors(const InitSystem *s, const Over *o)
{
    Reduce *r = s->r;
    int conditions = 0, equations = 0;
    for (int k = 0; k < o->nrow; k++) {
        if (!is_condition(s, o->row[k]) || conditions++ >= 6)
            continue;
        diag_note(r->diag, s->eqn.at[o->row[k]].span, "another condition: %s",
                  text_of(s, o->row[k]));
    }
    for (int k = 0; k < o->nrow; k++) {
        if (is_condition(s, o->row[k]) || equations++ >= 4)
            continue;
        diag_note(r->diag, s->eqn.at[o->row[k]].span,
                  "an equation binds the same variables: %s",
                  text_of(s, o->row[k]));
    }
}

static const char *kind_of(const InitSystem *s, int row)
{
    const SysEqn *e = &s->eqn.at[row];
    if (e->origin.rule != RULE_START)
        return "this initial equation";
    return arena_printf(s->r->tmp, "the fixed start value of '%s'",
                        s->r->sys->var[e->origin.from].name);
}

/* The value of an input at the start is not known here. */
static bool has_input(const InitSystem *s, int row, Arena *tmp)
{
    Expr *leaf;
    int n = reduce_eqn_leaves(s->r, &s->eqn.at[row], &leaf, tmp);
    for (int k = 0; k < n; k++) {
        int v, order;
        expr_is_var(s->r->dag, leaf[k], &v, &order);
        if (s->r->sys->var[v].role == SR_INPUT)
            return true;
    }
    return false;
}

static bool is_known(const InitSystem *s, const Over *o, int row, Arena *tmp)
{
    for (int k = 0; k < o->nrow; k++) {
        if (has_input(s, o->row[k], tmp))
            return false;
    }
    return !has_input(s, row, tmp);
}

bool reduce_judge_surplus(InitSystem *s, int row)
{
    Reduce *r = s->r;
    Arena *tmp = arena_new();
    Over o = reach(s, row, tmp);
    Guess g = first_guess(s, &o, tmp);
    bool fine = true;
    bool solved = is_known(s, &o, row, tmp) && solve(s, &o, &g, tmp);
    const SysEqn *e = &s->eqn.at[row];
    double x = solved ? residual(s, row, &g) : NAN;
    double size = solved ? fabs(expr_eval(r->dag, e->rhs, guess_value, &g)) : 0;
    if (solved && !(fabs(x) <= 1e-6 * (1 + size))) {
        fine = false;
        diag_report(r->diag, e->span, DIAG_E1101,
                    "%s contradicts the other conditions: %s is off by %g",
                    kind_of(s, row), text_of(s, row), x);
    } else if (solved) {
        diag_report(r->diag, e->span, DIAG_W1102,
                    "%s is redundant: the other conditions and the equations "
                    "already give %s",
                    kind_of(s, row), text_of(s, row));
    } else {
        diag_report(r->diag, e->span, DIAG_W1104,
                    "%s is one condition too many and is left out: %s",
                    kind_of(s, row), text_of(s, row));
    }
    name_competitors(s, &o);
    arena_free(tmp);
    return fine;
}
