/* sim.c - initialisation and the march over the grid. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "guess/guess.h"
#include "sim/sim_internal.h"

enum {
    MOST_PARTS = 100,         /* of a step; then it goes on without stopping */
    MOST_HALVED = 10000,      /* where some had no solution */
    MOST_CONTROLLED = 1000000 /* where their length is controlled */
};

/* ---- beginning and end ---- */

long sim_nstep(const SimOptions *o)
{
    double n = (o->stop - o->start) / o->step;
    double whole = floor(n + 0.5);
    if (whole > 0 && fabs(n - whole) <= 1e-9 * n)
        return (long)whole;
    return (long)ceil(n);
}

static bool check_options(const SimOptions *o, Diag *diag)
{
    if (!(o->stop >= o->start) || !isfinite(o->stop)) {
        diag_report(diag, NO_SPAN, DIAG_E1302,
                    "the stop time %g lies before the start time %g", o->stop,
                    o->start);
        return false;
    }
    if (!(o->step > 0) || !isfinite(o->step)) {
        diag_report(diag, NO_SPAN, DIAG_E1301,
                    "the step must be a positive number, not %g", o->step);
        return false;
    }
    double far = fmax(fabs(o->start), fabs(o->stop));
    if (o->stop > o->start && o->step < 64 * DBL_EPSILON * far) {
        diag_report(diag, NO_SPAN, DIAG_E1301,
                    "a step of %g is lost in the rounding of time at %g, where "
                    "numbers are %.2g apart: begin at an earlier time",
                    o->step, far, DBL_EPSILON * far);
        return false;
    }
    if ((o->stop - o->start) / o->step > 4e9) {
        diag_report(diag, NO_SPAN, DIAG_E1303,
                    "from %g to %g with steps of %g are more than 4e9 steps",
                    o->start, o->stop, o->step);
        return false;
    }
    return true;
}

Sim *sim_new(const Lowered *low, const SimOptions *options, Arena *arena,
             Diag *diag)
{
    if (!check_options(options, diag))
        return NULL;
    Sim *s = NEW(arena, Sim);
    s->low = low;
    s->options = *options;
    s->arena = arena;
    s->diag = diag;
    s->stats.chatter = s->stats.unsettled_slot = NONE;
    s->exec = exec_new(low->tape);
    s->changes = NEW_ARRAY(arena, long, low->inlined->nrelation + 1);
    s->delay = NEW_ARRAY(arena, SimDelay, low->inlined->ndelay + 1);
    s->saved = NEW_ARRAY(arena, double, low->tape->nslot);
    s->before = NEW_ARRAY(arena, double, low->tape->nslot);
    s->lag_error = NEW_ARRAY(arena, SimLagError, low->inlined->nlagged + 1);
    s->scratch = arena_new();
    s->has_smooth_past = options->rtol > 0;
    s->is_exact = options->exact_events;
    s->jump_from = NAN;
    sim_find_lists(s);
    sim_find_modes(s);
    sim_find_watched(s);
    sim_find_sets(s);
    sim_find_ranges(s);
    if (!sim_find_inputs(s)) {
        sim_free(s);
        return NULL;
    }
    return s;
}

void sim_free(Sim *s)
{
    if (!s)
        return;
    exec_free(s->exec);
    sim_delay_error_free(s);
    arena_free(s->scratch);
}

double sim_time(const Sim *s)
{
    const SimOptions *o = &s->options;
    double time = o->start + (double)s->k * o->step;
    if (s->k < sim_nstep(o))
        return time;
    bool is_rounding = fabs(time - o->stop) <= 1e-6 * o->step;
    return o->keep_grid && is_rounding ? time : o->stop;
}

static void run_param(Sim *s)
{
    exec_run(s->exec, tape_find_segment(s->low->tape, "param"));
}

bool sim_reselect(Sim *s)
{
    if (s->nset == 0 || s->options.fixed_states)
        return false;
    sim_late_before(s);
    if (!sim_choose_states(s))
        return false;
    sim_carry_choice(s);
    run_param(s);
    sim_set_pre(s);
    s->since_break = 0;
    sim_control_break(s);
    s->stats.reselected++;
    return true;
}

/* ---- initialisation ---- */

static bool has_homotopy(const Sim *s)
{
    const Dag *dag = s->low->inlined->dag;
    for (Expr e = 0; e < dag_count(dag); e++)
        if (expr_op(dag, e) == EX_HOMOTOPY)
            return true;
    return false;
}

static bool run_init(Sim *s)
{
    exec_reset_status(s->exec);
    return exec_run(s->exec, &s->low->system[s->low->inlined->init].run) >= 0;
}

/* The initial system with relations that agree with it. */
static bool run_agreed(Sim *s)
{
    bool fine = run_init(s);
    for (int n = 0; fine && n < 20 &&
                    sim_move_modes(s, true, n == 0 ? LOOK_FIRST : LOOK_NEXT);
         n++)
        fine = run_init(s);
    return fine;
}

/* From the simplified model to the actual one. Relations follow: a limiter that
 * the simplified model says is at its limit stays there. */
static bool follow_homotopy(Sim *s)
{
    double *lambda = &s->exec->r[s->low->lambda];
    for (int k = 0; k <= 20; k++) {
        *lambda = k / 20.0;
        if (!run_agreed(s)) {
            *lambda = 1;
            return false;
        }
    }
    return true;
}

static void copy_all(const Sim *s, double *to, const double *from)
{
    memcpy(to, from, (size_t)s->low->tape->nslot * sizeof(double));
}

/* One solution of the initial system with relations as they are. Where the
 * model writes homotopy() its way comes first (of many solutions it leads to
 * the one that is meant), else the system as it is. Generated code begins where
 * this has led to. */
static bool solve_init(Sim *s, bool first)
{
    bool has = has_homotopy(s);
    if (has && first) {
        double *begin = NEW_ARRAY(s->scratch, double, s->low->tape->nslot);
        copy_all(s, begin, s->exec->r);
        if (follow_homotopy(s))
            return true;
        copy_all(s, s->exec->r, begin);
    }
    if (run_init(s))
        return true;
    if (first && !has && sim_find_regular(s, s->saved, run_init))
        return true;
    if (!has)
        return false;
    copy_all(s, s->exec->r, s->saved);
    return follow_homotopy(s);
}

/* Relations and discrete variables must agree with the solution. */
static bool settle_init(Sim *s)
{
    for (int n = 0; n < 20; n++) {
        bool changed = sim_move_modes(s, true, n == 0 ? LOOK_FIRST : LOOK_NEXT);
        if (n > 0 && !changed)
            return true;
        if (!solve_init(s, n == 0))
            return false;
    }
    return true;
}

/* A delayed value is at first that of its expression, which may depend on it:
 * solved in turn until both agree. */
static bool settle_delays(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (!settle_init(s))
        return false;
    for (int n = 0; d->ndelay > 0 && n < 20; n++) {
        exec_run(s->exec, &s->low->relations);
        if (!sim_begin_delays(s, s->options.start))
            return true;
        sim_set_inputs(s, s->options.start - s->options.step, s->options.start);
        if (!settle_init(s))
            return false;
    }
    return true;
}

/* From start values and what they say of the unknowns without one. */
static bool start_from_guess(Sim *s)
{
    copy_all(s, s->exec->r, s->saved);
    exec_reset_status(s->exec);
    return guess_starts(s->low, s->exec->r) && settle_delays(s);
}

/* The initial values; where iterations fail, from start values that are spread,
 * then from where a pre-simulation leads to. Returns false with the status of
 * the failure. */
static bool find_start(Sim *s)
{
    if (settle_delays(s))
        return has_homotopy(s) || sim_choose_root(s, settle_delays);
    diag_mute(s->diag);
    bool fine = start_from_guess(s) || (sim_ramp(s) && settle_delays(s));
    diag_unmute(s->diag);
    if (fine)
        return true;
    copy_all(s, s->exec->r, s->saved);
    return settle_delays(s);
}

void sim_begin_stages(Sim *s)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind != IV_VALUE || v->stage == DIFF_END || v->sys_var == NONE ||
            s->low->slot[i] == NONE)
            continue;
        int end = inlined_find(d, v->sys_var, v->order);
        if (end != NONE && s->low->slot[end] != NONE)
            s->exec->r[s->low->slot[i]] = s->exec->r[s->low->slot[end]];
    }
}

/* initial() is over, and a sample() may begin with the first point. */
static bool first_event(Sim *s)
{
    if (s->low->has_sample)
        return sim_begin_sampling(s);
    return !inlined_has_initial(s->low->inlined) ||
           s->low->inlined->event == NONE ||
           sim_make_event(s, "at the first event");
}

/* Many solutions are no failure, but somebody may have meant another one. */
static void note_least_norm(const Sim *s)
{
    const Tape *tape = s->low->tape;
    for (int k = 0; k < tape->block.n; k++)
        if (s->exec->is_least[k])
            diag_report(s->diag, s->low->inlined->sys->flat->span, DIAG_W1338,
                        "the equations of the block of %s do not determine it "
                        "at the start; of many solutions the one nearest to "
                        "the start values is taken",
                        tape->block.at[k].name);
}

/* The linear block of a system that was left open, with that name if it is
 * given; NULL: none. Iterations of others come through points that are
 * singular, on their way. */
static const char *find_open(const Sim *s, int system, const char *name)
{
    const Tape *t = s->low->tape;
    const TapeSegment *run = &s->low->system[system].run;
    for (int k = run->first; k < run->first + run->count; k++) {
        const TapeInstr *in = &t->code.at[k];
        if (in->op != TAPE_BLOCK || !s->exec->is_least[in->a] ||
            !t->block.at[in->a].is_linear)
            continue;
        if (!name || !strcmp(name, t->block.at[in->a].name))
            return t->block.at[in->a].name;
    }
    return NULL;
}

const char *sim_open_later(const Sim *s)
{
    const Inlined *d = s->low->inlined;
    const char *name = d->event == NONE ? NULL : find_open(s, d->event, NULL);
    bool was = name && d->init != NONE && find_open(s, d->init, name);
    return was ? NULL : name;
}

bool sim_init(Sim *s)
{
    const Inlined *d = s->low->inlined;
    double *r = s->exec->r;
    r[s->low->tape->time] = s->options.start;
    r[s->low->tape->step] = s->options.step;
    r[s->low->initial] = 1;
    r[s->low->sampling] = 0;
    run_param(s);
    sim_set_inputs(s, s->options.start - s->options.step, s->options.start);
    memcpy(s->saved, r, (size_t)s->low->tape->nslot * sizeof(double));
    if (d->init != NONE && !find_start(s)) {
        sim_report_block(s, d->init, "at initialisation");
        return false;
    }
    note_least_norm(s);
    sim_set_pre(s);
    r[s->low->initial] = 0;
    bool changed;
    if (!first_event(s))
        return false;
    exec_reset_status(s->exec);
    if (d->event != NONE &&
        (d->nrelation || d->sys->naction || s->low->has_sample ||
         inlined_has_initial(d)) &&
        !sim_settle(s, &changed))
        return false;
    exec_run(s->exec, &s->low->relations);
    sim_begin_delays(s, s->options.start);
    if (s->low->catch_up.is_there)
        exec_run(s->exec, &s->low->catch_up.start);
    exec_run(s->exec, &s->low->first);
    sim_begin_stages(s);
    sim_reselect(s);
    exec_run(s->exec, &s->low->output);
    if (s->options.exact_events)
        sim_begin_bands(s);
    sim_find_scales(s);
    sim_begin_singular(s);
    return sim_check_values(s) && sim_check_initial_asserts(s) &&
           sim_check_asserts(s);
}

/* ---- steps ---- */

bool sim_begin_sampling(Sim *s)
{
    if (!s->low->has_sample)
        return true;
    s->exec->r[s->low->sampling] = 1;
    return sim_make_event(s, "at an event");
}

void sim_end_sampling(Sim *s)
{
    if (!s->low->has_sample || s->exec->r[s->low->sampling] == 0)
        return;
    s->exec->r[s->low->sampling] = 0;
    exec_reset_status(s->exec);
    exec_run(s->exec, &s->low->system[s->low->inlined->event].run);
    sim_set_pre(s);
}

static double end_time(const Sim *s)
{
    Sim last = {.options = s->options, .k = sim_nstep(&s->options)};
    return sim_time(&last);
}

/* terminal() is true at the last point, after the solve that leads to it. */
static bool begin_end(Sim *s, double time)
{
    bool is_end = time == end_time(s);
    s->exec->r[s->low->terminal] = is_end;
    return !is_end || !s->low->has_terminal || s->low->inlined->event == NONE ||
           sim_make_event(s, "at the last event");
}

/* Events that are located, and lengths that follow errors, are not late. */
static bool catches_up(const Sim *s)
{
    return s->low->catch_up.is_there && !s->options.exact_events &&
           !(s->options.rtol > 0);
}

/* The values at the new point are there: events, and what follows from them.
 */
static bool finish_part(Sim *s, double time, bool *at_event)
{
    const Inlined *d = s->low->inlined;
    *at_event = false;
    exec_run(s->exec, &s->low->system[s->system].carry);
    sim_set_left(s);
    sim_late_before(s); /* what is sampled belongs to the event */
    if (!sim_begin_sampling(s) || !begin_end(s, time))
        return false;
    if (s->late)
        s->late->is_sampling = s->exec->r[s->low->sampling] != 0;
    if (catches_up(s))
        exec_run(s->exec, &s->low->catch_up.end);
    if (d->event != NONE && !sim_settle(s, at_event))
        return false;
    if (catches_up(s))
        exec_run(s->exec, &s->low->catch_up.after);
    sim_look_within(s, *at_event);
    sim_late_after(s, *at_event);
    if (*at_event) {
        s->since_break = 0; /* the history lies before the event */
        sim_control_break(s);
    }
    exec_run(s->exec, &s->low->relations);
    sim_look_for_singular(s);
    sim_record_delays(s, time);
    sim_delay_error_record(s, time);
    return true;
}

/* So little time that nothing moves: only the clock goes on. */
static bool move_clock(Sim *s, double from, double to)
{
    s->exec->r[s->low->tape->time] = to;
    s->exec->r[s->low->tape->step] = to - from; /* sample() looks back so far */
    return sim_make_event(s, "at an event");
}

static bool check_parts(const Sim *s, double begin, double end, double now,
                        int part)
{
    bool is_controlled = s->options.rtol > 0;
    int most = is_controlled ? MOST_CONTROLLED : MOST_HALVED;
    if (s->options.most_parts > 0 &&
        s->stats.parts + s->stats.rejected > s->options.most_parts)
        return false;
    if (part <= most)
        return true;
    diag_report(s->diag, s->low->inlined->sys->flat->span, DIAG_E1345,
                "more than %d steps from %g to %g (now at %g): %s", most, begin,
                end, now,
                is_controlled ? "the tolerance is too small, or events come "
                                "without end"
                              : "most of their parts have no solution either");
    return false;
}

/* Parts of a step that end at events. Those of a ball that comes to rest are
 * many, but not without end. */
static int most_parts(const Sim *s)
{
    return sim_is_near_any(s) ? 20 * MOST_PARTS : MOST_PARTS;
}

/* One part of the step that began at `begin` and shall end at `end`. */
static bool make_part(Sim *s, double *t, double begin, double end, int part)
{
    double from = *t, to = end, h = s->options.step;
    bool is_controlled = s->options.rtol > 0;
    bool is_exact =
        s->options.exact_events && (part < most_parts(s) || is_controlled);
    if (is_exact)
        to = sim_next_time_event(s, from, end);
    if (is_exact && (from > begin || to < end) && to - from < 1e-11 * h) {
        *t = to;
        return move_clock(s, from, to);
    }
    if (is_exact && s->jump_from == from) {
        sim_save_slots(s);
        s->since_break = 0;
        sim_control_break(s);
        if (is_controlled)
            sim_switches_begin(s, from);
        return sim_jump(s, from, t);
    }
    bool is_whole =
        from == begin && to == end && fabs(to - from - h) <= 1e-9 * h;
    sim_change_before(s);
    sim_estimate_before(s);
    sim_late_begin(s);
    if (catches_up(s))
        exec_run(s->exec, &s->low->catch_up.begin);
    if (!check_parts(s, begin, end, from, part))
        return false;
    if (is_controlled && !sim_check_crowd(s, SIM_MOST_EVENTS))
        return false;
    if (!sim_advance(s, from, to, is_whole, is_exact, t))
        return false;
    sim_estimate_after(s, is_whole && *t == end);
    sim_watch_lags(s);
    if (!sim_show_progress(s, *t) || !sim_change_after(s))
        return false;
    if (is_whole && *t == end)
        s->since_break++;
    else
        s->since_break = 0;
    return true;
}

/* Parts as long as they like, until the run has passed the point of output. */
static bool pass(Sim *s, double end, bool *at_event)
{
    int part = 0;
    double stop = end_time(s);
    sim_dense_return(s);
    if (s->stats.terminated && sim_dense_time(s) < end) {
        s->stats.time = sim_dense_time(s);
        return true;
    }
    for (double t; (t = sim_dense_time(s)) < end; part++) {
        if (end < stop && sim_dense_is_at(s, end))
            break; /* an event there, up to rounding: the row shows it */
        bool event;
        double wish = sim_control_length(s), to = end;
        if (wish > end - t)
            to = t + wish < stop ? t + wish : stop;
        sim_end_sampling(s);
        sim_dense_before(s, to, end);
        if (!make_part(s, &t, sim_dense_time(s), to, part))
            return false;
        sim_dense_after(s, t, end);
        if (!finish_part(s, t, &event))
            return false;
        *at_event |= event;
        sim_reselect(s);
        if (s->stats.terminated && t < end) {
            s->stats.time = t;
            return true;
        }
    }
    s->stats.time = end;
    return sim_dense_show(s, end);
}

/* Parts that end at the point of output. */
static bool clip(Sim *s, double begin, double end, bool *at_event)
{
    double t = begin;
    int part = 0;
    do {
        bool event;
        sim_end_sampling(s);
        if (!make_part(s, &t, begin, end, part) || !finish_part(s, t, &event))
            return false;
        *at_event |= event;
        part++;
    } while (t < end && !(s->is_exact && s->stats.terminated));
    s->stats.time = t;
    s->stats.crowded += s->options.exact_events && part > most_parts(s) &&
                        !(s->options.rtol > 0);
    return true;
}

static bool step_to(Sim *s, bool *at_event)
{
    double begin = sim_time(s);
    bool passes = sim_dense_possible(s);
    s->k++;
    double end = sim_time(s);
    s->is_shortened =
        fabs(end - begin - s->options.step) > 1e-9 * s->options.step;
    *at_event = false;
    sim_forget_events(s);
    if (!(passes ? pass(s, end, at_event) : clip(s, begin, end, at_event)))
        return false;
    exec_run(s->exec, &s->low->output);
    if (!passes)
        sim_reselect(s);
    s->stats.steps++;
    sim_check_ranges(s);
    return sim_check_asserts(s);
}

bool sim_step(Sim *s)
{
    bool at_event;
    bool fine = step_to(s, &at_event);
    sim_end_sampling(s);
    return fine;
}

void sim_continue(Sim *s)
{
    s->is_continued = true;
    sim_find_scales(s);
    run_param(s);
    sim_set_inputs(s, sim_time(s) - s->options.step, sim_time(s));
    exec_run(s->exec, &s->low->relations);
    exec_run(s->exec, &s->low->output);
    if (s->options.exact_events)
        sim_begin_bands(s);
}

/* terminate() has ended the run, and all rows before it have been shown: a
 * part may have passed several points of output. */
static bool is_at_end(Sim *s)
{
    return s->stats.terminated &&
           !(sim_dense_possible(s) && s->stats.time < sim_dense_time(s));
}

bool sim_run(Sim *s, SimRow *row, void *context)
{
    if (!s->is_continued && !sim_init(s))
        return false;
    sim_warn_grid(s);
    s->stats.time = sim_time(s);
    if (!row(context, s, s->stats.time, false))
        return true;
    if (!s->is_continued)
        sim_end_sampling(s);
    long n = sim_nstep(&s->options);
    while (s->k < n && !is_at_end(s)) {
        bool at_event;
        if (!step_to(s, &at_event))
            return false;
        if (!row(context, s, s->stats.time, at_event))
            break;
        sim_end_sampling(s);
    }
    return true;
}
