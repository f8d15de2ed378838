/* delay_internal.h - what delay.c and delay_find.c share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_DELAY_INTERNAL_H
#define TAKT_TUNE_DELAY_INTERNAL_H

#include "tune/delay.h"

/* A matrix of n rows whose only columns are column[0 .. nc-1]. */
typedef struct DelayColumns {
    int n, nc;
    int *column;   /* size nc, ascending */
    double *value; /* n * nc */
} DelayColumns;

/* What all cuts of a block share in a sample. */
typedef struct DelayPoint {
    double *lu; /* of A */
    int *pivot;
    DelayColumns w; /* A^-1 C, without old values: nothing */
    double own;     /* radius of R0 */
    double allowed; /* what a step may grow by */
} DelayPoint;

typedef struct DelayBase {
    DelayPoint *point; /* size nsample */
    double own_radius; /* largest; NaN without old values */
    bool regular;      /* false: A is singular in a sample */
} DelayBase;

DelayBase *delay_base_new(const DelayBlock *b, Arena *arena);
/* As delay_judge(); without `steps`, what is between steps is left out. */
bool delay_judge_with(const DelayBlock *b, const DelayBase *base,
                      const int *edge, int nedge, const DelayOptions *o,
                      bool steps, DelayCut *cut, Arena *arena);
/* The equation of an edge. */
int delay_eqn_of(const DelayBlock *b, int edge);
/* An estimate: factors of dense blocks, k solutions; INFINITY for k NONE. */
double delay_work(const DelayBlock *b, const int *size, int nblock, int k);

#endif
