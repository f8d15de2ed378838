/* tear_growth.c - the largest entry of L⁻¹B, row by row along the order. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "graph/tear_internal.h"

/* Gives unit rows to what is not solved; returns the unknown of each column. */
static int *torn_rows(Rows *r, const int *var, int ncausal, Arena *local)
{
    int n = r->inc->nvar, ntorn = 0;
    bool *solved = NEW_ARRAY(local, bool, n);
    int *torn = NEW_ARRAY(local, int, n);
    for (int k = 0; k < ncausal; k++)
        solved[var[k]] = true;
    for (int j = 0; j < n; j++)
        if (!solved[j]) {
            rows_unit(r, j, ntorn);
            torn[ntorn++] = j;
        }
    return torn;
}

TearGrowth tear_growth(const TearProblem *p, const int *eqn, const int *var,
                       int ncausal)
{
    TearGrowth g = {NAN, false, NONE, NONE, 0};
    if (p->nsample == 0)
        return g;
    Arena *local = arena_new();
    Rows r = rows_new(p, local);
    const int *torn = torn_rows(&r, var, ncausal, local);
    g.value = 1; /* a torn unknown is itself */
    g.is_bound = !r.has_rows;
    for (int k = 0; k < ncausal && g.value < INFINITY; k++) {
        int pivot = incidence_find(p->inc, eqn[k], var[k]), col;
        double most = rows_make(&r, eqn[k], pivot);
        rows_keep(&r, var[k]);
        if (most <= g.value)
            continue;
        g.value = most;
        g.var = var[k];
        rows_largest(&r, &col, &g.sample);
        g.torn = col == NONE ? NONE : torn[col];
    }
    arena_free(local);
    return g;
}
