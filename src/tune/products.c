/* products.c - powers of step maps, multiplied along a scenario. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/products.h"

#include "tune/scaled.h"
#include "tune/tune_internal.h"

static int steps_held(const StepMaps *p, double tau, int s)
{
    if (s + 1 >= p->nsample ||
        p->sample[s + 1].scenario != p->sample[s].scenario)
        return 1;
    return scaled_steps_held(p->sample[s].time, p->sample[s + 1].time, tau);
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
            held[s] = scaled_power(p->n, p->sample[s].m, steps_held(p, tau, s),
                                   local);
    for (int from = 0; from < p->nsample; from++) {
        tune_say(progress, "products of steps", from, p->nsample);
        Scaled product = scaled_new(p->n, NULL, local);
        for (int s = from; s < p->nsample && held[s].m &&
                           p->sample[s].scenario == p->sample[from].scenario;
             s++) {
            scaled_multiply(&product, &held[s], work);
            out[(size_t)from + (size_t)s * count] = log_norm(p, &product);
        }
    }
    arena_free(local);
    return out;
}
