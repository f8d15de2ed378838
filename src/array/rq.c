/* rq.c - Householder reflectors from the right, block row by block row. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/rq.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

Rq *rq_new(int r, int n, int m, Arena *arena)
{
    Rq *q = NEW(arena, Rq);
    q->r = r;
    q->n = n;
    q->m = m;
    q->nrow = (r + 1) * n;
    q->ncol = q->nrow + m;
    q->a = NEW_ARRAY(arena, double, (size_t)q->nrow *(size_t)q->ncol);
    q->beta = NEW_ARRAY(arena, double, q->nrow);
    q->head = NEW_ARRAY(arena, double, q->nrow);
    q->row = NEW_ARRAY(arena, int, q->nrow);
    q->work = NEW_ARRAY(arena, double, q->ncol);
    return q;
}

static double *row_of(const Rq *q, int i)
{
    return q->a + (size_t)i * (size_t)q->ncol;
}

/* Reflector `at` moves the columns at .. end-1 of its block and the last m. */
static int block_end(const Rq *q, int at)
{
    return (at / q->n + 1) * q->n;
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

/* The row of this block row with most left comes here. */
static void choose_row(Rq *q, int at)
{
    int best = at, end = block_end(q, at), length = end - at + q->m;
    double most = -1;
    for (int i = at; i < end; i++) {
        double x = square(q, row_of(q, i), at);
        q->pivot_flops += length;
        if (x > most * (1 + 1e-12)) {
            most = x;
            best = i;
        }
    }
    if (best == at)
        return;
    double *a = row_of(q, at), *b = row_of(q, best);
    for (int j = 0; j < q->ncol; j++) {
        double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
    int row = q->row[at];
    q->row[at] = q->row[best];
    q->row[best] = row;
}

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

bool rq_factor(Rq *q)
{
    q->flops = q->pivot_flops = 0;
    for (int i = 0; i < q->nrow; i++)
        q->row[i] = i;
    for (int at = 0; at < q->nrow; at++) {
        choose_row(q, at);
        double *v = row_of(q, at);
        int length = block_end(q, at) - at + q->m;
        double norm = sqrt(square(q, v, at));
        if (!(norm > 0) || !isfinite(norm))
            return false;
        double sign = v[at] < 0 ? -1 : 1;
        q->head[at] = v[at] + sign * norm;
        q->beta[at] = 1 / (norm * fabs(q->head[at]));
        q->flops += length + 2;
        for (int i = at + 1; i < q->nrow; i++) {
            reflect(q, at, row_of(q, i));
            q->flops += 2 * length + 1;
        }
        v[at] = -sign * norm; /* of U; the reflector stands beside it */
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
    for (int at = q->nrow - 1; at >= 0; at--)
        reflect(q, at, z);
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
    LAPACKE_dtrcon(LAPACK_COL_MAJOR, '1', 'L', 'N', q->nrow, take_u(q, arena),
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
    int info = LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', q->nrow, u, q->nrow);
    double bound = info == 0 ? q->nrow * norm * row_norm(u, q->nrow) : INFINITY;
    arena_free(arena);
    return bound;
}
