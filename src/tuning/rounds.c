/* rounds.c - a tuning, and once more with what felled its candidates.
 *
 * Runs that broke a plan join the scenarios: the candidates of the second round
 * are made from points that lie on them too. Only groups are made again of
 * which a candidate fell. It counts if it gives a plan that is cheaper than
 * that of the first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tuning/tuning_internal.h"

/* Scenarios that a second round adds. */
enum { MOST_JOINED = 2 };

/* `spec` with the worst run of each of the first candidates that fell; NULL:
 * none did. */
static SampleSpec *joined(const Tuning *r, Arena *arena)
{
    const SampleSpec *spec = r->spec;
    SampleSpec *new = NEW(arena, SampleSpec);
    *new = *spec;
    new->scenario =
        NEW_ARRAY(arena, SampleScenario, spec->nscenario + MOST_JOINED);
    memcpy(new->scenario, spec->scenario,
           sizeof *new->scenario *(size_t)spec->nscenario);
    for (int i = 0; i < r->candidate.n; i++) {
        const AttackReport *a = r->candidate.at[i].attack;
        bool is_new = a && a->nfound > 0 &&
                      new->nscenario < spec->nscenario + MOST_JOINED;
        for (int k = 0; k < i && is_new; k++)
            is_new = r->candidate.at[k].attack != a;
        if (is_new)
            new->scenario[new->nscenario++] = a->found[0];
    }
    return new->nscenario > spec->nscenario ? new : NULL;
}

/* Groups of which a candidate fell; combined plans start from mixed ones. */
static unsigned fallen_groups(const Tuning *r)
{
    unsigned groups = TUNE_BASE;
    for (int i = 0; i < r->candidate.n; i++) {
        const TuneCandidate *k = &r->candidate.at[i];
        if (k->attack && k->attack->why)
            groups |= (unsigned)k->group;
    }
    return groups & TUNE_COMBINED ? groups | TUNE_MIXED : groups;
}

static long instructions(const Tuning *r)
{
    return r->candidate.at[r->chosen].trial->instructions;
}

static bool is_better(const Tuning *first, const Tuning *second)
{
    if (!second || second->chosen == NONE)
        return false;
    return first->chosen == NONE || instructions(second) < instructions(first);
}

Tuning *tuning_make(Compilation *c, const TuneOptions *options)
{
    SampleSpec *spec =
        options->samples
            ? sample_spec_make(options->samples, c->sys, c->arena, c->diag)
            : sample_spec_read(c->plan->samples, c->sys, c->sources, c->arena,
                               c->diag);
    Tuning *first = spec ? tuner_round(c, options, spec) : NULL;
    SampleSpec *more =
        first && !options->choose ? joined(first, c->arena) : NULL;
    if (!more)
        return first;
    TuneOptions again = *options;
    again.groups = fallen_groups(first);
    diag_mute(c->diag); /* a run that was found may have no reference */
    Tuning *second = tuner_round(c, &again, more);
    diag_unmute(c->diag);
    if (!is_better(first, second))
        return first;
    second->before = first;
    second->spec = spec; /* what was found is evidence, not a scenario */
    return second;
}
