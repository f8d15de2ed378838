/* search.h - fewer instructions rather than fewer entries.
 *
 *   in    PencilSet, Choice   by Schiela's rule
 *   out   Choice              never dearer, the same tests passed
 *
 * Fewer entries need not mean less work (Schiela 6.3): what counts is fill and
 * how the matrix falls apart. Rules of choice that weigh an entry's criterion
 * against the work it makes are tried beside the given choice; from the
 * cheapest, moves are tried while they lower the cost and pass the tests of all
 * samples: drop an entry, drop all entries of a row or column but the diagonal,
 * drop those that tie two parts together (so that the matrix becomes
 * reducible), add an entry back to make room for such.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_SEARCH_H
#define TAKT_TUNE_SEARCH_H

#include "tune/choice.h"

typedef struct SearchOptions {
    double (*cost)(void *context, const bool *keep); /* NULL: search_flops */
    void *context;
    int tests; /* budget: patterns tested; 0: 400, less if n > 100 */
} SearchOptions;

/* Floating-point operations of a static factorisation and solution of
 * L - tau J (num/static_lu.h), INFINITY if no fixed order of pivots serves. */
double search_flops(const PencilSet *p, double tau, const bool *keep);

/* Lives in `arena`. *before and *after (may be NULL) get the costs. */
Choice search_improve(const PencilSet *p, const ChoiceOptions *o,
                      const Choice *start, const SearchOptions *search,
                      const TuneProgress *progress, double *before,
                      double *after, Arena *arena);

#endif
