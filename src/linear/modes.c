/* modes.c - eigenvalues of A, and the part that states have in them.
 *
 * Small matrices, which nearly all models have, are done by num/eigen.h: the
 * same on every machine, and done before LAPACK were loaded. Large ones are
 * LAPACK's.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/lapack.h"
#include "linear/linear.h"
#include "num/eigen.h"

enum {
    SMALL = 12
}; /* states; at forty looks of a run loading LAPACK takes longer */

/* ---- order ---- */

typedef struct Mode {
    double re, im;
    double key; /* the real part in multiples of what rounding may change */
    int index;
} Mode;

static int by_place(const void *x, const void *y)
{
    const Mode *a = x, *b = y;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    if (fabs(a->im) != fabs(b->im))
        return fabs(a->im) > fabs(b->im) ? -1 : 1;
    if (a->im != b->im)
        return a->im > b->im ? -1 : 1;
    return a->index - b->index;
}

/* The order in which they are found depends on how it went. */
static void sort_modes(Linear *l)
{
    Arena *work = arena_new();
    size_t n = (size_t)l->nx;
    Mode *mode = NEW_ARRAY(work, Mode, n);
    double *share = NEW_ARRAY(work, double, n *n);
    double most = 0;
    memcpy(share, l->share, n * n * sizeof *share);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, hypot(l->re[i], l->im[i]));
    for (size_t i = 0; i < n; i++)
        mode[i] =
            (Mode){l->re[i], l->im[i],
                   most > 0 ? rint(l->re[i] / (1e-10 * most)) : 0, (int)i};
    qsort(mode, n, sizeof *mode, by_place);
    for (size_t i = 0; i < n; i++) {
        l->re[i] = mode[i].re;
        l->im[i] = mode[i].im;
        memcpy(l->share + i * n, share + (size_t)mode[i].index * n,
               n * sizeof *share);
    }
    arena_free(work);
}

/* ---- by LAPACK ---- */

/* Of a complex pair LAPACK gives real and imaginary part in two columns. */
static double modulus(const double *v, size_t n, size_t i, size_t k, double im)
{
    if (im == 0)
        return fabs(v[k + i * n]);
    size_t first = im > 0 ? i : i - 1;
    return hypot(v[k + first * n], v[k + (first + 1) * n]);
}

static bool modes_of_large(Linear *l, Arena *work)
{
    size_t n = (size_t)l->nx;
    double *a = NEW_ARRAY(work, double, n *n);
    double *left = NEW_ARRAY(work, double, n *n);
    double *right = NEW_ARRAY(work, double, n *n);
    memcpy(a, l->a, n * n * sizeof *a);
    int m = l->nx;
    int info = lapack()->dgeev(LAPACK_COL_MAJOR, 'V', 'V', m, a, m, l->re,
                               l->im, left, m, right, m);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        die("out of memory");
    for (size_t i = 0; info == 0 && i < n; i++)
        for (size_t k = 0; k < n; k++)
            l->share[k + i * n] = modulus(left, n, i, k, l->im[i]) *
                                  modulus(right, n, i, k, l->im[i]);
    return info == 0;
}

/* ---- by our own loops ---- */

/* A, balanced and with its rows and columns in the order `place`. */
static Wide *ordered(const Linear *l, int *place, Arena *work)
{
    size_t n = (size_t)l->nx;
    double *a = NEW_ARRAY(work, double, n *n);
    double *scale = NEW_ARRAY(work, double, n);
    Wide *out = NEW_ARRAY(work, Wide, n * n);
    memcpy(a, l->a, n * n * sizeof *a);
    eigen_balance(l->nx, a, scale);
    eigen_block_order(l->nx, a, place);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            out[i + j * n] = a[(size_t)place[i] + (size_t)place[j] * n];
    return out;
}

/* In a share the scales of the left and of the right vector cancel. */
static bool modes_of_small(Linear *l, Arena *work)
{
    size_t n = (size_t)l->nx;
    Schur s;
    int *place = NEW_ARRAY(work, int, n);
    WideComplex *right = NEW_ARRAY(work, WideComplex, n);
    WideComplex *left = NEW_ARRAY(work, WideComplex, n);
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(l->a[i]))
            return false;
    if (!eigen_schur(l->nx, ordered(l, place, work), &s, work))
        return false;
    for (size_t i = 0; i < n; i++) {
        l->re[i] = (double)creall(s.t[i + i * n]);
        l->im[i] = (double)cimagl(s.t[i + i * n]);
        eigen_vectors(&s, (int)i, right, left);
        for (size_t k = 0; k < n; k++)
            l->share[(size_t)place[k] + i * n] =
                (double)(cabsl(left[k]) * cabsl(right[k]));
    }
    return true;
}

bool linear_modes(Linear *l, Arena *arena)
{
    size_t n = (size_t)l->nx;
    l->re = NEW_ARRAY(arena, double, n + 1);
    l->im = NEW_ARRAY(arena, double, n + 1);
    l->share = NEW_ARRAY(arena, double, n *n + 1);
    if (n == 0)
        return true;
    Arena *work = arena_new();
    bool fine = n <= SMALL ? modes_of_small(l, work) : modes_of_large(l, work);
    arena_free(work);
    for (size_t i = 0; fine && i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += l->share[k + i * n];
        for (size_t k = 0; sum > 0 && k < n; k++)
            l->share[k + i * n] /= sum;
    }
    if (fine)
        sort_modes(l);
    return fine;
}

const char *linear_mode_states(const Linear *l, int i, Arena *arena)
{
    const double *share = l->share + (size_t)i * (size_t)l->nx;
    const char *text = "";
    double bound = INFINITY, most = 0;
    int last = NONE;
    for (int n = 0; n < 5; n++) {
        int best = NONE;
        for (int k = 0; k < l->nx; k++) {
            bool is_behind =
                share[k] < bound || (share[k] == bound && k > last);
            if (is_behind && (best == NONE || share[k] > share[best]))
                best = k;
        }
        if (best == NONE || share[best] < 0.2 * most)
            break;
        most = n == 0 ? share[best] : most;
        bound = share[best];
        last = best;
        text = n == 0 ? l->x[best]
                      : arena_printf(arena, "%s, %s", text, l->x[best]);
    }
    return text;
}
