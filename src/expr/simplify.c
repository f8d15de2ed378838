/* simplify.c - collecting equal terms of sums and equal factors of products.
 *
 *   3*x + y - 2*x + 1 - y    ->  x + 1
 *   x*y*x                    ->  x^2*y
 *
 * Terms are taken from the whole region of a sum (region.h), not through parts
 * that something else shares. A sum or product in which nothing meets its like
 * stays as it is, with its order of operations. Equal factors above and below
 * the line are not cancelled: x/x has no value at x = 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/region.h"

#include <math.h>
#include <stdlib.h>

typedef struct Part {
    Expr base;    /* EXPR_NONE: one */
    double count; /* its factor, or exponent */
    int order;    /* where it first stood */
} Part;

typedef struct Collector {
    Dag *d;
    Arena *local;
    Ranking rank;
    Expr *simple; /* of each rank */
    TermVec todo, term;
    Vec(Part) part;
} Collector;

static Expr simple_of(Collector *c, Expr e)
{
    return c->simple[*walk_value(&c->rank.walk, e)];
}

static void add_part(Collector *c, Expr base, double count)
{
    vec_push(c->local, &c->part, ((Part){base, count, c->part.n}));
}

static int by_base(const void *a, const void *b)
{
    const Part *x = a, *y = b;
    int base = (x->base > y->base) - (x->base < y->base);
    return base ? base : x->order - y->order;
}

static int by_order(const void *a, const void *b)
{
    return ((const Part *)a)->order - ((const Part *)b)->order;
}

/* Adds the counts of equal bases, if `merge` allows; returns whether any met.
 * Powers above and below the line do not meet. */
static bool join_parts(Collector *c, bool is_product)
{
    int n = 0;
    qsort(c->part.at, (size_t)c->part.n, sizeof(Part), by_base);
    for (int i = 0; i < c->part.n; i++) {
        Part p = c->part.at[i];
        int k = n - 1;
        while (k >= 0 && c->part.at[k].base == p.base && is_product &&
               c->part.at[k].count * p.count < 0)
            k--;
        if (k >= 0 && c->part.at[k].base == p.base)
            c->part.at[k].count += p.count;
        else
            c->part.at[n++] = p;
    }
    bool met = n < c->part.n;
    c->part.n = n;
    qsort(c->part.at, (size_t)n, sizeof(Part), by_order);
    for (int i = 0; i < n; i++) {
        if (!isfinite(c->part.at[i].count))
            return false;
    }
    return met;
}

/* ---- sums ---- */
/* A term 2*x or x/2 that came out of simplification gives its factor. */
static void add_term(Collector *c, Expr e, double factor)
{
    const ExprNode *n = node_of(c->d, e);
    if (n->op == EX_CONST)
        add_part(c, EXPR_NONE, factor * n->value);
    else if (n->op == EX_NEG)
        add_part(c, n->arg[0], -factor);
    else if (n->op == EX_MUL && region_is_sum(c->d, n))
        add_part(c, n->arg[1], factor * node_of(c->d, n->arg[0])->value);
    else if (n->op == EX_DIV && region_is_sum(c->d, n))
        add_part(c, n->arg[0], factor / node_of(c->d, n->arg[1])->value);
    else
        add_part(c, e, factor);
}

/* The sum of the parts; `type` is that of the sum they came from. */
static Expr build_sum(Collector *c, ExprType type)
{
    Dag *d = c->d;
    Expr sum = expr_constant(d, type, 0);
    double constant = 0;
    for (int i = 0; i < c->part.n; i++) {
        Part p = c->part.at[i];
        if (p.base == EXPR_NONE) {
            constant = p.count;
            continue;
        }
        Expr size = expr_mul(d, expr_constant(d, type, fabs(p.count)), p.base);
        sum = expr_binary(d, p.count < 0 ? EX_SUB : EX_ADD, sum, size);
    }
    return expr_add(d, sum, expr_constant(d, type, constant));
}

/* ---- products ---- */
static void add_factor(Collector *c, Expr e, double exponent)
{
    const ExprNode *n = node_of(c->d, e);
    double power;
    if (n->op == EX_POW && expr_is_const(c->d, n->arg[1], &power) &&
        power == floor(power) && fabs(power) < 1e6)
        add_part(c, n->arg[0], exponent * power);
    else
        add_part(c, e, exponent);
}

static Expr build_product(Collector *c)
{
    Dag *d = c->d;
    Expr above = expr_real(d, 1), below = above;
    for (int i = 0; i < c->part.n; i++) {
        Part p = c->part.at[i];
        Expr power = expr_pow(d, p.base, expr_int(d, fabs(p.count)));
        if (p.count > 0)
            above = expr_mul(d, above, power);
        else
            below = expr_mul(d, below, power);
    }
    return expr_div(d, above, below);
}

/* ---- nodes ---- */
/* The region of rank k with its equal parts collected, or `plain` if there
 * are none. */
static Expr collect(Collector *c, int k, const ExprNode *n, Expr plain)
{
    bool sum = region_is_sum(c->d, n);
    region_terms(&c->rank, k, &c->todo, &c->term, c->local);
    vec_clear(&c->part);
    for (int i = 0; i < c->term.n; i++) {
        Expr e = simple_of(c, c->term.at[i].e);
        if (sum)
            add_term(c, e, c->term.at[i].factor);
        else
            add_factor(c, e, c->term.at[i].factor);
    }
    if (!join_parts(c, !sum))
        return plain;
    if (!sum)
        return build_product(c);
    bool integer = n->type == ET_INTEGER;
    return build_sum(c, integer ? ET_INTEGER : ET_REAL);
}

static Expr simplify_rank(Collector *c, int k)
{
    Expr e = c->rank.at[k].e;
    const ExprNode *n = node_of(c->d, e);
    if (n->narg == 0 || n->op == EX_PRE)
        return e;
    Expr local[3], *arg = local;
    if (n->narg > 3)
        arg = NEW_ARRAY(c->local, Expr, n->narg);
    for (int i = 0; i < n->narg; i++)
        arg[i] = simple_of(c, args_of(n)[i]);
    Expr plain = expr_rebuild(c->d, e, arg);
    bool region = region_is_sum(c->d, n) || region_is_product(c->d, n);
    if (!region || c->rank.at[k].inner)
        return plain;
    return collect(c, k, n, plain);
}

Expr expr_simplify(Dag *d, Expr e)
{
    Collector c = {.d = d, .local = arena_new()};
    c.rank = ranking_new(d, &e, 1, OP_BIT(EX_PRE), c.local);
    c.simple = NEW_ARRAY(c.local, Expr, c.rank.n);
    for (int k = 0; k < c.rank.n; k++)
        c.simple[k] = simplify_rank(&c, k);
    Expr result = simple_of(&c, e);
    ranking_end(&c.rank);
    arena_free(c.local);
    return result;
}
