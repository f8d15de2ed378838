/* control.c - steps as long as the tolerance allows, for one-step methods.
 *
 * The error of a part of length L is told in one of three ways:
 *
 *   two-step   by slopes of this part and of the one before it, divided
 *   one-step   differences that the tape weighs and filters
 *              (plan/estimator.h, inline/estimate.c); an embedded formula where
 *              the method has one. Weights follow the ratio of the two lengths.
 *              At first, and after an event, a jump of an input or another
 *              choice of states, one step tells alone: f_n is then the slope on
 *              the new side
 *   doubling   by making it twice: as one step, x1, and as two of half the
 *              length, x2; for a method of order p, |x2 - x1| / (2^p - 1)
 *              (Hairer, Norsett, Wanner I, II.4). For methods that have nothing
 *              else
 *
 * Against rtol |x| + atol its largest ratio r over the states says whether the
 * part is kept (r <= 1). The next length is
 *
 *     L' = 0.9 L (1/r)^(1/(q+1))                 Fehlberg's rule: with an error
 *                                                of order q + 1 in L, r' = 1
 *     L' = L' (1/r)^(...) times the change of both from the part before
 *                                                (predictive PI control,
 *                                                Gustafsson; Hairer, Wanner II,
 *                                                IV.8), the smaller of the two
 *
 * q is the order of the formula whose error is told: p for doubling.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "plan/estimator.h"
#include "sim/sim_internal.h"

typedef struct SimControl {
    int n;
    int *slot; /* of each state */
    double *atol;
    double *old, *once; /* before the part, and by one step */
    double length;      /* of the next part */
    double wish;        /* the same, by bdf/ */
    double past;        /* length of the part before, 0: it does not count */
    double past_error;  /* and its ratio r */
    int equal;          /* parts before it that had its length, in a row */
    bool is_embedded;   /* the last error is that of an embedding */
    double gamma;       /* of the filter */
    double *weight;
    SimPredictor *predictor; /* NULL: iterations begin where they are */
} SimControl;

static double nominal_of(const Inlined *d, int var)
{
    double x = 0;
    Expr e = d->sys->var[var].nominal;
    return e != EXPR_NONE && expr_is_const(d->dag, e, &x) && x != 0 ? fabs(x)
                                                                    : 1;
}

double sim_slope(const Sim *s, int k)
{
    const Inlined *d = s->low->inlined;
    const DaeState *x = &d->dae->state[k];
    int entry = inlined_find(d, x->var, x->order + 1);
    return entry == NONE || s->low->slot[entry] == NONE
               ? NAN
               : s->exec->r[s->low->slot[entry]];
}

/* A first length: a hundredth of the time in which a state changes by its
 * size, a sixteenth of the grid at most. */
static double first_length(const Sim *s, const SimControl *c)
{
    double length = s->options.step / 16, size = 0, speed = 0;
    for (int k = 0; k < c->n; k++) {
        double x = s->exec->r[c->slot[k]], f = sim_slope(s, k);
        double bound = s->options.rtol * fabs(x) + c->atol[k];
        size = fmax(size, fabs(x) / bound);
        speed = fmax(speed, isfinite(f) ? fabs(f) / bound : 0);
    }
    double own = size < 1e-5 || speed < 1e-5 ? length : 0.01 * size / speed;
    return fmin(length, own);
}

/* Iterations are as exact as the tolerance says: small states count as much as
 * it lets them, in all stages. */
static void set_units(Sim *s, const SimControl *c)
{
    const Inlined *d = s->low->inlined;
    double *unit = NEW_ARRAY(s->arena, double, s->low->tape->nslot);
    for (int k = 0; k < c->n; k++) {
        const DaeState *x = &d->dae->state[k];
        int end = inlined_find(d, x->var, x->order);
        double least =
            fmin(c->atol[k] / s->options.rtol, nominal_of(d, x->var));
        unit[c->slot[k]] = least;
        for (int j = 0; j < d->method->nstage; j++) {
            int at = inlined_find_stage(d, end, j);
            if (at != NONE && s->low->slot[at] != NONE)
                unit[s->low->slot[at]] = least;
        }
    }
    s->exec->unit = unit;
}

static SimControl *begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    SimControl *c = NEW(s->arena, SimControl);
    c->n = d->dae->nstate;
    c->slot = NEW_ARRAY(s->arena, int, c->n + 1);
    c->atol = NEW_ARRAY(s->arena, double, c->n + 1);
    c->old = NEW_ARRAY(s->arena, double, c->n + 1);
    c->once = NEW_ARRAY(s->arena, double, c->n + 1);
    int nweight = 3 * d->method->nstage + 1;
    c->weight = NEW_ARRAY(s->arena, double, nweight);
    double none[ESTIMATOR_PAST];
    estimator_growth(d->method, &c->gamma, none);
    for (int k = 0; k < c->n; k++) {
        const DaeState *x = &d->dae->state[k];
        c->slot[k] = s->low->slot[inlined_find(d, x->var, x->order)];
        c->atol[k] = s->options.atol > 0
                         ? s->options.atol
                         : 1e-3 * s->options.rtol * nominal_of(d, x->var);
    }
    c->length = first_length(s, c);
    s->exec->keeps_single = d->method->stage_weight != NULL;
    set_units(s, c);
    if (d->nlevel > 0)
        s->levels = sim_levels_new(s);
    else if (d->plan->control == PC_ORDERS)
        s->orders = bdf_new(s->low, s->options.rtol, s->arena);
    s->exec->keep_goal = s->options.rtol *
                         (s->orders ? 0.06 * bdf_share(s->options.rtol) : 1e-3);
    c->predictor = s->orders ? NULL : sim_predictor_new(s);
    return c;
}

void sim_control_break(Sim *s)
{
    if (s->control)
        s->control->past = 0;
    exec_forget_factors(s->exec);
    bdf_break(s->orders);
    crests_forget(s->crests);
}

double sim_control_length(const Sim *s)
{
    return s->control ? s->control->length : 0;
}

static double bound_of(const Sim *s, const SimControl *c, int k)
{
    double x = s->exec->r[c->slot[k]];
    return s->options.rtol * fmax(fabs(x), fabs(c->old[k])) + c->atol[k];
}

double sim_bound(const Sim *s, int k)
{
    return bound_of(s, s->control, k);
}

/* ---- by the tape ---- */

/* The system that estimates the error of the last part, or NONE. */
static int estimate_of(const Sim *s)
{
    return s->low->inlined->system[s->system].estimate;
}

/* Embeddings belong to steps of equal length. */
static bool uses_embedding(const Sim *s, const SimControl *c, double length)
{
    PlanControl control = s->low->inlined->plan->control;
    if (control != PC_BLENDED && control != PC_BDF3)
        return false;
    return c->equal >= (control == PC_BLENDED ? 1 : 2) &&
           fabs(c->past - length) <= 1e-9 * length;
}

/* The formula for a part of this length; its order. */
static int choose_weights(Sim *s, SimControl *c, double length)
{
    const Inlined *d = s->low->inlined;
    const InlinedEstimate *e = &d->estimate;
    bool one = d->plan->control == PC_ONE_STEP || c->past == 0;
    int order;
    c->is_embedded = uses_embedding(s, c, length);
    for (int i = 0; i < e->nweight; i++)
        c->weight[i] = 0;
    if (c->is_embedded)
        order = estimator_embedding(
            d->method, d->plan->control == PC_BDF3 ? EK_BDF3 : EK_BLENDED,
            c->weight);
    else
        order =
            estimator_weights(d->method, one ? 0 : c->past / length, c->weight);
    for (int i = 0; i < e->nweight; i++)
        s->exec->r[s->low->slot[e->weight[i]]] = c->weight[i];
    if (e->filter != NONE)
        s->exec->r[s->low->slot[e->filter]] = c->is_embedded ? 0 : c->gamma;
    return order;
}

/* So much of the tolerance is for one step. Where the error that is told is
 * that of the method itself, of order p, steps follow its power p + 1 and the
 * error of the run that of rtol^(p/(p+1)): with this it is that of rtol. */
static double share_of(const Sim *s, int order)
{
    const Inlined *d = s->low->inlined;
    if (d->method->stage_weight)
        return SIM_EXTRAPOLATED;
    bool is_own = order >= d->method->order;
    return is_own && order > 2 && d->plan->control < PC_BLENDED
               ? pow(s->options.rtol, 1.0 / order)
               : 1;
}

static double tape_error(Sim *s, SimControl *c, double length, int *order)
{
    const Inlined *d = s->low->inlined;
    double largest = 0;
    *order = d->estimate.weight ? choose_weights(s, c, length)
             : s->levels        ? d->system[s->system].method->order - 1
                                : d->estimate.order;
    exec_reset_status(s->exec);
    if (exec_run(s->exec, &s->low->system[estimate_of(s)].run) < 0)
        return INFINITY;
    exec_reset_status(s->exec);
    for (int k = 0; k < c->n; k++) {
        double e = s->exec->r[s->low->slot[d->estimate.local[k]]];
        largest = fmax(largest, fabs(e) / bound_of(s, c, k));
        if (isnan(e))
            return INFINITY;
    }
    return largest / share_of(s, *order);
}

/* ---- by halves ---- */

/* Two halves, from the saved slots on. */
static bool make_halves(Sim *s, double from, double to, bool *crossed)
{
    double mid = from + (to - from) / 2;
    if (!(mid > from && mid < to) || !sim_try_part(s, from, mid, false))
        return false;
    *crossed = sim_has_crossed(s);
    exec_run(s->exec, &s->low->system[s->system].carry);
    return *crossed || sim_try_next(s, mid, to, false);
}

static double doubled_error(Sim *s, SimControl *c, double from, double to,
                            bool *crossed)
{
    double largest = 0, scale = pow(2, s->low->inlined->method->order) - 1;
    for (int k = 0; k < c->n; k++)
        c->once[k] = s->exec->r[c->slot[k]];
    if (!make_halves(s, from, to, crossed))
        return INFINITY;
    if (*crossed)
        return 1;
    for (int k = 0; k < c->n; k++) {
        double x = s->exec->r[c->slot[k]];
        largest =
            fmax(largest, fabs(x - c->once[k]) / scale / bound_of(s, c, k));
    }
    return isfinite(largest) ? largest : INFINITY;
}

/* ---- the length ---- */

/* Fixed iterations that did not end: the step is too long for them. */
static bool is_unsolved(const Sim *s)
{
    return s->options.tolerance == 0 && s->part.causes >> CAUSE_WARNING & 1;
}

static double judge_orders(Sim *s, SimControl *c, double to)
{
    double error = bdf_judge(s->orders, to, s->exec->r, c->atol, &c->wish);
    if (error <= 1)
        s->stats.order_used[bdf_order(s->orders)]++;
    return error;
}

/* One attempt; the ratio of its error to the tolerance, INFINITY if it has no
 * solution. */
static double try_length(Sim *s, SimControl *c, double from, double to,
                         int *order, bool *crossed)
{
    *crossed = false;
    *order = s->low->inlined->method->order;
    if (c->predictor && c->past > 0)
        sim_predict(s, c->predictor, c->past / (to - from), to - from);
    if (!sim_try_next(s, from, to, false) || is_unsolved(s)) {
        if (s->orders)
            bdf_fail(s->orders);
        if (s->levels)
            sim_levels_fail(s->levels);
        return INFINITY;
    }
    if (s->orders)
        return judge_orders(s, c, to);
    return estimate_of(s) == NONE ? doubled_error(s, c, from, to, crossed)
                                  : tape_error(s, c, to - from, order);
}

static double factor_of(const SimControl *c, double error, double length,
                        int order, bool was_rejected)
{
    double r = fmax(error, 1e-10), power = 1.0 / (order + 1);
    double f = 0.9 * pow(r, -power);
    if (error <= 1 && c->past > 0 && c->past_error > 0)
        f = fmin(f,
                 0.9 * length / c->past * pow(c->past_error / (r * r), power));
    return fmin(was_rejected ? 1 : 6, fmax(0.1, f));
}

/* That of the next part, or of another attempt. */
static double next_length(Sim *s, const SimControl *c, double error,
                          double length, int order, bool was_rejected)
{
    if (s->orders)
        return c->wish;
    SimControl alone = *c;
    if (s->levels && sim_levels_is_new(s->levels))
        alone.past = 0; /* an error of another order says nothing of this one */
    double own = factor_of(&alone, error, length, order, was_rejected);
    if (s->levels && isfinite(error))
        own = sim_levels_next(s, s->levels, error, own, c->old, c->atol);
    return length * own;
}

/* The part is kept: what the next one looks back to. */
static void accept(SimControl *c, double length, double error)
{
    bool same = c->past > 0 && fabs(c->past - length) <= 1e-9 * length;
    c->equal = same ? c->equal + 1 : 1;
    c->past = length;
    c->past_error = fmax(error, 1e-2);
    sim_predictor_keep(c->predictor, c->old);
}

/* "Remember that the step size can never be modified two steps in a row"
 * ([H8.3] there): only where an embedding has told the error. */
static bool may_change(const Sim *s, const SimControl *c)
{
    return s->orders || s->levels ||
           s->low->inlined->plan->control < PC_BLENDED || c->is_embedded ||
           c->past == 0;
}

/* An end before the one that was rejected; `from` if rounding leaves none. */
static double shorter(double from, double next, double rejected)
{
    if (next < rejected)
        return next;
    double half = from + (rejected - from) / 2;
    return half < rejected ? half : from;
}

/* The part ends where a relation changes, on its polynomial where it has one.
 * crossed: one has within the first half of it. False after a report. */
static bool find_event(Sim *s, double from, bool crossed, double turn,
                       double *reached)
{
    if (s->dense && !crossed && !sim_has_state_events(s->low->inlined))
        return true;
    double end = *reached;
    if (s->dense && !crossed) {
        if (!sim_find_passage(s, from, end, turn, reached))
            return false;
        if (s->is_after_event)
            s->control->past = 0;
        return true;
    }
    if (!crossed && !sim_has_crossed(s)) {
        if (!(turn > from && turn < end))
            return true;
        end = turn; /* where it has */
    }
    *reached = sim_bisect(s, from, from, end);
    if (!sim_try_part(s, from, *reached, false))
        return sim_report_part(s, from, *reached);
    s->control->past = 0;
    s->stats.located++;
    s->is_after_event = true;
    return true;
}

typedef enum Obstacle {
    OBSTACLE_NONE,
    OBSTACLE_LATER, /* attempts end before it */
    OBSTACLE_BRANCH,
    OBSTACLE_SWITCH, /* here: the run goes over it */
} Obstacle;

/* Stages of an attempt that ended at *to lie on other branches than the model
 * at its beginning. Where that is for slopes that jump a little later, attempts
 * end before them: much less work than to look for the last length that has a
 * solution. */
static Obstacle end_branch(Sim *s, double from, double *to)
{
    double ahead = sim_switch_ahead(s, from, *to - from);
    if (isnan(ahead)) {
        sim_find_branch_end(s, from, to);
        return *to <= from ? OBSTACLE_BRANCH : OBSTACLE_LATER;
    }
    *to = from + 0.9 * ahead;
    return ahead <= sim_switch_near(s) ? OBSTACLE_SWITCH : OBSTACLE_LATER;
}

/* Is there a place in the attempt that no step can lie on both sides of? *to
 * becomes the last point before it. */
static Obstacle find_obstacle(Sim *s, double from, bool is_exact,
                              bool is_solved, double *to)
{
    double low;
    if (is_exact && sim_has_jumped(s))
        return end_branch(s, from, to);
    if (!is_solved || !sim_finds_switch(s, from, *to, &low))
        return OBSTACLE_NONE;
    *to = low;
    return low <= from ? OBSTACLE_SWITCH : OBSTACLE_LATER;
}

/* Does a part that is good enough pass over something narrow? Then *to is where
 * it ends instead. */
static bool passes_over(Sim *s, double from, double *to, SimMiss *miss)
{
    sim_has_missed(s, from, *to, s->options.rtol, s->options.atol, miss);
    if (miss->end < *to)
        *to = fmin(*to, fmax(miss->end, from + sim_miss_length(s, from)));
    else if (!s->dense && miss->turn - from > 1e-3 * (*to - from))
        *to = miss->turn; /* where the relation has changed */
    else
        return false;
    return true;
}

bool sim_control(Sim *s, double from, double to, bool is_exact, double *reached)
{
    if (!s->control)
        s->control = begin(s);
    SimControl *c = s->control;
    bool crossed = false, was_rejected = false, is_here = false;
    double rejected = INFINITY; /* an end that was */
    SimMiss miss = {NAN, NAN};
    sim_switches_begin(s, from);
    sim_save_slots(s);
    sim_missed_before(s);
    c->length = fmin(c->length, sim_miss_length(s, from));
    exec_reset_status(s->exec);
    for (int k = 0; k < c->n; k++)
        c->old[k] = s->exec->r[c->slot[k]];
    if (is_exact && !sim_at_switch(s, from, c->length, &is_here))
        return false;
    if (is_here)
        return sim_cross_switch(s, from, s->options.step, reached);
    for (int n = 0;; n++) {
        int order;
        if (n > 0)
            sim_restore_slots(s);
        bool is_rest = c->length > 0.99 * (to - from);
        double next = shorter(from, is_rest ? to : from + c->length, rejected);
        double length = next - from;
        if (next == from || !(length > 1e-24 * s->options.step))
            return sim_report_part(s, from, nextafter(from, INFINITY));
        double error = try_length(s, c, from, next, &order, &crossed);
        Obstacle obstacle = find_obstacle(s, from, is_exact,
                                          isfinite(error) && !crossed, &next);
        if (obstacle == OBSTACLE_NONE && error <= 1 && !crossed &&
            passes_over(s, from, &next, &miss))
            obstacle = OBSTACLE_LATER;
        if (obstacle == OBSTACLE_BRANCH)
            return sim_jump(s, from, reached);
        if (obstacle == OBSTACLE_SWITCH)
            return sim_cross_switch(s, from, fmax(length, s->options.step),
                                    reached);
        if (obstacle == OBSTACLE_LATER) {
            to = next;
            bdf_again(s->orders);
            rejected = INFINITY;
            continue;
        }
        double wish = next_length(s, c, error, length, order, was_rejected);
        if (error <= 1) {
            *reached = next;
            accept(c, length, error);
            if (!may_change(s, c))
                wish = length;
            c->length = is_rest ? fmax(c->length, wish) : wish;
            break;
        }
        was_rejected = true;
        rejected = next;
        c->length = isinf(error) ? length / 4
                    : s->orders  ? wish
                                 : fmin(wish, length / 2);
        s->stats.rejected++;
    }
    s->stats.parts++;
    sim_switches_end(s, *reached);
    if (is_exact && !crossed)
        miss.turn = fmin(miss.turn, sim_see_crests(s, from, *reached));
    if (is_exact && !find_event(s, from, crossed, miss.turn, reached))
        return false;
    if (is_exact && !sim_keeps_guards(s, from, *reached, sim_has_crossed(s)))
        return false;
    if (s->orders)
        bdf_push(s->orders, s->exec->r, *reached);
    sim_note_part(s);
    return true;
}
