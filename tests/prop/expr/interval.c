/* SPDX-License-Identifier: BSD-3-Clause */
#include "prop/expr/interval.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define SLACK  (16 * (long double)DBL_EPSILON)
#define TINY   1e-60L
#define LARGE  1e60L
#define NARROW 1e-7L

typedef long double Function(long double);

static const Interval unknown = {0, 0, false};

static Interval exact(long double v)
{
    return (Interval){v, v, true};
}

/* An interval with room for rounding. */
static Interval rounded(long double a, long double b)
{
    long double lo = fminl(a, b), hi = fmaxl(a, b);
    if (!isfinite(lo) || !isfinite(hi) || hi > LARGE || lo < -LARGE)
        return unknown;
    long double room = SLACK * fmaxl(fabsl(lo), fabsl(hi)) + TINY;
    return (Interval){lo - room, hi + room, true};
}

bool interval_meets(Interval a, Interval b)
{
    return a.lo <= b.hi && b.lo <= a.hi;
}

bool interval_holds(Interval a, long double v)
{
    return a.lo <= v && v <= a.hi;
}

bool interval_tells(Interval a)
{
    long double size = fmaxl(1, fmaxl(fabsl(a.lo), fabsl(a.hi)));
    return a.known && a.hi - a.lo <= NARROW * size;
}

static bool holds_zero(Interval a)
{
    return a.lo <= 0 && a.hi >= 0;
}

/* ---- arithmetic ---- */
static Interval add(Interval a, Interval b)
{
    return rounded(a.lo + b.lo, a.hi + b.hi);
}

static Interval subtract(Interval a, Interval b)
{
    return rounded(a.lo - b.hi, a.hi - b.lo);
}

static Interval multiply(Interval a, Interval b)
{
    long double p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    return rounded(fminl(fminl(p[0], p[1]), fminl(p[2], p[3])),
                   fmaxl(fmaxl(p[0], p[1]), fmaxl(p[2], p[3])));
}

static Interval divide(Interval a, Interval b)
{
    if (holds_zero(b))
        return unknown;
    return multiply(a, rounded(1 / b.lo, 1 / b.hi));
}

static Interval monotone(Interval a, Function *f)
{
    return rounded(f(a.lo), f(a.hi));
}

/* sin and cos: slopes between -1 and 1. */
static Interval wave(Interval a, Function *f)
{
    long double mid = (a.lo + a.hi) / 2, half = (a.hi - a.lo) / 2;
    return rounded(fmaxl(f(mid) - half, -1), fminl(f(mid) + half, 1));
}

static Interval tangent(Interval a)
{
    return holds_zero(wave(a, cosl)) ? unknown : monotone(a, tanl);
}

static Interval absolute(Interval a)
{
    if (!holds_zero(a))
        return rounded(fabsl(a.lo), fabsl(a.hi));
    return rounded(0, fmaxl(fabsl(a.lo), fabsl(a.hi)));
}

static Interval sign(Interval a)
{
    if (a.lo == 0 && a.hi == 0)
        return exact(0);
    return holds_zero(a) ? unknown : exact(a.lo > 0 ? 1 : -1);
}

static Interval within(Interval a, long double lo, long double hi, Function *f)
{
    return a.lo > lo && a.hi < hi ? monotone(a, f) : unknown;
}

static Interval whole_power(Interval a, double n)
{
    if (n < 0 && holds_zero(a))
        return unknown;
    if (fmod(n, 2) != 0)
        return rounded(powl(a.lo, n), powl(a.hi, n));
    Interval size = absolute(a);
    return rounded(powl(fmaxl(size.lo, 0), n), powl(size.hi, n));
}

static Interval power(Interval a, Interval b)
{
    long double n = roundl(b.lo);
    bool narrow = b.hi - b.lo <= 4 * SLACK * fmaxl(1, fabsl(b.hi));
    if (interval_holds(b, roundl(b.hi)))
        n = roundl(b.hi);
    if (narrow && interval_holds(b, n) && fabsl(n) < 100)
        return whole_power(a, (double)n);
    if (a.lo <= 0)
        return unknown;
    Interval logarithm = multiply(b, monotone(a, logl));
    return logarithm.known ? monotone(logarithm, expl) : unknown;
}

static Interval angle(Interval y, Interval x)
{
    const Interval right = rounded(acosl(0), acosl(0));
    if (x.lo > 0)
        return monotone(divide(y, x), atanl);
    if (holds_zero(y))
        return unknown;
    Interval rest = monotone(divide(x, y), atanl);
    return y.lo > 0 ? subtract(right, rest)
                    : subtract(rounded(-right.lo, -right.hi), rest);
}

/* ---- what is not smooth ---- */
static Interval step_function(Interval a, Function *f)
{
    return f(a.lo) == f(a.hi) ? exact(f(a.lo)) : unknown;
}

static Interval remainder_of(Interval a, Interval b, Function *f)
{
    Interval k = divide(a, b);
    if (k.known)
        k = step_function(k, f);
    return k.known ? subtract(a, multiply(k, b)) : unknown;
}

static Interval relation(ExprOp op, Interval a, Interval b)
{
    bool below = a.hi<b.lo, above = a.lo> b.hi;
    bool same = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
    if (!below && !above && !same)
        return unknown;
    return exact(expr_apply(op, below ? -1 : above ? 1 : 0, 0, 0));
}

static Interval logic(ExprOp op, Interval a, Interval b)
{
    long double decides = op == EX_OR; /* this value on one side is enough */
    if ((a.known && a.lo == decides) || (b.known && b.lo == decides))
        return exact(decides);
    return a.known && b.known ? exact(1 - decides) : unknown;
}

static Interval smooth_function(ExprOp op, Interval a)
{
    switch (op) {
    case EX_SIN: return wave(a, sinl);
    case EX_COS: return wave(a, cosl);
    case EX_TAN: return tangent(a);
    case EX_ASIN: return within(a, -1, 1, asinl);
    case EX_ACOS: return within(a, -1, 1, acosl);
    case EX_ATAN: return monotone(a, atanl);
    case EX_SINH: return monotone(a, sinhl);
    case EX_COSH: return monotone(absolute(a), coshl);
    case EX_TANH: return monotone(a, tanhl);
    case EX_EXP: return monotone(a, expl);
    case EX_LOG: return within(a, 0, LARGE, logl);
    case EX_LOG10: return within(a, 0, LARGE, log10l);
    case EX_SQRT: return within(a, 0, LARGE, sqrtl);
    case EX_ABS: return absolute(a);
    case EX_NEG: return (Interval){-a.hi, -a.lo, true};
    case EX_SIGN: return sign(a);
    case EX_FLOOR:
    case EX_INTEGER: return step_function(a, floorl);
    case EX_CEIL: return step_function(a, ceill);
    case EX_NOT: return exact(a.lo == 0);
    case EX_NOEVENT:
    case EX_TOINT: return a;
    default: abort();
    }
}

static Interval operation(ExprOp op, Interval a, Interval b, Interval c)
{
    switch (op) {
    case EX_IF: return !a.known ? unknown : a.lo != 0 ? b : c;
    case EX_AND:
    case EX_OR: return logic(op, a, b);
    case EX_SMOOTH: return b;
    case EX_HOMOTOPY: return a;
    default: break;
    }
    if (!a.known || !b.known || !c.known)
        return unknown;
    switch (op) {
    case EX_ADD: return add(a, b);
    case EX_SUB: return subtract(a, b);
    case EX_MUL: return multiply(a, b);
    case EX_DIV: return divide(a, b);
    case EX_POW: return power(a, b);
    case EX_ATAN2: return angle(a, b);
    case EX_MIN: return (Interval){fminl(a.lo, b.lo), fminl(a.hi, b.hi), true};
    case EX_MAX: return (Interval){fmaxl(a.lo, b.lo), fmaxl(a.hi, b.hi), true};
    case EX_IDIV: {
        Interval q = divide(a, b);
        return q.known ? step_function(q, truncl) : q;
    }
    case EX_MOD: return remainder_of(a, b, floorl);
    case EX_REM: return remainder_of(a, b, truncl);
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_EQ:
    case EX_NE: return relation(op, a, b);
    case EX_SEMILINEAR:
        return holds_zero(a) ? unknown : multiply(a, a.lo > 0 ? b : c);
    default: return smooth_function(op, a);
    }
}

/* Whole numbers come out of whole numbers without rounding. */
static Interval whole(Interval a)
{
    long double v = roundl(a.lo);
    if (!a.known || roundl(a.hi) != v || a.hi - a.lo > 1e-3L ||
        fabsl(v) > 0x1p53L)
        return unknown;
    return exact(v);
}

/* ---- expressions ---- */
typedef struct Evaluation {
    const Point *p;
    Interval *value; /* of each handle */
    Expr over;
    Interval with;
} Evaluation;

static Interval leaf(const Evaluation *t, const Dag *d, Expr e)
{
    const ExprNode *n = expr_node(d, e);
    if (n->op == EX_CONST)
        return n->type == ET_REAL ? rounded(n->value, n->value)
                                  : exact(n->value);
    double v = point_leaf((void *)t->p, d, e);
    return isnan(v) ? unknown : exact(v);
}

static void visit(void *context, const Dag *d, Expr e)
{
    Evaluation *t = context;
    const ExprNode *n = expr_node(d, e);
    if (e == t->over) {
        t->value[e] = t->with;
        return;
    }
    if (n->narg == 0 || (n->op >= EX_PRE && n->op <= EX_CHANGE)) {
        t->value[e] = leaf(t, d, e);
        return;
    }
    Interval x[3] = {exact(0), exact(0), exact(0)};
    for (int i = 0; i < n->narg; i++)
        x[i] = t->value[n->arg[i]];
    Interval v = operation((ExprOp)n->op, x[0], x[1], x[2]);
    t->value[e] = n->type == ET_INTEGER ? whole(v) : v;
}

Interval interval_eval(const Dag *d, Expr e, const Point *p, Expr over,
                       Interval with)
{
    Arena *local = arena_new();
    Evaluation t = {p, NEW_ARRAY(local, Interval, dag_count(d)), over, with};
    expr_walk(d, &e, 1, visit, &t);
    Interval v = t.value[e];
    arena_free(local);
    return v;
}
