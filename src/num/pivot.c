/* pivot.c - dense LU for small systems, KLU for the others. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/pivot.h"

#include <klu.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"

enum { DENSE_LIMIT = 24 }; /* up to here dense is faster than KLU */

struct Pivot {
    Arena *arena;
    int n, nnz;
    const int *row, *col;
    double *entry; /* that were factorised last */
    bool is_ready; /* there are factors of them */
    double *scale; /* 1 / largest entry of each row */
    int bad;
    /* dense */
    double *lu; /* n x n, by rows */
    int *perm;
    double *work;
    /* KLU: compressed columns */
    int *start, *index;
    int *place; /* where entry k goes in `value` */
    double *value;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    bool is_dense;
    bool *done;    /* parity() */
    bool has_unit; /* pivot_determinant was asked */
    double unit;   /* logarithm of the first one */
};

/* Compresses the entries to columns; entries at the same place share one. */
static void compress(Pivot *p)
{
    int n = p->n;
    p->start = NEW_ARRAY(p->arena, int, n + 1);
    p->index = NEW_ARRAY(p->arena, int, p->nnz + 1);
    p->place = NEW_ARRAY(p->arena, int, p->nnz + 1);
    p->value = NEW_ARRAY(p->arena, double, p->nnz + 1);
    int *count = NEW_ARRAY(p->arena, int, n + 1);
    int *order = NEW_ARRAY(p->arena, int, p->nnz + 1);
    int *last = NEW_ARRAY(p->arena, int, n);
    for (int k = 0; k < p->nnz; k++)
        count[p->col[k] + 1]++;
    for (int j = 0; j < n; j++)
        count[j + 1] += count[j];
    int *next = NEW_ARRAY(p->arena, int, n + 1);
    memcpy(next, count, (size_t)(n + 1) * sizeof(int));
    for (int k = 0; k < p->nnz; k++)
        order[next[p->col[k]]++] = k;
    int *where = NEW_ARRAY(p->arena, int, n);
    memset(last, 0xff, (size_t)n * sizeof(int));
    int m = 0;
    for (int j = 0; j < n; j++) {
        p->start[j] = m;
        for (int i = count[j]; i < count[j + 1]; i++) {
            int k = order[i], r = p->row[k];
            if (last[r] != j) {
                last[r] = j;
                where[r] = m;
                p->index[m++] = r;
            }
            p->place[k] = where[r];
        }
    }
    p->start[n] = m;
}

Pivot *pivot_new(int n, int nnz, const int *row, const int *col)
{
    Arena *arena = arena_new();
    Pivot *p = NEW(arena, Pivot);
    p->arena = arena;
    p->n = n;
    p->nnz = nnz;
    p->bad = NONE;
    p->row =
        memcpy(NEW_ARRAY(arena, int, nnz + 1), row, (size_t)nnz * sizeof(int));
    p->col =
        memcpy(NEW_ARRAY(arena, int, nnz + 1), col, (size_t)nnz * sizeof(int));
    p->entry = NEW_ARRAY(arena, double, nnz + 1);
    p->scale = NEW_ARRAY(arena, double, n);
    p->work = NEW_ARRAY(arena, double, 4 * n);
    p->is_dense = n <= DENSE_LIMIT;
    if (p->is_dense) {
        p->lu = NEW_ARRAY(arena, double, n *n);
        p->perm = NEW_ARRAY(arena, int, n);
        return p;
    }
    compress(p);
    klu_defaults(&p->common);
    p->common.scale = 0; /* rows are scaled here */
    p->common.halt_if_singular = 1;
    p->symbolic = klu_analyze(n, p->start, p->index, &p->common);
    return p;
}

void pivot_free(Pivot *p)
{
    if (!p)
        return;
    if (p->numeric)
        klu_free_numeric(&p->numeric, &p->common);
    if (p->symbolic)
        klu_free_symbolic(&p->symbolic, &p->common);
    arena_free(p->arena);
}

/* Row scales; false if a row is zero or not finite. */
static bool scale_rows(Pivot *p, const double *entry)
{
    memset(p->scale, 0, (size_t)p->n * sizeof(double));
    for (int k = 0; k < p->nnz; k++) {
        double a = fabs(entry[k]);
        if (!isfinite(a)) {
            p->bad = p->col[k];
            return false;
        }
        if (a > p->scale[p->row[k]])
            p->scale[p->row[k]] = a;
    }
    for (int i = 0; i < p->n; i++) {
        if (p->scale[i] < 1e-300) {
            p->bad = i;
            return false;
        }
        p->scale[i] = 1 / p->scale[i];
    }
    return true;
}

static bool factor_dense(Pivot *p, const double *entry)
{
    int n = p->n;
    double *a = p->lu;
    memset(a, 0, (size_t)(n * n) * sizeof(double));
    for (int k = 0; k < p->nnz; k++)
        a[p->row[k] * n + p->col[k]] += entry[k] * p->scale[p->row[k]];
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++)
            if (fabs(a[i * n + j]) > fabs(a[best * n + j]))
                best = i;
        p->perm[j] = best;
        if (!(fabs(a[best * n + j]) > 1e-15)) {
            p->bad = j;
            return false;
        }
        for (int k = 0; best != j && k < n; k++) {
            double swap = a[j * n + k];
            a[j * n + k] = a[best * n + k];
            a[best * n + k] = swap;
        }
        for (int i = j + 1; i < n; i++) {
            double m = a[i * n + j] /= a[j * n + j];
            for (int k = j + 1; m != 0 && k < n; k++)
                a[i * n + k] -= m * a[j * n + k];
        }
    }
    return true;
}

static bool factor_klu(Pivot *p, const double *entry)
{
    if (!p->symbolic) {
        p->bad = p->common.singular_col;
        return false;
    }
    memset(p->value, 0, (size_t)p->nnz * sizeof(double));
    for (int k = 0; k < p->nnz; k++)
        p->value[p->place[k]] += entry[k] * p->scale[p->row[k]];
    if (p->numeric &&
        klu_refactor(p->start, p->index, p->value, p->symbolic, p->numeric,
                     &p->common) &&
        klu_rgrowth(p->start, p->index, p->value, p->symbolic, p->numeric,
                    &p->common) &&
        p->common.rgrowth > 1e-6 &&
        klu_rcond(p->symbolic, p->numeric, &p->common) &&
        p->common.rcond > 1e-18)
        return true;
    if (p->numeric)
        klu_free_numeric(&p->numeric, &p->common);
    p->numeric =
        klu_factor(p->start, p->index, p->value, p->symbolic, &p->common);
    if (!p->numeric || p->common.status == KLU_SINGULAR) {
        p->bad = p->common.singular_col;
        if (p->numeric)
            klu_free_numeric(&p->numeric, &p->common);
        return false;
    }
    klu_rcond(p->symbolic, p->numeric, &p->common);
    if (p->common.rcond < 1e-18) {
        p->bad = p->common.singular_col;
        return false;
    }
    return true;
}

bool pivot_factor(Pivot *p, const double *entry)
{
    size_t size = (size_t)p->nnz * sizeof(double);
    if (p->is_ready && memcmp(p->entry, entry, size) == 0)
        return true;
    memcpy(p->entry, entry, size);
    p->bad = NONE;
    p->is_ready = scale_rows(p, entry) &&
                  (p->is_dense ? factor_dense(p, entry) : factor_klu(p, entry));
    return p->is_ready;
}

int pivot_bad_column(const Pivot *p)
{
    return p->bad >= 0 && p->bad < p->n ? p->bad : NONE;
}

static void solve_dense(const Pivot *p, double *b)
{
    int n = p->n;
    const double *a = p->lu;
    for (int j = 0; j < n; j++) {
        double swap = b[j];
        b[j] = b[p->perm[j]];
        b[p->perm[j]] = swap;
    }
    for (int i = 0; i < n; i++, a += n) {
        double sum = b[i];
        for (int k = 0; k < i; k++)
            sum -= a[k] * b[k];
        b[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        a -= n;
        double sum = b[i];
        for (int k = i + 1; k < n; k++)
            sum -= a[k] * b[k];
        b[i] = sum / a[i];
    }
}

void pivot_solve(Pivot *p, double *rhs)
{
    for (int i = 0; i < p->n; i++)
        rhs[i] *= p->scale[i];
    if (p->is_dense)
        solve_dense(p, rhs);
    else
        klu_solve(p->symbolic, p->numeric, p->n, 1, rhs, &p->common);
}

/* -1 or 1 */
static int parity(const int *perm, int n, bool *done)
{
    int sign = 1;
    memset(done, 0, (size_t)n * sizeof *done);
    for (int i = 0; i < n; i++) {
        for (int j = perm[i]; !done[i] && j != i; j = perm[j]) {
            done[j] = true;
            sign = -sign;
        }
        done[i] = true;
    }
    return sign;
}

/* Rows and columns as KLU has ordered them; both lists say which one is k-th.
 */
static int parity_of_klu(Pivot *p)
{
    if (!p->done)
        p->done = NEW_ARRAY(p->arena, bool, p->n + 1);
    return parity(p->numeric->Pnum, p->n, p->done) *
           parity(p->symbolic->Q, p->n, p->done);
}

double pivot_determinant(Pivot *p)
{
    if (!p->is_ready)
        return 0;
    const double *diagonal = p->is_dense ? NULL : p->numeric->Udiag;
    double sum = 0;
    int sign = p->is_dense ? 1 : parity_of_klu(p);
    for (int i = 0; i < p->n; i++) {
        double u = p->is_dense ? p->lu[i * p->n + i] : diagonal[i];
        sign = u < 0 ? -sign : sign;
        sign = p->is_dense && p->perm[i] != i ? -sign : sign;
        sum += log(fabs(u)) - log(p->scale[i]);
    }
    if (!p->has_unit)
        p->unit = sum;
    p->has_unit = true;
    return sign * exp(fmin(sum - p->unit, 600));
}

double pivot_rcond(Pivot *p)
{
    if (!p->is_dense)
        return p->numeric ? p->common.rcond : 0;
    double least = INFINITY, most = 0;
    for (int i = 0; i < p->n; i++) {
        double d = fabs(p->lu[i * p->n + i]);
        least = fmin(least, d);
        most = fmax(most, d);
    }
    return most > 0 ? least / most : 0;
}
