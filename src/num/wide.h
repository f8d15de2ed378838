/* wide.h - LU in long double, for differences that a double does not hold.
 *
 * `Wide` has 64 bits of fraction on x86 and 113 on AArch64, never fewer than
 * double. Matrices stand by columns, as in dense.h.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_WIDE_H
#define TAKT_NUM_WIDE_H

#include <stdbool.h>

typedef long double Wide;

/* Factorises in place with partial pivoting; pivot has size n. Returns false if
 * a pivot is 0 or not finite. */
bool wide_lu_factor(int n, Wide *a, int *pivot);

/* Solves for nrhs right-hand sides in place. */
void wide_lu_solve(int n, const Wide *lu, const int *pivot, Wide *rhs,
                   int nrhs);

/* c (n * k) = a b, a is n * m and b is m * k. */
void wide_product(int n, int m, int k, const Wide *a, const Wide *b, Wide *c);

#endif
