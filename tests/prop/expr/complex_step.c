/* SPDX-License-Identifier: BSD-3-Clause */
#include "prop/expr/complex_step.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define STEP  1e-100L
#define SLACK (8 * (long double)DBL_EPSILON)

typedef long double complex Number;

/* A number with bounds for the rounding in its two parts. */
typedef struct Rough {
    Number z;
    long double re, im;
} Rough;

typedef struct Evaluation {
    const Point *p;
    double (*speed)[NORDER];
    double time_speed;
    Rough *value; /* of each handle */
    bool failed;  /* some value is not a number: branches may be wrong */
} Evaluation;

/* Products only, so that a negative base is welcome. */
static Number whole_power(Number a, double n)
{
    Number result = 1;
    for (int k = 0; k < (int)fabs(n); k++)
        result *= a;
    return n < 0 ? 1 / result : result;
}

static Number power(Number a, Number b)
{
    long double n = creall(b);
    if (cimagl(b) == 0 && n == roundl(n) && fabsl(n) < 100)
        return whole_power(a, (double)n);
    if (creall(a) <= 0)
        return NAN;
    return cexpl(b * clogl(a));
}

/* Inverse functions: the value by the real one, the imaginary part, which
 * library functions lose when it is tiny, by one Newton step on the equation
 * sin(w) = a, or on x sin(w) = y cos(w). */
static Number arcsine(Number a)
{
    long double w = asinl(creall(a));
    return w + (a - sinl(w)) / cosl(w);
}

static Number angle(Number y, Number x)
{
    long double a = creall(x), b = creall(y);
    return atan2l(b, a) + (y * a - x * b) / (x * a + y * b);
}

/* Without overflow or cancellation. */
static Number tangent_hyperbolic(Number a)
{
    if (creall(a) < 0)
        return -tangent_hyperbolic(-a);
    if (creall(a) < 1)
        return csinhl(a) / ccoshl(a);
    Number small = cexpl(-2 * a);
    return (1 - small) / (1 + small);
}

static Number function(ExprOp op, Number a)
{
    switch (op) {
    case EX_NEG: return -a;
    case EX_SIN: return csinl(a);
    case EX_COS: return ccosl(a);
    case EX_TAN: return csinl(a) / ccosl(a);
    case EX_ASIN: return arcsine(a);
    case EX_ACOS: return acosl(0) - arcsine(a);
    case EX_ATAN: return angle(a, 1);
    case EX_SINH: return csinhl(a);
    case EX_COSH: return ccoshl(a);
    case EX_TANH: return tangent_hyperbolic(a);
    case EX_EXP: return cexpl(a);
    case EX_LOG: return clogl(a);
    case EX_LOG10: return clogl(a) / logl(10);
    case EX_SQRT: return csqrtl(a);
    case EX_ABS: return creall(a) < 0 ? -a : a;
    case EX_NOEVENT: return a;
    default: return expr_apply(op, (double)creall(a), 0, 0);
    }
}

static Number operation(ExprOp op, Number a, Number b, Number c)
{
    double ra = (double)creall(a), rb = (double)creall(b);
    switch (op) {
    case EX_ADD: return a + b;
    case EX_SUB: return a - b;
    case EX_MUL: return a * b;
    case EX_DIV: return a / b;
    case EX_POW: return power(a, b);
    case EX_ATAN2: return angle(a, b);
    case EX_MIN: return creall(b) < creall(a) ? b : a;
    case EX_MAX: return creall(a) < creall(b) ? b : a;
    case EX_MOD: return a - floorl(creall(a) / creall(b)) * b;
    case EX_REM: return a - truncl(creall(a) / creall(b)) * b;
    case EX_IDIV:
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_EQ:
    case EX_NE:
    case EX_AND:
    case EX_OR: return expr_apply(op, ra, rb, 0);
    case EX_IF: return ra != 0 ? b : c;
    case EX_SMOOTH: return b;
    case EX_HOMOTOPY: return a;
    case EX_SEMILINEAR: return ra >= 0 ? a * b : a * c;
    default: return function(op, a);
    }
}

static Number leaf(const Evaluation *t, const Dag *d, Expr e)
{
    const ExprNode *n = expr_node(d, e);
    double v = n->op == EX_CONST ? n->value : point_leaf((void *)t->p, d, e);
    if (n->op == EX_VAR)
        return v + I * (STEP * t->speed[n->var][n->order]);
    if (n->op == EX_TIME)
        return v + I * (STEP * t->time_speed);
    return v;
}

static Number apply(const ExprNode *n, const Number *x)
{
    return operation((ExprOp)n->op, x[0], x[1], x[2]);
}

/* What argument i can be off by moves the result by so much, to first order;
 * and its share of the imaginary part is rounded. */
static void add_errors(const ExprNode *n, const Rough *arg, int i, Rough *sum)
{
    Number x[3] = {arg[0].z, arg[1].z, arg[2].z};
    Number alone[3] = {creall(x[0]), creall(x[1]), creall(x[2])};
    alone[i] = x[i];
    sum->im += SLACK * fabsl(cimagl(apply(n, alone)));
    x[i] = arg[i].z + arg[i].re;
    Number moved = apply(n, x) - sum->z;
    sum->re += fabsl(creall(moved));
    sum->im += fabsl(cimagl(moved));
    x[i] = arg[i].z + I * arg[i].im;
    moved = apply(n, x) - sum->z;
    sum->im += fabsl(cimagl(moved));
}

static void visit(void *context, const Dag *d, Expr e)
{
    Evaluation *t = context;
    const ExprNode *n = expr_node(d, e);
    Rough v = {0, 0, 0};
    if (n->narg == 0 || (n->op >= EX_PRE && n->op <= EX_CHANGE)) {
        v.z = leaf(t, d, e);
    } else {
        Rough arg[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < n->narg; i++)
            arg[i] = t->value[n->arg[i]];
        Number x[3] = {arg[0].z, arg[1].z, arg[2].z};
        v.z = apply(n, x);
        for (int i = 0; i < n->narg; i++)
            add_errors(n, arg, i, &v);
    }
    if (isnan(creall(v.z)))
        t->failed = true;
    v.re += SLACK * fabsl(creall(v.z));
    v.im += SLACK * fabsl(cimagl(v.z));
    t->value[e] = v;
}

Interval complex_step(const Dag *d, Expr e, const Point *p,
                      double speed[NVAR][NORDER], double time_speed)
{
    Arena *local = arena_new();
    Evaluation t = {p, speed, time_speed, NULL, false};
    t.value = NEW_ARRAY(local, Rough, dag_count(d));
    expr_walk(d, &e, 1, visit, &t);
    long double slope = cimagl(t.value[e].z) / STEP;
    long double off = t.value[e].im / STEP;
    arena_free(local);
    bool known = !t.failed && isfinite(slope) && isfinite(off);
    return (Interval){slope - off, slope + off, known};
}
