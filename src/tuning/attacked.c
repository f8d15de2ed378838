/* attacked.c - a candidate is attacked before it is recommended.
 *
 * Not to fall is not enough: a run that the full step cannot make, or in which
 * its own error excuses the plan, shows nothing. What cuts or changes the full
 * step must have survived more attacks than it was excused from, and no fewer
 * than the full step cannot make. And of some attacks that it survived it is
 * asked whether the full step is right: a plan that is near to what is wrong
 * shows nothing either.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "tuning/tuning_internal.h"

static const char *plan_text(const Plan *p, Arena *arena)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return "";
    plan_write(p, false, out);
    fclose(out);
    const char *kept = arena_strdup(arena, text);
    free(text);
    return kept;
}

/* What came of a candidate with the same plan; NULL: there is none. */
static const AttackReport *find_same(const Tuner *t, const TuneCandidate *k)
{
    Arena *work = arena_new();
    const AttackReport *found = NULL;
    const char *own = plan_text(k->plan, work);
    for (int i = 0; i < t->r->candidate.n && !found; i++) {
        const TuneCandidate *other = &t->r->candidate.at[i];
        if (other->attack && !strcmp(plan_text(other->plan, work), own))
            found = other->attack;
    }
    arena_free(work);
    return found;
}

static const AttackReport *attack(Tuner *t, const TuneCandidate *k)
{
    const Tuning *r = t->r;
    const Plan *full =
        r->full == NONE ? k->plan : r->candidate.at[r->full].plan;
    AttackOptions o = {.number = t->o->attack,
                       .seed = r->spec->seed,
                       .limit = r->limit,
                       .range = t->o->range,
                       .nrange = t->o->nrange,
                       .stop_early = true,
                       .steps = &t->steps,
                       .progress = t->o->progress};
    return tuning_attack(t->c, k->plan, full, r->spec, r->watch, r->nwatch, &o);
}

/* Why the attacks show nothing of a plan that did not fall; NULL: they do. */
static const char *unshown(const AttackReport *a, Arena *arena)
{
    int held = a->survived - a->excused;
    if (2 * a->poor > a->checked)
        return arena_printf(arena,
                            "not shown to hold: in %d of %d attacks that were "
                            "made with a quarter of the step too, the full "
                            "step strays, up to %.3g %%",
                            a->poor, a->checked, a->own);
    if (a->tried + a->nvoid == 0 || (held > a->excused && held >= a->nvoid))
        return NULL;
    if (a->tried == 0)
        return arena_printf(arena,
                            "not shown to hold: the full step can make none of "
                            "%d attacks",
                            a->nvoid);
    if (held > a->excused)
        return arena_printf(arena,
                            "not shown to hold: the full step can make only %d "
                            "of %d attacks",
                            a->tried, a->tried + a->nvoid);
    return arena_printf(arena,
                        "not shown to hold: in %d of %d attacks it is as far "
                        "off as the full step, which strays up to %.3g %%",
                        a->excused, a->tried, a->own);
}

const char *tuner_attack(Tuner *t, TuneCandidate *k)
{
    k->attack = find_same(t, k);
    if (!k->attack)
        k->attack = attack(t, k);
    if (!k->attack)
        return "it cannot be attacked";
    if (k->attack->why)
        return arena_printf(t->c->arena, "falls to an attack: %s",
                            k->attack->why);
    return t->r->full == NONE ? NULL : unshown(k->attack, t->c->arena);
}
