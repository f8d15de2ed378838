/* svd.c - singular values by rotations of columns.
 *
 * One-sided Jacobi (Hestenes 1958; Golub and Van Loan, 8.6.3): pairs of columns
 * are turned until all stand at right angles; their lengths are then the
 * singular values. Small ones keep their digits. The order of all sums is ours,
 * so the result is the same on every machine.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base/arena.h"
#include "num/dense.h"
#include "num/dense_internal.h"

enum { MOST_SWEEPS = 60 };

/* Four sums side by side: the processor need not wait for each. */
static double product(int n, const double *x, const double *y)
{
    double s[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            s[k] += x[i + k] * y[i + k];
    for (; i < n; i++)
        s[0] += x[i] * y[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static void turn(int n, double *x, double *y, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double t = x[i];
        x[i] = c * t - s * y[i];
        y[i] = s * t + c * y[i];
    }
}

/* Turns columns p and q of a (and of v) to right angles; false if they stand
 * so already. `square` are the squares of the lengths; a column shorter than
 * `least` is rounding, has no direction, and stands right. */
static bool turn_pair(int n, double *a, double *v, int p, int q, double *square,
                      double least)
{
    double *x = a + (size_t)p * (size_t)n, *y = a + (size_t)q * (size_t)n;
    double xlong = sqrt(square[p]), ylong = sqrt(square[q]);
    if (xlong <= least || ylong <= least)
        return false;
    double xy = product(n, x, y);
    if (fabs(xy) <= n * DBL_EPSILON * xlong * ylong)
        return false;
    double zeta = (square[q] - square[p]) / (2 * xy);
    double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + hypot(1, zeta));
    double c = 1 / hypot(1, t), s = c * t;
    turn(n, x, y, c, s);
    turn(n, v + (size_t)p * (size_t)n, v + (size_t)q * (size_t)n, c, s);
    square[p] = product(n, x, x);
    square[q] = product(n, y, y);
    return true;
}

/* The columns in order of their lengths, longest first. */
static void sort_columns(int n, const double *square, int *order)
{
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && square[order[at - 1]] < square[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

bool dense_svd(int n, double *a, double *s, double *u, double *v)
{
    if (!dense_is_finite(n, n, a))
        return false;
    Arena *local = arena_new();
    size_t size = (size_t)n * (size_t)n;
    double *turned = NEW_ARRAY(local, double, size + 1);
    double *square = NEW_ARRAY(local, double, n + 1);
    int *order = NEW_ARRAY(local, int, n + 1);
    double most = 0;
    for (int j = 0; j < n; j++) {
        const double *x = a + (size_t)j * (size_t)n;
        turned[j + (size_t)j * (size_t)n] = 1;
        square[j] = product(n, x, x);
        most = fmax(most, square[j]);
    }
    double least = n * DBL_EPSILON * sqrt(most);
    bool is_done = false;
    for (int sweep = 0; sweep < MOST_SWEEPS && !is_done; sweep++) {
        is_done = true;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (turn_pair(n, a, turned, p, q, square, least))
                    is_done = false;
    }
    sort_columns(n, square, order);
    for (int k = 0; k < n; k++) {
        const double *x = a + (size_t)order[k] * (size_t)n;
        const double *w = turned + (size_t)order[k] * (size_t)n;
        s[k] = sqrt(square[order[k]]);
        for (int i = 0; i < n; i++) {
            u[i + (size_t)k * (size_t)n] = s[k] > 0 ? x[i] / s[k] : 0;
            v[i + (size_t)k * (size_t)n] = w[i];
        }
    }
    arena_free(local);
    return is_done;
}
