/* assign.c - bottleneck assignment by binary search over the costs. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/assign.h"

#include <math.h>
#include <stdlib.h>

#include "graph/match.h"

enum { MOST_ROUNDS = 20 };

/* Everybody may have everybody; edge e of i and j is i * n + j. */
static const Incidence *complete(int n, Arena *arena)
{
    Incidence *inc = NEW(arena, Incidence);
    int nedge = n * n;
    int *start = NEW_ARRAY(arena, int, n + 1);
    int *var = NEW_ARRAY(arena, int, nedge + 1);
    for (int i = 0; i <= n; i++)
        start[i] = i * n;
    for (int e = 0; e < nedge; e++)
        var[e] = e % n;
    *inc = (Incidence){.neqn = n,
                       .nvar = n,
                       .nedge = nedge,
                       .start = start,
                       .var = var,
                       .cls = NEW_ARRAY(arena, unsigned char, nedge + 1),
                       .weight = NEW_ARRAY(arena, int, nedge + 1)};
    return inc;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* No assignment is cheaper than this: everybody needs a partner. */
static double lower_bound(int n, const double *cost)
{
    double bound = 0;
    for (int i = 0; i < n; i++) {
        double row = INFINITY, col = INFINITY;
        for (int j = 0; j < n; j++) {
            row = fmin(row, cost[i + (size_t)j * (size_t)n]);
            col = fmin(col, cost[j + (size_t)i * (size_t)n]);
        }
        bound = fmax(bound, fmax(row, col));
    }
    return bound;
}

/* A matching with costs up to `bound`; true if everybody has a partner. */
static bool match_within(const Incidence *inc, const double *cost, double bound,
                         unsigned char *allowed, int *pair)
{
    int n = inc->neqn;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            allowed[i * n + j] = cost[i + (size_t)j * (size_t)n] <= bound;
    Arena *local = arena_new();
    Match *m = match_new(inc, local);
    match_grow(inc, allowed, m);
    bool is_complete = m->size == n;
    if (is_complete)
        memcpy(pair, m->var_of, (size_t)n * sizeof *pair);
    arena_free(local);
    return is_complete;
}

/* Exchanges partners while the sum gets smaller and no pair dearer than
 * `worst`. */
static void exchange(int n, const double *cost, double worst, int *pair)
{
    bool is_better = true;
    for (int round = 0; round < MOST_ROUNDS && is_better; round++) {
        is_better = false;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                double ij = cost[i + (size_t)pair[j] * (size_t)n];
                double ji = cost[j + (size_t)pair[i] * (size_t)n];
                double now = cost[i + (size_t)pair[i] * (size_t)n] +
                             cost[j + (size_t)pair[j] * (size_t)n];
                if (ij + ji >= now || ij > worst || ji > worst)
                    continue;
                int old = pair[i];
                pair[i] = pair[j];
                pair[j] = old;
                is_better = true;
            }
    }
}

double assign_bottleneck(int n, const double *cost, int *pair)
{
    if (n == 0)
        return 0;
    Arena *local = arena_new();
    const Incidence *inc = complete(n, local);
    unsigned char *allowed = NEW_ARRAY(local, unsigned char, n *n);
    double *bound = NEW_ARRAY(local, double, n *n + 1);
    double least = lower_bound(n, cost);
    int count = 0;
    for (int e = 0; e < n * n; e++)
        if (cost[e] > least)
            bound[count++] = cost[e];
    bound[count++] = least;
    qsort(bound, (size_t)count, sizeof *bound, ascending);
    int low = 0, high = count - 1; /* the answer lies in low .. high */
    if (match_within(inc, cost, least, allowed, pair))
        high = 0;
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (match_within(inc, cost, bound[mid], allowed, pair))
            high = mid;
        else
            low = mid + 1;
    }
    match_within(inc, cost, bound[high], allowed, pair);
    double worst = 0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, cost[i + (size_t)pair[i] * (size_t)n]);
    exchange(n, cost, worst, pair);
    arena_free(local);
    return worst;
}
