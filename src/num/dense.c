/* dense.c - small dense matrices, in one order of summation.
 *
 * Zeros are skipped: the matrices of models have many, and so our loops keep
 * up with a BLAS on what takt gives them.
 *
 * Scaling is that of Curtis and Reid (J. Inst. Maths Applics 10, 1972): the
 * factors that bring the logarithms of all entries nearest to 0 in the sense
 * of least squares. Unlike a division by the largest entries it does not
 * depend on the units the matrix came in. Factors are powers of two, which
 * round nothing: the rank found is that of the matrix given.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/dense.h"

#include <limits.h>
#include <math.h>

#include "base/arena.h"
#include "base/die.h"
#include "num/dense_internal.h"
#include "num/eigen.h"

#define SWEEPS 200 /* a few suffice unless the matrix is very sparse */

/* nrow * ncol. These functions are for blocks of a model, not for models. */
static int entries(int nrow, int ncol)
{
    if (nrow > 0 && ncol > INT_MAX / 8 / nrow)
        die("out of memory: a dense matrix of %d rows and %d columns", nrow,
            ncol);
    return nrow * ncol;
}

bool dense_is_finite(int nrow, int ncol, const double *a)
{
    int n = entries(nrow, ncol);
    for (int i = 0; i < n; i++) {
        if (!isfinite(a[i]))
            return false;
    }
    return true;
}

/* ---- LU ---- */
#define REAL    double
#define NAME(x) x##_double
#define ABS     fabs
#include "num/lu_body.h"

bool dense_lu_factor(int n, double *a, int *pivot)
{
    return dense_is_finite(n, n, a) && factor_double(n, a, pivot);
}

void dense_lu_solve(int n, const double *lu, const int *pivot, double *rhs,
                    int nrhs)
{
    if (!dense_is_finite(n, nrhs, rhs))
        return; /* NaN stays NaN */
    for (int j = 0; j < nrhs; j++)
        solve_one_double(n, lu, pivot, rhs + (size_t)j * (size_t)n);
}

double dense_norm(int nrow, int ncol, const double *a)
{
    double norm = 0;
    for (int j = 0; j < ncol; j++) {
        double sum = 0;
        for (int i = 0; i < nrow; i++)
            sum += fabs(a[i + j * nrow]);
        norm = fmax(norm, sum);
    }
    return norm;
}

double dense_lu_rcond(int n, const double *lu, const int *pivot, double norm)
{
    if (n == 0)
        return 1;
    if (!isfinite(norm) || !dense_is_finite(n, n, lu))
        return 0;
    Arena *local = arena_new();
    double *x = NEW_ARRAY(local, double, n);
    double inverse = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            x[i] = i == j;
        solve_one_double(n, lu, pivot, x);
        inverse = fmax(inverse, dense_norm(n, 1, x));
        if (!dense_is_finite(n, 1, x))
            inverse = INFINITY;
    }
    arena_free(local);
    return 1 / inverse / norm;
}

/* ---- scaling ---- */
/* log2 |a|, and NaN for zeros, which have no say. */
static double *logarithms(int n, const double *a, Arena *local)
{
    double *log = NEW_ARRAY(local, double, n);
    for (int i = 0; i < n; i++)
        log[i] = a[i] == 0 ? (double)NAN : log2(fabs(a[i]));
    return log;
}

/* Sets mine[i] to what brings the mean of line i to 0 when the lines across it
 * have the exponents other[]; entry k of line i stands at log[i * step +
 * k * stride]. Returns the largest change. */
static double balance(const double *log, int count, int step, int length,
                      int stride, double *mine, const double *other)
{
    double change = 0;
    for (int i = 0; i < count; i++) {
        double sum = 0;
        int n = 0;
        for (int k = 0; k < length; k++) {
            double l = log[i * step + k * stride];
            if (isnan(l))
                continue;
            sum += l + other[k];
            n++;
        }
        double now = n ? -sum / n : 0;
        change = fmax(change, fabs(now - mine[i]));
        mine[i] = now;
    }
    return change;
}

static void to_powers(int n, double *exponent)
{
    for (int i = 0; i < n; i++)
        exponent[i] = exp2(fmax(-500, fmin(500, round(exponent[i]))));
}

void dense_scale(int nrow, int ncol, double *a, double *row, double *col)
{
    Arena *local = arena_new();
    double *log = logarithms(entries(nrow, ncol), a, local);
    for (int i = 0; i < nrow; i++)
        row[i] = 0;
    for (int j = 0; j < ncol; j++)
        col[j] = 0;
    for (int k = 0; k < SWEEPS; k++) {
        double change = balance(log, nrow, 1, ncol, nrow, row, col);
        change = fmax(change, balance(log, ncol, nrow, nrow, 1, col, row));
        if (change < 0.25)
            break;
    }
    to_powers(nrow, row);
    to_powers(ncol, col);
    for (int j = 0; j < ncol; j++) {
        for (int i = 0; i < nrow; i++)
            a[i + j * nrow] *= row[i] * col[j];
    }
    arena_free(local);
}

/* ---- null vectors ---- */
/* A scaled copy. */
static double *scaled(int nrow, int ncol, const double *a, double *col,
                      Arena *local)
{
    double *copy = NEW_ARRAY(local, double, entries(nrow, ncol));
    double *row = NEW_ARRAY(local, double, nrow);
    if (nrow > 0 && ncol > 0)
        memcpy(copy, a, (size_t)nrow * (size_t)ncol * sizeof *copy);
    dense_scale(nrow, ncol, copy, row, col);
    return copy;
}

/* Exchanges rows k and i, columns k and j of `a`; `order` follows the columns.
 */
static void exchange(int nrow, int ncol, double *a, int k, int i, int j,
                     int *order)
{
    for (int c = 0; c < ncol && i != k; c++) {
        double held = a[k + c * nrow];
        a[k + c * nrow] = a[i + c * nrow];
        a[i + c * nrow] = held;
    }
    for (int r = 0; r < nrow && j != k; r++) {
        double held = a[r + k * nrow];
        a[r + k * nrow] = a[r + j * nrow];
        a[r + j * nrow] = held;
    }
    int held = order[k];
    order[k] = order[j];
    order[j] = held;
}

/* Eliminates with the largest entry of what is left as the pivot, until it is
 * below `tolerance` times the first; returns how many pivots there were. The
 * first rows of `a` are then a triangle, and the rest of these rows. */
static int eliminate(int nrow, int ncol, double *a, double tolerance,
                     int *order)
{
    double first = 0;
    for (int k = 0; k < nrow && k < ncol; k++) {
        int row = k, col = k;
        for (int j = k; j < ncol; j++)
            for (int i = k; i < nrow; i++)
                if (fabs(a[i + j * nrow]) > fabs(a[row + col * nrow])) {
                    row = i;
                    col = j;
                }
        double pivot = a[row + col * nrow];
        first = k == 0 ? fabs(pivot) : first;
        if (fabs(pivot) <= tolerance * first)
            return k;
        exchange(nrow, ncol, a, k, row, col, order);
        for (int i = k + 1; i < nrow; i++) {
            double factor = a[i + k * nrow] / pivot;
            for (int j = k; j < ncol && factor != 0; j++)
                a[i + j * nrow] -= factor * a[k + j * nrow];
        }
    }
    return nrow < ncol ? nrow : ncol;
}

/* The vector with a 1 for column `free` of the triangle of `rank` rows, times
 * the column factors, with largest entry 1. */
static void take_null_vector(int nrow, int ncol, const double *a, int rank,
                             int free, const int *order, const double *col,
                             double *v)
{
    for (int j = 0; j < ncol; j++)
        v[j] = 0;
    v[order[free]] = 1;
    for (int k = rank - 1; k >= 0; k--) {
        double sum = a[k + free * nrow];
        for (int j = k + 1; j < rank; j++)
            sum += a[k + j * nrow] * v[order[j]];
        v[order[k]] = -sum / a[k + k * nrow];
    }
    double size = 0, sign = 1;
    for (int j = 0; j < ncol; j++) {
        v[j] *= col[j];
        if (fabs(v[j]) > size) {
            size = fabs(v[j]);
            sign = v[j] < 0 ? -1 : 1;
        }
    }
    for (int j = 0; j < ncol && size > 0; j++)
        v[j] *= sign / size;
}

int dense_null(int nrow, int ncol, const double *a, double tolerance,
               double *null)
{
    if (!dense_is_finite(nrow, ncol, a))
        return -1;
    Arena *local = arena_new();
    double *col = NEW_ARRAY(local, double, ncol + 1);
    int *order = NEW_ARRAY(local, int, ncol + 1);
    double *copy = scaled(nrow, ncol, a, col, local);
    for (int j = 0; j < ncol; j++)
        order[j] = j;
    int rank = eliminate(nrow, ncol, copy, tolerance, order);
    for (int j = rank; j < ncol; j++)
        take_null_vector(nrow, ncol, copy, rank, j, order, col,
                         null + (size_t)(j - rank) * (size_t)ncol);
    arena_free(local);
    return ncol - rank;
}

/* ---- norm ---- */
/* How many eigenvalues of a symmetric tridiagonal matrix are above x: the
 * number of positive pivots of an elimination of x off its diagonal. */
static int count_above(int n, const double *t, double x)
{
    int count = 0;
    double pivot = 1;
    for (int i = 0; i < n; i++) {
        double side = i == 0 ? 0 : t[i + (i - 1) * n];
        pivot = t[i + i * n] - x - side * side / pivot;
        if (pivot == 0)
            pivot = -1e-300;
        count += pivot > 0;
    }
    return count;
}

double dense_norm_2(int nrow, int ncol, const double *a)
{
    double scale = dense_norm(nrow, ncol, a);
    if (ncol == 0 || scale == 0)
        return 0;
    if (!isfinite(scale))
        return INFINITY;
    Arena *local = arena_new();
    double *square = NEW_ARRAY(local, double, entries(ncol, ncol));
    for (int j = 0; j < ncol; j++)
        for (int i = 0; i <= j; i++) {
            double sum = 0;
            for (int k = 0; k < nrow; k++)
                sum += a[k + i * nrow] / scale * (a[k + j * nrow] / scale);
            square[i + j * ncol] = square[j + i * ncol] = sum;
        }
    eigen_hessenberg(ncol, square);
    double low = 0, high = dense_norm(ncol, ncol, square) * (1 + 1e-12);
    for (int i = 0; i < 100 && high - low > 1e-15 * high; i++) {
        double mid = (low + high) / 2;
        if (count_above(ncol, square, mid) > 0)
            low = mid;
        else
            high = mid;
    }
    arena_free(local);
    return scale * sqrt(high);
}

/* ---- eigenvalues ---- */
bool dense_eigenvalues(int n, double *a, double *re, double *im)
{
    return dense_is_finite(n, n, a) && eigen_values(n, a, re, im);
}

double dense_spectral_radius(int n, double *a)
{
    Arena *work = arena_new();
    double *re = NEW_ARRAY(work, double, 2 * n + 1), *im = re + n;
    double most = 0;
    if (!dense_eigenvalues(n, a, re, im))
        most = INFINITY;
    for (int i = 0; i < n && most < INFINITY; i++)
        most = fmax(most, hypot(re[i], im[i]));
    arena_free(work);
    return most;
}
