/* products.c - powers of step maps, multiplied along a scenario. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/products.h"

#include "tune/tune_internal.h"

enum { MOST_HELD = 1000 };

/* A matrix m exp(log). */
typedef struct Scaled {
    int n;
    double *m;
    double log;
} Scaled;

static void rescale(Scaled *s)
{
    size_t size = (size_t)s->n * (size_t)s->n;
    double most = 0;
    for (size_t i = 0; i < size; i++)
        most = fabs(s->m[i]) > most ? fabs(s->m[i]) : most;
    if (most == 0)
        return;
    for (size_t i = 0; i < size; i++)
        s->m[i] /= most;
    s->log += log(most);
}

/* a := b a */
static void multiply(Scaled *a, const Scaled *b, double *work)
{
    size_t size = (size_t)a->n * (size_t)a->n;
    matrix_product(a->n, a->n, a->n, b->m, a->m, work);
    memcpy(a->m, work, size * sizeof *work);
    a->log += b->log;
    rescale(a);
}

/* A copy of m, or the identity. */
static Scaled scaled_new(int n, const double *m, Arena *arena)
{
    size_t size = (size_t)n * (size_t)n;
    Scaled s = {n, NEW_ARRAY(arena, double, size + 1), 0};
    for (size_t i = 0; i < size; i++)
        s.m[i] = m ? m[i] : i % ((size_t)n + 1) == 0;
    rescale(&s);
    return s;
}

/* m^times by squaring. */
static Scaled power(int n, const double *m, int times, Arena *arena)
{
    Scaled result = scaled_new(n, NULL, arena);
    Scaled square = scaled_new(n, m, arena);
    double *work = NEW_ARRAY(arena, double, (size_t)n *(size_t)n + 1);
    for (; times > 0; times /= 2) {
        if (times % 2 == 1)
            multiply(&result, &square, work);
        if (times > 1)
            multiply(&square, &square, work);
    }
    return result;
}

static int steps_held(const StepMaps *p, double tau, int s)
{
    if (s + 1 >= p->nsample ||
        p->sample[s + 1].scenario != p->sample[s].scenario)
        return 1;
    double steps = (p->sample[s + 1].time - p->sample[s].time) / tau;
    return steps > MOST_HELD ? MOST_HELD : steps > 1 ? (int)steps : 1;
}

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

const double *products_log_norms(const StepMaps *p, double tau,
                                 const TuneProgress *progress, Arena *arena)
{
    size_t count = (size_t)p->nsample;
    double *out = NEW_ARRAY(arena, double, count *count + 1);
    for (size_t i = 0; i < count * count; i++)
        out[i] = NAN;
    Arena *local = arena_new();
    Scaled *held = NEW_ARRAY(local, Scaled, p->nsample + 1);
    double *work = NEW_ARRAY(local, double, (size_t)p->n *(size_t)p->n + 1);
    for (int s = 0; s < p->nsample; s++)
        if (p->sample[s].m)
            held[s] = power(p->n, p->sample[s].m, steps_held(p, tau, s), local);
    for (int from = 0; from < p->nsample; from++) {
        tune_say(progress, "products of steps", from, p->nsample);
        Scaled product = scaled_new(p->n, NULL, local);
        for (int s = from; s < p->nsample && held[s].m &&
                           p->sample[s].scenario == p->sample[from].scenario;
             s++) {
            multiply(&product, &held[s], work);
            out[(size_t)from + (size_t)s * count] = log_norm(p, &product);
        }
    }
    arena_free(local);
    return out;
}
