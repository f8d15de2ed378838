/* positions.c - candidates whose positions are by the trapezoidal rule.
 *
 * A mean of two speeds in the place of the new one costs an addition and takes
 * away the largest error of a mechanism (inline/position.c). Of the whole step,
 * and where that is nearer then, of the cheapest plan of each other group that
 * is proven and near, there is one more candidate with it. Its proof is that of
 * the step as it is. A plan with cuts in the matrix has a certificate besides,
 * over the pencils of its own uncut step: with a mean in the rows i of
 * positions that step is
 *
 *     (L - tau Df) z_{n+1} = L z_n,   L_i := L_i + tau/2 Df_i,
 *
 * so that these are pencils as others are. Places of L are never dropped: the
 * rows of positions stay whole.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "inline/inline.h"
#include "tuning/tuning_internal.h"

/* A user who says "method" means it. */
static bool are_wanted(const Tuner *t)
{
    const Plan *p = t->c->plan;
    return !p->has[PLAN_POSITIONS] || p->positions == PP_TRAPEZOID;
}

bool tuner_has_asked_positions(const Tuner *t, const Plan *plan)
{
    return t->c->plan->positions == PP_METHOD || t->with_positions == NONE ||
           plan->positions != PP_METHOD;
}

static Plan *with_positions(const Tuner *t, const Plan *from)
{
    Plan *p = NEW(t->c->arena, Plan);
    *p = *from;
    p->positions = PP_TRAPEZOID;
    p->has[PLAN_POSITIONS] = true;
    return p;
}

static int count_positions(const Inlined *d)
{
    int n = 0;
    for (int i = 0; d->by_mean && i < d->dae->nstate; i++)
        n += d->by_mean[i];
    return n;
}

/* How many positions has the model? Looked at before a step is made. */
static int find_positions(const Tuner *t, const Plan *p)
{
    Arena *work = arena_new();
    Diag *unheard = diag_new(t->c->sources, work);
    const Method *m = method_find(p->method, work);
    const Inlined *d =
        m ? inline_dae(t->c->dae, p, m, NULL, work, unheard) : NULL;
    int n = d ? count_positions(d) : 0;
    arena_free(work);
    return n;
}

void tuner_positions_full(Tuner *t)
{
    Plan *p = with_positions(t, t->r->candidate.at[t->r->full].plan);
    int n = are_wanted(t) ? find_positions(t, p) : 0;
    if (n == 0)
        return;
    TuneCandidate *k = tuner_add(t, "full, positions", TUNE_POSITIONS, p);
    k->change = 0;
    k->modes = arena_printf(t->c->arena, "%d positions by the mean", n);
    if (k->trial->built)
        t->with_positions = t->r->candidate.n - 1;
}

/* ---- the pencils of the uncut step ---- */

/* Which rows of the pencils are those of positions? */
static const bool *find_rows(const Tuner *t)
{
    const PencilSet *p = t->r->pencil;
    const Inlined *d =
        t->r->candidate.at[t->with_positions].trial->step->inlined;
    bool *is_mean = NEW_ARRAY(t->c->arena, bool, p->n + 1);
    for (int k = 0; k < d->dae->nstate; k++) {
        const DaeState *x = &d->dae->state[k];
        int entry = d->by_mean[k] ? inlined_find(d, x->var, x->order) : NONE;
        for (int i = 0; entry != NONE && i < p->nx; i++)
            is_mean[i] |= !strcmp(p->var[i], d->var[entry].name);
    }
    return is_mean;
}

static const double *mean_mass(const Tuner *t, const Pencil *s,
                               const bool *is_mean)
{
    int n = t->r->pencil->n;
    size_t size = (size_t)n * (size_t)n;
    double *l = NEW_ARRAY(t->c->arena, double, size + 1);
    memcpy(l, s->l, size * sizeof *l);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (is_mean[i])
                l[(size_t)i + (size_t)j * (size_t)n] +=
                    0.5 * t->c->size * s->df[(size_t)i + (size_t)j * (size_t)n];
    return l;
}

static const PencilSet *mean_pencils(const Tuner *t, const bool *is_mean)
{
    const PencilSet *from = t->r->pencil;
    PencilSet *p = NEW(t->c->arena, PencilSet);
    Pencil *sample = NEW_ARRAY(t->c->arena, Pencil, from->nsample + 1);
    *p = *from;
    p->sample = sample;
    for (int s = 0; s < p->nsample; s++) {
        sample[s] = from->sample[s];
        sample[s].l = sample[s].same < s ? sample[sample[s].same].l
                                         : mean_mass(t, &sample[s], is_mean);
    }
    return p;
}

/* ---- plans with cuts in the matrix ---- */

/* The rows of positions stay whole, and are not frozen. */
static void complete_rows(const Tuner *t, const bool *is_mean, bool *keep,
                          double *frozen)
{
    const PencilSet *p = t->r->pencil;
    for (int e = 0; e < p->nnz; e++)
        if (is_mean[p->row[e]]) {
            keep[e] = true;
            frozen[e] = NAN;
        }
}

static void certify(Tuner *t, const bool *is_mean, TuneCandidate *k)
{
    const PencilSet *p = mean_pencils(t, is_mean);
    ClusterOptions cluster = {0};
    ChoiceKnown *known = choice_known(p, t->c->arena);
    for (int i = 0; i < p->nsample; i++)
        choice_spectrum(known, p, i, t->c->size, &cluster);
    CertificateOptions o = {.choice = {.tau = t->c->size,
                                       .rho = k->rho,
                                       .rho_m = t->o->rho_min,
                                       .known = known}};
    k->certificate = certificate_make(p, &o, k->keep, k->frozen, t->o->progress,
                                      t->c->arena);
    k->has_certificate = true;
    k->is_safe = k->is_safe && k->certificate.is_safe;
    k->change = tuner_largest_change(&k->certificate, known->spectrum);
    k->indicators.code = TUNE_NO_SAMPLES;
}

static void add_sparsed(Tuner *t, const TuneCandidate *from, const char *name)
{
    int nnz = t->r->pencil->nnz;
    double rho = from->rho;
    const char *modes = from->modes;
    const bool *is_mean = find_rows(t);
    bool *keep = NEW_ARRAY(t->c->arena, bool, nnz + 1);
    double *frozen = NEW_ARRAY(t->c->arena, double, nnz + 1);
    for (int e = 0; e < nnz; e++) {
        keep[e] = from->keep[e];
        frozen[e] = from->frozen ? from->frozen[e] : NAN;
    }
    complete_rows(t, is_mean, keep, frozen);
    Plan *p = tuner_sparsed_plan(t, keep, frozen, "lie");
    TuneCandidate *k = tuner_add(t, name, TUNE_POSITIONS, with_positions(t, p));
    k->keep = keep;
    k->frozen = frozen;
    k->modes = modes;
    k->rho = rho;
    certify(t, is_mean, k);
}

/* ---- the best of each group ---- */

static bool is_good(const Tuner *t, const TuneCandidate *k)
{
    return k->is_safe && k->trial->ran && !proof_rings(&k->proof) &&
           !strcmp(k->plan->method, "lie") &&
           k->trial->deviation.percent <= tuner_limit(t);
}

/* Those dropped by rules of run time are there for comparison only. */
static int cheapest(const Tuner *t, TuneGroup group)
{
    int best = NONE;
    for (int i = 0; i < t->r->candidate.n; i++) {
        const TuneCandidate *k = &t->r->candidate.at[i];
        bool is_meant = group != TUNE_SPARSING || k->has_certificate;
        if (k->group == group && is_meant && is_good(t, k) &&
            (best == NONE || k->trial->instructions <
                                 t->r->candidate.at[best].trial->instructions))
            best = i;
    }
    return best;
}

/* The group is one of plans with delays, explicit states, or all at once: the
 * proof says all of them. */
static void add_other(Tuner *t, const TuneCandidate *from, const char *name)
{
    const char *modes = from->modes;
    TuneCandidate *k =
        tuner_add(t, name, TUNE_POSITIONS, with_positions(t, from->plan));
    k->modes = modes;
    if (!k->trial->built || count_positions(k->trial->step->inlined) == 0)
        t->r->candidate.n--; /* all of them are explicit */
}

/* Has it brought the whole step nearer, or does the user want it? Else cut ones
 * are not tried: they could only lose. */
static bool is_worth_it(const Tuner *t)
{
    if (t->with_positions == NONE)
        return false;
    const TrialRun *mean = t->r->candidate.at[t->with_positions].trial;
    const TrialRun *full = t->r->candidate.at[t->r->full].trial;
    return t->c->plan->positions == PP_TRAPEZOID || !full->ran ||
           (mean->ran && mean->deviation.percent < full->deviation.percent);
}

void tuner_positions(Tuner *t)
{
    static const TuneGroup group[] = {TUNE_SPARSING, TUNE_MIXED, TUNE_LAG,
                                      TUNE_COMBINED};
    for (int g = 0; is_worth_it(t) && g < 4; g++) {
        int best = cheapest(t, group[g]);
        if (best == NONE)
            continue;
        const TuneCandidate *k = &t->r->candidate.at[best];
        const char *name = arena_printf(t->c->arena, "%s, positions", k->name);
        if (k->has_certificate)
            add_sparsed(t, k, name);
        else
            add_other(t, k, name);
    }
}
