/* matrices.c - small pencils for the tests. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrices.h"

#include <assert.h>

PencilSet *pencil_rows(int n, int nx, int nsample, const double *df,
                       Arena *arena)
{
    size_t size = (size_t)n * (size_t)n;
    double *l = NEW_ARRAY(arena, double, size *(size_t)nsample);
    double *columns = NEW_ARRAY(arena, double, size *(size_t)nsample);
    for (int s = 0; s < nsample; s++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                size_t first = (size_t)s * size;
                l[first + (size_t)(i + j * n)] = i == j && i < nx;
                columns[first + (size_t)(i + j * n)] =
                    df[first + (size_t)(j + i * n)];
            }
    return pencil_from_dense(n, nx, nsample, l, columns, arena);
}

bool *keep_without(const PencilSet *p, int npair, const int (*pair)[2],
                   Arena *arena)
{
    bool *keep = NEW_ARRAY(arena, bool, p->nnz + 1);
    memset(keep, 1, (size_t)p->nnz);
    for (int k = 0; k < npair; k++) {
        int place = pencil_place(p, pair[k][0], pair[k][1]);
        assert(place != NONE);
        keep[place] = false;
    }
    return keep;
}

bool is_kept(const PencilSet *p, const bool *keep, int i, int j)
{
    int place = pencil_place(p, i, j);
    return place != NONE && keep[place];
}

PencilSet *schiela_4_1(double alpha, double beta, double gamma, double eps,
                       Arena *arena)
{
    const double df[] = {
        alpha, 0, eps, 0, beta, 0, eps, 0, eps * eps / (alpha - gamma)};
    return pencil_rows(3, 2, 1, df, arena);
}
