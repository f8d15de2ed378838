/* products.c - powers of step maps, multiplied along a scenario where a bound
 * does not do. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/products.h"

#include "tune/scaled.h"
#include "tune/tune_internal.h"

enum {
    MOST_SQUARES = 31,
    LARGE = 100, /* not every run of a constant step is formed */
};

#define SLACK 1e-9 /* of logarithms: less is rounding */

/* m, m^2, m^4, ...: those that were asked for; m NULL: not yet. */
typedef struct Squares {
    Scaled at[MOST_SQUARES];
    double bound[MOST_SQUARES]; /* of the log of the norm */
    int n;                      /* that are there; 0: no bounds either */
} Squares;

struct Products {
    const StepMaps *maps;
    Arena *arena;
    int *same;       /* of each sample: the first with this matrix */
    int *times;      /* that it is held */
    Squares *square; /* of each sample that is the first of its kind */
    Scaled *held;    /* powers; m NULL: not yet */
    double *log;     /* of runs i .. j at i + j * nsample: a bound, */
    bool *is_known;  /* or the norm itself; NaN: not looked at */
    Scaled product;  /* of the run from .. to, */
    int from, to;    /* NONE: of none */
    double *work;
};

static double log_norm(const StepMaps *p, const Scaled *s)
{
    double worst = 0;
    for (int i = 0; i < s->n; i++) {
        double sum = 0;
        for (int j = 0; j < s->n; j++)
            sum += fabs(s->m[i + (size_t)j * (size_t)s->n]) * p->unit[j];
        worst = fmax(worst, sum / p->unit[i]);
    }
    return worst > 0 ? log(worst) + s->log : -INFINITY;
}

/* ---- powers ---- */

/* Bounds of all squares follow from what is there. */
static void bound_squares(Squares *q, int from)
{
    for (int k = from; k < MOST_SQUARES; k++)
        q->bound[k] = 2 * q->bound[k - 1];
}

static const Squares *squares_of(Products *p, int sample)
{
    Squares *q = &p->square[p->same[sample]];
    if (q->n == 0) {
        q->at[0] = scaled_new(p->maps->n, p->maps->sample[sample].m, p->arena);
        q->bound[0] = log_norm(p->maps, &q->at[0]);
        q->n = 1;
        bound_squares(q, 1);
    }
    return q;
}

/* m^(2^k); its bound is its norm then. */
static const Scaled *square_of(Products *p, int sample, int k)
{
    squares_of(p, sample);
    Squares *q = &p->square[p->same[sample]];
    for (; q->n <= k; q->n++) {
        Scaled *new = &q->at[q->n];
        *new = scaled_new(p->maps->n, q->at[q->n - 1].m, p->arena);
        new->log = q->at[q->n - 1].log;
        scaled_multiply(new, &q->at[q->n - 1], p->work);
        q->bound[q->n] = log_norm(p->maps, new);
        bound_squares(q, q->n + 1);
    }
    return &q->at[k];
}

/* A bound of the norm of the power that a sample is held for. */
static double power_bound(Products *p, int sample)
{
    const Squares *q = squares_of(p, sample);
    double sum = 0;
    for (int k = 0, times = p->times[sample]; times > 0; times /= 2, k++)
        if (times % 2 == 1)
            sum += q->bound[k];
    return sum;
}

static const Scaled *power_of(Products *p, int sample)
{
    if (p->held[sample].m)
        return &p->held[sample];
    for (int s = p->same[sample]; s < p->maps->nsample; s++)
        if (p->held[s].m && p->same[s] == p->same[sample] &&
            p->times[s] == p->times[sample])
            return &p->held[s];
    Scaled result = scaled_new(p->maps->n, NULL, p->arena);
    for (int k = 0, times = p->times[sample]; times > 0; times /= 2, k++)
        if (times % 2 == 1)
            scaled_multiply(&result, square_of(p, sample, k), p->work);
    p->held[sample] = result;
    return &p->held[sample];
}

/* ---- runs ---- */

static double *log_at(const Products *p, int i, int j)
{
    return &p->log[(size_t)i + (size_t)j * (size_t)p->maps->nsample];
}

static bool *known_at(const Products *p, int i, int j)
{
    return &p->is_known[(size_t)i + (size_t)j * (size_t)p->maps->nsample];
}

/* A run within a scenario over samples that all have a matrix. */
static bool is_run(const Products *p, int i, int j)
{
    const StepMap *s = p->maps->sample;
    return s[j].m && s[j].scenario == s[i].scenario &&
           (j == i || !isnan(*log_at(p, i, j - 1)));
}

/* A bound of run i .. j, from those of its parts: runs that begin later, and
 * those from i that end before, have been looked at. */
static double run_bound(Products *p, int i, int j)
{
    double *log = log_at(p, i, j);
    if (*known_at(p, i, j) || !is_run(p, i, j))
        return *log;
    double bound = isnan(*log) ? INFINITY : *log;
    if (i == j)
        bound = fmin(bound, power_bound(p, i));
    for (int k = i; k < j; k++)
        bound = fmin(bound, *log_at(p, i, k) + *log_at(p, k + 1, j));
    return *log = bound;
}

static double run_norm(Products *p, int i, int j)
{
    if (*known_at(p, i, j))
        return *log_at(p, i, j);
    if (p->from != i || p->to > j) {
        memcpy(p->product.m, power_of(p, i)->m,
               (size_t)p->maps->n * (size_t)p->maps->n * sizeof(double));
        p->product.log = power_of(p, i)->log;
        p->from = p->to = i;
    }
    for (;; p->to++) {
        *log_at(p, i, p->to) = log_norm(p->maps, &p->product);
        *known_at(p, i, p->to) = true;
        if (p->to == j)
            return *log_at(p, i, j);
        scaled_multiply(&p->product, power_of(p, p->to + 1), p->work);
    }
}

/* ---- entries ---- */

static int steps_held(const StepMaps *p, double tau, int s)
{
    if (s + 1 >= p->nsample ||
        p->sample[s + 1].scenario != p->sample[s].scenario)
        return 1;
    return scaled_steps_held(p->sample[s].time, p->sample[s + 1].time, tau);
}

static int first_like(const StepMaps *p, int s)
{
    size_t size = (size_t)p->n * (size_t)p->n * sizeof(double);
    for (int k = 0; k < s; k++)
        if (p->sample[k].m && p->sample[s].m &&
            !memcmp(p->sample[k].m, p->sample[s].m, size))
            return k;
    return s;
}

Products *products_new(const StepMaps *maps, double tau, int hold, Arena *arena)
{
    size_t n = (size_t)maps->nsample;
    Products *p = NEW(arena, Products);
    *p = (Products){.maps = maps,
                    .arena = arena,
                    .same = NEW_ARRAY(arena, int, n + 1),
                    .times = NEW_ARRAY(arena, int, n + 1),
                    .square = NEW_ARRAY(arena, Squares, n + 1),
                    .held = NEW_ARRAY(arena, Scaled, n + 1),
                    .log = NEW_ARRAY(arena, double, n *n + 1),
                    .is_known = NEW_ARRAY(arena, bool, n *n + 1),
                    .product = scaled_new(maps->n, NULL, arena),
                    .from = NONE,
                    .to = NONE};
    p->work = NEW_ARRAY(arena, double, (size_t)maps->n *(size_t)maps->n + 1);
    for (size_t i = 0; i < n * n; i++)
        p->log[i] = NAN;
    for (int s = 0; s < maps->nsample; s++) {
        p->same[s] = first_like(maps, s);
        p->times[s] = hold > 0 ? hold : steps_held(maps, tau, s);
    }
    return p;
}

/* What run i .. j adds to what is known of all. */
static void compare_run(Products *p, Products *exact, int i, int j,
                        ProductWorst *out)
{
    double bound = run_bound(p, i, j), other = run_bound(exact, i, j);
    if (isnan(bound) || isnan(other))
        return;
    if (other > out->exact + SLACK)
        out->exact = fmax(out->exact, run_norm(exact, i, j));
    if (bound > out->ratio + SLACK)
        other = run_norm(exact, i, j);
    if (bound <= out->norm + SLACK &&
        bound - fmax(0, other) <= out->ratio + SLACK)
        return;
    double norm = run_norm(p, i, j), ratio = norm - fmax(0, other);
    out->norm = fmax(out->norm, norm);
    if (!(ratio > out->ratio + SLACK))
        return;
    out->ratio = ratio;
    out->from = i;
    out->to = j;
}

/* Is the step the same in all samples? */
static bool is_constant(const Products *p)
{
    for (int s = 0; s < p->maps->nsample; s++)
        if (!p->maps->sample[s].m || p->same[s] != 0)
            return false;
    return true;
}

/* log of the norm of 2^k steps. */
static double square_norm(Products *p, int k)
{
    square_of(p, 0, k);
    return squares_of(p, 0)->bound[k];
}

/* A step that is always the same has powers: 1, 2, 4, ... steps, as many as
 * the longest scenario has. */
static ProductWorst compare_powers(Products *p, Products *exact)
{
    ProductWorst out = {.from = NONE, .to = NONE};
    const StepMap *sample = p->maps->sample;
    int n = p->maps->nsample, longest = 1;
    for (int s = 0, steps = 0; s < n; s++) {
        bool goes_on = s > 0 && sample[s].scenario == sample[s - 1].scenario;
        steps = p->times[s] + (goes_on ? steps : 0);
        longest = steps > longest ? steps : longest;
    }
    for (int k = 0; longest >> k > 0; k++) {
        double norm = square_norm(p, k), other = square_norm(exact, k);
        out.norm = fmax(out.norm, norm);
        out.exact = fmax(out.exact, other);
        if (!(norm - fmax(0, other) > out.ratio + SLACK))
            continue;
        out.ratio = norm - fmax(0, other);
        out.from = 0;
        out.to = n - 1;
    }
    return out;
}

ProductWorst products_compare(Products *p, Products *exact,
                              const TuneProgress *progress)
{
    ProductWorst out = {.from = NONE, .to = NONE};
    int n = p->maps->nsample;
    if (n > 0 && p->maps->n >= LARGE && exact->maps->nsample == n &&
        is_constant(p) && is_constant(exact))
        return compare_powers(p, exact);
    for (int i = n - 1; i >= 0; i--) {
        tune_say(progress, "products of steps", n - 1 - i, n);
        for (int j = i; j < n; j++)
            compare_run(p, exact, i, j, &out);
    }
    return out;
}
