/* dae_set.c - the numbers that decide which candidates of a set are states. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "dae/dae.h"

#include <math.h>

/* Eliminates column `col` with the best of the rows that are left; false if it
 * is zero there. `width` is the length of a row. */
static bool eliminate(double *a, int nrow, int width, int col, bool *is_used)
{
    int pivot = NONE;
    for (int i = 0; i < nrow; i++) {
        if (!is_used[i] && (pivot == NONE || fabs(a[i * width + col]) >
                                                 fabs(a[pivot * width + col])))
            pivot = i;
    }
    if (pivot == NONE || !(fabs(a[pivot * width + col]) > 0))
        return false;
    is_used[pivot] = true;
    for (int i = 0; i < nrow; i++) {
        double f = is_used[i] ? 0 : a[i * width + col] / a[pivot * width + col];
        for (int j = 0; f != 0 && j < width; j++)
            a[i * width + j] -= f * a[pivot * width + j];
    }
    return true;
}

/* All columns are candidates. */
static void fill_matrix(const DaeStateSet *s, const double *entry, double *out)
{
    for (int i = 0; i < s->nrow * s->ncandidate; i++)
        out[i] = 0;
    for (int k = 0; k < s->nentry; k++)
        out[s->entry[k].row * s->ncandidate + s->entry[k].col] += entry[k];
}

bool dae_set_matrix(const DaeStateSet *s, const double *entry, double *out)
{
    if (s->neliminated == 0) {
        fill_matrix(s, entry, out);
        return true;
    }
    Arena *tmp = arena_new();
    int width = s->ncandidate + s->neliminated, n = 0;
    double *a = NEW_ARRAY(tmp, double, (size_t)s->nrow *(size_t)width);
    bool *is_used = NEW_ARRAY(tmp, bool, s->nrow), fine = true;
    for (int k = 0; k < s->nentry; k++)
        a[s->entry[k].row * width + s->entry[k].col] += entry[k];
    for (int j = s->ncandidate; j < width && fine; j++)
        fine = eliminate(a, s->nrow, width, j, is_used);
    for (int i = 0; fine && i < s->nrow; i++) {
        if (is_used[i])
            continue;
        for (int j = 0; j < s->ncandidate; j++)
            out[n * s->ncandidate + j] = a[i * width + j];
        n++;
    }
    arena_free(tmp);
    return fine;
}
