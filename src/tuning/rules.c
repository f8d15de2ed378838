/* rules.c - sparsing by rules that could be followed at run time.
 *
 * For comparison with Schiela's criterion: Nowak's magnitude rule, and one that
 * weighs the cycles an entry is part of (tune/criterion.h). An entry is kept if
 * the rule keeps it in any sample for choosing; of some thresholds the largest
 * is taken whose plan is proven, does not ring and is certified.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tuning/tuning_internal.h"

typedef void Rule(const PencilSet *p, int sample, double tau, double sigma,
                  bool *keep);

/* What the rule keeps in some sample; returns how many entries it drops. */
static int follow(const Tuner *t, Rule *rule, double sigma, bool *keep)
{
    const PencilSet *p = t->r->pencil;
    Arena *work = arena_new();
    bool *here = NEW_ARRAY(work, bool, p->nnz + 1);
    int dropped = 0;
    memset(keep, 0, (size_t)p->nnz);
    for (int s = 0; s < p->nsample; s++) {
        if (p->sample[s].kept_back)
            continue;
        rule(p, s, t->c->size, sigma, here);
        for (int e = 0; e < p->nnz; e++)
            keep[e] |= here[e];
    }
    for (int e = 0; e < p->nnz; e++)
        dropped += !keep[e];
    arena_free(work);
    return dropped;
}

static void add_rule(Tuner *t, const char *name, Rule *rule)
{
    static const double sigma[] = {1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
    Arena *a = t->c->arena;
    bool *keep = NEW_ARRAY(a, bool, t->r->pencil->nnz + 1);
    for (size_t i = 0; i < sizeof sigma / sizeof *sigma; i++) {
        int dropped = follow(t, rule, sigma[i], keep);
        if (dropped == 0)
            return;
        Plan *plan = tuner_sparsed_plan(t, keep, NULL, "lie");
        Proof proof = tuner_prove(t, plan, NULL, false);
        if (proof.state != PROOF_PROVEN || proof_rings(&proof))
            continue;
        TuneCandidate *k = tuner_add(
            t, arena_printf(a, "%s %g", name, sigma[i]), TUNE_SPARSING, plan);
        k->keep = keep;
        k->modes = arena_printf(a, "%d entries dropped", dropped);
        return;
    }
}

void tuner_rules(Tuner *t)
{
    add_rule(t, "by magnitude", criterion_magnitude);
    add_rule(t, "by cycles", criterion_cycles);
}
