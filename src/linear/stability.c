/* stability.c - what one step of a method does to a mode. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "linear/linear.h"
#include "theory/theory.h"

/* Eigenvalues of A are known to rounding of its norm only. */
static double rounding(const Linear *l)
{
    double most = 0;
    for (int i = 0; i < l->nx; i++)
        most = fmax(most, hypot(l->re[i], l->im[i]));
    return 1e-12 * most;
}

static bool is_decaying(const Linear *l, int i, double eps)
{
    return l->re[i] < -eps - 1e-7 * hypot(l->re[i], l->im[i]);
}

static bool is_growing(const Linear *l, int i, double eps)
{
    return l->re[i] > eps + 1e-7 * hypot(l->re[i], l->im[i]);
}

/* The growth of the decaying mode that grows most. */
static double worst(const Linear *l, const Method *m, double h, double eps)
{
    double most = 0;
    for (int i = 0; i < l->nx; i++)
        if (is_decaying(l, i, eps))
            most = fmax(most, theory_growth(m, h * l->re[i], h * l->im[i]));
    return most;
}

static const double ONE = 1 + 1e-9;

static double largest_step(const Linear *l, const Method *m, double h,
                           double eps)
{
    double high = h, low = h;
    for (int n = 0; worst(l, m, low, eps) > ONE; n++) {
        if (n == 80)
            return 0;
        high = low;
        low /= 2;
    }
    for (int n = 0; n < 40; n++) {
        double mid = 0.5 * (low + high);
        if (worst(l, m, mid, eps) > ONE)
            high = mid;
        else
            low = mid;
    }
    return low;
}

static const double RINGS = 0.1; /* the largest damping that lets a mode ring */
static const double LOST = 0.7;  /* half of the amplitude is gone */

double stability_loss(const Method *m, double h, double length, double re,
                      double im)
{
    if (re > 0 || -re > RINGS * hypot(re, im))
        return 0;
    double seen = re < 0 ? fmin(length, -3 / re) : length;
    double g = theory_growth(m, h * re, h * im);
    return g > 0 ? fmax(0, (re - log(g) / h) * seen) : INFINITY;
}

/* A mode that the model makes grow: does the method damp it, or make something
 * else of it? */
static void see_growing(StabilityReport *r, const Linear *l, int i, double h,
                        double g)
{
    double exact = exp(h * l->re[i]);
    if (g < 1 - 1e-9) {
        r->nhidden++;
        if (r->hidden == NONE || g < r->damping) {
            r->hidden = i;
            r->damping = g;
        }
    } else if (!(g > 0.5 * exact && g < 2 * exact)) {
        r->nmissed++;
        if (r->missed == NONE || l->re[i] > l->re[r->missed]) {
            r->missed = i;
            r->wrong = g;
        }
    }
}

static void see_lost(StabilityReport *r, const Linear *l, int i,
                     const Method *m, double h, double length)
{
    double loss = stability_loss(m, h, length, l->re[i], l->im[i]);
    if (!(loss > LOST))
        return;
    r->nlost++;
    if (r->lost == NONE || loss > r->loss) {
        r->lost = i;
        r->loss = loss;
    }
}

StabilityReport stability_look(const Linear *l, const Method *m, double h,
                               double length)
{
    StabilityReport r = {.unstable = NONE,
                         .hidden = NONE,
                         .lost = NONE,
                         .missed = NONE,
                         .growth = ONE,
                         .damping = 1 - 1e-9};
    double eps = rounding(l);
    for (int i = 0; i < l->nx; i++) {
        if (l->im[i] < 0)
            continue; /* its partner was looked at */
        double g = theory_growth(m, h * l->re[i], h * l->im[i]);
        if (is_decaying(l, i, eps) && g > ONE) {
            r.nunstable++;
            if (r.unstable == NONE || g > r.growth) {
                r.unstable = i;
                r.growth = g;
            }
        }
        if (is_growing(l, i, eps))
            see_growing(&r, l, i, h, g);
        else
            see_lost(&r, l, i, m, h, length);
    }
    if (r.unstable != NONE)
        r.largest = largest_step(l, m, h, eps);
    return r;
}

/* ---- to the user ---- */

static const char *eigenvalue_text(const Linear *l, int i, Arena *arena)
{
    if (l->im[i] == 0)
        return arena_printf(arena, "%.3g", l->re[i]);
    return arena_printf(arena, "%.3g +- %.3gi", l->re[i], fabs(l->im[i]));
}

static const char *others(int n, Arena *arena)
{
    if (n <= 1)
        return "";
    return arena_printf(arena, ", and %d other%s", n - 1, n > 2 ? "s" : "");
}

static void say_unstable(const Linear *l, const Method *m, double h,
                         const StabilityReport *r, const char *when, Span span,
                         Arena *arena, Diag *diag)
{
    diag_report(diag, span, DIAG_W1350,
                "%s with a step of %g makes a mode of %s grow by %.3g per "
                "step that the model damps (eigenvalue %s)%s%s",
                m->name, h, linear_mode_states(l, r->unstable, arena),
                r->growth, eigenvalue_text(l, r->unstable, arena),
                others(r->nunstable, arena), when);
    if (r->largest > 0)
        diag_note(diag, NO_SPAN,
                  "the largest stable step is %.4g at the %s; an "
                  "L-stable method such as radau3 has no such limit",
                  r->largest, *when ? "point" : "start point");
}

/* The step that leaves nine tenths of the mode. */
static double step_that_keeps(const Linear *l, int i, const Method *m, double h,
                              double length)
{
    for (int n = 0; n < 40; n++, h /= 2)
        if (stability_loss(m, h, length, l->re[i], l->im[i]) < 0.1)
            return h;
    return 0;
}

static void say_lost(const Linear *l, const Method *m, double h, double length,
                     const StabilityReport *r, const char *when, Span span,
                     Arena *arena, Diag *diag)
{
    double re = l->re[r->lost], im = l->im[r->lost], size = hypot(re, im);
    double left = exp(-r->loss),
           keeps = step_that_keeps(l, r->lost, m, h, length);
    diag_report(diag, span, DIAG_W1355,
                "%s with a step of %g damps a mode of %s away that rings in "
                "the model at %.3g Hz with a damping of %.2g: to %.2g of what "
                "it is after %.3g s%s%s",
                m->name, h, linear_mode_states(l, r->lost, arena),
                fabs(im) / (2 * acos(-1)), fabs(re) / size, left,
                re < 0 ? fmin(length, -3 / re) : length,
                others(r->nlost, arena), when);
    if (keeps > 0)
        diag_note(diag, NO_SPAN,
                  "a step of %.2g keeps nine tenths of it; methods of higher "
                  "order (trapezoid, radau5, rodas4) keep it at larger steps",
                  keeps);
}

void stability_warn(const Linear *l, const Method *m, double h, double length,
                    double time, Span span, StabilitySaid *said, Arena *arena,
                    Diag *diag)
{
    StabilityReport r = stability_look(l, m, h, length);
    const char *when =
        isnan(time) ? "" : arena_printf(arena, ", at time %g", time);
    if (r.unstable != NONE && !said->unstable)
        say_unstable(l, m, h, &r, when, span, arena, diag);
    if (r.hidden != NONE && !said->hidden)
        diag_report(diag, span, DIAG_W1351,
                    "%s with a step of %g damps a mode of %s by %.3g per step "
                    "that grows in the model (eigenvalue %s)%s%s: the run will "
                    "look stable; take a smaller step",
                    m->name, h, linear_mode_states(l, r.hidden, arena),
                    r.damping, eigenvalue_text(l, r.hidden, arena),
                    others(r.nhidden, arena), when);
    else if (r.missed != NONE && !said->hidden)
        diag_report(diag, span, DIAG_W1351,
                    "a mode of %s grows by %.3g in a step of %g (eigenvalue "
                    "%s)%s%s, and %s makes %.3g of it: the step is too long to "
                    "follow it",
                    linear_mode_states(l, r.missed, arena),
                    exp(h * l->re[r.missed]), h,
                    eigenvalue_text(l, r.missed, arena),
                    others(r.nmissed, arena), when, m->name, r.wrong);
    if (r.lost != NONE && !said->lost)
        say_lost(l, m, h, length, &r, when, span, arena, diag);
    said->unstable |= r.unstable != NONE;
    said->hidden |= r.hidden != NONE || r.missed != NONE;
    said->lost |= r.lost != NONE;
}

/* ---- a choice ---- */

enum { MOST_PARTS = 20 };
static const double RESOLVED = 0.5; /* h |lambda| of a resolved mode */

static double speed(const Linear *l, int i)
{
    return hypot(l->re[i], l->im[i]);
}

/* The fastest mode, of all or of those that ring: |Im| > |Re|; or NONE. */
static int fastest(const Linear *l, bool rings)
{
    int best = NONE;
    for (int i = 0; i < l->nx; i++)
        if ((!rings || fabs(l->im[i]) > fabs(l->re[i])) &&
            (best == NONE || speed(l, i) > speed(l, best)))
            best = i;
    return best;
}

/* Into how many parts `step` must be cut to resolve mode i. */
static double parts_for(const Linear *l, int i, double step)
{
    return i == NONE ? 1 : fmax(1, ceil(step * speed(l, i) / RESOLVED));
}

StabilityChoice stability_choose(const Linear *l, double step, bool is_constant,
                                 bool has_events, Arena *arena)
{
    int fast = fastest(l, false), ring = fastest(l, true);
    double parts = parts_for(l, fast, step);
    StabilityChoice c = {"radau3", step, NULL};
    const char *mode = fast == NONE
                           ? "no modes"
                           : arena_printf(arena, "fastest mode %s of %s",
                                          eigenvalue_text(l, fast, arena),
                                          linear_mode_states(l, fast, arena));
    if (parts <= MOST_PARTS && is_constant && !has_events) {
        c.method = "rk4";
        c.step = step / parts;
        c.why = arena_printf(arena, "%s, step %g: linear and not stiff, %s",
                             c.method, c.step, mode);
        return c;
    }
    bool is_stiff = parts > MOST_PARTS;
    c.step =
        step / fmin(parts_for(l, is_stiff ? ring : fast, step), MOST_PARTS);
    c.why = arena_printf(
        arena, "%s, step %g: %s, %s", c.method, c.step,
        is_stiff     ? "stiff"
        : has_events ? "not stiff now, but events can change that"
                     : "not stiff now, but a nonlinear model can become so",
        mode);
    return c;
}
