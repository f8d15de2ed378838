/* stability.c - A-, L- and stiff stability of one-step methods, and what is
 * seen along rays of every method. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <complex.h>
#include <math.h>

#include "theory/theory_internal.h"

static const double ONE = 1 + 1e-9;

static long double size_at(Poly p, long double complex z)
{
    long double complex sum = 0;
    for (int i = p.n; i >= 0; i--)
        sum = sum * z + p.c[i].x;
    return cabsl(sum);
}

/* |F| per step; of one-step methods by up / down, which is quick. */
static double growth(const Theory *t, double re, double im)
{
    if (!t->is_rational)
        return theory_growth(t->m, re, im);
    long double complex z = re + im * I;
    long double g = size_at(t->up, z) / size_at(t->down, z);
    return t->nstep > 1 ? (double)powl(g, 1.0L / t->nstep) : (double)g;
}

/* p(iy) p(-iy) in w = y^2 */
static Poly square_on_axis(Poly p, Arena *arena)
{
    Poly mirror = poly_new(p.n, arena);
    for (int i = 0; i <= p.n; i++)
        mirror.c[i] = i % 2 ? exact_neg(p.c[i]) : p.c[i];
    Poly full = poly_mul(p, mirror, arena);
    Poly half = poly_new(p.n, arena);
    for (int i = 0; i <= p.n; i++)
        half.c[i] = i % 2 ? exact_neg(full.c[2 * i]) : full.c[2 * i];
    return half;
}

/* p(-z), whose zeros must lie on the left. */
static Poly mirrored(Poly p, Arena *arena)
{
    Poly q = poly_new(p.n, arena);
    for (int i = 0; i <= p.n; i++)
        q.c[i] = i % 2 ? exact_neg(p.c[i]) : p.c[i];
    return q;
}

/* Where |F(iy)| is largest, or twice 1; `y`: where it was seen to exceed 1. */
static const char *growing_text(const Theory *t, double y, Arena *arena)
{
    double most = growth(t, 0, y);
    for (int k = -200; k <= 200 && !(most > 2); k++) {
        double g = growth(t, 0, pow(10, k / 100.0));
        if (g > most) {
            most = g;
            y = pow(10, k / 100.0);
        }
    }
    return arena_printf(arena, "|F(iy)| = %.6g at y = %.4g",
                        pow(most, t->nstep), y);
}

static void decide_a(Theory *t, Arena *arena)
{
    bool poles_exact = true, axis_exact = true;
    double low = 0;
    bool poles = poly_is_stable(mirrored(t->down, arena), &poles_exact, arena);
    Poly e = poly_sub(square_on_axis(t->down, arena),
                      square_on_axis(t->up, arena), arena);
    bool axis = poly_is_positive(e, &axis_exact, &low, arena);
    t->a.yes = poles && axis;
    t->a.is_proven = t->a.yes ? poles_exact && axis_exact
                     : !axis  ? axis_exact
                              : poles_exact;
    if (t->a.yes)
        t->a.why = arena_printf(arena,
                                "E = %s >= 0 for w = y^2 > 0; poles on "
                                "the right by Routh",
                                poly_text(poly_trim(e), "w", arena));
    else if (!axis)
        t->a.why = growing_text(t, sqrt(low), arena);
    else
        t->a.why = "F has a pole in the left half-plane";
}

static void decide_l(Theory *t, Arena *arena)
{
    bool vanishes = t->up.n < t->down.n;
    t->l = (Verdict){t->a.yes && vanishes, t->a.is_proven, NULL};
    const char *first = t->a.yes ? "" : "not A-stable; ";
    if (vanishes)
        t->l.why = arena_printf(arena,
                                "%sF has degree %d over %d: it goes to 0 far "
                                "out",
                                first, t->up.n, t->down.n);
    else if (t->up.n > t->down.n)
        t->l.why = "|F| grows without bound far to the left";
    else
        t->l.why = arena_printf(arena, "|F| goes to %.4g far to the left",
                                t->infinity);
}

/* |F| far out: the ratio of the highest terms, per step. */
static double far_out(const Theory *t)
{
    if (t->up.n < t->down.n)
        return 0;
    if (t->up.n > t->down.n)
        return INFINITY;
    Exact ratio = exact_div(t->up.c[t->up.n], t->down.c[t->down.n]);
    return pow(fabs(exact_double(ratio)), 1.0 / t->nstep);
}

static bool is_stable_along(const Theory *t, double angle, double *until)
{
    *until = INFINITY;
    for (int k = -1200; k <= 2400; k++) {
        double r = pow(10, k / 300.0);
        if (growth(t, -r * cos(angle), r * sin(angle)) > ONE) {
            *until = r;
            return false;
        }
    }
    return true;
}

/* The end of the stable part of a ray, between two points of its grid. */
static double refine(const Theory *t, double angle, double until)
{
    if (!isfinite(until))
        return until;
    double high = until, low = until / pow(10, 1 / 300.0);
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (low + high);
        if (growth(t, -mid * cos(angle), mid * sin(angle)) > ONE)
            high = mid;
        else
            low = mid;
    }
    return low < 1e-3 ? 0 : low;
}

static double find_angle(const Theory *t)
{
    const double half = acos(0);
    double low = 0, high = half, until;
    if (!is_stable_along(t, 0, &until))
        return 0;
    if (is_stable_along(t, half, &until))
        return 90;
    for (int i = 0; i < 16; i++) {
        double mid = 0.5 * (low + high);
        if (is_stable_along(t, mid, &until))
            low = mid;
        else
            high = mid;
    }
    return low * 90 / half;
}

/* The axis near the origin: |F(iy)| = 1 + c y^k with c < 0 or none. */
static double imaginary_limit(const Theory *t)
{
    double until;
    const double half = acos(0);
    if (t->a.yes)
        return INFINITY;
    /* what grows by less than 1e-9 per step near 0 grows all the same */
    if (growth(t, 0, 0.05) > 1 + 1e-14 || growth(t, 0, 0.2) > 1 + 1e-13)
        return 0;
    is_stable_along(t, half, &until);
    return refine(t, half, until);
}

void theory_look(Theory *t)
{
    double until;
    is_stable_along(t, 0, &until);
    t->real = refine(t, 0, until);
    t->imaginary = imaginary_limit(t);
}

/* Stable left of which abscissa? The domain of a one-step method is looked at
 * along lines parallel to the axis. */
static bool is_stable_at(const Theory *t, double re)
{
    for (int k = -600; k <= 1600; k++) {
        double y = pow(10, k / 200.0);
        if (growth(t, re, y) > ONE)
            return false;
    }
    return growth(t, re, 0) <= ONE;
}

static double find_gear(const Theory *t)
{
    double high = 1e4, low = 0;
    if (!is_stable_at(t, -high))
        return INFINITY;
    for (int i = 0; i < 60 && high - low > 1e-6 * high; i++) {
        double mid = 0.5 * (low + high);
        if (is_stable_at(t, -mid))
            high = mid;
        else
            low = mid;
    }
    return high;
}

void onestep_axis(Theory *t, Arena *arena)
{
    decide_a(t, arena);
    t->infinity = far_out(t);
}

void onestep_stability(Theory *t, Arena *arena)
{
    t->is_zero_stable = true;
    onestep_axis(t, arena);
    theory_look(t);
    decide_l(t, arena);
    t->angle = t->a.yes ? 90 : find_angle(t);
    t->gear = t->a.yes ? 0 : t->angle > 0 ? find_gear(t) : INFINITY;
    bool stiff = isfinite(t->gear);
    t->stiff = (Verdict){stiff, t->a.yes && t->a.is_proven, NULL};
    if (stiff)
        t->stiff.why =
            arena_printf(arena,
                         "stable for Re z < %.4g and for |arg(-z)| < %.2f "
                         "degrees",
                         t->gear > 0 ? -t->gear : 0, t->angle);
    else
        t->stiff.why = "unstable far to the left";
}
