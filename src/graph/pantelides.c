/* pantelides.c - the algorithm of Pantelides on orders of derivatives.
 *
 * The original keeps a variable for each derivative and drops those that have
 * one themselves. What is left is said by two numbers: d_j, the highest order
 * of unknown j so far, and c_i, how often equation i was differentiated. The
 * differentiated equation i contains the highest derivative of j if and only if
 * sigma_ij + c_i == d_j. To differentiate the equations asked in a failed
 * search ("coloured") is to add 1 to their c and to the d of the unknowns
 * they reached.
 *
 * Two shortcuts that do not change the result: the search starts from a maximum
 * matching of the undifferentiated system, and a coloured set that stays stuck
 * after one differentiation is differentiated as often as needed at once. That
 * no set is differentiated without need: with c below the smallest solution,
 * a coloured set has one equation more than it has unknowns of highest order,
 * so no equation in it can stay as it is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/pantelides.h"

#include <limits.h>
#include <stdlib.h>

typedef struct Run {
    const Incidence *inc;
    Match *m;
    int *c, *d;
    int *seen_var; /* size nvar: number of the last search that came by */
    int *from;     /* size nvar: equation that asked for it */
    int *queue;    /* size neqn: the coloured equations */
    int ncolour;
    int search;
} Run;

static void turn_over(Run *r, int var)
{
    while (var != NONE) {
        int i = r->from[var], old = r->m->var_of[i];
        r->m->var_of[i] = var;
        r->m->eqn_of[var] = i;
        var = old;
    }
    r->m->size++;
}

/* Breadth first from `root` over highest derivatives; matches it and returns
 * true, or leaves the coloured equations in the queue. */
static bool find_unknown(Run *r, int root)
{
    const Incidence *inc = r->inc;
    r->search++;
    r->ncolour = 1;
    r->queue[0] = root;
    for (int head = 0; head < r->ncolour; head++) {
        int i = r->queue[head];
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            int j = inc->var[k];
            if (r->seen_var[j] == r->search ||
                inc->weight[k] + r->c[i] != r->d[j])
                continue;
            r->seen_var[j] = r->search;
            r->from[j] = i;
            int other = r->m->eqn_of[j];
            if (other == NONE) {
                turn_over(r, j);
                return true;
            }
            r->queue[r->ncolour++] = other;
        }
    }
    return false;
}

/* How many differentiations of the coloured equations until one of them
 * contains a highest derivative that they did not reach; INT_MAX: never. */
static int times_needed(const Run *r)
{
    int least = INT_MAX;
    for (int q = 0; q < r->ncolour; q++) {
        int i = r->queue[q];
        for (int k = r->inc->start[i]; k < r->inc->start[i + 1]; k++) {
            int j = r->inc->var[k];
            int gap = r->d[j] - r->c[i] - r->inc->weight[k];
            if (r->seen_var[j] != r->search && gap < least)
                least = gap;
        }
    }
    return least;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static PantelidesStep differentiate(Run *r, int root, int times, Arena *out)
{
    int *eqn = NEW_ARRAY(out, int, r->ncolour);
    for (int q = 0; q < r->ncolour; q++) {
        int i = eqn[q] = r->queue[q];
        r->c[i] += times;
        if (r->m->var_of[i] != NONE)
            r->d[r->m->var_of[i]] += times;
    }
    qsort(eqn, (size_t)r->ncolour, sizeof *eqn, by_number);
    return (PantelidesStep){root, times, r->ncolour, eqn};
}

static int largest_c(const Run *r)
{
    int most = 0;
    for (int q = 0; q < r->ncolour; q++)
        if (r->c[r->queue[q]] > most)
            most = r->c[r->queue[q]];
    return most;
}

static Run begin(const Incidence *inc, Match *m, Arena *out, Arena *local)
{
    Run r = {.inc = inc, .m = m};
    r.c = NEW_ARRAY(out, int, inc->neqn);
    r.d = NEW_ARRAY(out, int, inc->nvar);
    r.seen_var = NEW_ARRAY(local, int, inc->nvar);
    r.from = NEW_ARRAY(local, int, inc->nvar);
    r.queue = NEW_ARRAY(local, int, inc->neqn);
    for (int k = 0; k < inc->nedge; k++)
        if (inc->weight[k] > r.d[inc->var[k]])
            r.d[inc->var[k]] = inc->weight[k];
    unsigned char *tight = NEW_ARRAY(local, unsigned char, inc->nedge);
    for (int k = 0; k < inc->nedge; k++)
        tight[k] = inc->weight[k] == r.d[inc->var[k]];
    match_grow(inc, tight, m);
    return r;
}

typedef Vec(PantelidesStep) StepList;

/* Repeats search and differentiation until `root` has an unknown. */
static PantelidesStatus determine(Run *r, int root, int limit, StepList *steps,
                                  Arena *out)
{
    while (!find_unknown(r, root)) {
        int times = times_needed(r);
        if (times == INT_MAX)
            return PANTELIDES_SINGULAR;
        if (largest_c(r) > limit - times)
            return PANTELIDES_LIMIT;
        PantelidesStep step = differentiate(r, root, times, out);
        vec_push(out, steps, step);
    }
    return PANTELIDES_DONE;
}

const Pantelides *pantelides_run(const Incidence *sigma, int limit, Arena *out)
{
    Pantelides *p = NEW(out, Pantelides);
    p->root = NONE;
    if (sigma->neqn != sigma->nvar) {
        p->status = PANTELIDES_SINGULAR;
        return p;
    }
    Arena *local = arena_new();
    Run r = begin(sigma, match_new(sigma, out), out, local);
    StepList steps = {0};
    for (int i = 0; i < sigma->neqn && p->status == PANTELIDES_DONE; i++) {
        if (r.m->var_of[i] != NONE)
            continue;
        p->status = determine(&r, i, limit, &steps, out);
        if (p->status != PANTELIDES_DONE)
            p->root = i;
    }
    if (p->status == PANTELIDES_DONE)
        p->offsets = offsets_new(sigma->neqn, r.c, r.d, r.m, out);
    p->nstep = steps.n;
    p->step = steps.at;
    arena_free(local);
    return p;
}
