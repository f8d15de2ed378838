/* switches.c - jumps without events within controlled steps.
 *
 * noEvent(if sin(t) > 0 then 1 else -1) is no relation of the model: nothing
 * freezes it, and the slopes of a step may jump between its stages, or before
 * the first of them, where no estimate of the error looks. So the instructions
 * that can jump (OP_JUMPS) are looked at apart: each is on some piece, and
 * where one is on another piece than before the model is looked at on both
 * sides. What is continuous there (a kink, the guard of a root) comes together
 * as the two sides do; a slope that still jumps by what the tolerance can see
 * is a jump. The step is made again and ends before it, judged as every other.
 * From there the states go over it by their slopes, for next to nothing, and
 * what was before counts no more.
 *
 * Looked at is the polynomial of the step (dense.c), at its end and at a few
 * points within, more of them after a jump: what comes and goes between two of
 * these is not seen. Where the jump depends on states, the polynomial of a step
 * that goes over it is inexact there, but the nearer the step begins the more
 * exact it is: after a few steps nothing is left. Costs some evaluations of the
 * model in each step, for models with such instructions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

/* A slope that jumps by less than this part of the tolerance, over the whole
 * step, does not count. */
static const double COUNTS = 0.1;
/* Nor does one that jumps by less than this share of itself: where a model is
 * stiff, what rounding leaves of the states is as large. */
static const double ROUNDING = 1e-7;
/* Of a step: so near its beginning the states go over a jump by their slopes.
 */
static const double NEAR = 1e-7;
/* Of the time between two points of output: an instruction that jumps
 * MOST_CROSSED times within it chatters. */
static const double WHILE = 1e-5;
/* Likewise: of parts that are shorter, and still longer than what the tolerance
 * sees a jump in, MOST_SHORT more before such places than not are chattering.
 */
static const double SHORT = 1e-2;
enum {
    LOOKS = 4,       /* within a step, its end being one, */
    LONG_LOOKS = 8,  /* where they are long */
    SHORT_LOOKS = 4, /* after a jump: 1/64 of it, 1/32, ... */
    MOST_CROSSED = 20,
    MOST_BACK = 3,
    MOST_SHORT = 50,
    LENGTHS = 12, /* 4^12 of 1e-13 is beyond NEAR */
    LENGTHS_BACK = 5,
};

struct SimSwitches {
    int n;
    int *at;                   /* instructions of the event system */
    double *piece, *low, *now; /* at the beginning, at two others */
    int nstate;
    double *begin, *left, *right;       /* slopes there */
    double end, *end_piece, *end_slope; /* at the end of the part, if it was
                                           looked at */
    double *slot, *aside; /* all slots, while others are looked at */
    ExecBranches branches, aside_branches;
    double known;            /* the pieces are those of this time, */
    long events, reselected; /* and nothing has happened since */
    bool is_blind;           /* the model has no solution there */
    bool is_after;           /* the last part went over a jump */
    int tries;               /* ends of this part that were found */
    int *crossed;            /* so often each has jumped since `first` */
    double first;
    int nback;  /* jumps in a row from where slopes lead back */
    int nshort; /* short parts before such a place, less the others, */
    int state;  /* where the slope of this one jumps most */
};

/* ---- pieces ---- */

static void take_pieces(const Sim *s, double *piece)
{
    const SimSwitches *w = s->switches;
    for (int i = 0; i < w->n; i++)
        piece[i] = sim_piece(s->exec, &s->low->tape->code.at[w->at[i]]);
}

static bool is_same(const SimSwitches *w, const double *a, const double *b)
{
    for (int i = 0; i < w->n; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static SimSwitches *begin(Sim *s)
{
    SimSwitches *w = NEW(s->arena, SimSwitches);
    const Inlined *d = s->low->inlined;
    if (d->event == NONE || !d->dae)
        return w;
    w->n = sim_find_pieces(s, &w->at);
    if (w->n == 0 || (s->control && !sim_look_possible(s))) {
        w->n = 0;
        return w;
    }
    w->nstate = d->dae->nstate;
    w->piece = NEW_ARRAY(s->arena, double, w->n);
    w->low = NEW_ARRAY(s->arena, double, w->n);
    w->now = NEW_ARRAY(s->arena, double, w->n);
    w->begin = NEW_ARRAY(s->arena, double, w->nstate + 1);
    w->end_piece = NEW_ARRAY(s->arena, double, w->n);
    w->end_slope = NEW_ARRAY(s->arena, double, w->nstate + 1);
    w->left = NEW_ARRAY(s->arena, double, w->nstate + 1);
    w->right = NEW_ARRAY(s->arena, double, w->nstate + 1);
    w->slot = NEW_ARRAY(s->arena, double, s->low->tape->nslot);
    w->aside = NEW_ARRAY(s->arena, double, s->low->tape->nslot);
    w->branches = exec_new_branches(s->exec, s->arena);
    w->aside_branches = exec_new_branches(s->exec, s->arena);
    w->crossed = NEW_ARRAY(s->arena, int, w->n);
    w->known = w->first = NAN;
    w->state = NONE;
    return w;
}

/* ---- looking ---- */

static void keep(Sim *s)
{
    SimSwitches *w = s->switches;
    memcpy(w->slot, s->exec->r, sizeof(double) * (size_t)s->low->tape->nslot);
    exec_save_branches(s->exec, &w->branches);
}

static void give_back(Sim *s)
{
    SimSwitches *w = s->switches;
    memcpy(s->exec->r, w->slot, sizeof(double) * (size_t)s->low->tape->nslot);
    exec_load_branches(s->exec, &w->branches);
    exec_reset_status(s->exec);
}

static void take_slopes(const Sim *s, double *slope)
{
    for (int k = 0; k < s->switches->nstate; k++)
        slope[k] = sim_slope(s, k);
}

/* The model at the present point. */
static bool evaluate(Sim *s)
{
    exec_reset_status(s->exec);
    return exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
}

void sim_switches_begin(Sim *s, double from)
{
    if (!s->switches)
        s->switches = begin(s);
    SimSwitches *w = s->switches;
    if (w->n == 0)
        return;
    if (!(w->known == from && w->events == s->stats.events &&
          w->reselected == s->stats.reselected)) {
        keep(s);
        w->is_blind = !evaluate(s);
        take_pieces(s, w->piece);
        take_slopes(s, w->begin);
        give_back(s);
    }
    w->known = w->end = NAN;
    w->tries = 0;
    if (s->control)
        sim_look_before(s, from, w->begin);
}

/* The part was looked at to its end: the next one begins with these. */
static void remember(SimSwitches *w, double time)
{
    w->end = time;
    memcpy(w->end_piece, w->now, sizeof(double) * (size_t)w->n);
    memcpy(w->end_slope, w->right, sizeof(double) * (size_t)w->nstate);
}

/* By how much of the tolerance a step of length h may be off for what slopes
 * jump by; which state it is. Where others control the steps: a thousandth of
 * the slopes is one. */
static double size_of(const Sim *s, double h, int *state)
{
    const SimSwitches *w = s->switches;
    double most = 0;
    for (int k = 0; k < w->nstate; k++) {
        double l = w->left[k], r = w->right[k];
        double unit = s->control ? sim_bound(s, k) / h
                                 : 1e-3 * (fabs(l) + fabs(r) + 1e-3 / h);
        double d = fabs(r - l) > ROUNDING * (fabs(l) + fabs(r))
                       ? fabs(r - l) / unit
                       : 0;
        if (d > most) {
            most = d;
            *state = k;
        }
    }
    return most;
}

/* Looks at a point of the polynomial: pieces to `now`, slopes to `slope`. False
 * where there is no solution, or one on another branch (jump.c). */
static bool look_at(Sim *s, double time, double *slope)
{
    const ExecBranches *b = &s->switches->branches;
    if (!sim_dense_place(s, time) || s->exec->jumps != b->jumps ||
        s->exec->doubts != b->doubts)
        return false;
    take_pieces(s, s->switches->now);
    take_slopes(s, slope);
    return true;
}

/* Between low, with the pieces w->low and slopes w->left, and high, with others
 * and w->right, is there a jump? Narrows them. */
static bool is_jump(Sim *s, double h, double *low, double *high)
{
    SimSwitches *w = s->switches;
    double least = fmax(1e-13 * h, 4 * DBL_EPSILON * fabs(*high));
    double *mid = NEW_ARRAY(s->scratch, double, w->nstate + 1);
    int state = NONE;
    while (size_of(s, h, &state) > COUNTS) {
        double t = *low + (*high - *low) / 2;
        if (*high - *low <= least || !(t > *low && t < *high))
            return true;
        if (!look_at(s, t, mid))
            return false;
        bool same = is_same(w, w->low, w->now);
        memcpy(same ? w->left : w->right, mid,
               sizeof(double) * (size_t)w->nstate);
        *(same ? low : high) = t;
    }
    return false;
}

/* The next point after `time` that is looked at, of a step `from` .. `to`. */
static double next_look(const Sim *s, double from, double to, double time)
{
    double h = to - from, next = to;
    int n = s->dense ? LOOKS : LONG_LOOKS;
    for (int k = 1; k < n; k++)
        if (from + k * h / n > time)
            next = fmin(next, from + k * h / n);
    for (int k = 1; s->switches->is_after && k <= SHORT_LOOKS; k++)
        if (from + ldexp(h, k - 7) > time)
            next = fmin(next, from + ldexp(h, k - 7));
    return next;
}

/* The first jump within the part that is held: the last point before it, or
 * NaN. */
static double find_jump(Sim *s, double from, double to)
{
    SimSwitches *w = s->switches;
    double last = from;
    memcpy(w->low, w->piece, sizeof(double) * (size_t)w->n);
    memcpy(w->left, w->begin, sizeof(double) * (size_t)w->nstate);
    for (double t = from; t < to;) {
        t = next_look(s, from, to, t);
        if (!look_at(s, t, w->right))
            continue; /* nothing is known there */
        if (!is_same(w, w->low, w->now)) {
            double low = last, high = t;
            if (is_jump(s, to - from, &low, &high))
                return low;
            /* pieces and slopes of t once more: is_jump has looked elsewhere */
            if (!look_at(s, t, w->right))
                continue;
        }
        last = t;
        if (t == to)
            remember(w, to);
        memcpy(w->low, w->now, sizeof(double) * (size_t)w->n);
        memcpy(w->left, w->right, sizeof(double) * (size_t)w->nstate);
    }
    return NAN;
}

/* The model, with the states moved on by their slopes; is it over the jump? */
static bool is_over(Sim *s, double from, double length)
{
    SimSwitches *w = s->switches;
    sim_restore_slots(s);
    if (!evaluate(s))
        return false;
    sim_move_states(s, length);
    s->exec->r[s->low->tape->time] = from + length;
    sim_set_inputs(s, from, from + length);
    if (!evaluate(s))
        return false;
    take_pieces(s, w->now);
    return !is_same(w, w->piece, w->now);
}

static double least_of(double step, double from)
{
    return fmax(1e-13 * step, 4 * DBL_EPSILON * fabs(from));
}

/* Is it, so soon that steps of about the length `step` go over it by slopes?
 * Then after a time between *before and *length. */
static bool find_over(Sim *s, double from, double step, double *before,
                      double *length)
{
    *before = 0;
    *length = least_of(step, from);
    for (int k = 0; k <= LENGTHS; k++) {
        if (is_over(s, from, *length))
            return true;
        *before = *length;
        *length *= 4;
    }
    return false;
}

bool sim_finds_switch(Sim *s, double from, double to, double *low)
{
    SimSwitches *w = s->switches;
    double at = NAN;
    if (!w || w->n == 0 || w->is_blind)
        return false;
    keep(s);
    if (evaluate(s)) {
        sim_dense_hold(s, from, to);
        at = find_jump(s, from, to);
    }
    /* the step that ends there has another polynomial: a little before */
    at -= ldexp(1e-12, 4 * w->tries++) * (to - from);
    bool is_near = at - from <= NEAR * (to - from);
    if (is_near) {
        /* a polynomial that is off by rounding, where a step begins at such a
         * place and leaves it, sees what is not there */
        double before = 0, length = 0;
        at = find_over(s, from, to - from, &before, &length) ? from : NAN;
    }
    give_back(s);
    *low = at;
    return !isnan(at);
}

/* ---- over it ---- */

/* Slopes on both sides of a change of pieces between `before` and `length`, as
 * near to each other as it was found: do they jump by what counts? What is only
 * steep does not. */
static bool is_jump_between(Sim *s, double from, double before, double length)
{
    SimSwitches *w = s->switches;
    int state = NONE;
    is_over(s, from, before);
    take_slopes(s, w->left);
    if (!is_over(s, from, length))
        return false;
    take_slopes(s, w->right);
    if (!(size_of(s, s->options.step, &state) > COUNTS))
        return false;
    w->state = state;
    return true;
}

/* Pieces change between *before and *length: where? */
static void narrow(Sim *s, double from, double least, double *before,
                   double *length)
{
    while (*length - *before > least) {
        double mid = *before + (*length - *before) / 2;
        if (!(mid > *before && mid < *length))
            break;
        *(is_over(s, from, mid) ? length : before) = mid;
    }
}

double sim_switch_ahead(Sim *s, double from, double within)
{
    const SimSwitches *w = s->switches;
    double before = 0, length = within;
    if (!w || w->n == 0 || w->is_blind || !is_over(s, from, within) ||
        s->exec->jumps != s->jumps || s->exec->doubts != s->doubts)
        return NAN;
    narrow(s, from, least_of(s->options.step, from), &before, &length);
    return is_jump_between(s, from, before, length) ? length : NAN;
}

double sim_switch_near(const Sim *s)
{
    return NEAR * s->options.step;
}

/* Which instruction it was, and the state whose slope jumps most. */
static void note(Sim *s, double time)
{
    SimSwitches *w = s->switches;
    SimStats *stats = &s->stats;
    if (stats->switches++ > 0)
        return;
    stats->switch_time = time;
    stats->switch_state = w->state;
    for (int i = w->n - 1; i >= 0; i--)
        if (w->piece[i] != w->now[i])
            stats->switch_origin = s->low->tape->code.at[w->at[i]].origin;
}

static void report_chatter(Sim *s, int origin, double time)
{
    const Inlined *d = s->low->inlined;
    Span span = s->low->tape->origin.at[origin].span;
    int state = s->switches->state;
    const DaeState *x = state == NONE ? NULL : &d->dae->state[state];
    int entry = x ? inlined_find(d, x->var, x->order) : NONE;
    diag_report(s->diag, span.source != NONE ? span : d->sys->flat->span,
                DIAG_E1345,
                "at time %.15g slopes jump to and fro without end, that of %s "
                "among them, and no event says so: those on both sides lead "
                "back to the place where they jump, and there is no solution "
                "on either side",
                time, entry == NONE ? "a state" : d->var[entry].name);
}

/* The model is at `time`, at most a time `over` over a jump. Does it lead back
 * there? Then *origin is what jumps. */
static bool leads_back(Sim *s, double time, double over, int *origin)
{
    SimSwitches *w = s->switches;
    *origin = NONE;
    take_pieces(s, w->now);
    for (int k = 0; k < LENGTHS_BACK && *origin == NONE; k++) {
        double length = ldexp(over, 2 * k + 1);
        keep(s);
        sim_move_states(s, length);
        s->exec->r[s->low->tape->time] = time + length;
        sim_set_inputs(s, time, time + length);
        bool fine = evaluate(s);
        for (int i = 0; fine && i < w->n; i++)
            if (w->now[i] != w->piece[i] &&
                sim_piece(s->exec, &s->low->tape->code.at[w->at[i]]) ==
                    w->piece[i])
                *origin = s->low->tape->code.at[w->at[i]].origin;
        give_back(s);
    }
    return *origin != NONE;
}

/* The instruction that has jumped too often, or NONE. */
static int count_jumps(Sim *s, double time)
{
    SimSwitches *w = s->switches;
    int worst = NONE;
    if (!(time - w->first < WHILE * s->options.step)) {
        memset(w->crossed, 0, sizeof(int) * (size_t)w->n);
        w->first = time;
    }
    for (int i = 0; i < w->n; i++)
        if (w->piece[i] != w->now[i] && ++w->crossed[i] >= MOST_CROSSED)
            worst = s->low->tape->code.at[w->at[i]].origin;
    return worst;
}

/* Where slopes on both sides lead back to it, a solution cannot leave such a
 * place, nor stay there. False after a report. */
static bool has_left(Sim *s, double time, double over)
{
    SimSwitches *w = s->switches;
    int origin, often = count_jumps(s, time);
    w->nback = leads_back(s, time, over, &origin) ? w->nback + 1 : 0;
    if (w->nback < MOST_BACK && often == NONE)
        return true;
    report_chatter(s, w->nback < MOST_BACK ? often : origin, time);
    return false;
}

/* Do slopes lead to a jump within `length`, and back from there? */
static bool is_between(Sim *s, double from, double length, int *origin)
{
    double ahead = sim_switch_ahead(s, from, length);
    return !isnan(ahead) && is_over(s, from, ahead) &&
           leads_back(s, from + ahead, least_of(s->options.step, from), origin);
}

/* Counts parts that begin before such a place. False after a report. */
static bool count_short(Sim *s, double from, double length)
{
    SimSwitches *w = s->switches;
    int origin = NONE;
    bool is_one = is_between(s, from, 8 * length, &origin);
    sim_restore_slots(s);
    w->nshort += is_one ? 1 : w->nshort > 0 ? -1 : 0;
    if (w->nshort < MOST_SHORT)
        return true;
    report_chatter(s, origin, from);
    return false;
}

bool sim_at_switch(Sim *s, double from, double length, bool *is_here)
{
    SimSwitches *w = s->switches;
    double near = sim_switch_near(s);
    *is_here = false;
    if (w->n == 0 || length > SHORT * s->options.step) {
        w->nshort = 0;
        return true;
    }
    *is_here = length <= near && !isnan(sim_switch_ahead(s, from, near));
    sim_restore_slots(s);
    return *is_here || count_short(s, from, length);
}

bool sim_check_short(Sim *s, double from, double length)
{
    sim_switches_begin(s, from);
    return s->switches->n == 0 ||
           count_short(s, from, fmax(length, sim_switch_near(s)));
}

bool sim_has_switched(Sim *s)
{
    SimSwitches *w = s->switches;
    if (!w || w->n == 0 || w->is_blind)
        return false;
    take_pieces(s, w->now);
    return !is_same(w, w->piece, w->now);
}

bool sim_note_switch(Sim *s, double time, double over)
{
    SimSwitches *w = s->switches;
    double before = 0, length = over;
    if (!sim_has_switched(s))
        return true;
    size_t size = sizeof(double) * (size_t)s->low->tape->nslot;
    bool is_said = s->exec->jumps != s->jumps;
    memcpy(w->aside, s->exec->r, size);
    exec_save_branches(s->exec, &w->aside_branches);
    if (is_over(s, time - over, over))
        narrow(s, time - over, least_of(s->options.step, time), &before,
               &length);
    bool is_one = is_jump_between(s, time - over, before, length);
    memcpy(s->exec->r, w->aside, size);
    exec_load_branches(s->exec, &w->aside_branches);
    exec_reset_status(s->exec);
    w->is_after = true;
    w->known = NAN;
    if (!is_one)
        return true;
    take_pieces(s, w->now);
    if (!is_said)
        note(s, time);
    return has_left(s, time,
                    fmax(over - length, least_of(s->options.step, time)));
}

bool sim_cross_switch(Sim *s, double from, double step, double *reached)
{
    SimSwitches *w = s->switches;
    double least = least_of(step, from), length, before;
    sim_control_break(s);
    if (find_over(s, from, step, &before, &length))
        narrow(s, from, least, &before, &length);
    else
        length = least;
    bool is_one = is_jump_between(s, from, before, length);
    w->is_after = true;
    if (!is_over(s, from, length) && !sim_evaluate_event(s, "after a jump"))
        return false;
    if (is_one)
        note(s, from + length);
    sim_begin_stages(s);
    w->known = NAN;
    *reached = from + length;
    return sim_check_values(s) && (!is_one || has_left(s, *reached, least));
}

void sim_switches_end(Sim *s, double time)
{
    SimSwitches *w = s->switches;
    w->is_after = false;
    if (w->n == 0 || w->end != time)
        return;
    w->known = time;
    w->events = s->stats.events;
    w->reselected = s->stats.reselected;
    memcpy(w->piece, w->end_piece, sizeof(double) * (size_t)w->n);
    memcpy(w->begin, w->end_slope, sizeof(double) * (size_t)w->nstate);
}
