/* search_internal.h - what the files of the search share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_SEARCH_INTERNAL_H
#define TAKT_TUNE_SEARCH_INTERNAL_H

#include "tune/search.h"

/* A sample whose criterion is known: what the dropped entries do together. */
typedef struct Rated {
    const Criterion *criterion;
    double *room; /* size ncluster: r times the number of eigenvalues */
    double *sum;  /* size ncluster: predicted change of Search.keep */
} Rated;

typedef struct Search {
    const PencilSet *p;
    const ChoiceOptions *o;
    const SearchOptions *options;
    const TuneProgress *progress;
    Arena *arena;
    int nsample;
    ChoiceSample *sample; /* those used, the last to fail first */
    int nrated;
    Rated *rated;
    bool *has_mass; /* size nnz: L is not 0 there */
    bool *fixed;    /* size nnz: may not be dropped */
    double *weight; /* size nnz */
    const double *frozen;
    bool *keep; /* the best so far */
    double cost;
    int count; /* places kept */
    int tests, budget;
    double effort, most_effort; /* in tests of one sample */
} Search;

/* A set of entries that go together. */
typedef struct Move {
    int n;
    const int *place;
    double rank; /* predicted worst quotient of (5.1) without them */
} Move;

typedef struct Moves {
    int n, room;
    Move *move;
} Moves;

typedef void MoveMaker(const Search *s, Moves *m, Arena *arena);
MoveMaker search_split_moves, search_line_moves, search_single_moves;
void search_add_move(Moves *m, const int *place, int n, const Search *s,
                     Arena *arena);

static inline bool search_can_drop(const Search *s, int e)
{
    return s->keep[e] && !s->fixed[e];
}

/* Does `keep` stay near enough, and pass in all samples? The samples count
 * against the budget. */
bool search_is_over(const Search *s);
bool search_passes(Search *s, const bool *keep);
/* Takes `keep` over if it is cheaper and passes. */
bool search_take_if_better(Search *s, const bool *keep);
/* Recomputes Rated.sum for Search.keep. */
void search_predict(Search *s);
/* Other patterns to start from: see search_start.c. */
void search_try_starts(Search *s);

#endif
