/* march_internal.h - what the files of march.h share.
 *
 *   march.c            points, steps, their control
 *   march_partition.c  which coordinates, and when others
 *   march_formulas.c   one step by Runge-Kutta or Adams
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_MARCH_INTERNAL_H
#define TAKT_ARRAY_MARCH_INTERNAL_H

#include <string.h>

#include "array/march.h"

enum { MOST_ORDER = 5 };
enum { JUMPS = 5 }; /* trials after which one is believed */

struct March {
    Array *a;
    const ArrayIndex *x;
    MarchOptions options;
    int k, n, ncol;
    double t, h;
    /* completion */
    long factors;      /* when a step began */
    int fresh;         /* steps to be made without old factors */
    double *jump;      /* n: of x', by the last change */
    int mixed;         /* steps to come that have slopes from before it */
    int caution;       /* steps that grow slowly */
    int trouble;       /* iterations that failed since */
    double trouble_h;  /* the step of the first one */
    bool is_multistep; /* Adams */
    double *z;         /* the point */
    double *trial;
    const ArrayRows *rows; /* of the solver; NULL: all of F_k */
    Complete *solver;
    Complete *judge;     /* with x as it is, of all rows */
    Complete *row_judge; /* the same of those of the solver; NULL */
    double *judged;
    bool *free;      /* columns that a solve finds */
    bool *known;     /* derivatives that it determines */
    bool *is_first;  /* j: x1 */
    bool *old_first; /* the same before */
    double chosen;   /* condition when the partition was chosen: (69) */
    double estimate; /* the same by the estimator */
    long looked;     /* factorisations when it was looked at last */
    bool *moves;     /* j: its derivative occurs in f */
    double *scale;   /* n: absolute tolerance of x */
    /* Adams: past points, the newest first */
    int npast, order;
    double excess; /* the last one, */
    int repeated;  /* so often in a row */
    int shift;     /* past points that are to be left out */
    /* where the last step began */
    double last_t, *last_z;
    int last_order;
    double past_t[MOST_ORDER + 1];
    double *past_v[MOST_ORDER + 1];
    double *past_x[MOST_ORDER + 1];
    double *stage[7];         /* Runge-Kutta */
    double *f, *error;        /* n */
    MarchStats stats, before; /* `before`: of a solver that is not used now */
    int worst_row;
    Arena *arena;
};

static inline void march_copy(double *to, const double *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

/* z moved by its own derivatives: where an iteration starts. */
void march_predict(const March *m, double h, double *to);
/* The part of the array that is known to be determined: z is given in all x
 * (completion) or in x2 (partition). */
bool march_solve(March *m, double t, double *z);

/* ---- march_partition.c: false where nothing serves ---- */
/* The solver of all rows from now on. */
void march_take_all_rows(March *m);
bool march_repartition(March *m);
/* Another partition if it is better than the one in use, whose condition is
 * this. */
bool march_seek_partition(March *m, double estimate);
/* One for where the solution goes in h, if it serves here too. */
bool march_look_ahead(March *m, double h);
/* Another one if this is not as good as it was. */
bool march_watch_partition(March *m);

/* ---- march_formulas.c ---- */
/* A step of length h to `trial`, and its error; false: an iteration failed. */
bool march_try_step(March *m, double h, double *error);
/* The point becomes one of the past. */
void march_remember(March *m);

#endif
