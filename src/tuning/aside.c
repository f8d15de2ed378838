/* aside.c - a search in a process of its own.
 *
 * Explicit states, and from the best of them plans of several kinds at once,
 * are the longest chain of a tuning in which one thing needs another. It goes
 * on in a process of its own, which starts from the whole step, while other
 * candidates are tried here. What it finds are plans: they are tried and proven
 * here like all others. If it comes to nothing the search is made here.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tuning/tuning_internal.h"

/* Bytes for combined plans; what is not written takes no memory. */
enum { COMBINED_ROOM = 1 << 22 };

static bool has(const Tuner *t, TuneGroup group)
{
    return (t->o->groups & (unsigned)group) != 0;
}

/* In the other process: nobody hears it. */
static void work(void *context, void *result)
{
    Tuner t = *(const Tuner *)context;
    TuneOptions o = *t.o;
    o.progress = NULL;
    t.o = &o;
    char *combined = (char *)result + tuner_mixed_size(&t);
    if (has(&t, TUNE_MIXED))
        tuner_mixed_find(&t, result);
    if (!has(&t, TUNE_COMBINED))
        return;
    if (has(&t, TUNE_MIXED))
        tuner_mixed(&t, result);
    tuner_combined_find(&t, combined, COMBINED_ROOM);
}

static size_t room(const Tuner *t)
{
    return tuner_mixed_size(t) + (has(t, TUNE_COMBINED) ? COMBINED_ROOM : 0);
}

void tuner_aside_begin(Tuner *t)
{
    if (has(t, TUNE_MIXED) || has(t, TUNE_COMBINED))
        t->aside = pool_begin(work, t, room(t), t->c->arena);
}

/* Candidates from `from` on move to `to`. */
static void move_back(Tuner *t, int from, int to)
{
    int n = t->r->candidate.n - from;
    TuneCandidate *at = t->r->candidate.at;
    TuneCandidate *moved = NEW_ARRAY(t->c->arena, TuneCandidate, n + 1);
    memcpy(moved, at + from, (size_t)n * sizeof *at);
    memmove(at + to + n, at + to, (size_t)(from - to) * sizeof *at);
    memcpy(at + to, moved, (size_t)n * sizeof *at);
}

void tuner_aside_end(Tuner *t, int at)
{
    char *found = NEW_ARRAY(t->c->arena, char, room(t) + 1);
    int before = t->r->candidate.n;
    tune_say(t->o->progress, "mixed mode", 0, 1);
    bool is_there = pool_end(t->aside, found);
    if (!is_there && has(t, TUNE_MIXED))
        tuner_mixed_find(t, found);
    if (has(t, TUNE_MIXED))
        tuner_mixed(t, found);
    move_back(t, before, at);
    if (has(t, TUNE_COMBINED))
        tuner_combined(t, is_there ? found + tuner_mixed_size(t) : NULL,
                       COMBINED_ROOM);
}
