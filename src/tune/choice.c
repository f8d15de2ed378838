/* choice.c - algorithms 5.1 and 5.3 of Schiela: the pattern grows from sample
 * to sample, by weights found in a bisection.
 *
 * Where we differ: entries with a weighted criterion of 1 or more are *kept*;
 * the upper weight of a cluster is the smallest that passed, the lower one the
 * largest that failed (he prints both the other way round); a bracket that
 * contradicts itself, which happens because clusters share entries, is opened
 * again; weights are lowered only after a pattern that passed. Since a larger
 * pattern need not pass where a smaller one did, the samples are visited again
 * until one pass changes nothing, and if that does not come about, one
 * threshold is sought for all samples together.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "tune/choice_internal.h"
#include "tune/tune_internal.h"

enum { MOST_PASSES = 4, MOST_HOLDS = 10, STALE = 8, FACTORS = 80 };

/* Weights of the clusters of a sample, with brackets; 0: not known. */
typedef struct Weights {
    int n;
    double *w, *low, *high;
    bool *failed; /* in the last test */
} Weights;

int choice_nnz(const PencilSet *p, const bool *keep)
{
    int count = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            size_t at = (size_t)p->row[e] + (size_t)j * (size_t)p->n;
            bool is_there = keep[e];
            for (int s = 0; s < p->nsample && !is_there; s++)
                is_there = p->sample[s].l[at] != 0;
            count += is_there;
        }
    return count;
}

/* ---- weights ---- */
static Weights weights_new(const ChoiceSample *s, const ChoiceOptions *o,
                           Arena *arena)
{
    int n = s->criterion->ncluster;
    Weights w = {
        n, NEW_ARRAY(arena, double, n + 1), NEW_ARRAY(arena, double, n + 1),
        NEW_ARRAY(arena, double, n + 1), NEW_ARRAY(arena, bool, n + 1)};
    for (int k = 0; k < n; k++) {
        double r = o->rho > 0 ? o->rho : 0.1; /* of the algebraic zeros */
        if (k < s->spectrum->ncluster) {
            const ModeCluster *c = &s->spectrum->cluster[k];
            r = INFINITY;
            for (int l = 0; l < c->size; l++)
                r = fmin(r, s->r[c->mode[l]]);
        }
        w.w[k] = 1 / r;
    }
    return w;
}

/* Keeps what the weights say, on top of `base`. */
static void apply_weights(const ChoiceWork *w, const ChoiceSample *s,
                          const Weights *weights, const bool *base, bool *keep)
{
    const Criterion *c = s->criterion;
    for (int e = 0; e < c->nnz; e++) {
        double sum = 0;
        for (int k = 0; k < c->ncluster; k++)
            sum += c->c[e + (size_t)k * (size_t)c->nnz] * weights->w[k];
        keep[e] = base[e] || w->forced[e] || sum >= 1;
    }
}

/* Which clusters does a test accuse? */
static void accuse(const ChoiceSample *s, const ChoiceFigures *f, double use,
                   const double *error, Weights *w)
{
    const Spectrum *spectrum = s->spectrum;
    bool everybody = f->test == CHOICE_SINGULAR || f->test == CHOICE_FAILED ||
                     f->test == CHOICE_EXTRAPOLATED;
    for (int k = 0; k < w->n; k++)
        w->failed[k] = everybody;
    for (int i = 0; i < spectrum->nmode; i++)
        if (error[i] > use)
            w->failed[spectrum->mode[i].cluster] = true;
    bool has_algebraic = w->n > spectrum->ncluster;
    if (f->growth > 0 && !everybody) {
        if (f->growth_mode != NONE)
            w->failed[spectrum->mode[f->growth_mode].cluster] = true;
        else if (has_algebraic)
            w->failed[w->n - 1] = true;
    }
    if (has_algebraic &&
        (error[spectrum->nmode] > use || f->test == CHOICE_ALGEBRAIC))
        w->failed[w->n - 1] = true;
}

/* The next weight of a cluster: half, double, or the middle. As long as others
 * fail, those that pass wait. */
static void next_weight(Weights *w, int k, bool passed)
{
    if (!passed && !w->failed[k])
        return;
    if (w->failed[k]) {
        w->low[k] = fmax(w->low[k], w->w[k]);
        if (w->high[k] > 0 && w->high[k] <= w->low[k])
            w->high[k] = 0;
    } else {
        w->high[k] = w->high[k] > 0 ? fmin(w->high[k], w->w[k]) : w->w[k];
        if (w->low[k] >= w->high[k])
            w->low[k] = 0;
    }
    if (w->high[k] == 0)
        w->w[k] = 2 * w->low[k];
    else if (w->low[k] == 0)
        w->w[k] = w->high[k] / 2;
    else
        w->w[k] = (w->low[k] + w->high[k]) / 2;
}

/* ---- one sample ---- */
static ChoiceFigures test(ChoiceWork *w, const ChoiceSample *s,
                          const bool *keep, double *error)
{
    w->tests++;
    return choice_test(w->p, s, w->o, keep, NULL, error);
}

/* No weights passed: those of the start are multiplied by a common factor, the
 * smallest that passes; at the latest everything is kept. */
static void keep_more(ChoiceWork *w, const ChoiceSample *s, const bool *base,
                      bool *best)
{
    Arena *local = arena_new();
    bool *keep = NEW_ARRAY(local, bool, w->p->nnz + 1);
    Weights start = weights_new(s, w->o, local);
    Weights weights = weights_new(s, w->o, local);
    int low = 0, high = FACTORS; /* 2^(high/2) passes */
    memset(best, 1, (size_t)w->p->nnz);
    while (low < high - 1) {
        int mid = low + (high - low) / 2;
        for (int k = 0; k < weights.n; k++)
            weights.w[k] = start.w[k] * pow(2, mid / 2.0);
        apply_weights(w, s, &weights, base, keep);
        if (test(w, s, keep, NULL).test == CHOICE_PASSED) {
            high = mid;
            memcpy(best, keep, (size_t)w->p->nnz);
        } else {
            low = mid;
        }
    }
    arena_free(local);
}

/* Algorithm 5.3: adds entries to w->keep until the sample passes. */
static void choose_structure(ChoiceWork *w, const ChoiceSample *s)
{
    Arena *local = arena_new();
    int nnz = w->p->nnz;
    bool *keep = NEW_ARRAY(local, bool, nnz + 1);
    bool *last = NEW_ARRAY(local, bool, nnz + 1);
    bool *best = NEW_ARRAY(local, bool, nnz + 1);
    double *error = NEW_ARRAY(local, double, s->spectrum->nmode + 1);
    Weights weights = weights_new(s, w->o, local);
    int best_nnz = -1, stale = 0;
    bool passed = false;
    int most = w->o->bisections > 0 ? w->o->bisections : 30;
    for (int i = 0; i < most && stale < STALE; i++) {
        apply_weights(w, s, &weights, w->keep, keep);
        bool is_new = i == 0 || memcmp(keep, last, (size_t)nnz) != 0;
        if (is_new) {
            ChoiceFigures f = test(w, s, keep, error);
            accuse(s, &f, w->o->use, error, &weights);
            int count = choice_nnz(w->p, keep);
            passed = f.test == CHOICE_PASSED;
            stale += best_nnz >= 0;
            if (passed && (best_nnz < 0 || count < best_nnz)) {
                memcpy(best, keep, (size_t)nnz);
                best_nnz = count;
                stale = 0;
            }
            memcpy(last, keep, (size_t)nnz);
        }
        for (int k = 0; k < weights.n; k++)
            next_weight(&weights, k, passed);
    }
    if (best_nnz < 0)
        keep_more(w, s, w->keep, best);
    memcpy(w->keep, best, (size_t)nnz);
    arena_free(local);
}

/* ---- all samples ---- */
static int first_varying_mass(const PencilSet *p)
{
    size_t size = (size_t)p->n * (size_t)p->n;
    double most = 0;
    for (size_t i = 0; i < size && p->nsample > 0; i++)
        most = fmax(most, fabs(p->sample[0].l[i]));
    for (int s = 1; s < p->nsample; s++)
        for (size_t i = 0; i < size; i++)
            if (fabs(p->sample[s].l[i] - p->sample[0].l[i]) > 1e-9 * most)
                return (int)(i % (size_t)p->n);
    return NONE;
}

static void find_forced(ChoiceWork *w)
{
    const PencilSet *p = w->p;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            size_t at = (size_t)p->row[e] + (size_t)j * (size_t)p->n;
            bool is_algebraic = j >= p->nx && p->row[e] >= p->nx;
            bool has_mass = false, has_value = false;
            for (int s = 0; s < p->nsample; s++) {
                has_mass = has_mass || p->sample[s].l[at] != 0;
                has_value = has_value || p->sample[s].df[at] != 0;
            }
            w->forced[e] = (w->o->force && w->o->force[e]) ||
                           (w->o->order > 1 && is_algebraic) ||
                           (has_mass && !has_value); /* nothing to gain */
        }
}

/* Looks at sample s for the first time. False if it cannot be analysed. */
static bool prepare(ChoiceWork *w, int s, Choice *out)
{
    if (w->sample[s].spectrum == NULL)
        w->sample[s] = choice_sample(w->p, s, w->o, w->arena);
    const Spectrum *spectrum = w->sample[s].spectrum;
    if (spectrum->code == TUNE_FINE)
        return true;
    out->code = spectrum->code;
    out->why = spectrum->why;
    out->bad_sample = s;
    return false;
}

/* One pass of algorithm 5.1. *changed says whether entries were added. */
static bool visit_samples(ChoiceWork *w, int pass, bool *changed, Choice *out,
                          const TuneProgress *progress)
{
    *changed = false;
    for (int i = 0; i < w->p->nsample; i++) {
        tune_say(progress, pass == 0 ? "choosing entries" : "choosing again", i,
                 w->p->nsample);
        if (w->p->sample[i].kept_back)
            continue;
        if (!prepare(w, i, out))
            return false;
        ChoiceSample *s = &w->sample[i];
        if (pencil_is_repeated(w->p, i) ||
            test(w, s, w->keep, NULL).test == CHOICE_PASSED)
            continue;
        choice_criterion(w->p, w->o, s, w->arena);
        if (s->criterion->code != TUNE_FINE) {
            out->code = s->criterion->code;
            out->why = arena_printf(w->arena, "%s in sample %d (t = %.6g s)",
                                    tune_code_text(out->code), i,
                                    w->p->sample[i].time);
            out->bad_sample = i;
            return false;
        }
        choose_structure(w, s);
        *changed = true;
    }
    tune_say(progress, "choosing entries", w->p->nsample, w->p->nsample);
    return true;
}

/* ---- all samples together ---- */
static int lower_score(const void *a, const void *b)
{
    const ChoiceRank *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return x->place - y->place;
}

/* x to nine digits. */
static double coarse(double x)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    return ldexp(round(ldexp(fraction, 30)), exponent - 30);
}

/* Scores that are equal but for rounding are equal: the places decide. */
void choice_sort(ChoiceRank *list, int n)
{
    for (int i = 0; i < n; i++)
        list[i].score = coarse(list[i].score);
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, lower_score);
}

bool choice_passes(ChoiceWork *w, const double *frozen)
{
    for (int i = 0; i < w->p->nsample; i++) {
        if (w->p->sample[i].kept_back || pencil_is_repeated(w->p, i))
            continue;
        w->tests++;
        ChoiceFigures f =
            choice_test(w->p, &w->sample[i], w->o, w->keep, frozen, NULL);
        if (f.test != CHOICE_PASSED)
            return false;
    }
    return true;
}

/* The worst of the weighted criteria of an entry, in the samples that have
 * them. */
static double entry_score(const ChoiceWork *w, int e)
{
    double worst = 0;
    for (int i = 0; i < w->p->nsample; i++) {
        const ChoiceSample *s = &w->sample[i];
        if (s->criterion == NULL || s->criterion->code != TUNE_FINE)
            continue;
        const Criterion *c = s->criterion;
        double sum = 0;
        for (int k = 0; k < c->ncluster; k++) {
            double r = w->o->rho > 0 ? w->o->rho : 0.1;
            if (k < s->spectrum->ncluster)
                r = s->r[s->spectrum->cluster[k].mode[0]];
            sum += c->c[e + (size_t)k * (size_t)c->nnz] / r;
        }
        worst = fmax(worst, sum);
    }
    return worst;
}

/* Drops as many entries, those with the lowest scores first, as pass in all
 * samples; w->keep is the result. */
static void choose_jointly(ChoiceWork *w)
{
    Arena *local = arena_new();
    int count = 0;
    size_t nnz = (size_t)w->p->nnz;
    ChoiceRank *list = NEW_ARRAY(local, ChoiceRank, nnz + 1);
    bool *best = NEW_ARRAY(local, bool, nnz + 1);
    for (int e = 0; e < w->p->nnz; e++)
        if (!w->forced[e])
            list[count++] = (ChoiceRank){e, entry_score(w, e)};
    choice_sort(list, count);
    memset(best, 1, nnz);
    int low = 0, high = count;
    while (low < high) {
        int mid = low + (high - low + 1) / 2;
        memset(w->keep, 1, nnz);
        for (int i = 0; i < mid; i++)
            w->keep[list[i].place] = false;
        if (choice_passes(w, NULL)) {
            low = mid;
            memcpy(best, w->keep, nnz);
        } else {
            high = mid - 1;
        }
    }
    memcpy(w->keep, best, nnz);
    arena_free(local);
}

/* ---- entry ---- */
static bool can_start(ChoiceWork *w, Choice *out)
{
    int used = 0;
    for (int s = 0; s < w->p->nsample; s++)
        used += !w->p->sample[s].kept_back;
    if (used == 0) {
        out->code = TUNE_NO_SAMPLES;
        out->why = tune_code_text(TUNE_NO_SAMPLES);
        return false;
    }
    int varying = first_varying_mass(w->p);
    if (varying == NONE)
        return true;
    out->code = TUNE_MASS_VARIES;
    out->why = arena_printf(
        w->arena,
        "%s in %s: static sparsing is not admissible (Schiela 3.5); keep its "
        "derivative as an algebraic unknown",
        tune_code_text(TUNE_MASS_VARIES), w->p->eqn[varying]);
    return false;
}

static void summarise(ChoiceWork *w, Choice *out)
{
    out->keep = w->keep;
    out->nnz = choice_nnz(w->p, w->keep);
    for (int e = 0; e < w->p->nnz; e++)
        out->ndropped += !w->keep[e];
    for (int i = 0; i < w->p->nsample && out->code == TUNE_FINE; i++) {
        if (w->p->sample[i].kept_back || pencil_is_repeated(w->p, i))
            continue;
        ChoiceFigures f =
            choice_test(w->p, &w->sample[i], w->o, w->keep, out->frozen, NULL);
        out->worst_ratio = fmax(out->worst_ratio, f.worst_ratio);
        out->radius = fmax(out->radius, f.radius);
    }
    out->held = w->held;
    for (int e = 0; e < w->p->nnz; e++)
        out->nheld += w->held[e] > 0;
    out->drift = (Drift){0, NONE, NONE, NONE};
    if (w->o->path)
        out->drift = drift_estimate(w->o->path, w->p, w->o->tau, w->keep,
                                    out->frozen, NULL);
    out->tests = w->tests;
    out->sample = w->sample;
}

/* Algorithm 5.1. False if a sample cannot be analysed. */
static bool choose(ChoiceWork *w, Choice *out, const TuneProgress *progress)
{
    bool changed = true;
    for (int pass = 0; pass < MOST_PASSES && changed; pass++)
        if (!visit_samples(w, pass, &changed, out, progress))
            return false;
    if (changed && !choice_passes(w, NULL))
        choose_jointly(w);
    return true;
}

Choice choice_make(const PencilSet *p, const ChoiceOptions *o,
                   const TuneProgress *progress, Arena *arena)
{
    Choice out = {.bad_sample = NONE};
    ChoiceOptions strict = *o;
    strict.use = o->use > 0 ? o->use : CHOICE_USE;
    ChoiceWork w = {.p = p,
                    .o = &strict,
                    .arena = arena,
                    .sample = NEW_ARRAY(arena, ChoiceSample, p->nsample + 1),
                    .keep = NEW_ARRAY(arena, bool, p->nnz + 1),
                    .forced = NEW_ARRAY(arena, bool, p->nnz + 1),
                    .held = NEW_ARRAY(arena, double, p->nnz + 1)};
    bool is_going = can_start(&w, &out);
    if (is_going) {
        find_forced(&w);
        memcpy(w.keep, w.forced, (size_t)p->nnz);
        is_going = choose(&w, &out, progress);
    }
    for (int i = 0; i < MOST_HOLDS && is_going && choice_hold(&w); i++)
        is_going = choose(&w, &out, progress);
    if (!is_going)
        memset(w.keep, 1, (size_t)p->nnz);
    if (is_going && o->freeze)
        out.frozen = choice_freeze(&w, &out.nfrozen, progress);
    summarise(&w, &out);
    return out;
}
