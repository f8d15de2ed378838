/* columns.c - complete pivoting over some columns of a matrix. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/columns.h"

#include <math.h>

#include "base/arena.h"

/* The columns for which allowed[] holds, and which ones they are. Returns how
 * many. */
static int take_columns(const Columns *a, const bool *allowed)
{
    int n = a->width, count = 0;
    for (int j = 0; j < n; j++)
        if (allowed[j])
            a->column[count++] = j;
    for (int i = 0; i < a->m; i++)
        for (int j = 0; j < count; j++)
            a->work[i * n + j] = a->value[i * n + a->column[j]];
    return count;
}

/* row -= f pivot, and column `col`, which is 0 then, is left out. */
static void reduce_row(double *row, const double *pivot, double f, int col,
                       int n)
{
    for (int j = 0; j < col; j++)
        row[j] -= f * pivot[j];
    for (int j = col + 1; j < n; j++)
        row[j - 1] = row[j] - f * pivot[j];
}

double columns_pivot(const Columns *a, const bool *allowed, bool *used)
{
    int m = a->m, width = a->width;
    int n = take_columns(a, allowed);
    double det = 1;
    for (int k = 0; k < m; k++, n--) {
        double *first = a->work + k * width, *best = first, most = 0;
        int col = NONE;
        for (double *row = first; row < a->work + m * width; row += width)
            for (int j = 0; j < n; j++)
                if (fabs(row[j]) > most) {
                    most = fabs(row[j]);
                    best = row;
                    col = j;
                }
        if (col == NONE)
            return 0;
        used[a->column[col]] = true;
        det *= most;
        for (int j = 0; j < n; j++) {
            double swap = first[j];
            first[j] = best[j];
            best[j] = swap;
        }
        for (int i = k + 1; i < m; i++) {
            double *row = a->work + i * width;
            reduce_row(row, first, row[col] / first[col], col, n);
        }
        for (int j = col + 1; j < n; j++)
            a->column[j - 1] = a->column[j];
    }
    return det;
}
