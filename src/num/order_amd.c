/* order_amd.c - a transversal of large entries, and minimum degree.
 *
 * Entries that pass the threshold before anything is eliminated may stand on
 * the diagonal, the largest of a column first. With the rows permuted so, the
 * pattern of A + A^T is ordered; pivots are taken from the diagonal.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <amd.h>
#include <btf.h>
#include <math.h>
#include <stdlib.h>

#include "num/order_internal.h"

typedef struct Strong {
    int row;
    double quality; /* least share of the largest of the column */
} Strong;

/* Larger first, then by row. */
static int compare(const void *a, const void *b)
{
    const Strong *x = a, *y = b;
    if (x->quality != y->quality)
        return x->quality > y->quality ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static double *column_maxima(const OrderMatrix *m, Arena *arena)
{
    double *most = NEW_ARRAY(arena, double, (long)m->n * m->nsample + 1);
    for (int k = 0; k < m->nnz; k++)
        for (int s = 0; s < m->nsample; s++) {
            double x = fabs(m->value[(long)k * m->nsample + s]);
            double *of = &most[(long)m->col[k] * m->nsample + s];
            *of = x > *of ? x : *of;
        }
    return most;
}

static double quality(const OrderMatrix *m, const double *most, int k)
{
    const double *value = m->value + (long)k * m->nsample;
    double worst = 1;
    for (int s = 0; s < m->nsample; s++) {
        double ratio = fabs(value[s]) / most[(long)m->col[k] * m->nsample + s];
        if (m->keep_sign && signbit(value[s]) != signbit(value[0]))
            return 0;
        if (!(ratio > 0))
            return 0;
        worst = ratio < worst ? ratio : worst;
    }
    return worst;
}

/* Entries that may be pivots, by columns. */
static void find_strong(const OrderMatrix *m, int *start, int *index,
                        Arena *arena)
{
    const double *most = column_maxima(m, arena);
    Strong *list = NEW_ARRAY(arena, Strong, m->nnz + 1);
    double *q = NEW_ARRAY(arena, double, m->nnz + 1);
    int *at = NEW_ARRAY(arena, int, m->n + 1);
    for (int k = 0; k < m->nnz; k++) {
        q[k] = quality(m, most, k);
        if (q[k] > 0 && q[k] >= m->threshold)
            start[m->col[k] + 1]++;
    }
    for (int j = 0; j < m->n; j++)
        at[j] = start[j + 1] += start[j];
    for (int k = 0; k < m->nnz; k++)
        if (q[k] > 0 && q[k] >= m->threshold)
            list[--at[m->col[k]]] = (Strong){m->row[k], q[k]};
    for (int j = 0; j < m->n; j++)
        qsort(list + start[j], (size_t)(start[j + 1] - start[j]), sizeof *list,
              compare);
    for (int k = 0; k < start[m->n]; k++)
        index[k] = list[k].row;
}

/* Column j of the pattern in which column j has its pivot in row j. */
static void permute(const OrderMatrix *m, const int *col_of, int *start,
                    int *index)
{
    for (int k = 0; k < m->nnz; k++)
        start[m->col[k] + 1]++;
    for (int j = 0; j < m->n; j++)
        start[j + 1] += start[j];
    for (int k = m->nnz - 1; k >= 0; k--)
        index[--start[m->col[k] + 1]] = col_of[m->row[k]];
    for (int j = 0; j < m->n; j++)
        start[j] = start[j + 1];
    start[m->n] = m->nnz;
}

bool order_amd(const OrderMatrix *m, int **row, int **col, Arena *arena)
{
    int n = m->n;
    int *start = NEW_ARRAY(arena, int, n + 2);
    int *index = NEW_ARRAY(arena, int, m->nnz + 1);
    int *col_of = NEW_ARRAY(arena, int, n + 1);
    int *work = NEW_ARRAY(arena, int, 5 * n + 1);
    double done = 0;
    find_strong(m, start, index, arena);
    if (btf_maxtrans(n, n, start, index, 0, &done, col_of, work) < n)
        return false;
    int *from = NEW_ARRAY(arena, int, n + 2);
    permute(m, col_of, from, index);
    *row = NEW_ARRAY(arena, int, n + 1);
    *col = NEW_ARRAY(arena, int, n + 1);
    int *row_of = work;
    for (int i = 0; i < n; i++)
        row_of[col_of[i]] = i;
    if (amd_order(n, from, index, *col, NULL, NULL) < 0)
        return false;
    for (int k = 0; k < n; k++)
        (*row)[k] = row_of[(*col)[k]];
    return true;
}
