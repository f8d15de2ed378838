/* rq.c - Householder reflectors from the right, block row by block row. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/rq.h"

#include <math.h>
#include <string.h>

#include "base/lapack.h"

enum { LARGE = 120, SPARSE = 5 };  /* rows; of which one in so many is there */
static const double ENOUGH = 1e-2; /* of the largest square: a row may stand */

static Rq *allocate(int r, int nrow, int m, Arena *arena)
{
    Rq *q = NEW(arena, Rq);
    q->r = r;
    q->m = m;
    q->nrow = nrow;
    q->ncol = q->nrow + m;
    q->a = NEW_ARRAY(arena, double, (size_t)q->nrow *(size_t)q->ncol);
    q->beta = NEW_ARRAY(arena, double, q->nrow);
    q->head = NEW_ARRAY(arena, double, q->nrow);
    q->row = NEW_ARRAY(arena, int, q->nrow);
    q->end = NEW_ARRAY(arena, int, q->nrow);
    return q;
}

/* `most`: columns of a reflector. */
static void allocate_patterns(Rq *q, int most, Arena *arena)
{
    q->nword = q->ncol / 64 + 1;
    q->pattern = NEW_ARRAY(arena, uint64_t, (size_t)q->nrow * (size_t)q->nword);
    q->mask = NEW_ARRAY(arena, uint64_t, q->nword);
    q->start = NEW_ARRAY(arena, int, q->nrow + 1);
    q->count = NEW_ARRAY(arena, int, q->nrow);
    q->list = NEW_ARRAY(arena, int, (size_t)(q->nrow + 1) * (size_t)most);
}

Rq *rq_new(int r, int n, int m, Arena *arena)
{
    Rq *q = allocate(r, (r + 1) * n, m, arena);
    q->n = n;
    for (int i = 0; i < q->nrow; i++)
        q->end[i] = (i / n + 1) * n;
    if (q->nrow >= LARGE)
        allocate_patterns(q, n + m, arena);
    return q;
}

Rq *rq_new_blocks(int r, const int *size, int m, Arena *arena)
{
    int nrow = 0;
    for (int b = 0; b <= r; b++)
        nrow += size[b];
    Rq *q = allocate(r, nrow, m, arena);
    for (int b = 0, at = 0, end = 0; b <= r; b++)
        for (end += size[b]; at < end; at++)
            q->end[at] = end;
    allocate_patterns(q, q->ncol, arena);
    return q;
}

static double *row_of(const Rq *q, int i)
{
    return q->a + (size_t)i * (size_t)q->ncol;
}

/* Reflector `at` moves the columns at .. end-1 of its block and the last m;
 * where blocks differ all from `at` on that its row has. */
static int block_end(const Rq *q, int at)
{
    return q->n > 0 ? q->end[at] : q->nrow;
}

static double square(const Rq *q, const double *x, int at)
{
    double sum = 0;
    for (int j = at; j < block_end(q, at); j++)
        sum += x[j] * x[j];
    for (int j = q->nrow; j < q->ncol; j++)
        sum += x[j] * x[j];
    return sum;
}

/* ---- patterns ---- */

static uint64_t *pattern_of(const Rq *q, int i)
{
    return q->pattern + (size_t)i * (size_t)q->nword;
}

/* Makes the patterns; is it worth while? */
static bool find_patterns(Rq *q)
{
    long count = 0, places = 0;
    memset(q->pattern, 0,
           (size_t)q->nrow * (size_t)q->nword * sizeof *q->pattern);
    for (int i = 0; i < q->nrow; i++) {
        const double *x = row_of(q, i);
        places += block_end(q, i) + q->m;
        for (int j = 0; j < q->ncol; j++) {
            if (x[j] == 0)
                continue;
            pattern_of(q, i)[j / 64] |= (uint64_t)1 << (j % 64);
            count++;
        }
    }
    return q->n == 0 || SPARSE * count < places;
}

/* The columns from .. to-1 of row i, in list[]; returns their number. */
static int columns_of(const Rq *q, int i, int from, int to, int *list)
{
    const uint64_t *p = pattern_of(q, i);
    int n = 0;
    for (int w = from / 64; w <= (to - 1) / 64; w++) {
        if (p[w] == 0)
            continue;
        for (int j = w * 64; j < w * 64 + 64; j++)
            if (p[w] >> (j % 64) & 1 && j >= from && j < to)
                list[n++] = j;
    }
    return n;
}

/* The columns of reflector `at` but the first, as a list and as the mask. */
static int list_columns(Rq *q, int at)
{
    int *list = q->list + q->start[at], end = block_end(q, at), n = 0;
    if (at + 1 < end)
        n = columns_of(q, at, at + 1, end, list);
    n += columns_of(q, at, q->nrow, q->ncol, list + n);
    memset(q->mask, 0, (size_t)q->nword * sizeof *q->mask);
    q->mask[at / 64] |= (uint64_t)1 << (at % 64);
    for (int k = 0; k < n; k++)
        q->mask[list[k] / 64] |= (uint64_t)1 << (list[k] % 64);
    q->start[at + 1] = q->start[at] + n;
    return n;
}

/* square() of row i by its pattern, and how many entries it has; the list after
 * the last one is free. */
static double square_listed(const Rq *q, int i, int at, int *count)
{
    int *list = q->list + q->start[at];
    int n = columns_of(q, i, at, block_end(q, at), list);
    const double *x = row_of(q, i);
    double sum = 0;
    n += columns_of(q, i, q->nrow, q->ncol, list + n);
    for (int k = 0; k < n; k++)
        sum += x[list[k]] * x[list[k]];
    *count = n;
    return sum;
}

/* The row of a block row that has fewest entries, of those that are not much
 * smaller than the largest. head[] from `at` on is not used yet. */
static int thin_row(Rq *q, int at)
{
    int end = q->end[at], best = at;
    double most = 0;
    for (int i = at; i < end; i++) {
        q->head[i] = square_listed(q, i, at, &q->count[i]);
        q->pivot_flops += q->count[i];
        most = fmax(most, q->head[i]);
    }
    for (int i = at; i < end; i++)
        if (q->head[i] >= ENOUGH * most &&
            (q->head[best] < ENOUGH * most || q->count[i] < q->count[best]))
            best = i;
    return best;
}

/* Row i gets the columns of the mask; returns false if it has none of them. */
static bool joins(Rq *q, int i)
{
    uint64_t *p = pattern_of(q, i), common = 0;
    for (int w = 0; w < q->nword; w++)
        common |= p[w] & q->mask[w];
    for (int w = 0; w < q->nword && common; w++)
        p[w] |= q->mask[w];
    return common != 0;
}

static void reflect_listed(const Rq *q, int at, double *x)
{
    const double *v = row_of(q, at);
    const int *c = q->list + q->start[at];
    int n = q->start[at + 1] - q->start[at];
    double s = q->head[at] * x[at];
    for (int k = 0; k < n; k++)
        s += v[c[k]] * x[c[k]];
    s *= q->beta[at];
    x[at] -= s * q->head[at];
    for (int k = 0; k < n; k++)
        x[c[k]] -= s * v[c[k]];
}

/* ---- reflectors ---- */

/* x := x - beta (v x) v, with v in row `at`, its first entry in head. */
static void reflect(const Rq *q, int at, double *x)
{
    const double *v = row_of(q, at);
    int end = block_end(q, at);
    double s = q->head[at] * x[at];
    for (int j = at + 1; j < end; j++)
        s += v[j] * x[j];
    for (int j = q->nrow; j < q->ncol; j++)
        s += v[j] * x[j];
    s *= q->beta[at];
    x[at] -= s * q->head[at];
    for (int j = at + 1; j < end; j++)
        x[j] -= s * v[j];
    for (int j = q->nrow; j < q->ncol; j++)
        x[j] -= s * v[j];
}

/* The row of this block row with most left. */
static int largest_row(Rq *q, int at)
{
    int best = at, length = block_end(q, at) - at + q->m;
    double most = -1;
    for (int i = at; i < q->end[at]; i++) {
        double x = square(q, row_of(q, i), at);
        q->pivot_flops += length;
        if (x > most * (1 + 1e-12)) {
            most = x;
            best = i;
        }
    }
    return best;
}

/* Exchanges rows, with their patterns. */
static void exchange(Rq *q, int i, int k)
{
    double *a = row_of(q, i), *b = row_of(q, k);
    for (int j = 0; j < q->ncol; j++) {
        double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
    for (int w = 0; q->is_sparse && w < q->nword; w++) {
        uint64_t x = pattern_of(q, i)[w];
        pattern_of(q, i)[w] = pattern_of(q, k)[w];
        pattern_of(q, k)[w] = x;
    }
    int row = q->row[i];
    q->row[i] = q->row[k];
    q->row[k] = row;
}

static void choose_row(Rq *q, int at)
{
    int best = q->is_sparse ? thin_row(q, at) : largest_row(q, at);
    if (best != at)
        exchange(q, at, best);
}

/* Reflector `at` from its row, and the entry of U that it leaves; returns false
 * if the row has nothing left. */
static bool make_reflector(Rq *q, int at, double *diagonal)
{
    const double *v = row_of(q, at);
    double norm = sqrt(square(q, v, at));
    if (!(norm > 0) || !isfinite(norm))
        return false;
    double sign = v[at] < 0 ? -1 : 1;
    q->head[at] = v[at] + sign * norm;
    q->beta[at] = 1 / (norm * fabs(q->head[at]));
    *diagonal = -sign * norm;
    return true;
}

/* Reflector `at` to all rows below. */
static void apply_whole(Rq *q, int at)
{
    int length = block_end(q, at) - at + q->m;
    q->flops += length + 2;
    for (int i = at + 1; i < q->nrow; i++) {
        reflect(q, at, row_of(q, i));
        q->flops += 2 * length + 1;
    }
}

static void apply_listed(Rq *q, int at)
{
    int length = list_columns(q, at) + 1;
    q->flops += length + 2;
    for (int i = at + 1; i < q->nrow; i++) {
        if (!joins(q, i))
            continue;
        reflect_listed(q, at, row_of(q, i));
        q->flops += 2 * length + 1;
    }
}

bool rq_factor(Rq *q)
{
    double diagonal;
    q->flops = q->pivot_flops = 0;
    q->is_sparse = q->pattern && find_patterns(q);
    for (int i = 0; i < q->nrow; i++)
        q->row[i] = i;
    for (int at = 0; at < q->nrow; at++) {
        choose_row(q, at);
        if (!make_reflector(q, at, &diagonal))
            return false;
        if (q->is_sparse)
            apply_listed(q, at);
        else
            apply_whole(q, at);
        row_of(q, at)[at] = diagonal; /* the reflector stands beside it */
    }
    return true;
}

void rq_solve(const Rq *q, const double *f, double *z)
{
    for (int i = 0; i < q->nrow; i++) {
        const double *u = row_of(q, i);
        double sum = f[q->row[i]];
        /* entries of reflectors stand right of the diagonal */
        for (int j = 0; j < i; j++)
            sum -= u[j] * z[j];
        z[i] = sum / u[i];
    }
    for (int j = q->nrow; j < q->ncol; j++)
        z[j] = 0;
    for (int at = q->nrow - 1; at >= 0; at--) {
        if (q->is_sparse)
            reflect_listed(q, at, z);
        else
            reflect(q, at, z);
    }
}

double rq_ratio(const Rq *q, double *smallest, double *largest)
{
    *smallest = INFINITY;
    *largest = 0;
    for (int i = 0; i < q->nrow; i++) {
        const double *u = row_of(q, i);
        *smallest = fmin(*smallest, fabs(u[i]));
        for (int j = 0; j <= i; j++)
            *largest = fmax(*largest, fabs(u[j]));
    }
    return *largest / *smallest;
}

/* U by columns. */
static double *take_u(const Rq *q, Arena *arena)
{
    size_t n = (size_t)q->nrow;
    double *u = NEW_ARRAY(arena, double, n *n);
    for (int i = 0; i < q->nrow; i++)
        for (int j = 0; j <= i; j++)
            u[(size_t)j * n + (size_t)i] = row_of(q, i)[j];
    return u;
}

double rq_condition(const Rq *q)
{
    Arena *arena = arena_new();
    double rcond = 0;
    lapack()->dtrcon(LAPACK_COL_MAJOR, '1', 'L', 'N', q->nrow, take_u(q, arena),
                     q->nrow, &rcond);
    arena_free(arena);
    return rcond > 0 ? 1 / rcond : INFINITY;
}

/* The largest row sum of a lower triangular matrix. */
static double row_norm(const double *u, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j <= i; j++)
            sum += fabs(u[(size_t)j * (size_t)n + (size_t)i]);
        most = fmax(most, sum);
    }
    return most;
}

double rq_bound(const Rq *q)
{
    Arena *arena = arena_new();
    double *u = take_u(q, arena), norm = row_norm(u, q->nrow);
    int info =
        lapack()->dtrtri(LAPACK_COL_MAJOR, 'L', 'N', q->nrow, u, q->nrow);
    double bound = info == 0 ? q->nrow * norm * row_norm(u, q->nrow) : INFINITY;
    arena_free(arena);
    return bound;
}
