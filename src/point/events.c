/* events.c - relations, discrete variables and reinit at one point of time.
 *
 * The event iteration of the Modelica specification (appendix B), with a
 * bound: evaluate with relations and pre values fixed; if a relation, a
 * discrete variable or a state changed, make the new values the old ones and
 * evaluate again. Reinit changes a state and breaks the history of multistep
 * methods.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "lower/message.h"
#include "point/point_parts.h"

static void copy_slots(double *r, const SimCopy *copy, int n)
{
    for (int i = 0; i < n; i++)
        r[copy[i].to] = r[copy[i].from];
}

void sim_set_left(Sim *s)
{
    copy_slots(s->exec->r, s->lists->left, s->lists->nleft);
}

void sim_set_pre(Sim *s)
{
    copy_slots(s->exec->r, s->lists->pre, s->lists->npre);
}

/* The first discrete variable with another value than before the event that
 * somebody feels: its slot, or NONE. */
static int changed_discrete(const Sim *s)
{
    const double *r = s->exec->r;
    const SimCopy *c = s->lists->discrete;
    const SysFelt *felt = s->lists->felt;
    for (int i = 0; i < s->lists->ndiscrete; i++)
        if (r[c[i].to] < r[c[i].from]
                ? felt[i] != FELT_NEVER
                : felt[i] == FELT_CHANGES && r[c[i].to] != r[c[i].from])
            return c[i].from;
    return NONE;
}

static void count_unsettled(Sim *s, int discrete)
{
    sim_note(s, CAUSE_EVENTS, NONE);
    if (s->stats.cause[CAUSE_EVENTS].count > 1)
        return;
    s->stats.unsettled_time = s->exec->r[s->low->tape->time];
    s->stats.unsettled_slot = discrete;
}

/* What when clauses do besides assigning. Returns whether a state changed. */
static bool run_actions(Sim *s, bool *failed)
{
    const Sys *sys = s->low->inlined->sys;
    double *r = s->exec->r;
    bool changed = false;
    if (sys->naction == 0)
        return false;
    exec_run(s->exec, &s->low->actions);
    for (int i = 0; i < sys->naction; i++) {
        const LoweredAction *low = &s->low->action[i];
        const SysAction *a = &sys->action[i];
        if (r[low->active] == 0)
            continue;
        if (a->kind == FA_REINIT) {
            if (low->target != NONE && r[low->target] != r[low->value]) {
                r[low->target] = r[low->value];
                s->since_break = 0;
                changed = true;
            }
        } else if (a->kind == FA_TERMINATE) {
            s->stats.terminated = true;
        } else if (r[low->value] == 0) {
            diag_report(
                s->diag, a->span, a->is_warning ? DIAG_W1321 : DIAG_E1320,
                "assertion failed at time %g: %s",
                s->exec->r[s->low->tape->time],
                lower_message(s->low, a->message,
                              s->low->inlined->action[i].message, r, s->arena));
            *failed |= !a->is_warning;
        }
    }
    return changed;
}

static void report_assert(const Sim *s, const FlatAssert *a, Expr message)
{
    diag_report(
        s->diag, a->span,
        a->is_integer   ? DIAG_E1325
        : a->is_warning ? DIAG_W1321
                        : DIAG_E1320,
        "%s at time %g: %s",
        a->is_integer ? "integer overflow" : "assertion failed",
        s->exec->r[s->low->tape->time],
        lower_message(s->low, a->message, message, s->exec->r, s->arena));
}

/* `mapped`: the list over the table, NULL: there is none. */
static bool check_list(Sim *s, const FlatAssert *list, const FlatAssert *mapped,
                       const int *slot, int n)
{
    for (int i = 0; i < n; i++) {
        const FlatAssert *a = &list[i];
        if (s->exec->r[slot[i]] != 0)
            continue;
        report_assert(s, a, mapped ? mapped[i].message : EXPR_NONE);
        if (!a->is_warning)
            return false;
    }
    return true;
}

bool sim_check_asserts(Sim *s)
{
    const Sys *sys = s->low->inlined->sys;
    exec_run(s->exec, &s->low->asserts);
    bool within = sim_check_bounds(s);
    return within && check_list(s, sys->assertion, s->low->inlined->assertion,
                                s->low->assertion, sys->nassertion);
}

int sim_broken_assertion(Sim *s)
{
    const Sys *sys = s->low->inlined->sys;
    exec_run(s->exec, &s->low->asserts);
    for (int i = 0; i < sys->nassertion; i++) {
        const FlatAssert *a = &sys->assertion[i];
        if (!a->is_warning && !a->is_integer &&
            s->exec->r[s->low->assertion[i]] == 0)
            return i;
    }
    return NONE;
}

void sim_report_assertion(const Sim *s, int i)
{
    report_assert(s, &s->low->inlined->sys->assertion[i],
                  s->low->inlined->assertion[i].message);
}

bool sim_check_initial_asserts(Sim *s)
{
    const Sys *sys = s->low->inlined->sys;
    exec_run(s->exec, &s->low->asserts);
    return check_list(s, sys->initial_assertion, NULL,
                      s->low->initial_assertion, sys->ninitial_assertion);
}

bool sim_evaluate_event(Sim *s, const char *when)
{
    const Inlined *d = s->low->inlined;
    exec_reset_status(s->exec);
    if (exec_run(s->exec, &s->low->system[d->event].run) < 0) {
        sim_report_block(s, d->event, when);
        return false;
    }
    return true;
}

bool sim_make_event(Sim *s, const char *when)
{
    if (!sim_evaluate_event(s, when))
        return false;
    if (s->exec->causes >> CAUSE_WARNING & 1)
        sim_note(s, CAUSE_WARNING, s->exec->cause_block[CAUSE_WARNING]);
    return true;
}

/* Work is bounded in steps; the first point may take its time. */
static int most_iterations(const Sim *s)
{
    if (s->k == 0)
        return SIM_FIRST_EVENTS;
    return s->options.events_max > 0 ? s->options.events_max : 10;
}

/* The modes agree: actions, and pre values where a discrete variable changed.
 * Returns whether the model is to be evaluated again. */
static bool next_values(Sim *s, bool *failed, int *discrete)
{
    bool states = run_actions(s, failed);
    *discrete = changed_discrete(s);
    if (*failed || (!states && *discrete == NONE))
        return false;
    return true;
}

/* Where the blocks of all passes begin (TapeBlock.is_passed). */
static void keep_begin(Sim *s)
{
    const SimLists *l = s->lists;
    for (int i = 0; i < l->npassed; i++)
        l->begin[i] = s->exec->r[l->passed[i]];
}

static void begin_again(Sim *s)
{
    const SimLists *l = s->lists;
    for (int i = 0; i < l->npassed; i++)
        s->exec->r[l->passed[i]] = l->begin[i];
}

/* So many at one event are more than any that comes to rest takes: it goes
 * round. */
enum { MANY_ITERATIONS = 20 };

/* The model at the event with the relations and pre values as they are. With
 * pre values of before, two that hold one mass may contradict each other for an
 * iteration: a brake that comes on is stuck until its mode is known. Only the
 * last values must be a solution. A block that has none with exact events (a
 * slider that is to stick where its crank passes the dead centre) is such a
 * contradiction too; values are those of before then. */
static bool evaluate_bearing(Sim *s)
{
    size_t size = (size_t)s->low->tape->nslot * sizeof(double);
    bool bears_failure = s->is_exact && s->low->nmode > 0;
    if (bears_failure) {
        memcpy(s->modes->before, s->exec->r, size);
        diag_mute(s->diag);
    }
    s->exec->bears_conflict = true;
    s->exec->has_conflict = false;
    bool fine = sim_make_event(s, "at an event");
    s->exec->bears_conflict = false;
    if (!bears_failure)
        return fine;
    diag_unmute(s->diag);
    if (!fine) {
        memcpy(s->exec->r, s->modes->before, size);
        s->exec->has_conflict = true;
    }
    return true;
}

/* Relations along their paths; a contradiction says nothing of them as long as
 * pre values move on. */
static bool settle_modes(Sim *s, int n, bool is_last, bool *lost)
{
    *lost = false;
    if (s->exec->has_conflict && !is_last && changed_discrete(s) != NONE)
        return false;
    if (s->exec->has_conflict && sim_resolve_conflict(s)) {
        s->exec->has_conflict = false;
        n = 0; /* a path begins there */
    }
    bool modes = sim_move_modes(s, false,
                                n == 0    ? LOOK_FIRST
                                : is_last ? LOOK_LAST
                                          : LOOK_NEXT);
    if (modes && sim_is_path_lost(s)) {
        *lost = !sim_enumerate_modes(s);
        modes = !*lost && sim_move_modes(s, false, LOOK_FIRST);
    }
    return modes;
}

bool sim_settle(Sim *s, bool *changed)
{
    int limit = most_iterations(s), n = 0, discrete = NONE;
    bool failed = false, inputs = sim_jump_inputs(s), lost = false;
    s->settled++;
    s->exec->has_conflict = false;
    sim_leave_bands(s);
    sim_watch_limits(s);
    keep_begin(s);
    for (;; n++) {
        bool is_last = n == limit && !s->is_exact;
        bool modes = settle_modes(s, n, is_last, &lost);
        if (lost)
            return false;
        /* what inputs change is seen before any pre value moves on */
        bool values = !modes && !inputs && next_values(s, &failed, &discrete);
        if (failed)
            return false;
        if (!modes && !values && !inputs)
            break;
        if (n == limit) {
            count_unsettled(s, modes ? NONE : discrete);
            break;
        }
        inputs = false;
        if (n == MANY_ITERATIONS)
            sim_decide(s);
        if (values)
            sim_set_pre(s);
        begin_again(s);
        if (!evaluate_bearing(s))
            return false;
    }
    if (s->exec->has_conflict && !sim_make_event(s, "at an event"))
        return false;
    *changed = n > 0;
    if (n > 0) {
        s->stats.events++;
        s->stats.event_iterations += n;
        if (n > s->stats.most_event_iterations)
            s->stats.most_event_iterations = n;
    }
    sim_set_pre(s);
    return !s->is_over;
}
