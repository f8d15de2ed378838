/* trial.c - one candidate: its step, its cost, its runs. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/trial.h"

#include <math.h>
#include <string.h>

#include "num/static_lu.h"

const Step *tuning_step(const Compilation *c, const Plan *plan, StepGoal goal,
                        Arena *arena, Diag *diag)
{
    DriverOptions o = driver_defaults(NULL);
    StepInput input = driver_step_input(c, &o);
    input.method = method_read(plan->method, c->sources, arena, diag);
    input.size = plan->step > 0 ? plan->step : c->size;
    return input.method ? step_make(c->dae, plan, &input, goal, arena, diag)
                        : NULL;
}

static bool is_in_cycle(const Inlined *d, int system)
{
    for (int i = 0; i < d->ncycle; i++)
        if (d->cycle[i] == system)
            return true;
    return false;
}

static void add_cost(Cost *sum, const Cost *c)
{
    sum->add += c->add;
    sum->mul += c->mul;
    sum->div += c->div;
    sum->call += c->call;
    sum->select += c->select;
    sum->load += c->load;
    sum->store += c->store;
    sum->instructions += c->instructions;
    sum->code_bytes += c->code_bytes;
    if (c->stack_bytes > sum->stack_bytes)
        sum->stack_bytes = c->stack_bytes;
}

/* The sum over the steps of a cycle, and how many they are; steps that only
 * start a method do not count. */
static Cost cycle_cost(const Fused *f, const Inlined *d, int *n, Arena *arena)
{
    bool *member = NEW_ARRAY(arena, bool, f->tape->nslot + 1);
    for (int i = 0; i < f->tape->nslot; i++)
        member[i] =
            (f->carried[i] || f->wanted[i]) && f->tape->region[i] != TR_CONST;
    Cost sum = {0};
    *n = 0;
    for (int i = 0; i < f->nstep; i++) {
        if (!is_in_cycle(d, f->system[i]))
            continue;
        const CostTable *t =
            cost_of(f->tape, &f->tape->segment.at[i + 1], member, arena);
        add_cost(&sum, &t->total);
        (*n)++;
    }
    return sum;
}

/* Size of the largest diagonal block of an iteration matrix. */
static int largest_part(const SchedJacobian *jac, Arena *arena)
{
    StaticLuCount count;
    int *col = NEW_ARRAY(arena, int, jac->nnz + 1);
    if (jac->n == 0)
        return 0;
    for (int j = 0; j < jac->n; j++)
        for (int k = jac->start[j]; k < jac->start[j + 1]; k++)
            col[k] = j;
    return static_lu_count(jac->n, jac->nnz, jac->row, col, NULL, 0, 0.1,
                           &count)
               ? count.largest
               : jac->n;
}

static void count_structure(const Step *step, TrialRun *t, Arena *arena)
{
    const Schedule *s = step->schedule[step->inlined->cycle[0]];
    t->largest = s->largest;
    t->niteration = s->niteration;
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        t->nnz += b->jac.nnz;
        int part = largest_part(&b->jac, arena);
        if (part > t->largest_part)
            t->largest_part = part;
    }
}

static bool on_row(void *curves, const Sim *sim, double time, bool at_event)
{
    (void)at_event;
    curves_row(curves, sim->exec, time);
    return true;
}

/* A candidate on trial. */
typedef struct Try {
    Compilation *c;
    const SampleSpec *spec;
    const Step *step;
    const char *const *watch;
    int nwatch;
    Diag *diag; /* of its own */
    TrialRun *result;
} Try;

/* One scenario with the step as it would be generated. */
static bool run_scenario(const Try *y, int number)
{
    Arena *arena = y->c->arena;
    TrialRun *t = y->result;
    const Inlined *d = y->step->inlined;
    const SampleScenario *s = &y->spec->scenario[number];
    int nset;
    const SysSet *set = tuning_scenario(y->c, s, &nset);
    const Lowered *low = step_with_values(y->step, set, nset, arena);
    SimOptions so = step_sim_options(y->step);
    bool fine;
    so.input = tuning_scenario_input(y->c, s, y->diag, &fine);
    so.stop = s->stop > 0            ? s->stop
              : isnan(y->spec->stop) ? y->c->stop
                                     : y->spec->stop;
    Sim *sim = fine ? sim_new(low, &so, arena, y->diag) : NULL;
    t->curves[number] = curves_new(low->tape, y->watch, y->nwatch, arena);
    fine = sim && sim_run(sim, on_row, t->curves[number]);
    for (int i = 0; sim && i < d->nlagged; i++)
        if (!t->lag_error_eqn || sim->lag_error[i].largest > t->lag_error) {
            t->lag_error = sim->lag_error[i].largest;
            t->lag_error_eqn = d->lagged[i].eqn;
        }
    sim_free(sim);
    return fine;
}

static void run_all(const Try *y, const Reference *reference)
{
    TrialRun *t = y->result;
    int n = y->spec->nscenario;
    t->ran = true;
    t->curves = NEW_ARRAY(y->c->arena, Curves *, n + 1);
    for (int i = 0; i < n; i++) {
        if (y->spec->scenario[i].is_found)
            continue;
        bool fine = run_scenario(y, i);
        Deviation d = curves_deviation(t->curves[i], reference->curves[i]);
        if (!fine || !d.complete)
            d.percent = INFINITY, t->ran = false;
        if (i == 0 || d.percent > t->deviation.percent) {
            t->deviation = d;
            t->scenario = i;
        }
    }
}

long tuning_count(const Step *s)
{
    Arena *work = arena_new();
    int n;
    Cost cost = cycle_cost(s->fused, s->inlined, &n, work);
    arena_free(work);
    return cost.instructions / (n > 0 ? n : 1);
}

TrialRun *tuning_trial(Compilation *c, const Plan *plan, const SampleSpec *spec,
                       const Reference *reference, const char *const *watch,
                       int nwatch)
{
    TrialRun *t = NEW(c->arena, TrialRun);
    Diag *diag = diag_new(c->sources, c->arena);
    const Step *s = tuning_step(c, plan, STEP_REALTIME, c->arena, diag);
    if (s) {
        Try y = {.c = c,
                 .spec = spec,
                 .step = s,
                 .watch = watch,
                 .nwatch = nwatch,
                 .diag = diag,
                 .result = t};
        t->built = true;
        t->step = s;
        int n;
        t->cost = cycle_cost(s->fused, s->inlined, &n, c->arena);
        t->instructions = t->cost.instructions / (n > 0 ? n : 1);
        t->factor_flops = s->pivots->report.flops;
        t->factor_nnz = s->pivots->report.nnz;
        count_structure(s, t, c->arena);
        run_all(&y, reference);
    }
    t->why = diag_first(diag, c->arena);
    return t;
}
