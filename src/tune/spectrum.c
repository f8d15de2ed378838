/* spectrum.c - elimination of the algebraic part, modes, groups, shares. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/spectrum.h"

#include <stdlib.h>

#include "num/dense.h"
#include "num/eigen.h"
#include "tune/step.h"
#include "tune/tune_internal.h"

#define SINGULAR  1e-14 /* reciprocal condition after scaling */
#define FORGOTTEN 1e-14 /* |lambda| of a mode that one step ends */
#define STRONG    0.05  /* share of a state worth a name, of the largest */

/* A sample with its algebraic part eliminated. */
typedef struct Reduced {
    const PencilSet *p;
    const double *l, *df;
    int n, nx, ny;
    double tau;
    double *inverse; /* ny * ny: Df_22^-1 */
    double *right;   /* ny * nx: -Df_22^-1 Df_21 */
    double *left;    /* nx * ny: -Df_12 Df_22^-1 */
    double *a, *b;   /* nx * nx: the small pair, balanced */
    double *scale;   /* size nx: factors of the columns */
} Reduced;

const char *mode_kind_text(ModeKind kind)
{
    static const char *const text[] = {
#define MODE(name, text) text,
        MODE_KINDS(MODE)
#undef MODE
    };
    return text[kind];
}

static double *block(const double *m, int n, int row, int nrow, int col,
                     int ncol, Arena *arena)
{
    double *out = NEW_ARRAY(arena, double, (size_t)nrow *(size_t)ncol + 1);
    for (int j = 0; j < ncol; j++)
        memcpy(out + (size_t)j * (size_t)nrow,
               m + (size_t)row + (size_t)(col + j) * (size_t)n,
               (size_t)nrow * sizeof *out);
    return out;
}

/* A factorised copy of m with rows and columns scaled. */
typedef struct Scaled {
    double *lu, *row, *col;
    int *pivot;
    double rcond; /* reciprocal condition; 0: singular */
} Scaled;

static Scaled factor_scaled(int n, const double *m, Arena *arena)
{
    Scaled s = {NEW_ARRAY(arena, double, (size_t)n *(size_t)n),
                NEW_ARRAY(arena, double, n), NEW_ARRAY(arena, double, n),
                NEW_ARRAY(arena, int, n), 0};
    memcpy(s.lu, m, (size_t)n * (size_t)n * sizeof *m);
    matrix_equilibrate(n, s.lu, s.row, s.col);
    double norm = dense_norm(n, n, s.lu);
    if (dense_lu_factor(n, s.lu, s.pivot))
        s.rcond = dense_lu_rcond(n, s.lu, s.pivot, norm);
    return s;
}

static double scaled_rcond(int n, const double *m)
{
    if (n == 0)
        return 1;
    Arena *local = arena_new();
    double rcond = factor_scaled(n, m, local).rcond;
    arena_free(local);
    return rcond;
}

/* inverse = m^-1 by way of the scaled matrix; false if that is singular. */
static bool invert_scaled(int n, const double *m, double *inverse)
{
    Arena *local = arena_new();
    Scaled s = factor_scaled(n, m, local);
    bool is_regular = s.rcond > SINGULAR;
    if (is_regular) {
        memset(inverse, 0, (size_t)n * (size_t)n * sizeof *inverse);
        for (int i = 0; i < n; i++)
            inverse[i + (size_t)i * (size_t)n] = 1;
        dense_lu_solve(n, s.lu, s.pivot, inverse, n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                inverse[i + (size_t)j * (size_t)n] *= s.col[i] * s.row[j];
        is_regular = all_finite(inverse, (size_t)n * (size_t)n);
    }
    arena_free(local);
    return is_regular;
}

static void negate(double *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        m[i] = -m[i];
}

/* Makes the small pair. False if Df_22 is singular. */
static bool eliminate_algebraic(Reduced *r, Arena *arena)
{
    int n = r->n, nx = r->nx, ny = r->ny;
    size_t small = (size_t)nx * (size_t)nx;
    size_t side = (size_t)nx * (size_t)ny;
    double *df22 = block(r->df, n, nx, ny, nx, ny, arena);
    double *df12 = block(r->df, n, 0, nx, nx, ny, arena);
    double *df21 = block(r->df, n, nx, ny, 0, nx, arena);
    double *ode = block(r->df, n, 0, nx, 0, nx, arena);
    r->a = block(r->l, n, 0, nx, 0, nx, arena);
    r->b = NEW_ARRAY(arena, double, small + 1);
    r->inverse = NEW_ARRAY(arena, double, (size_t)ny *(size_t)ny + 1);
    r->right = NEW_ARRAY(arena, double, side + 1);
    r->left = NEW_ARRAY(arena, double, side + 1);
    if (ny > 0) {
        if (!invert_scaled(ny, df22, r->inverse))
            return false;
        matrix_product(ny, ny, nx, r->inverse, df21, r->right);
        matrix_product(nx, ny, ny, df12, r->inverse, r->left);
        negate(r->right, side);
        negate(r->left, side);
        matrix_product(nx, ny, nx, df12, r->right, r->b);
    }
    for (size_t i = 0; i < small; i++)
        r->b[i] = r->a[i] - r->tau * (ode[i] + r->b[i]);
    return all_finite(r->b, small);
}

/* Scales the variables so that rows and columns of the small pair have like
 * sizes: a similarity, which leaves L = I alone. */
static void balance(Reduced *r, Arena *arena)
{
    int nx = r->nx;
    r->scale = NEW_ARRAY(arena, double, nx + 1);
    eigen_balance(nx, r->b, r->scale);
    for (int j = 0; j < nx; j++)
        for (int i = 0; i < nx; i++)
            r->a[i + (size_t)j * (size_t)nx] *= r->scale[j] / r->scale[i];
}

/* ---- modes ---- */
static ModeKind kind_of(const Mode *m, double tau, double tolerance)
{
    double complex z = tau * m->mu;
    tolerance *= fmax(1, cabs(z));
    if (m->is_infinite)
        return MODE_STIFF;
    if (creal(z) > tolerance)
        return cabs(m->lambda) < 1 ? MODE_SUPERSTABLE : MODE_UNSTABLE;
    if (fabs(cimag(z)) > fmax(fabs(creal(z)), tolerance))
        return MODE_OSCILLATORY;
    return cabs(1 + z) > 1 + tolerance ? MODE_STIFF : MODE_SLOW;
}

/* An eigenvalue as a mode. Those that are multiple are known to few digits, so
 * signs are believed only above a tolerance. */
static Mode mode_of(double complex lambda, double tau, int cluster,
                    bool is_multiple)
{
    Mode m = {.lambda = lambda, .cluster = cluster};
    m.is_infinite = cabs(lambda) <= FORGOTTEN;
    if (!m.is_infinite)
        m.mu = (lambda - 1) / (tau * lambda);
    m.kind = kind_of(&m, tau, is_multiple ? 1e-5 : 1e-10);
    return m;
}

static int larger_first(const void *a, const void *b)
{
    const Mode *x = a, *y = b;
    double ax = cabs(x->lambda), ay = cabs(y->lambda);
    if (ax != ay)
        return ax > ay ? -1 : 1;
    if (creal(x->lambda) != creal(y->lambda))
        return creal(x->lambda) > creal(y->lambda) ? -1 : 1;
    if (cimag(x->lambda) != cimag(y->lambda))
        return cimag(x->lambda) > cimag(y->lambda) ? -1 : 1;
    return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* Sorts the modes and finds what is said of all of them. */
static void summarise(Spectrum *s, Mode *mode)
{
    qsort(mode, (size_t)s->nmode, sizeof *mode, larger_first);
    s->mode = mode;
    s->explicit_step = INFINITY;
    for (int i = 0; i < s->nmode; i++) {
        const Mode *m = &mode[i];
        double complex z = s->tau * m->mu;
        s->count[m->kind]++;
        s->radius = fmax(s->radius, cabs(m->lambda));
        if (m->kind == MODE_UNSTABLE || m->kind == MODE_SUPERSTABLE ||
            (m->kind == MODE_SLOW && cabs(z) < 1e-10))
            continue;
        double largest = m->is_infinite
                             ? 0
                             : -2 * s->tau * creal(z) /
                                   (creal(z) * creal(z) + cimag(z) * cimag(z));
        s->explicit_step = fmin(s->explicit_step, fmax(0, largest));
    }
}

/* ---- clusters in all variables ---- */
/* What of a state is in a space: the diagonal of the projector. */
static double *shares(const Reduced *r, const Cluster *c, Arena *arena)
{
    int nx = r->nx, m = c->size;
    double *share = NEW_ARRAY(arena, double, nx + 1);
    Arena *local = arena_new();
    double *ub = NEW_ARRAY(local, double, (size_t)m *(size_t)nx + 1);
    matrix_product(m, nx, nx, c->u, r->b, ub);
    double sum = 0;
    for (int i = 0; i < nx; i++) {
        double diagonal = 0;
        for (int l = 0; l < m; l++)
            diagonal += c->x[i + (size_t)l * (size_t)nx] *
                        ub[l + (size_t)i * (size_t)m];
        share[i] = fabs(diagonal);
        sum += share[i];
    }
    for (int i = 0; i < nx && sum > 0; i++)
        share[i] /= sum;
    arena_free(local);
    return share;
}

static ModeCluster enlarge(const Reduced *r, const Cluster *c, Arena *arena)
{
    int n = r->n, nx = r->nx, m = c->size;
    ModeCluster out = {.size = m, .a = c->a, .projector = c->projector};
    double *v = NEW_ARRAY(arena, double, (size_t)n *(size_t)m + 1);
    double *u = NEW_ARRAY(arena, double, (size_t)n *(size_t)m + 1);
    for (int l = 0; l < m; l++) {
        double *column = v + (size_t)l * (size_t)n;
        for (int j = 0; j < nx; j++)
            column[j] = r->scale[j] * c->x[j + (size_t)l * (size_t)nx];
        for (int j = 0; j < nx; j++)
            for (int i = 0; i < r->ny; i++)
                column[nx + i] +=
                    r->right[i + (size_t)j * (size_t)r->ny] * column[j];
    }
    for (int i = 0; i < nx; i++)
        for (int l = 0; l < m; l++)
            u[l + (size_t)i * (size_t)m] =
                c->u[l + (size_t)i * (size_t)m] / r->scale[i];
    if (r->ny > 0)
        matrix_product(m, nx, r->ny, u, r->left, u + (size_t)m * (size_t)nx);
    out.v = v;
    out.u = u;
    out.share = shares(r, c, arena);
    return out;
}

/* Modes and clusters, numbered to each other. */
static void take_modes(Spectrum *s, const Reduced *r, const Clusters *c,
                       Arena *arena)
{
    Mode *mode = NEW_ARRAY(arena, Mode, c->n + 1);
    ModeCluster *cluster = NEW_ARRAY(arena, ModeCluster, c->ncluster + 1);
    s->nmode = c->n;
    for (int k = 0; k < c->ncluster; k++) {
        const Cluster *from = &c->cluster[k];
        cluster[k] = enlarge(r, from, arena);
        bool is_pair = from->size == 2 && cimag(c->value[from->member[0]]) != 0;
        for (int l = 0; l < from->size; l++) {
            int i = from->member[l];
            mode[i] =
                mode_of(c->value[i], s->tau, k, from->size > 1 && !is_pair);
        }
    }
    summarise(s, mode);
    for (int k = 0; k < c->ncluster; k++) {
        int *member = NEW_ARRAY(arena, int, cluster[k].size);
        int count = 0;
        for (int i = 0; i < s->nmode; i++)
            if (mode[i].cluster == k)
                member[count++] = i;
        cluster[k].mode = member;
    }
    s->cluster = cluster;
    s->ncluster = c->ncluster;
}

/* ---- failure ---- */
/* The variables of columns first .. that a vector of the null space of `m`
 * (n * n) is made of, at most three. */
static const char *null_names(const PencilSet *p, int first, int n,
                              const double *m, Arena *arena)
{
    Arena *local = arena_new();
    double *null = NEW_ARRAY(local, double, (size_t)n *(size_t)n + 1);
    const char *text = "";
    int count = 0;
    if (dense_null(n, n, m, DENSE_TOLERANCE, null) > 0)
        for (int j = 0; j < n && count < 3; j++)
            if (fabs(null[j]) > 0.1)
                text = arena_printf(arena, "%s%s%s", text,
                                    count++ > 0 ? ", " : "", p->var[first + j]);
    arena_free(local);
    return count > 0 ? text : "some of the unknowns";
}

static const Spectrum *fail(Spectrum *s, const PencilSet *p, TuneCode code,
                            const char *names, Arena *arena)
{
    s->code = code;
    s->explicit_step = INFINITY;
    s->why = arena_printf(
        arena, "%s in sample %d (t = %.6g s)%s%s", tune_code_text(code),
        s->sample, p->sample[s->sample].time,
        names ? "; the equations do not determine " : "", names ? names : "");
    return s;
}

/* Df_22 is singular. Is the whole matrix? If not, the eigenvalues
 * of the whole step. */
static const Spectrum *look_at_whole(Spectrum *s, const Reduced *r,
                                     Arena *arena)
{
    int n = r->n;
    size_t size = (size_t)n * (size_t)n;
    double *a = block(r->l, n, 0, n, 0, n, arena);
    double *b = block(r->df, n, 0, n, 0, n, arena);
    for (size_t i = 0; i < size; i++)
        b[i] = a[i] - r->tau * b[i];
    if (!(scaled_rcond(n, b) > SINGULAR))
        return fail(s, r->p, TUNE_SINGULAR, null_names(r->p, 0, n, b, arena),
                    arena);
    double *df22 = block(r->df, n, r->nx, r->ny, r->nx, r->ny, arena);
    const char *names = null_names(r->p, r->nx, r->ny, df22, arena);
    double *lu = block(b, n, 0, n, 0, n, arena);
    int *pivot = NEW_ARRAY(arena, int, n);
    double complex *value = NEW_ARRAY(arena, double complex, n);
    if (!dense_lu_factor(n, lu, pivot))
        return fail(s, r->p, TUNE_NO_CONVERGENCE, NULL, arena);
    dense_lu_solve(n, lu, pivot, a, n);
    if (step_eigenvalues(n, a, value) != TUNE_FINE)
        return fail(s, r->p, TUNE_NO_CONVERGENCE, NULL, arena);
    fail(s, r->p, TUNE_HIGHER_INDEX, names, arena);
    Mode *mode = NEW_ARRAY(arena, Mode, n);
    for (int i = 0; i < n; i++)
        mode[i] = mode_of(value[i], r->tau, NONE, true);
    s->nmode = n;
    summarise(s, mode);
    return s;
}

const Spectrum *spectrum_make(const PencilSet *p, int sample, double tau,
                              const ClusterOptions *options, Arena *arena)
{
    Spectrum *s = NEW(arena, Spectrum);
    *s = (Spectrum){.tau = tau,
                    .sample = sample,
                    .n = p->n,
                    .nx = p->nx,
                    .explicit_step = INFINITY};
    Reduced r = {.p = p,
                 .l = p->sample[sample].l,
                 .df = p->sample[sample].df,
                 .n = p->n,
                 .nx = p->nx,
                 .ny = p->n - p->nx,
                 .tau = tau};
    size_t size = (size_t)p->n * (size_t)p->n;
    if (!all_finite(r.l, size) || !all_finite(r.df, size))
        return fail(s, p, TUNE_NOT_FINITE, NULL, arena);
    if (!eliminate_algebraic(&r, arena))
        return look_at_whole(s, &r, arena);
    if (!(scaled_rcond(p->nx, r.b) > SINGULAR))
        return fail(s, p, TUNE_SINGULAR, null_names(p, 0, p->nx, r.b, arena),
                    arena);
    balance(&r, arena);
    const Clusters *c = clusters_find(p->nx, r.a, r.b, options, arena);
    if (c->code != TUNE_FINE)
        return fail(s, p, c->code, NULL, arena);
    s->inverse = r.ny > 0 ? r.inverse : NULL;
    take_modes(s, &r, c, arena);
    return s;
}

/* ---- names ---- */
const char *spectrum_states(const PencilSet *p, const Spectrum *s, int cluster,
                            int most, Arena *arena)
{
    if (cluster < 0 || cluster >= s->ncluster)
        return "algebraic variables";
    const double *share = s->cluster[cluster].share;
    const char *text = "";
    Arena *local = arena_new();
    bool *is_named = NEW_ARRAY(local, bool, s->nx + 1);
    double largest = 0;
    for (int count = 0; count < most; count++) {
        int best = NONE;
        for (int i = 0; i < s->nx; i++) /* equal up to rounding: the first */
            if (!is_named[i] &&
                (best == NONE || share[i] > share[best] * (1 + 1e-6)))
                best = i;
        if (best == NONE || share[best] <= STRONG * largest)
            break;
        text = arena_printf(arena, "%s%s%s", text, count > 0 ? ", " : "",
                            p->var[best]);
        is_named[best] = true;
        largest = fmax(largest, share[best]);
    }
    arena_free(local);
    return text;
}
