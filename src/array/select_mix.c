/* select_mix.c - derivatives that stand for others too.
 *
 * Where rows mix derivatives and the mixture turns on the way, every choice of
 * columns may be singular somewhere. Combinations with constant factors then
 * take their place: the space of derivatives that is nearest to what the rows
 * see at all points together. Some of its columns are unknowns, in the others
 * these stand with their factors instead of 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "array/select_internal.h"
#include "base/lapack.h"

static const double NO_FACTOR = 0.02; /* factors below this are 0 */

typedef struct Mix {
    int n, *col;   /* columns of x' and w that are not taken */
    int want;      /* unknowns among them */
    double *sum;   /* n * n: projectors on what the rows see, of all points */
    double *space; /* n * want */
} Mix;

/* Adds what the rows see of the columns at point p, beside the basis. */
static bool add_point(const Choice *c, const Basis *b, int p, Mix *x)
{
    int m = b->dim, n = x->n, least = m < n ? m : n;
    double *a = NEW_ARRAY(c->arena, double, (size_t)m *(size_t)n);
    double *vt = NEW_ARRAY(c->arena, double, (size_t)least *(size_t)n);
    double *sigma = NEW_ARRAY(c->arena, double, least);
    double *work = NEW_ARRAY(c->arena, double, least);
    if (least < x->want)
        return false;
    for (int j = 0; j < n; j++) {
        double *v = a + (size_t)j * (size_t)m;
        select_column(c, NULL, p, x->col[j], v);
        select_project(b, p, v);
    }
    if (lapack()->dgesvd(LAPACK_COL_MAJOR, 'N', 'S', m, n, a, m, sigma, NULL, 1,
                         vt, least, work) ||
        !(sigma[x->want - 1] > INDEPENDENT * sigma[0]))
        return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < x->want; k++)
                x->sum[i * n + j] += vt[(size_t)i * (size_t)least + (size_t)k] *
                                     vt[(size_t)j * (size_t)least + (size_t)k];
    return true;
}

/* Its leading eigenvectors: the space. */
static bool find_space(const Choice *c, Mix *x)
{
    double *value = NEW_ARRAY(c->arena, double, x->n);
    if (lapack()->dsyev(LAPACK_COL_MAJOR, 'V', 'U', x->n, x->sum, x->n, value))
        return false;
    x->space = NEW_ARRAY(c->arena, double, (size_t)x->n *(size_t)x->want);
    for (int k = 0; k < x->want; k++)
        for (int i = 0; i < x->n; i++)
            x->space[i * x->want + k] = x->sum[(x->n - 1 - k) * x->n + i];
    return true;
}

/* Row `row` of the space becomes that of unknown k: a multiple of one column of
 * it is taken from the others. */
static void make_unknown(Mix *x, int row, int k)
{
    int w = x->want, best = k;
    for (int j = k; j < w; j++)
        if (fabs(x->space[row * w + j]) > fabs(x->space[row * w + best]))
            best = j;
    double pivot = x->space[row * w + best];
    for (int i = 0; i < x->n; i++) {
        double *s = x->space + (size_t)i * (size_t)w, v = s[best] / pivot;
        s[best] = s[k];
        s[k] = v;
    }
    for (int j = 0; j < w; j++) {
        double f = j == k ? 0 : x->space[row * w + j];
        for (int i = 0; i < x->n && f != 0; i++)
            x->space[i * w + j] -= f * x->space[i * w + k];
    }
}

/* The row that is largest in the columns of the space from k on. */
static int find_row(const Mix *x, int k, const bool *used)
{
    int best = NONE;
    double most = 0;
    for (int i = 0; i < x->n; i++) {
        double size = 0;
        for (int j = k; j < x->want; j++)
            size = fmax(size, fabs(x->space[i * x->want + j]));
        if (!used[i] && size > most * (1 + 1e-6)) {
            most = size;
            best = i;
        }
    }
    return best;
}

static double rounded(double factor)
{
    return fabs(factor) < NO_FACTOR ? 0 : round(factor * 100) / 100;
}

bool select_mix(Choice *c, const Basis *b, bool *taken)
{
    Mix x = {.col = NEW_ARRAY(c->arena, int, c->ncol), .want = b->dim - b->n};
    for (int j = c->n; j < c->ncol; j++)
        if (!taken[j])
            x.col[x.n++] = j;
    x.sum = NEW_ARRAY(c->arena, double, (size_t)x.n *(size_t)x.n);
    for (int p = 0; p < c->npoint; p++)
        if (x.want < 1 || !add_point(c, b, p, &x))
            return false;
    if (!find_space(c, &x))
        return false;
    bool *used = NEW_ARRAY(c->arena, bool, x.n);
    int *unknown = NEW_ARRAY(c->arena, int, x.want);
    for (int k = 0; k < x.want; k++) {
        unknown[k] = find_row(&x, k, used);
        if (unknown[k] == NONE)
            return false;
        used[unknown[k]] = true;
        make_unknown(&x, unknown[k], k);
    }
    size_t n = (size_t)c->ncol;
    c->mix = NEW_ARRAY(c->arena, double, n *n);
    for (int k = 0; k < x.want; k++) {
        taken[x.col[unknown[k]]] = true;
        for (int i = 0; i < x.n; i++)
            if (!used[i])
                c->mix[(size_t)x.col[i] * n + (size_t)x.col[unknown[k]]] =
                    rounded(x.space[i * x.want + k]);
    }
    return true;
}
