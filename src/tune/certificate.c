/* certificate.c - every sample tested, and products of steps along scenarios.
 *
 * A run over many samples is a product of powers: the matrix of a sample is
 * held for as many steps as lie before the next one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/certificate.h"

#include "tune/scaled.h"
#include "tune/step.h"
#include "tune/tune_internal.h"

/* The largest row sum, in units of the variables. */
static double norm_of(const double *unit, const int *var, int n,
                      const double *m)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += fabs(m[i + (size_t)j * (size_t)n]) * unit[var[j]];
        worst = fmax(worst, sum / unit[var[i]]);
    }
    return worst;
}

/* How large an algebraic variable becomes when each state moves by its nominal
 * value: the largest row sum of Df_22^-1 Df_21 over the samples. */
static void algebraic_units(const PencilSet *p, int sample, double *unit)
{
    int n = p->n, nx = p->nx, ny = n - nx, bad;
    const double *df = p->sample[sample].df;
    Arena *local = arena_new();
    double *df22 = NEW_ARRAY(local, double, (size_t)ny *(size_t)ny + 1);
    double *column = NEW_ARRAY(local, double, ny + 1);
    double *sum = NEW_ARRAY(local, double, ny + 1);
    for (int j = 0; j < ny; j++)
        memcpy(df22 + (size_t)j * (size_t)ny,
               df + nx + (size_t)(nx + j) * (size_t)n,
               (size_t)ny * sizeof *df22);
    Sparse *f = all_finite(df, (size_t)n * (size_t)n)
                    ? sparse_factor(ny, df22, &bad)
                    : NULL;
    for (int j = 0; j < nx && f; j++) {
        memcpy(column, df + nx + (size_t)j * (size_t)n,
               (size_t)ny * sizeof *column);
        sparse_solve(f, column);
        for (int i = 0; i < ny; i++)
            sum[i] += fabs(column[i]) * p->nominal[j];
    }
    for (int i = 0; i < ny; i++)
        if (isfinite(sum[i]))
            unit[nx + i] = fmax(unit[nx + i], sum[i]);
    sparse_free(f);
    arena_free(local);
}

/* Nominal values of the states; algebraic variables follow from them. */
static const double *units_of(const PencilSet *p, Arena *arena)
{
    double *unit = NEW_ARRAY(arena, double, p->n + 1);
    memcpy(unit, p->nominal, (size_t)p->nx * sizeof *unit);
    for (int s = 0; s < p->nsample && p->n > p->nx; s++)
        algebraic_units(p, s, unit);
    for (int i = p->nx; i < p->n; i++)
        if (unit[i] == 0)
            unit[i] = p->nominal[i];
    return unit;
}

/* ---- products ---- */
static int steps_held(const PencilSet *p, const CertificateOptions *o, int s)
{
    if (o->hold > 0)
        return o->hold;
    if (s + 1 >= p->nsample ||
        p->sample[s + 1].scenario != p->sample[s].scenario)
        return 1;
    return scaled_steps_held(p->sample[s].time, p->sample[s + 1].time,
                             o->choice.tau);
}

/* Powers of the step matrices of all samples. */
typedef struct Chain {
    const int *var; /* remembered variables */
    const double *unit;
    int n;
    Scaled *sample; /* size nsample; m NULL where the step has no matrix */
} Chain;

static Chain chain_new(const PencilSet *p, const CertificateOptions *o,
                       const bool *keep, const double *frozen,
                       const double *unit, Arena *arena)
{
    Chain c = {.unit = unit,
               .sample = NEW_ARRAY(arena, Scaled, p->nsample + 1)};
    int order = o->choice.order;
    for (int s = 0; s < p->nsample; s++) {
        StepMatrix m =
            step_matrix(p, s, o->choice.tau, order, keep, frozen, arena);
        if (m.code != TUNE_FINE)
            continue;
        c.sample[s] = scaled_power(m.n, m.m, steps_held(p, o, s), arena);
        c.var = m.var;
        c.n = m.n;
    }
    return c;
}

/* log norms of the products that start in sample `from`, one for each end. */
static void products_from(const PencilSet *p, const Chain *c, int from,
                          double *log_norm, int *count)
{
    Arena *local = arena_new();
    double *work = NEW_ARRAY(local, double, (size_t)c->n *(size_t)c->n + 1);
    Scaled product = scaled_new(c->n, NULL, local);
    *count = 0;
    for (int s = from; s < p->nsample; s++) {
        if (p->sample[s].scenario != p->sample[from].scenario ||
            c->sample[s].m == NULL)
            break;
        scaled_multiply(&product, &c->sample[s], work);
        double norm = norm_of(c->unit, c->var, c->n, product.m);
        log_norm[(*count)++] = norm > 0 ? log(norm) + product.log : -INFINITY;
    }
    arena_free(local);
}

static double bounded_exp(double x)
{
    return exp(fmin(x, 600));
}

void certificate_products(const PencilSet *p, const CertificateOptions *o,
                          const bool *keep, const double *frozen,
                          Certificate *out, const TuneProgress *progress)
{
    Arena *local = arena_new();
    const double *unit = units_of(p, local);
    Chain sparsed = chain_new(p, o, keep, frozen, unit, local);
    Chain exact = chain_new(p, o, NULL, NULL, unit, local);
    double *log_sparsed = NEW_ARRAY(local, double, p->nsample + 1);
    double *log_exact = NEW_ARRAY(local, double, p->nsample + 1);
    double worst = -INFINITY, product = -INFINITY, product_exact = -INFINITY;
    for (int s = 0; s < p->nsample; s++) {
        tune_say(progress, "products of steps", s, p->nsample);
        int n, m;
        products_from(p, &sparsed, s, log_sparsed, &n);
        products_from(p, &exact, s, log_exact, &m);
        for (int i = 0; i < n && i < m; i++) {
            double ratio = log_sparsed[i] - fmax(0, log_exact[i]);
            product = fmax(product, log_sparsed[i]);
            product_exact = fmax(product_exact, log_exact[i]);
            if (ratio > worst) {
                worst = ratio;
                out->product_from = s;
                out->product_to = s + i;
            }
        }
    }
    out->product = bounded_exp(product);
    out->product_exact = bounded_exp(product_exact);
    out->product_ratio = bounded_exp(worst);
    arena_free(local);
}

/* ---- samples ---- */
static const char *place_text(const PencilSet *p, int sample, Arena *arena)
{
    const Pencil *s = &p->sample[sample];
    return arena_printf(arena, "sample %d (t = %.6g s%s)", sample, s->time,
                        s->kept_back ? ", kept back" : "");
}

static const char *mode_text(const PencilSet *p, const ChoiceSample *s,
                             int mode, Arena *arena)
{
    if (mode == NONE)
        return "an algebraic variable";
    const Mode *m = &s->spectrum->mode[mode];
    return arena_printf(arena, "%s mode of %s, lambda = %.6g%+.6gi",
                        mode_kind_text(m->kind),
                        spectrum_states(p, s->spectrum, m->cluster, 3, arena),
                        creal(m->lambda), cimag(m->lambda));
}

/* Why a sample fails, for a person. */
static const char *explain(const PencilSet *p, const ChoiceSample *s,
                           const ChoiceFigures *f, Arena *arena)
{
    const char *what = choice_test_text(f->test);
    const char *place = place_text(p, s->sample, arena);
    switch (f->test) {
    case CHOICE_SINGULAR:
        return arena_printf(arena, "%s in %s%s%s", what, place,
                            f->bad == NONE ? "" : ", at the column of ",
                            f->bad == NONE ? "" : p->var[f->bad]);
    case CHOICE_MOVED:
        return arena_printf(
            arena,
            "%s in %s: %s becomes %.6g%+.6gi, %.3g times what rho allows", what,
            place, mode_text(p, s, f->worst_mode, arena),
            creal(f->worst_lambda), cimag(f->worst_lambda), f->worst_ratio);
    case CHOICE_GROWS:
        return arena_printf(arena, "%s in %s: %s, by a factor %.6g a step",
                            what, place, mode_text(p, s, f->growth_mode, arena),
                            f->radius);
    case CHOICE_ALGEBRAIC:
        return arena_printf(arena, "%s in %s: ||I - J22^-1 g_y|| = %.3g", what,
                            place, f->contraction);
    case CHOICE_EXTRAPOLATED:
        return arena_printf(arena, "%s in %s: its radius is %.6g", what, place,
                            f->extrapolated);
    default: return arena_printf(arena, "%s in %s", what, place);
    }
}

static void blame(Certificate *out, ChoiceTest test, int sample,
                  const char *why)
{
    if (!out->is_safe)
        return; /* the first reason stays */
    out->is_safe = false;
    out->test = test;
    out->sample = sample;
    out->why = why;
}

static void take_row(const ChoiceSample *s, const ChoiceFigures *f,
                     Certificate *out)
{
    if (f->radius > out->radius || out->radius_sample == NONE) {
        out->radius = f->radius;
        out->exact_radius = s->spectrum->radius;
        out->radius_sample = s->sample;
    }
    if (f->worst_ratio > out->ratio || out->ratio_sample == NONE) {
        out->ratio = f->worst_ratio;
        out->ratio_sample = s->sample;
        out->ratio_mode = f->worst_mode;
    }
    out->contraction = fmax(out->contraction, f->contraction);
    out->extrapolated = fmax(out->extrapolated, f->extrapolated);
}

static void test_sample(const PencilSet *p, const CertificateOptions *o,
                        int sample, const bool *keep, const double *frozen,
                        CertificateRow *rows, Certificate *out, Arena *arena)
{
    CertificateRow *row = &rows[sample];
    int same = p->sample[sample].same;
    if (same != sample) { /* whatever it says was said there */
        *row = rows[same];
        row->sample = sample;
        row->kept_back = p->sample[sample].kept_back;
        return;
    }
    Arena *local = arena_new();
    ChoiceSample s = choice_sample(p, sample, &o->choice, local);
    *row = (CertificateRow){.sample = sample,
                            .kept_back = p->sample[sample].kept_back,
                            .code = s.spectrum->code};
    row->figures = choice_test(p, &s, &o->choice, keep, frozen, NULL);
    if (row->code != TUNE_FINE) {
        if (out->code == TUNE_FINE)
            out->code = row->code;
        blame(out, CHOICE_FAILED, sample, arena_strdup(arena, s.spectrum->why));
    } else {
        if (row->figures.test != CHOICE_PASSED)
            blame(out, row->figures.test, sample,
                  arena_strdup(arena, explain(p, &s, &row->figures, local)));
        take_row(&s, &row->figures, out);
    }
    arena_free(local);
}

Certificate certificate_make(const PencilSet *p, const CertificateOptions *o,
                             const bool *keep, const double *frozen,
                             const TuneProgress *progress, Arena *arena)
{
    CertificateRow *row = NEW_ARRAY(arena, CertificateRow, p->nsample + 1);
    Certificate out = {.is_safe = true,
                       .sample = NONE,
                       .radius_sample = NONE,
                       .ratio_sample = NONE,
                       .ratio_mode = NONE,
                       .product_from = NONE,
                       .product_to = NONE,
                       .nrow = p->nsample,
                       .row = row};
    if (p->nsample == 0) {
        out.code = TUNE_NO_SAMPLES;
        blame(&out, CHOICE_FAILED, NONE, tune_code_text(TUNE_NO_SAMPLES));
        return out;
    }
    for (int s = 0; s < p->nsample; s++) {
        tune_say(progress, "certifying samples", s, p->nsample);
        test_sample(p, o, s, keep, frozen, row, &out, arena);
    }
    certificate_products(p, o, keep, frozen, &out, progress);
    double limit = o->growth > 0 ? o->growth : 10;
    if (out.product_ratio > limit)
        blame(&out, CHOICE_PRODUCT, out.product_from,
              arena_printf(arena,
                           "%s from sample %d to %d: norm %.3g times that of "
                           "the exact steps, allowed are %.3g",
                           choice_test_text(CHOICE_PRODUCT), out.product_from,
                           out.product_to, out.product_ratio, limit));
    tune_say(progress, "certifying samples", p->nsample, p->nsample);
    return out;
}
