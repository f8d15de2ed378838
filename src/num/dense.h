/* dense.h - small dense matrices: LU, null vectors, singular values,
 * eigenvalues.
 *
 * For the phases that look at blocks of a model: is this block regular, which
 * rows depend on which, how badly is it conditioned. Never part of generated
 * code. What is decided by these figures must be decided in the same way on
 * every machine, so no BLAS is asked, whose kernels differ by processor.
 *
 * Matrices stand by columns: entry (i, j) of nrow rows is a[i + j * nrow].
 * A matrix with an entry that is not finite is refused: the functions return
 * false or -1 and leave their results alone.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_DENSE_H
#define TAKT_NUM_DENSE_H

#include <stdbool.h>

/* ---- LU with partial pivoting ---- */
/* Factorises in place; pivot has size n. Returns false if a pivot is 0. */
bool dense_lu_factor(int n, double *a, int *pivot);
/* Solves for nrhs right-hand sides in place. */
void dense_lu_solve(int n, const double *lu, const int *pivot, double *rhs,
                    int nrhs);
/* The reciprocal condition number in the 1-norm; `norm` is dense_norm() of the
 * matrix before it was factorised. O(n^3): by the columns of the inverse. */
double dense_lu_rcond(int n, const double *lu, const int *pivot, double norm);
/* The largest column sum of absolute values. */
double dense_norm(int nrow, int ncol, const double *a);

/* The largest singular value; INFINITY if an entry is not finite. */
double dense_norm_2(int nrow, int ncol, const double *a);

/* ---- null vectors ---- */
/* Scales rows and columns by powers of two so that the entries that are not 0
 * come as near to 1 as they can: a := diag(row) a diag(col). Rows and columns
 * of zeros keep the factor 1. What a model writes in pascal and metres becomes
 * comparable. */
void dense_scale(int nrow, int ncol, double *a, double *row, double *col);

/* A tolerance for dense_null() that forgives the rounding of evaluated
 * Jacobians, and finds dependencies that hold to ten digits. */
#define DENSE_TOLERANCE 1e-10

/* Vectors v with a v = 0 to the tolerance: returns their number k, and in the
 * first k columns of null (ncol * ncol) an independent set of them, each with
 * largest entry 1. By elimination with full pivoting of the scaled matrix. */
int dense_null(int nrow, int ncol, const double *a, double tolerance,
               double *null);

/* ---- singular values ---- */
/* a = u diag(s) v^T, all n * n, s descending; a is destroyed. Columns of u that
 * belong to singular values 0 are 0. Returns false also if the iteration does
 * not converge. */
bool dense_svd(int n, double *a, double *s, double *u, double *v);

/* ---- eigenvalues ---- */
/* The eigenvalues re + i im, size n (eigen.h); a is destroyed. Returns false
 * also if the iteration does not converge. */
bool dense_eigenvalues(int n, double *a, double *re, double *im);
/* The largest of their absolute values, 0 for n == 0, INFINITY where they
 * cannot be found; a is destroyed. */
double dense_spectral_radius(int n, double *a);

#endif
