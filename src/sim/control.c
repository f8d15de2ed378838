/* control.c - steps as long as the tolerance allows, for one-step methods.
 *
 * A part of length L is made twice: as one step, x1, and as two of half the
 * length, x2. For a method of order p the error of x2 is about
 *
 *     |x2 - x1| / (2^p - 1)
 *
 * (Hairer, Norsett, Wanner, Solving ODEs I, II.4: step doubling after
 * Richardson). Against rtol |x| + atol its largest ratio r over the states says
 * whether x2 is kept (r <= 1), and the next length, L r^(-1/(p+1)) with a
 * margin. Embedded estimates would be cheaper, but those of Radau IIA and
 * Lobatto IIIC are too small by 6 to 29 times and must be fitted for each
 * method; this one serves every tableau, a user's too.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

typedef struct SimControl {
    int n;
    int *slot; /* of each state */
    double *atol;
    double *old, *once; /* before the part, and by one step */
    double length;      /* of the next part */
} SimControl;

static double nominal_of(const Inlined *d, int var)
{
    double x = 0;
    Expr e = d->sys->var[var].nominal;
    return e != EXPR_NONE && expr_is_const(d->dag, e, &x) && x != 0 ? fabs(x)
                                                                    : 1;
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
    for (int k = 0; k < c->n; k++) {
        const DaeState *x = &d->dae->state[k];
        c->slot[k] = s->low->slot[inlined_find(d, x->var, x->order)];
        c->atol[k] = s->options.atol > 0
                         ? s->options.atol
                         : 1e-3 * s->options.rtol * nominal_of(d, x->var);
    }
    c->length = s->options.step / 16;
    return c;
}

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

static double error_of(const Sim *s, const SimControl *c)
{
    double largest = 0, scale = pow(2, s->low->inlined->method->order) - 1;
    for (int k = 0; k < c->n; k++) {
        double x = s->exec->r[c->slot[k]];
        double bound =
            s->options.rtol * fmax(fabs(x), fabs(c->old[k])) + c->atol[k];
        largest = fmax(largest, fabs(x - c->once[k]) / scale / bound);
    }
    return isfinite(largest) ? largest : INFINITY;
}

/* One attempt; the ratio of its error to the tolerance, INFINITY if it has no
 * solution. */
static double try_length(Sim *s, SimControl *c, double from, double to,
                         bool *crossed)
{
    *crossed = false;
    if (!sim_try_part(s, from, to, false))
        return INFINITY;
    for (int k = 0; k < c->n; k++)
        c->once[k] = s->exec->r[c->slot[k]];
    if (!make_halves(s, from, to, crossed))
        return INFINITY;
    return *crossed ? 1 : error_of(s, c);
}

static double factor_of(const Sim *s, double error)
{
    int p = s->low->inlined->method->order;
    double f = 0.9 * pow(fmax(error, 1e-10), -1.0 / (p + 1));
    return fmin(4, fmax(0.1, f));
}

bool sim_control(Sim *s, double from, double to, bool is_exact, double *reached)
{
    if (!s->control)
        s->control = begin(s);
    SimControl *c = s->control;
    double error = INFINITY;
    bool crossed = false;
    sim_save_slots(s);
    for (int k = 0; k < c->n; k++)
        c->old[k] = s->exec->r[c->slot[k]];
    for (;;) {
        bool is_rest = c->length > 0.99 * (to - from);
        double next = is_rest ? to : from + c->length;
        double length = next - from;
        if (next == from || !(length > 1e-24 * s->options.step))
            return sim_report_part(s, from, nextafter(from, INFINITY));
        error = try_length(s, c, from, next, &crossed);
        double wish = length * factor_of(s, error);
        if (error <= 1) {
            *reached = next;
            c->length = is_rest ? fmax(c->length, wish) : wish;
            break;
        }
        c->length = fmin(wish, length / 2);
        s->stats.rejected++;
    }
    s->stats.parts++;
    if (is_exact && (crossed || sim_has_crossed(s))) {
        *reached = sim_bisect(s, from, *reached);
        if (!sim_try_part(s, from, *reached, false))
            return sim_report_part(s, from, *reached);
        s->stats.located++;
    }
    sim_note_part(s);
    return true;
}
