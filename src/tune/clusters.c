/* clusters.c - Schur form, sets of eigenvalues, two reorderings for each set.
 *
 * Sets are kept by union-find over the eigenvalues; a set that cannot be
 * separated well from the others swallows its nearest neighbour and is tried
 * again, so there are at most n unions. If one set is left it is the whole
 * space and its projector is the identity.
 *
 * B^-1 A is formed and taken apart in long double: the eigenvalues of stiff
 * modes are small beside the largest, and keep the digits of a double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/clusters.h"

#include <math.h>
#include <stdbool.h>

#include "num/dense.h"
#include "num/eigen.h"
#include "tune/tune_internal.h"

/* The pair, its Schur form and room for a reordered copy. */
typedef struct Form {
    int n;
    const double *a, *b; /* the pair */
    Schur schur, copy;   /* of B^-1 A */
    bool *select;        /* n */
    Wide *inverse;       /* n * n: B^-1 */
    Wide *m;             /* n * n: B^-1 A */
} Form;

static TuneCode schur_form(Form *f, Arena *arena)
{
    size_t n = (size_t)f->n;
    f->select = NEW_ARRAY(arena, bool, n);
    f->inverse = NEW_ARRAY(arena, Wide, n * n);
    f->m = NEW_ARRAY(arena, Wide, n * n);
    f->copy = (Schur){f->n, NEW_ARRAY(arena, WideComplex, n * n),
                      NEW_ARRAY(arena, WideComplex, n * n)};
    if (!all_finite(f->a, n * n) || !all_finite(f->b, n * n))
        return TUNE_NOT_FINITE;
    Wide *lu = NEW_ARRAY(arena, Wide, n * n);
    Wide *a = NEW_ARRAY(arena, Wide, n * n);
    int *pivot = NEW_ARRAY(arena, int, n);
    for (size_t i = 0; i < n * n; i++) {
        lu[i] = f->b[i];
        a[i] = f->a[i];
        f->inverse[i] = i % (n + 1) == 0;
    }
    if (!wide_lu_factor(f->n, lu, pivot))
        return TUNE_SINGULAR;
    wide_lu_solve(f->n, lu, pivot, f->inverse, f->n);
    wide_product(f->n, f->n, f->n, f->inverse, a, f->m);
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(f->m[i]))
            return TUNE_SINGULAR;
    memcpy(a, f->m, n * n * sizeof *a);
    return eigen_schur(f->n, a, &f->schur, arena) ? TUNE_FINE
                                                  : TUNE_NO_CONVERGENCE;
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
            unite(parent, i, i - 1); /* the positive one comes first */
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
/* Reorders a copy of the Schur form; its vectors are then f->copy.q. */
static void reorder(Form *f, bool is_bottom)
{
    size_t bytes = (size_t)f->n * (size_t)f->n * sizeof *f->copy.t;
    memcpy(f->copy.t, f->schur.t, bytes);
    memcpy(f->copy.q, f->schur.q, bytes);
    eigen_reorder(&f->copy, f->select, is_bottom);
}

/* Takes off v (size n) what lies in the directions of `count` orthonormal
 * columns; twice, which leaves nothing. Returns the length. */
static Wide take_off(int n, int count, const Wide *basis, Wide *v)
{
    Wide square = 0;
    for (int c = 0; c < 2 * count; c++) {
        const Wide *b = basis + (size_t)(c % count) * (size_t)n;
        Wide sum = 0;
        for (int i = 0; i < n; i++)
            sum += b[i] * v[i];
        for (int i = 0; i < n; i++)
            v[i] -= sum * b[i];
    }
    for (int i = 0; i < n; i++)
        square += v[i] * v[i];
    return sqrtl(square);
}

/* A real orthonormal basis (n * m) of the space of m complex columns, which
 * belongs to whole conjugate pairs: of their real and imaginary parts the one
 * that points furthest out of the others is next, the first if they are equal
 * up to rounding. */
static void real_basis(int n, int m, const WideComplex *column, Wide *basis,
                       Arena *arena)
{
    Wide *part = NEW_ARRAY(arena, Wide, (size_t)n * 2 * (size_t)m + 1);
    for (size_t i = 0; i < (size_t)n * (size_t)m; i++) {
        size_t at = i % (size_t)n + 2 * (i / (size_t)n) * (size_t)n;
        part[at] = creall(column[i]);
        part[at + (size_t)n] = cimagl(column[i]);
    }
    for (int k = 0; k < m; k++) {
        int best = 0;
        Wide most = -1;
        for (int j = 0; j < 2 * m; j++) {
            Wide *v = part + (size_t)j * (size_t)n;
            Wide size = take_off(n, k, basis, v);
            if (size > most * (1 + 1e-6L)) {
                most = size;
                best = j;
            }
        }
        for (int i = 0; i < n; i++)
            basis[i + (size_t)k * (size_t)n] =
                part[i + (size_t)best * (size_t)n] / most;
    }
}

/* c (m * k) = a^T b, a is n * m and b is n * k. */
static void product_tn(int n, int m, int k, const Wide *a, const Wide *b,
                       Wide *c)
{
    for (int j = 0; j < k; j++)
        for (int i = 0; i < m; i++) {
            const Wide *p = a + (size_t)i * (size_t)n;
            const Wide *q = b + (size_t)j * (size_t)n;
            Wide sum = 0;
            for (int l = 0; l < n; l++)
                sum += p[l] * q[l];
            c[i + (size_t)j * (size_t)m] = sum;
        }
}

static double *rounded(size_t n, const Wide *x, Arena *arena)
{
    double *out = NEW_ARRAY(arena, double, n + 1);
    for (size_t i = 0; i < n; i++)
        out[i] = (double)x[i];
    return out;
}

/* From bases x and y of the right and left space of M = B^-1 A: with the rows
 * w = (y^T x)^-1 y^T are u = w B^-1 and a = w M x, since w M = a w. The
 * projector is x w. False if y^T x is singular. */
static bool restrict_pair(const Form *f, Cluster *c, const Wide *x,
                          const Wide *y, Arena *arena, Arena *local)
{
    int n = f->n, m = c->size;
    size_t side = (size_t)m * (size_t)n, square = (size_t)m * (size_t)m;
    Wide *image = NEW_ARRAY(local, Wide, side);
    Wide *a = NEW_ARRAY(local, Wide, square);
    Wide *yx = NEW_ARRAY(local, Wide, square);
    Wide *w = NEW_ARRAY(local, Wide, side);
    Wide *u = NEW_ARRAY(local, Wide, side);
    int *pivot = NEW_ARRAY(local, int, m);
    product_tn(n, m, m, y, x, yx);
    if (!wide_lu_factor(m, yx, pivot))
        return false;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            w[i + (size_t)j * (size_t)m] = y[j + (size_t)i * (size_t)n];
    wide_lu_solve(m, yx, pivot, w, n);
    wide_product(m, n, n, w, f->inverse, u);
    wide_product(n, n, m, f->m, x, image);
    wide_product(m, n, m, w, image, a);
    Wide sum = 0;
    for (size_t i = 0; i < side; i++)
        sum += w[i] * w[i];
    c->projector = (double)sqrtl(sum / m);
    c->x = rounded(side, x, arena);
    c->u = rounded(side, u, arena);
    c->a = rounded(square, a, arena);
    return isfinite(c->projector) && all_finite(c->u, side) &&
           all_finite(c->a, square);
}

/* One eigenvalue, or one and its conjugate. */
static bool is_simple(const Cluster *c, const double complex *value)
{
    return c->size == 1 || (c->size == 2 && cimag(value[c->member[0]]) > 0 &&
                            cimag(value[c->member[1]]) < 0);
}

/* The spaces of a simple set are those of its eigenvectors, which cost the
 * square of the size where a reordered form costs the cube. */
static void bases_of_vectors(const Form *f, const Cluster *c, Wide *x, Wide *y,
                             Arena *arena)
{
    size_t n = (size_t)f->n;
    WideComplex *right = NEW_ARRAY(arena, WideComplex, 2 * n);
    WideComplex *left = NEW_ARRAY(arena, WideComplex, 2 * n);
    eigen_vectors(&f->schur, c->member[0], right, left);
    for (size_t i = 0; i < n; i++) {
        right[n + i] = conjl(right[i]);
        left[n + i] = conjl(left[i]);
    }
    real_basis(f->n, c->size, right, x, arena);
    real_basis(f->n, c->size, left, y, arena);
}

/* Fills the cluster of the set `root`. False if its space cannot be found. */
static bool separate(Form *f, const double complex *value, int *parent,
                     int root, Cluster *c, Arena *arena)
{
    int n = f->n;
    int *member = NEW_ARRAY(arena, int, n);
    c->size = 0;
    c->mean = 0;
    for (int i = 0; i < n; i++) {
        f->select[i] = find(parent, i) == root;
        if (f->select[i]) {
            member[c->size++] = i;
            c->mean += value[i];
        }
    }
    c->mean /= c->size;
    c->member = member;
    Arena *local = arena_new();
    size_t side = (size_t)n * (size_t)c->size;
    Wide *x = NEW_ARRAY(local, Wide, side), *y = NEW_ARRAY(local, Wide, side);
    if (is_simple(c, value)) {
        bases_of_vectors(f, c, x, y, local);
    } else {
        reorder(f, false);
        real_basis(n, c->size, f->copy.q, x, local);
        reorder(f, true);
        real_basis(n, c->size, f->copy.q + (size_t)(n - c->size) * (size_t)n, y,
                   local);
    }
    bool is_fine = restrict_pair(f, c, x, y, arena, local);
    arena_free(local);
    return is_fine;
}

static void *copy(const void *from, size_t size, Arena *arena)
{
    return memcpy(arena_alloc(arena, size), from, size);
}

/* Separates the set of `root` and keeps the result only if it is good. */
static bool try_to_separate(Form *f, const double complex *value, int *parent,
                            int root, double worst, Cluster *c, Arena *arena)
{
    Arena *local = arena_new();
    Cluster t = {0};
    bool is_good =
        separate(f, value, parent, root, &t, local) && t.projector <= worst;
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
static int separate_all(Form *f, const double complex *value, double worst,
                        int *parent, Cluster *cluster, Arena *arena)
{
    int n = f->n;
    Cluster *of = NEW_ARRAY(arena, Cluster, n);
    for (int i = 0; i < n; i++) {
        if (find(parent, i) != i || of[i].size > 0 ||
            try_to_separate(f, value, parent, i, worst, &of[i], arena))
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
    Form f = {.n = n, .a = a, .b = b};
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
        value[i] = (double complex)f.schur.t[i + (size_t)i * (size_t)n];
    int *parent = NEW_ARRAY(arena, int, n);
    Cluster *cluster = NEW_ARRAY(arena, Cluster, n);
    unite_close(n, value, tightness, parent);
    c->ncluster = separate_all(&f, value, worst, parent, cluster, arena);
    if (c->ncluster == 0)
        c->code = TUNE_SINGULAR;
    c->cluster = cluster;
    c->value = value;
    return c;
}
