/* eigen.h - eigenvalues and Schur forms of real matrices, the same on every
 * machine.
 *
 *   in    a real n * n matrix by columns, entries finite
 *   out   eigenvalues; or the Schur form a = q t q^H, sets moved to the top
 *   next  tune/step.h, tune/clusters.h, tune/loderer.h, linear/linear.h
 *
 * A BLAS takes other kernels on other processors, each with another order of
 * summation. Eigenvalues that are nearly defective then differ in their sixth
 * digit from machine to machine, and what is chosen by them differs with them.
 * So the loops are our own, in one order: Householder's reduction and Francis'
 * double shifts (EISPACK orthes and hqr2; Golub and Van Loan, 7.4 and 7.5).
 *
 * The strongly connected parts of a matrix are its diagonal blocks in some
 * order, and each is taken for itself: what stands alone is exact, and a chain
 * of first-order lags, which no similarity can balance, is solved by looking
 * at its diagonal.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_EIGEN_H
#define TAKT_NUM_EIGEN_H

#include <complex.h>
#include <stdbool.h>

#include "base/arena.h"
#include "num/wide.h"

typedef long double complex WideComplex;

/* The eigenvalues re + i im, size n, conjugate pairs side by side, the positive
 * imaginary part first; a is destroyed. False if the iteration does not
 * converge. */
bool eigen_values(int n, double *a, double *re, double *im);
bool eigen_values_wide(int n, Wide *a, Wide *re, Wide *im);

/* Brings the sizes of rows and columns together, a := D^-1 a D with powers of
 * two D = diag(scale), size n: nothing is rounded. */
void eigen_balance(int n, double *a, double *scale);

/* An order of rows and columns, size n, in which a is zero below its diagonal
 * blocks, as small as they can be. */
void eigen_block_order(int n, const double *a, int *place);

/* a := q^T a q with q orthogonal and a zero below its first subdiagonal; for a
 * symmetric matrix the result is tridiagonal. */
void eigen_hessenberg(int n, double *a);

/* A Schur form: t upper triangular, q unitary, n * n each by columns. The
 * eigenvalues are the diagonal of t, conjugate pairs side by side, the positive
 * imaginary part first. */
typedef struct Schur {
    int n;
    WideComplex *t, *q;
} Schur;

/* Lives in `arena`; a is destroyed. False if the iteration does not converge;
 * a matrix is taken as one block here. */
bool eigen_schur(int n, Wide *a, Schur *s, Arena *arena);

/* The right and the left eigenvector of t(k, k), of length 1, size n each; of
 * an eigenvalue that is nearly that of another one they are as large as they
 * are uncertain before they are scaled, and that is all they tell. */
void eigen_vectors(const Schur *s, int k, WideComplex *right,
                   WideComplex *left);

/* Reorders the form so that the selected eigenvalues stand at the top (or with
 * is_bottom at the bottom), each group in its old order: the first (last)
 * columns of q then span their right (left) space. */
void eigen_reorder(Schur *s, const bool *select, bool is_bottom);

#endif
