/* call.c - calls as they are written, and functions as values (12.4.1, 12.4.2).
 *
 * The arguments of a call, given by place or by name, are brought into the
 * order of the inputs.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/builtin.h"
#include "eval/exec.h"

/* ---- matching arguments ---- */

/* The k-th input that is not bound yet, NONE. */
static int free_input(const Function *fn, Value **arg)
{
    for (int i = 0; i < fn->nvar; i++)
        if (function_is_input(fn, i) && !arg[i])
            return i;
    return NONE;
}

static int named_input(const Context *in, const Function *fn,
                       const AstNamed *named)
{
    for (int i = 0; i < fn->nvar; i++)
        if (function_is_input(fn, i) && fn->var[i].name == named->name)
            return i;
    context_report(in, named->span, DIAG_E0604, "'%s' has no input '%s'",
                   fn->name, named->name);
    const char **have = NEW_ARRAY(in->scratch, const char *, fn->nvar + 1);
    int n = 0;
    for (int i = 0; i < fn->nvar; i++)
        if (function_is_input(fn, i))
            have[n++] = fn->var[i].name;
    diag_suggest(in->diag, named->name, have, n);
    function_note_signature(in, fn);
    return NONE;
}

static Value *argument(const Context *in, Scope *scope, const FunctionVar *fv,
                       const AstExpr *e)
{
    if (fv->type->kind == TYPE_FUNCTION && e->kind == AE_REF)
        return eval_function_ref(in, scope, e->ref);
    return eval_value(in, scope, e);
}

/* Fills arg[] by position and name; false after a report. */
static bool match_arguments(const Context *in, Scope *scope, const Function *fn,
                            const AstExpr *e, Value **arg)
{
    bool ok = true;
    for (int k = 0; k < e->narg; k++) {
        int i = free_input(fn, arg);
        if (i == NONE) {
            context_report(in, e->arg[k]->span, DIAG_E0602,
                           "too many arguments for '%s'", fn->name);
            function_note_signature(in, fn);
            return false;
        }
        if (e->arg[k]->kind == AE_FOR) {
            AstExpr list = {.kind = AE_ARRAY,
                            .span = e->arg[k]->span,
                            .arg = &e->arg[k],
                            .narg = 1};
            arg[i] = eval_array(in, scope, &list);
        } else {
            arg[i] = argument(in, scope, &fn->var[i], e->arg[k]);
        }
        ok = ok && !is_error(arg[i]);
    }
    for (int k = 0; k < e->nnamed; k++) {
        int i = named_input(in, fn, &e->named[k]);
        if (i == NONE)
            return false;
        if (arg[i]) {
            context_report(in, e->named[k].span, DIAG_E0605,
                           "the input '%s' of '%s' is given twice",
                           fn->var[i].name, fn->name);
            return false;
        }
        arg[i] = argument(in, scope, &fn->var[i], e->named[k].value);
        ok = ok && !is_error(arg[i]);
    }
    return ok;
}

/* ---- functions as values (12.4.2) ---- */

static Value *closure_value(const Context *in, Closure *c, const Class *cls)
{
    Type *t = NEW(in->arena, Type);
    *t = (Type){.kind = TYPE_FUNCTION,
                .enumeration = NONE,
                .cls = cls,
                .name = c->fn ? c->fn->name : c->builtin};
    Value *v = value_make(in, t, 0, NULL);
    v->closure = c;
    return v;
}

Value *eval_function_ref(const Context *in, Scope *scope, const AstRef *ref)
{
    if (!ref->global && ref->npart == 1) {
        Value *v = scope_local(scope, ref->part[0].name);
        if (v && v->closure)
            return v;
    }
    Class *cls = in->lookup->class_of(in, scope, ref, true);
    const Function *fn = cls ? in->lookup->function(in, cls) : NULL;
    Closure *c = NEW(in->arena, Closure);
    if (!fn) {
        if (ref->npart == 1 && builtin_is(ref->part[0].name)) {
            c->builtin = ref->part[0].name;
            return closure_value(in, c, NULL);
        }
        context_report(in, ref->span, DIAG_E0601,
                       "a function is expected here, but '%s' is none",
                       ast_ref_text(ref, in->arena));
        return value_error(in);
    }
    c->fn = fn;
    return closure_value(in, c, cls);
}

/* function f(a = 1): f with some inputs bound. */
Value *eval_partial(const Context *in, Scope *scope, const AstExpr *e)
{
    Value *v = eval_function_ref(in, scope, e->ref);
    if (is_error(v))
        return v;
    const Closure *old = v->closure;
    if (!old->fn) {
        context_report(in, e->span, DIAG_E0601,
                       "arguments of the predefined function '%s' cannot be "
                       "bound",
                       old->builtin);
        return value_error(in);
    }
    Closure *c = NEW(in->arena, Closure);
    c->fn = old->fn;
    int n = old->nbound + e->nnamed;
    c->name = NEW_ARRAY(in->arena, const char *, n + 1);
    c->value = NEW_ARRAY(in->arena, Value *, n + 1);
    for (int i = 0; i < old->nbound; i++) {
        c->name[i] = old->name[i];
        c->value[i] = old->value[i];
    }
    c->nbound = old->nbound;
    for (int k = 0; k < e->nnamed; k++) {
        int i = named_input(in, c->fn, &e->named[k]);
        if (i == NONE)
            return value_error(in);
        Value *a = argument(in, scope, &c->fn->var[i], e->named[k].value);
        if (is_error(a))
            return a;
        c->name[c->nbound] = e->named[k].name;
        c->value[c->nbound++] = a;
    }
    return closure_value(in, c, v->type->cls);
}

static Value *call_closure(const Context *in, Scope *scope, const Closure *c,
                           const AstExpr *e)
{
    if (!c->fn)
        return builtin_call(in, scope, c->builtin, e);
    Value **arg = NEW_ARRAY(in->scratch, Value *, c->fn->nvar + 1);
    for (int k = 0; k < c->nbound; k++)
        for (int i = 0; i < c->fn->nvar; i++)
            if (c->fn->var[i].name == c->name[k])
                arg[i] = c->value[k];
    if (!match_arguments(in, scope, c->fn, e, arg))
        return value_error(in);
    return call_function(in, c->fn, arg, e->span);
}

/* ---- the call as written ---- */

/* E(i): the i-th value of an enumeration (4.9.5.3). */
static Value *call_enum(const Context *in, Scope *scope, const AstExpr *e,
                        int count, const Type *type)
{
    if (e->narg != 1 || e->nnamed) {
        context_report(in, e->span, DIAG_E0602,
                       "the conversion to '%s' needs one Integer", type->name);
        return value_error(in);
    }
    Value *v = eval_value(in, scope, e->arg[0]);
    if (is_error(v))
        return v;
    if (!is_kind(v, TYPE_INTEGER)) {
        context_report(in, e->arg[0]->span, DIAG_E0403,
                       "the conversion to '%s' needs an Integer, but this is "
                       "%s",
                       type->name, value_text(in, v));
        return value_error(in);
    }
    for (int i = 0; i < v->nscalar; i++) {
        double x;
        if (expr_is_const(in->dag, v->scalar[i], &x) && (x < 1 || x > count)) {
            context_report(in, e->span, DIAG_E0503,
                           "'%s' has no value number %.0f: it has %d",
                           type->name, x, count);
            return value_error(in);
        }
    }
    return value_new(in, type, v->ndim, v->dim, v->scalar, v->variability);
}

static bool is_structure_operator(const AstRef *r)
{
    static const char *const name[] = {
        "cardinality", "inStream",    "actualStream", "rooted",
        "isRoot",      "activeState", "ticksInState", "timeInState"};
    const char *last = r->part[r->npart - 1].name;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        if (strcmp(last, name[i]) == 0)
            return true;
    return false;
}

static Value *call_class(const Context *in, Scope *scope, const AstExpr *e,
                         Class *cls)
{
    int count;
    const Type *type;
    Value *made = operator_construct(in, scope, e, cls);
    if (made)
        return made;
    const Function *fn = in->lookup->function(in, cls);
    if (fn) {
        Value **arg = NEW_ARRAY(in->scratch, Value *, fn->nvar + 1);
        if (!match_arguments(in, scope, fn, e, arg))
            return value_error(in);
        return call_function(in, fn, arg, e->span);
    }
    if (in->lookup->is_range(in, cls, &count, &type) && type->kind == TYPE_ENUM)
        return call_enum(in, scope, e, count, type);
    return NULL;
}

Value *eval_call(const Context *in, Scope *scope, const AstExpr *e)
{
    const AstRef *ref = e->ref;
    const char *name = ref->part[ref->npart - 1].name;
    if (!ref->global && ref->npart == 1) {
        Value *v = scope_local(scope, name);
        if (v && v->closure)
            return call_closure(in, scope, v->closure, e);
    }
    if (is_structure_operator(ref)) {
        Value *v = in->lookup->structure_operator(in, scope, e);
        if (v)
            return v;
    }
    bool predefined = ref->npart == 1 && builtin_is(name);
    if (predefined && (strcmp(name, "der") == 0 || strcmp(name, "pre") == 0 ||
                       strcmp(name, "initial") == 0))
        return builtin_call(in, scope, name, e);
    Class *cls = in->lookup->class_of(in, scope, ref, true);
    Value *v = cls ? call_class(in, scope, e, cls) : NULL;
    if (v)
        return v;
    if (predefined)
        return builtin_call(in, scope, name, e);
    if (!cls) {
        in->lookup->class_of(in, scope, ref, false);
        return value_error(in);
    }
    if (!in->lookup->is_wrong(cls))
        context_report(in, e->span, DIAG_E0601, "'%s' is not a function",
                       ast_ref_text(ref, in->arena));
    return value_error(in);
}
