/* adaptive.h - reference runs: SUNDIALS on the same tape.
 *
 *   in    Sim whose Lowered has a reference (method none)
 *   out   rows on the grid of the options, as a fixed-step run gives them
 *
 * IDA integrates F(t, y, y') = 0 with y the states and all other unknowns, with
 * a symbolic sparse Jacobian factorised by KLU. CVODE integrates the states
 * alone; every evaluation solves the algebraic equations (Hindmarsh et al., ACM
 * TOMS 31(3), 2005). Relations are held while they integrate; where one
 * changes, the event is located, the model is brought to rest as on the grid,
 * and the integrator starts again. Events of time (sample(), time > 1) are met
 * exactly.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ADAPTIVE_OFFLINE_H
#define TAKT_ADAPTIVE_OFFLINE_H

#include "array/index.h"
#include "sim/sim.h"

/* The solvers: word of an option, title, does it run on the derivative array
 * (array/march.h)? */
#define ADAPTIVE_SOLVERS(X)                                                    \
    X(IDA, "ida", "IDA", false)                                                \
    X(CVODE, "cvode", "CVODE", false)                                          \
    X(COMPLETION, "completion", "completion", true)                            \
    X(ADAMS, "completion-adams", "completion by Adams", true)                  \
    X(PARTITION, "partition", "partition", true)

typedef enum AdaptiveSolver {
#define X(name, key, title, array) ADAPTIVE_##name,
    ADAPTIVE_SOLVERS(X)
#undef X
        ADAPTIVE_COUNT
} AdaptiveSolver;

typedef struct AdaptiveRow {
    const char *key, *title;
    bool on_array;
} AdaptiveRow;

extern const AdaptiveRow adaptive_row[ADAPTIVE_COUNT];

typedef struct AdaptiveOptions {
    AdaptiveSolver solver;
    double rtol;
    double atol;     /* 0: 1e-3 * rtol * nominal */
    long most_steps; /* of the whole run; 0: any number */
    bool no_reuse;   /* on the array: new factors in every iteration, */
    bool all_rows;   /* and every equation differentiated as often as any */
} AdaptiveOptions;

typedef struct AdaptiveStats {
    long steps, residuals, jacobians, restarts; /* on the array, restarts are
                                                   partitions */
    int rows, all_rows; /* on the array: that are solved, and of F_nu */
    long changes;       /* of the completion, and the most that one made of */
    double jump;        /* what a step may be off */
    long flops;         /* of its last factorisation, where it is the RQ */
    double drift, drift_time; /* on the array: largest residual of the equations
                                 and their derivatives over their terms, with
                                 the derivatives that leave least, */
    double defect;            /* and with those of the run */
} AdaptiveStats;

/* Runs from options.start to options.stop of `s`. Returns false after a report
 * that says where the integrator gave up, and why. */
bool adaptive_run(Sim *s, const AdaptiveOptions *options, SimRow *row,
                  void *context, AdaptiveStats *stats);

/* The same by the derivative array of the model, made from the Sys before its
 * index was reduced: a solver with `on_array`. */
bool adaptive_array(Sim *s, Array *a, const ArrayIndex *found,
                    const AdaptiveOptions *options, SimRow *row, void *context,
                    AdaptiveStats *stats);

#endif
