/* poly.c - sums, products, signs of polynomials with exact coefficients.
 *
 * Signs on x > 0 by Sturm's sequence: with no zero there the sign of the last
 * coefficient is that of all values. A zero of even order is no change of
 * sign; then, and where coefficients are not exact, values on a fine grid
 * decide, and the answer is not called exact. Remainders are scaled to a
 * leading coefficient of +-1, which keeps their numbers small. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/poly.h"

#include <math.h>
#include <string.h>

Poly poly_new(int n, Arena *arena)
{
    Poly p = {n, NEW_ARRAY(arena, Exact, n < 0 ? 1 : n + 1)};
    for (int i = 0; i <= n; i++)
        p.c[i] = exact_of(0, 1);
    return p;
}

Poly poly_one(Arena *arena)
{
    Poly p = poly_new(0, arena);
    p.c[0] = exact_of(1, 1);
    return p;
}

Poly poly_trim(Poly a)
{
    while (a.n >= 0 && exact_sign(a.c[a.n]) == 0)
        a.n--;
    return a;
}

Poly poly_mul(Poly a, Poly b, Arena *arena)
{
    Poly p = poly_new(a.n < 0 || b.n < 0 ? -1 : a.n + b.n, arena);
    for (int i = 0; i <= a.n && p.n >= 0; i++)
        for (int j = 0; j <= b.n; j++)
            p.c[i + j] = exact_add(p.c[i + j], exact_mul(a.c[i], b.c[j]));
    return p;
}

Poly poly_sub(Poly a, Poly b, Arena *arena)
{
    Poly p = poly_new(a.n > b.n ? a.n : b.n, arena);
    for (int i = 0; i <= p.n; i++) {
        if (i <= a.n)
            p.c[i] = a.c[i];
        if (i <= b.n)
            p.c[i] = exact_sub(p.c[i], b.c[i]);
    }
    return p;
}

bool poly_is_exact(Poly a)
{
    for (int i = 0; i <= a.n; i++)
        if (!a.c[i].is_exact)
            return false;
    return true;
}

Exact poly_value(Poly a, Exact x)
{
    Exact sum = exact_of(0, 1);
    for (int i = a.n; i >= 0; i--)
        sum = exact_add(exact_mul(sum, x), a.c[i]);
    return sum;
}

/* ---- signs ---- */

/* The remainder of a / b with its sign changed, scaled. */
static Poly next_of_sturm(Poly a, Poly b, Arena *arena)
{
    Poly r = poly_new(a.n, arena);
    memcpy(r.c, a.c, sizeof *r.c * (size_t)(a.n + 1));
    for (int k = a.n; k >= b.n; k--) {
        Exact f = exact_div(r.c[k], b.c[b.n]);
        for (int j = 0; j <= b.n; j++)
            r.c[k - b.n + j] =
                exact_sub(r.c[k - b.n + j], exact_mul(f, b.c[j]));
        r.c[k] = exact_of(0, 1);
    }
    r.n = b.n - 1;
    r = poly_trim(r);
    if (r.n < 0)
        return r;
    Exact lead = r.c[r.n];
    if (exact_sign(lead) > 0)
        lead = exact_neg(lead);
    for (int i = 0; i <= r.n; i++)
        r.c[i] = exact_div(r.c[i], lead);
    return r;
}

static Poly derivative(Poly a, Arena *arena)
{
    Poly p = poly_new(a.n - 1, arena);
    for (int i = 1; i <= a.n; i++)
        p.c[i - 1] = exact_mul(a.c[i], exact_of(i, 1));
    return p;
}

/* Number of different zeros in x > 0; a(0) != 0. */
static int count_zeros(Poly a, bool *is_exact, Arena *arena)
{
    int low = 0, high = 0, low_sign = 0, high_sign = 0;
    Poly p = a, q = derivative(a, arena);
    while (p.n >= 0) {
        *is_exact &= poly_is_exact(p);
        int s = exact_sign(p.c[0]);
        if (s != 0 && low_sign != 0 && s != low_sign)
            low++;
        low_sign = s != 0 ? s : low_sign;
        s = exact_sign(p.c[p.n]);
        if (high_sign != 0 && s != high_sign)
            high++;
        high_sign = s;
        if (q.n < 0)
            break;
        Poly r = next_of_sturm(p, q, arena);
        p = q;
        q = r;
    }
    return low - high;
}

/* The value at 10^(k/400) over the sum of the sizes of its terms. */
static long double relative_at(Poly a, int k, double *x_out)
{
    long double x = powl(10, k / 400.0L), sum = 0, size = 0;
    for (int i = a.n; i >= 0; i--) {
        sum = sum * x + a.c[i].x;
        size = size * x + fabsl(a.c[i].x);
    }
    *x_out = (double)x;
    return sum / size;
}

/* Looks for negative values on a grid of x > 0: the first that is a fifth of
 * the most negative one. */
static bool has_negative(Poly a, double *low)
{
    long double least = 0;
    for (int k = -4000; k <= 4000; k++)
        least = fminl(least, relative_at(a, k, low));
    if (least > -1e-13L)
        return false;
    for (int k = -4000; k <= 4000; k++)
        if (relative_at(a, k, low) < 0.2L * least)
            break;
    return true;
}

static bool has_negative_coefficient(Poly a)
{
    for (int i = 0; i <= a.n; i++)
        if (exact_sign(a.c[i]) < 0)
            return true;
    return false;
}

bool poly_is_positive(Poly a, bool *is_exact, double *low, Arena *arena)
{
    *is_exact = poly_is_exact(a); /* what was rounded to 0 is no proof */
    a = poly_trim(a);
    while (a.n > 0 && exact_sign(a.c[0]) == 0) {
        a.c++; /* a factor x */
        a.n--;
    }
    if (a.n < 0 || !has_negative_coefficient(a))
        return true;
    if (has_negative(a, low))
        return false; /* a value is as good as a proof */
    int zeros = *is_exact ? count_zeros(a, is_exact, arena) : 0;
    if (zeros > 0)
        *is_exact = false;
    return exact_sign(a.c[a.n]) > 0;
}

bool poly_is_stable(Poly a, bool *is_exact, Arena *arena)
{
    *is_exact = poly_is_exact(a); /* what was rounded to 0 is no proof */
    a = poly_trim(a);
    int n = a.n, width = n / 2 + 1;
    if (n < 1)
        return true;
    Exact *row[2];
    for (int k = 0; k < 2; k++) {
        row[k] = poly_new(width, arena).c;
        for (int i = 0; n - k - 2 * i >= 0; i++)
            row[k][i] = a.c[n - k - 2 * i];
    }
    int sign = exact_sign(row[0][0]);
    for (int k = 1; k <= n; k++) {
        if (exact_sign(row[1][0]) != sign)
            return false;
        Exact f = exact_div(row[0][0], row[1][0]);
        for (int i = 0; i < width; i++)
            row[0][i] = exact_sub(row[0][i + 1], exact_mul(f, row[1][i + 1]));
        Exact *t = row[0];
        row[0] = row[1];
        row[1] = t;
        *is_exact &= row[1][0].is_exact || k == n;
    }
    return true;
}

Poly poly_unfold(Poly a, Arena *arena)
{
    Poly sum = poly_new(a.n, arena);
    for (int k = 0; k <= a.n; k++) { /* c_k (1-x)^k (1+x)^(n-k) */
        Poly p = poly_one(arena);
        p.c[0] = a.c[k];
        for (int i = 0; i < a.n; i++) {
            Poly f = poly_new(1, arena);
            f.c[0] = exact_of(1, 1);
            f.c[1] = exact_of(i < k ? -1 : 1, 1);
            p = poly_mul(p, f, arena);
        }
        for (int i = 0; i <= p.n; i++)
            sum.c[i] = exact_add(sum.c[i], p.c[i]);
    }
    return sum;
}

/* ---- text ---- */

static const char *term_text(Exact c, const char *z, int k, Arena *arena)
{
    const char *power = k == 0   ? ""
                        : k == 1 ? z
                                 : arena_printf(arena, "%s^%d", z, k);
    bool is_one = c.is_exact && c.p == 1 && c.q == 0 && c.r == 1;
    if (is_one && k > 0)
        return power;
    const char *text = exact_text(c, arena);
    if (c.q != 0 && c.p != 0 && c.r == 1 && k > 0)
        text = arena_printf(arena, "(%s)", text);
    return k == 0 ? text : arena_printf(arena, "%s %s", text, power);
}

const char *poly_text(Poly a, const char *z, Arena *arena)
{
    const char *text = "";
    for (int k = 0; k <= a.n; k++) {
        int sign = exact_sign(a.c[k]);
        if (sign == 0)
            continue;
        Exact c = sign < 0 ? exact_neg(a.c[k]) : a.c[k];
        const char *term = term_text(c, z, k, arena);
        if (!*text)
            text = arena_printf(arena, "%s%s", sign < 0 ? "-" : "", term);
        else
            text = arena_printf(arena, "%s %c %s", text, sign < 0 ? '-' : '+',
                                term);
    }
    return *text ? text : "0";
}
