/* SPDX-License-Identifier: BSD-3-Clause */
#include "prop/expr/generate.h"

#include <math.h>

static Twin make(Generator *g, ExprOp op, Twin a, Twin b, Twin c)
{
    Twin t = {expr_make_raw(g->d, op, a.raw, b.raw, c.raw),
              expr_make(g->d, op, a.made, b.made, c.made)};
    return t;
}

static const Twin none = {EXPR_NONE, EXPR_NONE};

static Twin make1(Generator *g, ExprOp op, Twin a)
{
    return make(g, op, a, none, none);
}

static Twin make2(Generator *g, ExprOp op, Twin a, Twin b)
{
    return make(g, op, a, b, none);
}

static Twin same(Expr e)
{
    return (Twin){e, e};
}

static Twin number(Generator *g)
{
    static const double common[] = {0, 1, -1, 2, 0.5, 3, -2, 10};
    double v;
    switch (random_below(g->r, 3)) {
    case 0: v = common[random_below(g->r, 8)]; break;
    case 1: v = random_below(g->r, 40) / 8.0 - 2; break;
    default: v = random_between(g->r, -5, 5);
    }
    if (v == floor(v) && random_below(g->r, 2))
        return same(expr_int(g->d, v));
    return same(expr_real(g->d, v));
}

static Twin variable(Generator *g)
{
    int v = random_below(g->r, g->nvar);
    return same(expr_var(g->d, v, random_below(g->r, 12) == 0, ET_REAL));
}

static Twin leaf(Generator *g)
{
    switch (random_below(g->r, 12)) {
    case 0: return same(expr_time(g->d));
    case 1: return make1(g, EX_PRE, same(expr_var(g->d, 2, 0, ET_REAL)));
    case 2: return same(expr_var(g->d, INTEGER, 0, ET_INTEGER));
    case 3:
    case 4: return number(g);
    case 5:
    case 6:
        if (g->npool > 0)
            return g->pool[random_below(g->r, g->npool)];
        return variable(g);
    default: return variable(g);
    }
}

static Twin real(Generator *g);

static Twin integer(Generator *g)
{
    static const ExprOp op[] = {EX_ADD, EX_SUB, EX_MUL, EX_IDIV,
                                EX_MOD, EX_REM, EX_MIN, EX_MAX};
    Twin n = same(expr_var(g->d, INTEGER, 0, ET_INTEGER));
    Twin k = same(expr_int(g->d, random_below(g->r, 9) - 4));
    switch (random_below(g->r, 5)) {
    case 0: return n;
    case 1: return make1(g, EX_INTEGER, real(g));
    case 2: return make1(g, EX_SIGN, real(g));
    case 3: return make1(g, EX_PRE, n);
    default: return make2(g, op[random_below(g->r, 8)], n, k);
    }
}

static Twin boolean(Generator *g)
{
    Twin b = same(expr_var(g->d, BOOLEAN, 0, ET_BOOLEAN));
    Twin n = same(expr_var(g->d, INTEGER, 0, ET_INTEGER));
    switch (random_below(g->r, 14)) {
    case 0: return b;
    case 8: return make1(g, EX_EDGE, b);
    case 9: return make1(g, EX_CHANGE, n);
    case 1: return make1(g, EX_PRE, b);
    case 2: return make1(g, EX_NOT, boolean(g));
    case 3: return make2(g, EX_AND, boolean(g), boolean(g));
    case 4: return make2(g, EX_OR, boolean(g), boolean(g));
    case 5: return same(expr_bool(g->d, random_below(g->r, 2)));
    case 6: return make2(g, EX_EQ, integer(g), integer(g));
    case 7: return make2(g, EX_NE, integer(g), integer(g));
    default: return make2(g, EX_LT + random_below(g->r, 4), real(g), real(g));
    }
}

/* An argument that is often in the domain of `op`. */
static Twin argument(Generator *g, ExprOp op)
{
    Twin a = real(g);
    if (random_below(g->r, 6) == 0)
        return a;
    Twin some = same(expr_real(g->d, random_between(g->r, 0.1, 2)));
    switch (op) {
    case EX_LOG:
    case EX_LOG10:
    case EX_SQRT:
        if (random_below(g->r, 2))
            return make2(g, EX_ADD, make1(g, EX_ABS, a), some);
        return make2(g, EX_ADD, make2(g, EX_MUL, a, a), some);
    case EX_ASIN:
    case EX_ACOS: return make1(g, random_below(g->r, 2) ? EX_SIN : EX_TANH, a);
    case EX_EXP:
    case EX_SINH:
    case EX_COSH: return make1(g, random_below(g->r, 2) ? EX_SIN : EX_ATAN, a);
    default: return a;
    }
}

static Twin power(Generator *g)
{
    static const double exponent[] = {2, 3, -1, -2, 0.5, 1.5, 4, 0, 1, -3};
    Twin a = real(g);
    if (random_below(g->r, 3) == 0)
        return make2(g, EX_POW, argument(g, EX_LOG), real(g));
    double n = exponent[random_below(g->r, 10)];
    if (n != floor(n))
        a = argument(g, EX_SQRT);
    Twin b = same(random_below(g->r, 2) && n == floor(n) ? expr_int(g->d, n)
                                                         : expr_real(g->d, n));
    return make2(g, EX_POW, a, b);
}

static Twin special(Generator *g)
{
    switch (random_below(g->r, 9)) {
    case 0: return make(g, EX_IF, boolean(g), real(g), real(g));
    case 1: return make(g, EX_IF, boolean(g), integer(g), real(g));
    case 2: return make1(g, EX_NOEVENT, real(g));
    case 3: return make2(g, EX_SMOOTH, same(expr_int(g->d, 1)), real(g));
    case 4: return make2(g, EX_HOMOTOPY, real(g), real(g));
    case 5: return make(g, EX_SEMILINEAR, real(g), real(g), real(g));
    case 6:
        return make1(g, random_below(g->r, 2) ? EX_FLOOR : EX_CEIL, real(g));
    case 7:
        return make2(g, random_below(g->r, 2) ? EX_MOD : EX_REM, real(g),
                     argument(g, EX_LOG));
    default: return integer(g);
    }
}

static Twin operation(Generator *g)
{
    static const ExprOp two[] = {EX_ADD, EX_ADD, EX_SUB,   EX_SUB, EX_MUL,
                                 EX_MUL, EX_DIV, EX_ATAN2, EX_MIN, EX_MAX};
    switch (random_below(g->r, 10)) {
    case 0: return power(g);
    case 1: return special(g);
    case 2: return make1(g, EX_NEG, real(g));
    case 3:
    case 4: {
        ExprOp op;
        do
            op = EX_SIN + random_below(g->r, EX_ABS - EX_SIN + 1);
        while (op == EX_ATAN2);
        return make1(g, op, argument(g, op));
    }
    default: {
        Twin a = real(g);
        return make2(g, two[random_below(g->r, 10)], a, real(g));
    }
    }
}

static Twin real(Generator *g)
{
    if (g->size <= 0 || random_below(g->r, 6) == 0)
        return leaf(g);
    g->size--;
    Twin t = operation(g);
    if (g->npool < 16)
        g->pool[g->npool++] = t;
    return t;
}

Twin generate_real(Generator *g, int size)
{
    g->size = size;
    Twin t = operation(g);
    while (g->size > 0)
        t = make2(g, random_below(g->r, 2) ? EX_ADD : EX_MUL, t, real(g));
    return t;
}

static Twin chain_step(Generator *g, Twin x)
{
    static const ExprOp one[] = {EX_NEG,  EX_EXP,   EX_LOG, EX_SINH,
                                 EX_TANH, EX_LOG10, EX_SIN, EX_SQRT};
    static const double exponent[] = {3, 2, 5, 1.5, 0.7, -1, -3, 0.25};
    g->size = 2;
    Twin other = real(g);
    switch (random_below(g->r, 10)) {
    case 0:
    case 1: return make1(g, one[random_below(g->r, 8)], x);
    case 2:
        return make2(g, EX_POW, x,
                     same(expr_real(g->d, exponent[random_below(g->r, 8)])));
    case 3: return make2(g, EX_POW, same(expr_real(g->d, 2.5)), x);
    case 4: return make2(g, EX_DIV, x, other);
    case 5: return make2(g, EX_DIV, other, x);
    case 6: return make2(g, EX_SUB, other, x);
    case 7: /* a factor known not to vanish */
        return make2(g, EX_MUL, x, same(expr_var(g->d, 5, 0, ET_REAL)));
    case 8: return make(g, EX_IF, boolean(g), x, make1(g, EX_NEG, x));
    default: return make2(g, EX_ADD, x, other);
    }
}

Twin generate_chain(Generator *g, Twin x, int length)
{
    for (int i = 0; i < length; i++)
        x = chain_step(g, x);
    return x;
}
