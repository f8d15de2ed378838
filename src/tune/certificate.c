/* certificate.c - every sample tested, and products of steps along scenarios.
 *
 * A run over many samples is a product of powers: the matrix of a sample is
 * held for as many steps as lie before the next one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/certificate.h"

#include "tune/products.h"
#include "tune/step.h"
#include "tune/tune_internal.h"

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
/* The step matrices of all samples, over the variables that are remembered. */
static const StepMaps *maps_of(const PencilSet *p, const CertificateOptions *o,
                               const bool *keep, const double *frozen,
                               Arena *arena)
{
    StepMaps *maps = NEW(arena, StepMaps);
    StepMap *list = NEW_ARRAY(arena, StepMap, p->nsample + 1);
    const double *of = units_of(p, arena);
    double *unit = NEW_ARRAY(arena, double, p->n + 1);
    *maps = (StepMaps){.nsample = p->nsample, .sample = list, .unit = unit};
    for (int s = 0; s < p->nsample; s++) {
        const Pencil *at = &p->sample[s];
        list[s] = (StepMap){NULL, at->time, at->scenario, at->kept_back};
        if (at->same < s) {
            list[s].m = list[at->same].m;
            continue;
        }
        StepMatrix m = step_matrix(p, s, o->choice.tau, o->choice.order, keep,
                                   frozen, arena);
        if (m.code != TUNE_FINE)
            continue;
        list[s].m = m.m;
        maps->n = m.n;
        for (int i = 0; i < m.n; i++)
            unit[i] = of[m.var[i]];
    }
    return maps;
}

static Products *exact_products(const PencilSet *p, const CertificateOptions *o,
                                Arena *arena)
{
    ChoiceKnown *k =
        o->choice.order <= 1 && o->hold == 0 ? o->choice.known : NULL;
    if (k && k->exact)
        return k->exact;
    Arena *at = k ? k->arena : arena;
    Products *exact =
        products_new(maps_of(p, o, NULL, NULL, at), o->choice.tau, o->hold, at);
    if (k)
        k->exact = exact;
    return exact;
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
    Products *sparsed = products_new(maps_of(p, o, keep, frozen, local),
                                     o->choice.tau, o->hold, local);
    ProductWorst w =
        products_compare(sparsed, exact_products(p, o, local), progress);
    out->product_from = w.from;
    out->product_to = w.to;
    out->product = bounded_exp(w.norm);
    out->product_exact = bounded_exp(w.exact);
    out->product_ratio = bounded_exp(w.ratio);
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
