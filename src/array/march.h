/* march.h - integration of a system of any index on its derivative array.
 *
 *   in    Array, ArrayIndex
 *   out   z along the solution: x, x' and higher derivatives
 *
 *   completion  x' = h(x, t), the least-squares completion (5) to (7), by the
 *               Runge-Kutta formulas 5(4) of Dormand and Prince with error
 *               control, or by Adams formulas. It drifts off the constraints;
 *               how far is told. New factors are another completion; what x'
 *               differs by there is part of the error of the steps that have
 *               slopes of both.
 *   partition   (8) to (13): x2' = f2(x2, t), x1 = h(x2, t), by Adams formulas.
 *               Every point lies on the solution manifold. A partition is left
 *               when its condition falls to a third; the new one comes from QR
 *               of the array Jacobian (68). Derivatives of all x are known, so
 *               the formulas go on over the change.
 *
 * Adams formulas have order 1 to 5 and variable steps, and are predicted and
 * corrected once. Where steps fail one after the other they begin again with
 * order 1: at kinks the past tells nothing.
 *
 * Campbell and Zhong 1994, sections 3 to 5. Factors are used again while they
 * contract (14).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_MARCH_H
#define TAKT_ARRAY_MARCH_H

#include "array/index.h"

typedef enum MarchKind { MARCH_COMPLETION, MARCH_PARTITION } MarchKind;

typedef struct MarchOptions {
    MarchKind kind;
    double rtol, atol; /* atol: times the nominal value; 0: 1e-3 rtol */
    bool adams;        /* completion by these formulas */
    bool no_reuse;     /* new factors in every iteration */
    long most_steps;   /* 0: as many as it needs */
    int order;         /* of Adams at most, 1 to 5; 0: 5 */
    bool whole;        /* partition: all rows of F_nu (reduced.h) */
    bool mixes;        /* completion: what a change of it costs is not looked
                          at */
} MarchOptions;

typedef struct MarchStats {
    long steps, rejected, partitions, restarts;
    long residuals, factors;
    double drift; /* largest residual of F_k over the terms of its row, with the
                     x' and w that leave least; at every tenth step */
    double drift_time;
    double defect;    /* the same with the x' and w of the run */
    long changes;     /* of the completion within a step or before it */
    double jump;      /* largest change of x' by one, times the step, over what
                         the step may be off */
    int rows;         /* of the array that are solved; */
    int all_rows;     /* of F_nu */
    long flops;       /* of a factorisation, the last one */
    double condition; /* smallest over largest pivot of the partition, worst */
} MarchStats;

typedef struct March March;

/* From the consistent point of `x` on. Lives in `arena`. NULL: there is no
 * uniform index. */
March *march_new(Array *a, const ArrayIndex *x, const MarchOptions *options,
                 Arena *arena);
/* Goes on to time t exactly. Returns false where it cannot: the step became
 * nothing at *stuck (march_time()), since x' is not determined there. */
bool march_to(March *m, double t);
/* One step towards `end`, not beyond it; false as above. */
bool march_step(March *m, double end);
/* The point at a time within the last step: z of (nu + 2) n numbers. Where the
 * step cannot be made anew to there, its end. */
void march_look_back(March *m, double t, double *z);
/* Goes on from another point: after an event. False: x' is not determined. */
bool march_restart(March *m, double t, const double *z);
double march_time(const March *m);
/* x, x', ... at that time: (nu + 2) n numbers. */
const double *march_point(const March *m);
const MarchStats *march_stats(const March *m);
/* The row of f that is left over most where march_to() gave up. */
int march_worst_row(const March *m);
/* Is derivative q of x_j determined by what is solved? */
bool march_knows(const March *m, int j, int q);
/* Is x_j a coordinate of the partition now? */
bool march_is_coordinate(const March *m, int j);

#endif
