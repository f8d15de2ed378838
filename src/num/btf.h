/* btf.h - block triangular form of a square pattern.
 *
 * Rows and columns are permuted so that the entries of a row stand in its own
 * diagonal block or in one that is solved before it. Found by SuiteSparse's
 * BTF (Davis and Natarajan, ACM TOMS 37(3), 2010).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_BTF_H
#define TAKT_NUM_BTF_H

#include <stdbool.h>

#include "base/arena.h"

/* Place p holds row row[p] and column col[p], which meet in an entry; block b
 * has the places start[b] .. start[b+1]-1. */
typedef struct BlockForm {
    int n, nblock;
    int *row, *col; /* size n */
    int *start;     /* size nblock+1 */
    int *block_row; /* block of each row, size n */
    int *block_col; /* block of each column, size n */
} BlockForm;

/* NULL if the pattern is singular for all values. Lives in `arena`. */
const BlockForm *btf_find(int n, int nnz, const int *row, const int *col,
                          Arena *arena);

#endif
