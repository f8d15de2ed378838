/* trial.c - one candidate: its step, its cost, its runs. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/trial.h"

#include <math.h>
#include <string.h>

#include "num/static_lu.h"

Compilation *driver_with_plan(const Compilation *c, Plan *plan)
{
    Compilation *t = NEW(c->arena, Compilation);
    DriverOptions o = driver_defaults(NULL);
    *t = *c;
    t->plan = plan;
    t->diag = diag_new(c->sources, c->arena);
    t->method = method_read(plan->method, t->sources, t->arena, t->diag);
    t->step = plan->step > 0 ? plan->step : c->step;
    if (t->method)
        driver_finish(t, &o);
    return t;
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

static void count_structure(const Compilation *c, Trial *t)
{
    const Schedule *s = c->schedule[c->inlined->cycle[0]];
    t->largest = s->largest;
    t->niteration = s->niteration;
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        t->nnz += b->jac.nnz;
        int part = largest_part(&b->jac, c->arena);
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

/* One scenario with the step as it would be generated. */
static bool run_scenario(Compilation *c, const SampleSpec *spec, int number,
                         const char *const *watch, int nwatch, Trial *t)
{
    const SampleScenario *s = &spec->scenario[number];
    LowerOptions lo = driver_scenario(c, s);
    Lowered *low = lower(c->inlined, c->schedule, &lo, c->arena);
    SimOptions so = driver_static_options(c);
    bool fine;
    so.input = driver_scenario_input(c, s, &fine);
    so.stop = isnan(spec->stop) ? c->stop : spec->stop;
    Sim *sim = fine ? sim_new(low, &so, c->arena, c->diag) : NULL;
    t->curves[number] = curves_new(low->tape, watch, nwatch, c->arena);
    fine = sim && sim_run(sim, on_row, t->curves[number]);
    for (int i = 0; sim && i < c->inlined->nlagged; i++)
        if (!t->lag_error_eqn || sim->lag_error[i].largest > t->lag_error) {
            t->lag_error = sim->lag_error[i].largest;
            t->lag_error_eqn = c->inlined->lagged[i].eqn;
        }
    sim_free(sim);
    return fine;
}

static void run_all(Compilation *c, const SampleSpec *spec,
                    const Reference *reference, const char *const *watch,
                    int nwatch, Trial *t)
{
    t->ran = true;
    t->curves = NEW_ARRAY(c->arena, Curves *, spec->nscenario + 1);
    for (int i = 0; i < spec->nscenario; i++) {
        bool fine = run_scenario(c, spec, i, watch, nwatch, t);
        Deviation d = curves_deviation(t->curves[i], reference->curves[i]);
        if (!fine || !d.complete)
            d.percent = INFINITY, t->ran = false;
        if (i == 0 || d.percent > t->deviation.percent) {
            t->deviation = d;
            t->scenario = i;
        }
    }
}

Trial *driver_trial(const Compilation *base, Plan *plan, const SampleSpec *spec,
                    const Reference *reference, const char *const *watch,
                    int nwatch)
{
    Trial *t = NEW(base->arena, Trial);
    Compilation *c = driver_with_plan(base, plan);
    RealtimeOptions o = {0};
    Realtime *rt =
        diag_failed(c->diag) || !c->lowered ? NULL : driver_realtime(c, &o);
    if (rt) {
        t->built = true;
        int n;
        t->cost = cycle_cost(rt->fused, c->inlined, &n, c->arena);
        t->instructions = t->cost.instructions / (n > 0 ? n : 1);
        t->factor_flops = rt->pivots.flops;
        t->factor_nnz = rt->pivots.nnz;
        count_structure(c, t);
        run_all(c, spec, reference, watch, nwatch, t);
    }
    t->why = diag_first(c->diag, c->arena);
    return t;
}
