/* diff.c - partial and total derivatives.
 *
 * One rule for each operation, those of functions in ops.def, gives the
 * derivative of a node from those of its arguments; a walk with the arguments
 * first applies it. Shared parts are differentiated once, and hash-consing
 * shares what the results have in common, so the derivative has a small
 * multiple of the nodes of its expression.
 *
 * Where an operation has no derivative the rule gives that of the piece next
 * to it: abs(a)' = sign(a)*a', which is 0 at 0; sqrt(a)' is infinite at a = 0;
 * relations, floor and the like have derivative 0 almost everywhere.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <math.h>

struct ExprDiff {
    Dag *d;
    Expr x; /* EXPR_NONE: total time derivative */
    const bool *varies;
    int nvaries;
    Memo memo;     /* derivatives */
    Memo expanded; /* expressions without DER */
};

/* ---- rules ---- */
#define ADD(a, b)     expr_add(d, a, b)
#define SUB(a, b)     expr_sub(d, a, b)
#define MUL(a, b)     expr_mul(d, a, b)
#define DIV(a, b)     expr_div(d, a, b)
#define NEG(a)        expr_neg(d, a)
#define REAL(v)       expr_real(d, v)
#define FN(op, a)     expr_unary(d, EX_##op, a)
#define OP2(op, a, b) expr_binary(d, EX_##op, a, b)
#define SQUARE(a)     expr_pow(d, a, expr_int(d, 2))

/* (a^b)' = b a^(b-1) a' + a^b log(a) b' */
static Expr diff_power(Dag *d, Expr e, Expr a, Expr b, Expr da, Expr db)
{
    Expr sum = REAL(0);
    if (!expr_is_zero(d, da)) {
        double n;
        Expr less = expr_is_const(d, b, &n) ? REAL(n - 1) : SUB(b, REAL(1));
        sum = MUL(MUL(b, expr_pow(d, a, less)), da);
    }
    if (!expr_is_zero(d, db))
        sum = ADD(sum, MUL(MUL(e, FN(LOG, a)), db));
    return sum;
}

/* a - k*b with a whole number k that is constant almost everywhere. */
static Expr diff_remainder(Dag *d, ExprOp whole, Expr a, Expr b, Expr da,
                           Expr db)
{
    if (expr_is_zero(d, db))
        return da;
    Expr k = whole == EX_FLOOR ? FN(FLOOR, DIV(a, b)) : OP2(IDIV, a, b);
    return SUB(da, MUL(FN(NOEVENT, k), db));
}

/* smooth(p, a) is p times differentiable, so its derivative p-1 times. */
static Expr diff_smooth(Dag *d, Expr p, Expr da)
{
    double order;
    if (!expr_is_const(d, p, &order) || order < 1)
        return da;
    return OP2(SMOOTH, expr_int(d, order - 1), da);
}

/* delay(a, T)(t) = a(t - T) */
static Expr diff_delay(Dag *d, const ExprNode *n, Expr da, Expr dT)
{
    Expr then = expr_make(d, EX_DELAY, da, n->arg[1], n->arg[2]);
    return MUL(then, SUB(REAL(1), dT));
}

static Expr diff_call(Dag *d, Expr e, const Expr *da)
{
    int narg = node_of(d, e)->narg;
    Expr sum = REAL(0);
    for (int i = 0; i < narg; i++) {
        if (expr_is_zero(d, da[i]))
            continue;
        Expr by = function_derivative(d, e, i);
        if (by == EXPR_NONE)
            return EXPR_NONE;
        sum = ADD(sum, MUL(by, da[i]));
    }
    return sum;
}

static Expr choose(Dag *d, Expr condition, Expr yes, Expr no)
{
    return expr_if(d, FN(NOEVENT, condition), yes, no);
}

static Expr diff_function(Dag *d, Expr e, const Expr *arg, const Expr *darg)
{
    Expr a = arg[0], b = arg[1], da = darg[0];
    int narg = node_of(d, e)->narg;
    Expr db = narg > 1 ? darg[1] : EXPR_NONE;
    switch (op_of(d, e)) {
#define FUNCTION(name, text, narg, properties, instructions, c, inputs, value, \
                 derivative, inverse)                                          \
    case EX_##name: {                                                          \
        return derivative;                                                     \
    }
#include "expr/ops.def"
    default: unreachable();
    }
}

static Expr diff_node(Dag *d, Expr e, const Expr *da)
{
    const ExprNode *n = node_of(d, e);
    if (n->op == EX_CALL)
        return diff_call(d, e, da);
    Expr a = n->arg[0], b = n->arg[1], c = n->arg[2];
    switch (n->op) {
    case EX_ADD: return ADD(da[0], da[1]);
    case EX_SUB: return SUB(da[0], da[1]);
    case EX_NEG: return NEG(da[0]);
    case EX_MUL: return ADD(MUL(da[0], b), MUL(a, da[1]));
    case EX_DIV: return DIV(SUB(da[0], MUL(e, da[1])), b);
    case EX_POW: return diff_power(d, e, a, b, da[0], da[1]);
    case EX_IF: return expr_if(d, a, da[1], da[2]);
    case EX_NOEVENT: return FN(NOEVENT, da[0]);
    case EX_SMOOTH: return diff_smooth(d, a, da[1]);
    case EX_HOMOTOPY: return OP2(HOMOTOPY, da[0], da[1]);
    case EX_SEMILINEAR: {
        Expr up = OP2(GE, a, REAL(0));
        return ADD(MUL(choose(d, up, b, c), da[0]),
                   MUL(a, choose(d, up, da[1], da[2])));
    }
    case EX_DELAY: return diff_delay(d, n, da[0], da[1]);
    case EX_DER: return EXPR_NONE; /* expand it first */
    default: return diff_function(d, e, n->arg, da);
    }
}

/* The arguments of `op` whose derivatives count, as bits. */
static unsigned counting_args(ExprOp op)
{
    switch (op) {
    case EX_IF: return 6;
    case EX_SMOOTH: return 2;
    case EX_DELAY: return 3;
    default: return 7;
    }
}

Expr diff_rule(Dag *d, Expr e, const Expr *da)
{
    const ExprNode *n = node_of(d, e);
    bool varies = false;
    unsigned counts = counting_args((ExprOp)n->op);
    for (int i = 0; i < n->narg; i++) {
        if (i < 3 && !(counts >> i & 1))
            continue;
        if (da[i] == EXPR_NONE)
            return EXPR_NONE;
        varies = varies || !expr_is_zero(d, da[i]);
    }
    return varies ? diff_node(d, e, da) : REAL(0);
}

/* ---- walks ---- */
static Expr diff_leaf(const ExprDiff *t, Expr e, const ExprNode *n)
{
    Dag *d = t->d;
    if (t->x != EXPR_NONE)
        return REAL(e == t->x);
    if (n->op == EX_TIME)
        return REAL(1);
    if (n->op == EX_VAR && n->type == ET_REAL && n->var < t->nvaries &&
        t->varies[n->var])
        return expr_var(d, n->var, n->order + 1, ET_REAL);
    return REAL(0);
}

/* Of arguments with the derivatives da[]. Over time a function may have
 * another, and homotopy() is the actual model. */
static Expr diff_of(const ExprDiff *t, Expr e, const Expr *da)
{
    const ExprNode *n = node_of(t->d, e);
    const ExprFunction *f = n->op == EX_CALL ? dag_function(t->d, n->fn) : NULL;
    if (t->x != EXPR_NONE)
        return diff_rule(t->d, e, da);
    if (f && f->over_time)
        return f->over_time(t->d, e, da);
    return n->op == EX_HOMOTOPY ? da[0] : diff_rule(t->d, e, da);
}

/* The derivative of `root`; with a memo it is kept there with all parts. */
static Expr run(ExprDiff *t, Expr root, Memo *memo)
{
    Dag *d = t->d;
    bool partial = t->x != EXPR_NONE;
    if (partial && root < t->x)
        return REAL(0);
    Walk w = walk_begin(d);
    w.stop = expr_flat_ops | (partial ? OP_BIT(EX_DELAY) : 0);
    w.least = partial ? t->x : 0;
    w.memo = memo;
    walk_push(&w, root);
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;) {
        const ExprNode *n = node_of(d, e);
        Expr de;
        if (e == t->x || n->narg == 0 || w.stop & OP_BIT(n->op)) {
            de = diff_leaf(t, e, n);
        } else {
            ExprVec *da = &w.s->list;
            vec_clear(da);
            for (int i = 0; i < n->narg; i++) {
                Expr arg = args_of(n)[i];
                vec_push(d->pool->arena, da,
                         arg < w.least ? REAL(0) : *walk_value(&w, arg));
            }
            de = diff_of(t, e, da->at);
        }
        *walk_value(&w, e) = de;
        if (memo)
            memo_set(memo, e, de);
    }
    Expr result = *walk_value(&w, root);
    walk_end(&w);
    return result;
}

/* The derivative of a node along a direction. */
static Expr along_node(Dag *d, Expr e, const Expr *da)
{
    const ExprNode *n = node_of(d, e);
    const ExprFunction *f = n->op == EX_CALL ? dag_function(d, n->fn) : NULL;
    bool varies = false, known = true;
    for (int i = 0; i < n->narg; i++) {
        known &= da[i] != EXPR_NONE;
        varies |= known && !expr_is_zero(d, da[i]);
    }
    return f && f->along && known && varies ? f->along(d, e, da)
                                            : diff_rule(d, e, da);
}

void expr_diff_along(Dag *d, const Expr *root, int nroot, const Expr *leaf,
                     const Expr *by, int nleaf, Expr *out)
{
    Walk w = walk_begin(d);
    w.stop = expr_flat_ops;
    for (int i = 0; i < nleaf; i++)
        walk_push(&w, leaf[i]);
    for (int i = 0; i < nroot; i++)
        walk_push(&w, root[i]);
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;) {
        const ExprNode *n = node_of(d, e);
        Expr de = REAL(0);
        for (int i = 0; n->narg == 0 && i < nleaf; i++)
            if (leaf[i] == e)
                de = by[i];
        if (n->narg > 0 && !(w.stop & OP_BIT(n->op))) {
            ExprVec *da = &w.s->list;
            vec_clear(da);
            for (int i = 0; i < n->narg; i++)
                vec_push(d->pool->arena, da, *walk_value(&w, args_of(n)[i]));
            de = along_node(d, e, da->at);
        }
        *walk_value(&w, e) = de;
    }
    for (int i = 0; i < nroot; i++)
        out[i] = *walk_value(&w, root[i]);
    walk_end(&w);
}

Expr expr_diff(Dag *d, Expr e, Expr x)
{
    ExprDiff t = {.d = d, .x = x};
    return run(&t, e, NULL);
}

bool expr_is_linear(Dag *d, Expr e, Expr x)
{
    Expr slope = expr_diff(d, e, x);
    return slope != EXPR_NONE && !expr_contains(d, slope, x);
}

ExprDiff *expr_diff_new(Dag *d, Expr x, Arena *arena)
{
    ExprDiff *t = NEW(arena, ExprDiff);
    t->d = d;
    t->x = x;
    memo_init(&t->memo, arena);
    memo_init(&t->expanded, arena);
    return t;
}

ExprDiff *expr_diff_new_total(Dag *d, const bool *varies, int nvaries,
                              Arena *arena)
{
    ExprDiff *t = expr_diff_new(d, EXPR_NONE, arena);
    t->varies = varies;
    t->nvaries = nvaries;
    return t;
}

/* ---- der(expression) ---- */
static Expr expand(ExprDiff *t, Expr root, Memo *memo, Memo *expanded)
{
    Dag *d = t->d;
    if (!expr_has_op(d, root, EX_DER))
        return root;
    Walk w = walk_begin(d);
    w.memo = expanded;
    walk_push(&w, root);
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;) {
        const ExprNode *n = node_of(d, e);
        ExprVec *arg = &w.s->list;
        vec_clear(arg);
        for (int i = 0; i < n->narg; i++)
            vec_push(d->pool->arena, arg, *walk_value(&w, args_of(n)[i]));
        Expr to = n->op == EX_DER && arg->at[0] != EXPR_NONE
                      ? run(t, arg->at[0], memo)
                      : expr_rebuild(d, e, arg->at);
        *walk_value(&w, e) = to;
        if (expanded)
            memo_set(expanded, e, to);
    }
    Expr result = *walk_value(&w, root);
    walk_end(&w);
    return result;
}

Expr expr_expand_der(ExprDiff *t, Expr e)
{
    return expand(t, e, &t->memo, &t->expanded);
}

Expr expr_diff_of(ExprDiff *t, Expr e)
{
    if (t->x == EXPR_NONE)
        e = expr_expand_der(t, e);
    return e == EXPR_NONE ? e : run(t, e, &t->memo);
}

Expr expr_total_diff(Dag *d, Expr e, const bool *varies, int nvaries)
{
    ExprDiff t = {.d = d, .x = EXPR_NONE, .varies = varies, .nvaries = nvaries};
    e = expand(&t, e, NULL, NULL);
    return e == EXPR_NONE ? e : run(&t, e, NULL);
}
