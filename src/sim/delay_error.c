/* delay_error.c - what delayed values are off by, and what that does to states.
 *
 * A run with a fixed step reads delay() on the lines between the points of the
 * grid. What it reads there differs from what was, for three reasons:
 *
 * - The line: between two points the second derivative d makes it off by
 *   d (t - t0)(t1 - t)/2; of the differences on both sides the smaller one
 *   counts, so that a corner at a point of the grid is none. A delay shorter
 *   than the step reads beyond the last point, which is taken to go on as the
 *   ones before.
 *
 * - The past: states were off by then. The error of the run so far at each
 *   point, carried to the delayed expression by the model there, is remembered
 *   beside its value.
 *
 * - Late events: a jump at time t1 - tau is a line from t0 to t1 in the memory;
 *   the mean of the difference over a step counts.
 *
 * A delay that varies is, besides, that of the step before.
 *
 * The step is made once more with delayed values that are right by this. What
 * states differ by is carried on by the flow of the model as the error of the
 * run so far is, apart from it, as the estimates of steps see some of it too;
 * by way of the memory it comes back. All of that happens in an interpreter of
 * its own: the run is not touched.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

struct SimDelayError {
    Exec *exec;
    int n;        /* states */
    int *state;   /* slots */
    int *kept;    /* slots of the running errors that the next step reads */
    double *off;  /* what each state is off by, as delayed values are */
    double *late; /* of each delay: its time, at its part of the step */
    int *slope, *old_slope; /* slots; NONE: there is none, or nobody reads it */
    double *at_begin; /* what the slope that the next step begins with is off
                         by, as delayed values are */
};

static int slot_of(const Sim *s, int entry)
{
    return entry == NONE ? NONE : s->low->slot[entry];
}

static bool has_delay(const Inlined *d)
{
    for (int i = 0; i < d->ndelay; i++)
        if (d->delay[i].past == IP_DELAY)
            return true;
    return false;
}

static struct SimDelayError *begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    struct SimDelayError *e = NEW(s->arena, struct SimDelayError);
    e->n = d->estimate.n;
    e->exec = exec_new(s->low->tape);
    e->state = NEW_ARRAY(s->arena, int, e->n + 1);
    e->kept = NEW_ARRAY(s->arena, int, e->n + 1);
    e->off = NEW_ARRAY(s->arena, double, e->n + 1);
    e->slope = NEW_ARRAY(s->arena, int, e->n + 1);
    e->old_slope = NEW_ARRAY(s->arena, int, e->n + 1);
    e->at_begin = NEW_ARRAY(s->arena, double, e->n + 1);
    e->late = NEW_ARRAY(s->arena, double, d->ndelay + 1);
    for (int k = 0; k < e->n; k++) {
        const DaeState *x = &d->dae->state[k];
        e->state[k] = s->low->slot[inlined_find(d, x->var, x->order)];
        e->kept[k] = sim_kept_slot(s, k);
        e->slope[k] = slot_of(s, inlined_find(d, x->var, x->order + 1));
        e->old_slope[k] =
            e->slope[k] == NONE
                ? NONE
                : slot_of(s, inlined_find_old(d, x->var, x->order + 1, 1));
    }
    return e;
}

void sim_delay_error_begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (!s->delay_error && d->dae &&
        (d->estimate.running || d->dae->nstate == 0) && d->event != NONE &&
        !(s->options.rtol > 0) && has_delay(d) && !inlined_has_effects(d))
        s->delay_error = begin(s);
}

void sim_delay_error_free(Sim *s)
{
    if (s->delay_error)
        exec_free(s->delay_error->exec);
}

/* ---- what is read ---- */

/* What should have been read at part c of a step from `from` to `to`. Jumps are
 * those of the whole step. */
static double right_value(const Sim *s, int i, double c, double from, double to)
{
    const Past *past = &s->delay[i].past;
    double late = fmax(s->delay_error->late[i], 0);
    double then = from + c * (to - from) - late;
    return past_value(past, then, false) +
           past_off(past, then, s->low->inlined->delay[i].is_discrete) +
           past_off_jumps(past, from - late, to - late);
}

/* Delayed values of the slots r become right: each at its own part of the step,
 * or all of them at part c. */
static void set_right(const Sim *s, double *r, double c, double from, double to)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        int slot = s->low->slot[i];
        if (v->kind != IV_DELAY || slot == NONE ||
            d->delay[v->relation].past != IP_DELAY)
            continue;
        double value =
            right_value(s, v->relation, isnan(c) ? v->c : c, from, to);
        r[slot] = isfinite(value) ? value : r[slot];
    }
}

/* ---- a step ---- */

static void take_slots(const Sim *s)
{
    Exec *e = s->delay_error->exec;
    memcpy(e->r, s->exec->r, (size_t)s->low->tape->nslot * sizeof *e->r);
    e->tolerance = s->exec->tolerance;
    e->max_iterations = s->exec->max_iterations;
    exec_reset_status(e);
}

/* Delays as they are now that the step is made. */
static void find_lateness(Sim *s)
{
    struct SimDelayError *x = s->delay_error;
    take_slots(s);
    exec_run(x->exec, &s->low->relations);
    for (int i = 0; i < s->low->inlined->ndelay; i++)
        x->late[i] = x->exec->r[s->low->delay_time[i]];
}

/* What was off before is carried on by the system of the estimate, which is
 * linear in the errors of the past. */
static void flow(Sim *s, int system)
{
    struct SimDelayError *x = s->delay_error;
    const int *running = s->low->inlined->estimate.running;
    take_slots(s);
    for (int k = 0; k < x->n; k++)
        if (x->kept[k] != NONE)
            x->exec->r[x->kept[k]] -= x->off[k];
    if (exec_run(x->exec, &s->low->system[system].run) < 0)
        return;
    for (int k = 0; k < x->n; k++) {
        int slot = s->low->slot[running[k]];
        double next = s->exec->r[slot] - x->exec->r[slot];
        x->off[k] = isfinite(next) ? next : x->off[k];
    }
}

/* What becomes of a push of 1 in the steps after it, where the model does
 * nothing: 1/rho'(1) of a multistep method. */
static double lasting(const Sim *s)
{
    const Inlined *d = s->low->inlined;
    const Method *m = d->method;
    double sum = 0;
    if (!m || m->kind != MK_MULTISTEP || s->since_break < d->nstart)
        return 1;
    for (int k = 0; k <= m->nback; k++)
        sum += (m->nback - k) * m->alpha[k];
    return sum > 0 ? 1 / sum : 1;
}

void sim_delay_error_step(Sim *s, int system)
{
    struct SimDelayError *x = s->delay_error;
    if (!x)
        return;
    const double *r = s->exec->r;
    double to = r[s->low->tape->time], from = to - r[s->low->tape->step];
    flow(s, system);
    find_lateness(s);
    take_slots(s);
    set_right(s, x->exec->r, NAN, from, to);
    for (int k = 0; k < x->n; k++)
        if (x->old_slope[k] != NONE)
            x->exec->r[x->old_slope[k]] += x->at_begin[k];
    if (exec_run(x->exec, &s->low->system[s->system].run) < 0)
        return;
    double lasts = lasting(s);
    for (int k = 0; k < x->n; k++) {
        double off = lasts * (r[x->state[k]] - x->exec->r[x->state[k]]);
        x->off[k] += isfinite(off) ? off : 0;
    }
}

double *sim_delay_off(const Sim *s)
{
    return s->delay_error ? s->delay_error->off : NULL;
}

/* ---- what is remembered ---- */

/* The delayed expressions at the present point as they would be without the
 * errors of the run; they are in the slots of x->exec. */
static bool evaluate_right(Sim *s, double time)
{
    struct SimDelayError *x = s->delay_error;
    double *r = x->exec->r;
    find_lateness(s);
    take_slots(s);
    set_right(s, r, 1, time, time);
    for (int k = 0; k < x->n; k++) {
        double off = x->off[k] + (x->kept[k] == NONE ? 0 : r[x->kept[k]]);
        off += s->late ? s->late->off[k] : 0;
        r[x->state[k]] -= isfinite(off) ? off : 0;
    }
    return exec_run(x->exec, &s->low->system[s->low->inlined->event].run) >=
               0 &&
           exec_run(x->exec, &s->low->relations) >= 0;
}

/* Slopes at the present point with right delayed values: jumps are those of the
 * next step. */
static void find_slopes(Sim *s, double time)
{
    struct SimDelayError *x = s->delay_error;
    double *r = x->exec->r;
    bool reads = false;
    for (int k = 0; k < x->n; k++)
        reads |= x->old_slope[k] != NONE;
    if (!reads)
        return;
    take_slots(s);
    set_right(s, r, 0, time, time + s->options.step);
    bool fine =
        exec_run(x->exec, &s->low->system[s->low->inlined->event].run) >= 0;
    for (int k = 0; k < x->n; k++) {
        double off = fine && x->old_slope[k] != NONE
                         ? r[x->slope[k]] - s->exec->r[x->slope[k]]
                         : 0;
        x->at_begin[k] = isfinite(off) ? off : 0;
    }
}

/* What was read at the end of the step, beside what is right. */
static void see_reads(Sim *s, double time)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        int slot = s->low->slot[i];
        if (v->kind != IV_DELAY || slot == NONE || v->c != 1 ||
            d->delay[v->relation].past != IP_DELAY)
            continue;
        Past *past = &s->delay[v->relation].past;
        past_see_off(past, s->delay_error->exec->r[slot] - s->exec->r[slot],
                     time);
    }
}

void sim_delay_error_record(Sim *s, double time)
{
    const Inlined *d = s->low->inlined;
    if (!s->delay_error)
        return;
    bool is_known = evaluate_right(s, time);
    for (int i = 0; i < d->ndelay; i++) {
        Past *past = &s->delay[i].past;
        if (d->delay[i].past != IP_DELAY)
            continue;
        int slot = s->low->delay_now[i];
        double off = s->delay_error->exec->r[slot] - s->exec->r[slot];
        while (past->error.n + 1 < past->time.n)
            vec_push(s->arena, &past->error, 0);
        vec_push(s->arena, &past->error, is_known && isfinite(off) ? off : 0);
        past_see(past, s->exec->r[slot]);
    }
    if (is_known)
        see_reads(s, time);
    find_slopes(s, time);
}

void sim_delay_error_jump(Sim *s, const double *before, double since,
                          bool of_time)
{
    const Inlined *d = s->low->inlined;
    if (!s->delay_error)
        return;
    Exec *e = s->delay_error->exec;
    double time = s->exec->r[s->low->tape->time];
    exec_run(s->exec, &s->low->relations);
    take_slots(s);
    memcpy(e->r, before, (size_t)s->low->tape->nslot * sizeof *e->r);
    exec_run(e, &s->low->relations);
    for (int i = 0; i < d->ndelay; i++) {
        Past *past = &s->delay[i].past;
        int slot = s->low->delay_now[i];
        if (d->delay[i].past != IP_DELAY || past->time.n == 0 ||
            !(time > past->time.at[past->time.n - 1]))
            continue;
        double from = past->time.at[past->time.n - 1], now = s->exec->r[slot];
        double size = of_time ? past_leap(past, time, now) : now - e->r[slot];
        PastJump jump = {from, time, time - since, size};
        if (size != 0 && isfinite(size))
            vec_push(s->arena, &past->jump, jump);
    }
}

void sim_delay_trust(const Sim *s, SimTrust *t)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; s->delay_error && i < d->ndelay; i++) {
        const Past *past = &s->delay[i].past;
        double share = past_share(past);
        if (d->delay[i].past != IP_DELAY || !(share > t->delayed))
            continue;
        t->delayed = share;
        t->delayed_time = past->off_time;
        t->delayed_what = i;
    }
}
