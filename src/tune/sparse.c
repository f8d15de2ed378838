/* sparse.c - dense matrices with few entries, solved sparse.
 *
 * Rows are scaled by num/pivot.h, columns here, by powers of two, so that the
 * estimate of the condition does not depend on units.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"
#include "num/pivot.h"
#include "tune/tune_internal.h"

#define SINGULAR 1e-15 /* reciprocal condition of a matrix we call singular */

struct Sparse {
    int n;
    Arena *arena;
    Pivot *pivot;
    double *scale; /* of the columns */
};

/* The entries of a matrix that are not 0, with columns scaled by `scale`. */
typedef struct Triplets {
    int count;
    int *row, *col;
    double *value;
} Triplets;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The entries that are not 0, and the largest of each row. */
static Triplets entries_of(int n, const double *b, double *largest,
                           Arena *arena)
{
    int count = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        count += b[i] != 0;
    Triplets t = {0, NEW_ARRAY(arena, int, count + 1),
                  NEW_ARRAY(arena, int, count + 1),
                  NEW_ARRAY(arena, double, count + 1)};
    for (int j = 0; j < n; j++) {
        const double *column = b + (size_t)j * (size_t)n;
        for (int i = 0; i < n; i++)
            if (column[i] != 0) {
                t.row[t.count] = i;
                t.col[t.count] = j;
                t.value[t.count++] = column[i];
                largest[i] = larger(fabs(column[i]), largest[i]);
            }
    }
    return t;
}

static Triplets triplets_of(int n, const double *b, double *scale, Arena *arena)
{
    double *largest = NEW_ARRAY(arena, double, n + 1);
    double *most = NEW_ARRAY(arena, double, n + 1);
    Triplets t = entries_of(n, b, largest, arena);
    for (int k = 0; k < t.count; k++)
        most[t.col[k]] =
            larger(fabs(t.value[k]) / largest[t.row[k]], most[t.col[k]]);
    for (int j = 0; j < n; j++) {
        int exponent = 0;
        if (most[j] > 0 && isfinite(most[j]))
            frexp(most[j], &exponent);
        scale[j] = ldexp(1, -exponent);
    }
    for (int k = 0; k < t.count; k++)
        t.value[k] *= scale[t.col[k]];
    return t;
}

/* The power of two that brings `largest` into [1/2, 1). */
static double to_one(double largest)
{
    int exponent = 0;
    if (largest > 0 && isfinite(largest))
        frexp(largest, &exponent);
    return ldexp(1, -exponent);
}

/* c := c + a[0] f[0] + a[1] f[1] + ..., in this order, four columns at a time:
 * the sums are those of one column after the other, c is read a quarter as
 * often. */
static void add_columns(size_t n, int count, const double *const *a,
                        const double *f, double *restrict c)
{
    int l = 0;
    for (; l + 4 <= count; l += 4) {
        const double *restrict a0 = a[l], *restrict a1 = a[l + 1];
        const double *restrict a2 = a[l + 2], *restrict a3 = a[l + 3];
        double f0 = f[l], f1 = f[l + 1], f2 = f[l + 2], f3 = f[l + 3];
        for (size_t i = 0; i < n; i++)
            c[i] =
                (((c[i] + a0[i] * f0) + a1[i] * f1) + a2[i] * f2) + a3[i] * f3;
    }
    for (; l < count; l++) {
        const double *restrict a0 = a[l];
        for (size_t i = 0; i < n; i++)
            c[i] += a0[i] * f[l];
    }
}

enum { TOGETHER = 64 }; /* columns, a multiple of 4 */

void matrix_product(int n, int m, int k, const double *a, const double *b,
                    double *c)
{
    size_t rows = (size_t)n;
    const double *column[TOGETHER];
    double factor[TOGETHER];
    memset(c, 0, rows * (size_t)k * sizeof *c);
    for (size_t j = 0; j < (size_t)k; j++) {
        int count = 0;
        for (size_t l = 0; l < (size_t)m; l++) {
            factor[count] = b[l + j * (size_t)m];
            column[count] = a + l * rows;
            count += factor[count] != 0;
            if (count == TOGETHER) {
                add_columns(rows, count, column, factor, c + j * rows);
                count = 0;
            }
        }
        add_columns(rows, count, column, factor, c + j * rows);
    }
}

void matrix_equilibrate(int n, double *a, double *row, double *col)
{
    size_t m = (size_t)n;
    for (size_t i = 0; i < m; i++) {
        double largest = 0;
        for (size_t j = 0; j < m; j++)
            largest = fmax(largest, fabs(a[i + j * m]));
        row[i] = to_one(largest);
    }
    for (size_t j = 0; j < m; j++) {
        double largest = 0;
        for (size_t i = 0; i < m; i++)
            largest = fmax(largest, fabs(a[i + j * m] *= row[i]));
        col[j] = to_one(largest);
        for (size_t i = 0; i < m; i++)
            a[i + j * m] *= col[j];
    }
}

void sparse_free(Sparse *s)
{
    if (s == NULL)
        return;
    pivot_free(s->pivot);
    arena_free(s->arena);
}

Sparse *sparse_factor(int n, const double *m, int *bad)
{
    Arena *arena = arena_new();
    Sparse *s = NEW(arena, Sparse);
    *s = (Sparse){
        .n = n, .arena = arena, .scale = NEW_ARRAY(arena, double, n + 1)};
    Triplets t = triplets_of(n, m, s->scale, arena);
    s->pivot = pivot_new(n, t.count, t.row, t.col);
    *bad = NONE;
    bool is_regular = pivot_factor(s->pivot, t.value);
    if (!is_regular)
        *bad = pivot_bad_column(s->pivot);
    if (is_regular && pivot_rcond(s->pivot) > SINGULAR)
        return s;
    sparse_free(s);
    return NULL;
}

void sparse_solve(const Sparse *s, double *rhs)
{
    pivot_solve(s->pivot, rhs);
    for (int i = 0; i < s->n; i++)
        rhs[i] *= s->scale[i];
}
