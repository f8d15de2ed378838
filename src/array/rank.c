/* rank.c - ranks of scaled matrices. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/rank.h"

#include <math.h>

#include "base/arena.h"
#include "base/lapack.h"

static const double TINY = 1e-11;

static double *at(int nrow, const double *a, int i, int j)
{
    return (double *)a + (size_t)j * (size_t)nrow + (size_t)i;
}

void rank_scale(int nrow, int ncol, double *a)
{
    for (int i = 0; i < nrow; i++) {
        double most = 0;
        for (int j = 0; j < ncol; j++)
            most = fmax(most, fabs(*at(nrow, a, i, j)));
        for (int j = 0; most > 0 && j < ncol; j++) {
            double *x = at(nrow, a, i, j);
            *x = fabs(*x) < TINY * most ? 0 : *x / most;
        }
    }
    for (int j = 0; j < ncol; j++) {
        double most = 0;
        for (int i = 0; i < nrow; i++)
            most = fmax(most, fabs(*at(nrow, a, i, j)));
        for (int i = 0; most > 0 && i < nrow; i++)
            *at(nrow, a, i, j) /= most;
    }
}

/* ---- parts ---- */

static int find_root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Rows 0 .. nrow-1 and columns nrow .. of one part have one root. Returns false
 * if an entry is not finite. */
static bool find_parts(int nrow, int from, int to, const double *a, int *parent)
{
    for (int i = 0; i < nrow + to - from; i++)
        parent[i] = i;
    for (int j = from; j < to; j++) {
        for (int i = 0; i < nrow; i++) {
            double x = *at(nrow, a, i, j);
            if (!isfinite(x))
                return false;
            if (x != 0)
                parent[find_root(parent, i)] =
                    find_root(parent, nrow + j - from);
        }
    }
    return true;
}

/* Singular values of a part, descending; returns their number, NONE: failed. */
static int values_of(int m, int n, double *part, double *s)
{
    int count = m < n ? m : n;
    if (count == 0)
        return 0;
    int info = lapack()->dgesdd(LAPACK_COL_MAJOR, 'N', m, n, part, m, s, NULL,
                                1, NULL, 1);
    return info == 0 ? count : NONE;
}

static void judge(Rank *r, const double *s, int n, double keep)
{
    for (int i = 0; i < n && s[0] > 0; i++) {
        double x = s[i] / s[0];
        r->undecided |= x < RANK_KEEP && x > RANK_DROP;
        if (x >= keep) {
            r->rank++;
            r->kept = fmin(r->kept, x);
        } else {
            r->dropped = fmax(r->dropped, x);
        }
    }
}

typedef struct Members {
    int *root; /* by row and column */
    int *next; /* the next of the same part, NONE */
    int *head;
} Members;

static Members list_members(int *parent, int n, Arena *arena)
{
    Members m = {NEW_ARRAY(arena, int, n), NEW_ARRAY(arena, int, n),
                 NEW_ARRAY(arena, int, n)};
    for (int i = 0; i < n; i++)
        m.head[i] = NONE;
    for (int i = n - 1; i >= 0; i--) {
        m.root[i] = find_root(parent, i);
        m.next[i] = m.head[m.root[i]];
        m.head[m.root[i]] = i;
    }
    return m;
}

static bool add_part(const Members *m, int head, int nrow, int from,
                     const double *a, double keep, Rank *r, Arena *arena)
{
    int rows = 0, cols = 0, c = 0;
    for (int i = head; i != NONE; i = m->next[i])
        *(i < nrow ? &rows : &cols) += 1;
    if (rows == 0 || cols == 0)
        return true;
    double *part = NEW_ARRAY(arena, double, (size_t)rows *(size_t)cols);
    double *s = NEW_ARRAY(arena, double, rows < cols ? rows : cols);
    for (int j = head; j != NONE; j = m->next[j]) {
        if (j < nrow)
            continue;
        int k = 0;
        for (int i = head; i != NONE; i = m->next[i])
            if (i < nrow)
                *at(rows, part, k++, c) = *at(nrow, a, i, j - nrow + from);
        c++;
    }
    int n = values_of(rows, cols, part, s);
    if (n != NONE)
        judge(r, s, n, keep);
    return n != NONE;
}

Rank rank_find(int nrow, int from, int to, const double *a, double keep)
{
    Rank r = {.kept = 1};
    Arena *arena = arena_new();
    int n = nrow + to - from;
    int *parent = NEW_ARRAY(arena, int, n);
    bool fine = find_parts(nrow, from, to, a, parent);
    if (fine) {
        Members m = list_members(parent, n, arena);
        for (int i = 0; i < n && fine; i++) {
            if (m.root[i] != i)
                continue;
            Arena *local = arena_new();
            fine = add_part(&m, m.head[i], nrow, from, a, keep, &r, local);
            arena_free(local);
        }
    }
    arena_free(arena);
    if (!fine)
        r = (Rank){.rank = NONE, .kept = 1, .undecided = true};
    return r;
}

bool rank_extremes(int nrow, int ncol, const double *a, double *least,
                   double *largest)
{
    Arena *arena = arena_new();
    size_t size = (size_t)nrow * (size_t)ncol;
    double *copy = NEW_ARRAY(arena, double, size);
    double *s = NEW_ARRAY(arena, double, nrow + ncol);
    bool fine = true;
    for (size_t i = 0; i < size; i++) {
        copy[i] = a[i];
        fine &= isfinite(a[i]);
    }
    int n = fine ? values_of(nrow, ncol, copy, s) : NONE;
    if (n > 0) {
        *largest = s[0];
        *least = s[n - 1];
    }
    arena_free(arena);
    return n > 0;
}
