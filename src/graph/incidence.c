/* incidence.c - compressed bipartite graphs.
 *
 * Edges are sorted by two stable counting sorts, first by unknown, then by
 * equation, so that building a graph takes linear time.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/incidence.h"

#include <assert.h>

EdgeList edges_begin(Arena *arena)
{
    EdgeList list = {.arena = arena};
    return list;
}

void edges_add(EdgeList *list, int eqn, int var, EdgeClass cls, int weight)
{
    Edge e = {eqn, var, (int)cls, weight};
    vec_push(list->arena, &list->edge, e);
}

/* start[i] becomes the sum of the counts before i. */
static void counts_to_starts(int *start, int n)
{
    int sum = 0;
    for (int i = 0; i <= n; i++) {
        int count = start[i];
        start[i] = sum;
        sum += count;
    }
}

/* The places of the edges, in the order of their unknowns. */
static int *order_by_var(const EdgeList *list, int nvar, Arena *arena)
{
    int *start = NEW_ARRAY(arena, int, nvar + 1);
    int *order = NEW_ARRAY(arena, int, list->edge.n);
    for (int k = 0; k < list->edge.n; k++)
        start[list->edge.at[k].var]++;
    counts_to_starts(start, nvar);
    for (int k = 0; k < list->edge.n; k++)
        order[start[list->edge.at[k].var]++] = k;
    return order;
}

static int *order_by_eqn(const EdgeList *list, int neqn, const int *by_var,
                         Arena *arena)
{
    int *start = NEW_ARRAY(arena, int, neqn + 1);
    int *order = NEW_ARRAY(arena, int, list->edge.n);
    for (int k = 0; k < list->edge.n; k++)
        start[list->edge.at[k].eqn]++;
    counts_to_starts(start, neqn);
    for (int k = 0; k < list->edge.n; k++)
        order[start[list->edge.at[by_var[k]].eqn]++] = by_var[k];
    return order;
}

const Incidence *edges_end(const EdgeList *list, int neqn, int nvar, Arena *out)
{
    int n = list->edge.n;
    for (int k = 0; k < n; k++) {
        Edge e = list->edge.at[k];
        assert(e.eqn >= 0 && e.eqn < neqn && e.var >= 0 && e.var < nvar);
        assert(e.cls >= EDGE_NONLINEAR && e.cls <= EDGE_CONSTANT);
    }
    Arena *local = arena_new();
    int *order =
        order_by_eqn(list, neqn, order_by_var(list, nvar, local), local);
    int *start = NEW_ARRAY(out, int, neqn + 1);
    int *var = NEW_ARRAY(out, int, n);
    unsigned char *cls = NEW_ARRAY(out, unsigned char, n);
    int *weight = NEW_ARRAY(out, int, n);
    int kept = 0, eqn = NONE;
    for (int k = 0; k < n; k++) {
        Edge e = list->edge.at[order[k]];
        if (e.eqn == eqn && var[kept - 1] == e.var) {
            if (e.cls < cls[kept - 1])
                cls[kept - 1] = (unsigned char)e.cls;
            if (e.weight > weight[kept - 1])
                weight[kept - 1] = e.weight;
            continue;
        }
        while (eqn < e.eqn)
            start[++eqn] = kept;
        var[kept] = e.var;
        cls[kept] = (unsigned char)e.cls;
        weight[kept++] = e.weight;
    }
    while (eqn < neqn)
        start[++eqn] = kept;
    arena_free(local);

    Incidence *inc = NEW(out, Incidence);
    *inc = (Incidence){neqn, nvar, kept, start, var, cls, weight};
    return inc;
}

const Transpose *incidence_transpose(const Incidence *inc, Arena *out)
{
    /* One place more than needed: while the places are filled, start[j+1] is
     * where the next occurrence of j goes. */
    int *start = NEW_ARRAY(out, int, inc->nvar + 2);
    int *eqn = NEW_ARRAY(out, int, inc->nedge);
    int *edge = NEW_ARRAY(out, int, inc->nedge);
    for (int k = 0; k < inc->nedge; k++)
        start[inc->var[k] + 2]++;
    for (int j = 0; j <= inc->nvar; j++)
        start[j + 1] += start[j];
    for (int i = 0; i < inc->neqn; i++)
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            int at = start[inc->var[k] + 1]++;
            eqn[at] = i;
            edge[at] = k;
        }
    Transpose *t = NEW(out, Transpose);
    *t = (Transpose){start, eqn, edge};
    return t;
}

int incidence_find(const Incidence *inc, int eqn, int var)
{
    int low = inc->start[eqn], high = inc->start[eqn + 1];
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (inc->var[mid] < var)
            low = mid + 1;
        else
            high = mid;
    }
    return low < inc->start[eqn + 1] && inc->var[low] == var ? low : NONE;
}

IncidenceMap incidence_map(const Incidence *inc, Arena *arena)
{
    IncidenceMap map = {NEW_ARRAY(arena, int, inc->nvar)};
    for (int j = 0; j < inc->nvar; j++)
        map.var_to[j] = NONE;
    return map;
}

const Incidence *incidence_part(const Incidence *inc, const int *eqn, int neqn,
                                const int *var, int nvar, IncidenceMap map,
                                const int **edge, Arena *out)
{
    for (int j = 0; j < nvar; j++)
        map.var_to[var[j]] = j;

    /* Sorting by two passes over the transposed part would lose the places of
     * the edges; the weight carries them instead. */
    Arena *local = arena_new();
    EdgeList list = edges_begin(local);
    for (int i = 0; i < neqn; i++)
        for (int k = inc->start[eqn[i]]; k < inc->start[eqn[i] + 1]; k++)
            if (map.var_to[inc->var[k]] != NONE)
                edges_add(&list, i, map.var_to[inc->var[k]],
                          (EdgeClass)inc->cls[k], k);
    const Incidence *part = edges_end(&list, neqn, nvar, out);
    arena_free(local);

    int *weight = NEW_ARRAY(out, int, part->nedge);
    for (int k = 0; k < part->nedge; k++)
        weight[k] = inc->weight[part->weight[k]];
    if (edge)
        *edge = part->weight;
    Incidence *result = NEW(out, Incidence);
    *result = *part;
    result->weight = weight;
    for (int j = 0; j < nvar; j++)
        map.var_to[var[j]] = NONE;
    return result;
}

const Incidence *incidence_without(const Incidence *inc, const bool *drop,
                                   const int **edge, Arena *out)
{
    int *start = NEW_ARRAY(out, int, inc->neqn + 1);
    int *var = NEW_ARRAY(out, int, inc->nedge);
    unsigned char *cls = NEW_ARRAY(out, unsigned char, inc->nedge);
    int *weight = NEW_ARRAY(out, int, inc->nedge);
    int *from = NEW_ARRAY(out, int, inc->nedge);
    int kept = 0;
    for (int i = 0; i < inc->neqn; i++) {
        start[i] = kept;
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            if (drop[k])
                continue;
            var[kept] = inc->var[k];
            cls[kept] = inc->cls[k];
            weight[kept] = inc->weight[k];
            from[kept++] = k;
        }
    }
    start[inc->neqn] = kept;
    if (edge)
        *edge = from;
    Incidence *rest = NEW(out, Incidence);
    *rest = (Incidence){inc->neqn, inc->nvar, kept, start, var, cls, weight};
    return rest;
}

void incidence_check(const Incidence *inc)
{
    assert(inc->neqn >= 0 && inc->nvar >= 0);
    assert(inc->start[0] == 0 && inc->start[inc->neqn] == inc->nedge);
    for (int i = 0; i < inc->neqn; i++) {
        assert(inc->start[i] <= inc->start[i + 1]);
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            assert(inc->var[k] >= 0 && inc->var[k] < inc->nvar);
            assert(k == inc->start[i] || inc->var[k - 1] < inc->var[k]);
            assert(inc->cls[k] <= EDGE_CONSTANT);
        }
    }
}
