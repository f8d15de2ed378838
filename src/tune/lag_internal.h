/* lag_internal.h - what lag.c and lag_find.c share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_LAG_INTERNAL_H
#define TAKT_TUNE_LAG_INTERNAL_H

#include "tune/lag.h"

/* A matrix of n rows whose only columns are column[0 .. nc-1]. */
typedef struct LagColumns {
    int n, nc;
    int *column;   /* size nc, ascending */
    double *value; /* n * nc */
} LagColumns;

/* What all cuts of a block share in a sample. */
typedef struct LagPoint {
    int same;   /* the first sample with these numbers, itself if new */
    double *lu; /* of A */
    int *pivot;
    LagColumns w;   /* A^-1 C, without old values: nothing */
    double own;     /* radius of R0 */
    double allowed; /* what a step may grow by */
} LagPoint;

typedef struct LagBase {
    LagPoint *point;   /* size nsample */
    double own_radius; /* largest; NaN without old values */
    bool regular;      /* false: A is singular in a sample */
} LagBase;

LagBase *lag_base_new(const LagBlock *b, Arena *arena);
/* As lag_judge(); without `steps`, what is between steps is left out. */
bool lag_judge_with(const LagBlock *b, const LagBase *base, const int *edge,
                    int nedge, const LagOptions *o, bool steps, LagCut *cut,
                    Arena *arena);
/* The equation of an edge. */
int lag_eqn_of(const LagBlock *b, int edge);
/* An estimate: factors of dense blocks, k solutions; INFINITY for k NONE. */
double lag_work(const LagBlock *b, const int *size, int nblock, int k);

#endif
