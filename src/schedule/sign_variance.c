/* sign_variance.c - what is known of an expression without its value.
 *
 * Sign: which of negative, zero, positive its value can be, found bottom up
 * with rules for sums, products, powers and functions. A parameter has the
 * sign that its bounds give, else that of its value at the start: a model with
 * R = 100 may be scheduled with divisions by R. Such parameters are listed.
 *
 * Variance: whether it depends on parameters only, on what is known in a step,
 * or on the unknowns of a block; for the latter the largest block of an
 * unknown below each node is kept, as blocks are solved in their order.
 *
 * Both are kept for every node of the DAG that was asked for.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "schedule/schedule_internal.h"

enum { NEG = 1, ZERO = 2, POS = 4, ANY = NEG | ZERO | POS };

typedef struct SignVariance {
    unsigned char sign;     /* set of NEG, ZERO, POS; 0: not computed */
    unsigned char variance; /* SchedVariance without SV_UNKNOWN, + 1; 0: not
                               computed */
    int block;              /* largest block of an unknown below, NONE */
} SignVariance;

struct Signs {
    Maker *m;
    Vec(SignVariance) known; /* by handle */
    Vec(Expr) stack;
    bool *assumed; /* by entry: its sign was taken from its value */
    Vec(int) list; /* those with `assumed` that were relied on */
    Arena *arena;
};

Signs *signs_new(Maker *m)
{
    Signs *s = NEW(m->work, Signs);
    s->m = m;
    s->arena = m->work;
    s->assumed = NEW_ARRAY(m->work, bool, m->d->nvar + 1);
    return s;
}

static SignVariance *place_of(Signs *s, Expr e)
{
    if (e >= s->known.n) {
        vec_reserve(s->arena, &s->known, dag_count(s->m->dag));
        s->known.n = dag_count(s->m->dag);
    }
    return &s->known.at[e];
}

/* ---- signs ---- */

static int negative(int s)
{
    return (s & ZERO) | (s & NEG ? POS : 0) | (s & POS ? NEG : 0);
}

static int sign_of_number(double x)
{
    return x > 0 ? POS : x < 0 ? NEG : x == 0 ? ZERO : ANY;
}

static int sum_sign(int a, int b)
{
    int s = 0;
    if ((a & POS) || (b & POS))
        s |= POS;
    if ((a & NEG) || (b & NEG))
        s |= NEG;
    if (((a & ZERO) && (b & ZERO)) || ((a & POS) && (b & NEG)) ||
        ((a & NEG) && (b & POS)))
        s |= ZERO;
    return s;
}

static int product_sign(int a, int b)
{
    int s = (a | b) & ZERO;
    if (((a & POS) && (b & POS)) || ((a & NEG) && (b & NEG)))
        s |= POS;
    if (((a & POS) && (b & NEG)) || ((a & NEG) && (b & POS)))
        s |= NEG;
    return s;
}

static int power_sign(const Dag *d, Expr e, int base)
{
    double n;
    if (expr_is_const(d, expr_arg(d, e, 1), &n) && n == floor(n)) {
        if (n > 0 && fmod(n, 2) == 0)
            return base & ZERO ? ZERO | POS : POS;
        if (n > 0)
            return base;
    }
    return base == POS ? POS : ANY;
}

static int bound_sign(const Signs *s, const SysVar *v)
{
    double x;
    const Dag *d = s->m->dag;
    if (v->min != EXPR_NONE && expr_is_const(d, v->min, &x) && x > 0)
        return POS;
    if (v->max != EXPR_NONE && expr_is_const(d, v->max, &x) && x < 0)
        return NEG;
    return ANY;
}

bool variance_is_selector(const Maker *m, int entry)
{
    const InlinedVar *v = &m->d->var[entry];
    return v->kind == IV_PARAMETER && v->sys_var != NONE &&
           m->d->sys->var[v->sys_var].flat == NONE;
}

static int leaf_sign(Signs *s, int entry)
{
    const InlinedVar *v = &s->m->d->var[entry];
    if (v->kind == IV_STEP)
        return POS;
    if (v->kind != IV_PARAMETER || s->m->column[entry] != NONE ||
        variance_is_selector(s->m, entry))
        return ANY;
    int sign = bound_sign(s, &s->m->d->sys->var[v->sys_var]);
    if (sign != ANY || !s->m->samples || s->m->samples->nsample == 0)
        return sign;
    sign = sign_of_number(s->m->samples->value[0][entry]);
    if (sign == POS || sign == NEG) {
        s->assumed[entry] = true;
        return sign;
    }
    return ANY;
}

static int node_sign(Signs *s, Expr e, const int *a)
{
    const Dag *d = s->m->dag;
    double x;
    int var, order;
    switch (expr_op(d, e)) {
    case EX_CONST: return expr_is_const(d, e, &x) ? sign_of_number(x) : ANY;
    case EX_VAR: expr_is_var(d, e, &var, &order); return leaf_sign(s, var);
    case EX_ADD: return sum_sign(a[0], a[1]);
    case EX_SUB: return sum_sign(a[0], negative(a[1]));
    case EX_MUL: return product_sign(a[0], a[1]);
    case EX_DIV: /* the divisor is not 0 where this has a value */
        return product_sign(a[0], a[1] & ~ZERO ? a[1] & ~ZERO : ANY);
    case EX_NEG: return negative(a[0]);
    case EX_POW: return power_sign(d, e, a[0]);
    case EX_ABS:
    case EX_SQRT: return a[0] & ZERO ? ZERO | POS : POS;
    case EX_NOEVENT: return a[0];
    case EX_IF: return a[1] | a[2];
    case EX_MIN:
    case EX_MAX: return a[0] | a[1];
    case EX_SMOOTH: return a[1];
    default:
        return op_has(expr_op(d, e), OP_POSITIVE) ? POS
               : op_has(expr_op(d, e), OP_SIGNED) ? a[0]
                                                  : ANY;
    }
}

/* ---- variance ---- */

static void leaf_variance(Signs *s, Expr e, SignVariance *out)
{
    int var = NONE, order = 0;
    expr_is_var(s->m->dag, e, &var, &order);
    int unknown = s->m->column[var];
    const InlinedVar *v = &s->m->d->var[var];
    out->variance = 1 + SV_STEP;
    if (unknown != NONE)
        out->block = s->m->block_of ? s->m->block_of[unknown] : 0;
    else if ((v->kind == IV_PARAMETER && !variance_is_selector(s->m, var)) ||
             v->kind == IV_STEP)
        out->variance = 1 + SV_PARAMETER;
}

static void compute(Signs *s, Expr e)
{
    const Dag *d = s->m->dag;
    int narg = expr_node(d, e)->narg, sign[3] = {ANY, ANY, ANY};
    ExprOp op = expr_op(d, e);
    SignVariance found = {0, 1 + SV_NUMBER, NONE};
    for (int i = 0; i < narg; i++) {
        const SignVariance *a = place_of(s, expr_arg(d, e, i));
        if (i < 3)
            sign[i] = a->sign;
        if (a->variance > found.variance)
            found.variance = a->variance;
        if (a->block > found.block)
            found.block = a->block;
    }
    if (op == EX_VAR)
        leaf_variance(s, e, &found);
    else if (op == EX_TIME || op == EX_SAMPLE || op == EX_TERMINAL ||
             op == EX_PRE || op == EX_DELAY || op == EX_INITIAL)
        found.variance = 1 + SV_STEP;
    found.sign = (unsigned char)node_sign(s, e, sign);
    *place_of(s, e) = found;
}

/* Computes e and what it needs, arguments first, with a stack of its own. */
static const SignVariance *find(Signs *s, Expr e)
{
    const Dag *d = s->m->dag;
    vec_push(s->arena, &s->stack, e);
    while (s->stack.n > 0) {
        Expr at = vec_last(&s->stack);
        if (place_of(s, at)->variance) {
            s->stack.n--;
            continue;
        }
        int before = s->stack.n;
        for (int i = expr_node(d, at)->narg - 1; i >= 0; i--)
            if (!place_of(s, expr_arg(d, at, i))->variance)
                vec_push(s->arena, &s->stack, expr_arg(d, at, i));
        if (s->stack.n == before) {
            compute(s, at);
            s->stack.n--;
        }
    }
    return place_of(s, e);
}

/* ---- answers ---- */

bool sign_nonzero(Signs *s, Expr e)
{
    return !(find(s, e)->sign & ZERO);
}

bool sign_is_nonzero(void *context, const Dag *d, Expr e)
{
    (void)d;
    return sign_nonzero(context, e);
}

SchedVariance variance_of(Signs *s, Expr e, int block)
{
    const SignVariance *x = find(s, e);
    if (x->block != NONE && x->block >= block)
        return SV_UNKNOWN;
    return (SchedVariance)(x->variance - 1);
}

bool sign_vanishes_with_step(Signs *s, Expr e)
{
    Dag *d = s->m->dag;
    Expr h = s->m->d->var[s->m->d->step].leaf;
    if (!expr_contains(d, e, h))
        return false;
    Expr at0 = expr_substitute(d, e, h, expr_real(d, 0));
    return expr_is_zero(d, at0) || expr_is_zero(d, expr_simplify(d, at0));
}

void sign_rely(Signs *s, Expr e)
{
    Arena *work = arena_new();
    Expr *leaf;
    int n = expr_leaves(s->m->dag, e, &leaf, work);
    for (int i = 0; i < n; i++) {
        int var = NONE, order = 0;
        expr_is_var(s->m->dag, leaf[i], &var, &order);
        if (!s->assumed[var])
            continue;
        s->assumed[var] = false; /* once is enough */
        vec_push(s->arena, &s->list, var);
    }
    arena_free(work);
}

void sign_forget(Signs *s, int n)
{
    while (s->list.n > n)
        s->assumed[s->list.at[--s->list.n]] = true;
}

int sign_assumed(const Signs *s, const int **entry)
{
    *entry = s->list.at;
    return s->list.n;
}
