/* static_lu.c - pivots for many samples at once, then tables.
 *
 * The elimination is carried out on all samples side by side; the active
 * matrix is kept as lists of entries by row and by column. A column's
 * candidates are looked at in the order of its count, and the search ends when
 * no better Markowitz count is possible (at most SEARCH columns).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/static_lu.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"

enum { SEARCH = 24 }; /* columns looked at after the first that has a pivot */

typedef Vec(int) IntList;

typedef struct Elim {
    int n, nsample;
    double threshold;
    Arena *arena, *local;
    IntList erow, ecol;   /* place of each entry */
    Vec(double *) value;  /* nsample values of each entry */
    IntList *rows, *cols; /* active entries of each row and column */
    bool *row_done, *col_done;
    IntList l, lrow, u, ucol, target, lstart, ustart;
    int *row, *col, *pivot;
    double weakest;
} Elim;

static int add_entry(Elim *e, int row, int col)
{
    int id = e->erow.n;
    vec_push(e->local, &e->erow, row);
    vec_push(e->local, &e->ecol, col);
    vec_push(e->local, &e->value, NEW_ARRAY(e->local, double, e->nsample));
    vec_push(e->local, &e->rows[row], id);
    vec_push(e->local, &e->cols[col], id);
    return id;
}

/* Smallest ratio of entry `id` to the largest of its column over the samples.
 */
static double pivot_quality(const Elim *e, int id)
{
    const IntList *c = &e->cols[e->ecol.at[id]];
    double worst = INFINITY;
    for (int s = 0; s < e->nsample; s++) {
        double most = 0;
        for (int i = 0; i < c->n; i++)
            most = fmax(most, fabs(e->value.at[c->at[i]][s]));
        double ratio = most > 0 ? fabs(e->value.at[id][s]) / most : 0;
        worst = fmin(worst, ratio);
    }
    return isnan(worst) ? 0 : worst;
}

/* The best pivot of a column: its entry, NONE if none passes. */
static int best_of_column(const Elim *e, int col, long *cost, double *quality)
{
    const IntList *c = &e->cols[col];
    int best = NONE;
    for (int i = 0; i < c->n; i++) {
        int id = c->at[i];
        long price = (long)(c->n - 1) * (e->rows[e->erow.at[id]].n - 1);
        if (price > *cost)
            continue;
        double q = pivot_quality(e, id);
        if (q < e->threshold || (price == *cost && q <= *quality))
            continue;
        best = id;
        *cost = price;
        *quality = q;
    }
    return best;
}

/* Columns by count: a bucket sort each time would be wasteful, so the columns
 * of the smallest counts are found by one pass. */
static int choose_pivot(const Elim *e, double *quality)
{
    int best = NONE, looked = 0;
    long cost = LONG_MAX;
    *quality = 0;
    for (int count = 1; count <= e->n; count++) {
        if (best != NONE && (long)(count - 1) * (count - 1) >= cost)
            break;
        bool any_larger = false;
        for (int j = 0; j < e->n; j++) {
            if (e->col_done[j])
                continue;
            any_larger |= e->cols[j].n > count;
            if (e->cols[j].n != count)
                continue;
            double q = *quality;
            long c = cost;
            int id = best_of_column(e, j, &c, &q);
            if (id != NONE) {
                best = id;
                cost = c;
                *quality = q;
            }
            if (best != NONE && ++looked > SEARCH)
                return best;
        }
        if (!any_larger)
            break;
    }
    return best;
}

static void drop(IntList *list, int id)
{
    for (int i = 0; i < list->n; i++)
        if (list->at[i] == id) {
            list->at[i] = list->at[--list->n];
            return;
        }
}

static int find_in_row(const Elim *e, int row, int col)
{
    const IntList *r = &e->rows[row];
    for (int i = 0; i < r->n; i++)
        if (e->ecol.at[r->at[i]] == col)
            return r->at[i];
    return NONE;
}

/* Takes the pivot row and column out and updates what is left. */
static void eliminate(Elim *e, int k, int pivot)
{
    int prow = e->erow.at[pivot], pcol = e->ecol.at[pivot];
    e->row[k] = prow;
    e->col[k] = pcol;
    e->pivot[k] = pivot;
    e->row_done[prow] = e->col_done[pcol] = true;
    int first = e->u.n;
    for (int i = 0; i < e->rows[prow].n; i++) {
        int id = e->rows[prow].at[i];
        drop(&e->cols[e->ecol.at[id]], id);
        if (id == pivot)
            continue;
        vec_push(e->local, &e->u, id);
        vec_push(e->local, &e->ucol, e->ecol.at[id]);
    }
    for (int i = 0; i < e->cols[pcol].n; i++) {
        int l = e->cols[pcol].at[i], row = e->erow.at[l];
        drop(&e->rows[row], l);
        vec_push(e->local, &e->l, l);
        vec_push(e->local, &e->lrow, row);
        for (int s = 0; s < e->nsample; s++)
            e->value.at[l][s] /= e->value.at[pivot][s];
        for (int m = first; m < e->u.n; m++) {
            int u = e->u.at[m], col = e->ecol.at[u];
            int t = find_in_row(e, row, col);
            if (t == NONE)
                t = add_entry(e, row, col);
            vec_push(e->local, &e->target, t);
            for (int s = 0; s < e->nsample; s++)
                e->value.at[t][s] -= e->value.at[l][s] * e->value.at[u][s];
        }
    }
    vec_push(e->local, &e->lstart, e->l.n);
    vec_push(e->local, &e->ustart, e->u.n);
}

static const int *keep(const IntList *list, Arena *arena)
{
    int *copy = NEW_ARRAY(arena, int, list->n + 1);
    if (list->n > 0)
        memcpy(copy, list->at, (size_t)list->n * sizeof(int));
    return copy;
}

static StaticLu *make_tables(const Elim *e, int nnz)
{
    StaticLu *f = NEW(e->arena, StaticLu);
    f->n = e->n;
    f->nnz = nnz;
    f->nentry = e->erow.n;
    f->row = e->row;
    f->col = e->col;
    f->pivot = e->pivot;
    f->lstart = keep(&e->lstart, e->arena);
    f->ustart = keep(&e->ustart, e->arena);
    f->l = keep(&e->l, e->arena);
    f->lrow = keep(&e->lrow, e->arena);
    f->u = keep(&e->u, e->arena);
    f->ucol = keep(&e->ucol, e->arena);
    f->target = keep(&e->target, e->arena);
    f->ntarget = e->target.n;
    f->weakest = e->weakest;
    f->flops = 2L * e->target.n + 3L * e->l.n + 2L * e->u.n + 2L * e->n;
    return f;
}

static Elim *begin(int n, int nnz, const int *row, const int *col,
                   const double *entry, int nsample, double threshold,
                   Arena *arena)
{
    Arena *local = arena_new();
    Elim *e = NEW(local, Elim);
    e->n = n;
    e->nsample = nsample;
    e->threshold = threshold;
    e->arena = arena;
    e->local = local;
    e->rows = NEW_ARRAY(local, IntList, n);
    e->cols = NEW_ARRAY(local, IntList, n);
    e->row_done = NEW_ARRAY(local, bool, n);
    e->col_done = NEW_ARRAY(local, bool, n);
    e->row = NEW_ARRAY(arena, int, n);
    e->col = NEW_ARRAY(arena, int, n);
    e->pivot = NEW_ARRAY(arena, int, n);
    e->weakest = 1;
    vec_push(local, &e->lstart, 0);
    vec_push(local, &e->ustart, 0);
    for (int k = 0; k < nnz; k++) {
        int id = add_entry(e, row[k], col[k]);
        for (int s = 0; s < nsample; s++)
            e->value.at[id][s] = entry[(long)s * nnz + k];
    }
    return e;
}

const StaticLu *static_lu_new(int n, int nnz, const int *row, const int *col,
                              const double *entry, int nsample,
                              double threshold, Arena *arena)
{
    Elim *e = begin(n, nnz, row, col, entry, nsample, threshold, arena);
    StaticLu *f = NULL;
    int k = 0;
    for (; k < n; k++) {
        double quality;
        int pivot = choose_pivot(e, &quality);
        if (pivot == NONE)
            break;
        e->weakest = fmin(e->weakest, quality);
        eliminate(e, k, pivot);
    }
    if (k == n)
        f = make_tables(e, nnz);
    arena_free(e->local);
    return f;
}

void static_lu_factor(const StaticLu *f, double *entry, double *inverse)
{
    memset(entry + f->nnz, 0, (size_t)(f->nentry - f->nnz) * sizeof(double));
    const int *target = f->target;
    for (int k = 0; k < f->n; k++) {
        double inv = inverse[k] = 1 / entry[f->pivot[k]];
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++) {
            double m = entry[f->l[i]] *= inv;
            for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++)
                entry[*target++] -= m * entry[f->u[j]];
        }
    }
}

void static_lu_solve(const StaticLu *f, const double *entry,
                     const double *inverse, double *rhs, double *x)
{
    for (int k = 0; k < f->n; k++) {
        double b = rhs[f->row[k]];
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++)
            rhs[f->lrow[i]] -= entry[f->l[i]] * b;
    }
    for (int k = f->n - 1; k >= 0; k--) {
        double b = rhs[f->row[k]];
        for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++)
            b -= entry[f->u[j]] * x[f->ucol[j]];
        x[f->col[k]] = b * inverse[k];
    }
}
