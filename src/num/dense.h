/* dense.h - small dense matrices: LU, rank, least squares, singular values,
 * eigenvalues.
 *
 * Thin wrappers of LAPACK for the phases that look at blocks of a model: is
 * this block regular, which rows depend on which, how badly is it conditioned.
 * Never part of generated code.
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
/* An estimate of the reciprocal condition number in the 1-norm; `norm` is
 * dense_norm() of the matrix before it was factorised. */
double dense_lu_rcond(int n, const double *lu, double norm);
/* The largest column sum of absolute values. */
double dense_norm(int nrow, int ncol, const double *a);

/* ---- rank ---- */
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
 * largest entry 1. By the singular values of the scaled matrix. */
int dense_null(int nrow, int ncol, const double *a, double tolerance,
               double *null);

/* ---- singular values ---- */
/* a = u diag(s) vt with s descending, size min(nrow, ncol); a is destroyed.
 * u (nrow * nrow) and vt (ncol * ncol) may both be NULL. Returns false also if
 * the iteration does not converge. */
bool dense_svd(int nrow, int ncol, double *a, double *s, double *u, double *vt);

/* ---- eigenvalues ---- */
/* The eigenvalues re + i im, size n (dgeev); a is destroyed. Returns false also
 * if the iteration does not converge. */
bool dense_eigenvalues(int n, double *a, double *re, double *im);
/* The largest of their absolute values, 0 for n == 0, INFINITY where they
 * cannot be found; a is destroyed. */
double dense_spectral_radius(int n, double *a);

#endif
