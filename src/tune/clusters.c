/* clusters.c - QZ, sets of eigenvalues, and the two reorderings for each set.
 *
 * Sets are kept by union-find over the eigenvalues; a set that cannot be
 * separated well from the others swallows its nearest neighbour and is tried
 * again, so there are at most n unions. If one set is left it is the whole
 * space and its projector is the identity.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/clusters.h"

#include <lapacke.h>
#include <math.h>
#include <stdbool.h>

#include "num/dense.h"
#include "tune/tune_internal.h"

/* The pair, its Schur form and room for a reordered copy. */
typedef struct Schur {
    int n;
    const double *a, *b;    /* the pair */
    double *s, *t, *q, *z;  /* A = q s z^T, B = q t z^T */
    double *re, *im, *beta; /* eigenvalues (re + i im) / beta */
    double *work[4];        /* n * n each */
    double *scrap;          /* 7 n + 16 */
    lapack_logical *select; /* n */
} Schur;

static TuneCode schur_form(Schur *f, Arena *arena)
{
    size_t n = (size_t)f->n;
    f->s = NEW_ARRAY(arena, double, n *n);
    f->t = NEW_ARRAY(arena, double, n *n);
    f->q = NEW_ARRAY(arena, double, n *n);
    f->z = NEW_ARRAY(arena, double, n *n);
    f->re = NEW_ARRAY(arena, double, n);
    f->im = NEW_ARRAY(arena, double, n);
    f->beta = NEW_ARRAY(arena, double, n);
    f->scrap = NEW_ARRAY(arena, double, 7 * n + 16);
    f->select = NEW_ARRAY(arena, lapack_logical, n);
    for (int i = 0; i < 4; i++)
        f->work[i] = NEW_ARRAY(arena, double, n *n);
    if (!all_finite(f->a, n * n) || !all_finite(f->b, n * n))
        return TUNE_NOT_FINITE;
    memcpy(f->s, f->a, n * n * sizeof *f->a);
    memcpy(f->t, f->b, n * n * sizeof *f->b);
    lapack_int none = 0;
    int info = LAPACKE_dgges(LAPACK_COL_MAJOR, 'V', 'V', 'N', NULL, f->n, f->s,
                             f->n, f->t, f->n, &none, f->re, f->im, f->beta,
                             f->q, f->n, f->z, f->n);
    if (info != 0)
        return TUNE_NO_CONVERGENCE;
    for (size_t i = 0; i < n; i++)
        if (f->beta[i] == 0 || !isfinite(f->re[i] / f->beta[i]) ||
            !isfinite(f->im[i] / f->beta[i]))
            return TUNE_SINGULAR;
    return TUNE_FINE;
}

/* ---- sets ---- */
static int find(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void unite(int *parent, int i, int j)
{
    i = find(parent, i);
    j = find(parent, j);
    if (i < j)
        parent[j] = i;
    else
        parent[i] = j;
}

static void unite_close(int n, const double complex *value, double tightness,
                        int *parent)
{
    for (int i = 0; i < n; i++) {
        parent[i] = i;
        if (i > 0 && cimag(value[i]) < 0)
            unite(parent, i, i - 1); /* LAPACK gives the positive one first */
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double scale = fmax(1, fmax(cabs(value[i]), cabs(value[j])));
            if (cabs(value[i] - value[j]) <= tightness * scale)
                unite(parent, i, j);
        }
}

/* The set nearest to that of `root`, or NONE if it is the only one. */
static int nearest(int n, const double complex *value, int *parent, int root)
{
    double best = INFINITY;
    int found = NONE;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (find(parent, i) != root || find(parent, j) == root)
                continue;
            double distance = cabs(value[i] - value[j]);
            if (distance < best || found == NONE) {
                best = distance;
                found = find(parent, j);
            }
        }
    return found;
}

/* ---- spaces ---- */
/* Reorders a copy of the Schur form with the selected eigenvalues on top; the
 * vectors are then work[2] (Q) and work[3] (Z). */
static bool reorder(const Schur *f, int size)
{
    size_t bytes = (size_t)f->n * (size_t)f->n * sizeof(double);
    const double *from[4] = {f->s, f->t, f->q, f->z};
    for (int i = 0; i < 4; i++)
        memcpy(f->work[i], from[i], bytes);
    if (size == f->n || size == 0)
        return true;
    lapack_int m = 0;
    double left, right, dif[2];
    int n = f->n;
    lapack_int one = 0; /* LAPACKE_dtgsen() hands on NULL for it */
    int info = LAPACKE_dtgsen_work(
        LAPACK_COL_MAJOR, 0, 1, 1, f->select, n, f->work[0], n, f->work[1], n,
        f->scrap, f->scrap + n, f->scrap + 2 * n, f->work[2], n, f->work[3], n,
        &m, &left, &right, dif, f->scrap + 3 * n, 4 * n + 16, &one, 1);
    return info == 0 && m == size;
}

/* c (m * k) = a^T b, a is n * m and b is n * k. */
static void product_tn(int n, int m, int k, const double *a, const double *b,
                       double *c)
{
    for (int j = 0; j < k; j++)
        for (int i = 0; i < m; i++) {
            const double *p = a + (size_t)i * (size_t)n;
            const double *q = b + (size_t)j * (size_t)n;
            double sum = 0;
            for (int l = 0; l < n; l++)
                sum += p[l] * q[l];
            c[i + (size_t)j * (size_t)m] = sum;
        }
}

/* u = B_k^-1 Y_k^T, a = B_k^-1 A_k and the norm of the projector, from the
 * bases x and y. False if B_k is singular. */
static bool restrict_pair(const Schur *f, Cluster *c, const double *y,
                          Arena *arena)
{
    int n = f->n, m = c->size;
    double *u = NEW_ARRAY(arena, double, (size_t)m *(size_t)n);
    double *a = NEW_ARRAY(arena, double, (size_t)m *(size_t)m);
    Arena *local = arena_new();
    double *image = NEW_ARRAY(local, double, (size_t)n *(size_t)m);
    double *bk = NEW_ARRAY(local, double, (size_t)m *(size_t)m);
    double *ub = NEW_ARRAY(local, double, (size_t)m *(size_t)n);
    int *pivot = NEW_ARRAY(local, int, m);
    matrix_product(n, n, m, f->a, c->x, image);
    product_tn(n, m, m, y, image, a);
    matrix_product(n, n, m, f->b, c->x, image);
    product_tn(n, m, m, y, image, bk);
    bool is_regular = dense_lu_factor(m, bk, pivot);
    if (is_regular) {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                u[i + (size_t)j * (size_t)m] = y[j + (size_t)i * (size_t)n];
        dense_lu_solve(m, bk, pivot, u, n);
        dense_lu_solve(m, bk, pivot, a, m);
        matrix_product(m, n, n, u, f->b, ub);
        double sum = 0;
        for (size_t i = 0; i < (size_t)m * (size_t)n; i++)
            sum += ub[i] * ub[i];
        c->projector = sqrt(sum / m);
        is_regular = isfinite(c->projector) &&
                     all_finite(u, (size_t)m * (size_t)n) &&
                     all_finite(a, (size_t)m * (size_t)m);
    }
    c->u = u;
    c->a = a;
    arena_free(local);
    return is_regular;
}

/* Fills the cluster of the set `root`. False if its space cannot be found. */
static bool separate(const Schur *f, int *parent, int root, Cluster *c,
                     Arena *arena)
{
    int n = f->n;
    size_t column = (size_t)n * sizeof(double);
    int *member = NEW_ARRAY(arena, int, n);
    c->size = 0;
    c->mean = 0;
    for (int i = 0; i < n; i++)
        if (find(parent, i) == root) {
            member[c->size++] = i;
            c->mean += CMPLX(f->re[i], f->im[i]) / f->beta[i];
        }
    c->mean /= c->size;
    c->member = member;
    for (int i = 0; i < n; i++)
        f->select[i] = find(parent, i) == root;
    if (!reorder(f, c->size))
        return false;
    double *x = NEW_ARRAY(arena, double, (size_t)n *(size_t)c->size);
    double *y = NEW_ARRAY(arena, double, (size_t)n *(size_t)c->size);
    memcpy(x, f->work[3], (size_t)c->size * column);
    for (int i = 0; i < n; i++)
        f->select[i] = !f->select[i];
    if (!reorder(f, n - c->size))
        return false;
    memcpy(y, f->work[2] + (size_t)(n - c->size) * (size_t)n,
           (size_t)c->size * column);
    c->x = x;
    return restrict_pair(f, c, y, arena);
}

static void *copy(const void *from, size_t size, Arena *arena)
{
    return memcpy(arena_alloc(arena, size), from, size);
}

/* Separates the set of `root` and keeps the result only if it is good. */
static bool try_to_separate(const Schur *f, int *parent, int root, double worst,
                            Cluster *c, Arena *arena)
{
    Arena *local = arena_new();
    Cluster t = {0};
    bool is_good = separate(f, parent, root, &t, local) && t.projector <= worst;
    if (is_good) {
        size_t m = (size_t)t.size, n = (size_t)f->n;
        *c = t;
        c->member = copy(t.member, m * sizeof *t.member, arena);
        c->x = copy(t.x, m * n * sizeof *t.x, arena);
        c->u = copy(t.u, m * n * sizeof *t.u, arena);
        c->a = copy(t.a, m * m * sizeof *t.a, arena);
    }
    arena_free(local);
    return is_good;
}

/* Separates the sets one after the other; a bad one is united with its
 * nearest neighbour, and the united set is tried. Returns the number of sets, 0
 * if not even the whole space can be told. */
static int separate_all(const Schur *f, const double complex *value,
                        double worst, int *parent, Cluster *cluster,
                        Arena *arena)
{
    int n = f->n;
    Cluster *of = NEW_ARRAY(arena, Cluster, n);
    for (int i = 0; i < n; i++) {
        if (find(parent, i) != i || of[i].size > 0 ||
            try_to_separate(f, parent, i, worst, &of[i], arena))
            continue;
        int other = nearest(n, value, parent, i);
        if (other == NONE)
            return 0;
        of[i].size = of[other].size = 0;
        unite(parent, i, other);
        i = find(parent, i) - 1; /* the united set is next */
    }
    int count = 0;
    for (int i = 0; i < n; i++)
        if (find(parent, i) == i)
            cluster[count++] = of[i];
    return count;
}

const Clusters *clusters_find(int n, const double *a, const double *b,
                              const ClusterOptions *options, Arena *arena)
{
    Clusters *c = NEW(arena, Clusters);
    c->n = n;
    if (n == 0)
        return c;
    Schur f = {.n = n, .a = a, .b = b};
    c->code = schur_form(&f, arena);
    if (c->code != TUNE_FINE)
        return c;
    double tightness =
        options && options->tightness > 0 ? options->tightness : 1e-6;
    double worst = options && options->worst_projector > 0
                       ? options->worst_projector
                       : 1e5;
    double complex *value = NEW_ARRAY(arena, double complex, n);
    for (int i = 0; i < n; i++)
        value[i] = CMPLX(f.re[i] / f.beta[i], f.im[i] / f.beta[i]);
    int *parent = NEW_ARRAY(arena, int, n);
    Cluster *cluster = NEW_ARRAY(arena, Cluster, n);
    unite_close(n, value, tightness, parent);
    c->ncluster = separate_all(&f, value, worst, parent, cluster, arena);
    if (c->ncluster == 0)
        c->code = TUNE_SINGULAR;
    c->cluster = cluster;
    c->value = value;
    c->alpha_re = f.re;
    c->alpha_im = f.im;
    c->beta = f.beta;
    return c;
}
