/* partition.c - coordinates by QR of the array, order by order. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/partition.h"

#include <math.h>

#include "base/lapack.h"

static const double INDEPENDENT = 1e-9; /* what is left of a column, a pivot */
static const double CLEAR = 1e-6;       /* of one that is preferred */
static const double NOTHING = 1e-13;    /* of the largest: rounding */

typedef struct Chooser {
    Array *a;
    const ArrayIndex *x;
    const ArrayRows *rows; /* NULL: all */
    int last;              /* highest order */
    double t;
    const double *z;
    bool *is_first;
    int nfirst;
    bool *moves;
    int *level; /* order at which x_j occurs in a constraint first */
    Arena *arena;
} Chooser;

/* The constraints of F_k: a rows, by columns of x. */
typedef struct Constraints {
    int a;
    double *x2; /* a * n */
} Constraints;

bool *partition_moving(const Array *a, Arena *arena)
{
    bool *moves = NEW_ARRAY(arena, bool, a->n);
    for (int i = 0; i < a->nentry; i++)
        if (a->entry[i].is_der)
            moves[a->entry[i].col] = true;
    return moves;
}

/* ---- constraints ---- */

static bool are_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* The rank of [G_x' G_w] is known at the order of the index; before, it may
 * change on the way, and the pivots tell. */
static int rank_of(const Chooser *c, int k, const double *r, int nrow, int n)
{
    int rank = 0;
    bool is_whole = nrow == (k + 1) * c->a->n;
    if (k == c->last && c->rows)
        return nrow - (c->a->n - c->x->states);
    if (is_whole && (k == c->last || c->x->level[k].is_constant))
        return c->x->level[k].all.rank;
    int most = nrow < n ? nrow : n;
    while (rank < most && fabs(r[(size_t)rank * (size_t)(nrow + 1)]) >
                              INDEPENDENT * fabs(r[0]))
        rank++;
    return rank;
}

/* The Jacobian of F_k, or of its rows that take part, in place; returns their
 * number. */
static int keep_rows(const Chooser *c, int k, double *j)
{
    int n = c->a->n, all = (k + 1) * n, nrow = 0;
    int *row = NEW_ARRAY(c->arena, int, all);
    for (int i = 0; i < all; i++)
        if (!c->rows || i / n <= c->rows->limit[i % n])
            row[nrow++] = i;
    for (int col = 0; col < (k + 2) * n; col++)
        for (int i = 0; i < nrow; i++)
            j[(size_t)col * (size_t)nrow + (size_t)i] =
                j[(size_t)col * (size_t)all + (size_t)row[i]];
    return nrow;
}

/* The largest entry of each row becomes 1. */
static void scale_rows(int nrow, int ncol, double *j)
{
    for (int i = 0; i < nrow; i++) {
        double most = 0;
        for (int col = 0; col < ncol; col++)
            most = fmax(most, fabs(j[(size_t)col * (size_t)nrow + (size_t)i]));
        for (int col = 0; col < ncol && most > 0; col++)
            j[(size_t)col * (size_t)nrow + (size_t)i] /= most;
    }
}

/* QR of [G_x' G_w] with pivoting, its Q^T applied to G_x. */
static bool find_constraints(Chooser *c, int k, Constraints *out)
{
    int n = c->a->n, nvw = (k + 1) * n;
    double *j = NEW_ARRAY(c->arena, double, (size_t)nvw *(size_t)(nvw + n));
    double *tau = NEW_ARRAY(c->arena, double, nvw);
    lapack_int *pivot = NEW_ARRAY(c->arena, lapack_int, nvw);
    array_jacobian(c->a, k, c->t, c->z, NULL, j);
    array_scale(c->a, k, j);
    int nrow = keep_rows(c, k, j), least = nrow < nvw ? nrow : nvw;
    scale_rows(nrow, nvw + n, j);
    size_t size = (size_t)nrow * (size_t)(nvw + n);
    double *gx = j, *gvw = j + (size_t)n * (size_t)nrow;
    if (!are_finite(j, size) ||
        lapack()->dgeqp3(LAPACK_COL_MAJOR, nrow, nvw, gvw, nrow, pivot, tau) ||
        lapack()->dormqr(LAPACK_COL_MAJOR, 'L', 'T', nrow, n, least, gvw, nrow,
                         tau, gx, nrow))
        return false;
    int rank = rank_of(c, k, gvw, nrow, nvw);
    out->a = nrow - rank;
    out->x2 = NEW_ARRAY(c->arena, double, out->a *n + 1);
    for (int col = 0; col < n; col++)
        for (int i = 0; i < out->a; i++)
            out->x2[col * out->a + i] =
                gx[(size_t)col * (size_t)nrow + (size_t)(rank + i)];
    return true;
}

/* ---- columns ---- */

static double norm_of(const Constraints *k, int j)
{
    double sum = 0;
    for (int i = 0; i < k->a; i++)
        sum += k->x2[j * k->a + i] * k->x2[j * k->a + i];
    return sqrt(sum);
}

/* Takes the direction of column j out of all others. */
static void sweep(const Constraints *k, int n, int j)
{
    const double *v = k->x2 + j * k->a;
    double norm = norm_of(k, j);
    for (int c = 0; c < n && norm > 0; c++) {
        double *x = k->x2 + c * k->a, s = 0;
        for (int i = 0; i < k->a; i++)
            s += v[i] / norm * x[i];
        for (int i = 0; i < k->a && c != j; i++)
            x[i] -= s * v[i] / norm;
    }
}

/* Variables without derivatives before all others, whatever their coefficients
 * are: as coordinates they have nothing that could be integrated. Then those
 * that are new here. `left` is what is left of the column beside what it was.
 */
static double weight(const Chooser *c, int j, int order, double left)
{
    if (!c->moves[j])
        return left > CLEAR ? 1e30 : 1e-2;
    return c->level[j] >= order ? 1 : 1e-2;
}

static void pick_columns(Chooser *c, const Constraints *k, int order)
{
    int n = c->a->n;
    double *whole = NEW_ARRAY(c->arena, double, n), largest = 0;
    for (int j = 0; j < n; j++) {
        whole[j] = norm_of(k, j);
        largest = fmax(largest, whole[j]);
        if (whole[j] > INDEPENDENT && c->level[j] == NONE)
            c->level[j] = order;
    }
    for (int j = 0; j < n; j++)
        if (c->is_first[j])
            sweep(k, n, j);
    while (c->nfirst < k->a) {
        int best = NONE;
        double most = 0;
        for (int j = 0; j < n; j++) {
            double x = norm_of(k, j);
            double left = whole[j] > NOTHING * largest ? x / whole[j] : 0;
            double worth = x * weight(c, j, order, left);
            if (c->is_first[j] || !(x > INDEPENDENT * whole[j]) ||
                !(worth > most))
                continue;
            most = worth;
            best = j;
        }
        if (best == NONE)
            return;
        c->is_first[best] = true;
        c->nfirst++;
        sweep(k, n, best);
    }
}

/* With the constraints of orders from .. on. Returns whether x1 is complete. */
static bool choose_from(Chooser *c, int from)
{
    Constraints now = {0};
    c->nfirst = 0;
    for (int j = 0; j < c->a->n; j++) {
        c->is_first[j] = false;
        c->level[j] = NONE;
    }
    for (int k = from; k <= c->last; k++) {
        if (!find_constraints(c, k, &now))
            return false;
        pick_columns(c, &now, k);
    }
    return c->nfirst == now.a;
}

bool partition_choose(Array *a, const ArrayIndex *x, const ArrayRows *rows,
                      double t, const double *z, bool *is_first)
{
    Chooser c = {.a = a,
                 .x = x,
                 .rows = rows,
                 .last = rows ? rows->k : x->uniform_index,
                 .t = t,
                 .z = z,
                 .is_first = is_first,
                 .arena = arena_new()};
    c.moves = partition_moving(a, c.arena);
    c.level = NEW_ARRAY(c.arena, int, a->n);
    /* what low orders choose may leave too little for the last one */
    bool fine = choose_from(&c, 0) || choose_from(&c, c.last);
    arena_free(c.arena);
    return fine;
}
