/* facts.c - what is known of an expression without its value.
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

typedef struct Fact {
    unsigned char sign;     /* set of NEG, ZERO, POS; 0: not computed */
    unsigned char variance; /* SchedVariance without SV_UNKNOWN, + 1; 0: not
                               computed */
    int block;              /* largest block of an unknown below, NONE */
} Fact;

struct Facts {
    Maker *m;
    Vec(Fact) fact; /* by handle */
    Vec(Expr) stack;
    bool *assumed; /* by entry: its sign was taken from its value */
    Vec(int) list; /* those with `assumed` that were relied on */
    Arena *arena;
};

Facts *facts_new(Maker *m)
{
    Facts *f = NEW(m->work, Facts);
    f->m = m;
    f->arena = m->work;
    f->assumed = NEW_ARRAY(m->work, bool, m->d->nvar + 1);
    return f;
}

static Fact *fact_of(Facts *f, Expr e)
{
    if (e >= f->fact.n) {
        vec_reserve(f->arena, &f->fact, dag_count(f->m->dag));
        f->fact.n = dag_count(f->m->dag);
    }
    return &f->fact.at[e];
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

static int bound_sign(const Facts *f, const SysVar *v)
{
    double x;
    const Dag *d = f->m->dag;
    if (v->min != EXPR_NONE && expr_is_const(d, v->min, &x) && x > 0)
        return POS;
    if (v->max != EXPR_NONE && expr_is_const(d, v->max, &x) && x < 0)
        return NEG;
    return ANY;
}

bool facts_is_selector(const Maker *m, int entry)
{
    const InlinedVar *v = &m->d->var[entry];
    return v->kind == IV_PARAMETER && v->sys_var != NONE &&
           m->d->sys->var[v->sys_var].flat == NONE;
}

static int leaf_sign(Facts *f, int entry)
{
    const InlinedVar *v = &f->m->d->var[entry];
    if (v->kind == IV_STEP)
        return POS;
    if (v->kind != IV_PARAMETER || f->m->column[entry] != NONE ||
        facts_is_selector(f->m, entry))
        return ANY;
    int s = bound_sign(f, &f->m->d->sys->var[v->sys_var]);
    if (s != ANY || !f->m->samples || f->m->samples->nsample == 0)
        return s;
    s = sign_of_number(f->m->samples->value[0][entry]);
    if (s == POS || s == NEG) {
        f->assumed[entry] = true;
        return s;
    }
    return ANY;
}

static int node_sign(Facts *f, Expr e, const int *a)
{
    const Dag *d = f->m->dag;
    double x;
    int var, order;
    switch (expr_op(d, e)) {
    case EX_CONST: return expr_is_const(d, e, &x) ? sign_of_number(x) : ANY;
    case EX_VAR: expr_is_var(d, e, &var, &order); return leaf_sign(f, var);
    case EX_ADD: return sum_sign(a[0], a[1]);
    case EX_SUB: return sum_sign(a[0], negative(a[1]));
    case EX_MUL: return product_sign(a[0], a[1]);
    case EX_DIV: /* the divisor is not 0 where this has a value */
        return product_sign(a[0], a[1] & ~ZERO ? a[1] & ~ZERO : ANY);
    case EX_NEG: return negative(a[0]);
    case EX_POW: return power_sign(d, e, a[0]);
    case EX_EXP:
    case EX_COSH: return POS;
    case EX_ABS:
    case EX_SQRT: return a[0] & ZERO ? ZERO | POS : POS;
    case EX_SIGN:
    case EX_SINH:
    case EX_TANH:
    case EX_ATAN:
    case EX_NOEVENT: return a[0];
    case EX_IF: return a[1] | a[2];
    case EX_MIN:
    case EX_MAX: return a[0] | a[1];
    case EX_SMOOTH: return a[1];
    default: return ANY;
    }
}

/* ---- variance ---- */

static void leaf_variance(Facts *f, Expr e, Fact *out)
{
    int var = NONE, order = 0;
    expr_is_var(f->m->dag, e, &var, &order);
    int unknown = f->m->column[var];
    const InlinedVar *v = &f->m->d->var[var];
    out->variance = 1 + SV_STEP;
    if (unknown != NONE)
        out->block = f->m->block_of ? f->m->block_of[unknown] : 0;
    else if ((v->kind == IV_PARAMETER && !facts_is_selector(f->m, var)) ||
             v->kind == IV_STEP)
        out->variance = 1 + SV_PARAMETER;
}

static void compute(Facts *f, Expr e)
{
    const Dag *d = f->m->dag;
    int narg = expr_node(d, e)->narg, sign[3] = {ANY, ANY, ANY};
    ExprOp op = expr_op(d, e);
    Fact fact = {0, 1 + SV_NUMBER, NONE};
    for (int i = 0; i < narg; i++) {
        const Fact *a = fact_of(f, expr_arg(d, e, i));
        if (i < 3)
            sign[i] = a->sign;
        if (a->variance > fact.variance)
            fact.variance = a->variance;
        if (a->block > fact.block)
            fact.block = a->block;
    }
    if (op == EX_VAR)
        leaf_variance(f, e, &fact);
    else if (op == EX_TIME || op == EX_SAMPLE || op == EX_TERMINAL ||
             op == EX_PRE || op == EX_DELAY || op == EX_INITIAL)
        fact.variance = 1 + SV_STEP;
    fact.sign = (unsigned char)node_sign(f, e, sign);
    *fact_of(f, e) = fact;
}

/* Computes e and what it needs, arguments first, with a stack of its own. */
static const Fact *fact(Facts *f, Expr e)
{
    const Dag *d = f->m->dag;
    vec_push(f->arena, &f->stack, e);
    while (f->stack.n > 0) {
        Expr at = vec_last(&f->stack);
        if (fact_of(f, at)->variance) {
            f->stack.n--;
            continue;
        }
        int before = f->stack.n;
        for (int i = expr_node(d, at)->narg - 1; i >= 0; i--)
            if (!fact_of(f, expr_arg(d, at, i))->variance)
                vec_push(f->arena, &f->stack, expr_arg(d, at, i));
        if (f->stack.n == before) {
            compute(f, at);
            f->stack.n--;
        }
    }
    return fact_of(f, e);
}

/* ---- answers ---- */

bool facts_nonzero(Facts *f, Expr e)
{
    return !(fact(f, e)->sign & ZERO);
}

bool facts_is_nonzero(void *context, const Dag *d, Expr e)
{
    (void)d;
    return facts_nonzero(context, e);
}

SchedVariance facts_variance(Facts *f, Expr e, int block)
{
    const Fact *x = fact(f, e);
    if (x->block != NONE && x->block >= block)
        return SV_UNKNOWN;
    return (SchedVariance)(x->variance - 1);
}

bool facts_vanishes_with_step(Facts *f, Expr e)
{
    Dag *d = f->m->dag;
    Expr h = f->m->d->var[f->m->d->step].leaf;
    if (!expr_contains(d, e, h))
        return false;
    Expr at0 = expr_substitute(d, e, h, expr_real(d, 0));
    return expr_is_zero(d, at0) || expr_is_zero(d, expr_simplify(d, at0));
}

void facts_rely(Facts *f, Expr e)
{
    Arena *work = arena_new();
    Expr *leaf;
    int n = expr_leaves(f->m->dag, e, &leaf, work);
    for (int i = 0; i < n; i++) {
        int var = NONE, order = 0;
        expr_is_var(f->m->dag, leaf[i], &var, &order);
        if (!f->assumed[var])
            continue;
        f->assumed[var] = false; /* once is enough */
        vec_push(f->arena, &f->list, var);
    }
    arena_free(work);
}

void facts_forget(Facts *f, int n)
{
    while (f->list.n > n)
        f->assumed[f->list.at[--f->list.n]] = true;
}

int facts_assumed(const Facts *f, const int **entry)
{
    *entry = f->list.at;
    return f->list.n;
}
