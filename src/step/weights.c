/* weights.c - what 1 of a residual moves the unknowns of its block by.
 *
 * lower/cheap.c adds the residuals of a block to one number. What they mean is
 * seen in the matrices that were met along the run which chose the pivots: the
 * largest entry of a column of the inverse, each over the size that its unknown
 * had; the mean of the logarithms over some samples.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "num/dense.h"
#include "step/step_internal.h"

enum { MOST_INVERTED = 150, INVERTED_SAMPLES = 6 };

/* The inverse of a matrix with the pattern `jac`, by columns; false: it is
 * singular. */
static bool invert(const SchedJacobian *jac, const double *entry,
                   double *inverse, Arena *local)
{
    int n = jac->n;
    double *a = NEW_ARRAY(local, double, n *n + 1);
    int *pivot = NEW_ARRAY(local, int, n + 1);
    for (int j = 0; j < n; j++)
        for (int k = jac->start[j]; k < jac->start[j + 1]; k++)
            a[jac->row[k] + j * n] = entry[k];
    memset(inverse, 0, (size_t)(n * n) * sizeof(double));
    for (int i = 0; i < n; i++)
        inverse[i + i * n] = 1;
    if (!dense_lu_factor(n, a, pivot))
        return false;
    dense_lu_solve(n, a, pivot, inverse, n);
    return true;
}

/* max_j |column_j| / size of unknown j */
static double effect(const Inlined *d, const SchedBlock *b,
                     const double *column, const double *size)
{
    double most = 0;
    for (int j = 0; j < b->ntorn; j++) {
        int entry = b->torn[j];
        double unit = fmax(inlined_nominal(d, entry), size[entry]);
        most = fmax(most, fabs(column[j]) / unit);
    }
    return most;
}

double *pivots_weigh(const Inlined *d, const SchedBlock *b,
                     const double *sample, int nsample, const double *size,
                     Arena *arena)
{
    int n = b->ntorn, count = 0;
    if (n > MOST_INVERTED || n != b->jac.n || sched_nrow(b) != n)
        return NULL;
    Arena *local = arena_new();
    double *weight = NEW_ARRAY(arena, double, n + 1);
    double *inverse = NEW_ARRAY(local, double, n *n + 1);
    int every = nsample > INVERTED_SAMPLES ? nsample / INVERTED_SAMPLES : 1;
    for (int s = 0; s < nsample; s += every) {
        if (!invert(&b->jac, sample + s * b->jac.nnz, inverse, local))
            continue;
        count++;
        for (int i = 0; i < n; i++)
            weight[i] += log(effect(d, b, inverse + i * n, size) + 1e-30);
    }
    for (int i = 0; i < n; i++)
        weight[i] = exp(weight[i] / count);
    arena_free(local);
    return count > 0 ? weight : NULL;
}
