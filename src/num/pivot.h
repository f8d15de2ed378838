/* pivot.h - linear systems on the host, with pivoting at run time.
 *
 * One fixed pattern, many values. Small systems are solved dense with partial
 * pivoting, larger ones by KLU (Davis and Natarajan, ACM TOMS 37(3), 2010),
 * which refactors in the old pivot order while that stays sound. Rows are
 * scaled by their largest entry first. Entries that are the same as before are
 * not factorised again. Never part of generated code.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_PIVOT_H
#define TAKT_NUM_PIVOT_H

#include <stdbool.h>

typedef struct Pivot Pivot;

/* A system of n unknowns with entries at (row[k], col[k]); entries at the same
 * place add up. Freed by pivot_free. */
Pivot *pivot_new(int n, int nnz, const int *row, const int *col);
void pivot_free(Pivot *p);
/* Factorises the matrix with these entries. Returns false if it is singular
 * to working precision (or not finite); pivot_bad_column then says where. */
bool pivot_factor(Pivot *p, const double *entry);
int pivot_bad_column(const Pivot *p);
/* Solves in place with the last factors. */
void pivot_solve(Pivot *p, double *rhs);
/* The determinant of the last matrix over that of the first one that was asked
 * for, which is 1 or -1; 0 if the last one was refused. */
double pivot_determinant(Pivot *p);
/* An estimate of the reciprocal condition number of the last factors. */
double pivot_rcond(Pivot *p);

#endif
