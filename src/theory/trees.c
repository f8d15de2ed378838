/* trees.c - the order conditions of all rooted trees.
 *
 * A tree is its root and the trees that grow from it. Its vector is
 *
 *     phi_i(t) = prod over sons u of (M phi(u))_i
 *
 * and the condition sum b_i phi_i(t) = 1 / density(t), density(t) = order times
 * the densities of the sons. M is alpha; with a Jacobian in the formula it is
 * beta = alpha + gamma below a node with one son (Hairer, Wanner II, IV.7,
 * theorem 7.4). If any matrix may stand for the Jacobian, such a node comes
 * twice: with alpha, and with gamma and 0 on the right (theorem 7.7). Up to
 * order 8 there are 1, 1, 2, 4, 9, 20, 48, 115 trees. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/vec.h"
#include "theory/theory_internal.h"

enum { ANY_ORDER = 5 }; /* with any matrix */

typedef struct Tree {
    int order, nson;
    int son[THEORY_ORDER]; /* places in the forest, not increasing */
    bool is_fat;           /* one son, by gamma */
    bool is_zero;          /* right-hand side 0: it or one above is fat */
    long density;
    Exact *phi;
} Tree;

typedef struct Forest {
    const Scheme *s;
    bool any_matrix;
    Vec(Tree) tree;
    int first[THEORY_ORDER + 3]; /* trees of order k: first[k] .. first[k+1] */
    Arena *arena;
} Forest;

static const Exact *edge(const Forest *f, const Tree *t)
{
    if (!f->s->gamma || t->nson > 1)
        return f->s->alpha;
    if (!f->any_matrix)
        return f->s->beta;
    return t->is_fat ? f->s->gamma : f->s->alpha;
}

static void add_tree(Forest *f, Tree t)
{
    int s = f->s->s;
    const Exact *a = edge(f, &t);
    t.density = t.order;
    t.is_zero = t.is_fat;
    t.phi = NEW_ARRAY(f->arena, Exact, s);
    for (int i = 0; i < s; i++)
        t.phi[i] = exact_of(1, 1);
    for (int k = 0; k < t.nson; k++) {
        const Tree *u = &f->tree.at[t.son[k]];
        t.density *= u->density;
        t.is_zero |= u->is_zero;
        for (int i = 0; i < s; i++) {
            Exact sum = exact_of(0, 1);
            for (int j = 0; j < s; j++)
                sum = exact_add(sum, exact_mul(a[i * s + j], u->phi[j]));
            t.phi[i] = exact_mul(t.phi[i], sum);
        }
    }
    vec_push(f->arena, &f->tree, t);
}

/* All trees of `t` with `left` more nodes, sons from place `most` down. */
static void grow(Forest *f, Tree t, int left, int most)
{
    if (left == 0) {
        add_tree(f, t);
        if (f->any_matrix && t.nson == 1) {
            t.is_fat = true;
            add_tree(f, t);
        }
        return;
    }
    for (int k = most; k >= 0; k--) {
        int order = f->tree.at[k].order;
        if (order > left)
            continue;
        Tree more = t;
        more.son[more.nson++] = k;
        grow(f, more, left - order, k);
    }
}

static Exact power(long x, int n)
{
    Exact p = exact_of(1, 1);
    for (int i = 0; i < n; i++)
        p = exact_mul(p, exact_of(x, 1));
    return p;
}

/* What the condition of t fails by. */
static Exact defect_of(const Forest *f, const Tree *t, const Exact *b)
{
    Exact sum = exact_of(0, 1);
    for (int i = 0; i < f->s->s; i++)
        sum = exact_add(sum, exact_mul(b[i], t->phi[i]));
    sum = exact_div(sum, power(f->s->nstep, t->order));
    return t->is_zero ? sum : exact_sub(sum, exact_of(1, t->density));
}

/* The conditions of one order; their number if they hold, else 0. */
static int test_order(const Forest *f, int order, const Exact *b,
                      OrderTest *test)
{
    bool holds = true, is_exact = true;
    double worst = 0;
    for (int k = f->first[order]; k < f->first[order + 1]; k++) {
        Exact d = defect_of(f, &f->tree.at[k], b);
        holds &= d.is_exact ? exact_sign(d) == 0 : fabsl(d.x) < 1e-11L;
        is_exact &= d.is_exact;
        worst = fmax(worst, fabs((double)d.x));
    }
    if (!holds) {
        test->next_defect = worst;
        return 0;
    }
    test->defect = fmax(test->defect, worst);
    test->is_exact &= is_exact;
    return f->first[order + 1] - f->first[order];
}

OrderTest trees_order(const Scheme *s, const Exact *b, bool any_matrix)
{
    Forest f = {.s = s, .any_matrix = any_matrix, .arena = arena_new()};
    OrderTest test = {.is_exact = true};
    int most = any_matrix ? ANY_ORDER : THEORY_ORDER;
    for (int order = 1; order <= most; order++) {
        f.first[order] = f.tree.n;
        grow(&f, (Tree){.order = order}, order - 1, f.tree.n - 1);
        f.first[order + 1] = f.tree.n;
        int n = test_order(&f, order, b, &test);
        if (n == 0)
            break;
        test.ncondition += n;
        test.order = order;
    }
    arena_free(f.arena);
    return test;
}
