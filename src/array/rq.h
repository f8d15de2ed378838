/* rq.h - J = P R Q for the Jacobian of a derivative array in block rows.
 *
 *   in    J of (61), by rows: block rows i = 0 .. r of n rows with blocks
 *         J_i0 .. J_ii (n x n), zeros, and X_i (n x m) in the last m columns
 *   out   U lower triangular, Q as reflectors: J Q^T = [U 0] (65)
 *
 * Campbell, Zhong 1994, section 5.1: block row i is made triangular by
 * Householder reflectors from the right that touch block column i and the last
 * one only, so zeros stay. Rows are exchanged inside block rows. The solution
 * of minimum norm is z = Q^T [U^-1; 0] P^T f, (63) to (66).
 *
 * A multiplication with an addition is one flop, as are square root and
 * division: L + 2 for a reflector of length L, 2 L + 1 for each row it is
 * applied to. Summed up these have the coefficients of n^3 and m n^2 of (67);
 * what is below is a matter of bookkeeping. Norms that only choose rows are
 * counted apart.
 *
 * Block rows may have any size (rq_new_blocks): then zeros are those of the
 * entries, columns stand in the order in which block rows need them, and all
 * reflectors have the columns that their row has.
 *
 * A large matrix with many zeros keeps the pattern of each row as bits:
 * reflectors have the columns that their row has, and rows that share none of
 * these are passed over. Flops are then those that are done.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_RQ_H
#define TAKT_ARRAY_RQ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct Rq {
    int r, n, m;       /* block rows are r + 1; n is 0 if they differ */
    int nrow, ncol;    /* (r+1) n; nrow + m */
    int *end;          /* nrow: end of its block row */
    double *a;         /* nrow * ncol by rows: J, then U and the reflectors */
    double *beta;      /* nrow: of each reflector */
    double *head;      /* nrow: its first entry; the diagonal is that of U */
    int *row;          /* nrow: row of J that stands here */
    bool is_sparse;    /* the last matrix was: then */
    int nword;         /* of 64 columns in a pattern */
    uint64_t *pattern; /* nrow * nword: columns that are not 0 */
    uint64_t *mask;    /* the same of the reflector in use */
    int *start, *list; /* of each reflector: its columns but the first */
    int *count;        /* entries of each row that is not chosen yet */
    long flops;        /* of the last factorisation */
    long pivot_flops;  /* of its choice of rows */
} Rq;

Rq *rq_new(int r, int n, int m, Arena *arena);
/* size[r + 1] are the rows of each block row; as many columns, and m more. */
Rq *rq_new_blocks(int r, const int *size, int m, Arena *arena);
/* Factorises rq->a in place. Returns false if a row has nothing left. */
bool rq_factor(Rq *q);
/* z[ncol] := the solution of minimum norm of J z = f[nrow]. */
void rq_solve(const Rq *q, const double *f, double *z);
/* Method 1, (69): largest entry over smallest diagonal entry of U, and these.
 */
double rq_ratio(const Rq *q, double *smallest, double *largest);
/* Method 2: an estimate of the condition of U in the 1-norm (LAPACK's dtrcon in
 * place of LINPACK's dtrco). */
double rq_condition(const Rq *q);
/* (70): an upper bound, by the inverse. O(nrow^3): to look at. */
double rq_bound(const Rq *q);

#endif
