/* pencil.c - sets of matrices: built, asked, checked. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/pencil.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Names, pattern and copies for matrices that no model stands behind. */
PencilSet *pencil_from_dense(int n, int nx, int nsample, const double *l,
                             const double *df, Arena *arena)
{
    PencilSet *p = NEW(arena, PencilSet);
    size_t size = (size_t)n * (size_t)n;
    const char **name = NEW_ARRAY(arena, const char *, n + 1);
    const char **eqn = NEW_ARRAY(arena, const char *, n + 1);
    double *nominal = NEW_ARRAY(arena, double, n + 1);
    for (int i = 0; i < n; i++) {
        name[i] = i < nx ? arena_printf(arena, "x%d", i + 1)
                         : arena_printf(arena, "y%d", i - nx + 1);
        eqn[i] = i < nx ? arena_printf(arena, "int(x%d)", i + 1)
                        : arena_printf(arena, "#%d", i - nx + 1);
        nominal[i] = 1;
    }
    Pencil *sample = NEW_ARRAY(arena, Pencil, nsample + 1);
    for (int s = 0; s < nsample; s++) {
        double *cl = NEW_ARRAY(arena, double, size + 1);
        double *cf = NEW_ARRAY(arena, double, size + 1);
        memcpy(cl, l + (size_t)s * size, size * sizeof *cl);
        memcpy(cf, df + (size_t)s * size, size * sizeof *cf);
        sample[s] = (Pencil){.l = cl, .df = cf, .time = s};
    }
    pencil_find_same(sample, nsample, n);
    int *start = NEW_ARRAY(arena, int, n + 1);
    int *row = NEW_ARRAY(arena, int, size + 1);
    int nnz = 0;
    for (int j = 0; j < n; j++) {
        start[j] = nnz;
        for (int i = 0; i < n; i++) {
            bool is_there = i == j && i < nx;
            for (int s = 0; s < nsample && !is_there; s++) {
                size_t at = (size_t)i + (size_t)j * (size_t)n;
                is_there = sample[s].l[at] != 0 || sample[s].df[at] != 0;
            }
            if (is_there)
                row[nnz++] = i;
        }
    }
    start[n] = nnz;
    *p = (PencilSet){.n = n,
                     .nx = nx,
                     .eqn = eqn,
                     .var = name,
                     .nominal = nominal,
                     .nnz = nnz,
                     .start = start,
                     .row = row,
                     .is_constant = NEW_ARRAY(arena, bool, nnz + 1),
                     .nsample = nsample,
                     .sample = sample};
    pencil_check(p);
    return p;
}

void pencil_find_same(Pencil *sample, int nsample, int n)
{
    size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    for (int s = 0; s < nsample; s++) {
        sample[s].same = s;
        for (int k = 0; k < s && sample[s].same == s; k++)
            if (sample[k].same == k &&
                !memcmp(sample[k].df, sample[s].df, bytes) &&
                !memcmp(sample[k].l, sample[s].l, bytes))
                sample[s].same = k;
    }
}

bool pencil_is_repeated(const PencilSet *p, int sample)
{
    for (int s = p->sample[sample].same; s < sample; s++)
        if (p->sample[s].same == p->sample[sample].same &&
            !p->sample[s].kept_back)
            return true;
    return false;
}

int pencil_place(const PencilSet *p, int i, int j)
{
    int low = p->start[j], high = p->start[j + 1];
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (p->row[mid] < i)
            low = mid + 1;
        else
            high = mid;
    }
    return low < p->start[j + 1] && p->row[low] == i ? low : NONE;
}

void pencil_iteration_matrix(const PencilSet *p, int sample, double tau,
                             const bool *keep, const double *frozen, double *m)
{
    const Pencil *s = &p->sample[sample];
    size_t n = (size_t)p->n;
    memcpy(m, s->l, n * n * sizeof *m);
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t at = (size_t)p->row[k] + (size_t)j * n;
            if (frozen && !isnan(frozen[k]))
                m[at] -= tau * frozen[k];
            else if (!keep || keep[k])
                m[at] -= tau * s->df[at];
        }
}

/* Is the entry of Df there, in any sample? */
static bool has_entry(const PencilSet *p, int i, int j)
{
    for (int s = 0; s < p->nsample; s++)
        if (p->sample[s].df[(size_t)i + (size_t)j * (size_t)p->n] != 0)
            return true;
    return false;
}

int pencil_evaluations(const PencilSet *p, const bool *keep)
{
    Arena *local = arena_new();
    bool *is_there = NEW_ARRAY(local, bool, p->nnz + 1);
    /* rows that each group has: a column joins the first group it fits in */
    bool *taken = NEW_ARRAY(local, bool, (size_t)p->n *(size_t)p->n + 1);
    int ngroup = 0;
    for (int j = 0; j < p->n; j++) {
        bool any = false, fits = false;
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            is_there[k] = (!keep || keep[k]) && has_entry(p, p->row[k], j);
            any |= is_there[k];
        }
        for (int g = 0; g < p->n && any && !fits; g++) {
            bool *rows = taken + (size_t)g * (size_t)p->n;
            fits = true;
            for (int k = p->start[j]; k < p->start[j + 1]; k++)
                fits &= !(is_there[k] && rows[p->row[k]]);
            for (int k = p->start[j]; k < p->start[j + 1] && fits; k++)
                rows[p->row[k]] |= is_there[k];
            if (fits && g == ngroup)
                ngroup++;
        }
    }
    arena_free(local);
    return ngroup + 1;
}

void pencil_check(const PencilSet *p)
{
    assert(p->nx >= 0 && p->nx <= p->n && p->start[0] == 0);
    assert(p->start[p->n] == p->nnz);
    for (int j = 0; j < p->n; j++) {
        assert(p->start[j] <= p->start[j + 1] && p->nominal[j] > 0);
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            assert(p->row[k] >= 0 && p->row[k] < p->n);
            assert(k == p->start[j] || p->row[k - 1] < p->row[k]);
        }
        assert(j >= p->nx || pencil_place(p, j, j) != NONE);
    }
}
