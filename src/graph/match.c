/* match.c - maximum matching by Hopcroft and Karp.
 *
 * A phase has two steps. Breadth first from all free equations, level[i] is
 * the number of moves after which equation i would have to give up its
 * unknown. Then depth first, along edges that climb one level, disjoint paths
 * to free unknowns are collected and turned over:
 *
 *     free eqn ── var ══ eqn ── var ══ eqn ── free var       (══ matched)
 *     level 0            level 1       level 2
 *
 * Paths of one phase have the same length, those of the next are longer, which
 * bounds the number of phases by O(sqrt(n)). In practice there are 5 to 20.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/match.h"

#include <assert.h>

Match *match_new(const Incidence *inc, Arena *out)
{
    Match *m = NEW(out, Match);
    m->var_of = NEW_ARRAY(out, int, inc->neqn);
    m->eqn_of = NEW_ARRAY(out, int, inc->nvar);
    for (int i = 0; i < inc->neqn; i++)
        m->var_of[i] = NONE;
    for (int j = 0; j < inc->nvar; j++)
        m->eqn_of[j] = NONE;
    return m;
}

static void pair(Match *m, int eqn, int var)
{
    m->var_of[eqn] = var;
    m->eqn_of[var] = eqn;
    m->size++;
}

/* The start: who has a single free neighbour must get it. Equations and
 * unknowns of degree one wait in `queue`; unknown j is number neqn + j. */
typedef struct Greedy {
    const Incidence *inc;
    const unsigned char *allowed; /* size nedge, NULL: all */
    const Transpose *t;
    Match *m;
    int *degree; /* size neqn+nvar: free neighbours */
    int *queue;  /* size neqn+nvar: each enters at most once */
    int head, tail;
} Greedy;

static bool is_open(const Greedy *g, int edge)
{
    return !g->allowed || g->allowed[edge];
}

static void drop_degree(Greedy *g, int node)
{
    if (--g->degree[node] == 1)
        g->queue[g->tail++] = node;
}

static void greedy_pair(Greedy *g, int eqn, int var)
{
    pair(g->m, eqn, var);
    for (int k = g->inc->start[eqn]; k < g->inc->start[eqn + 1]; k++)
        if (is_open(g, k))
            drop_degree(g, g->inc->neqn + g->inc->var[k]);
    for (int q = g->t->start[var]; q < g->t->start[var + 1]; q++)
        if (is_open(g, g->t->edge[q]))
            drop_degree(g, g->t->eqn[q]);
}

/* The free unknown of `eqn` that fewest other free equations want, or NONE. */
static int rarest_var(const Greedy *g, int eqn)
{
    int best = NONE, n = g->inc->neqn;
    for (int k = g->inc->start[eqn]; k < g->inc->start[eqn + 1]; k++) {
        int j = g->inc->var[k];
        if (is_open(g, k) && g->m->eqn_of[j] == NONE &&
            (best == NONE || g->degree[n + j] < g->degree[n + best]))
            best = j;
    }
    return best;
}

static int free_eqn(const Greedy *g, int var)
{
    for (int q = g->t->start[var]; q < g->t->start[var + 1]; q++)
        if (is_open(g, g->t->edge[q]) && g->m->var_of[g->t->eqn[q]] == NONE)
            return g->t->eqn[q];
    return NONE;
}

static void pair_forced(Greedy *g)
{
    while (g->head < g->tail) {
        int eqn = g->queue[g->head++], var = eqn - g->inc->neqn;
        if (var < 0) {
            var = g->m->var_of[eqn] == NONE ? rarest_var(g, eqn) : NONE;
        } else {
            eqn = g->m->eqn_of[var] == NONE ? free_eqn(g, var) : NONE;
        }
        if (eqn != NONE && var != NONE)
            greedy_pair(g, eqn, var);
    }
}

static void count_degrees(Greedy *g)
{
    for (int i = 0; i < g->inc->neqn; i++)
        for (int k = g->inc->start[i]; k < g->inc->start[i + 1]; k++)
            if (is_open(g, k)) {
                g->degree[i]++;
                g->degree[g->inc->neqn + g->inc->var[k]]++;
            }
}

/* Fills the empty matching m. */
static void match_greedily(const Incidence *inc, const unsigned char *allowed,
                           Match *m)
{
    Arena *local = arena_new();
    int n = inc->neqn + inc->nvar;
    Greedy g = {.inc = inc, .allowed = allowed, .m = m};
    g.t = incidence_transpose(inc, local);
    g.degree = NEW_ARRAY(local, int, n);
    g.queue = NEW_ARRAY(local, int, n);
    count_degrees(&g);
    for (int node = 0; node < n; node++)
        if (g.degree[node] == 1)
            g.queue[g.tail++] = node;

    pair_forced(&g);
    for (int i = 0; i < inc->neqn; i++) {
        int j = m->var_of[i] == NONE ? rarest_var(&g, i) : NONE;
        if (j == NONE)
            continue;
        greedy_pair(&g, i, j);
        pair_forced(&g);
    }
    arena_free(local);
}

typedef struct Search {
    const Incidence *inc;
    const unsigned char *allowed; /* size nedge, NULL: all */
    Match *m;
    int *level; /* size neqn, NONE: not reached */
    int *next;  /* size neqn: the next edge to try in this phase */
    int *stack; /* size neqn: equations, of the queue or of the path */
} Search;

static bool is_allowed(const Search *s, int edge)
{
    return !s->allowed || s->allowed[edge];
}

/* Sets the levels, up to the first with a free unknown. False if none is
 * found: the matching is maximum. */
static bool find_levels(Search *s)
{
    int head = 0, tail = 0, last = NONE;
    for (int i = 0; i < s->inc->neqn; i++) {
        s->level[i] = NONE;
        s->next[i] = s->inc->start[i];
        if (s->m->var_of[i] == NONE) {
            s->level[i] = 0;
            s->stack[tail++] = i;
        }
    }
    while (head < tail) {
        int i = s->stack[head++];
        if (last != NONE && s->level[i] >= last)
            break;
        for (int k = s->inc->start[i]; k < s->inc->start[i + 1]; k++) {
            if (!is_allowed(s, k))
                continue;
            int other = s->m->eqn_of[s->inc->var[k]];
            if (other == NONE) {
                last = s->level[i] + 1;
            } else if (s->level[other] == NONE) {
                s->level[other] = s->level[i] + 1;
                s->stack[tail++] = other;
            }
        }
    }
    return last != NONE;
}

/* Turns over the path on the stack, whose last equation takes `var`. */
static void turn_over(Search *s, int depth, int var)
{
    for (; depth >= 0; depth--) {
        int i = s->stack[depth], old = s->m->var_of[i];
        s->m->var_of[i] = var;
        s->m->eqn_of[var] = i;
        var = old;
    }
    s->m->size++;
}

/* Looks for a path from the free equation `root` to a free unknown. */
static bool augment(Search *s, int root)
{
    int depth = 0;
    s->stack[0] = root;
    while (depth >= 0) {
        int i = s->stack[depth];
        if (s->next[i] == s->inc->start[i + 1]) {
            depth--; /* every unknown of i was tried */
            continue;
        }
        int k = s->next[i]++;
        if (!is_allowed(s, k))
            continue;
        int j = s->inc->var[k], other = s->m->eqn_of[j];
        if (other == NONE) {
            turn_over(s, depth, j);
            return true;
        }
        if (s->level[other] == s->level[i] + 1)
            s->stack[++depth] = other;
    }
    return false;
}

bool match_grow(const Incidence *inc, const unsigned char *allowed, Match *m)
{
    int before = m->size;
    if (before == 0)
        match_greedily(inc, allowed, m);
    if (m->size == inc->neqn || m->size == inc->nvar)
        return m->size > before;
    Arena *local = arena_new();
    Search s = {inc,
                allowed,
                m,
                NEW_ARRAY(local, int, inc->neqn),
                NEW_ARRAY(local, int, inc->neqn),
                NEW_ARRAY(local, int, inc->neqn)};
    while (find_levels(&s))
        for (int i = 0; i < inc->neqn; i++)
            if (m->var_of[i] == NONE)
                augment(&s, i);
    arena_free(local);
    return m->size > before;
}

Match *match_maximum(const Incidence *inc, Arena *out)
{
    Match *m = match_new(inc, out);
    match_grow(inc, NULL, m);
    return m;
}

void match_check(const Incidence *inc, const Match *m)
{
    int size = 0;
    for (int i = 0; i < inc->neqn; i++) {
        int j = m->var_of[i];
        if (j == NONE)
            continue;
        assert(m->eqn_of[j] == i);
        assert(incidence_find(inc, i, j) != NONE);
        size++;
    }
    for (int j = 0; j < inc->nvar; j++)
        assert(m->eqn_of[j] == NONE || m->var_of[m->eqn_of[j]] == j);
    assert(size == m->size);
}
