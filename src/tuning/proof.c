/* proof.c - what is shown of a candidate, against the uncut step. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "tuning/tuning_internal.h"

/* Growth of the model in a step, in each point of the reference: 1 where no
 * pencil knows it. */
static const double *own_growth(const Tuner *t)
{
    const PencilSet *p = t->r->pencil;
    int n = t->r->reference->samples->point.n;
    double *own = NEW_ARRAY(t->c->arena, double, n + 1);
    for (int i = 0; i < n; i++)
        own[i] = 1;
    for (int i = 0; i < p->nsample; i++) {
        double growth = mixed_own_growth(p, i, t->c->size);
        if (growth > 1)
            own[p->sample[i].point] = growth;
    }
    return own;
}

static ProofOptions options_of(Tuner *t)
{
    if (!t->own)
        t->own = own_growth(t);
    return (ProofOptions){.tau = t->c->size, .own = t->own};
}

/* An explicit step has none of its own to compare with. */
static const char *exact_method(const Plan *plan)
{
    return plan->method && strcmp(plan->method, "fe") ? plan->method : "lie";
}

static const ProofExact *proof_of_exact(Tuner *t, const char *method)
{
    for (int i = 0; i < t->exact.n; i++)
        if (!strcmp(t->exact.at[i].method, method))
            return t->exact.at[i].exact;
    ProofOptions o = options_of(t);
    const StepMaps *maps = tuning_maps(t->c, tuner_plan(t, method),
                                       t->r->reference->samples, t->c->arena);
    TunerExact x = {
        method, maps->nsample > 0 ? proof_exact(maps, &o, t->c->arena) : NULL};
    vec_push(t->c->arena, &t->exact, x);
    return x.exact;
}

Proof tuner_prove(Tuner *t, const Plan *plan, const Step *step, bool products)
{
    Arena *work = arena_new();
    ProofOptions o = options_of(t);
    o.no_products = !products;
    const ProofExact *exact = proof_of_exact(t, exact_method(plan));
    const Samples *samples = t->r->reference->samples;
    const StepMaps *maps = step ? tuning_step_maps(step, samples, work)
                                : tuning_maps(t->c, plan, samples, work);
    Proof proof = proof_make(maps, exact, &o, t->o->progress, t->c->arena);
    if (proof.why)
        proof.why = arena_strdup(t->c->arena, proof.why);
    arena_free(work);
    return proof;
}
