/* builtin_event.c - derivatives, events and what belongs to a model: der, pre,
 * edge, change, sample, delay, initial, noEvent, ... (3.7.4, 3.7.5), and the
 * actions assert, terminate, reinit (8.3.6 to 8.3.8).
 *
 * None of them has a meaning inside a function (12.2), apart from assert,
 * noEvent and smooth.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/builtin.h"
#include "eval/exec.h"

bool builtin_inside_function(const Context *in, const BuiltinCall *c)
{
    const Exec *x = in->exec;
    if (!x || !x->fn)
        return false;
    context_report(in, c->span, DIAG_E0615,
                   "%s() has no meaning inside a function", c->name);
    return true;
}

/* The argument without the values of a running section: a variable. */
static Value *raw_argument(const Context *in, BuiltinCall *c)
{
    const AstExpr *e = c->arg[0];
    while (e->kind == AE_TUPLE && e->narg == 1 && e->arg[0])
        e = e->arg[0];
    if (e->kind != AE_REF)
        return builtin_arg(in, c, 0);
    return eval_ref_raw(in, c->scope, e->ref);
}

/* ---- der (3.7.4.2) ---- */

/* Which variables vary continuously, for expr_total_diff. */
static void update_varies(const Context *in)
{
    Memo *memo = in->memo;
    int n = in->flat->nvar;
    if (n <= memo->nvaries)
        return;
    int cap = vec_capacity(memo->nvaries, n);
    memo->varies =
        arena_grow(in->arena, memo->varies, (size_t)memo->nvaries, (size_t)cap);
    for (int i = memo->nvaries; i < n; i++) {
        const FlatVar *v = &in->flat->var[i];
        memo->varies[i] = v->variability == FV_CONTINUOUS && v->type == FT_REAL;
    }
    memo->nvaries = n;
}

static Expr derivative(void *context, const Context *in, Expr e,
                       const Type *type)
{
    (void)type;
    BuiltinCall *c = context;
    int var, order;
    if (expr_is_var(in->dag, e, &var, &order)) {
        const FlatVar *v = &in->flat->var[var];
        if (v->variability <= FV_PARAMETER)
            return expr_real(in->dag, 0);
        if (v->variability == FV_DISCRETE) {
            context_report(in, c->span, DIAG_E0405,
                           "der() of '%s', which is discrete and has no "
                           "derivative",
                           v->name);
            return expr_real(in->dag, 0);
        }
        return expr_var(in->dag, var, order + 1, ET_REAL);
    }
    update_varies(in);
    Expr d = expr_total_diff(in->dag, e, in->memo->varies, in->memo->nvaries);
    return d == EXPR_NONE ? expr_unary(in->dag, EX_DER, e) : d;
}

BUILTIN(builtin_der)
{
    if (builtin_inside_function(in, c))
        return value_error(in);
    Value *v = raw_argument(in, c);
    if (is_error(v))
        return v;
    if (!is_kind(v, TYPE_REAL))
        return builtin_wrong(in, c, 0, v, "a Real expression");
    return value_map(in, v, derivative, c);
}

/* ---- pre, edge, change (3.7.5) ---- */

static Expr previous(void *context, const Context *in, Expr e, const Type *type)
{
    BuiltinCall *c = context;
    int var, order;
    ExprOp op = strcmp(c->name, "pre") == 0    ? EX_PRE
                : strcmp(c->name, "edge") == 0 ? EX_EDGE
                                               : EX_CHANGE;
    if (!expr_is_var(in->dag, e, &var, &order)) {
        double x;
        bool known =
            expr_is_const(in->dag, e, &x) || expr_op(in->dag, e) == EX_STR;
        if (known)
            return op == EX_PRE ? e : expr_bool(in->dag, false);
        context_report(in, c->span, DIAG_E0406,
                       "%s() needs a variable, but its argument is the "
                       "expression '%s'",
                       c->name, expr_as_text(in, c->arg[0]));
        return e;
    }
    const FlatVar *v = &in->flat->var[var];
    if (v->variability <= FV_PARAMETER)
        return op == EX_PRE ? e : expr_bool(in->dag, false);
    if (order != 0) {
        context_report(in, c->span, DIAG_E0406,
                       "%s() of a derivative has no meaning", c->name);
        return e;
    }
    if (type->kind == TYPE_REAL && v->variability == FV_CONTINUOUS &&
        !in->in_when) {
        PreUse use = {var, c->span, c->name};
        left_pre(in, use);
    }
    return expr_unary(in->dag, op, e);
}

BUILTIN(builtin_pre)
{
    if (builtin_inside_function(in, c))
        return value_error(in);
    Value *v = raw_argument(in, c);
    if (is_error(v))
        return v;
    bool edge = strcmp(c->name, "edge") == 0;
    if (edge && !is_kind(v, TYPE_BOOLEAN))
        return builtin_wrong(in, c, 0, v, "a Boolean variable");
    if (v->type->kind > TYPE_ENUM)
        return builtin_wrong(in, c, 0, v, "a variable");
    Value *r = value_map(in, v, previous, c);
    if (strcmp(c->name, "pre") != 0)
        r->type = type_builtin(TYPE_BOOLEAN);
    if (r->variability > FV_DISCRETE)
        r->variability = FV_DISCRETE;
    return r;
}

BUILTIN(builtin_initial)
{
    if (builtin_inside_function(in, c))
        return value_error(in);
    ExprOp op = c->name[0] == 'i' ? EX_INITIAL : EX_TERMINAL;
    Expr e = expr_make(in->dag, op, EXPR_NONE, EXPR_NONE, EXPR_NONE);
    return value_scalar(in, type_builtin(TYPE_BOOLEAN), e, FV_DISCRETE);
}

/* A scalar number that is a constant or parameter. */
static bool parameter_arg(const Context *in, BuiltinCall *c, int i, Value **v)
{
    *v = builtin_arg(in, c, i);
    if (is_error(*v))
        return false;
    if (!is_scalar(*v) || !is_numeric(*v)) {
        builtin_wrong(in, c, i, *v, "a scalar number");
        return false;
    }
    if ((*v)->variability > FV_PARAMETER) {
        context_report(in, c->arg[i]->span, DIAG_E0404,
                       "argument %d of %s() must be a constant or parameter "
                       "expression",
                       i + 1, c->name);
        return false;
    }
    *v = value_convert(in, *v, type_builtin(TYPE_REAL));
    return true;
}

BUILTIN(builtin_sample)
{
    Value *start, *interval;
    if (builtin_inside_function(in, c))
        return value_error(in);
    if (builtin_has(c, 2) || !builtin_has(c, 1))
        return builtin_sampled(in, c, builtin_has(c, 2) ? 2 : 0, 3);
    if (is_kind(builtin_arg(in, c, 1), TYPE_CLOCK))
        return builtin_sampled(in, c, 0, 1);
    if (!parameter_arg(in, c, 0, &start) || !parameter_arg(in, c, 1, &interval))
        return value_error(in);
    Expr e =
        expr_binary(in->dag, EX_SAMPLE, start->scalar[0], interval->scalar[0]);
    return value_scalar(in, type_builtin(TYPE_BOOLEAN), e, FV_DISCRETE);
}

/* ---- operators that keep the value ---- */

static Expr wrap_noevent(void *context, const Context *in, Expr e,
                         const Type *type)
{
    (void)context, (void)type;
    double x;
    if (expr_is_const(in->dag, e, &x) || expr_op(in->dag, e) == EX_STR ||
        expr_op(in->dag, e) == EX_VAR)
        return e;
    return expr_unary(in->dag, EX_NOEVENT, e);
}

BUILTIN(builtin_noevent)
{
    Value *v = builtin_arg(in, c, 0);
    if (is_error(v))
        return v;
    return value_map(in, v, wrap_noevent, NULL);
}

static Expr wrap_smooth(void *context, const Context *in, Expr e,
                        const Type *type)
{
    (void)type;
    double x;
    if (expr_is_const(in->dag, e, &x) || expr_op(in->dag, e) == EX_VAR)
        return e;
    return expr_binary(in->dag, EX_SMOOTH, *(Expr *)context, e);
}

/* smooth(p, e): e is p times continuously differentiable (3.7.4.3). */
BUILTIN(builtin_smooth)
{
    Value *p = builtin_arg(in, c, 0), *v = builtin_arg(in, c, 1);
    if (is_error(p) || is_error(v))
        return value_error(in);
    int order;
    if (!builtin_int(in, c, 0, &order))
        return value_error(in);
    if (v->type->kind != TYPE_REAL && v->type->kind != TYPE_RECORD &&
        v->type->kind != TYPE_INTEGER)
        return builtin_wrong(in, c, 1, v, "a Real expression");
    Expr o = expr_int(in->dag, order);
    return value_map(in, v, wrap_smooth, &o);
}

BUILTIN(builtin_homotopy)
{
    Value *a = builtin_arg(in, c, 0), *b = builtin_arg(in, c, 1);
    if (!is_numeric(a))
        return builtin_wrong(in, c, 0, a, "a Real expression");
    if (!is_numeric(b))
        return builtin_wrong(in, c, 1, b, "a Real expression");
    if (!same_dims(a, b)) {
        context_report(in, c->span, DIAG_E0501,
                       "the arguments of homotopy() have different sizes: %s "
                       "and %s",
                       value_text(in, a), value_text(in, b));
        return value_error(in);
    }
    const Type *real = type_builtin(TYPE_REAL);
    a = value_convert(in, a, real);
    b = value_convert(in, b, real);
    Value *r = value_make(in, real, a->ndim, a->dim);
    r->variability = var_max(a->variability, b->variability);
    for (int i = 0; i < r->nscalar; i++)
        r->scalar[i] =
            a->scalar[i] == b->scalar[i]
                ? a->scalar[i]
                : expr_binary(in->dag, EX_HOMOTOPY, a->scalar[i], b->scalar[i]);
    return r;
}

/* semiLinear(x, k1, k2): k1*x for x >= 0, else k2*x (3.7.4.5). */
BUILTIN(builtin_semilinear)
{
    Value *v[3];
    const Value *shape = NULL;
    FlatVariability m = FV_CONSTANT;
    for (int i = 0; i < 3; i++) {
        v[i] = builtin_arg(in, c, i);
        if (!is_numeric(v[i]) ||
            (shape && !is_scalar(v[i]) && !same_dims(shape, v[i])))
            return builtin_wrong(in, c, i, v[i],
                                 shape ? "a Real number, of the same size as "
                                         "the others"
                                       : "a Real number");
        if (!is_scalar(v[i]))
            shape = v[i];
        v[i] = value_convert(in, v[i], type_builtin(TYPE_REAL));
        m = var_max(m, v[i]->variability);
    }
    if (!shape)
        shape = v[0];
    Value *r = value_make(in, v[0]->type, shape->ndim, shape->dim);
    r->variability = m;
    for (int i = 0; i < r->nscalar; i++) {
        Expr a[3];
        for (int k = 0; k < 3; k++)
            a[k] = v[k]->scalar[is_scalar(v[k]) ? 0 : i];
        r->scalar[i] = expr_make(in->dag, EX_SEMILINEAR, a[0], a[1], a[2]);
    }
    return r;
}

/* ---- delay (3.7.4.1) ---- */

/* 0 <= t <= most up to rounding, as an assertion of the model: nothing older is
 * kept. */
static void assert_delay(const Context *in, Expr t, Expr most, Span span)
{
    Dag *d = in->dag;
    Expr slack = expr_mul(d, expr_real(d, 1e-9), most);
    Expr ok = expr_and(
        in, expr_binary(d, EX_LE, expr_real(d, 0), expr_add(d, t, slack)),
        expr_binary(d, EX_LE, t, expr_add(d, most, slack)));
    left_assert(
        in, (FlatAssert){
                .condition = expr_unary(
                    d, EX_NOEVENT,
                    expr_binary(d, EX_OR, expr_not(in, in->path), ok)),
                .message = expr_string(
                    d, "the delay time of delay() is negative, or larger than "
                       "its largest value"),
                .component = in->component,
                .span = span});
}

BUILTIN(builtin_delay)
{
    if (builtin_inside_function(in, c))
        return value_error(in);
    Value *e = builtin_arg(in, c, 0), *t = builtin_arg(in, c, 1), *most = t;
    if (is_error(e) || is_error(t))
        return value_error(in);
    if (!is_scalar(e) || !is_numeric(e))
        return builtin_wrong(in, c, 0, e, "a Real scalar");
    if (!is_scalar(t) || !is_numeric(t))
        return builtin_wrong(in, c, 1, t, "a Real scalar");
    int limit = builtin_has(c, 2) ? 2 : 1;
    if (limit == 1 && t->variability > FV_PARAMETER) {
        context_report(in, c->arg[1]->span, DIAG_E0404,
                       "the delay time of delay() must be a parameter "
                       "expression, or its largest value must be given as a "
                       "third argument");
        return value_error(in);
    }
    if (!parameter_arg(in, c, limit, &most))
        return value_error(in);
    double x, m;
    Value *known_t = eval_fold(in, value_convert(in, t, most->type));
    Value *known_m = limit == 2 && known_t ? eval_fold(in, most) : NULL;
    if (known_t && expr_is_const(in->dag, known_t->scalar[0], &x) && x < 0) {
        context_report(in, c->arg[1]->span, DIAG_E0403,
                       "the delay time of delay() is negative: %g", x);
        return value_error(in);
    }
    if (known_m && expr_is_const(in->dag, known_m->scalar[0], &m) && x > m) {
        context_report(in, c->arg[1]->span, DIAG_E0403,
                       "the delay time %g is larger than the largest delay "
                       "time %g",
                       x, m);
        return value_error(in);
    }
    const Type *real = type_builtin(TYPE_REAL);
    Expr time = value_convert(in, t, real)->scalar[0];
    if (limit == 2 && t->variability > FV_PARAMETER)
        assert_delay(in, time, most->scalar[0], c->arg[1]->span);
    Expr d = expr_make(in->dag, EX_DELAY, value_convert(in, e, real)->scalar[0],
                       time, most->scalar[0]);
    return value_scalar(in, real, d, FV_CONTINUOUS);
}

BUILTIN(builtin_instance_name)
{
    return value_string(in, in->lookup->instance_name(in, c->scope));
}

/* ---- actions ---- */

/* assert() and the like stand alone, as an equation or statement. */
BUILTIN(builtin_action)
{
    context_report(in, c->span, DIAG_E0412,
                   "%s() gives no value: it is an equation or statement of its "
                   "own",
                   c->name);
    return value_error(in);
}

static const char *const assert_input[] = {"condition", "message", "level"};
static const char *const terminate_input[] = {"message"};
static const char *const reinit_input[] = {"x", "expr"};

bool eval_place_arguments(const Context *in, const AstExpr *call,
                          const char *const *input, int least, int most,
                          AstExpr **arg)
{
    const char *name = call->ref->part[0].name;
    bool ok = call->narg <= most;
    for (int i = 0; ok && i < call->narg; i++)
        arg[i] = call->arg[i];
    for (int k = 0; ok && k < call->nnamed; k++) {
        int i = 0;
        while (i < most && strcmp(input[i], call->named[k].name) != 0)
            i++;
        if (i == most) {
            context_report(in, call->named[k].span, DIAG_E0604,
                           "%s() has no input '%s'", name, call->named[k].name);
            return false;
        }
        ok = !arg[i];
        arg[i] = call->named[k].value;
    }
    for (int i = 0; i < least; i++)
        ok = ok && arg[i];
    if (!ok)
        context_report(in, call->span, DIAG_E0602, "%s() needs %d%s argument%s",
                       name, least, least < most ? " or more" : "",
                       most > 1 ? "s" : "");
    return ok;
}

static Expr message_arg(const Context *in, Scope *scope, const AstExpr *e,
                        const char *name)
{
    Value *v = eval_value(in, scope, e);
    if (is_error(v))
        return EXPR_NONE;
    if (!is_scalar(v) || !is_kind(v, TYPE_STRING)) {
        context_report(in, e->span, DIAG_E0403,
                       "the message of %s() must be a String, but it is %s",
                       name, value_text(in, v));
        return EXPR_NONE;
    }
    return v->scalar[0];
}

/* AssertionLevel.error is 1, warning 2. */
static bool level_arg(const Context *in, Scope *scope, const AstExpr *e,
                      bool *warning)
{
    Value *v = eval_value(in, scope, e);
    if (is_error(v))
        return false;
    Value *k = is_kind(v, TYPE_ENUM) && is_scalar(v) ? eval_fold(in, v) : NULL;
    int level;
    if (!k || !value_const_int(in, k, &level) ||
        strcmp(v->type->name, "AssertionLevel") != 0) {
        context_report(in, e->span, DIAG_E0403,
                       "the level of assert() must be AssertionLevel.error or "
                       "AssertionLevel.warning, known at compile time");
        return false;
    }
    *warning = level == 2;
    return true;
}

static int assert_action(const Context *in, Scope *scope, const AstExpr *call,
                         FlatAction **action)
{
    AstExpr *arg[3] = {0};
    if (!eval_place_arguments(in, call, assert_input, 2, 3, arg))
        return 0;
    FlatAction *a = NEW(in->arena, FlatAction);
    *a = (FlatAction){.kind = FA_ASSERT, .var = NONE, .span = call->span};
    a->value =
        eval_condition(in, scope, arg[0], "the condition of assert()", NULL);
    /* the message counts only if the condition fails */
    Context fails = a->value == EXPR_NONE
                        ? *in
                        : context_narrow(in, expr_not(in, a->value));
    a->message = message_arg(&fails, scope, arg[1], "assert");
    if (arg[2] && !level_arg(in, scope, arg[2], &a->is_warning))
        return 0;
    if (a->value == EXPR_NONE || a->message == EXPR_NONE)
        return 0;
    *action = a;
    return 1;
}

static int terminate_action(const Context *in, Scope *scope,
                            const AstExpr *call, FlatAction **action)
{
    AstExpr *arg[1] = {0};
    if (!eval_place_arguments(in, call, terminate_input, 1, 1, arg))
        return 0;
    FlatAction *a = NEW(in->arena, FlatAction);
    *a = (FlatAction){.kind = FA_TERMINATE,
                      .var = NONE,
                      .value = EXPR_NONE,
                      .span = call->span};
    a->message = message_arg(in, scope, arg[0], "terminate");
    if (a->message == EXPR_NONE)
        return 0;
    *action = a;
    return 1;
}

/* reinit(x, e): x is a Real variable or an array of them (8.3.6). */
static int reinit_action(const Context *in, Scope *scope, const AstExpr *call,
                         FlatAction **action)
{
    AstExpr *arg[2] = {0};
    if (!eval_place_arguments(in, call, reinit_input, 2, 2, arg))
        return 0;
    if (arg[0]->kind != AE_REF) {
        context_report(in, arg[0]->span, DIAG_E0403,
                       "the first argument of reinit() must be a variable");
        return 0;
    }
    Value *x = eval_ref_raw(in, scope, arg[0]->ref);
    Value *v = eval_value(in, scope, arg[1]);
    if (is_error(x) || is_error(v))
        return 0;
    if (!is_kind(x, TYPE_REAL)) {
        context_report(in, arg[0]->span, DIAG_E0403,
                       "reinit() changes Real variables, but '%s' is %s",
                       expr_as_text(in, arg[0]), value_text(in, x));
        return 0;
    }
    v = value_fit(in, v, x->type, x->ndim, x->dim, "the new value in reinit()",
                  arg[1]->span);
    if (is_error(v))
        return 0;
    FlatAction *a = NEW_ARRAY(in->arena, FlatAction, x->nscalar + 1);
    for (int i = 0; i < x->nscalar; i++) {
        int var, order;
        if (!expr_is_var(in->dag, x->scalar[i], &var, &order) || order != 0 ||
            in->flat->var[var].variability != FV_CONTINUOUS) {
            context_report(in, arg[0]->span, DIAG_E0403,
                           "reinit() needs a variable that varies "
                           "continuously, and '%s' does not",
                           expr_as_text(in, arg[0]));
            return 0;
        }
        a[i] = (FlatAction){.kind = FA_REINIT,
                            .var = var,
                            .value = v->scalar[i],
                            .message = EXPR_NONE,
                            .span = call->span};
    }
    *action = a;
    return x->nscalar;
}

int eval_actions(const Context *in, Scope *scope, const AstExpr *call,
                 FlatAction **action)
{
    *action = NULL;
    if (call->kind != AE_CALL || call->ref->npart != 1)
        return NONE;
    const char *name = call->ref->part[0].name;
    if (strcmp(name, "assert") == 0)
        return assert_action(in, scope, call, action);
    if (strcmp(name, "terminate") == 0)
        return terminate_action(in, scope, call, action);
    if (strcmp(name, "reinit") == 0)
        return reinit_action(in, scope, call, action);
    return NONE;
}
