/* choice_test.c - does a pattern pass in a sample? See choice.h for the tests.
 *
 * The contraction of the algebraic part is measured in max norms weighted by
 * the variables: for any v > 0, max_i (|G| v)_i / v_i is a norm of G. The
 * nominal values are the first v, a few steps of the power method on |G| lead
 * to the best one (Perron's vector). If none is below 1, the Euclidean norm in
 * the same weights may still be.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/choice.h"

#include "num/dense.h"
#include "tune/assign.h"
#include "tune/ritz.h"
#include "tune/step.h"
#include "tune/tune_internal.h"

enum { POWER_STEPS = 40 };

const char *choice_test_text(ChoiceTest test)
{
    static const char *const text[] = {
#define TEST(name, text) text,
        CHOICE_TESTS(TEST)
#undef TEST
    };
    return text[test];
}

static double rho_of(const ChoiceOptions *o)
{
    return o->rho > 0 ? o->rho : 0.1;
}

static double rho_m_of(const ChoiceOptions *o)
{
    return o->rho_m > 0 ? o->rho_m : rho_of(o) / 100;
}

static double use_of(const ChoiceOptions *o)
{
    return o->use > 0 ? o->use : 1;
}

static double slack_of(const ChoiceOptions *o)
{
    return o->slack > 0 ? o->slack : 1e-7;
}

/* How far rounding spreads a multiple eigenvalue: the largest distance from
 * the mean, 0 for single ones and for sets that are not tight. */
static double spread(const Spectrum *s, int cluster)
{
    const ModeCluster *c = &s->cluster[cluster];
    if (c->size < 2)
        return 0;
    double widest = 0;
    for (int side = -1; side <= 1; side++) { /* above, on, below the axis */
        double complex mean = 0;
        int count = 0;
        for (int l = 0; l < c->size; l++) {
            double complex value = s->mode[c->mode[l]].lambda;
            if ((cimag(value) > 1e-3) - (cimag(value) < -1e-3) == side) {
                mean += value;
                count++;
            }
        }
        for (int l = 0; l < c->size && count > 0; l++) {
            double complex value = s->mode[c->mode[l]].lambda;
            if ((cimag(value) > 1e-3) - (cimag(value) < -1e-3) == side)
                widest = fmax(widest, cabs(value - mean / count));
        }
    }
    return widest < 1e-3 ? widest : 0;
}

ChoiceKnown *choice_known(const PencilSet *p, Arena *arena)
{
    ChoiceKnown *k = NEW(arena, ChoiceKnown);
    k->arena = arena;
    k->spectrum = NEW_ARRAY(arena, const Spectrum *, p->nsample + 1);
    k->criterion = NEW_ARRAY(arena, const Criterion *, p->nsample + 1);
    return k;
}

const Spectrum *choice_spectrum(ChoiceKnown *k, const PencilSet *p, int sample,
                                double tau, const ClusterOptions *o)
{
    int same = p->sample[sample].same;
    if (k->spectrum[sample])
        return k->spectrum[sample];
    if (!k->spectrum[same])
        k->spectrum[same] = spectrum_make(p, same, tau, o, k->arena);
    if (same != sample && k->spectrum[same]->code == TUNE_FINE) {
        Spectrum *s = NEW(k->arena, Spectrum);
        *s = *k->spectrum[same];
        s->sample = sample;
        k->spectrum[sample] = s;
    } else if (same != sample) { /* the reason names the sample */
        k->spectrum[sample] = spectrum_make(p, sample, tau, o, k->arena);
    }
    return k->spectrum[sample];
}

static const Spectrum *spectrum_of(const PencilSet *p, int sample,
                                   const ChoiceOptions *o, Arena *arena)
{
    return o->known ? choice_spectrum(o->known, p, sample, o->tau, &o->clusters)
                    : spectrum_make(p, sample, o->tau, &o->clusters, arena);
}

const Criterion *choice_criterion(const PencilSet *p, const ChoiceOptions *o,
                                  ChoiceSample *s, Arena *arena)
{
    ChoiceKnown *k = o->known;
    if (!s->criterion && k && k->criterion[s->sample])
        s->criterion = k->criterion[s->sample];
    if (!s->criterion)
        s->criterion = criterion_make(p, s->spectrum, k ? k->arena : arena);
    if (k)
        k->criterion[s->sample] = s->criterion;
    return s->criterion;
}

ChoiceSample choice_sample(const PencilSet *p, int sample,
                           const ChoiceOptions *o, Arena *arena)
{
    ChoiceSample s = {.sample = sample};
    s.spectrum = spectrum_of(p, sample, o, arena);
    if (s.spectrum->code != TUNE_FINE)
        return s;
    int nmode = s.spectrum->nmode;
    double *r = NEW_ARRAY(arena, double, nmode + 1);
    double *limit = NEW_ARRAY(arena, double, nmode + 1);
    for (int i = 0; i < nmode; i++) {
        const Mode *m = &s.spectrum->mode[i];
        double size = cabs(m->lambda);
        r[i] = fmax(rho_of(o) * (1 - size), rho_m_of(o));
        limit[i] =
            fmax(1, size) + slack_of(o) + 4 * spread(s.spectrum, m->cluster);
    }
    s.r = r;
    s.limit = limit;
    if (o->order > 1) {
        Arena *local = arena_new();
        StepMatrix m =
            step_matrix(p, sample, o->tau, o->order, NULL, NULL, local);
        TuneCode code;
        s.exact_radius = step_radius(m.n, m.m, &code);
        arena_free(local);
    }
    return s;
}

/* ---- eigenvalues ---- */
/* The exact eigenvalues with the zeros of remembered algebraic variables. */
typedef struct Targets {
    int n;
    double complex *lambda;
    double *r, *limit;
    double use; /* of r */
} Targets;

static Targets targets_of(const ChoiceSample *s, const ChoiceOptions *o, int n,
                          Arena *arena)
{
    Targets t = {n, NEW_ARRAY(arena, double complex, n + 1),
                 NEW_ARRAY(arena, double, n + 1),
                 NEW_ARRAY(arena, double, n + 1), use_of(o)};
    for (int i = 0; i < n; i++) {
        bool is_mode = i < s->spectrum->nmode;
        t.lambda[i] = is_mode ? s->spectrum->mode[i].lambda : 0;
        t.r[i] = is_mode ? s->r[i] : fmax(rho_of(o), rho_m_of(o));
        t.limit[i] = is_mode ? s->limit[i] : 1 + slack_of(o);
    }
    return t;
}

/* Pairs by |lambda - lambda~| / r; with `is_strict` a pair in which a mode
 * grows is the last resort. */
static void pair_up(const Targets *t, const double complex *value,
                    bool is_strict, int *pair, Arena *arena)
{
    size_t n = (size_t)t->n;
    double *cost = NEW_ARRAY(arena, double, n *n + 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            cost[i + j * n] = cabs(t->lambda[i] - value[j]) / t->r[i];
            if (is_strict && cabs(value[j]) > t->limit[i])
                cost[i + j * n] += 1e9;
        }
    assign_bottleneck(t->n, cost, pair);
}

/* Fills the figures from the pairs. */
static void judge(const ChoiceSample *s, const Targets *t,
                  const double complex *value, const int *pair,
                  ChoiceFigures *f, double *error)
{
    int nmode = s->spectrum->nmode;
    *f = (ChoiceFigures){.worst_mode = NONE,
                         .growth_mode = NONE,
                         .growth = -1,
                         .worst_ratio = -1,
                         .bad = NONE};
    if (error)
        memset(error, 0, (size_t)(nmode + 1) * sizeof *error);
    for (int i = 0; i < t->n; i++) {
        double complex other = value[pair[i]];
        double ratio = cabs(t->lambda[i] - other) / t->r[i];
        double growth = cabs(other) - t->limit[i];
        int mode = i < nmode ? i : NONE;
        f->radius = fmax(f->radius, cabs(other));
        if (ratio > f->worst_ratio) {
            f->worst_ratio = ratio;
            f->worst_mode = mode;
            f->worst_lambda = other;
        }
        if (growth > f->growth) {
            f->growth = growth;
            f->growth_mode = mode;
        }
        if (error)
            error[i < nmode ? i : nmode] =
                fmax(error[i < nmode ? i : nmode], ratio);
    }
    f->worst_ratio = fmax(0, f->worst_ratio);
    f->test = f->worst_ratio > t->use ? CHOICE_MOVED
              : f->growth > 0         ? CHOICE_GROWS
                                      : CHOICE_PASSED;
}

static void test_eigenvalues(const StepMatrix *m, const ChoiceSample *s,
                             const ChoiceOptions *o, ChoiceFigures *f,
                             double *error)
{
    Arena *local = arena_new();
    int n = m->n > s->spectrum->nmode ? m->n : s->spectrum->nmode;
    double complex *value = NEW_ARRAY(local, double complex, n + 1);
    int *pair = NEW_ARRAY(local, int, n + 1);
    if (step_eigenvalues(m->n, m->m, value) != TUNE_FINE) {
        f->test = CHOICE_FAILED;
    } else {
        Targets t = targets_of(s, o, n, local);
        pair_up(&t, value, false, pair, local);
        judge(s, &t, value, pair, f, error);
        if (f->test == CHOICE_GROWS && s->spectrum->radius > 1) {
            pair_up(&t, value, true, pair, local);
            ChoiceFigures other;
            judge(s, &t, value, pair, &other, NULL);
            if (other.test == CHOICE_PASSED)
                judge(s, &t, value, pair, f, error);
        }
    }
    arena_free(local);
}

bool choice_is_hopeless(const PencilSet *p, const ChoiceSample *s,
                        const ChoiceOptions *o, const bool *keep,
                        const double *frozen)
{
    if (p->n < RITZ_FROM || s->spectrum->code != TUNE_FINE)
        return false;
    Arena *local = arena_new();
    double complex value[RITZ_STEPS];
    StepMatrix m = step_matrix(p, s->sample, o->tau, 1, keep, frozen, local);
    int n = m.code == TUNE_FINE ? ritz_values(m.n, m.m, value) : 0;
    Targets t = targets_of(
        s, o, m.n > s->spectrum->nmode ? m.n : s->spectrum->nmode, local);
    bool is_near = true;
    for (int i = 0; i < n && is_near; i++) {
        is_near = false;
        for (int k = 0; k < t.n && !is_near; k++)
            is_near =
                cabs(t.lambda[k] - value[i]) <= t.use * t.r[k] + RITZ_SETTLED &&
                cabs(value[i]) <= t.limit[k] + RITZ_SETTLED;
    }
    arena_free(local);
    return !is_near;
}

/* ---- the algebraic part ---- */
/* max_i (|G| v)_i / v_i, and the product itself in w. */
static double weighted_norm(int n, const double *g, const double *v, double *w)
{
    memset(w, 0, (size_t)n * sizeof *w);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            w[i] += fabs(g[i + (size_t)j * (size_t)n]) * v[j];
    double norm = 0;
    for (int i = 0; i < n; i++)
        norm = fmax(norm, w[i] / v[i]);
    return norm;
}

/* The smallest norm found; v starts as the nominal values and ends as the
 * weights of that norm. */
static double best_weighted_norm(int n, const double *g, double *v,
                                 Arena *arena)
{
    double *w = NEW_ARRAY(arena, double, n + 1);
    double *best_v = NEW_ARRAY(arena, double, n + 1);
    double best = INFINITY;
    for (int step = 0; step < POWER_STEPS; step++) {
        double norm = weighted_norm(n, g, v, w);
        if (norm < best) {
            best = norm;
            memcpy(best_v, v, (size_t)n * sizeof *v);
        }
        if (best == 0 || !isfinite(norm))
            break;
        double most = 0;
        for (int i = 0; i < n; i++) /* a part of v keeps all of it positive */
            most = fmax(most, w[i] += 0.01 * best * v[i]);
        for (int i = 0; i < n; i++)
            v[i] = fmax(w[i] / most, 1e-200);
    }
    memcpy(v, best_v, (size_t)n * sizeof *v);
    return best;
}

static double euclidean_norm(int n, const double *g, const double *v,
                             Arena *arena)
{
    double *m = NEW_ARRAY(arena, double, (size_t)n *(size_t)n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            m[i + (size_t)j * (size_t)n] =
                g[i + (size_t)j * (size_t)n] * v[j] / v[i];
    return dense_norm_2(n, n, m);
}

/* ||I - J22^-1 g_y||; 0 if J22 is exact, INFINITY if it is singular. */
static double contraction(const PencilSet *p, int sample, double tau,
                          const bool *keep, const double *frozen)
{
    int n = p->n, nx = p->nx, ny = n - nx;
    Arena *local = arena_new();
    double *whole = NEW_ARRAY(local, double, (size_t)n *(size_t)n + 1);
    double *j22 = NEW_ARRAY(local, double, (size_t)ny *(size_t)ny + 1);
    double *g = NEW_ARRAY(local, double, (size_t)ny *(size_t)ny + 1);
    const double *df = p->sample[sample].df;
    pencil_iteration_matrix(p, sample, tau, keep, frozen, whole);
    bool is_exact = true;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < ny; i++) {
            size_t from = (size_t)(nx + i) + (size_t)(nx + j) * (size_t)n;
            size_t to = (size_t)i + (size_t)j * (size_t)ny;
            j22[to] = whole[from];
            g[to] = whole[from] + tau * df[from]; /* -tau (J22 - g_y) */
            if (whole[from] == -(tau * df[from]))
                g[to] = 0;
            is_exact = is_exact && g[to] == 0;
        }
    double norm = 0;
    int bad;
    Sparse *f = is_exact ? NULL : sparse_factor(ny, j22, &bad);
    if (f) {
        for (int j = 0; j < ny; j++)
            sparse_solve(f, g + (size_t)j * (size_t)ny);
        double *v = NEW_ARRAY(local, double, ny);
        memcpy(v, p->nominal + nx, (size_t)ny * sizeof *v);
        norm = all_finite(g, (size_t)ny * (size_t)ny)
                   ? best_weighted_norm(ny, g, v, local)
                   : INFINITY;
        if (norm >= 1 && isfinite(norm))
            norm = fmin(norm, euclidean_norm(ny, g, v, local));
        sparse_free(f);
    } else if (!is_exact) {
        norm = INFINITY;
    }
    arena_free(local);
    return norm;
}

/* ---- entry ---- */
static void test_extrapolated(const PencilSet *p, const ChoiceSample *s,
                              const ChoiceOptions *o, const bool *keep,
                              const double *frozen, ChoiceFigures *f)
{
    Arena *local = arena_new();
    StepMatrix m =
        step_matrix(p, s->sample, o->tau, o->order, keep, frozen, local);
    TuneCode code = m.code;
    if (code == TUNE_FINE)
        f->extrapolated = step_radius(m.n, m.m, &code);
    arena_free(local);
    double limit = fmax(1, s->exact_radius) + slack_of(o);
    for (int i = 0; i < s->spectrum->nmode; i++) /* rounding of multiple ones */
        limit = fmax(limit, fmax(1, s->exact_radius) + s->limit[i] -
                                fmax(1, cabs(s->spectrum->mode[i].lambda)));
    if (f->test != CHOICE_PASSED)
        return;
    if (code == TUNE_SINGULAR)
        f->test = CHOICE_SINGULAR;
    else if (code != TUNE_FINE)
        f->test = CHOICE_FAILED;
    else if (f->extrapolated > limit)
        f->test = CHOICE_EXTRAPOLATED;
}

ChoiceFigures choice_test(const PencilSet *p, const ChoiceSample *s,
                          const ChoiceOptions *o, const bool *keep,
                          const double *frozen, double *error)
{
    ChoiceFigures f = {.test = CHOICE_FAILED,
                       .worst_mode = NONE,
                       .growth_mode = NONE,
                       .bad = NONE};
    if (error)
        memset(error, 0, (size_t)(s->spectrum->nmode + 1) * sizeof *error);
    if (s->spectrum->code != TUNE_FINE)
        return f;
    Arena *local = arena_new();
    StepMatrix m = step_matrix(p, s->sample, o->tau, 1, keep, frozen, local);
    if (m.code == TUNE_SINGULAR) {
        f.test = CHOICE_SINGULAR;
        f.bad = m.bad;
    } else if (m.code == TUNE_FINE) {
        test_eigenvalues(&m, s, o, &f, error);
    }
    arena_free(local);
    if (f.test == CHOICE_SINGULAR || f.test == CHOICE_FAILED)
        return f;
    if (p->n > p->nx && (keep || frozen)) {
        double norm = contraction(p, s->sample, o->tau, keep, frozen);
        f.contraction = fmin(norm, 1e300);
        if (f.test == CHOICE_PASSED && !(norm < 1))
            f.test = CHOICE_ALGEBRAIC;
    }
    if (o->order > 1)
        test_extrapolated(p, s, o, keep, frozen, &f);
    return f;
}
