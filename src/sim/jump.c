/* jump.c - where a branch of equations ends, with exact events.
 *
 * Branches without events (noEvent) of a nonlinear block end in a corner or a
 * fold, and the solution goes on on another one (tape/exec_follow.c): an
 * amplifier with positive feedback jumps from limit to limit. A method whose
 * stages lie on both sides of such a place computes nonsense. So the last point
 * on the branch is found by bisection over lengths of the part, as for
 * relations; from there the states go on for next to nothing by their slopes,
 * to beyond the end of the branch, the model is evaluated, and all stages begin
 * where it comes to rest.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "sim/sim_internal.h"

/* Of a step: so much before the end of a branch, which itself may count to
 * either piece, the states leave it. */
static const double BEFORE = 1e-6;

/* Of a step: an iteration of a longer part begins with slopes of before, which
 * may lead it beyond the end of a branch that its solution has not come to: it
 * is looked for once more, from next to it. */
static const double SHORT = 1e-3;

bool sim_has_jumped(const Sim *s)
{
    return s->exec->jumps != s->jumps || s->exec->doubts != s->doubts;
}

void sim_find_branch_end(Sim *s, double from, double *to)
{
    double a = from, b = *to;
    double before = BEFORE * s->options.step;
    double least = fmax(1e-6 * before, 4 * DBL_EPSILON * fabs(b));
    while (b - a > least) {
        double mid = a + (b - a) / 2;
        if (sim_try_part(s, from, mid, false) && !sim_has_jumped(s))
            a = mid;
        else
            b = mid;
    }
    *to = fmax(a - before, from);
    s->jump_from = a - from > SHORT * s->options.step ? NAN : *to;
    s->jump_length = a - *to;
}

void sim_move_states(Sim *s, double length)
{
    const Inlined *d = s->low->inlined;
    double *r = s->exec->r;
    for (int k = 0; k < d->dae->nstate; k++) {
        const DaeState *x = &d->dae->state[k];
        int value = inlined_find(d, x->var, x->order);
        int slope = inlined_find(d, x->var, x->order + 1);
        if (value != NONE && slope != NONE && s->low->slot[value] != NONE &&
            s->low->slot[slope] != NONE)
            r[s->low->slot[value]] += length * r[s->low->slot[slope]];
    }
}

/* The model a little later, by slopes. */
static bool try_beyond(Sim *s, double from, double length)
{
    sim_restore_slots(s);
    if (!sim_evaluate_event(s, "at an event")) /* it knows its branch now */
        return false;
    sim_move_states(s, length);
    s->exec->r[s->low->tape->time] = from + length;
    sim_set_inputs(s, from, from + length);
    return sim_evaluate_event(s, "where a branch ended");
}

bool sim_jump(Sim *s, double from, double *reached)
{
    static const double further[] = {1e-3, 0.1, 1, 10, 100};
    double before = BEFORE * s->options.step;
    bool there = false;
    int last = sizeof further / sizeof *further - 1;
    for (int k = 0; k <= last && !there; k++) {
        double length = s->jump_length + further[k] * before;
        if (k < last)
            diag_mute(s->diag);
        there =
            try_beyond(s, from, length) &&
            (s->exec->jumps != s->jumps || sim_has_switched(s) || k == last);
        if (k < last)
            diag_unmute(s->diag);
        *reached = from + length;
    }
    bool goes_on = !there || sim_note_switch(s, *reached, *reached - from);
    exec_forget_branches(s->exec);
    sim_begin_stages(s);
    s->doubts = s->exec->doubts;
    s->is_after_event = true;
    s->jump_from = NAN;
    return there && goes_on && sim_check_values(s);
}
