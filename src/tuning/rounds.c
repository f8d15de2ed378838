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

/* A name that is wrong is said before the work, not after it. */
static bool check_names(const Compilation *c, const TuneOptions *o)
{
    for (int i = 0; i < o->nrange; i++) {
        if (sys_find_var(c->sys, o->range[i].name) != NONE)
            continue;
        diag_report(c->diag, NO_SPAN, DIAG_E1512,
                    "--range: the model has no variable '%s'",
                    o->range[i].name);
        const char **all = NEW_ARRAY(c->arena, const char *, c->sys->nvar + 1);
        for (int k = 0; k < c->sys->nvar; k++)
            all[k] = c->sys->var[k].name;
        diag_suggest(c->diag, o->range[i].name, all, c->sys->nvar);
        return false;
    }
    return true;
}

/* What a round has to say is kept in *said: of two rounds the user hears the
 * one whose plan is taken. (A run that was found may have no reference.) */
static Tuning *round_apart(Compilation *c, const TuneOptions *options,
                           SampleSpec *spec, Diag **said)
{
    Diag *before = c->diag;
    *said = c->diag = diag_new(c->sources, c->arena);
    Tuning *t = tuner_round(c, options, spec);
    c->diag = before;
    return t;
}

Tuning *tuning_make(Compilation *c, const TuneOptions *options)
{
    SampleSpec *spec =
        options->samples
            ? sample_spec_make(options->samples, c->sys, c->arena, c->diag)
            : sample_spec_read(c->plan->samples, c->sys, c->sources, c->arena,
                               c->diag);
    if (!spec || !check_names(c, options))
        return NULL;
    Diag *said[2];
    Tuning *first = round_apart(c, options, spec, &said[0]), *second = NULL;
    SampleSpec *more =
        first && !options->choose ? joined(first, c->arena) : NULL;
    if (more) {
        TuneOptions again = *options;
        again.groups = fallen_groups(first);
        second = round_apart(c, &again, more, &said[1]);
    }
    if (!more || !is_better(first, second)) {
        diag_append(c->diag, said[0]);
        return first;
    }
    diag_append(c->diag, said[1]);
    second->before = first;
    second->spec = spec; /* what was found is evidence, not a scenario */
    return second;
}
