/* together.c - unknowns that several linear equations give.
 *
 * The voltages of a divider between known points follow from its equations
 * together, none of which has but one unknown. Equations without pieces that
 * are linear in what is open are gathered by the unknowns they share; where
 * such a set has as many independent equations as unknowns, it gives them
 * values, by least squares where it has more: start values need not agree.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "num/dense.h"
#include "guess/guess_internal.h"

enum { MOST_TOGETHER = 60 };

typedef struct Gather {
    Guess *p;
    int *root;     /* of each entry: the set it is in */
    int *place;    /* of each entry: its column */
    bool *is_used; /* of each equation */
    /* of each root: its first equation and unknown; of these the next; NONE */
    int *first_eqn, *next_eqn, *first_var, *next_var;
} Gather;

static int find_root(int *root, int i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

static bool has_pieces(const Dag *dag, Expr e)
{
    return expr_has_op(dag, e, EX_IF) || expr_has_op(dag, e, EX_ABS) ||
           expr_has_op(dag, e, EX_MIN) || expr_has_op(dag, e, EX_MAX);
}

/* The slopes of equation i by its open unknowns, in row[place]. Returns false
 * if it is not linear in them together. */
static bool find_slopes(Gather *g, int i, double *row, double *at_zero)
{
    Guess *p = g->p;
    const InlinedEqn *e = &p->init->eqn[i];
    const int *open = p->unknown[i];
    int n = p->nunknown[i];
    for (int k = 0; k < n; k++)
        if (!p->is_known[open[k]])
            p->value[open[k]] = 0;
    double f0 = guess_residual(p, e, open[0], p->value[open[0]]);
    double sum = f0, size = fabs(f0), all = f0;
    for (int k = 0; k < n; k++) {
        if (p->is_known[open[k]])
            continue;
        double slope = guess_residual(p, e, open[k], 1) - f0;
        double far = guess_residual(p, e, open[k], -3) - f0;
        guess_residual(p, e, open[k], 0);
        size = fmax(size, fabs(slope));
        if (!(fabs(far + 3 * slope) <= 1e-9 * size))
            return false;
        row[g->place[open[k]]] = slope;
        sum += slope;
    }
    for (int k = 0; k < n; k++)
        if (!p->is_known[open[k]])
            all = guess_residual(p, e, open[k], 1);
    for (int k = 0; k < n; k++)
        if (!p->is_known[open[k]])
            p->value[open[k]] = 0;
    *at_zero = f0;
    return fabs(all - sum) <= 1e-9 * n * size && size > 0;
}

/* Is equation i one of those, by its form? */
static bool is_fit(const Gather *g, int i)
{
    const Guess *p = g->p;
    const Dag *dag = p->low->inlined->dag;
    const InlinedEqn *e = &p->init->eqn[i];
    if (p->nleft[i] < 1 || expr_type(dag, e->lhs) != ET_REAL ||
        has_pieces(dag, e->lhs) || has_pieces(dag, e->rhs))
        return false;
    for (int k = 0; k < p->nunknown[i]; k++)
        if (p->low->slot[p->unknown[i][k]] == NONE)
            return false;
    return true;
}

static void gather(Gather *g, Arena *a)
{
    Guess *p = g->p;
    double *row = NEW_ARRAY(a, double, p->low->inlined->nvar + 1);
    double f0;
    for (int i = 0; i < p->init->neqn; i++) {
        if (!is_fit(g, i) || !find_slopes(g, i, row, &f0))
            continue;
        int first = NONE;
        g->is_used[i] = true;
        for (int k = 0; k < p->nunknown[i]; k++) {
            int v = p->unknown[i][k];
            if (p->is_known[v])
                continue;
            first = first == NONE ? v : first;
            g->root[find_root(g->root, v)] = find_root(g->root, first);
        }
    }
}

/* The unknowns of equation i that are open: one of them, NONE: none is. */
static int open_of(const Guess *p, int i)
{
    for (int k = 0; k < p->nunknown[i]; k++)
        if (!p->is_known[p->unknown[i][k]])
            return p->unknown[i][k];
    return NONE;
}

/* x = A^+ b where A (n * n, columns beyond nvar 0) has the rank nvar. */
static bool least_squares(int n, int nvar, double *a, double *b, Arena *arena)
{
    size_t nn = (size_t)n * (size_t)n;
    double *s = NEW_ARRAY(arena, double, n), *x = NEW_ARRAY(arena, double, n);
    double *u = NEW_ARRAY(arena, double, nn), *v = NEW_ARRAY(arena, double, nn);
    if (!dense_svd(n, a, s, u, v) || !(s[nvar - 1] > 1e-9 * s[0]))
        return false;
    for (int k = 0; k < nvar; k++) {
        double part = 0;
        for (int i = 0; i < n; i++)
            part += u[i + k * n] * b[i];
        for (int i = 0; i < n; i++)
            x[i] += v[i + k * n] * part / s[k];
    }
    memcpy(b, x, (size_t)n * sizeof *b);
    return true;
}

/* The set of these unknowns and equations. Returns whether they have values. */
static bool solve_set(Gather *g, const int *var, int nvar, const int *eqn,
                      int neqn, Arena *a)
{
    Guess *p = g->p;
    int n = neqn > nvar ? neqn : nvar;
    double *m = NEW_ARRAY(a, double, (size_t)n *(size_t)n);
    double *b = NEW_ARRAY(a, double, n), *row = NEW_ARRAY(a, double, n);
    for (int i = 0; i < neqn; i++) {
        double f0 = 0, size = 0;
        memset(row, 0, (size_t)n * sizeof *row);
        if (!find_slopes(g, eqn[i], row, &f0))
            return false;
        for (int j = 0; j < nvar; j++)
            size = fmax(size, fabs(row[j]));
        for (int j = 0; j < nvar; j++)
            m[i + j * n] = row[j] / size;
        b[i] = -f0 / size;
    }
    if (!least_squares(n, nvar, m, b, a))
        return false;
    for (int j = 0; j < nvar; j++) {
        p->value[var[j]] = b[j];
        p->r[p->low->slot[var[j]]] = b[j];
    }
    for (int j = 0; j < nvar; j++)
        guess_mark_known(p, var[j]);
    return true;
}

/* Lists of the equations and the unknowns of each set, in their order. */
static void list_sets(Gather *g)
{
    Guess *p = g->p;
    for (int i = p->init->neqn - 1; i >= 0; i--) {
        int v = g->is_used[i] ? open_of(p, i) : NONE;
        if (v == NONE)
            continue;
        int root = find_root(g->root, v);
        g->next_eqn[i] = g->first_eqn[root];
        g->first_eqn[root] = i;
    }
    for (int k = p->init->nunknown - 1; k >= 0; k--) {
        int v = p->init->unknown[k];
        if (p->is_known[v])
            continue;
        int root = find_root(g->root, v);
        g->next_var[v] = g->first_var[root];
        g->first_var[root] = v;
    }
}

/* The set with this root. */
static int solve_root(Gather *g, int root, Arena *a)
{
    int nvar = 0, neqn = 0, var[MOST_TOGETHER], eqn[2 * MOST_TOGETHER];
    for (int i = g->first_eqn[root]; i != NONE; i = g->next_eqn[i]) {
        if (neqn == 2 * MOST_TOGETHER)
            return 0;
        eqn[neqn++] = i;
    }
    for (int v = g->first_var[root]; v != NONE; v = g->next_var[v]) {
        if (nvar == MOST_TOGETHER)
            return 0;
        g->place[v] = nvar;
        var[nvar++] = v;
    }
    return neqn >= nvar && solve_set(g, var, nvar, eqn, neqn, a) ? nvar : 0;
}

static Gather new_gather(Guess *p, Arena *a)
{
    int nvar = p->low->inlined->nvar, neqn = p->init->neqn;
    Gather g = {.p = p,
                .root = NEW_ARRAY(a, int, nvar + 1),
                .place = NEW_ARRAY(a, int, nvar + 1),
                .is_used = NEW_ARRAY(a, bool, neqn + 1),
                .first_eqn = NEW_ARRAY(a, int, nvar + 1),
                .next_eqn = NEW_ARRAY(a, int, neqn + 1),
                .first_var = NEW_ARRAY(a, int, nvar + 1),
                .next_var = NEW_ARRAY(a, int, nvar + 1)};
    for (int i = 0; i < nvar; i++) {
        g.root[i] = i;
        g.first_eqn[i] = g.first_var[i] = NONE;
    }
    return g;
}

int guess_together(Guess *p, Arena *a)
{
    Gather g = new_gather(p, a);
    int count = 0;
    gather(&g, a);
    list_sets(&g);
    for (int i = 0; i < p->low->inlined->nvar; i++)
        if (g.first_eqn[i] != NONE)
            count += solve_root(&g, i, a);
    return count;
}
