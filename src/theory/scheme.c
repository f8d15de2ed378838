/* scheme.c - one-step methods in one form, and their stability function.
 *
 * Linearly implicit Euler and its extrapolation stand in the table as implicit
 * tableaux; with one Newton iteration from the stage before, stage i is
 *     k_i = h f(x + sum_{j<i} a_ij k_j) + h J a_ii k_i :
 * alpha is the part below the diagonal, gamma the diagonal. A cycle of n parts
 * is one method over n steps: the stages of a later part begin where the one
 * before it ended. (Order conditions take a unit step: everything over n.) */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "theory/theory_internal.h"

static Scheme *scheme_new(int s, bool has_gamma, Arena *arena)
{
    Scheme *x = NEW(arena, Scheme);
    x->s = s;
    x->nstep = 1;
    x->alpha = poly_new(s * s, arena).c;
    x->beta = poly_new(s * s, arena).c;
    x->gamma = has_gamma ? poly_new(s * s, arena).c : NULL;
    x->b = poly_new(s, arena).c;
    return x;
}

static const Scheme *of_rk(const Method *m, Arena *arena)
{
    int s = m->nstage;
    bool is_linear = m->newton == 1 && m->is_diagonal && !m->is_explicit;
    Scheme *x = scheme_new(s, is_linear, arena);
    for (int i = 0; i < s * s; i++) {
        x->beta[i] = m->exact[i];
        if (is_linear && i % (s + 1) == 0)
            x->gamma[i] = m->exact[i];
        else
            x->alpha[i] = m->exact[i];
    }
    memcpy(x->b, m->exact + s * s, sizeof *x->b * (size_t)s);
    x->b_hat = (Exact *)m->exact_hat;
    return x;
}

static const Scheme *of_rosenbrock(const Method *m, Arena *arena)
{
    int s = m->nstage;
    Scheme *x = scheme_new(s, true, arena);
    memcpy(x->alpha, m->exact, sizeof *x->b * (size_t)(s * s));
    memcpy(x->gamma, m->exact + s * s, sizeof *x->b * (size_t)(s * s));
    memcpy(x->b, m->exact + 2 * s * s, sizeof *x->b * (size_t)s);
    for (int i = 0; i < s * s; i++)
        x->beta[i] = exact_add(x->alpha[i], x->gamma[i]);
    x->b_hat = (Exact *)m->exact_hat;
    return x;
}

static const Scheme *of_cycle(const Method *m, Arena *arena)
{
    int s = 0, first = 0;
    for (int p = 0; p < m->npart; p++) {
        if (m->part[p]->kind != MK_RK)
            return NULL;
        s += m->part[p]->nstage;
    }
    Scheme *x = scheme_new(s, false, arena);
    x->nstep = m->npart;
    for (int p = 0; p < m->npart; p++) {
        const Method *q = m->part[p];
        int n = q->nstage;
        for (int i = first; i < first + n; i++) {
            for (int j = 0; j < first; j++)
                x->beta[i * s + j] = x->b[j];
            for (int j = 0; j < n; j++)
                x->beta[i * s + first + j] = q->exact[(i - first) * n + j];
        }
        for (int j = 0; j < n; j++)
            x->b[first + j] = q->exact[n * n + j];
        first += n;
    }
    memcpy(x->alpha, x->beta, sizeof *x->b * (size_t)(s * s));
    return x;
}

const Scheme *scheme_of(const Method *m, Arena *arena)
{
    switch (m->kind) {
    case MK_RK: return of_rk(m, arena);
    case MK_ROSENBROCK: return of_rosenbrock(m, arena);
    case MK_CYCLE: return of_cycle(m, arena);
    case MK_MULTISTEP:
    case MK_ONELEG:
    case MK_NONE: break;
    }
    return NULL;
}

/* ---- F(z) = 1 + z b' (I - z beta)^-1 1 ---- */

static bool is_triangular(const Scheme *x)
{
    for (int i = 0; i < x->s; i++)
        for (int j = i + 1; j < x->s; j++)
            if (exact_sign(x->beta[i * x->s + j]) != 0)
                return false;
    return true;
}

static void multiply(const Exact *a, const Exact *b, int n, Exact *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Exact sum = exact_of(0, 1);
            for (int k = 0; k < n; k++)
                sum = exact_add(sum, exact_mul(a[i * n + k], b[k * n + j]));
            c[i * n + j] = sum;
        }
}

/* det(I - z A) by Faddeev and Leverrier: M_k = A M_{k-1} + c_k I. */
static Poly characteristic(const Scheme *x, Arena *arena)
{
    int n = x->s;
    Poly p = poly_new(n, arena);
    Exact *m = poly_new(n * n, arena).c, *am = poly_new(n * n, arena).c;
    p.c[0] = exact_of(1, 1);
    for (int i = 0; i < n; i++)
        m[i * n + i] = exact_of(1, 1);
    for (int k = 1; k <= n; k++) {
        multiply(x->beta, m, n, am);
        Exact trace = exact_of(0, 1);
        for (int i = 0; i < n; i++)
            trace = exact_add(trace, am[i * n + i]);
        p.c[k] = exact_div(exact_neg(trace), exact_of(k, 1));
        memcpy(m, am, sizeof *m * (size_t)(n * n));
        for (int i = 0; i < n; i++)
            m[i * n + i] = exact_add(m[i * n + i], p.c[k]);
    }
    return poly_trim(p);
}

Poly scheme_down(const Scheme *x, Arena *arena)
{
    if (!is_triangular(x))
        return characteristic(x, arena);
    Poly p = poly_one(arena);
    for (int i = 0; i < x->s; i++) {
        Poly f = poly_new(1, arena);
        f.c[0] = exact_of(1, 1);
        f.c[1] = exact_neg(x->beta[i * x->s + i]);
        p = poly_mul(p, poly_trim(f), arena);
    }
    return p;
}

/* up = down (1 + sum_k z^k b' beta^(k-1) 1), of degree s at most. */
Poly scheme_up(const Scheme *x, Poly down, Arena *arena)
{
    int s = x->s;
    Poly series = poly_new(s, arena);
    Exact *v = poly_new(s, arena).c, *w = poly_new(s, arena).c;
    series.c[0] = exact_of(1, 1);
    for (int i = 0; i < s; i++)
        v[i] = exact_of(1, 1);
    for (int k = 1; k <= s; k++) {
        for (int i = 0; i < s; i++) {
            series.c[k] = exact_add(series.c[k], exact_mul(x->b[i], v[i]));
            w[i] = exact_of(0, 1);
            for (int j = 0; j < s; j++)
                w[i] = exact_add(w[i], exact_mul(x->beta[i * s + j], v[j]));
        }
        memcpy(v, w, sizeof *v * (size_t)s);
    }
    Poly up = poly_mul(down, series, arena);
    up.n = s < up.n ? s : up.n;
    return poly_trim(up);
}
