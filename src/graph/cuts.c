/* cuts.c - the blocks that are left without some edges. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/cuts.h"

#include "graph/dominators.h"

const Blt *cuts_blocks(const Incidence *inc, const int *edge, int nedge,
                       Arena *out)
{
    Arena *local = arena_new();
    bool *drop = NEW_ARRAY(local, bool, inc->nedge);
    for (int k = 0; k < nedge; k++)
        drop[edge[k]] = true;
    const Blt *blt = blt_order(incidence_without(inc, drop, NULL, local), out);
    arena_free(local);
    return blt;
}

/* The graph of equations with a node in the middle of each edge, so that an
 * edge can dominate: node i, then node neqn + k for edge k. */
typedef struct Split {
    int n;
    int *start, *to;
} Split;

static Split split_forward(const Incidence *inc, const Match *m, Arena *local)
{
    Split s = {inc->neqn + inc->nedge, NULL, NULL};
    s.start = NEW_ARRAY(local, int, s.n + 1);
    s.to = NEW_ARRAY(local, int, 2 * inc->nedge);
    for (int i = 0; i <= inc->neqn; i++)
        s.start[i] = inc->start[i];
    for (int k = 0; k < inc->nedge; k++) {
        s.to[k] = inc->neqn + k;
        s.start[inc->neqn + k + 1] = inc->nedge + k + 1;
        s.to[inc->nedge + k] = m->eqn_of[inc->var[k]];
    }
    return s;
}

static Split split_backward(const Incidence *inc, const Match *m, Arena *local)
{
    const Transpose *t = incidence_transpose(inc, local);
    Split s = {inc->neqn + inc->nedge, NULL, NULL};
    s.start = NEW_ARRAY(local, int, s.n + 1);
    s.to = NEW_ARRAY(local, int, 2 * inc->nedge);
    int at = 0;
    for (int i = 0; i < inc->neqn; i++) {
        int j = m->var_of[i];
        s.start[i] = at;
        for (int q = t->start[j]; q < t->start[j + 1]; q++)
            s.to[at++] = inc->neqn + t->edge[q];
    }
    s.start[inc->neqn] = at;
    for (int i = 0; i < inc->neqn; i++)
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            s.start[inc->neqn + k + 1] = inc->nedge + k + 1;
            s.to[inc->nedge + k] = i;
        }
    return s;
}

static void mark_dominating(const Incidence *inc, Split s, bool *is_bridge,
                            Arena *local)
{
    int *idom = NEW_ARRAY(local, int, s.n);
    dominators_find(s.n, s.start, s.to, 0, idom);
    for (int v = 0; v < s.n; v++)
        if (idom[v] >= inc->neqn)
            is_bridge[idom[v] - inc->neqn] = true;
}

int cuts_bridges(const Incidence *inc, const Match *m, bool *is_bridge)
{
    Arena *local = arena_new();
    int n = 0;
    memset(is_bridge, 0, (size_t)inc->nedge * sizeof *is_bridge);
    if (inc->neqn > 1) {
        mark_dominating(inc, split_forward(inc, m, local), is_bridge, local);
        mark_dominating(inc, split_backward(inc, m, local), is_bridge, local);
    }
    for (int k = 0; k < inc->nedge; k++)
        n += is_bridge[k];
    arena_free(local);
    return n;
}
