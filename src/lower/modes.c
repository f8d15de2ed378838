/* modes.c - which relations lie within a loop?
 *
 * A relation is frozen while the model is evaluated, and compared with its
 * present value afterwards. Where that value depends on the frozen one, over
 * equations and discrete variables, the two must be made to agree: relation and
 * equations form a mixed block (a clutch that sticks, a diode in a bridge). The
 * tape says who depends on whom: its slots are the nodes of a graph, with an
 * edge from each slot to those computed from it and one from the present value
 * of a relation to the frozen one. A relation whose both slots lie in one
 * strongly connected component is within a loop; the components are the groups.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "graph/scc.h"
#include "lower/lower_internal.h"
#include "num/table.h"

typedef struct Edge {
    int from, to;
} Edge;

typedef struct Graph {
    Arena *work;
    const Tape *t;
    int n; /* slots, then a node for each linear system */
    Vec(Edge) edge;
} Graph;

static void connect(Graph *g, int from, int to)
{
    if (from != NONE && to != NONE)
        vec_push(g->work, &g->edge, ((Edge){from, to}));
}

/* Whatever goes into a linear system decides on all of its solution. */
static void see_system(Graph *g, int number)
{
    const TapeSystem *s = &g->t->system.at[number];
    int node = g->t->nslot + number;
    for (int k = 0; k < s->nnz; k++)
        connect(g, s->entry[k], node);
    for (int i = 0; i < s->n; i++) {
        connect(g, s->rhs[i], node);
        connect(g, node, s->rhs[i]);
    }
    for (int i = 0; s->kind != TS_PIVOT && i < s->table->nvector; i++)
        connect(g, node, s->vector + i);
}

static void see_block(Graph *g, const TapeBlock *b)
{
    for (int i = 0; i < b->n; i++) {
        connect(g, b->delta[i], b->x[i]);
        connect(g, b->residual[i], b->x[i]);
    }
}

static void see_segment(Graph *g, const TapeSegment *s)
{
    const Tape *t = g->t;
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        int slot[3], first, n = tape_list(t, in, &first);
        if (in->op == TAPE_BLOCK)
            see_block(g, &t->block.at[in->a]);
        if (in->op == TAPE_FACTOR || in->op == TAPE_SOLVE)
            see_system(g, in->a);
        if (tape_writes(in) == NONE)
            continue;
        for (int k = 0; k < n; k++)
            connect(g, first + k, in->dst);
        for (int k = tape_reads(in, slot) - 1; k >= 0; k--)
            connect(g, slot[k], in->dst);
    }
}

static int *find_components(const Graph *g)
{
    int *start = NEW_ARRAY(g->work, int, g->n + 2);
    int *to = NEW_ARRAY(g->work, int, g->edge.n + 1);
    int *component = NEW_ARRAY(g->work, int, g->n + 1);
    for (int k = 0; k < g->edge.n; k++)
        start[g->edge.at[k].from + 2]++;
    for (int i = 1; i <= g->n + 1; i++)
        start[i] += start[i - 1];
    for (int k = 0; k < g->edge.n; k++)
        to[start[g->edge.at[k].from + 1]++] = g->edge.at[k].to;
    scc_find(g->n, start, to, component);
    return component;
}

/* Components with a block that may have many solutions; size g->n. */
static bool *find_open(const Graph *g, const TapeSegment *run,
                       const int *component)
{
    bool *open = NEW_ARRAY(g->work, bool, g->n + 1);
    for (int i = run->first; i < run->first + run->count; i++) {
        const TapeInstr *in = &g->t->code.at[i];
        if (in->op != TAPE_BLOCK || !g->t->block.at[in->a].is_open)
            continue;
        const TapeBlock *b = &g->t->block.at[in->a];
        for (int k = 0; k < b->n; k++)
            open[component[b->x[k]]] = true;
    }
    return open;
}

static int by_group(const void *a, const void *b)
{
    const LoweredMode *x = a, *y = b;
    if (x->group != y->group)
        return (x->group > y->group) - (x->group < y->group);
    return (x->relation > y->relation) - (x->relation < y->relation);
}

static bool is_comparison(ExprOp op)
{
    return op == EX_LT || op == EX_LE || op == EX_GT || op == EX_GE;
}

/* The relations within loops of the system that `run` evaluates, group by
 * group. `keeps`: it is evaluated in every step. */
static LoweredMode *find_modes(Low *l, const TapeSegment *run, bool keeps,
                               int *n)
{
    const Inlined *d = l->d;
    const Lowered *low = l->out;
    Graph g = {.work = arena_new(), .t = l->tape};
    g.n = l->tape->nslot + l->tape->system.n;
    see_segment(&g, run);
    see_segment(&g, &low->relations);
    for (int i = 0; i < d->nrelation; i++)
        connect(&g, low->relation_now[i], low->slot[d->relation[i].var]);
    const int *component = find_components(&g);
    const bool *open = find_open(&g, run, component);
    LoweredMode *mode = NEW_ARRAY(l->arena, LoweredMode, d->nrelation + 1);
    *n = 0;
    for (int i = 0; i < d->nrelation; i++) {
        ExprOp op = expr_op(l->dag, d->relation[i].now);
        int now = component[low->relation_now[i]];
        int frozen = low->slot[d->relation[i].var];
        if (frozen == NONE || component[frozen] != now || !is_comparison(op))
            continue;
        mode[(*n)++] = (LoweredMode){
            .relation = i,
            .group = now,
            .lhs = NONE,
            .rhs = NONE,
            .even = op == EX_LE || op == EX_GE ? 1 : 0,
            .stays = keeps && open[now] ? tape_slot(l->tape, TR_CARRY, NULL, 0)
                                        : NONE};
    }
    qsort(mode, (size_t)*n, sizeof *mode, by_group);
    int group = 0;
    for (int k = 0, last = NONE; k < *n; k++) { /* numbers from 0 on */
        group += k > 0 && mode[k].group != last;
        last = mode[k].group;
        mode[k].group = group;
    }
    arena_free(g.work);
    return mode;
}

static void lower_gaps(Low *l, LoweredMode *mode, int n, LoweredMode *had,
                       int nhad)
{
    for (int k = 0; k < n; k++) {
        LoweredMode *m = &mode[k], *same = NULL;
        for (int i = 0; i < nhad && !same; i++)
            same = had[i].relation == m->relation ? &had[i] : NULL;
        if (same) {
            m->lhs = same->lhs;
            m->rhs = same->rhs;
            continue;
        }
        const InlinedRelation *r = &l->d->relation[m->relation];
        lower_from(l, TO_RELATION, m->relation, r->var, NO_SPAN);
        m->lhs = lower_value_slot(l, NULL, expr_arg(l->dag, r->now, 0));
        m->rhs = lower_value_slot(l, NULL, expr_arg(l->dag, r->now, 1));
    }
}

void lower_modes(Low *l)
{
    const Inlined *d = l->d;
    Lowered *out = l->out;
    if (d->nrelation > 0 && d->event != NONE)
        out->mode =
            find_modes(l, &out->system[d->event].run, true, &out->nmode);
    if (d->nrelation > 0 && d->init != NONE)
        out->init_mode =
            find_modes(l, &out->system[d->init].run, false, &out->ninit_mode);
    if (out->nmode + out->ninit_mode == 0)
        return;
    lower_begin(l, "gaps");
    lower_gaps(l, out->mode, out->nmode, NULL, 0);
    lower_gaps(l, out->init_mode, out->ninit_mode, out->mode, out->nmode);
    out->gaps = lower_end(l);
}
