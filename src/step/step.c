/* step.c - the phases between a Dae and what runs, in their order. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/step.h"

#include <string.h>

#include "base/check.h"
#include "step/step_internal.h"
#include "tape/exec.h"
#include "tape/fold.h"
#include "tape/hoist.h"

/* ---- Dae -> Inlined -> Schedule ---- */

static bool make_equations(Step *s, Arena *arena, Diag *diag)
{
    InlineOptions o = {.keep_aliases = s->input.keep_aliases,
                       .order_buildup = s->plan->order_buildup};
    s->inlined = s->dae
                     ? inline_dae(s->dae, s->plan, s->method, &o, arena, diag)
                     : inline_sys(s->sys, s->plan, s->method, &o, arena, diag);
    if (s->inlined && check_is_on())
        inlined_check(s->inlined);
    return s->inlined != NULL;
}

static bool is_scheduled(const Step *s, int system)
{
    return !s->input.step_alone || system == s->inlined->cycle[0];
}

/* Every system gets a schedule, unless the step alone is asked for. */
static bool make_structure(Step *s, Arena *arena, Diag *diag)
{
    const Inlined *d = s->inlined;
    SchedOptions o = schedule_options(s->plan);
    s->samples = s->input.points
                     ? samples_values(s->input.points, d, s->input.size, arena)
                     : schedule_start_samples(d, s->input.size, arena, diag);
    const Schedule **made = NEW_ARRAY(arena, const Schedule *, d->nsystem + 1);
    for (int i = 0; i < d->nsystem; i++) {
        if (!is_scheduled(s, i))
            continue;
        o.step = d->ncycle > 0 ? made[d->cycle[0]] : NULL;
        made[i] = schedule_make(d, &d->system[i], s->samples, &o, arena, diag);
        if (!made[i])
            return false;
        if (check_is_on())
            schedule_check(made[i]);
    }
    s->schedule = made;
    return true;
}

/* ---- Schedule -> Lowered ---- */

static bool has_reference(const Step *s)
{
    return s->goal == STEP_REFERENCE || s->method->kind == MK_NONE ||
           (s->input.modes && s->dae && s->dae->nstate <= STEP_MOST_MODES &&
            s->dae->nunknown <= 5000);
}

/* The one place where schedules become a tape. `keep_guess`: LowerOptions. */
static const Lowered *make_tape(const Step *s, const SysSet *set, int nset,
                                bool keep_guess, PlanDefect defect,
                                Arena *arena)
{
    LowerOptions o = {.newton = s->plan->newton,
                      .set = set,
                      .nset = nset,
                      .factor = s->pivots ? s->pivots->factor : NULL,
                      .size = s->pivots ? s->pivots->size : NULL,
                      .push = s->pivots ? s->pivots->push : NULL,
                      .keep_guess = keep_guess,
                      .defect = defect,
                      .reference = !s->pivots && has_reference(s),
                      .sides = !s->pivots || s->input.exchange,
                      .rates = s->pivots && s->input.exchange,
                      .damping = s->plan->damping};
    const Lowered *low = lower(s->inlined, s->schedule, &o, arena);
    if (check_is_on())
        tape_check(low->tape);
    return low;
}

/* Damping that was asked for and does nothing is said. */
static void see_damping(const Step *s, Diag *diag)
{
    const Tape *t = s->lowered->tape;
    bool found = !s->plan->damping;
    for (int i = 0; i < t->block.n; i++)
        found |= t->block.at[i].damping != 0;
    if (!found)
        diag_report(diag, NO_SPAN, DIAG_W1208,
                    "damping has nothing to act on: no nonlinear block of a "
                    "step with %s iterates on algebraic variables",
                    s->method->name);
}

const Lowered *step_with_values(const Step *s, const SysSet *set, int nset,
                                Arena *arena)
{
    return make_tape(s, set, nset, false, s->plan->defect, arena);
}

/* ---- a tape without pivoting ---- */

int step_events_max(const Step *s)
{
    const Tape *t = s->lowered->tape;
    int n = s->plan->events_max, most = n > 12 ? n : 12;
    for (int i = 0; !s->plan->has[PLAN_EVENTS_MAX] && i < t->block.n; i++) {
        const TapeBlock *b = &t->block.at[i];
        if (b->is_open && 3 * b->n > n)
            n = 3 * b->n < most ? 3 * b->n : most;
    }
    return n;
}

SimOptions step_sim_options(const Step *s)
{
    return (SimOptions){.start = s->input.start,
                        .stop = s->input.stop,
                        .step = s->input.size,
                        .input = s->input.input,
                        .live_inputs = s->input.live_inputs,
                        .events_max = step_events_max(s),
                        .ignore_bounds = s->plan->bounds == PB_IGNORE,
                        .stop_at_bounds = s->plan->bounds == PB_STOP,
                        .fixed_states = false};
}

/* Which pivots are found must not depend on how closely steps are watched: a
 * run that a full look at defects would end goes on, so that takt sim --static
 * and generated code have the same. */
static const Pivots *choose_pivots(const Step *s, Arena *arena, Diag *diag)
{
    SimOptions options = step_sim_options(s);
    PivotOptions po = {.plan = s->plan,
                       .is_float = s->plan->scalar == PS_FLOAT};
    const Lowered *low =
        s->plan->defect != PD_FULL
            ? s->lowered
            : make_tape(s, s->input.set, s->input.nset, false, PD_CHEAP, arena);
    Sim *sim = sim_new(low, &options, arena, diag);
    const Pivots *p = sim ? pivots_choose(sim, s->schedule, &po, arena) : NULL;
    sim_free(sim);
    return p;
}

/* The values of parameters and of what follows from them. */
static double *parameter_values(const Tape *t, double size, Arena *arena)
{
    Exec *e = exec_new(t);
    e->r[t->step] = size;
    exec_run(e, tape_find_segment(t, "param"));
    double *value = NEW_ARRAY(arena, double, t->nslot);
    memcpy(value, e->r, (size_t)t->nslot * sizeof *value);
    exec_free(e);
    return value;
}

/* What a step computes of parameters alone is left to `param`; where nobody
 * will change them they are numbers. */
static const Lowered *hoist_parameters(const Step *s, const Lowered *low,
                                       Arena *arena)
{
    const Inlined *d = s->inlined;
    Tape *t = tape_copy(low->tape, arena);
    double *value = parameter_values(t, s->input.size, arena);
    bool *done = NEW_ARRAY(arena, bool, d->nsystem + 1);
    TapeSegment *step =
        NEW_ARRAY(arena, TapeSegment, 2 * (d->nstart + d->ncycle) + 1);
    int n = 0;
    for (int i = 0; i < d->nstart + d->ncycle; i++) {
        int k = i < d->nstart ? d->start[i] : d->cycle[i - d->nstart];
        if (done[k])
            continue;
        done[k] = true;
        step[n] = low->system[k].run;
        tape_fold(t, &step[n++], NULL, 0);
        if (d->system[k].estimate == NONE)
            continue;
        step[n] = low->system[d->system[k].estimate].run;
        tape_fold(t, &step[n++], NULL, 0);
    }
    tape_hoist(t, step, n, value);
    if (s->plan->fixed)
        step_put_numbers(t, d->init == NONE ? NULL : &low->system[d->init].run,
                         parameter_values(t, s->input.size, arena));
    Lowered *out = NEW(arena, Lowered);
    *out = *low;
    out->tape = t;
    return out;
}

static bool make_static(Step *s, Arena *arena, Diag *diag)
{
    s->pivots = choose_pivots(s, arena, diag);
    if (!s->pivots)
        return false;
    const Lowered *low =
        make_tape(s, s->input.set, s->input.nset, true, s->plan->defect, arena);
    s->lowered = hoist_parameters(s, low, arena);
    return true;
}

/* ---- the phase ---- */

static Step *begin(const Dae *dae, const Plan *plan, const StepInput *input,
                   StepGoal goal, Arena *arena)
{
    Step *s = NEW(arena, Step);
    s->goal = goal;
    s->dae = plan->direct ? NULL : dae;
    s->sys = s->dae ? s->dae->sys : input->sys;
    s->plan = plan;
    s->input = *input;
    s->method =
        goal == STEP_REFERENCE ? method_find("none", arena) : input->method;
    return s;
}

/* The phases up to the goal, from what is there already. False after a
 * report. */
static bool run_phases(Step *s, Arena *arena, Diag *diag)
{
    /* Dae + Plan -> Inlined */
    if (!s->inlined && !make_equations(s, arena, diag))
        return false;
    if (s->goal == STEP_EQUATIONS)
        return true;
    /* Inlined -> Schedule */
    if (!s->schedule && !make_structure(s, arena, diag))
        return false;
    if (s->goal == STEP_STRUCTURE)
        return true;
    /* Schedule -> Lowered, with pivots at run time */
    s->host = s->lowered = make_tape(s, s->input.set, s->input.nset, false,
                                     s->plan->defect, arena);
    if (s->goal != STEP_REFERENCE)
        see_damping(s, diag);
    if (s->goal == STEP_REFERENCE || s->goal == STEP_HOST)
        return true;
    /* a run -> Pivots; Schedule + Pivots -> Lowered */
    if (!step_can_be_static(s, diag) || !make_static(s, arena, diag))
        return false;
    if (s->goal == STEP_STATIC)
        return true;
    /* Lowered -> Fused, and initial values */
    return step_fuse(s, arena, diag);
}

static const Step *finish(Step *s, Arena *arena, Diag *diag)
{
    if (!run_phases(s, arena, diag))
        return NULL;
    if (check_is_on())
        step_check(s);
    return s;
}

const Step *step_make(const Dae *dae, const Plan *plan, const StepInput *input,
                      StepGoal goal, Arena *arena, Diag *diag)
{
    return finish(begin(dae, plan, input, goal, arena), arena, diag);
}

const Step *step_extend(const Step *s, StepGoal goal, Arena *arena, Diag *diag)
{
    Step *longer = NEW(arena, Step);
    *longer = *s;
    longer->goal = goal;
    return finish(longer, arena, diag);
}
