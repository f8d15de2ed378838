/* blt.c - block lower triangular form: matching, then strong components.
 *
 * Equation i needs equation i' if an unknown of i is what i' is solved for.
 * The strong components of "needs" come out of Tarjan's algorithm in the order
 * in which they can be solved.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/blt.h"

#include <assert.h>

#include "graph/scc.h"

/* The equations by component, each component in source order. */
static void fill_blocks(const Match *m, const int *comp, Blt *blt, Arena *out)
{
    int *eqn = NEW_ARRAY(out, int, blt->n);
    int *var = NEW_ARRAY(out, int, blt->n);
    /* While the places are filled, start[b+1] is the next place of b. */
    int *start = NEW_ARRAY(out, int, blt->nblock + 2);
    for (int i = 0; i < blt->n; i++)
        start[comp[i] + 2]++;
    for (int b = 0; b <= blt->nblock; b++)
        start[b + 1] += start[b];
    for (int i = 0; i < blt->n; i++) {
        int k = start[comp[i] + 1]++;
        eqn[k] = i;
        var[k] = m->var_of[i];
    }
    blt->eqn = eqn;
    blt->var = var;
    blt->start = start;
}

const Blt *blt_order_matched(const Incidence *inc, const Match *m, Arena *out)
{
    assert(m->size == inc->neqn && inc->neqn == inc->nvar);
    Arena *local = arena_new();
    int *needs = NEW_ARRAY(local, int, inc->nedge);
    int *comp = NEW_ARRAY(local, int, inc->neqn);
    for (int k = 0; k < inc->nedge; k++)
        needs[k] = m->eqn_of[inc->var[k]];
    Blt *blt = NEW(out, Blt);
    blt->n = inc->neqn;
    blt->nblock = scc_find(inc->neqn, inc->start, needs, comp);
    fill_blocks(m, comp, blt, out);
    arena_free(local);
    return blt;
}

const Blt *blt_order(const Incidence *inc, Arena *out)
{
    if (inc->neqn != inc->nvar)
        return NULL;
    Arena *local = arena_new();
    const Match *m = match_maximum(inc, local);
    const Blt *blt = NULL;
    if (m->size == inc->neqn)
        blt = blt_order_matched(inc, m, out);
    arena_free(local);
    return blt;
}

int blt_largest(const Blt *blt)
{
    int largest = 0;
    for (int b = 0; b < blt->nblock; b++)
        if (blt->start[b + 1] - blt->start[b] > largest)
            largest = blt->start[b + 1] - blt->start[b];
    return largest;
}

void blt_check(const Incidence *inc, const Blt *blt)
{
    Arena *local = arena_new();
    int *block_of = NEW_ARRAY(local, int, inc->nvar);
    assert(blt->n == inc->neqn && blt->start[blt->nblock] == blt->n);
    for (int j = 0; j < inc->nvar; j++)
        block_of[j] = NONE;
    for (int b = 0; b < blt->nblock; b++) {
        assert(blt->start[b] < blt->start[b + 1]);
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++) {
            assert(block_of[blt->var[k]] == NONE);
            block_of[blt->var[k]] = b;
            assert(k == blt->start[b] || blt->eqn[k - 1] < blt->eqn[k]);
        }
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++) {
            int i = blt->eqn[k];
            assert(incidence_find(inc, i, blt->var[k]) != NONE);
            for (int e = inc->start[i]; e < inc->start[i + 1]; e++)
                assert(block_of[inc->var[e]] != NONE);
        }
    }
    arena_free(local);
}
