/* proof.c - eigenvalues, products and contraction of linearised steps. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/proof.h"

#include "tune/products.h"
#include "tune/step.h"
#include "tune/tune_internal.h"

#define MARGIN 1e-6
#define GROWTH 10.0
#define LOOSE  1e-4 /* rounding of multiple eigenvalues on the unit circle */

const char *proof_state_text(ProofState state)
{
    static const char *const text[] = {"unproven", "refuted", "proven"};
    return text[state];
}

bool proof_rings(const Proof *p)
{
    return !(p->ringing <= PROOF_RINGING);
}

/* ---- eigenvalues ---- */

typedef struct Extremes {
    TuneCode code;
    double radius;
    double complex leftmost;
} Extremes;

static Extremes extremes_of(int n, const double *m)
{
    Arena *local = arena_new();
    Extremes e = {.code = TUNE_FINE};
    double complex *value = NEW_ARRAY(local, double complex, n + 1);
    e.code = step_eigenvalues(n, m, value);
    for (int i = 0; i < n; i++) {
        e.radius = fmax(e.radius, cabs(value[i]));
        if (creal(value[i]) < creal(e.leftmost))
            e.leftmost = value[i];
    }
    arena_free(local);
    return e;
}

/* Is the matrix of a sample that of the one before, bit for bit? */
static bool is_repeated(const StepMaps *p, int s)
{
    return s > 0 && p->sample[s].m && p->sample[s - 1].m &&
           !memcmp(p->sample[s].m, p->sample[s - 1].m,
                   (size_t)p->n * (size_t)p->n * sizeof(double));
}

const ProofExact *proof_exact(const StepMaps *p, const ProofOptions *o,
                              Arena *arena)
{
    ProofExact *x = NEW(arena, ProofExact);
    double *radius = NEW_ARRAY(arena, double, p->nsample + 1);
    double *leftmost = NEW_ARRAY(arena, double, p->nsample + 1);
    for (int s = 0; s < p->nsample; s++) {
        radius[s] = leftmost[s] = NAN;
        if (!p->sample[s].m)
            continue;
        if (is_repeated(p, s)) {
            radius[s] = radius[s - 1];
            leftmost[s] = leftmost[s - 1];
            continue;
        }
        Extremes e = extremes_of(p->n, p->sample[s].m);
        if (e.code != TUNE_FINE)
            continue;
        radius[s] = e.radius;
        leftmost[s] = creal(e.leftmost);
    }
    *x = (ProofExact){p, radius, leftmost, products_new(p, o->tau, 0, arena)};
    return x;
}

/* What a step may grow by in a sample. Rounding spreads a multiple eigenvalue
 * on the unit circle, in the uncut step as in others. */
static double allowed(const ProofExact *exact, const ProofOptions *o, int s)
{
    double margin = o->margin > 0 ? o->margin : MARGIN;
    double most = 1, spread = 0;
    if (o->own)
        most = fmax(most, o->own[s]); /* NaN counts as 1 */
    if (exact && isfinite(exact->radius[s])) {
        most = fmax(most, exact->radius[s]);
        spread = exact->radius[s] - 1;
    }
    if (spread > 0 && spread < LOOSE)
        most = fmax(most, 1 + 4 * spread);
    return most * (1 + margin);
}

static const char *place_text(const StepMaps *p, int s, Arena *arena)
{
    return arena_printf(arena, "sample %d (t = %.6g s%s)", s + 1,
                        p->sample[s].time,
                        p->sample[s].kept_back ? ", kept back" : "");
}

/* What is hardly more than 1 is said by how much. */
static const char *factor_text(double x, Arena *arena)
{
    return x > 1 && x < 1.001 ? arena_printf(arena, "1 + %.2g", x - 1)
                              : arena_printf(arena, "%.6g", x);
}

static void refute(Proof *out, const char *why)
{
    if (out->state != PROOF_PROVEN)
        return; /* the first reason stays */
    out->state = PROOF_REFUTED;
    out->why = why;
}

static void doubt(Proof *out, const char *why)
{
    if (out->state == PROOF_PROVEN) {
        out->state = PROOF_UNPROVEN;
        out->why = why;
    }
}

static void judge_sample(const StepMaps *p, const ProofExact *exact,
                         const ProofOptions *o, int s, const Extremes *e,
                         Proof *out, Arena *arena)
{
    double left =
        exact && isfinite(exact->leftmost[s]) ? exact->leftmost[s] : 0;
    double ringing = fmax(0, left - creal(e->leftmost));
    if (!(e->radius <= out->radius)) {
        out->radius = e->radius;
        out->radius_sample = s;
        out->exact_radius = exact ? exact->radius[s] : NAN;
    }
    if (!(ringing <= out->ringing)) {
        out->ringing = ringing;
        out->ringing_value = e->leftmost;
        out->ringing_sample = s;
    }
    if (e->radius > allowed(exact, o, s))
        refute(out, arena_printf(arena,
                                 "a mode grows that does not in the model: by "
                                 "a factor %s per step in %s",
                                 factor_text(e->radius, arena),
                                 place_text(p, s, arena)));
}

/* ---- algebraic values that are remembered ---- */

static void judge_algebraic(const StepMaps *p, int s, Proof *out, Arena *arena)
{
    int first = p->nx + p->nd, ny = p->n - first;
    if (ny == 0)
        return;
    Arena *local = arena_new();
    size_t n = (size_t)p->n, nx = (size_t)first;
    double *g = NEW_ARRAY(local, double, (size_t)ny *(size_t)ny + 1);
    double norm = 0;
    for (size_t i = 0; i < (size_t)ny; i++) {
        double sum = 0;
        for (size_t j = 0; j < (size_t)ny; j++) {
            g[i + j * (size_t)ny] = p->sample[s].m[nx + i + (nx + j) * n];
            sum += fabs(g[i + j * (size_t)ny]) * p->unit[nx + j];
        }
        norm = fmax(norm, sum / p->unit[nx + i]);
    }
    Extremes e = extremes_of(ny, g);
    arena_free(local);
    out->contraction_norm = fmax(out->contraction_norm, norm);
    out->contraction = fmax(out->contraction, e.radius);
    if (e.code != TUNE_FINE)
        doubt(out, tune_code_text(e.code));
    else if (!(e.radius < 1))
        refute(out, arena_printf(arena,
                                 "old algebraic values do not die out: by a "
                                 "factor %.6g per step in %s",
                                 e.radius, place_text(p, s, arena)));
}

/* ---- products ---- */

static void judge_products(const StepMaps *p, const ProofExact *exact,
                           const ProofOptions *o, Proof *out,
                           const TuneProgress *progress, Arena *arena)
{
    Arena *local = arena_new();
    double limit = o->growth > 0 ? o->growth : GROWTH;
    ProductWorst worst = products_compare(products_new(p, o->tau, 0, local),
                                          exact->products, progress);
    arena_free(local);
    out->product_from = worst.from;
    out->product_to = worst.to;
    out->product_ratio = exp(fmin(worst.ratio, 600));
    if (out->product_ratio > limit)
        refute(out,
               arena_printf(arena,
                            "products of steps grow from sample %d to %d: norm "
                            "%.3g times that of the uncut steps, allowed are "
                            "%.3g",
                            out->product_from + 1, out->product_to + 1,
                            out->product_ratio, limit));
}

Proof proof_make(const StepMaps *p, const ProofExact *exact,
                 const ProofOptions *o, const TuneProgress *progress,
                 Arena *arena)
{
    Proof out = {.state = PROOF_PROVEN,
                 .n = p->n,
                 .nx = p->nx,
                 .radius = NAN,
                 .exact_radius = NAN,
                 .radius_sample = NONE,
                 .ringing = NAN,
                 .ringing_sample = NONE,
                 .product_ratio = NAN,
                 .product_from = NONE,
                 .product_to = NONE};
    Extremes e = {.code = TUNE_FINE};
    if (p->nsample == 0)
        doubt(&out, p->why ? p->why : tune_code_text(TUNE_NO_SAMPLES));
    for (int s = 0; s < p->nsample; s++) {
        tune_say(progress, "certifying samples", s, p->nsample);
        if (!p->sample[s].m) {
            doubt(&out, p->why);
            continue;
        }
        if (!is_repeated(p, s)) {
            e = extremes_of(p->n, p->sample[s].m);
            judge_algebraic(p, s, &out, arena);
        }
        if (e.code == TUNE_FINE)
            judge_sample(p, exact, o, s, &e, &out, arena);
        else
            doubt(&out, tune_code_text(e.code));
    }
    if (!exact || exact->maps->nsample != p->nsample)
        doubt(&out, "the uncut step has no matrix to compare with");
    else if (!o->no_products)
        judge_products(p, exact, o, &out, progress, arena);
    return out;
}
