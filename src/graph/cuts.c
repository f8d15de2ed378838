/* cuts.c - peeling, and the blocks that are left without some edges. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/cuts.h"

#include "graph/dominators.h"

typedef struct Peeling {
    const Incidence *inc;
    const Transpose *t;
    int *open;   /* size neqn: edges to unknowns that are not defined */
    bool *known; /* size nvar */
    bool *used;  /* size neqn */
    int *eqn, *var, *round;
    int n;
} Peeling;

static int open_var(const Peeling *p, int i)
{
    for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++)
        if (!p->known[p->inc->var[k]])
            return p->inc->var[k];
    return NONE;
}

/* One round: the equations ready[0..n) define their unknowns; those that are
 * ready in the next round are put into `next`. Returns their number. */
static int peel_round(Peeling *p, int round, const int *ready, int n, int *next)
{
    int first = p->n, nnext = 0;
    for (int q = 0; q < n; q++) {
        int j = open_var(p, ready[q]);
        if (j == NONE)
            continue; /* another equation of this round defines it too */
        p->known[j] = p->used[ready[q]] = true;
        p->eqn[p->n] = ready[q];
        p->var[p->n] = j;
        p->round[p->n++] = round;
    }
    for (int k = first; k < p->n; k++)
        for (int q = p->t->start[p->var[k]]; q < p->t->start[p->var[k] + 1];
             q++)
            if (--p->open[p->t->eqn[q]] == 1)
                next[nnext++] = p->t->eqn[q];
    return nnext;
}

static Peeling begin(const Incidence *inc, Arena *out, Arena *local)
{
    Peeling p = {.inc = inc, .t = incidence_transpose(inc, local)};
    p.open = NEW_ARRAY(local, int, inc->neqn);
    p.known = NEW_ARRAY(local, bool, inc->nvar);
    p.used = NEW_ARRAY(local, bool, inc->neqn);
    p.eqn = NEW_ARRAY(out, int, inc->neqn);
    p.var = NEW_ARRAY(out, int, inc->neqn);
    p.round = NEW_ARRAY(out, int, inc->neqn);
    return p;
}

const Peel *cuts_peel(const Incidence *inc, Arena *out)
{
    Arena *local = arena_new();
    Peeling p = begin(inc, out, local);
    int *ready = NEW_ARRAY(local, int, inc->neqn);
    int *next = NEW_ARRAY(local, int, inc->neqn);
    int n = 0, round = 0;
    for (int i = 0; i < inc->neqn; i++) {
        p.open[i] = inc->start[i + 1] - inc->start[i];
        if (p.open[i] == 1)
            ready[n++] = i;
    }
    for (; n > 0; round++) {
        n = peel_round(&p, round, ready, n, next);
        int *keep = ready;
        ready = next;
        next = keep;
    }

    Peel *peel = NEW(out, Peel);
    int *left = NEW_ARRAY(out, int, inc->neqn - p.n);
    for (int i = 0; i < inc->neqn; i++) {
        if (!p.used[i] && p.open[i] > 0)
            left[peel->nleft++] = i;
        peel->nspare += !p.used[i] && p.open[i] == 0;
    }
    peel->n = p.n;
    peel->nround = p.n > 0 ? p.round[p.n - 1] + 1 : 0;
    peel->eqn = p.eqn;
    peel->var = p.var;
    peel->round = p.round;
    peel->left = left;
    arena_free(local);
    return peel;
}

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
