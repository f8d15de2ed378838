/* criterion.c - scalar products of left and right spaces, place by place. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/criterion.h"

#include <math.h>

#include "num/dense.h"
#include "tune/tune_internal.h"

#define ALIKE 1e-3 /* distance of singular values that are taken together */

/* One cluster ready for the scalar products. */
typedef struct Product {
    int m;
    const double *u;                  /* m * n */
    const double *v;                  /* m * n: (X_k (I - a))^T */
    bool is_pair;                     /* of conjugate eigenvalues */
    double complex left[2], right[2]; /* of the 2 * 2 block, left . right = 1 */
} Product;

/* Eigenvectors of the block of a conjugate pair: a right = lambda right. */
static void pair_vectors(const double *a, Product *q)
{
    double complex half = (a[0] - a[3]) / 2;
    double complex root = csqrt(half * half + a[1] * a[2]);
    double complex low = root - half; /* lambda - a_11 */
    double complex scale = a[1] * a[2] + low * low;
    q->is_pair = cimag(root) != 0 && cabs(scale) > 0;
    if (!q->is_pair)
        return;
    q->right[0] = a[2];
    q->right[1] = low;
    q->left[0] = a[1] / scale;
    q->left[1] = low / scale;
}

static Product product_of(const Spectrum *s, const ModeCluster *c, Arena *arena)
{
    int n = s->n, m = c->size;
    Product q = {.m = m, .u = c->u};
    double *v = NEW_ARRAY(arena, double, (size_t)n *(size_t)m + 1);
    for (int j = 0; j < n; j++)
        for (int l = 0; l < m; l++) {
            double sum = c->v[j + (size_t)l * (size_t)n];
            for (int k = 0; k < m; k++)
                sum -= c->v[j + (size_t)k * (size_t)n] *
                       c->a[k + (size_t)l * (size_t)m];
            v[l + (size_t)j * (size_t)m] = sum;
        }
    q.v = v;
    if (m == 2)
        pair_vectors(c->a, &q);
    return q;
}

/* The sum of changes for a unit at (i, j), and their size in *size. */
static double unit_change(const Product *q, int i, int j, double *size)
{
    const double *u = q->u + (size_t)i * (size_t)q->m;
    const double *v = q->v + (size_t)j * (size_t)q->m;
    double sum = 0;
    for (int l = 0; l < q->m; l++)
        sum += u[l] * v[l];
    *size = fabs(sum);
    if (q->is_pair)
        *size = 2 * cabs((q->left[0] * u[0] + q->left[1] * u[1]) *
                         (q->right[0] * v[0] + q->right[1] * v[1]));
    return sum;
}

/* ---- the algebraic part ---- */
/* The factors of the scaled Df_22 = diag(row)^-1 U S V^T diag(col)^-1. Singular
 * values that are nearly equal have no vectors of their own, only a common
 * space: they are taken together, group g from first[g] to first[g+1]-1. */
typedef struct Singular {
    int n, ngroup;
    double *row, *col, *s, *u, *v;
    int *first; /* size ngroup+1 */
} Singular;

static bool singular_values(const PencilSet *p, const double *df, Singular *f,
                            Arena *arena)
{
    int ny = p->n - p->nx;
    size_t size = (size_t)ny * (size_t)ny;
    double *m = NEW_ARRAY(arena, double, size);
    *f = (Singular){.n = ny,
                    .row = NEW_ARRAY(arena, double, ny),
                    .col = NEW_ARRAY(arena, double, ny),
                    .s = NEW_ARRAY(arena, double, ny),
                    .u = NEW_ARRAY(arena, double, size),
                    .v = NEW_ARRAY(arena, double, size),
                    .first = NEW_ARRAY(arena, int, ny + 1)};
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < ny; i++)
            m[i + (size_t)j * (size_t)ny] =
                df[p->nx + i + (size_t)(p->nx + j) * (size_t)p->n];
    matrix_equilibrate(ny, m, f->row, f->col);
    if (!dense_svd(ny, m, f->s, f->u, f->v))
        return false;
    for (int k = 0; k < ny; k++)
        if (k == 0 || f->s[k - 1] - f->s[k] > ALIKE * f->s[k - 1])
            f->first[f->ngroup++] = k;
    f->first[f->ngroup] = ny;
    return true;
}

/* (4.60): the largest of |U_ik e V_jk / s_k|, e the scaled entry, over the
 * groups. */
static double worst_singular(const Singular *f, int i, int j, double entry)
{
    double e = f->row[i] * entry * f->col[j], worst = 0;
    for (int g = 0; g < f->ngroup; g++) {
        double part = 0;
        for (int k = f->first[g]; k < f->first[g + 1]; k++)
            part += f->u[i + (size_t)k * (size_t)f->n] * e *
                    f->v[j + (size_t)k * (size_t)f->n] / fmax(f->s[k], 1e-300);
        worst = fmax(worst, fabs(part));
    }
    return fmin(worst, 1e300);
}

static bool algebraic_part(const PencilSet *p, const Spectrum *s, int k,
                           double *gain, double *sum, double *c, Criterion *out,
                           Arena *arena)
{
    int nx = p->nx, ny = p->n - p->nx, nnz = p->nnz;
    const double *df = p->sample[s->sample].df;
    double *trace = NEW_ARRAY(arena, double, nnz + 1);
    double *worst = NEW_ARRAY(arena, double, nnz + 1);
    Arena *local = arena_new();
    Singular f;
    bool is_fine = singular_values(p, df, &f, local);
    for (int j = nx; j < p->n && is_fine; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            if (i < nx)
                continue;
            size_t at = (size_t)e + (size_t)k * (size_t)nnz;
            double entry = df[i + (size_t)j * (size_t)p->n];
            double inverse = s->inverse[j - nx + (size_t)(i - nx) * (size_t)ny];
            gain[at] = -inverse / s->tau;
            sum[at] = -inverse * entry;
            trace[e] = fabs(sum[at]);
            worst[e] = worst_singular(&f, i - nx, j - nx, entry);
            c[at] = fmax(trace[e], worst[e]);
        }
    arena_free(local);
    out->algebraic_trace = trace;
    out->algebraic_worst = worst;
    return is_fine;
}

/* ---- entry ---- */
const Criterion *criterion_make(const PencilSet *p, const Spectrum *s,
                                Arena *arena)
{
    Criterion *out = NEW(arena, Criterion);
    out->code = s->code;
    out->nnz = p->nnz;
    if (s->code != TUNE_FINE)
        return out;
    bool has_algebraic = p->n > p->nx;
    out->ncluster = s->ncluster + has_algebraic;
    size_t size = (size_t)p->nnz * (size_t)out->ncluster;
    double *gain = NEW_ARRAY(arena, double, size + 1);
    double *sum = NEW_ARRAY(arena, double, size + 1);
    double *c = NEW_ARRAY(arena, double, size + 1);
    const double *df = p->sample[s->sample].df;
    for (int k = 0; k < s->ncluster; k++) {
        Arena *local = arena_new();
        Product q = product_of(s, &s->cluster[k], local);
        for (int j = 0; j < p->n; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                int i = p->row[e];
                size_t at = (size_t)e + (size_t)k * (size_t)p->nnz;
                double unit = s->tau * df[i + (size_t)j * (size_t)p->n], all;
                gain[at] = unit_change(&q, i, j, &all);
                sum[at] = unit * gain[at];
                c[at] = fmax(fabs(unit) * all, fabs(sum[at]));
            }
        arena_free(local);
    }
    if (has_algebraic &&
        !algebraic_part(p, s, s->ncluster, gain, sum, c, out, arena))
        out->code = TUNE_NO_CONVERGENCE;
    if (!all_finite(gain, size) || !all_finite(c, size))
        out->code = TUNE_NOT_FINITE;
    out->gain = gain;
    out->sum = sum;
    out->c = c;
    return out;
}

void criterion_magnitude(const PencilSet *p, int sample, double tau,
                         double sigma, bool *keep)
{
    const double *df = p->sample[sample].df;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            double scale = p->nominal[j] / (i < p->nx ? p->nominal[i] : 1);
            double size = fabs(tau * df[i + (size_t)j * (size_t)p->n]) * scale;
            keep[e] = (i == j && i < p->nx) || size >= sigma;
        }
}

/* tau Df_ij over the diagonal entry of row i. */
static double coupling(const PencilSet *p, const double *df, double tau, int i,
                       int j)
{
    size_t n = (size_t)p->n;
    double diagonal = 1 - tau * df[(size_t)i + (size_t)i * n];
    return fabs(tau * df[(size_t)i + (size_t)j * n] / diagonal);
}

/* From j back to i, directly and over one other state. */
static double way_back(const PencilSet *p, const double *df, double tau, int i,
                       int j)
{
    double sum = coupling(p, df, tau, j, i);
    for (int e = p->start[i]; e < p->start[i + 1]; e++) {
        int k = p->row[e]; /* row k has state i */
        if (k != i && k != j && k < p->nx)
            sum += coupling(p, df, tau, j, k) * coupling(p, df, tau, k, i);
    }
    return sum;
}

void criterion_cycles(const PencilSet *p, int sample, double tau, double sigma,
                      bool *keep)
{
    const double *df = p->sample[sample].df;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            keep[e] = i == j || i >= p->nx || j >= p->nx ||
                      coupling(p, df, tau, i, j) * way_back(p, df, tau, i, j) >=
                          sigma;
        }
}
