/* tear_rows.c - how a solved unknown depends on the torn ones.
 *
 * Equation i solved for unknown j makes a row of W = -L⁻¹B from the rows of its
 * other unknowns k,
 *
 *     w_j = -(sum of a_ik w_k) / a_ij,
 *
 * at each point with numbers; a torn unknown has a unit row. Rows are kept as
 * lists of their entries, one after the other, so that the last can be
 * dropped. In large blocks only the bound |w_j| <= sum |a_ik| |w_k| / |a_ij|
 * of its sum is kept, one number per unknown.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "graph/tear_internal.h"

/* Blocks up to this size, and with rows up to this many numbers in all, keep
 * whole rows. */
enum { ROWS_UP_TO = 1000, NUMBERS_UP_TO = 20000000 };

/* The numbers of an edge at all points stand together. */
static const double *by_edge(const TearProblem *p, Arena *arena)
{
    size_t ns = (size_t)p->nsample, nedge = (size_t)p->inc->nedge;
    double *value = NEW_ARRAY(arena, double, ns *nedge + 1);
    for (size_t s = 0; s < ns; s++)
        for (size_t k = 0; k < nedge; k++)
            value[k * ns + s] = p->value[s * nedge + k];
    return value;
}

Rows rows_new(const TearProblem *p, Arena *arena)
{
    int n = p->inc->neqn, ns = p->nsample;
    Rows r = {.inc = p->inc,
              .nsample = ns,
              .value = by_edge(p, arena),
              .arena = arena};
    r.has_rows = n <= ROWS_UP_TO && n * n <= NUMBERS_UP_TO / (ns + 1);
    if (r.has_rows) {
        r.at = NEW_ARRAY(arena, int, n);
        r.n = NEW_ARRAY(arena, int, n);
        r.seen = NEW_ARRAY(arena, int, n);
        r.sum = NEW_ARRAY(arena, double, (size_t)n *(size_t)ns);
    } else {
        r.size = NEW_ARRAY(arena, double, (size_t)n *(size_t)ns);
        r.sum = NEW_ARRAY(arena, double, ns);
    }
    return r;
}

void rows_clear(Rows *r)
{
    vec_clear(&r->col);
    vec_clear(&r->val);
}

static double number(const Rows *r, int edge, int sample)
{
    return r->value[(size_t)edge * (size_t)r->nsample + (size_t)sample];
}

void rows_unit(Rows *r, int var, int col)
{
    for (int s = 0; s < r->nsample && !r->has_rows; s++)
        r->size[var * r->nsample + s] = 1;
    if (!r->has_rows)
        return;
    r->at[var] = r->col.n;
    r->n[var] = 1;
    vec_push(r->arena, &r->col, col);
    for (int s = 0; s < r->nsample; s++)
        vec_push(r->arena, &r->val, 1.0);
}

/* Adds edge k times the row of its unknown to the row being made. */
static void add_row(Rows *r, int k)
{
    int v = r->inc->var[k], ns = r->nsample, n = r->n[v], stamp = r->stamp;
    const double *restrict a = &r->value[(size_t)k * (size_t)ns];
    const double *restrict w = &r->val.at[r->at[v] * ns];
    const int *restrict col = &r->col.at[r->at[v]];
    double *restrict all = r->sum;
    int *restrict seen = r->seen;
    for (int q = 0; q < n; q++, w += ns) {
        double *sum = &all[col[q] * ns];
        if (seen[col[q]] == stamp) {
            for (int s = 0; s < ns; s++)
                sum[s] += a[s] * w[s];
            continue;
        }
        seen[col[q]] = stamp;
        vec_push(r->arena, &r->touched, col[q]);
        for (int s = 0; s < ns; s++)
            sum[s] = 0 + a[s] * w[s];
    }
    r->work += n;
}

static double larger(double most, double w)
{
    return fabs(w) <= most ? most : isfinite(w) ? fabs(w) : INFINITY;
}

/* Divides the row being made by the pivot; its largest entry. */
static double divide_row(Rows *r, int pivot)
{
    double most = 0;
    int ns = r->nsample;
    const double *restrict a = &r->value[(size_t)pivot * (size_t)ns];
    for (int s = 0; s < ns; s++)
        if (a[s] == 0)
            most = INFINITY;
    for (int q = 0; q < r->touched.n; q++) {
        double *restrict w = &r->sum[r->touched.at[q] * ns];
        for (int s = 0; s < ns; s++) {
            w[s] /= -a[s];
            most = larger(most, w[s]);
        }
    }
    return most;
}

static double make_row(Rows *r, int i, int pivot)
{
    r->stamp++;
    vec_clear(&r->touched);
    for (int k = r->inc->start[i]; k < r->inc->start[i + 1]; k++)
        if (k != pivot)
            add_row(r, k);
    return divide_row(r, pivot);
}

static double make_bound(Rows *r, int i, int pivot)
{
    double most = 0;
    for (int s = 0; s < r->nsample; s++) {
        double sum = 0;
        for (int k = r->inc->start[i]; k < r->inc->start[i + 1]; k++)
            if (k != pivot)
                sum += fabs(number(r, k, s)) *
                       r->size[r->inc->var[k] * r->nsample + s];
        r->sum[s] = sum / fabs(number(r, pivot, s));
        most = larger(most, r->sum[s]);
    }
    return most;
}

double rows_make(Rows *r, int i, int pivot)
{
    r->work += r->inc->start[i + 1] - r->inc->start[i];
    return r->has_rows ? make_row(r, i, pivot) : make_bound(r, i, pivot);
}

void rows_largest(const Rows *r, int *col, int *sample)
{
    double most = -1;
    *col = NONE;
    *sample = 0;
    for (int s = 0; s < r->nsample && !r->has_rows; s++)
        if (larger(most, r->sum[s]) > most) {
            most = larger(most, r->sum[s]);
            *sample = s;
        }
    for (int q = 0; q < r->touched.n; q++)
        for (int s = 0; s < r->nsample; s++) {
            double w = r->sum[r->touched.at[q] * r->nsample + s];
            if (larger(most, w) > most) {
                most = larger(most, w);
                *col = r->touched.at[q];
                *sample = s;
            }
        }
}

void rows_keep(Rows *r, int var)
{
    int ns = r->nsample;
    for (int s = 0; s < ns && !r->has_rows; s++)
        r->size[var * ns + s] = r->sum[s];
    if (!r->has_rows)
        return;
    r->at[var] = r->col.n;
    r->n[var] = r->touched.n;
    vec_reserve(r->arena, &r->col, r->col.n + r->touched.n);
    vec_reserve(r->arena, &r->val, r->val.n + r->touched.n * ns);
    double *restrict to = r->val.at + r->val.n;
    for (int q = 0; q < r->touched.n; q++, to += ns) {
        int c = r->touched.at[q];
        r->col.at[r->col.n++] = c;
        for (int s = 0; s < ns; s++)
            to[s] = r->sum[c * ns + s];
    }
    r->val.n += r->touched.n * ns;
}

void rows_drop(Rows *r, int var)
{
    if (!r->has_rows)
        return;
    r->col.n = r->at[var];
    r->val.n = r->col.n * r->nsample;
}
