/* builtin_clock.c - clocks and the operators between them (chapter 16).
 *
 * They become nodes of the DAG as they are written; clocks/ finds out which
 * equations belong to which clock and what the operators mean there. Factors,
 * counters and intervals of periodic clocks are fixed by compilation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/builtin.h"
#include "eval/exec.h"

static bool in_function(const Context *in, const BuiltinCall *c)
{
    if (!in->exec || !in->exec->fn)
        return false;
    context_report(in, c->span, DIAG_E0615,
                   "%s() has no meaning inside a function", c->name);
    return true;
}

static Value *clock_value(const Context *in, ExprClocked kind, Expr a, Expr b)
{
    return value_scalar(in, type_builtin(TYPE_CLOCK),
                        expr_clocked(in->dag, kind, a, b), FV_DISCRETE);
}

static Expr no(const Context *in)
{
    return expr_bool(in->dag, false);
}

static Expr ratio(const Context *in, Expr a, Expr b)
{
    return expr_make_raw(in->dag, EX_DIV, a, b, EXPR_NONE);
}

/* The number of a scalar that compilation knows; false after a report. */
static bool known_number(const Context *in, BuiltinCall *c, int i, double *x)
{
    Value *v = builtin_arg(in, c, i);
    Value *k = is_error(v) ? NULL : eval_fold(in, v);
    if (k && is_scalar(k) && is_numeric(k) &&
        expr_is_const(in->dag, k->scalar[0], x))
        return true;
    if (!is_error(v))
        context_report(in, c->arg[i] ? c->arg[i]->span : c->span, DIAG_E0413,
                       "argument %d of %s() must be a scalar number known at "
                       "compile time",
                       i + 1, c->name);
    return false;
}

static Value *wrong_clock(const Context *in, BuiltinCall *c, const char *what)
{
    context_report(in, c->span, DIAG_E0403, "Clock() %s", what);
    return value_error(in);
}

static Value *periodic(const Context *in, BuiltinCall *c, int first)
{
    double x;
    if (!known_number(in, c, first, &x))
        return value_error(in);
    if (!(x > 0))
        return wrong_clock(in, c, "needs an interval of more than 0");
    return clock_value(in, EC_PERIOD, no(in), expr_real(in->dag, x));
}

static Value *counted(const Context *in, BuiltinCall *c, int first)
{
    double n, r = 1;
    if (builtin_has(c, 1) && !known_number(in, c, 1, &r))
        return value_error(in);
    if (!(r >= 1))
        return wrong_clock(in, c, "needs a resolution of at least 1");
    Value *v = builtin_arg(in, c, first), *k = eval_fold(in, v);
    if (k && expr_is_const(in->dag, k->scalar[0], &n) && !(n >= 1))
        return wrong_clock(in, c, "needs a counter of at least 1");
    return clock_value(
        in, EC_COUNT, no(in),
        ratio(in, k ? k->scalar[0] : v->scalar[0], expr_int(in->dag, r)));
}

static Value *event(const Context *in, BuiltinCall *c, int first, int start)
{
    double x = 0;
    if (builtin_has(c, start) && !known_number(in, c, start, &x))
        return value_error(in);
    return clock_value(in, EC_EVENT, builtin_arg(in, c, first)->scalar[0],
                       expr_real(in->dag, x));
}

static Value *solved(const Context *in, BuiltinCall *c, int first, int method)
{
    Value *v = builtin_arg(in, c, method), *k = eval_fold(in, v);
    if (!k || !is_scalar(k) || !is_kind(k, TYPE_STRING))
        return builtin_wrong(in, c, method, v, "a String that is known");
    return clock_value(in, EC_SOLVER, builtin_arg(in, c, first)->scalar[0],
                       k->scalar[0]);
}

/* Clock(), Clock(interval), Clock(counter, resolution), Clock(condition,
 * startInterval), Clock(clock, solverMethod) (16.3). */
BUILTIN(builtin_clock)
{
    if (in_function(in, c))
        return value_error(in);
    int first = builtin_has(c, 0)   ? 0
                : builtin_has(c, 4) ? 4
                : builtin_has(c, 5) ? 5
                                    : 6;
    if (!builtin_has(c, first))
        return clock_value(in, EC_INFER, no(in), no(in));
    Value *v = builtin_arg(in, c, first);
    if (is_error(v))
        return v;
    if (!is_scalar(v))
        return builtin_wrong(in, c, first, v, "a scalar");
    switch (v->type->kind) {
    case TYPE_REAL: return periodic(in, c, first);
    case TYPE_INTEGER: return counted(in, c, first);
    case TYPE_BOOLEAN: return event(in, c, first, builtin_has(c, 2) ? 2 : 1);
    case TYPE_CLOCK: return solved(in, c, first, builtin_has(c, 3) ? 3 : 1);
    default:
        return builtin_wrong(in, c, first, v,
                             "a Real, an Integer, a Boolean or a Clock");
    }
}

/* ---- between clocks ---- */

typedef struct Operator {
    ExprClocked kind;
    Expr b;
} Operator;

static Expr apply(void *context, const Context *in, Expr e, const Type *type)
{
    (void)type;
    const Operator *o = context;
    return expr_clocked(in->dag, o->kind, e, o->b);
}

static Value *applied(const Context *in, const Value *v, Operator o)
{
    if (is_error(v))
        return (Value *)v;
    Value *r = value_map(in, v, apply, &o);
    r->variability = is_kind(v, TYPE_REAL) ? FV_CONTINUOUS : FV_DISCRETE;
    return r;
}

/* hold, previous, noClock (16.4, 16.5.1, 16.5.2). */
BUILTIN(builtin_clocked)
{
    if (in_function(in, c))
        return value_error(in);
    const AstExpr *e = c->arg[0];
    bool is_previous = strcmp(c->name, "previous") == 0;
    Value *v = is_previous && e && e->kind == AE_REF
                   ? eval_ref_raw(in, c->scope, e->ref)
                   : builtin_arg(in, c, 0);
    ExprClocked kind = is_previous         ? EC_PREVIOUS
                       : c->name[0] == 'h' ? EC_HOLD
                                           : EC_NOCLOCK;
    return applied(in, v, (Operator){kind, no(in)});
}

Value *builtin_sampled(const Context *in, BuiltinCall *c, int u, int clock)
{
    Expr k = expr_clocked(in->dag, EC_INFER, no(in), no(in));
    if (builtin_has(c, clock)) {
        Value *v = builtin_arg(in, c, clock);
        if (!is_kind(v, TYPE_CLOCK) || !is_scalar(v))
            return builtin_wrong(in, c, clock, v, "a Clock");
        k = v->scalar[0];
    }
    return applied(in, builtin_arg(in, c, u), (Operator){EC_SAMPLE, k});
}

static bool known_count(const Context *in, BuiltinCall *c, int i, int least,
                        Expr *x)
{
    int n;
    if (!builtin_int(in, c, i, &n))
        return false;
    if (n < least)
        context_report(in, c->arg[i] ? c->arg[i]->span : c->span, DIAG_E0403,
                       "argument %d of %s() must be at least %d", i + 1,
                       c->name, least);
    *x = expr_int(in->dag, n);
    return n >= least;
}

/* subSample, superSample (16.5.2); without a factor it is inferred. */
BUILTIN(builtin_subsample)
{
    Expr factor = expr_int(in->dag, 0);
    if (in_function(in, c) ||
        (builtin_has(c, 1) && !known_count(in, c, 1, 0, &factor)))
        return value_error(in);
    ExprClocked kind = c->name[2] == 'b' ? EC_SUB : EC_SUPER;
    return applied(in, builtin_arg(in, c, 0), (Operator){kind, factor});
}

BUILTIN(builtin_shift)
{
    Expr count, resolution = expr_int(in->dag, 1);
    if (in_function(in, c) || !known_count(in, c, 1, 0, &count) ||
        (builtin_has(c, 2) && !known_count(in, c, 2, 1, &resolution)))
        return value_error(in);
    ExprClocked kind = c->name[0] == 's' ? EC_SHIFT : EC_BACK;
    return applied(in, builtin_arg(in, c, 0),
                   (Operator){kind, ratio(in, count, resolution)});
}

/* firstTick, interval (16.10): of a variable, or of where they stand. */
BUILTIN(builtin_tick)
{
    if (in_function(in, c))
        return value_error(in);
    Expr u = expr_bool(in->dag, false);
    if (builtin_has(c, 0)) {
        Value *v = builtin_arg(in, c, 0);
        if (is_error(v) || !is_scalar(v) || !v->scalar)
            return builtin_wrong(in, c, 0, v, "a scalar variable");
        u = v->scalar[0];
    }
    bool is_first = c->name[0] == 'f';
    Expr e = is_first
                 ? expr_clocked(in->dag, EC_FIRST, no(in), u)
                 : expr_clocked(in->dag, EC_INTERVAL, expr_real(in->dag, 0), u);
    return value_scalar(in, type_builtin(is_first ? TYPE_BOOLEAN : TYPE_REAL),
                        e, is_first ? FV_DISCRETE : FV_CONTINUOUS);
}
