/* step_trial.c - a run at the desk of a step that is built.
 *
 * Generated code watches over its steps by what costs next to nothing. Before
 * it is written, the model is run once with the same steps, from its start
 * values, with the full defect, the running error and its modes along the way:
 * what that shows is a warning of `build`.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/sim_run.h"
#include "cli/step_options.h"

enum { MOST_STEPS = 4000, MOST_UNKNOWNS = 300 };

static bool is_small(const Compilation *c)
{
    return c->dae && c->dae->nunknown <= MOST_UNKNOWNS &&
           c->dae->nstate <= STEP_MOST_MODES && c->stop > c->start;
}

/* The step again, with all that watches over it. */
static bool compile(SimRun *r)
{
    Compilation *c = r->c;
    PlanEdits *edits = &r->driver.edits;
    r->driver.goal = STEP_STATIC;
    r->driver.estimate = PE_RUNNING;
    r->driver.modes = true;
    plan_add_edit(edits, PLAN_DEFECT, "full", c->arena);
    plan_add_edit(edits, PLAN_ESTIMATE, "running", c->arena);
    if (!driver_change_step(c, &r->driver))
        return false;
    SimOptions o = step_sim_options(c->step);
    r->sim = sim_new(c->step->lowered, &o, c->arena, c->diag);
    return r->sim && sim_init(r->sim);
}

static void run(SimRun *r)
{
    long n = sim_nstep(&r->sim->options);
    n = n > MOST_STEPS ? MOST_STEPS : n;
    sim_modes_look(r, r->sim, r->c->start);
    for (r->rows = 1; r->rows <= n && !r->sim->stats.terminated; r->rows++) {
        if (!sim_step(r->sim))
            return;
        sim_modes_look(r, r->sim, r->sim->stats.time);
    }
}

static void note_trust(const SimRun *r, StepTrust *trust)
{
    SimTrust t = sim_trust(r->sim);
    *trust = (StepTrust){.trust = t, .time = sim_time(r->sim)};
    if (t.state != NONE)
        trust->state = sim_state_name(r, t.state);
    if (t.state != NONE && t.late_state != NONE)
        trust->late_one = sim_state_name(r, t.late_state);
}

bool step_trial_warn(Compilation *c, const DriverOptions *o, StepTrust *trust)
{
    if (!is_small(c))
        return false;
    Compilation built = *c;
    SimRun r = {.driver = *o, .c = c};
    Diag *own = c->diag = diag_new(c->sources, c->arena);
    bool fine = compile(&r);
    c->diag = built.diag;
    if (fine) {
        run(&r);
        if (diag_failed(own))
            diag_report(c->diag, c->flat->span, DIAG_W1408,
                        "a run of the model with these steps ends at time %g: "
                        "%s",
                        r.sim->stats.time, diag_first(own, c->arena));
        diag_append_only(c->diag, own, DIAG_W1349);
        sim_text_warn(&r);
        if (trust)
            note_trust(&r, trust);
    }
    mode_watch_free(r.watch);
    rounding_free(r.rounding);
    follow_free(r.follow);
    sim_free(r.sim);
    *c = built;
    return fine;
}
