/* choice_freeze.c - kept entries that may be constants: their mean over the
 * samples, as many of them as pass.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "tune/choice_internal.h"
#include "tune/tune_internal.h"

/* Entry e of a sample's Df. */
static double entry(const PencilSet *p, int sample, int e, int j)
{
    return p->sample[sample].df[p->row[e] + (size_t)j * (size_t)p->n];
}

/* To ten digits: it goes into the plan, which is the same text on every
 * machine. */
static double mean_entry(const PencilSet *p, int e, int j)
{
    double sum = 0;
    int count = 0;
    for (int s = 0; s < p->nsample; s++)
        if (!p->sample[s].kept_back) {
            sum += entry(p, s, e, j);
            count++;
        }
    return count > 0 ? number_round(sum / count, 10) : 0;
}

/* What freezing entry e does at worst, in weights 1/r. */
static double freeze_score(const ChoiceWork *w, int e, int j, double mean)
{
    double worst = 0;
    for (int i = 0; i < w->p->nsample; i++) {
        const Criterion *c = w->sample[i].criterion;
        if (w->p->sample[i].kept_back || c == NULL)
            continue;
        double change = fabs(entry(w->p, i, e, j) - mean) * w->o->tau;
        double sum = 0;
        for (int k = 0; k < w->sample[i].spectrum->ncluster; k++) {
            const ModeCluster *m = &w->sample[i].spectrum->cluster[k];
            sum += fabs(c->gain[e + (size_t)k * (size_t)c->nnz]) /
                   w->sample[i].r[m->mode[0]];
        }
        worst = fmax(worst, change * sum);
    }
    return worst;
}

/* Kept entries that vary, in the order in which they may be frozen. */
static int freeze_candidates(ChoiceWork *w, ChoiceRank *list, double *mean)
{
    const PencilSet *p = w->p;
    int count = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            bool is_algebraic = j >= p->nx && p->row[e] >= p->nx;
            bool is_forced = (w->o->force && w->o->force[e]) ||
                             (w->o->order > 1 && is_algebraic);
            if (!w->keep[e] || p->is_constant[e] || is_forced)
                continue;
            mean[e] = mean_entry(p, e, j);
            list[count++] = (ChoiceRank){e, freeze_score(w, e, j, mean[e])};
        }
    choice_sort(list, count);
    return count;
}

/* Freezes as many entries as pass in all samples: a bisection over the list of
 * candidates. */
const double *choice_freeze(ChoiceWork *w, int *nfrozen,
                            const TuneProgress *progress)
{
    int nnz = w->p->nnz;
    double *frozen = NEW_ARRAY(w->arena, double, nnz + 1);
    Arena *local = arena_new();
    double *mean = NEW_ARRAY(local, double, nnz + 1);
    ChoiceRank *list = NEW_ARRAY(local, ChoiceRank, nnz + 1);
    for (int i = 0; i < w->p->nsample; i++)
        if (!w->p->sample[i].kept_back)
            choice_criterion(w->p, w->o, &w->sample[i], w->arena);
    int count = freeze_candidates(w, list, mean);
    int low = 0, high = count; /* low of them pass */
    for (int round = 0; low < high; round++) {
        int mid = round == 0 ? high : low + (high - low + 1) / 2;
        for (int e = 0; e < nnz; e++)
            frozen[e] = NAN;
        for (int i = 0; i < mid; i++)
            frozen[list[i].place] = mean[list[i].place];
        tune_say(progress, "freezing entries", round, 12);
        if (choice_strays(w->p, w->o, w->keep, frozen))
            high = mid - 1;
        else if (choice_passes(w, frozen))
            low = mid;
        else
            high = mid - 1;
    }
    for (int e = 0; e < nnz; e++)
        frozen[e] = NAN;
    for (int i = 0; i < low; i++)
        frozen[list[i].place] = mean[list[i].place];
    arena_free(local);
    *nfrozen = low;
    return low > 0 ? frozen : NULL;
}
