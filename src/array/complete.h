/* complete.h - points on the solution manifold, and x' by least squares.
 *
 * Minimum-norm Gauss-Newton steps on F_k = 0, damped by halving. Which part of
 * z = (x, x', w) may move is the question asked:
 *
 *   consistent values   derivatives and variables without any first; then x
 *                       without fixed start values; then all of x. What was
 *                       moved is told.
 *   completion          (x, t) stay: (5) to (7) of Campbell, Zhong 1994. The
 *                       limit solves the least-squares equation (6), also where
 *                       (x, t) is near the manifold only.
 *   partition           x2 and t stay: (12). J = [G_x' G_w G_x1] has full row
 *                       rank, so the limit is on the manifold.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_COMPLETE_H
#define TAKT_ARRAY_COMPLETE_H

#include "array/array.h"

typedef struct Consistent {
    bool found;
    double residual;  /* largest scaled one at the end */
    int stage;        /* 0: derivatives and variables without
                          any, 1: other x too, 2: fixed x too */
    double moved;     /* largest change of x over max(nominal, |x|), */
    int moved_column; /* of this column; NONE */
    int iterations;
    int worst_row; /* of the largest residual: derivative * n + row */
} Consistent;

/* Makes z (of (k+2) n numbers, a start) a point with F_k(z, t) = 0. */
Consistent array_make_consistent(Array *a, int k, double t, double *z);

/* The same with the columns of x that `holds` says as they are, whatever else
 * has to move. */
Consistent array_make_consistent_at(Array *a, int k, double t, double *z,
                                    const bool *holds);

typedef struct CompleteStats {
    long residuals, jacobians; /* evaluations; factorisations are as many */
    double contraction;        /* the last ratio of two corrections */
} CompleteStats;

typedef struct Complete Complete;
/* For F_k with the columns free[q * n + j], whose Jacobian has this rank (NONE:
 * found in the factors). With `scaled` rows are scaled too: it changes the
 * limit where F_k = 0 has no solution. Lives in `arena`. */
Complete *complete_new(Array *a, int k, const bool *free, int rank, bool scaled,
                       Arena *arena);
/* The same for some of the rows only; columns that none of them has stay as
 * they are. */
Complete *complete_new_rows(Array *a, const ArrayRows *rows, const bool *free,
                            int rank, bool scaled, Arena *arena);
/* Is this column in one of the rows? */
bool complete_finds(const Complete *c, int column);
/* Flops of the last factorisation (rq.h); 0 where it is another one. */
long complete_flops(const Complete *c);
/* Corrections of x and x' below this end an iteration (1e-13). */
void complete_set_tolerance(Complete *c, double tolerance);
/* Rows in other units from now on: by their largest terms at (t, z), if these
 * are further apart than rounding allows. It is another completion then, that
 * of the equations written so. Returns whether they are. */
bool complete_set_units(Complete *c, double t, const double *z);
/* Forgets the factors: the next solve makes new ones. */
void complete_forget(Complete *c);
/* Other columns are free from now on. */
void complete_set_free(Complete *c, const bool *free, int rank);
/* Iterates z to a limit of J^+ F, with the factors of an earlier point while
 * these contract well enough if `reuse`. Returns false if there is no limit. */
bool complete_solve(Complete *c, double t, double *z, bool reuse);
/* Factors of the Jacobian at (t, z), and the limit of the iteration with these
 * whatever the contraction is: (17), (21). */
bool complete_factor(Complete *c, double t, const double *z);
bool complete_frozen(Complete *c, double t, double *z);
const CompleteStats *complete_stats(const Complete *c);
/* Reciprocal condition of the factors in use: smallest over largest diagonal
 * entry of R; of the structured RQ the reciprocal of (69). */
double complete_condition(const Complete *c);
/* Condition by an estimator where the factors are the structured RQ. */
double complete_estimate(const Complete *c);

#endif
