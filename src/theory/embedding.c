/* embedding.c - orders and stability of embeddings, and the search for them.
 *
 * Candidates of the search are solutions of sum_i w_i p^(d_i)(t_i) = p(1) for
 * the polynomials p = 1, t, ..., t^(n-1), d_i = 0 or 1: elimination in exact
 * numbers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/embedding.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "theory/theory_internal.h"

enum { MOST_STAGES = 3, MOST_PIECES = 4 * MOST_STAGES };

/* ---- what a formula is worth ---- */

static Scheme scheme_over(const Method *m, int nstep, const Exact *weight,
                          Arena *arena)
{
    Exact *a = embedding_tableau(m, nstep, arena);
    return (Scheme){.s = nstep * m->nstage,
                    .alpha = a,
                    .beta = a,
                    .b = (Exact *)weight,
                    .nstep = nstep};
}

/* series_k = w' A^(k-1) 1 */
static void find_series(const Scheme *x, Exact *series)
{
    int n = x->s;
    Exact v[EMBEDDING_STEPS * MOST_STAGES], w[EMBEDDING_STEPS * MOST_STAGES];
    for (int i = 0; i < n; i++)
        v[i] = exact_of(1, 1);
    series[0] = exact_of(1, 1);
    for (int k = 1; k < THEORY_ORDER + 2; k++) {
        series[k] = exact_of(0, 1);
        for (int i = 0; i < n; i++) {
            series[k] = exact_add(series[k], exact_mul(x->b[i], v[i]));
            w[i] = exact_of(0, 1);
            for (int j = 0; j < n; j++)
                w[i] = exact_add(w[i], exact_mul(x->beta[i * n + j], v[j]));
        }
        memcpy(v, w, sizeof *v * (size_t)n);
    }
}

/* How far is it nstep^k / k!? */
static int linear_order(const Exact *series, int nstep)
{
    Exact want = exact_of(1, 1);
    for (int k = 1; k < THEORY_ORDER + 2; k++) {
        want = exact_mul(want, exact_of(nstep, k));
        Exact d = exact_sub(series[k], want);
        if (d.is_exact ? exact_sign(d) != 0 : fabsl(d.x) > 1e-10L)
            return k - 1;
    }
    return THEORY_ORDER + 1;
}

static double complex value_at(Poly p, double complex z)
{
    double complex sum = 0;
    for (int i = p.n; i >= 0; i--)
        sum = sum * z + exact_double(p.c[i]);
    return sum;
}

/* The largest |F(iy)| that a picture would show. */
static double largest_on_axis(Poly up, Poly down)
{
    double most = 0;
    for (int k = -200; k <= 400; k++) {
        double complex z = I * pow(10, k / 100.0);
        most = fmax(most, cabs(value_at(up, z) / value_at(down, z)));
    }
    return most;
}

static void find_function(const Scheme *x, EmbeddingTheory *t, Arena *arena)
{
    Theory f = {.nstep = 1, .is_rational = true};
    f.down = scheme_down(x, arena);
    f.up = scheme_up(x, f.down, arena);
    onestep_axis(&f, arena);
    t->up = f.up;
    t->down = f.down;
    t->a = f.a;
    t->infinity = f.infinity;
    t->most = largest_on_axis(f.up, f.down);
}

static void find_orders(const Scheme *x, EmbeddingTheory *t)
{
    find_series(x, t->series);
    t->order_linear = linear_order(t->series, x->nstep);
    OrderTest o = trees_order(x, x->b, false);
    t->order = o.order;
    t->defect = o.next_defect;
}

EmbeddingTheory embedding_theory(const Method *m, int nstep,
                                 const Exact *weight, Arena *arena)
{
    Scheme x = scheme_over(m, nstep, weight, arena);
    EmbeddingTheory t = {0};
    find_function(&x, &t, arena);
    find_orders(&x, &t);
    return t;
}

/* ---- the search ---- */

typedef struct Piece {
    int index; /* of Embedding.value or slope */
    bool is_slope;
    Exact time; /* in steps, the second one from 0 to 1 */
} Piece;

/* Where the first step begins, the stages but the very last, and all slopes. */
static int find_pieces(const Method *m, Piece *p)
{
    int s = m->nstage, n = 0;
    Exact time[2 * MOST_STAGES];
    for (int i = 0; i < 2 * s; i++) {
        time[i] = exact_of(i < s ? -1 : 0, 1);
        for (int j = 0; j < s; j++)
            time[i] = exact_add(time[i], m->exact[i % s * s + j]);
    }
    p[n++] = (Piece){0, false, exact_of(-1, 1)};
    for (int i = 0; i < 2 * s - 1; i++)
        p[n++] = (Piece){i + 1, false, time[i]};
    for (int i = 0; i < 2 * s; i++)
        p[n++] = (Piece){i, true, time[i]};
    return n;
}

/* p^(d)(t) for p = t^k */
static Exact moment(const Piece *p, int k)
{
    Exact x = exact_of(1, 1);
    int power = p->is_slope ? k - 1 : k;
    if (power < 0)
        return exact_of(0, 1);
    for (int i = 0; i < power; i++)
        x = exact_mul(x, p->time);
    return p->is_slope ? exact_mul(x, exact_of(k, 1)) : x;
}

/* Gauss, by the largest pivots; false: singular. */
static bool solve(Exact *a, Exact *b, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(a[i * n + k].x) > fabsl(a[best * n + k].x))
                best = i;
        if (exact_sign(a[best * n + k]) == 0)
            return false;
        for (int j = 0; j < n; j++) {
            Exact x = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = x;
        }
        Exact x = b[k];
        b[k] = b[best];
        b[best] = x;
        for (int i = k + 1; i < n; i++) {
            Exact f = exact_div(a[i * n + k], a[k * n + k]);
            for (int j = k; j < n; j++)
                a[i * n + j] =
                    exact_sub(a[i * n + j], exact_mul(f, a[k * n + j]));
            b[i] = exact_sub(b[i], exact_mul(f, b[k]));
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] = exact_sub(b[i], exact_mul(a[i * n + j], b[j]));
        b[i] = exact_div(b[i], a[i * n + i]);
    }
    return true;
}

/* The candidate of a choice; false: it has none. */
static bool make_candidate(const Method *m, const Piece *piece,
                           const int *choice, int n, EmbeddingCandidate *c,
                           Arena *arena)
{
    Exact a[MOST_PIECES * MOST_PIECES], w[MOST_PIECES];
    int rows = 2 * m->nstage;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++)
            a[k * n + i] = moment(&piece[choice[i]], k);
        w[k] = exact_of(1, 1);
    }
    if (!solve(a, w, n))
        return false;
    Exact *value = poly_new(rows, arena).c, *slope = poly_new(rows, arena).c;
    for (int i = 0; i < n; i++) {
        const Piece *p = &piece[choice[i]];
        (p->is_slope ? slope : value)[p->index] = w[i];
    }
    c->e = (Embedding){.nstep = 2, .value = value, .slope = slope};
    c->weight = embedding_weights(m, &c->e, arena);
    Scheme x = scheme_over(m, 2, c->weight, arena);
    find_function(&x, &c->theory, arena);
    if (c->theory.a.yes) /* the orders of others are of no use */
        find_orders(&x, &c->theory);
    return true;
}

static bool same_weights(const EmbeddingCandidate *a,
                         const EmbeddingCandidate *b, int n)
{
    for (int i = 0; i < n; i++)
        if (fabsl(a->weight[i].x - b->weight[i].x) > 1e-10L)
            return false;
    return true;
}

static void count_candidates(EmbeddingSearch *s, int nweight)
{
    for (int i = 0; i < s->n; i++) {
        EmbeddingCandidate *c = &s->at[i];
        for (c->same_as = 0; c->same_as < i; c->same_as++)
            if (same_weights(&s->at[c->same_as], c, nweight))
                break;
        s->far += c->theory.infinity <= 1 + 1e-9;
        s->far_strict += c->theory.infinity < 1 - 1e-9;
        s->a += c->theory.a.yes;
        s->a_distinct += c->theory.a.yes && c->same_as == i;
        s->a_nearly += c->theory.a.yes || c->theory.most < 1 + 1e-6;
        s->l += c->theory.a.yes && c->theory.infinity < 1e-9;
    }
}

/* The next choice of n out of `most`, ascending; false: it was the last. */
static bool next_choice(int *choice, int n, int most)
{
    int i = n - 1;
    while (i >= 0 && choice[i] == most - n + i)
        i--;
    if (i < 0)
        return false;
    choice[i]++;
    for (int k = i + 1; k < n; k++)
        choice[k] = choice[k - 1] + 1;
    return true;
}

const EmbeddingSearch *embedding_search(const Method *m, Arena *arena)
{
    if (m->kind != MK_RK || !m->is_stiffly_accurate || m->is_explicit ||
        m->nstage < 2 || m->nstage > MOST_STAGES)
        return NULL;
    Piece piece[MOST_PIECES];
    int choice[MOST_PIECES];
    Vec(EmbeddingCandidate) found = {0};
    EmbeddingSearch *s = NEW(arena, EmbeddingSearch);
    s->npiece = find_pieces(m, piece);
    s->nchoice = 2 * m->nstage + 1;
    for (int i = 0; i < s->nchoice; i++)
        choice[i] = i;
    do {
        EmbeddingCandidate c = {0};
        s->tried++;
        if (make_candidate(m, piece, choice, s->nchoice, &c, arena))
            vec_push(arena, &found, c);
        else
            s->without++;
    } while (next_choice(choice, s->nchoice, s->npiece));
    s->at = found.at;
    s->n = found.n;
    count_candidates(s, 2 * m->nstage);
    return s;
}

/* ---- text ---- */

static const char *add_term(const char *text, Exact w, const char *of,
                            Exact time, Arena *arena)
{
    if (exact_sign(w) == 0)
        return text;
    bool minus = w.x < 0;
    const char *factor = exact_text(minus ? exact_neg(w) : w, arena);
    const char *sign = *text ? minus ? " - " : " + " : minus ? "-" : "";
    return arena_printf(arena, "%s%s%s %s[%s]", text, sign, factor, of,
                        exact_text(time, arena));
}

/* A stage at the time where its step begins, which is not the end of the step
 * before it. */
static bool is_begin(const Method *m, int i)
{
    return m->c[i % m->nstage] == 0;
}

const char *embedding_text(const Method *m, const Embedding *e, Arena *arena)
{
    const char *text = "";
    int s = m->nstage, n = e->nstep * s;
    Exact time[EMBEDDING_STEPS * MOST_STAGES];
    for (int i = 0; i < n; i++) {
        time[i] = exact_of(i / s - e->nstep + 1, 1);
        for (int j = 0; j < s; j++)
            time[i] = exact_add(time[i], m->exact[i % s * s + j]);
    }
    text = add_term(text, e->value[0], "x", exact_of(-e->nstep + 1, 1), arena);
    for (int i = 0; i < n; i++)
        text = add_term(text, e->value[i + 1], is_begin(m, i) ? "X" : "x",
                        time[i], arena);
    for (int i = 0; i < n; i++)
        text = add_term(text, e->slope[i], is_begin(m, i) ? "h X'" : "h x'",
                        time[i], arena);
    return text;
}
