/* select_basis.c - what is independent at all points. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "array/select_internal.h"

static const double TIE = 1e-6; /* as good as another one */

double select_project(const Basis *b, int p, double *v)
{
    double before = 0, after = 0;
    for (int i = 0; i < b->dim; i++)
        before += v[i] * v[i];
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < b->n; k++) {
            const double *q = b->q[p] + (size_t)k * (size_t)b->dim;
            double s = 0;
            for (int i = 0; i < b->dim; i++)
                s += q[i] * v[i];
            for (int i = 0; i < b->dim; i++)
                v[i] -= s * q[i];
        }
    }
    for (int i = 0; i < b->dim; i++)
        after += v[i] * v[i];
    if (b->by_size)
        return sqrt(after);
    return before > 0 ? sqrt(after / before) : 0;
}

/* Row `which` in the columns of x' and w. */
void select_row(const Choice *c, const Basis *b, int p, int which, double *v)
{
    (void)b;
    for (int j = c->n; j < c->ncol; j++)
        v[j - c->n] = *select_entry(c, p, which, j);
}

/* Column `which` in the rows of the system, or of the basis. */
void select_column(const Choice *c, const Basis *b, int p, int which, double *v)
{
    int n = 0;
    for (int i = 0; b && b->row && i < b->dim; i++)
        v[n++] = *select_entry(c, p, b->row[i], which);
    for (int i = 0; i < c->nrow && !(b && b->row); i++)
        if (c->in_system[i])
            v[n++] = *select_entry(c, p, i, which);
}

Basis select_basis_new(const Choice *c, int dim)
{
    Basis b = {.dim = dim};
    for (int p = 0; p < c->npoint; p++)
        b.q[p] = NEW_ARRAY(c->arena, double, (size_t)dim *(size_t)(dim + 1));
    return b;
}

/* How independent of the basis is it, at the worst point? */
double select_independence(const Choice *c, const Basis *b, Take *take,
                           int which, double *v)
{
    double least = INFINITY;
    for (int p = 0; p < c->npoint; p++) {
        take(c, b, p, which, v);
        least = fmin(least, select_project(b, p, v));
    }
    return least;
}

/* The vector v, which is no part of the basis, as its next one at point p. */
static void append(Basis *b, int p, const double *v)
{
    double norm = 0;
    for (int i = 0; i < b->dim; i++)
        norm += v[i] * v[i];
    norm = sqrt(norm);
    for (int i = 0; i < b->dim; i++)
        b->q[p][(size_t)b->n * (size_t)b->dim + (size_t)i] =
            norm > 0 ? v[i] / norm : 0;
}

void select_extend(const Choice *c, Basis *b, Take *take, int which, double *v)
{
    for (int p = 0; p < c->npoint; p++) {
        take(c, b, p, which, v);
        select_project(b, p, v);
        append(b, p, v);
    }
    b->n++;
}

bool select_extend_each(const Choice *c, Basis *b, const int *column, double *v)
{
    for (int p = 0; p < c->npoint; p++) {
        select_column(c, b, p, column[p], v);
        if (select_project(b, p, v) < INDEPENDENT)
            return false;
        append(b, p, v);
    }
    b->n++;
    return true;
}

/* How independent each of list[n] is. That falls as the basis grows, so what
 * was found earlier is a bound, and most are asked once only. */
typedef struct Bounds {
    double *at;
    bool *is_new; /* of the present basis */
    double *v;    /* for a vector */
} Bounds;

static double look_again(const Choice *c, const Basis *b, Take *take, int which,
                         Bounds *x, int i)
{
    if (!x->is_new[i])
        x->at[i] = select_independence(c, b, take, which, x->v);
    x->is_new[i] = true;
    return x->at[i];
}

/* The first of those that are as independent as the best one; NONE. */
static int find_best(const Choice *c, const Basis *b, Take *take,
                     const int *list, int n, double least, Bounds *x)
{
    int best = NONE;
    for (int i = 0; i < n; i++)
        x->is_new[i] = false;
    do {
        best = NONE;
        for (int i = 0; i < n; i++)
            if (list[i] != NONE && x->at[i] > least &&
                (best == NONE || x->at[i] > x->at[best]))
                best = i;
        if (best == NONE || x->is_new[best])
            break;
        look_again(c, b, take, list[best], x, best);
    } while (true);
    for (int i = 0; best != NONE && i < best; i++)
        if (list[i] != NONE && x->at[i] * (1 + TIE) >= x->at[best] &&
            look_again(c, b, take, list[i], x, i) * (1 + TIE) >= x->at[best])
            return i;
    return best;
}

/* Takes what is most independent out of list[n], one after the other, until
 * nothing is or `limit` vectors are in; taken ones become NONE. */
void select_take_best(Choice *c, Basis *b, Take *take, int *list, int n,
                      int limit, double least, int *out, int *nout)
{
    Bounds x = {NEW_ARRAY(c->arena, double, n + 1),
                NEW_ARRAY(c->arena, bool, n + 1),
                NEW_ARRAY(c->arena, double, b->dim + 1)};
    for (int i = 0; i < n; i++)
        x.at[i] = INFINITY;
    while (b->n < limit) {
        int best = find_best(c, b, take, list, n, least, &x);
        if (best == NONE)
            return;
        select_extend(c, b, take, list[best], x.v);
        out[(*nout)++] = list[best];
        list[best] = NONE;
    }
}

void select_take_columns(Choice *c, Basis *b, int limit, bool any_order,
                         bool *taken, int *out, int *nout)
{
    int *list = NEW_ARRAY(c->arena, int, c->ncol);
    b->by_size = any_order;
    for (int q = 1; q <= c->k + 1 && b->n < limit; q++) {
        int n = 0, end = any_order ? c->ncol : (q + 1) * c->n;
        for (int j = q * c->n; j < end; j++)
            if (!taken[j])
                list[n++] = j;
        select_take_best(c, b, select_column, list, n, limit, INDEPENDENT, out,
                         nout);
        for (int k = 0; k < *nout; k++)
            taken[out[k]] = true;
    }
}
