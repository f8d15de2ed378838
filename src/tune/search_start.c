/* search_start.c - patterns of rules that know about cost.
 *
 * Schiela (2002, 5.3) keeps entries whose criterion is large. Here the
 * criterion is divided by a power of what an elimination would save without the
 * entry, by Markowitz' count (entries of its row less one) * (of its column
 * less one): of two entries that matter alike the one that makes more fill goes
 * first. How many go is found by a bisection, as if what passes were monotone;
 * the result is tested, so nothing depends on that.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "tune/search_internal.h"
#include "tune/tune_internal.h"

typedef struct Candidate {
    int place;
    double key;
} Candidate;

static int smaller_first(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->place - y->place;
}

/* Entries that may go, those that weigh least for what they cost first. */
static int candidates(const Search *s, double power, Candidate *list,
                      Arena *arena)
{
    const PencilSet *p = s->p;
    int *in_row = NEW_ARRAY(arena, int, p->n + 1);
    int count = 0;
    for (int e = 0; e < p->nnz; e++)
        in_row[p->row[e]]++;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            if (s->fixed[e])
                continue;
            double saved = (double)(in_row[p->row[e]] - 1) *
                           (p->start[j + 1] - p->start[j] - 1);
            list[count++] =
                (Candidate){e, s->weight[e] / pow(1 + saved, power)};
        }
    qsort(list, (size_t)count, sizeof *list, smaller_first);
    return count;
}

/* Drops as many of the list as pass; takes the pattern if it is cheaper. */
static void try_rule(Search *s, double power)
{
    Arena *local = arena_new();
    int nnz = s->p->nnz;
    Candidate *list = NEW_ARRAY(local, Candidate, nnz + 1);
    bool *keep = NEW_ARRAY(local, bool, nnz + 1);
    bool *best = NEW_ARRAY(local, bool, nnz + 1);
    int high = candidates(s, power, list, local), low = 0;
    while (low < high && !search_is_over(s)) {
        int mid = low + (high - low + 1) / 2;
        memset(keep, 1, (size_t)nnz);
        for (int i = 0; i < mid; i++)
            keep[list[i].place] = false;
        if (search_passes(s, keep)) {
            low = mid;
            memcpy(best, keep, (size_t)nnz);
        } else {
            high = mid - 1;
        }
    }
    if (low > 0)
        search_take_if_better(s, best);
    arena_free(local);
}

void search_try_starts(Search *s)
{
    static const double powers[] = {0, 0.5, 1};
    for (int i = 0; i < 3; i++)
        try_rule(s, powers[i]);
}
