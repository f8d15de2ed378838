/* trail_internal.h - what is kept of a run, and of what. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TRAIL_INTERNAL_H
#define TAKT_TRAIL_INTERNAL_H

#include "trail/trail.h"

struct Trail {
    int n;
    double rtol;
    const int *slot;
    const char **name;
    const int *group;     /* first one of the same kind */
    const bool *follows;  /* from others, by an equation without der() */
    const bool *computed; /* or at events, a Real */
    const double *nominal;
    const double *resolved; /* absolute tolerance: less is nothing */
    const int *slope;       /* slots; NONE */
    double *rate;           /* x'/x at the last row; 0: it is resolved there */
    double *grown;          /* the integral of it where it is not */
    double *least;          /* nonzero size so far */
    bool *sinks;            /* it would grow again, unseen */
    int nth;                /* row is kept */
    Vec(double) value;      /* n per row */
    Vec(double) time;
    Arena *arena;
};

#endif
