/* builtin.c - the table of predefined functions and operators (3.7, 10.3).
 *
 * An entry names the inputs in order, so that arguments can be given by name;
 * inputs after the least number may be left out. The functions that the
 * entries name are in builtin_math.c, builtin_array.c, builtin_event.c and
 * builtin_string.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "expr/ops.h"
#include "eval/builtin.h"

enum { ANY_NUMBER = -1 };

typedef struct Builtin {
    const char *name;
    BuiltinFn *fn;
    const char *input; /* names, separated by blanks */
    int least, most;   /* number of arguments; most ANY_NUMBER: no limit */
} Builtin;

/* Sorted by name. Functions of scalars without a row have the one of
 * expr/ops.def. */
static const Builtin table[] = {
    {"Clock", builtin_clock,
     "c resolution startInterval solverMethod interval intervalCounter "
     "condition",
     0, 7},
    {"Integer", builtin_toint, "e", 1, 1},
    {"String", builtin_string,
     "e significantDigits minimumLength leftJustified format", 1, 5},
    {"abs", builtin_abs, "v", 1, 1},
    {"activeState", builtin_action, "state", 1, 1},
    {"array", builtin_array, "", 1, ANY_NUMBER},
    {"assert", builtin_action, "condition message level", 2, 3},
    {"backSample", builtin_shift, "u backCounter resolution", 2, 3},
    {"cat", builtin_cat, "", 1, ANY_NUMBER},
    {"change", builtin_pre, "v", 1, 1},
    {"cross", builtin_cross, "x y", 2, 2},
    {"delay", builtin_delay, "expr delayTime delayMax", 2, 3},
    {"der", builtin_der, "expr", 1, 1},
    {"diagonal", builtin_diagonal, "v", 1, 1},
    {"edge", builtin_pre, "b", 1, 1},
    {"fill", builtin_fill, "", 1, ANY_NUMBER},
    {"firstTick", builtin_tick, "u", 0, 1},
    {"getInstanceName", builtin_instance_name, "", 0, 0},
    {"hold", builtin_clocked, "u", 1, 1},
    {"homotopy", builtin_homotopy, "actual simplified", 2, 2},
    {"identity", builtin_identity, "n", 1, 1},
    {"initial", builtin_initial, "", 0, 0},
    {"initialState", builtin_action, "state", 1, 1},
    {"integer", builtin_integer, "x", 1, 1},
    {"interval", builtin_tick, "u", 0, 1},
    {"linspace", builtin_linspace, "x1 x2 n", 3, 3},
    {"matrix", builtin_matrix, "A", 1, 1},
    {"max", builtin_minmax, "x y", 1, 2},
    {"min", builtin_minmax, "x y", 1, 2},
    {"ndims", builtin_ndims, "A", 1, 1},
    {"noClock", builtin_clocked, "u", 1, 1},
    {"noEvent", builtin_noevent, "expr", 1, 1},
    {"ones", builtin_zeros, "", 1, ANY_NUMBER},
    {"outerProduct", builtin_outer, "x y", 2, 2},
    {"pre", builtin_pre, "y", 1, 1},
    {"previous", builtin_clocked, "u", 1, 1},
    {"product", builtin_product, "x", 1, 1},
    {"promote", builtin_promote, "A n", 2, 2},
    {"pure", builtin_pure, "expr", 1, 1},
    {"reinit", builtin_action, "x expr", 2, 2},
    {"sample", builtin_sample, "start interval u c", 1, 2},
    {"scalar", builtin_scalar, "A", 1, 1},
    {"semiLinear", builtin_semilinear, "x positiveSlope negativeSlope", 3, 3},
    {"shiftSample", builtin_shift, "u shiftCounter resolution", 2, 3},
    {"sign", builtin_sign, "v", 1, 1},
    {"size", builtin_size, "A i", 1, 2},
    {"skew", builtin_skew, "x", 1, 1},
    {"smooth", builtin_smooth, "p expr", 2, 2},
    {"spatialDistribution", builtin_spatial,
     "in0 in1 x positiveVelocity initialPoints initialValues", 4, 6},
    {"subSample", builtin_subsample, "u factor", 1, 2},
    {"sum", builtin_sum, "A", 1, 1},
    {"superSample", builtin_subsample, "u factor", 1, 2},
    {"symmetric", builtin_symmetric, "A", 1, 1},
    {"terminal", builtin_initial, "", 0, 0},
    {"terminate", builtin_action, "message", 1, 1},
    {"ticksInState", builtin_action, "", 0, 0},
    {"timeInState", builtin_action, "", 0, 0},
    {"transition", builtin_action,
     "from to condition immediate reset synchronize priority", 3, 7},
    {"transpose", builtin_transpose, "A", 1, 1},
    {"vector", builtin_vector, "A", 1, 1},
    {"zeros", builtin_zeros, "", 1, ANY_NUMBER},
};

static int by_name(const void *name, const void *entry)
{
    return strcmp(name, ((const Builtin *)entry)->name);
}

/* The row of a built-in; false if there is none. */
static bool find(const char *name, Builtin *out)
{
    const Builtin *b = bsearch(name, table, sizeof table / sizeof table[0],
                               sizeof table[0], by_name);
    const OpFunction *f = b ? NULL : expr_function_find(name);
    if (b)
        *out = *b;
    else if (f)
        *out =
            (Builtin){f->name, builtin_function, f->inputs, f->narg, f->narg};
    return b || f;
}

bool builtin_is(const char *name)
{
    Builtin b;
    return find(name, &b);
}

/* ---- arguments ---- */

/* The place of a named input, NONE. */
static int input_index(const Builtin *b, const char *name)
{
    size_t n = strlen(name);
    int i = 0;
    for (const char *p = b->input; *p; i++) {
        size_t len = strcspn(p, " ");
        if (len == n && strncmp(p, name, n) == 0)
            return i;
        p += len;
        p += *p == ' ';
    }
    return NONE;
}

static Value *wrong_count(const Context *in, const Builtin *b, int have,
                          Span span)
{
    const char *s =
        b->most == 1 || (b->most == ANY_NUMBER && b->least == 1) ? "" : "s";
    if (b->most == ANY_NUMBER)
        context_report(in, span, have < b->least ? DIAG_E0603 : DIAG_E0602,
                       "%s() needs at least %d argument%s, but %d are given",
                       b->name, b->least, s, have);
    else if (b->least == b->most)
        context_report(in, span, have < b->least ? DIAG_E0603 : DIAG_E0602,
                       "%s() needs %d argument%s, but %d %s given", b->name,
                       b->least, s, have, have == 1 ? "is" : "are");
    else
        context_report(in, span, have < b->least ? DIAG_E0603 : DIAG_E0602,
                       "%s() needs %d to %d arguments, but %d %s given",
                       b->name, b->least, b->most, have,
                       have == 1 ? "is" : "are");
    return value_error(in);
}

static bool place_named(const Context *in, const Builtin *b, BuiltinCall *c,
                        const AstNamed *n)
{
    int i = input_index(b, n->name);
    if (i == NONE) {
        context_report(in, n->span, DIAG_E0604, "%s() has no input '%s'",
                       b->name, n->name);
        return false;
    }
    if (c->arg[i]) {
        context_report(in, n->span, DIAG_E0605,
                       "the input '%s' of %s() is given twice", n->name,
                       b->name);
        return false;
    }
    c->arg[i] = n->value;
    return true;
}

/* String(z, name = "i") of a record: its options are those of the function
 * that overloads it. NULL: it is none. */
static Value *overloaded_string(const Context *in, Scope *scope,
                                const AstExpr *e)
{
    if (e->nnamed == 0 || e->narg == 0)
        return NULL;
    Trial t;
    trial_begin(&t, in);
    Value *v = eval_value(&t.in, scope, e->arg[0]);
    trial_drop(&t);
    return is_kind(v, TYPE_RECORD) ? operator_string(in, scope, e, v) : NULL;
}

Value *builtin_call(const Context *in, Scope *scope, const char *name,
                    const AstExpr *e)
{
    Builtin found, *b = &found;
    if (!find(name, b))
        unreachable();
    BuiltinCall c = {.name = b->name,
                     .call = e,
                     .scope = scope,
                     .span = e->span,
                     .all = e->arg,
                     .nall = e->narg};
    Value *text =
        b->fn == builtin_string ? overloaded_string(in, scope, e) : NULL;
    if (text)
        return text;
    int have = e->narg + e->nnamed;
    if (have < b->least || (b->most != ANY_NUMBER && have > b->most))
        return wrong_count(in, b, have, e->span);
    if (b->most == ANY_NUMBER) {
        if (e->nnamed) {
            context_report(in, e->named[0].span, DIAG_E0604,
                           "%s() takes no named arguments", b->name);
            return value_error(in);
        }
        return b->fn(in, &c);
    }
    c.narg = b->most;
    for (int i = 0; i < e->narg; i++)
        c.arg[i] = e->arg[i];
    for (int i = 0; i < e->nnamed; i++)
        if (!place_named(in, b, &c, &e->named[i]))
            return value_error(in);
    for (int i = 0; i < b->least; i++)
        if (!c.arg[i])
            return wrong_count(in, b, have, e->span);
    return b->fn(in, &c);
}

Value *builtin_apply(const Context *in, const char *name, Value *const *arg,
                     int narg, Span span)
{
    Builtin b;
    if (!find(name, &b))
        unreachable();
    BuiltinCall c = {.name = b.name, .span = span, .narg = narg};
    for (int i = 0; i < narg; i++)
        c.val[i] = arg[i];
    return b.fn(in, &c);
}

bool builtin_has(const BuiltinCall *c, int i)
{
    return i < 8 && (c->arg[i] || c->val[i]);
}

Value *builtin_arg(const Context *in, BuiltinCall *c, int i)
{
    if (!c->val[i])
        c->val[i] = eval_value(in, c->scope, c->arg[i]);
    return c->val[i];
}

Value *builtin_wrong(const Context *in, const BuiltinCall *c, int i,
                     const Value *v, const char *wanted)
{
    if (is_error(v))
        return value_error(in);
    Span span = i < 8 && c->arg[i] ? c->arg[i]->span : c->span;
    const char *which = i == 0 && !builtin_has(c, 1)
                            ? "the argument"
                            : arena_printf(in->arena, "argument %d", i + 1);
    context_report(in, span, DIAG_E0403, "%s of %s() must be %s, but it is %s",
                   which, c->name, wanted, value_text(in, v));
    return value_error(in);
}

bool builtin_int(const Context *in, BuiltinCall *c, int i, int *x)
{
    Value *v = builtin_arg(in, c, i);
    if (is_error(v))
        return false;
    if (!is_scalar(v) || !is_kind(v, TYPE_INTEGER)) {
        builtin_wrong(in, c, i, v, "a scalar Integer");
        return false;
    }
    Value *k = eval_fold(in, v);
    if (!k) {
        context_report(in, c->arg[i] ? c->arg[i]->span : c->span, DIAG_E0413,
                       "argument %d of %s() must be known at compile time",
                       i + 1, c->name);
        return false;
    }
    return value_const_int(in, k, x);
}

/* pure(f(x)): a promise, nothing to do (12.3). */
BUILTIN(builtin_pure)
{
    Context inside = *in;
    inside.forbids_impure = false;
    return builtin_arg(&inside, c, 0);
}
