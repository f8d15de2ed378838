/* tuning.c - the order of a tuning. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/tuning.h"

#include <math.h>
#include <string.h>

#include "tuning/tuning_internal.h"
#include "tune/extract.h"

/* Of an iteration: time grows with the cube, 600 take about 20 minutes. */
enum { MOST_VARIABLES = 600 };

static const double default_rho[] = {0.01, 0.05, 0.1, 0.5, 1};

/* ---- what is looked at ---- */

static bool watch_given(Tuner *t)
{
    Compilation *c = t->c;
    for (int i = 0; i < t->o->nwatch; i++) {
        const char *name = t->o->watch[i];
        if (sys_find_var(c->sys, name) == NONE) {
            diag_report(c->diag, NO_SPAN, DIAG_E1404,
                        "--output: the model has no variable '%s'", name);
            return false;
        }
        t->r->watch[t->r->nwatch++] = name;
    }
    return true;
}

/* The outputs of the model; if it has none, its states. */
static bool find_watch(Tuner *t)
{
    Compilation *c = t->c;
    int most = c->sys->nvar + c->dae->nstate + t->o->nwatch;
    t->r->watch = NEW_ARRAY(c->arena, const char *, most + 1);
    if (t->o->nwatch > 0)
        return watch_given(t);
    for (int i = 0; i < c->sys->nvar; i++) {
        const SysVar *v = &c->sys->var[i];
        if (v->flat != NONE && v->type == FT_REAL &&
            c->flat->var[v->flat].causality == FC_OUTPUT)
            t->r->watch[t->r->nwatch++] = v->name;
    }
    bool has_none = t->r->nwatch == 0;
    for (int i = 0; has_none && i < c->dae->nstate; i++)
        if (c->dae->state[i].order == 0)
            t->r->watch[t->r->nwatch++] =
                c->sys->var[c->dae->state[i].var].name;
    return true;
}

/* The same start point as in a step that is built, so that the plan is obeyed
 * in the matrix that was looked at. */
const Step *tuner_structure(const Tuner *t, const Plan *plan,
                            const Samples *points)
{
    const Compilation *c = t->c;
    DriverOptions o = driver_defaults(NULL);
    StepInput input = driver_step_input(c, &o);
    input.method = method_find(plan->method, c->arena);
    input.step_alone = true;
    input.points = points;
    return step_make(c->dae, plan, &input, STEP_STRUCTURE, c->arena, c->diag);
}

/* The iteration over all states, linearised in the samples: always that of the
 * uncut model, whatever the user's plan cuts. */
static bool make_pencils(Tuner *t)
{
    Compilation *c = t->c;
    Plan *plan = tuner_plan(t, "lie");
    plan->algebraic = t->o->view;
    plan->one_block = true;
    const Step *step = tuner_structure(t, plan, NULL);
    if (!step)
        return false;
    const Inlined *d = step->inlined;
    const Schedule *s = step->schedule[d->cycle[0]];
    t->r->inlined = d;
    const SchedBlock *b = schedule_state_block(s);
    if (!b) {
        diag_report(c->diag, c->flat->span, DIAG_E1503,
                    "there is nothing to tune: no state of '%s' takes part in "
                    "an iteration",
                    c->flat->model);
        return false;
    }
    if (b->ntorn > MOST_VARIABLES) {
        diag_report(c->diag, c->flat->span, DIAG_E1513,
                    "the step of '%s' has %d iteration variables: plans are "
                    "compared by all eigenvalues of dense matrices, for which "
                    "%d are the most",
                    c->flat->model, b->ntorn, MOST_VARIABLES);
        diag_note(c->diag, NO_SPAN,
                  "a step without a plan needs no tuning: takt build");
        return false;
    }
    t->r->view = b->view;
    t->r->pencil =
        pencil_make(s, b, t->r->reference->samples, c->size, c->arena, c->diag);
    if (!t->r->pencil)
        return false;
    t->r->path = tuning_path(c, t->r->reference, s, b, t->r->pencil);
    return true;
}

static void make_spectra(Tuner *t)
{
    const PencilSet *p = t->r->pencil;
    ClusterOptions o = {0};
    t->known = choice_known(p, t->c->arena);
    t->r->spectrum = t->known->spectrum;
    t->r->explicit_step = INFINITY;
    for (int i = 0; i < p->nsample; i++) {
        const Spectrum *s = choice_spectrum(t->known, p, i, t->c->size, &o);
        if (s->code == TUNE_FINE && s->explicit_step < t->r->explicit_step)
            t->r->explicit_step = s->explicit_step;
        tune_say(t->o->progress, "spectra", i + 1, p->nsample);
    }
}

/* What a factorisation of the whole matrix costs, and of what finite
 * differences would take for it. */
static void count_full(Tuner *t)
{
    const PencilSet *p = t->r->pencil;
    Arena *work = arena_new();
    size_t n = (size_t)p->n;
    double *m = NEW_ARRAY(work, double, n *n + 1);
    double *value =
        NEW_ARRAY(work, double, (size_t)p->nnz *(size_t)p->nsample + 1);
    int *col = NEW_ARRAY(work, int, p->nnz + 1);
    for (int s = 0; s < p->nsample; s++) {
        pencil_iteration_matrix(p, s, t->c->size, NULL, NULL, m);
        for (int j = 0; j < p->n; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                col[e] = j;
                value[(size_t)s * (size_t)p->nnz + (size_t)e] =
                    m[(size_t)p->row[e] + (size_t)j * n];
            }
    }
    if (!static_lu_count(p->n, p->nnz, p->row, col, value, p->nsample, 0.01,
                         &t->r->symbolic))
        t->r->symbolic = (StaticLuCount){0};
    arena_free(work);
    if (t->o->view == PA_SOLVE)
        tuning_differences(t->c, t->r->reference, &t->r->differences);
}

Tuning *tuner_round(Compilation *c, const TuneOptions *options,
                    SampleSpec *spec)
{
    TuneOptions o = *options;
    if (!o.rho) {
        o.rho = default_rho;
        o.nrho = sizeof default_rho / sizeof *default_rho;
    }
    if (o.view == PA_AUTO)
        o.view = PA_SOLVE;
    o.groups = o.groups ? o.groups | TUNE_BASE : ~0u;
    Tuner t = {
        .c = c, .o = &o, .r = NEW(c->arena, Tuning), .with_positions = NONE};
    t.r->c = c;
    t.r->given = t.r->full = t.r->chosen = NONE;
    t.r->spec = spec;
    if (!find_watch(&t))
        return NULL;
    tune_say(o.progress, "reference run", 0, 1);
    t.r->reference =
        tuning_reference(c, t.r->spec, t.r->watch, t.r->nwatch, 1e-6);
    if (!t.r->reference || !make_pencils(&t))
        return NULL;
    make_spectra(&t);
    count_full(&t);
    if (!tuner_candidates(&t))
        return NULL;
    return tuner_judge(&t) ? t.r : NULL;
}
