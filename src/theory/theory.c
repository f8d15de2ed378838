/* theory.c - order, error constant, stability function: put together. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/theory.h"

#include <math.h>
#include <string.h>

#include "theory/theory_internal.h"

static Exact inverse_factorial(int n)
{
    Exact f = exact_of(1, 1);
    for (int i = 2; i <= n; i++)
        f = exact_div(f, exact_of(i, 1));
    return f;
}

/* b' beta^p 1 - 1/(p+1)!; a cycle is one step of the sum of its lengths. */
static Exact scheme_constant(const Scheme *x, int p, Arena *arena)
{
    int s = x->s;
    Exact *v = poly_new(s, arena).c, *w = poly_new(s, arena).c;
    Exact sum = exact_of(0, 1);
    for (int i = 0; i < s; i++)
        v[i] = exact_of(1, 1);
    for (int k = 0; k < p; k++) {
        for (int i = 0; i < s; i++) {
            w[i] = exact_of(0, 1);
            for (int j = 0; j < s; j++)
                w[i] = exact_add(w[i], exact_mul(x->beta[i * s + j], v[j]));
        }
        memcpy(v, w, sizeof *v * (size_t)s);
    }
    for (int i = 0; i < s; i++)
        sum = exact_add(sum, exact_mul(x->b[i], v[i]));
    for (int k = 0; k <= p; k++)
        sum = exact_div(sum, exact_of(x->nstep, 1));
    return exact_sub(sum, inverse_factorial(p + 1));
}

/* The largest q with sum_j a_ij c_j^(k-1) = c_i^k / k for k <= q and all i. */
static int scheme_stage_order(const Scheme *x, int order)
{
    int s = x->s, q = 0;
    for (; q < order; q++)
        for (int i = 0; i < s; i++) {
            Exact ci = exact_of(0, 1), left = exact_of(0, 1);
            for (int j = 0; j < s; j++) {
                Exact cj = exact_of(0, 1);
                for (int k = 0; k < s; k++)
                    cj = exact_add(cj, x->alpha[j * s + k]);
                Exact power = exact_of(1, 1);
                for (int k = 0; k < q; k++)
                    power = exact_mul(power, cj);
                left = exact_add(left, exact_mul(x->alpha[i * s + j], power));
                if (j == i)
                    ci = cj;
            }
            Exact right = exact_of(1, q + 1);
            for (int k = 0; k <= q; k++)
                right = exact_mul(right, ci);
            if (exact_sign(exact_sub(left, right)) != 0)
                return q;
        }
    return q;
}

static void take_order(Theory *t, OrderTest o)
{
    t->order = o.order;
    t->order_is_exact = o.is_exact;
    t->defect = o.defect;
    t->next_defect = o.next_defect;
    t->ncondition = o.ncondition;
}

static void make_onestep(Theory *t, const Scheme *x, Arena *arena)
{
    t->nstep = x->nstep;
    take_order(t, trees_order(x, x->b, false));
    if (x->gamma)
        t->order_any = trees_order(x, x->b, true).order;
    else
        t->stage_order = scheme_stage_order(x, t->order);
    if (x->b_hat)
        t->order_hat = trees_order(x, x->b_hat, false).order;
    t->constant = scheme_constant(x, t->order, arena);
    t->is_rational = true;
    t->down = scheme_down(x, arena);
    t->up = scheme_up(x, t->down, arena);
    onestep_stability(t, arena);
}

static void make_multistep(Theory *t, Arena *arena)
{
    take_order(t, multistep_order(t->m));
    t->stage_order = t->order;
    t->constant = multistep_constant(t->m, t->order);
    theory_look(t);
    multistep_stability(t, arena);
    if (t->a.yes)
        t->imaginary = INFINITY;
}

const Theory *theory_make(const Method *m, Arena *arena)
{
    Theory *t = NEW(arena, Theory);
    t->m = m;
    t->nstep = 1;
    t->constant = exact_of(0, 1);
    t->a.why = t->l.why = t->stiff.why = "no integration";
    if (m->kind == MK_MULTISTEP || m->kind == MK_ONELEG) {
        make_multistep(t, arena);
        return t;
    }
    const Scheme *x = scheme_of(m, arena);
    if (x)
        make_onestep(t, x, arena);
    return t;
}

/* ---- text ---- */

static ExactInt common_divisor(ExactInt a, ExactInt b)
{
    while (b != 0) {
        ExactInt r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* The least number that clears the denominators, if it stays small. */
static Exact clearing(const Exact *c, int n)
{
    ExactInt all = 1;
    for (int i = 0; i < n; i++) {
        if (!c[i].is_exact || c[i].r > 1000000000 || all > 1000000000)
            return exact_of(1, 1);
        all *= c[i].r / common_divisor(all, c[i].r);
    }
    return all > 1000000000 ? exact_of(1, 1) : exact_of((long)all, 1);
}

/* One term of the polynomial: "(11 - 6 z) w^3", "- 18 w^2". */
static const char *root_term(Exact alpha, Exact beta, int power, bool is_first,
                             Arena *arena)
{
    Poly p = poly_new(1, arena);
    p.c[0] = alpha;
    p.c[1] = exact_neg(beta);
    int low = exact_sign(p.c[0]), high = exact_sign(p.c[1]);
    if (low == 0 && high == 0)
        return "";
    bool minus = low < 0 || (low == 0 && high < 0);
    for (int i = 0; i < 2 && minus; i++)
        p.c[i] = exact_neg(p.c[i]);
    const char *c = poly_text(poly_trim(p), "z", arena);
    if (low != 0 && high != 0)
        c = arena_printf(arena, "(%s)", c);
    else if (low != 0 && power > 0 && !strcmp(c, "1"))
        c = "";
    const char *w = power == 0   ? ""
                    : power == 1 ? "w"
                                 : arena_printf(arena, "w^%d", power);
    return arena_printf(arena, "%s%s%s%s",
                        is_first ? minus ? "-" : ""
                        : minus  ? " - "
                                 : " + ",
                        c, *c && *w ? " " : "", w);
}

static const char *multistep_text(const Theory *t, Arena *arena)
{
    const Method *m = t->m;
    int n = m->nback;
    Exact f = clearing(m->exact, 2 * n + 2);
    const char *text = "";
    for (int k = 0; k <= n; k++)
        text = arena_printf(arena, "%s%s", text,
                            root_term(exact_mul(f, m->exact[k]),
                                      exact_mul(f, m->exact[n + 1 + k]), n - k,
                                      !*text, arena));
    return arena_printf(arena, "largest root w of %s = 0", text);
}

const char *theory_function(const Theory *t, Arena *arena)
{
    if (!t->is_rational)
        return t->m->kind == MK_NONE ? "1" : multistep_text(t, arena);
    const char *up = poly_text(t->up, "z", arena);
    if (t->down.n <= 0)
        return up;
    return arena_printf(arena, "(%s) / (%s)", up,
                        poly_text(t->down, "z", arena));
}
