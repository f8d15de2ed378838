/* semilinear.c - enthalpies at zero flow.
 *
 * Components in a row that pass on what flows through them leave
 *
 *     y = semiLinear(x, sa, s1), y = semiLinear(x, s1, s2), ...,
 *     y = semiLinear(x, sN, sb)
 *
 * which says nothing of s1 to sN where x is 0. The language has a rule for it
 * (Modelica 3.6, 3.7.4.5): these equations mean
 *
 *     s1 = if x >= 0 then sa else sb, s2 = s1, ..., sN = s1,
 *     y = semiLinear(x, sa, sb)
 *
 * which is the same for any other x. Here with y and x of either sign, as
 * connections give them: -semiLinear(-x, p, q) = semiLinear(x, q, p).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "simplify/simplify_internal.h"

/* sign * y = semiLinear(x, from, to), x without a sign. */
typedef struct Term {
    int eqn, sign;
    Expr y, x, from, to;
} Term;

typedef Vec(Term) Terms;

static Expr without_sign(const Dag *d, Expr e, int *sign)
{
    while (expr_op(d, e) == EX_NEG) {
        *sign = -*sign;
        e = expr_arg(d, e, 0);
    }
    return e;
}

/* Is the equation `y` = `call` such a term? */
static bool read_term(const Dag *d, Expr y, Expr call, Term *t)
{
    int var, order, sign = 1, turn = 1;
    y = without_sign(d, y, &sign);
    call = without_sign(d, call, &sign);
    if (expr_op(d, call) != EX_SEMILINEAR || !expr_is_var(d, y, &var, &order))
        return false;
    t->y = y;
    t->x = without_sign(d, expr_arg(d, call, 0), &turn);
    t->sign = sign * turn;
    t->from = expr_arg(d, call, turn > 0 ? 1 : 2);
    t->to = expr_arg(d, call, turn > 0 ? 2 : 1);
    return true;
}

static int by_flow(const void *a, const void *b)
{
    const Term *p = a, *q = b;
    int k = (p->y > q->y) - (p->y < q->y);
    k = k ? k : (p->x > q->x) - (p->x < q->x);
    k = k ? k : p->sign - q->sign;
    return k ? k : p->eqn - q->eqn;
}

static bool is_one_flow(const Term *p, const Term *q)
{
    return p->y == q->y && p->x == q->x && p->sign == q->sign;
}

static Terms find_terms(const Work *w)
{
    const Sys *s = w->sys;
    Terms terms = {0};
    for (int i = 0; i < s->neqn; i++) {
        Term t = {.eqn = i};
        if (read_term(w->dag, s->eqn[i].lhs, s->eqn[i].rhs, &t) ||
            read_term(w->dag, s->eqn[i].rhs, s->eqn[i].lhs, &t))
            vec_push(w->tmp, &terms, t);
    }
    if (terms.n > 0)
        qsort(terms.at, (size_t)terms.n, sizeof *terms.at, by_flow);
    return terms;
}

/* The only one of t[0..n-1] that goes on from `e` (or, `back`, leads to it);
 * NONE: there is none, or more than one. */
static int find_next(const Term *t, int n, Expr e, bool back)
{
    int found = NONE, count = 0;
    for (int i = 0; i < n; i++)
        if ((back ? t[i].to : t[i].from) == e) {
            found = i;
            count++;
        }
    return count == 1 ? found : NONE;
}

/* Is it an unknown that only these equations could tell? */
static bool is_open(const Work *w, Expr e)
{
    int var, order;
    return expr_is_var(w->dag, e, &var, &order) && order == 0 &&
           w->sys->var[var].role == SR_UNKNOWN &&
           w->sys->var[var].derivatives == 0;
}

/* The term after t[i] in its row, NONE: it is the last one. */
static int step_on(const Work *w, const Term *t, int n, int i)
{
    int next = is_open(w, t[i].to) ? find_next(t, n, t[i].to, false) : NONE;
    return next != NONE && find_next(t, n, t[i].to, true) == i ? next : NONE;
}

/* The equations of a row t[row[0]], t[row[1]], ... */
static void write_row(const Work *w, const Term *t, const int *row, int n)
{
    Dag *d = w->dag;
    const Term *first = &t[row[0]];
    Expr sa = first->from, sb = t[row[n - 1]].to;
    Expr side = expr_binary(d, EX_GE, first->x, expr_real(d, 0));
    Expr at = expr_if(d, side, sa, sb);
    SysEqn *e = &w->sys->eqn[first->eqn];
    e->lhs = first->sign > 0 ? first->y : expr_neg(d, first->y);
    e->rhs = expr_make(d, EX_SEMILINEAR, first->x, sa, sb);
    for (int k = 1; k < n; k++) {
        w->sys->eqn[t[row[k]].eqn].lhs = t[row[k]].from;
        w->sys->eqn[t[row[k]].eqn].rhs = at;
    }
}

/* t[0..n-1] are all terms of one flow. */
static void write_rows(const Work *w, const Term *t, int n)
{
    int *row = NEW_ARRAY(w->tmp, int, n + 1);
    for (int i = 0; i < n; i++) {
        int before = find_next(t, n, t[i].from, true), count = 0;
        if (before != NONE && step_on(w, t, n, before) == i)
            continue; /* not the first of its row */
        for (int k = i; k != NONE; k = step_on(w, t, n, k))
            row[count++] = k;
        if (count > 1)
            write_row(w, t, row, count);
    }
}

void simplify_join_semilinear(Work *w)
{
    Terms terms = find_terms(w);
    for (int i = 0, n; i < terms.n; i += n) {
        for (n = 1;
             i + n < terms.n && is_one_flow(&terms.at[i], &terms.at[i + n]);
             n++) {
        }
        write_rows(w, &terms.at[i], n);
    }
}
