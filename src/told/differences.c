/* differences.c - derivatives of functions by differences of their values.
 *
 * Result k moves by the sum over the arguments of
 *
 *     rate_i (f_k(x + h_i e_i) - f_k(x - h_i e_i)) / (2 h_i),
 *     h_i = 1e-4 |x_i| + 1e-7
 *
 * where f stays a function (routine/routine.h), so that generated code has it
 * once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "routine/routine.h"
#include "told/told.h"

typedef struct Differences {
    Dag *d;
    const Told *t;
    RoutineCall f;
    Expr *arg; /* size f.narg */
} Differences;

static Expr width_of(Dag *d, Expr x)
{
    return expr_add(d,
                    expr_mul(d, expr_real(d, 1e-4), expr_unary(d, EX_ABS, x)),
                    expr_real(d, 1e-7));
}

/* Result k with argument i moved. */
static Expr moved(Differences *s, int k, int i, Expr to)
{
    for (int j = 0; j < s->f.narg; j++)
        s->arg[j] = j == i ? to : s->f.arg[j];
    RoutineCall c = {s->f.fn, s->arg, s->f.narg};
    return routine_result(s->d, &c, k + 1, ET_REAL);
}

static Expr difference(Differences *s, int k, int i)
{
    Dag *d = s->d;
    Expr x = s->t->formal[i], h = width_of(d, x);
    Expr up = moved(s, k, i, expr_add(d, x, h));
    Expr down = moved(s, k, i, expr_sub(d, x, h));
    return expr_div(d, expr_sub(d, up, down), expr_mul(d, expr_real(d, 2), h));
}

const Expr *told_differences(Dag *d, const Told *t, const Expr *value,
                             int nvalue)
{
    Arena *arena = dag_arena(d);
    Expr *out = NEW_ARRAY(arena, Expr, nvalue + 1);
    Differences s = {.d = d, .t = t};
    s.f =
        routine_make(d, t->name, t->formal, t->formal, t->narg, value, nvalue);
    s.arg = NEW_ARRAY(arena, Expr, s.f.narg + 1);
    for (int k = 0; k < nvalue; k++) {
        out[k] = EXPR_NONE;
        if (expr_type(d, value[k]) != ET_REAL)
            continue;
        Expr sum = expr_real(d, 0);
        for (int i = 0; i < t->narg; i++)
            if (t->rate[i] != EXPR_NONE)
                sum = expr_add(d, sum,
                               expr_mul(d, difference(&s, k, i), t->rate[i]));
        out[k] = sum;
    }
    return out;
}
