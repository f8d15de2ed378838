/* advance.c - from one point to the next: a whole step, or a part of one.
 *
 * On the grid a step is solved as it is. Off-line two things can make it
 * shorter:
 *
 *   exact events   the step ends where something happens in it. What depends
 *                  on time alone is known before (locate.c); a relation of
 *                  other values is looked at after the solve. If it changed,
 *                  the step is made again with half the length, and so on: a
 *                  bisection between a length without and one with the change.
 *                  The part after it is tried with shorter lengths first: what
 *                  returns soon is seen.
 *   no solution    where the iteration fails, the step is made shorter, down
 *                  to LEAST of it; the next part may be twice as long as the
 *                  last. Only where iterations go to a tolerance: fixed work
 *                  stays fixed.
 *
 * Where a branch of equations ends in a part (exec_follow.c), the solution
 * jumps from there: the part ends before it, the next one is next to nothing
 * and does the jump. No stage of a method then lies on both sides of it.
 *
 * A part is a step of its own with its own h. Multistep methods make it with
 * their starting method, as their history has another step, and begin again
 * after it. All slots that outlive a segment are saved before an attempt, so a
 * failed one leaves no trace.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

static const double LEAST = 1e-9;

/* The system whose turn it is (inline/inlined.h). */
static int choose_system(const Sim *s, bool is_whole)
{
    const Inlined *d = s->low->inlined;
    if (s->levels)
        return sim_levels_system(s);
    if (s->since_break < d->nstart)
        return d->start[s->since_break];
    if (!is_whole && d->nstart > 0)
        return d->start[0]; /* the history has another step */
    return d->cycle[(s->since_break - d->nstart) % d->ncycle];
}

static void set_step(Sim *s, double h)
{
    double *slot = &s->exec->r[s->low->tape->step];
    if (*slot == h)
        return;
    *slot = h;
    exec_run(s->exec, tape_find_segment(s->low->tape, "param"));
}

static bool solve_step(Sim *s, int system)
{
    s->exec->tolerance = s->options.tolerance;
    if (s->options.max_iterations > 0)
        s->exec->max_iterations = s->options.max_iterations;
    exec_reset_status(s->exec);
    s->exec->in_step = true;
    Status code = exec_run(s->exec, &s->low->system[system].run);
    s->exec->in_step = false;
    s->stats.newton += s->exec->iterations;
    sim_watch_part(s, system);
    if (code < 0)
        sim_report_block(s, system, "in a step");
    return code >= 0;
}

/* Solves the step `from` .. `to`. Returns false after a report. */
static bool attempt(Sim *s, double from, double to, bool is_whole)
{
    s->system = choose_system(s, is_whole);
    set_step(s, s->orders  ? bdf_prepare(s->orders, from, to, s->exec->r)
                : is_whole ? s->options.step
                           : to - from);
    s->exec->r[s->low->tape->time] = to;
    sim_set_inputs(s, from, to);
    return solve_step(s, s->system) && sim_check_values(s);
}

static void copy_lasting(const Sim *s, const double *from, double *to)
{
    for (int i = 0; i < s->lists->nlasting; i++) {
        SlotRange r = s->lists->lasting[i];
        memcpy(to + r.first, from + r.first, (size_t)r.n * sizeof(double));
    }
}

void sim_save_slots(Sim *s)
{
    sim_count_jumps(s);
    exec_keep_branches(s->exec);
    copy_lasting(s, s->exec->r, s->before);
}

void sim_restore_slots(Sim *s)
{
    exec_reset_status(s->exec);
    exec_return_branches(s->exec);
    copy_lasting(s, s->before, s->exec->r);
}

bool sim_try_next(Sim *s, double from, double to, bool is_whole)
{
    diag_mute(s->diag);
    bool fine = attempt(s, from, to, is_whole);
    diag_unmute(s->diag);
    return fine;
}

bool sim_try_part(Sim *s, double from, double to, bool is_whole)
{
    sim_restore_slots(s);
    return sim_try_next(s, from, to, is_whole);
}

double sim_bisect(Sim *s, double from, double low, double high)
{
    double a = low, b = high;
    double least = fmax(1e-13 * s->options.step, 4 * DBL_EPSILON * fabs(high));
    while (b - a > least) {
        double mid = a + (b - a) / 2;
        if (sim_try_part(s, from, mid, false) && !sim_has_crossed(s))
            a = mid;
        else
            b = mid;
    }
    return b;
}

/* A shorter step, where the whole one has no solution. Returns its end, or
 * `from` if there is none. */
static double halve(Sim *s, double from, double to)
{
    double length = (to - from) / 4;
    for (; length > LEAST * s->options.step; length /= 4) {
        double mid = from + length;
        if (mid > from && sim_try_part(s, from, mid, false)) {
            s->longest = length;
            return mid;
        }
    }
    return from;
}

static bool can_halve(const Sim *s)
{
    return s->options.tolerance > 0 && s->low->inlined->cycle &&
           !s->options.fixed_states;
}

/* The attempt failed: a part of it, or a report. */
static bool rescue(Sim *s, double from, double to, bool is_whole,
                   double *reached)
{
    *reached = can_halve(s) ? halve(s, from, to) : from;
    if (*reached > from) {
        s->stats.halved++;
        return true;
    }
    sim_restore_slots(s);
    return attempt(s, from, to, is_whole);
}

bool sim_report_part(Sim *s, double from, double to)
{
    sim_restore_slots(s);
    if (attempt(s, from, to, false))
        diag_report(s->diag, s->low->inlined->sys->flat->span, DIAG_E1345,
                    "at time %.15g no step is short enough for the tolerance: "
                    "the solution ends there, or is not continuous",
                    from);
    return false;
}

/* After an event the first part is tried with a 64th of a step, then twice that
 * and so on: a relation that comes back before the end of the part is seen.
 * Returns the end of the shortest part with a crossing, or `to`. */
static double look_ahead(Sim *s, double from, double to)
{
    bool found = false;
    double length = s->options.step / 64;
    sim_save_slots(s);
    for (; !found && from + length < to; length *= 2)
        found =
            sim_try_part(s, from, from + length, false) && sim_has_crossed(s);
    sim_restore_slots(s);
    return found ? from + length / 2 : to;
}

/* The step to *to has solved and no relation has changed at its end. If one has
 * within, the step ends there. */
static bool look_inside(Sim *s, double from, bool is_whole, double *to)
{
    double turn = sim_turn_within(s, from, *to);
    if (!(turn > from && turn < *to))
        return true;
    if (sim_try_part(s, from, turn, false) && sim_has_crossed(s)) {
        *to = turn;
        return true;
    }
    sim_restore_slots(s);
    return attempt(s, from, *to, is_whole);
}

bool sim_advance(Sim *s, double from, double to, bool is_whole, bool is_exact,
                 double *reached)
{
    if (is_exact && s->is_after_event && !s->dense) {
        double end = look_ahead(s, from, to);
        is_whole = is_whole && end == to;
        to = end;
        s->is_after_event = false;
    }
    if (s->options.rtol > 0)
        return sim_control(s, from, to, is_exact, reached);
    if (s->longest > 0 && from + 2 * s->longest < to) {
        to = from + 2 * s->longest; /* after a failure, by and by */
        s->longest *= 2;
        is_whole = false;
        s->stats.halved++;
    } else {
        s->longest = 0;
    }
    *reached = to;
    if (!is_exact && !can_halve(s)) {
        if (!attempt(s, from, to, is_whole))
            return false;
        sim_note_part(s);
        return true;
    }
    sim_save_slots(s);
    if (is_exact)
        sim_missed_before(s);
    bool fine = sim_try_next(s, from, to, is_whole);
    if (is_exact && sim_has_jumped(s)) {
        sim_find_branch_end(s, from, reached);
        if (*reached <= from)
            return sim_jump(s, from, reached);
        fine = sim_try_part(s, from, *reached, false);
    }
    if (!fine && !rescue(s, from, *reached, is_whole, reached))
        return false;
    if (is_exact && fine && !sim_has_crossed(s) &&
        !look_inside(s, from, is_whole, reached))
        return false;
    if (is_exact && sim_has_crossed(s)) {
        *reached = sim_bisect(s, from, from, *reached);
        sim_restore_slots(s);
        if (!attempt(s, from, *reached, false))
            return false;
        s->stats.located++;
        s->is_after_event = true;
    }
    sim_note_part(s);
    return true;
}
