/* sim.c - takt sim MODEL: trajectories. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "result/outputs.h"
#include "cli/sim_run.h"
#include "cli/verbs.h"
#include "plan/embedding.h"
#include "result/picture.h"
#include "saved/saved.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool show_progress(void *context, double time)
{
    SimRun *r = context;
    if (interrupt_seen())
        return false;
    if (r->quiet || r->json || !isatty(2))
        return true;
    double t = now();
    if (t - r->shown < 0.3)
        return true;
    r->shown = t;
    double part = (time - r->c->start) / (r->c->stop - r->c->start);
    fprintf(stderr, "\r%3.0f %%  t = %g ", 100 * part, time);
    fflush(stderr);
    return true;
}

static bool on_row(void *context, const Sim *sim, double time, bool at_event)
{
    SimRun *r = context;
    (void)at_event;
    sim_modes_look(r, sim, time);
    if (r->rows == 0 && r->out && !record_open(r->record, r->out, sim->exec)) {
        diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->out,
                    strerror(errno));
        return false;
    }
    if (!estimate_log_row(r, sim, time))
        return false;
    again_row(r, sim, time);
    bool last = sim->k == sim_nstep(&sim->options) || sim->stats.terminated;
    if (r->rows % r->every == 0 || last)
        record_row(r->record, sim->exec, time);
    r->rows++;
    return show_progress(r, time);
}

/* ---- input and reference files ---- */

static Table *read_table(SimRun *r, const char *path, bool is_input)
{
    int source = sources_read(r->c->sources, path);
    if (source == NONE) {
        diag_report(r->c->diag, NO_SPAN, DIAG_E1309, "%s: %s", path,
                    strerror(errno));
        return NULL;
    }
    return is_input
               ? table_read_inputs(r->c->sources, source, r->c->arena,
                                   r->c->diag)
               : table_read(r->c->sources, source, r->c->arena, r->c->diag);
}

/* How exact a reference is at best: its absolute tolerance, if it was made as
 * takt makes one with the tolerance of the annotation. */
static double floor_of(const SimRun *r, const char *name)
{
    const Compilation *c = r->c;
    const FlatExperiment *e = &c->flat->experiment;
    double rtol = e->has_tolerance && e->tolerance > 0 ? e->tolerance : 1e-6;
    int order, var = sys_find_quantity(c->sys, name, &order);
    Expr nominal = var == NONE ? EXPR_NONE : c->sys->var[var].nominal;
    double x = 0;
    bool is_given = nominal != EXPR_NONE &&
                    expr_is_const(c->sys->dag, nominal, &x) && x != 0;
    return 1e-3 * fmin(rtol, 1e-3) * (is_given ? fabs(x) : 1);
}

/* A parameter or a constant from the first time of the reference to its last;
 * n = 0: it is neither. */
static Curve constant_curve(SimRun *r, const Table *ref, int time,
                            const char *name)
{
    const Sys *s = r->c->sys;
    int v = sys_find_var(s, name);
    Curve none = {0};
    if (v == NONE || ref->nrow == 0 ||
        (s->var[v].role != SR_CONSTANT && s->var[v].role != SR_PARAMETER))
        return none;
    double *all = NEW_ARRAY(r->c->arena, double, s->nvar);
    sys_start_values(s, s->set, s->nset, all, NULL);
    double *at = NEW_ARRAY(r->c->arena, double, 4);
    at[0] = ref->value[time];
    at[1] = ref->value[(ref->nrow - 1) * ref->ncol + time];
    at[2] = at[3] = all[v];
    return (Curve){at, at + 2, isfinite(all[v]) ? 2 : 0, 1};
}

/* Compares every column of the reference that the model has. */
static bool compare(SimRun *r, const Table *ref)
{
    int time = table_column(ref, "time");
    if (time == NONE) {
        diag_report(r->c->diag, NO_SPAN, DIAG_E1314, "%s has no column 'time'",
                    r->compare);
        return false;
    }
    SimTubes *t = &r->tubes;
    t->at = NEW_ARRAY(r->c->arena, SimTube, ref->ncol);
    for (int i = 0; i < ref->ncol; i++) {
        if (i == time)
            continue;
        Curve result = record_curve(r->record, ref->name[i]);
        if (result.n == 0)
            result = constant_curve(r, ref, time, ref->name[i]);
        SimTube *tube = &t->at[t->n++];
        *tube = (SimTube){.name = ref->name[i], .is_missing = result.n == 0};
        if (tube->is_missing) {
            t->nmissing++;
            continue;
        }
        Curve c = {ref->value + time, ref->value + i, ref->nrow, ref->ncol};
        tube->result =
            compare_tube(c, result, r->tube, floor_of(r, ref->name[i]));
        t->noutside += tube->result.noutside > 0;
    }
    int found = t->n - t->nmissing;
    if (t->noutside || !found)
        diag_report(r->c->diag, NO_SPAN, DIAG_E1330,
                    found ? "%d of %d signals leave the tube around %s"
                          : "nothing is compared: %d of %d signals of %s are "
                            "variables of the model",
                    t->noutside, found ? found : t->n, r->compare);
    return t->noutside == 0 && found > 0;
}

/* ---- the command ---- */

static bool load_state(SimRun *r)
{
    int source = sources_read(r->c->sources, r->from_state);
    if (source != NONE)
        return saved_read(r->sim, r->c->sources, source);
    diag_report(r->c->diag, NO_SPAN, DIAG_E1352, "%s: %s", r->from_state,
                strerror(errno));
    return false;
}

static bool save_state(SimRun *r)
{
    OutFile f;
    bool fine = outfile_open(&f, r->save_state, r->c->arena);
    if (fine && !saved_write(r->sim, f.file)) {
        outfile_drop(&f);
        return false;
    }
    fine = fine && outfile_close(&f);
    if (!fine)
        diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->save_state,
                    strerror(errno));
    return fine;
}

/* Nothing was said about steps: step-size control, as every simulator does. */
static bool is_default(const SimRun *r)
{
    return !r->is_reference && !r->is_static && !r->driver.plan &&
           !r->driver.dump && r->driver.edits.n == 0 && !r->save_state &&
           !r->from_state && !r->estimates && !(r->change > 0) &&
           (!r->events || r->exact);
}

/* Did the user leave method and step open? */
static bool is_open(const SimRun *r)
{
    const DriverOptions *d = &r->driver;
    return !r->is_reference && !r->is_static && !d->plan && !d->dump &&
           !plan_has_edit(&d->edits, PLAN_METHOD) &&
           !plan_has_edit(&d->edits, PLAN_STEP) &&
           !plan_has_edit(&d->edits, PLAN_DIRECT);
}

/* From the spectrum at the start. The model as it is has been compiled. */
static void choose(SimRun *r)
{
    Compilation *c = r->c;
    SimOptions o = {.start = c->start, .stop = c->start, .step = 1};
    if (c->flat->experiment.has_interval || c->dae->nstate == 0 ||
        c->dae->nstate > STEP_MOST_MODES || !(c->size > 0))
        return;
    diag_mute(c->diag); /* what goes wrong here is said by the run */
    Sim *sim = sim_new(c->step->lowered, &o, c->arena, c->diag);
    if (sim && c->step->lowered->reference && sim_init(sim) &&
        (r->linear = linear_new(sim, c->arena, c->diag)) &&
        linear_modes(r->linear, c->arena)) {
        StabilityChoice choice = stability_choose(
            r->linear, c->size, linear_is_constant(sim, c->arena),
            c->step->inlined->nrelation > 0 || c->sys->naction > 0, c->arena);
        PlanEdits *edits = &r->driver.edits;
        plan_add_edit(edits, PLAN_METHOD, choice.method, c->arena);
        plan_add_number(edits, PLAN_STEP, choice.step, c->arena);
        r->why = choice.why;
    } else {
        r->linear = NULL;
    }
    sim_free(sim);
    diag_unmute(c->diag);
}

static bool compile(SimRun *r)
{
    bool open = is_open(r);
    StepGoal goal = r->is_reference ? STEP_REFERENCE
                    : r->is_static  ? STEP_STATIC
                                    : STEP_HOST;
    r->driver.goal = open ? STEP_REFERENCE : goal;
    r->driver.modes = true;
    if (!r->is_reference && isnan(r->adaptive.rtol) && !r->driver.dump)
        r->driver.estimate = PE_RUNNING;
    else if (!r->is_reference && !isnan(r->adaptive.rtol))
        r->driver.estimate = PE_CONTROL;
    if (!driver_compile(r->c, &r->driver, PHASE_STEP))
        return false;
    if (r->is_reference && r->c->flat->ninvariant > 0)
        diag_report(r->c->diag, r->c->flat->span, DIAG_W0902,
                    "'invariant' of __takt is not obeyed: ida and cvode keep "
                    "no invariant");
    if (!open)
        return true;
    choose(r);
    r->driver.goal = goal;
    return driver_change_step(r->c, &r->driver);
}

/* Is the order of a step of any length that of the method? */
static bool is_one_step(const Method *m)
{
    return m->kind == MK_ROSENBROCK ||
           (m->kind == MK_RK && (m->newton == 0 || m->stage_weight));
}

/* The embedding that is asked for must be one of the method. */
static bool has_embedding(const SimRun *r)
{
    const Compilation *c = r->c;
    PlanControl control = c->plan->control;
    if (control == PC_ORDERS && strcmp(c->method->name, "be") &&
        !c->method->stage_weight) {
        diag_report(c->diag, c->plan->where[PLAN_CONTROL], DIAG_E1344,
                    "--control orders makes BDF formulas of be, and "
                    "extrapolation of any order of liex6, but nothing of %s",
                    c->method->name);
        return false;
    }
    if (control != PC_BLENDED && control != PC_BDF3)
        return true;
    bool is_bdf3 = control == PC_BDF3;
    if (embedding_find(c->method, is_bdf3 ? EK_BDF3 : EK_BLENDED, c->arena))
        return true;
    diag_report(c->diag, c->plan->where[PLAN_CONTROL], DIAG_E1344,
                "%s has no embedding '%s'; %s", c->method->name,
                is_bdf3 ? "bdf3" : "blended",
                is_bdf3 ? "it belongs to radau3"
                        : "radau3, radau5 and lobatto4 have one");
    return false;
}

/* May the steps of the method follow the error? */
static bool has_control(SimRun *r)
{
    const Compilation *c = r->c;
    if (is_one_step(c->method) && c->dae && !r->is_static && !r->save_state &&
        !r->from_state)
        return has_embedding(r);
    diag_report(c->diag, NO_SPAN, DIAG_E1344,
                "--tolerance: %s cannot have steps that follow the error%s",
                c->plan->control == PC_ORDERS && !c->method->stage_weight
                    ? "bdf"
                    : c->method->name,
                is_one_step(c->method)
                    ? " together with --static, --direct or a saved state"
                    : ", only Runge-Kutta methods that are iterated, "
                      "Rosenbrock methods and extrapolation");
    return false;
}

/* Matrices of CVODE are dense. */
enum { MOST_DENSE = 500 };

/* Structure is wrong, and no rows of the array serve in its place: the array
 * itself is integrated. */
static void choose_array(SimRun *r)
{
    r->is_default = false;
    r->adaptive.solver = ADAPTIVE_PARTITION;
    r->driver.with_array = true;
    r->why = "partition, since structural analysis is wrong for this model";
}

/* Which integrator, and how exactly. The model as it is has been compiled. */
static void choose_default(SimRun *r)
{
    const Compilation *c = r->c;
    const FlatExperiment *e = &c->flat->experiment;
    bool is_given = !isnan(r->adaptive.rtol);
    bool is_annotated = !is_given && e->has_tolerance && e->tolerance > 0;
    r->adaptive.solver =
        c->dae && c->dae->nstate > MOST_DENSE ? ADAPTIVE_IDA : ADAPTIVE_CVODE;
    if (!is_given)
        r->adaptive.rtol = is_annotated ? e->tolerance : 1e-6;
    if (c->array) {
        choose_array(r);
        return;
    }
    r->why =
        arena_printf(c->arena,
                     "step-size control, relative tolerance %g%s, events "
                     "located; --method and --step ask for fixed steps",
                     r->adaptive.rtol, is_annotated ? " (annotation)" : "");
}

/* What is kept and written of a run; names are looked up before it. */
static bool prepare_record(SimRun *r)
{
    const Tape *t = r->c->step->lowered->tape;
    r->record = record_new(r->c->step->lowered, r->filter, r->plot_vars.at,
                           r->plot_vars.n, r->c->arena);
    r->record->keep = r->plot || r->compare || r->verify || r->keeps_rows;
    for (int i = 0; i < r->plot_vars.n; i++) {
        double sign;
        if (record_find(r->record, r->plot_vars.at[i], &sign) != NONE)
            continue;
        diag_report(r->c->diag, NO_SPAN, DIAG_E1306,
                    "--var: the model has no variable '%s' that changes",
                    r->plot_vars.at[i]);
        const char **all =
            NEW_ARRAY(r->c->arena, const char *, t->symbol.n + 1);
        for (int k = 0; k < t->symbol.n; k++)
            all[k] = t->symbol.at[k].name;
        diag_suggest(r->c->diag, r->plot_vars.at[i], all, t->symbol.n);
        return false;
    }
    return true;
}

bool sim_make(SimRun *r)
{
    Compilation *c = r->c;
    SimOptions o = {.start = c->start,
                    .stop = c->stop,
                    .step = c->size,
                    .events_max = step_events_max(c->step),
                    .ignore_bounds = c->plan->bounds == PB_IGNORE,
                    .stop_at_bounds = c->plan->bounds == PB_STOP};
    bool fixed = c->plan->newton > 0 || c->method->newton > 0;
    o.tolerance =
        c->plan->has[PLAN_NEWTON_TOL] || !fixed ? c->plan->newton_tol : 0;
    if (r->is_static)
        o = step_sim_options(c->step);
    o.input = r->driver.input;
    o.domain = r->is_reference ? NULL : &c->plan->domain;
    if (!r->is_reference && !isnan(r->adaptive.rtol)) {
        if (!has_control(r))
            return false;
        o.rtol = r->adaptive.rtol;
        o.most_parts = r->most_parts;
        o.atol = r->adaptive.atol;
        if (c->method->stage_weight && c->plan->newton == 0)
            o.tolerance = c->plan->newton_tol; /* of the end of a step */
        if (!c->plan->has[PLAN_NEWTON_TOL] && o.tolerance > 0)
            o.tolerance = fmax(o.tolerance, 1e-2 * o.rtol);
        r->exact = !r->events || r->exact;
    } else if (isnan(r->adaptive.rtol)) {
        r->adaptive.rtol = 1e-6;
    }
    o.exact_events = r->exact;
    if (!c->plan->has[PLAN_EVENTS_MAX] && (r->exact || r->is_reference))
        o.events_max = SIM_FIRST_EVENTS; /* these are no steps of the grid */
    o.shift = r->shift;
    o.change = r->change;
    o.change_atol = r->change_atol;
    o.change_stops = r->change_stops;
    o.keep_grid = r->save_state != NULL || r->is_static;
    r->sim = sim_new(c->step->lowered, &o, c->arena, c->diag);
    if (!r->sim)
        return false;
    r->sim->progress = show_progress;
    r->sim->progress_context = r;
    return true;
}

bool sim_prepare(SimRun *r)
{
    Compilation *c = r->c;
    r->is_default = is_default(r);
    r->is_reference |= r->is_default;
    if (r->is_reference && (r->save_state || r->from_state)) {
        diag_report(c->diag, NO_SPAN, DIAG_E1354,
                    "--save-state and --from-state need a method with a fixed "
                    "step, not ida or cvode");
        return false;
    }
    if (!output_possible(r->out, c->arena, c->diag) ||
        !output_possible(r->plot, c->arena, c->diag) ||
        !output_possible(r->estimates, c->arena, c->diag) ||
        !output_possible(r->save_state, c->arena, c->diag) ||
        (r->input && !(r->driver.input = read_table(r, r->input, true))) ||
        !compile(r) || !prepare_record(r))
        return false;
    if (r->is_default)
        choose_default(r);
    return sim_make(r) && (!r->from_state || load_state(r));
}

bool sim_march(SimRun *r)
{
    if (r->driver.with_array)
        return adaptive_array(r->sim, r->c->array, r->c->index, &r->adaptive,
                              on_row, r, &r->adaptive_stats);
    return r->is_reference ? adaptive_run(r->sim, &r->adaptive, on_row, r,
                                          &r->adaptive_stats)
                           : sim_run(r->sim, on_row, r);
}

/* The default failed: the second judge, Radau IIA of order 5 with step-size
 * control. */
static bool run_second(SimRun *r, const char *reason)
{
    Compilation *c = r->c;
    diag_report(c->diag, c->flat->span, DIAG_W1346,
                "step-size control by %s failed (%s): radau5 is taken",
                adaptive_row[r->adaptive.solver].title, reason);
    if (r->record->file)
        result_close(r->record->file);
    sim_free(r->sim);
    r->sim = NULL;
    r->rows = 0;
    r->is_reference = false;
    plan_add_edit(&r->driver.edits, PLAN_METHOD, "radau5", c->arena);
    r->driver.goal = STEP_HOST;
    r->driver.estimate = PE_CONTROL;
    return driver_change_step(c, &r->driver) && prepare_record(r) &&
           sim_make(r) && sim_march(r);
}

/* The equations do not determine what they are solved for (W1005, W1708): the
 * second one would creep. */
static bool refuse_second(const SimRun *r, const char *reason)
{
    diag_report(r->c->diag, r->c->flat->span, DIAG_E1710,
                "%s failed (%s), as structural analysis is wrong for this "
                "model (see the warnings): write hidden constraints of the "
                "equations named there as equations, or make the block "
                "smaller; --method partition integrates the model as it is, "
                "slowly if it is large, and any other method that is asked "
                "for by name runs on what structure says",
                adaptive_row[r->adaptive.solver].title, reason);
    return false;
}

/* The messages of the first attempt are those of the run, unless it fails. */
static bool run_default(SimRun *r)
{
    Compilation *c = r->c;
    Diag *before = c->diag;
    diag_print(before, stderr);
    c->diag = r->sim->diag = diag_new(c->sources, c->arena);
    if (sim_march(r) && !diag_failed(c->diag))
        return true;
    /* no integrator gets further, unless it reaches other values */
    if (r->sim->is_over && !r->sim->has_no_mode)
        return false;
    const char *reason = diag_first(c->diag, c->arena);
    c->diag = before;
    if (!reason)
        reason = "it ended early";
    return c->dae->is_doubtful ? refuse_second(r, reason)
                               : run_second(r, reason);
}

static bool simulate(SimRun *r, const SimRun *asked)
{
    Table *ref = NULL;
    if (r->compare && !(ref = read_table(r, r->compare, false)))
        return false;
    interrupt_ask();
    double begun = processor();
    bool fine = r->is_default ? run_default(r) : sim_march(r);
    r->processor = processor() - begun;
    if (!r->quiet && !r->json && isatty(2))
        fprintf(stderr, "\r\033[K");
    if (r->record->file && !result_close(r->record->file)) {
        diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->out,
                    strerror(errno));
        fine = false;
        r->out = NULL;
    }
    fine &= estimate_log_close(r);
    fine &= !diag_failed(r->c->diag) && !interrupt_seen();
    bool complete = fine;
    if (complete)
        again_run(r);
    sim_text_warn(r);
    if (fine && r->save_state)
        fine &= save_state(r);
    if (r->plot)
        fine &= sim_plot(r, ref);
    if (complete && ref)
        fine &= compare(r, ref);
    if (complete && r->verify && !r->trail)
        verify_run(r, asked);
    if (r->json)
        sim_text_json(r, complete);
    else
        sim_text_summary(r);
    return fine;
}

int sim_discard(SimRun *r)
{
    mode_watch_free(r->watch);
    rounding_free(r->rounding);
    follow_free(r->follow);
    sim_free(r->sim);
    return driver_end(r->c);
}

int cmd_sim(int argc, char **argv)
{
    Arena *arena = arena_new();
    SimRun run = sim_defaults();
    const Command command = {
        "sim", "MODEL",
        "Simulates a model: with step-size control, or with a fixed step.",
        "takt sim models/gallery/Pendulum.mo --method radau5 --step 1ms "
        "-o pendulum.csv --plot pendulum.svg",
        sim_table(&run, arena)};
    TextList args = {0};
    int code;
    if (options_read(&command, argc, argv, &args, arena, &code)) {
        const char *wrong = sim_take(&run, &args, arena);
        if (wrong) {
            code = options_wrong(&command, "%s", wrong);
        } else {
            const SimRun asked = run;
            run.c = driver_new();
            if (sim_prepare(&run))
                simulate(&run, &asked);
            code = sim_discard(&run);
            if (interrupt_seen()) {
                fprintf(stderr, "takt: ended by signal %d\n", interrupt_seen());
                code = 128 + interrupt_seen();
            }
        }
    }
    arena_free(arena);
    return code;
}
