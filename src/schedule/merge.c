/* merge.c - all states of a stage in one block.
 *
 * What lies between the blocks of two implicit states (is reached from one and
 * reaches another) joins them; the blocks before and after stay as they are.
 * Joining a set with nothing between its members keeps the order of the rest
 * without circles. Stages that do not wait for one another (Radau IIA) are
 * joined too.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "schedule/schedule_internal.h"

typedef struct Merge {
    Maker *m;
    const Blt *blt;
    int *block_of; /* by unknown */
    bool *is_member;
    bool *is_after;  /* depends on a member */
    bool *is_before; /* a member depends on it */
} Merge;

bool merge_is_implicit(const Maker *m, int eqn)
{
    int state = view_state_of(m, eqn), at = m->inc->start[eqn];
    if (state == NONE || m->inc->start[eqn + 1] - at > 1)
        return state != NONE;
    return m->slope[at] == EXPR_NONE || !expr_is_one(m->dag, m->slope[at]);
}

static void mark_blocks(Merge *g)
{
    for (int b = 0; b < g->blt->nblock; b++)
        for (int k = g->blt->start[b]; k < g->blt->start[b + 1]; k++)
            g->block_of[g->blt->var[k]] = b;
}

/* Marks what depends on members and what members depend on. */
static void mark_between(Merge *g)
{
    const Blt *blt = g->blt;
    const Incidence *inc = g->m->inc;
    for (int b = 0; b < blt->nblock; b++)
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++)
            for (int e = inc->start[blt->eqn[k]];
                 e < inc->start[blt->eqn[k] + 1]; e++) {
                int from = g->block_of[inc->var[e]];
                if (from != b && (g->is_member[from] || g->is_after[from]))
                    g->is_after[b] = true;
            }
    for (int b = blt->nblock - 1; b >= 0; b--)
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++)
            for (int e = inc->start[blt->eqn[k]];
                 e < inc->start[blt->eqn[k] + 1]; e++) {
                int from = g->block_of[inc->var[e]];
                if (from != b && (g->is_member[b] || g->is_before[b]))
                    g->is_before[from] = true;
            }
    for (int b = 0; b < blt->nblock; b++)
        if (g->is_after[b] && g->is_before[b])
            g->is_member[b] = true;
}

typedef struct Pair {
    int eqn, var;
} Pair;

static int by_eqn(const void *a, const void *b)
{
    return ((const Pair *)a)->eqn - ((const Pair *)b)->eqn;
}

typedef struct Output {
    int n, nblock;
    int *eqn, *var, *start;
} Output;

static void put_block(const Merge *g, int b, Output *o)
{
    for (int k = g->blt->start[b]; k < g->blt->start[b + 1]; k++) {
        o->eqn[o->n] = g->blt->eqn[k];
        o->var[o->n++] = g->blt->var[k];
    }
    o->start[++o->nblock] = o->n;
}

/* The members as one block, in the order of the source. */
static void put_members(const Merge *g, Output *o)
{
    Pair *pair = NEW_ARRAY(g->m->work, Pair, g->blt->n + 1);
    int n = 0;
    for (int b = 0; b < g->blt->nblock; b++)
        for (int k = g->blt->start[b];
             g->is_member[b] && k < g->blt->start[b + 1]; k++)
            pair[n++] = (Pair){g->blt->eqn[k], g->blt->var[k]};
    if (n > 1)
        qsort(pair, (size_t)n, sizeof *pair, by_eqn);
    for (int k = 0; k < n; k++) {
        o->eqn[o->n] = pair[k].eqn;
        o->var[o->n++] = pair[k].var;
    }
    o->start[++o->nblock] = o->n;
}

static const Blt *reordered(const Merge *g, int *at)
{
    Arena *a = g->m->work;
    int n = g->blt->n;
    Output o = {0, 0, NEW_ARRAY(a, int, n + 1), NEW_ARRAY(a, int, n + 1),
                NEW_ARRAY(a, int, g->blt->nblock + 2)};
    for (int b = 0; b < g->blt->nblock; b++)
        if (!g->is_member[b] && !g->is_after[b])
            put_block(g, b, &o);
    *at = o.nblock;
    put_members(g, &o);
    for (int b = 0; b < g->blt->nblock; b++)
        if (!g->is_member[b] && g->is_after[b])
            put_block(g, b, &o);
    Blt *out = NEW(a, Blt);
    *out = (Blt){n, o.nblock, o.eqn, o.var, o.start};
    return out;
}

const Blt *merge_blocks(Maker *m, const Blt *blt, bool *is_member, int *at)
{
    Arena *a = m->work;
    Merge g = {.m = m,
               .blt = blt,
               .block_of = NEW_ARRAY(a, int, m->system->nunknown + 1),
               .is_member = is_member,
               .is_after = NEW_ARRAY(a, bool, blt->nblock + 1),
               .is_before = NEW_ARRAY(a, bool, blt->nblock + 1)};
    mark_blocks(&g);
    mark_between(&g);
    return reordered(&g, at);
}

/* Joins the implicit states of one stage (`any`: of all stages), or what a
 * network consists of there. */
static const Blt *merge_stage(Maker *m, const Blt *blt, bool of_network,
                              int stage, bool any)
{
    int nblock = blt->nblock, nmember = 0, at;
    bool *is_member = NEW_ARRAY(m->work, bool, nblock + 1);
    for (int b = 0; b < nblock; b++)
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++)
            if ((of_network ? formulation_is_member(m, blt->var[k])
                            : merge_is_implicit(m, blt->eqn[k])) &&
                (any || m->system->eqn[blt->eqn[k]].stage == stage))
                is_member[b] = true;
    for (int b = 0; b < nblock; b++)
        nmember += is_member[b];
    return nmember < 2 ? blt : merge_blocks(m, blt, is_member, &at);
}

bool merge_has_waiting_stages(const Method *m)
{
    if (m->kind != MK_RK)
        return true;
    for (int i = 0; i < m->nstage; i++)
        for (int j = i + 1; j < m->nstage; j++)
            if (m->a[i * m->nstage + j] != 0)
                return false;
    return true;
}

static const Blt *merge_stages(Maker *m, const Blt *blt, bool of_network)
{
    const Method *method = m->system->method;
    if (!method)
        return blt;
    if (!merge_has_waiting_stages(method))
        return merge_stage(m, blt, of_network, 0, true);
    /* and the stage of the defect of a Rosenbrock method */
    for (int i = DIFF_END; i <= method->nstage || i < 1; i++)
        blt = merge_stage(m, blt, of_network, i, false);
    return blt;
}

const Blt *merge_states(Maker *m, const Blt *blt)
{
    return merge_stages(m, blt, false);
}

const Blt *merge_network(Maker *m, const Blt *blt)
{
    return m->roles ? merge_stages(m, blt, true) : blt;
}
