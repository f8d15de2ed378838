/* multistep.c - order and stability of sum alpha_k x_{n+1-k} = h sum beta_k
 * x'_{n+1-k}, and of one-leg methods, which have the same F(z).
 *
 * With rho and sigma the polynomials of alpha and beta, z = rho(w)/sigma(w)
 * for w on the unit circle bounds the stability domain. With w = e^(i theta),
 *
 *     Re rho(w) conj(sigma(w)) = sum_jk alpha_j beta_k cos((j-k) theta)
 *
 * is a polynomial in c = cos theta; not negative on [-1, 1], it keeps the curve
 * out of the left half-plane (Hairer, Wanner II, V.1). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <complex.h>
#include <math.h>

#include "base/die.h"
#include "base/lapack.h"
#include "theory/theory_internal.h"

enum { MOST_BACK = 16 };

static Exact power(long x, int n)
{
    Exact p = exact_of(1, 1);
    for (int i = 0; i < n; i++)
        p = exact_mul(p, exact_of(x, 1));
    return p;
}

static const Exact *beta_of(const Method *m)
{
    return m->exact + m->nback + 1;
}

static Exact sum_beta(const Method *m)
{
    Exact sum = exact_of(0, 1);
    for (int k = 0; k <= m->nback; k++)
        sum = exact_add(sum, beta_of(m)[k]);
    return sum;
}

/* How (t - t_{n+1})^q / q! fails the formula, with unit step. One-leg methods
 * take the derivative at sum beta_k t_{n+1-k}. */
static Exact defect(const Method *m, int q)
{
    Exact sum = exact_of(0, 1), slope = exact_of(0, 1), at = exact_of(0, 1);
    const Exact *beta = beta_of(m);
    Exact factorial = exact_of(1, 1);
    for (int k = 0; k <= m->nback; k++) {
        sum = exact_add(sum, exact_mul(m->exact[k], power(-k, q)));
        at = exact_add(at, exact_mul(beta[k], exact_of(-k, 1)));
        if (q > 0)
            slope = exact_add(slope, exact_mul(beta[k], power(-k, q - 1)));
    }
    if (m->kind == MK_ONELEG && q > 0) {
        slope = exact_of(1, 1);
        for (int i = 1; i < q; i++)
            slope = exact_mul(slope, at);
    }
    for (int i = 2; i <= q; i++)
        factorial = exact_mul(factorial, exact_of(i, 1));
    sum = exact_sub(sum, exact_mul(slope, exact_of(q, 1)));
    return exact_div(sum, factorial);
}

static bool holds(Exact d)
{
    return d.is_exact ? exact_sign(d) == 0 : fabsl(d.x) < 1e-11L;
}

OrderTest multistep_order(const Method *m)
{
    OrderTest test = {.order = -1, .is_exact = true};
    for (int q = 0; q <= 2 * MOST_BACK; q++) {
        Exact d = defect(m, q);
        if (!holds(d)) {
            test.next_defect = fabs((double)d.x);
            break;
        }
        test.is_exact &= d.is_exact;
        test.defect = fmax(test.defect, fabs((double)d.x));
        test.order = q;
        test.ncondition++;
    }
    if (m->kind == MK_ONELEG && !holds(exact_sub(sum_beta(m), exact_of(1, 1))))
        test.order = -1; /* its point in time is not its point in x */
    if (test.order < 0)
        test.order = 0;
    return test;
}

Exact multistep_constant(const Method *m, int order)
{
    Exact sum = sum_beta(m);
    if (exact_sign(sum) == 0)
        return exact_near(NAN);
    return exact_div(exact_neg(defect(m, order + 1)), sum);
}

/* ---- stability ---- */

static int find_roots(const double *c, int n, double complex *root)
{
    while (n > 0 && c[0] == 0) {
        c++;
        n--;
    }
    double complex a[MOST_BACK * MOST_BACK] = {0}, none[1];
    if (n <= 0)
        return 0;
    for (int k = 1; k <= n; k++)
        a[(k - 1) * n] = -c[k] / c[0];
    for (int k = 1; k < n; k++)
        a[(k - 1) * n + k] = 1;
    int info = lapack()->zgeev(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, root, none,
                               1, none, 1);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        die("out of memory");
    return info == 0 ? n : 0;
}

double multistep_far_out(const Method *m)
{
    double complex root[MOST_BACK];
    double most = m->beta[0] == 0 ? INFINITY : 0;
    int n = find_roots(m->beta, m->nback, root);
    for (int i = 0; i < n; i++)
        most = fmax(most, cabs(root[i]));
    return most;
}

/* No root outside the unit circle, none twice on it. */
static bool satisfies_roots(const double *c, int n)
{
    double complex root[MOST_BACK];
    int count = find_roots(c, n, root);
    for (int i = 0; i < count; i++) {
        if (cabs(root[i]) > 1 + 1e-7)
            return false;
        for (int j = 0; j < i; j++)
            if (cabs(root[i]) > 1 - 1e-7 && cabs(root[i] - root[j]) < 1e-6)
                return false;
    }
    return true;
}

/* Re rho conj(sigma) in c. */
static Poly real_part(const Method *m, Arena *arena)
{
    int n = m->nback;
    const Exact *beta = beta_of(m);
    Poly sum = poly_new(n, arena), low = poly_one(arena);
    Poly t = poly_new(1, arena), twice = poly_new(1, arena);
    t.c[1] = exact_of(1, 1);
    twice.c[1] = exact_of(2, 1);
    for (int q = 0; q <= n; q++) { /* low is Chebyshev's T_q */
        Exact f = exact_of(0, 1);
        for (int j = 0; j <= n; j++)
            for (int k = 0; k <= n; k++)
                if (j - k == q || k - j == q)
                    f = exact_add(f, exact_mul(m->exact[j], beta[k]));
        for (int i = 0; i <= low.n; i++)
            sum.c[i] = exact_add(sum.c[i], exact_mul(f, low.c[i]));
        Poly next = poly_sub(poly_mul(twice, t, arena), low, arena);
        low = t;
        t = next;
    }
    return sum;
}

static double complex locus(const Method *m, double angle)
{
    double complex rho = 0, sigma = 0;
    for (int k = 0; k <= m->nback; k++) {
        double complex w = cexp(-I * k * angle);
        rho += m->alpha[k] * w;
        sigma += m->beta[k] * w;
    }
    return rho / sigma;
}

/* The angle and the abscissa that the curve leaves free. */
static void follow_locus(Theory *t)
{
    enum { POINTS = 200000 };
    const double pi = acos(-1);
    double least = pi / 2, left = 0;
    for (int i = 1; i < POINTS; i++) {
        double complex z = locus(t->m, pi * i / POINTS);
        if (!isfinite(creal(z)) || cabs(z) < 1e-9)
            continue;
        if (creal(z) < -1e-12 * cabs(z)) {
            least = fmin(least, atan2(fabs(cimag(z)), -creal(z)));
            left = fmin(left, creal(z));
        }
    }
    t->angle = least * 180 / pi;
    t->gear = -left;
}

static void decide(Theory *t, Arena *arena)
{
    const Method *m = t->m;
    bool exact = true;
    double low = 0;
    Poly p = poly_unfold(real_part(m, arena), arena);
    bool curve = poly_is_positive(p, &exact, &low, arena);
    bool far = satisfies_roots(m->beta, m->nback) && m->beta[0] != 0;
    t->a.yes = curve && far && t->is_zero_stable;
    t->a.is_proven = exact;
    if (t->a.yes)
        t->a.why = "Re rho/sigma >= 0 on the unit circle (a polynomial of cos "
                   "by Sturm), roots of rho and sigma within it";
    else if (!t->is_zero_stable)
        t->a.why = "a root of rho lies outside the unit circle or twice on it";
    else if (!far)
        t->a.why = "a root of sigma lies outside the unit circle: unstable far "
                   "to the left";
    else
        t->a.why = arena_printf(
            arena, "the curve of roots of absolute value 1 reaches Re z = %.4g",
            -t->gear);
    bool stiff = far && t->is_zero_stable && isfinite(t->gear);
    t->stiff =
        (Verdict){stiff, false,
                  stiff ? arena_printf(arena,
                                       "stable for Re z < %.4g and for "
                                       "|arg(-z)| < %.2f degrees",
                                       t->gear > 0 ? -t->gear : 0, t->angle)
                        : "unstable far to the left"};
    if (!stiff) {
        t->angle = 0;
        t->gear = INFINITY;
    }
}

void multistep_stability(Theory *t, Arena *arena)
{
    const Method *m = t->m;
    t->is_overimplicit = m->alpha[0] == 0;
    t->is_zero_stable =
        !t->is_overimplicit && satisfies_roots(m->alpha, m->nback);
    follow_locus(t);
    decide(t, arena);
    if (t->is_overimplicit)
        t->a.why = "a root goes to infinity as z goes to 0: explicit "
                   "differentiation is unstable near the origin";
    t->infinity = multistep_far_out(m);
    double tail = 0;
    for (int k = 1; k <= m->nback; k++)
        tail += fabs(m->beta[k]);
    t->l.yes = t->a.yes && tail == 0 && m->beta[0] != 0;
    t->l.is_proven = t->a.is_proven;
    t->l.why = tail != 0  ? "sigma has roots that are not 0"
               : t->a.yes ? "sigma has its roots at 0"
                          : "not A-stable; sigma has its roots at 0";
}
