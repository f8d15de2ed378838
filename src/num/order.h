/* order.h - the pivots of one diagonal block, for many samples at once.
 *
 * The elimination is carried out on all samples side by side, on lists of
 * active entries by row and column. What a pivot costs is measured by
 *
 *   markowitz   (row count - 1) (column count - 1), ties by size
 *   fill        entries that the pivot would make, ties by markowitz
 *   lookahead   markowitz, ties by fill
 *
 * and ties that are left are broken by a random number (seed 0: by order).
 * Only columns of the smallest counts are looked at. Or all pivots are known
 * beforehand:
 *
 *   amd         a transversal of large entries, ordered by approximate minimum
 *               degree of A + A^T (SuiteSparse; Amestoy, Davis, Duff, SIAM J.
 *               Matrix Anal. Appl. 17(4), 1996); given up where a pivot does
 *               not pass the threshold
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_ORDER_H
#define TAKT_NUM_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef Vec(int) IntList;

typedef enum OrderMeasure {
    ORDER_MARKOWITZ,
    ORDER_LOOKAHEAD,
    ORDER_FILL,
    ORDER_AMD,
    ORDER_NMEASURE
} OrderMeasure;

/* A block: rows and columns 0 .. n-1, entry k at (row[k], col[k]) with the
 * value value[k * nsample + s] in sample s. */
typedef struct OrderMatrix {
    int n, nnz, nsample;
    const int *row, *col;
    const double *value;
    double threshold;
    bool keep_sign;   /* a pivot that has another entry in its column must have
                         the same sign in all samples: one that changes it
                         vanishes somewhere between them */
    const bool *late; /* columns to be taken when no other is left, as far as
                         pivots pass; NULL: none */
} OrderMatrix;

/* Pivot k stands in entry pivot[k]; entries from nnz on are fill. Lists as in
 * StaticLu. */
typedef struct Order {
    IntList erow, ecol; /* place of each entry */
    int *pivot;
    IntList lstart, l, ustart, u, target;
    Vec(double) lmost; /* largest value of each l in the samples */
    double weakest;
    long flops; /* factorisation and solution */
} Order;

typedef struct OrderTrial {
    OrderMeasure measure;
    uint64_t seed;
    long limit;  /* operations of the factors (0: none) */
    long effort; /* small operations to find it (0: none) */
} OrderTrial;

/* NULL if at some step no entry passes the threshold, or as soon as a limit of
 * the trial is reached. *work grows by the small operations that finding it
 * took. Lives in `arena`. */
const Order *order_find(const OrderMatrix *m, OrderTrial t, long *work,
                        Arena *arena);
/* The cheapest of several measures and seeds; trials end when `effort` small
 * operations were spent (0: with the first that passes). NULL if none passes.
 */
const Order *order_best(const OrderMatrix *m, long effort, Arena *arena);

#endif
