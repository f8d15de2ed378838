/* galec_internal.h - what the files of galec.h share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_GALEC_INTERNAL_H
#define TAKT_TARGET_GALEC_INTERNAL_H

#include <stdio.h>

#include "base/vec.h"
#include "target/galec.h"

typedef struct GalecWork {
    const TargetInput *in;
    const Fused *f;
    const Tape *t;
    const double *value; /* of each slot at the start */
    Arena *arena;
    Vec(GalecVar) var;
    const char **ref;   /* of each slot: how the present method reads it */
    const char **state; /* of each slot: self.NAME that lives on, or NULL */
    bool *written;      /* of each slot: by a step */
    bool *mine;         /* of each slot: by the present method */
    FILE *out;
    int depth;         /* of indentation */
    int nloop;         /* names of iterators */
    const char **name; /* of each slot, each once; NULL: none */
} GalecWork;

/* A Real of GALEC, in parentheses if it is negative. */
const char *galec_number(GalecWork *w, double x);

/* ---- galec_body.c ---- */

/* What of the segment cannot be written; NULL: nothing. */
const char *galec_refuses(const GalecWork *w, const TapeSegment *s);
/* Marks the slots that the segment writes. */
void galec_writes(const GalecWork *w, const TapeSegment *s, bool *written);
/* Its statements. What is not finite goes into `finite`, what failed into
 * `lost`, if the method is watched. */
void galec_body(GalecWork *w, const TapeSegment *s, bool is_watched);
void galec_line(GalecWork *w, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* ---- galec_factor.c ---- */

/* The slots that FACTOR or SOLVE writes: `n` of them from `first` on. */
int galec_factor_writes(const TapeSystem *s, bool solves, int *first);
/* The loops of takt_rt_factor.h, unrolled. */
void galec_factor(GalecWork *w, const TapeSystem *s);
void galec_solve(GalecWork *w, const TapeSystem *s);

#endif
