/* reduced.c - how often each row is differentiated. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/reduced.h"

#include <math.h>
#include <string.h>

#include "array/partition.h"
#include "base/lapack.h"

/* ---- rows ---- */

static int most_of(const int *x, int n)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

static int between(int x, int most)
{
    return x < 0 ? 0 : x > most ? most : x;
}

/* The order of each row of F_k by the offsets. A row x' = next between columns
 * of one variable goes as far as the variable does. */
static void limit_rows(const Array *a, int k, int *limit, Arena *local)
{
    int more = k - most_of(a->offsets->c, a->neqn);
    int *place = NEW_ARRAY(local, int, a->sys->nvar);
    for (int j = 0; j < a->neqn; j++)
        place[a->unknown[j]] = j;
    for (int r = 0; r < a->neqn; r++)
        limit[r] = between(more + a->offsets->c[r], k);
    for (int r = a->neqn; r < a->n; r++) {
        const ArrayColumn *c = &a->col[a->row[r].column];
        int order = a->offsets->d[place[c->var]];
        limit[r] = between(more + order - c->order - 1, k);
    }
}

/* Room for those of F_k; `limit` is not set. */
static ArrayRows *rows_new(const Array *a, int k, Arena *arena)
{
    ArrayRows *r = NEW(arena, ArrayRows);
    r->k = k;
    r->limit = NEW_ARRAY(arena, int, a->n);
    r->row = NEW_ARRAY(arena, int, (k + 1) * a->n);
    r->place = NEW_ARRAY(arena, int, (k + 1) * a->n);
    return r;
}

static void list_rows(const Array *a, ArrayRows *r)
{
    r->nrow = 0;
    for (int i = 0; i < (r->k + 1) * a->n; i++) {
        bool is_in = i / a->n <= r->limit[i % a->n];
        r->place[i] = is_in ? r->nrow : NONE;
        if (is_in)
            r->row[r->nrow++] = i;
    }
}

/* ---- numbers ---- */

typedef struct Test {
    Array *a;
    const ArrayIndex *x;
    const ArrayRows *rows;
    const bool *moves;
    double *jacobian, *copy;
} Test;

/* Columns n .. of the scaled Jacobian, those of x' that occur left out if
 * `rest`; the rank of what is there. */
static Rank rank_of(const Test *s, bool rest)
{
    int n = s->a->n, nrow = s->rows->nrow, ncol = (s->rows->k + 2) * n;
    size_t size = (size_t)nrow * (size_t)ncol;
    memcpy(s->copy, s->jacobian, size * sizeof *s->copy);
    for (int j = 0; j < n && rest; j++)
        if (s->moves[j])
            memset(s->copy + (size_t)(n + j) * (size_t)nrow, 0,
                   (size_t)nrow * sizeof *s->copy);
    return rank_find(nrow, n, ncol, s->copy, RANK_KEEP);
}

/* Scaled as F_k is (array_scale), then by the largest entries. */
static void scale(const Test *s)
{
    const Array *a = s->a;
    const ArrayRows *r = s->rows;
    int ncol = (r->k + 2) * a->n;
    double by_row[ARRAY_MOST + 2] = {1}, by_col[ARRAY_MOST + 3] = {1};
    for (int q = 1; q <= r->k + 1; q++) {
        by_row[q] = by_row[q - 1] * a->span / q;
        by_col[q] = by_col[q - 1] * q / a->span;
    }
    for (int j = 0; j < ncol; j++)
        for (int i = 0; i < r->nrow; i++)
            s->jacobian[(size_t)j * (size_t)r->nrow + (size_t)i] *=
                by_col[j / a->n] * a->col[j % a->n].nominal *
                by_row[r->row[i] / a->n];
    rank_scale(r->nrow, ncol, s->jacobian);
}

/* Do the rows say as much at this point? */
static bool serves_at(const Test *s, double t, const double *z, bool is_start)
{
    int moving = 0, a = s->a->n - s->x->states;
    for (int j = 0; j < s->a->n; j++)
        moving += s->moves[j];
    array_jacobian_rows(s->a, s->rows, t, z, NULL, s->jacobian);
    scale(s);
    Rank all = rank_of(s, false), rest = rank_of(s, true);
    if (all.rank == NONE || rest.rank == NONE)
        return !is_start; /* outside of the domain of a function */
    return !all.undecided && !rest.undecided && s->rows->nrow - all.rank == a &&
           all.rank == moving + rest.rank;
}

static bool serves(Test *s, Arena *arena)
{
    size_t size =
        (size_t)s->rows->nrow * (size_t)(s->rows->k + 2) * (size_t)s->a->n;
    double *z = NEW_ARRAY(arena, double, (s->x->k + 2) * s->a->n);
    s->jacobian = NEW_ARRAY(arena, double, size);
    s->copy = NEW_ARRAY(arena, double, size);
    unsigned seed = 5;
    bool fine = serves_at(s, s->x->time, s->x->z, true);
    for (int p = 0; p < INDEX_POINTS && fine; p++) {
        index_move_point(s->a, s->x, p > 0, 0.3, &seed, z);
        fine = serves_at(s, s->x->time, z, false);
    }
    return fine;
}

const ArrayRows *array_reduce(Array *a, const ArrayIndex *x, Arena *arena)
{
    int nu = x->uniform_index, n = a->n;
    const ArrayRows *found = NULL;
    if (nu < 1 || x->undecided || x->states == NONE || !a->offsets)
        return NULL;
    Arena *local = arena_new();
    Test s = {.a = a, .x = x, .moves = partition_moving(a, local)};
    for (int k = nu - 1; k <= nu && !found; k++) {
        for (int whole = 0; whole < 2 && !found && k + whole <= nu; whole++) {
            ArrayRows *r = rows_new(a, k, arena);
            for (int i = 0; i < n; i++)
                r->limit[i] = k;
            if (!whole)
                limit_rows(a, k, r->limit, local);
            list_rows(a, r);
            s.rows = r;
            if (r->nrow < (nu + 1) * n && serves(&s, local))
                found = r;
        }
    }
    a->rows = NULL; /* those that were tried may not be there any more */
    arena_free(local);
    return found;
}

/* ---- derivatives that are determined ---- */

/* The rows of the scaled [G_x' G_w] as columns; false: not finite. */
static bool take_transposed(Array *a, const ArrayIndex *x,
                            const ArrayRows *rows, int nrow, int nvw,
                            double *out, Arena *local)
{
    int n = a->n, k = rows ? rows->k : x->uniform_index;
    size_t size = (size_t)nrow * (size_t)(nvw + n);
    double *m = NEW_ARRAY(local, double, size);
    if (rows)
        array_jacobian_rows(a, rows, x->time, x->z, NULL, m);
    else
        array_jacobian(a, k, x->time, x->z, NULL, m);
    rank_scale(nrow, nvw + n, m);
    for (int j = 0; j < nvw; j++)
        for (int i = 0; i < nrow; i++) {
            double v = m[(size_t)(j + n) * (size_t)nrow + (size_t)i];
            if (!isfinite(v))
                return false;
            out[(size_t)i * (size_t)nvw + (size_t)j] = v;
        }
    return true;
}

bool array_known(Array *a, const ArrayIndex *x, const ArrayRows *rows,
                 bool *known)
{
    const double OWN = 1e-10; /* of a unit vector: beside the rows */
    Arena *local = arena_new();
    int n = a->n, k = rows ? rows->k : x->uniform_index;
    int nrow = rows ? rows->nrow : (k + 1) * n, nvw = (k + 1) * n;
    int rank = rows ? nrow - (n - x->states) : x->level[k].all.rank;
    double *q = NEW_ARRAY(local, double, (size_t)nrow *(size_t)nvw);
    double *tau = NEW_ARRAY(local, double, nvw);
    lapack_int *pivot = NEW_ARRAY(local, lapack_int, nrow);
    bool fine =
        take_transposed(a, x, rows, nrow, nvw, q, local) &&
        lapack()->dgeqp3(LAPACK_COL_MAJOR, nvw, nrow, q, nvw, pivot, tau) ==
            0 &&
        lapack()->dorgqr(LAPACK_COL_MAJOR, nvw, rank, rank, q, nvw, tau) == 0;
    for (int j = 0; j < nvw && fine; j++) {
        double inside = 0;
        for (int i = 0; i < rank; i++) {
            double v = q[(size_t)i * (size_t)nvw + (size_t)j];
            inside += v * v;
        }
        known[n + j] = 1 - inside < OWN;
    }
    arena_free(local);
    return fine;
}
