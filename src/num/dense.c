/* dense.c - small dense matrices by LAPACK.
 *
 * Scaling is that of Curtis and Reid (J. Inst. Maths Applics 10, 1972): the
 * factors that bring the logarithms of all entries nearest to 0 in the sense
 * of least squares. Unlike a division by the largest entries it does not
 * depend on the units the matrix came in. Factors are powers of two, which
 * round nothing: the rank found is that of the matrix given.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/dense.h"

#include <lapacke.h>
#include <limits.h>
#include <math.h>

#include "base/arena.h"
#include "base/die.h"

#define SWEEPS 200 /* a few suffice unless the matrix is very sparse */

/* nrow * ncol. These functions are for blocks of a model, not for models. */
static int entries(int nrow, int ncol)
{
    if (nrow > 0 && ncol > INT_MAX / 8 / nrow)
        die("out of memory: a dense matrix of %d rows and %d columns", nrow,
            ncol);
    return nrow * ncol;
}

static bool is_finite(int n, const double *a)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(a[i]))
            return false;
    }
    return true;
}

/* LAPACKE says by its result when it got no memory; other negative results
 * would be arguments of ours that make no sense. */
static int checked(lapack_int info)
{
    if (info == LAPACK_WORK_MEMORY_ERROR)
        die("out of memory: the machine has none for a dense matrix");
    if (info < 0)
        die("internal error: argument %d of a LAPACK function is wrong",
            (int)-info);
    return (int)info;
}

/* ---- LU ---- */
bool dense_lu_factor(int n, double *a, int *pivot)
{
    if (!is_finite(entries(n, n), a))
        return false;
    if (n == 0)
        return true;
    return checked(LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, a, n, pivot)) == 0;
}

void dense_lu_solve(int n, const double *lu, const int *pivot, double *rhs,
                    int nrhs)
{
    if (n == 0 || nrhs == 0 || !is_finite(entries(n, nrhs), rhs))
        return; /* nothing to do, and NaN stays NaN */
    checked(
        LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, nrhs, lu, n, pivot, rhs, n));
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

double dense_lu_rcond(int n, const double *lu, double norm)
{
    double rcond = 1;
    if (n == 0)
        return rcond;
    if (!isfinite(norm) || !is_finite(entries(n, n), lu))
        return 0;
    checked(LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, lu, n, norm, &rcond));
    return rcond;
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

/* ---- rank ---- */
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

/* Row k of vt, times the column factors, with largest entry 1. */
static void take_null_vector(int n, const double *vt, int k, const double *col,
                             double *v)
{
    double size = 0, sign = 1;
    for (int j = 0; j < n; j++) {
        v[j] = vt[k + j * n] * col[j];
        if (fabs(v[j]) > size) {
            size = fabs(v[j]);
            sign = v[j] < 0 ? -1 : 1;
        }
    }
    for (int j = 0; j < n && size > 0; j++)
        v[j] *= sign / size;
}

int dense_null(int nrow, int ncol, const double *a, double tolerance,
               double *null)
{
    if (!is_finite(entries(nrow, ncol), a))
        return -1;
    Arena *local = arena_new();
    int n = nrow < ncol ? nrow : ncol;
    double *col = NEW_ARRAY(local, double, ncol);
    double *copy = scaled(nrow, ncol, a, col, local);
    double *s = NEW_ARRAY(local, double, n + 1);
    double *u = NEW_ARRAY(local, double, entries(nrow, nrow));
    double *vt = NEW_ARRAY(local, double, entries(ncol, ncol));
    int count = -1;
    if (dense_svd(nrow, ncol, copy, s, u, vt)) {
        int rank = 0;
        while (rank < n && s[rank] > tolerance * s[0])
            rank++;
        count = ncol - rank;
        for (int k = 0; k < count; k++)
            take_null_vector(ncol, vt, rank + k, col, null + k * ncol);
    }
    arena_free(local);
    return count;
}

/* ---- singular values ---- */
static void set_identity(int n, double *a)
{
    for (int k = 0; a && k < n * n; k++)
        a[k] = k % (n + 1) == 0;
}

bool dense_svd(int nrow, int ncol, double *a, double *s, double *u, double *vt)
{
    if (!is_finite(entries(nrow, ncol), a))
        return false;
    if (nrow == 0 || ncol == 0) {
        set_identity(nrow, u);
        set_identity(ncol, vt);
        return true;
    }
    bool all = u && vt;
    double none; /* LAPACKE wants an address also where it writes nothing */
    return checked(LAPACKE_dgesdd(LAPACK_COL_MAJOR, all ? 'A' : 'N', nrow, ncol,
                                  a, nrow, s, all ? u : &none, nrow,
                                  all ? vt : &none, ncol)) == 0;
}

/* ---- eigenvalues ---- */
bool dense_eigenvalues(int n, double *a, double *re, double *im)
{
    if (!is_finite(entries(n, n), a))
        return false;
    if (n == 0)
        return true;
    return checked(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, re, im,
                                 NULL, 1, NULL, 1)) == 0;
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
