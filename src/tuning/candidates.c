/* candidates.c - the plans that a tuning tries, one group after the other. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "tuning/tuning_internal.h"
#include "tune/extract.h"

bool tuner_has_cuts(const Plan *plan)
{
    return plan->ncut > 0 || plan->nmode > 0;
}

Plan *tuner_plan(const Tuner *t, const char *method)
{
    Plan *p = NEW(t->c->arena, Plan);
    *p = *t->c->plan;
    p->ncut = p->nmode = 0;
    p->has[PLAN_CUTS] = p->has[PLAN_MODES] = false;
    p->positions = PP_METHOD;
    p->has[PLAN_POSITIONS] = false;
    p->method = method;
    p->step = t->c->size;
    p->has[PLAN_METHOD] = p->has[PLAN_STEP] = true;
    p->model = t->c->flat->model;
    p->has[PLAN_MODEL] = p->has[PLAN_VERSION] = true;
    return p;
}

static bool same_cuts(const Plan *a, const Plan *b)
{
    bool same = a->ncut == b->ncut && a->nmode == b->nmode;
    for (int i = 0; i < a->ncut && same; i++) {
        const PlanCut *x = &a->cut[i], *y = &b->cut[i];
        same = x->kind == y->kind && !strcmp(x->eqn, y->eqn) &&
               !strcmp(x->var, y->var) &&
               (x->value == y->value || (isnan(x->value) && isnan(y->value)));
    }
    for (int i = 0; i < a->nmode && same; i++)
        same = a->mode[i].mode == b->mode[i].mode &&
               !strcmp(a->mode[i].var, b->mode[i].var);
    return same;
}

/* Plans of a tuning differ in nothing else. */
static bool is_same(const Plan *a, const Plan *b)
{
    return !strcmp(a->method, b->method) && a->algebraic == b->algebraic &&
           a->has[PLAN_ALGEBRAIC] == b->has[PLAN_ALGEBRAIC] &&
           a->newton == b->newton && a->positions == b->positions &&
           a->has[PLAN_NEWTON] == b->has[PLAN_NEWTON] &&
           a->has[PLAN_CUTS] == b->has[PLAN_CUTS] &&
           a->has[PLAN_MODES] == b->has[PLAN_MODES] && same_cuts(a, b);
}

/* The trial and the proof of a plan: those it had before, if it had any. */
static const TunerTried *try_plan(Tuner *t, const Plan *p)
{
    for (int i = 0; i < t->tried.n; i++)
        if (is_same(t->tried.at[i].plan, p))
            return &t->tried.at[i];
    TunerTried new = {.plan = p};
    new.trial = tuning_trial(t->c, p, t->r->spec, t->r->reference, t->r->watch,
                             t->r->nwatch);
    new.proof = tuner_prove(t, p, new.trial->step, true);
    vec_push(t->c->arena, &t->tried, new);
    return &vec_last(&t->tried);
}

TuneCandidate *tuner_add(Tuner *t, const char *name, TuneGroup group, Plan *p)
{
    TuneCandidate k = {.name = name,
                       .group = group,
                       .plan = p,
                       .radius = NAN,
                       .change = NAN,
                       .modes = "",
                       .drift = {0, NONE, NONE, NONE}};
    tune_say(t->o->progress, name, 0, 1);
    const TunerTried *tried = try_plan(t, p);
    k.trial = tried->trial;
    k.proof = tried->proof;
    k.is_safe = k.proof.state == PROOF_PROVEN;
    k.radius = k.proof.radius;
    vec_push(t->c->arena, &t->r->candidate, k);
    return &vec_last(&t->r->candidate);
}

/* ---- the whole step ---- */

static void add_explicit(Tuner *t)
{
    TuneCandidate *k = tuner_add(t, "explicit", TUNE_BASE, tuner_plan(t, "fe"));
    k->modes = "all states explicit";
}

static const char *const view_name[] = {"full, solve", "full, keep-small",
                                        "full, keep"};
static const PlanAlgebraic views[] = {PA_SOLVE, PA_KEEP_SMALL, PA_KEEP};

static void add_full(Tuner *t)
{
    t->r->full = t->r->candidate.n;
    Plan *p = tuner_plan(t, "lie");
    TuneCandidate *k = tuner_add(t, "full", TUNE_BASE, p);
    k->change = 0;
    for (int i = 0; i < 3; i++) {
        p = tuner_plan(t, "lie");
        p->algebraic = views[i];
        p->has[PLAN_ALGEBRAIC] = true;
        k = tuner_add(t, view_name[i], TUNE_BASE, p);
        k->change = 0;
    }
    if (t->o->groups & TUNE_POSITIONS)
        tuner_positions_full(t);
}

static void add_extrapolated(Tuner *t)
{
    TuneCandidate *k = tuner_add(t, "extrapolated, order 2", TUNE_EXTRAPOLATED,
                                 tuner_plan(t, "liex2"));
    k->change = 0;
}

/* ---- lags: old values where a block may work with them ---- */

enum {
    SMALL_BLOCK = 4,
    LARGEST_BLOCK = 400,
    MOST_LAGS = 3,
    MOST_ITERATIONS = 20
};

static Plan *lag_plan(const Tuner *t, const LagCut *d, PlanCutKind kind)
{
    Plan *plan = tuner_plan(t, kind == CUT_STEP ? "lie" : "be");
    lag_to_plan(d, kind, plan, t->c->arena);
    if (kind == CUT_ITERATE) { /* the matrix in which the cut was found */
        plan->algebraic = t->r->view;
        plan->has[PLAN_ALGEBRAIC] = true;
    }
    return plan;
}

static const char *cut_text(const Tuner *t, const LagCut *d)
{
    const char *text = "";
    for (int i = 0; i < d->nedge; i++)
        text = arena_printf(t->c->arena, "%s%s%s in %s", text, i ? "; " : "",
                            d->var[i], d->eqn[i]);
    return text;
}

/* Old values of the last step. */
static void add_step_lag(Tuner *t, const LagCut *d, int number)
{
    if (!isfinite(d->step_radius))
        return;
    TuneCandidate *k =
        tuner_add(t, arena_printf(t->c->arena, "delay %d, step", number),
                  TUNE_LAG, lag_plan(t, d, CUT_STEP));
    k->lag = d;
    k->modes = cut_text(t, d);
}

/* Old values of the last iteration: places of the matrix of the pencils. */
static void add_iterate_lags(Tuner *t, const LagOptions *o)
{
    Arena *a = t->c->arena;
    int nblock, number = 0;
    LagBlock **block = lag_from_pencil(t->r->pencil, t->c->size, &nblock, a);
    for (int b = 0; b < nblock && block[b]->n >= SMALL_BLOCK; b++) {
        const LagList *list = lag_find(block[b], o, a);
        for (int i = 0; i < list->n && i < MOST_LAGS; i++) {
            const LagCut *d = &list->cut[i];
            if (d->iterations == NONE || d->iterations > MOST_ITERATIONS)
                continue;
            TuneCandidate *k =
                tuner_add(t,
                          arena_printf(a, "delay %d, %d iterations", ++number,
                                       d->iterations),
                          TUNE_LAG, lag_plan(t, d, CUT_ITERATE));
            k->lag = d;
            k->modes = cut_text(t, d);
        }
    }
}

/* The blocks of backward Euler, not torn: where would an old value do? */
static void add_lags(Tuner *t)
{
    Compilation *c = t->c;
    Plan *plan = tuner_plan(t, "lie");
    plan->algebraic = PA_KEEP;
    tune_say(t->o->progress, "delays", 0, 1);
    const Step *step = tuner_structure(t, plan, t->r->reference->samples);
    if (!step)
        return;
    const SchedSamples *v = step->samples;
    const Schedule *s = step->schedule[step->inlined->cycle[0]];
    bool *kept_back = NEW_ARRAY(c->arena, bool, v->nsample + 1);
    double *time = NEW_ARRAY(c->arena, double, v->nsample + 1);
    for (int i = 0; i < v->nsample; i++) {
        kept_back[i] = t->r->reference->samples->point.at[i].kept_back;
        time[i] = t->r->reference->samples->point.at[i].time;
    }
    LagOptions o = lag_defaults();
    o.margin = TUNER_MARGIN;
    o.most_iterations = MOST_ITERATIONS;
    o.most_cuts = 2 * MOST_LAGS;
    int number = 0;
    for (int b = 0; b < s->nblock; b++) {
        if (s->block[b].size < SMALL_BLOCK || s->block[b].size > LARGEST_BLOCK)
            continue;
        const LagBlock *block =
            lag_from_schedule(s, b, v, time, kept_back, c->arena);
        const LagList *list = block ? lag_find(block, &o, c->arena) : NULL;
        for (int i = 0; list && i < list->n && i < MOST_LAGS; i++)
            add_step_lag(t, &list->cut[i], ++number);
    }
    add_iterate_lags(t, &o);
}

/* Has the user's plan something that the other candidates do not have? */
static bool is_given(const Plan *p)
{
    return tuner_has_cuts(p) ||
           (p->has[PLAN_METHOD] && strcmp(p->method, "lie") != 0);
}

static bool add_all(Tuner *t)
{
    if (is_given(t->c->plan))
        tuner_given(t);
    add_explicit(t);
    add_full(t);
    tuner_aside_begin(t);
    if (t->o->groups & TUNE_EXTRAPOLATED)
        add_extrapolated(t);
    int mixed = t->r->candidate.n; /* where they stand */
    if (t->o->groups & TUNE_LAG)
        add_lags(t);
    if ((t->o->groups & TUNE_SPARSING) && !tuner_sparsed(t))
        return false;
    tuner_aside_end(t, mixed);
    tuner_positions(t);
    return true;
}

bool tuner_candidates(Tuner *t)
{
    DieCatch c; /* no process goes on where this one does not */
    die_catch(&c);
    if (setjmp(c.there) == 0) {
        bool fine = add_all(t);
        die_release(&c);
        pool_drop(t->aside);
        return fine;
    }
    die_release(&c);
    pool_drop(t->aside);
    die("%s", c.message);
}
