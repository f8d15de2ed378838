/* delay_error.c - what delayed values are off by, and what that does to states.
 *
 * A run with a fixed step reads delay() on the lines between the points of the
 * grid. What it reads there differs from what was, for three reasons:
 *
 *   the line      between two points the second derivative d makes it off by
 *                 d (t - t0)(t1 - t)/2; of the differences on both sides the
 *                 smaller one counts, so that a corner at a point of the grid
 * is none. A delay shorter than the step reads beyond the last point, which is
 * taken to go on as the ones before. the past      states were off by then: the
 * error of the run so far at each point, carried to the delayed expression by
 * the model there, is remembered beside its value. late events   a jump at time
 * t1 - tau is a line from t0 to t1 in the memory: the mean of the difference
 * over a step counts.
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

enum { LAST_JUMPS = 64 }; /* of a memory that may be asked for */

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

/* The slot of a state's slope at the begin of a step; NONE: none reads it. */
static int old_slope(const Sim *s, const DaeState *x)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind == IV_OLD && v->back == 1 && v->sys_var == x->var &&
            v->order == x->order + 1)
            return s->low->slot[i];
    }
    return NONE;
}

static int kept_slot(const Sim *s, int state)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nvar; i++)
        if (d->var[i].kind == IV_KEPT &&
            d->var[i].source == d->estimate.running[state])
            return s->low->slot[i];
    return NONE;
}

static bool has_delay(const Inlined *d)
{
    for (int i = 0; i < d->ndelay; i++)
        if (d->delay[i].past == IP_DELAY)
            return true;
    return false;
}

/* Functions that do more than give values are not called once more. */
static bool has_effects(const Dag *dag)
{
    const ExprFunction *f;
    for (int i = 0; (f = dag_function(dag, i)); i++)
        if (f->is_impure || f->foreign)
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
        e->kept[k] = kept_slot(s, k);
        int slope = inlined_find(d, x->var, x->order + 1);
        e->slope[k] = slope == NONE ? NONE : s->low->slot[slope];
        e->old_slope[k] = e->slope[k] == NONE ? NONE : old_slope(s, x);
    }
    return e;
}

void sim_delay_error_begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (!s->delay_error && d->dae &&
        (d->estimate.running || d->dae->nstate == 0) && d->event != NONE &&
        !(s->options.rtol > 0) && has_delay(d) && !has_effects(d->dag))
        s->delay_error = begin(s);
}

void sim_delay_error_free(Sim *s)
{
    if (s->delay_error)
        exec_free(s->delay_error->exec);
}

/* ---- what is read ---- */

/* Second difference of the records at i - 1, i, i + 1; 0: there are none. */
static double bend(const SimDelay *d, int i)
{
    if (i < 1 || i + 1 >= d->time.n)
        return 0;
    const double *t = d->time.at + i, *x = d->value.at + i;
    double a = t[0] - t[-1], b = t[1] - t[0];
    if (!(a > 0) || !(b > 0))
        return 0;
    return 2 * ((x[1] - x[0]) / b - (x[0] - x[-1]) / a) / (a + b);
}

/* The smaller one; their mean if their signs differ, which is 0 on the line of
 * a jump. */
static double lesser(double a, double b)
{
    if (a * b < 0)
        return (a + b) / 2;
    return fabs(a) < fabs(b) ? a : b;
}

/* What the line between records low and low + 1 is off by, true - read. */
static double off_line(const SimDelay *d, int low, double time)
{
    double left = bend(d, low), right = bend(d, low + 1);
    bool has_left = low >= 1, has_right = low + 2 < d->time.n;
    double second = has_left && has_right ? lesser(left, right)
                    : has_left            ? left
                                          : right;
    return -second / 2 * (time - d->time.at[low]) *
           (d->time.at[low + 1] - time);
}

/* The same of a delay shorter than the step. */
static double off_end(const SimDelay *d, double time)
{
    int last = d->time.n - 1;
    double t = time - d->time.at[last];
    if (last < 1 || !(d->time.at[last] > d->time.at[last - 1]))
        return 0;
    double h = d->time.at[last] - d->time.at[last - 1];
    double slope = (d->value.at[last] - d->value.at[last - 1]) / h;
    return t * slope + bend(d, last - 1) / 2 * t * (t + h);
}

/* The integral of the difference between a jump and the line that stands for
 * it, up to `time`. */
static double jump_to(const SimDelayJump *j, double time)
{
    double h = j->to - j->from, x = fmin(fmax((time - j->from) / h, 0), 1);
    double line = h * x * x / 2 + fmax(time - j->to, 0);
    return j->size * (fmax(time - j->at, 0) - line);
}

/* Its mean over the step that reads from `from` to `to`. */
static double off_jumps(const SimDelay *d, double from, double to)
{
    double sum = 0;
    for (int i = d->jump.n - 1; i >= 0 && i >= d->jump.n - LAST_JUMPS; i--)
        sum += jump_to(&d->jump.at[i], to) - jump_to(&d->jump.at[i], from);
    return to > from ? sum / (to - from) : 0;
}

/* Of record i; that of the newest one may not be known yet. */
static double error_at(const SimDelay *d, int i)
{
    return d->error.n == 0 ? 0
                           : d->error.at[i < d->error.n ? i : d->error.n - 1];
}

/* What a value read at `time` is off by, jumps apart. */
static double off_value(const SimDelay *d, double time, bool is_discrete)
{
    int last = d->time.n - 1;
    if (last < 1 || time <= d->time.at[0])
        return 0;
    if (time >= d->time.at[last])
        return error_at(d, last) + (is_discrete ? 0 : off_end(d, time));
    int low = sim_record_before(d, time);
    double h = d->time.at[low + 1] - d->time.at[low];
    double x = h > 0 ? (time - d->time.at[low]) / h : 1;
    return error_at(d, low) + x * (error_at(d, low + 1) - error_at(d, low)) +
           (is_discrete ? 0 : off_line(d, low, time));
}

/* What should have been read at part c of a step from `from` to `to`. Jumps are
 * those of the whole step. */
static double right_value(const Sim *s, int i, double c, double from, double to)
{
    const SimDelay *past = &s->delay[i];
    double late = fmax(s->delay_error->late[i], 0);
    double then = from + c * (to - from) - late;
    return sim_past_value(past, then) +
           off_value(past, then, s->low->inlined->delay[i].is_discrete) +
           off_jumps(past, from - late, to - late);
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

static void see_range(SimDelay *d, double value)
{
    bool is_first = d->time.n <= 1;
    d->min = is_first ? value : fmin(d->min, value);
    d->max = is_first ? value : fmax(d->max, value);
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
        SimDelay *past = &s->delay[v->relation];
        double off = fabs(s->delay_error->exec->r[slot] - s->exec->r[slot]);
        if (off > past->off) {
            past->off = off;
            past->off_time = time;
        }
    }
}

void sim_delay_error_record(Sim *s, double time)
{
    const Inlined *d = s->low->inlined;
    if (!s->delay_error)
        return;
    bool is_known = evaluate_right(s, time);
    for (int i = 0; i < d->ndelay; i++) {
        SimDelay *past = &s->delay[i];
        if (d->delay[i].past != IP_DELAY)
            continue;
        int slot = s->low->delay_now[i];
        double off = s->delay_error->exec->r[slot] - s->exec->r[slot];
        while (past->error.n + 1 < past->time.n)
            vec_push(s->arena, &past->error, 0);
        vec_push(s->arena, &past->error, is_known && isfinite(off) ? off : 0);
        see_range(past, s->exec->r[slot]);
    }
    if (is_known)
        see_reads(s, time);
    find_slopes(s, time);
}

/* How far a value is from where the last two records lead to: what an event of
 * time has done, which stages have seen already. */
static double leap(const SimDelay *d, double time, double value)
{
    int last = d->time.n - 1;
    const double *t = d->time.at, *x = d->value.at;
    double slope = 0;
    if (last > 0 && t[last] > t[last - 1])
        slope = (x[last] - x[last - 1]) / (t[last] - t[last - 1]);
    return value - x[last] - slope * (time - t[last]);
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
        SimDelay *past = &s->delay[i];
        int slot = s->low->delay_now[i];
        if (d->delay[i].past != IP_DELAY || past->time.n == 0 ||
            !(time > past->time.at[past->time.n - 1]))
            continue;
        double from = past->time.at[past->time.n - 1], now = s->exec->r[slot];
        double size = of_time ? leap(past, time, now) : now - e->r[slot];
        SimDelayJump jump = {from, time, time - since, size};
        if (size != 0 && isfinite(size))
            vec_push(s->arena, &past->jump, jump);
    }
}

void sim_delay_trust(const Sim *s, SimTrust *t)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; s->delay_error && i < d->ndelay; i++) {
        const SimDelay *past = &s->delay[i];
        double range = past->max - past->min;
        if (d->delay[i].past != IP_DELAY || !(range > 0) ||
            !(past->off > t->delayed * range))
            continue;
        t->delayed = past->off / range;
        t->delayed_time = past->off_time;
        t->delayed_what = i;
    }
}
