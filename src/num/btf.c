/* btf.c - SuiteSparse's block triangular form, solved blocks first. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/btf.h"

#include <btf.h>

/* Entries by columns. */
static void compress(int n, int nnz, const int *row, const int *col, int *start,
                     int *index)
{
    for (int k = 0; k < nnz; k++)
        start[col[k] + 1]++;
    for (int j = 0; j < n; j++)
        start[j + 1] += start[j];
    for (int k = nnz - 1; k >= 0; k--) /* fills each column from its end */
        index[--start[col[k] + 1]] = row[k];
    for (int j = 0; j < n; j++)
        start[j] = start[j + 1];
    start[n] = nnz;
}

const BlockForm *btf_find(int n, int nnz, const int *row, const int *col,
                          Arena *arena)
{
    Arena *local = arena_new();
    int *start = NEW_ARRAY(local, int, n + 2);
    int *index = NEW_ARRAY(local, int, nnz + 1);
    int *p = NEW_ARRAY(local, int, n + 1), *q = NEW_ARRAY(local, int, n + 1);
    int *r = NEW_ARRAY(local, int, n + 2),
        *work = NEW_ARRAY(local, int, 5 * n + 1);
    compress(n, nnz, row, col, start, index);
    double done = 0;
    int nmatch = 0;
    int nblock = btf_order(n, start, index, 0, &done, p, q, r, &nmatch, work);
    BlockForm *f = NULL;
    if (nmatch == n) {
        f = NEW(arena, BlockForm);
        f->n = n;
        f->nblock = nblock;
        f->row = NEW_ARRAY(arena, int, n + 1);
        f->col = NEW_ARRAY(arena, int, n + 1);
        f->start = NEW_ARRAY(arena, int, nblock + 1);
        f->block_row = NEW_ARRAY(arena, int, n + 1);
        f->block_col = NEW_ARRAY(arena, int, n + 1);
        /* theirs is upper triangular: the last block is solved first */
        for (int b = 0; b < nblock; b++) {
            int from = r[nblock - 1 - b], size = r[nblock - b] - from;
            int to = f->start[b];
            f->start[b + 1] = to + size;
            for (int i = 0; i < size; i++) {
                f->row[to + i] = p[from + i];
                f->col[to + i] = BTF_UNFLIP(q[from + i]);
                f->block_row[f->row[to + i]] = b;
                f->block_col[f->col[to + i]] = b;
            }
        }
    }
    arena_free(local);
    return f;
}
