/* function.c - executing functions and record constructors (12.4).
 *
 * An argument with more dimensions than its input makes the call run over the
 * elements (12.4.6). One call is a frame with the variables of the function, in
 * which its algorithm is executed (statement.c): with constants this computes,
 * with variables it builds expressions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/builtin.h"
#include "eval/exec.h"

bool function_is_input(const Function *fn, int i)
{
    return fn->is_record_constructor || fn->var[i].direction == DIR_INPUT;
}

static bool is_output(const Function *fn, int i)
{
    return !fn->is_record_constructor && fn->var[i].direction == DIR_OUTPUT;
}

static int count_outputs(const Function *fn)
{
    int n = 0;
    for (int i = 0; i < fn->nvar; i++)
        n += is_output(fn, i);
    return n;
}

bool function_recurses(const Context *in)
{
    const Exec *x = in->exec;
    if (!x || !x->fn)
        return false;
    for (Exec *y = x->up; y; y = y->up)
        if (y->fn == x->fn)
            return true;
    return false;
}

/* "f(x, y, k = ...)" for messages. */
static const char *signature(const Context *in, const Function *fn)
{
    char *s = arena_printf(in->arena, "%s(", fn->name);
    bool first = true;
    for (int i = 0; i < fn->nvar; i++) {
        if (!function_is_input(fn, i))
            continue;
        s = arena_printf(in->arena, "%s%s%s%s", s, first ? "" : ", ",
                         fn->var[i].name, fn->var[i].binding ? " = ..." : "");
        first = false;
    }
    return arena_printf(in->arena, "%s)", s);
}

void function_note_signature(const Context *in, const Function *fn)
{
    diag_note(in->diag, fn->span, "declared here: %s", signature(in, fn));
}

static bool check_given(const Context *in, const Function *fn, Value **arg,
                        Span span)
{
    for (int i = 0; i < fn->nvar; i++) {
        if (!function_is_input(fn, i) || arg[i] || fn->var[i].binding ||
            fn->is_record_constructor)
            continue;
        context_report(in, span, DIAG_E0603,
                       "the call of '%s' gives no value for the input '%s'",
                       fn->name, fn->var[i].name);
        function_note_signature(in, fn);
        return false;
    }
    return true;
}

/* ---- one call ---- */

/* Checks the type of an argument, sizes that are numbers later. */
static Value *fit_argument(const Context *in, const Function *fn, int i,
                           Value *v, Span span)
{
    const FunctionVar *fv = &fn->var[i];
    if (fv->type->kind == TYPE_FUNCTION || fv->type->kind == TYPE_OBJECT) {
        if (v->type->kind == fv->type->kind)
            return v;
    }
    int *dim = NEW_ARRAY(in->scratch, int, fv->ndim + 1);
    for (int k = 0; k < fv->ndim; k++)
        dim[k] = NONE;
    const char *what = arena_printf(in->scratch, "the argument '%s' of '%s'",
                                    fv->name, fn->name);
    return value_fit(in, v, fv->type, fv->ndim, dim, what, span);
}

/* After all inputs are there: do their sizes agree with the declarations? */
static bool check_sizes(const Context *in, Exec *x)
{
    for (int i = 0; i < x->fn->nvar; i++) {
        const FunctionVar *fv = &x->fn->var[i];
        if (!function_is_input(x->fn, i))
            continue;
        Value *v = frame_read(in, x->frame, fv->name, fv->span);
        if (is_error(v))
            return false;
        for (int k = 0; k < fv->ndim; k++) {
            int want;
            const Type *type;
            if (fv->dim[k]->kind == AE_COLON)
                continue;
            Class *cls =
                fv->dim[k]->kind == AE_REF
                    ? in->lookup->class_of(in, x->frame, fv->dim[k]->ref, true)
                    : NULL;
            if (!(cls && in->lookup->is_range(in, cls, &want, &type)) &&
                !eval_int(
                    in, x->frame, fv->dim[k],
                    arena_printf(in->scratch, "the size of '%s'", fv->name),
                    &want))
                return false;
            if (want == v->dim[k])
                continue;
            context_report(in, x->call.span, DIAG_E0502,
                           "the argument '%s' of '%s' has size %d in dimension "
                           "%d, but %d is expected",
                           fv->name, x->fn->name, v->dim[k], k + 1, want);
            return false;
        }
    }
    return true;
}

static bool generates_events(const Function *fn)
{
    const AstArg *a = ast_mod_find(fn->annotation, "GenerateEvents");
    return a && a->mod && a->mod->value && a->mod->value->kind == AE_BOOLEAN &&
           a->mod->value->value != 0;
}

static bool bind_inputs(const Context *in, Exec *x, Value **arg)
{
    bool ok = true;
    for (int i = 0; i < x->fn->nvar; i++) {
        Value *v = arg[i] && function_is_input(x->fn, i)
                       ? fit_argument(in, x->fn, i, arg[i], x->call.span)
                       : value_pending(in);
        ok = ok && !is_error(v);
        x->variability = var_max(x->variability, v->variability);
        scope_bind(in, x->frame, x->fn->var[i].name, v);
    }
    return ok;
}

static bool run_sections(const Context *in, Exec *x)
{
    const Function *fn = x->fn;
    x->declaring = true;
    for (int i = 0; i < fn->nvar; i++)
        if (is_error(
                frame_read(in, x->frame, fn->var[i].name, fn->var[i].span)))
            return false;
    x->declaring = false;
    if (fn->external)
        return in->lookup->external(in, x, x->call.span);
    if (fn->nsection > 1 || (fn->nsection == 1 && fn->section[0]->initial)) {
        context_report(in, fn->span, DIAG_E0606,
                       fn->nsection > 1
                           ? "the function '%s' has more than one algorithm"
                           : "the function '%s' has an initial algorithm",
                       fn->name);
        return false;
    }
    if (fn->nsection == 0 && count_outputs(fn) > 0) {
        bool have = true;
        for (int i = 0; i < fn->nvar; i++)
            have = have && (!is_output(fn, i) || fn->var[i].binding);
        if (!have) {
            context_report(in, x->call.span, DIAG_E0606,
                           "'%s' has no algorithm and cannot be called",
                           fn->name);
            return false;
        }
    }
    ExecStatus s = EXEC_NORMAL;
    Body at = {.scope = x->frame};
    for (int i = 0; i < fn->nsection && s == EXEC_NORMAL; i++)
        s = exec_list(in, x, &at, fn->section[i]->stmt, fn->section[i]->nstmt);
    return s != EXEC_FAIL && exec_join(in, x, &x->returns, 0, s);
}

/* The outputs as one value: the first, and all of them if there are more. One
 * without a value is told where it is used: the first is, by every call. */
static Value *outputs(const Context *in, Exec *x)
{
    int n = count_outputs(x->fn), k = 0;
    if (n == 0)
        return value_make(in, type_builtin(TYPE_NORETURN), 0, NULL);
    Value **out = NEW_ARRAY(in->scratch, Value *, n);
    for (int i = 0; i < x->fn->nvar; i++) {
        const FunctionVar *fv = &x->fn->var[i];
        if (!is_output(x->fn, i))
            continue;
        Value *v = value_complete(in, scope_local(x->frame, fv->name));
        if (k == 0 && !value_is_set(in, v, fv->name, fv->span))
            return value_error(in);
        value_warn_partly(in, v, fv->name, fv->span);
        value_share(v);
        out[k++] = v;
    }
    if (n == 1)
        return out[0];
    Value *r = NEW(in->scratch, Value);
    *r = *out[0];
    if (!r->ndim && !r->member)
        r->scalar = &r->one;
    r->nvalue = n;
    r->tuple = out;
    return r;
}

bool output_is_set(const Context *in, const Value *r, int i, Span span)
{
    if (!r->nvalue || i == 0 || value_has_all(r->tuple[i]))
        return true;
    context_report(in, span, DIAG_E0609,
                   "output %d of this call has no value: the function has not "
                   "assigned it",
                   i + 1);
    return false;
}

static Value *construct(const Context *in, Exec *x)
{
    const Type *type = in->lookup->type(in, x->fn->cls);
    if (!type || type->kind != TYPE_RECORD)
        return value_error(in);
    Value **member = NEW_ARRAY(in->scratch, Value *, type->nmember + 1);
    for (int i = 0; i < type->nmember; i++) {
        const char *name = type->member[i].name;
        Value *v = frame_read(in, x->frame, name, x->call.span);
        if (!v || is_error(v) || !value_is_set(in, v, name, x->call.span))
            return value_error(in);
        member[i] = v;
        value_share(v);
    }
    return value_record(in, type, 0, NULL, member);
}

/* 12.3: where an impure function may be called; false after a report. */
static bool may_be_impure(const Context *in, const Function *fn, Span span)
{
    if (in->exec && in->exec->fn && in->exec->fn->is_pure) {
        context_report(in, span, DIAG_E0622,
                       "the pure function '%s' calls '%s', which is impure",
                       in->exec->fn->name, fn->name);
        return false;
    }
    if (!in->forbids_impure)
        return true;
    if (in->lookup->only_prints && in->lookup->only_prints(fn)) {
        left_warning(in, span, DIAG_W0624,
                     arena_printf(in->arena,
                                  "'%s' is impure and called here, which only "
                                  "when clauses, initial sections and impure "
                                  "functions may do; the values of the model "
                                  "do not depend on it",
                                  fn->name));
        return true;
    }
    context_report(in, span, DIAG_E0622,
                   "the impure function '%s' is called here, which only "
                   "when clauses, initial sections, bindings of "
                   "parameters, impure functions and pure() may do",
                   fn->name);
    return false;
}

/* A call that a condition of the run leads to may well end. */
static Value *too_deep(const Context *in, const Function *fn, Span span)
{
    bool certain;
    if (expr_const_bool(in, in->path, &certain))
        context_report(in, span, DIAG_E0607,
                       "functions call each other more than %d deep: '%s' is "
                       "called again",
                       MOST_CALLS, fn->name);
    else
        context_report(in, span, DIAG_U0608,
                       "not supported yet: '%s' calls itself as often as only "
                       "the run knows, or more than %d deep; a loop can have "
                       "as many turns as it needs",
                       fn->name, MOST_CALLS);
    return value_error(in);
}

static Value *call_once(const Context *in, const Function *fn, Value **arg,
                        Span span)
{
    if (!eval_step(in, span))
        return value_error(in);
    if (in->call && in->call->depth >= MOST_CALLS)
        return too_deep(in, fn, span);
    for (const Exec *y = in->exec; y; y = y->up)
        if (y->fn == fn && y->declaring) {
            context_report(in, span, DIAG_E0607,
                           "a declaration in '%s' calls the function itself, "
                           "which never ends",
                           fn->name);
            return value_error(in);
        }
    if (fn->is_impure && !may_be_impure(in, fn, span))
        return value_error(in);
    if (in->lookup->derivative_fits &&
        !in->lookup->derivative_fits(in, fn, arg, span))
        return value_error(in);
    Value *kept = fn->is_impure ? NULL : function_call_kept(in, fn, arg, span);
    return kept ? kept : function_execute(in, fn, arg, span);
}

static Value *execute(const Context *inside, Exec *x, Value **arg)
{
    if (!bind_inputs(inside, x, arg) || !check_sizes(inside, x))
        return NULL;
    if (x->fn->is_record_constructor)
        return construct(inside, x);
    return run_sections(inside, x) ? outputs(inside, x) : NULL;
}

/* All values of the call but its result are gone with it. */
Value *function_execute(const Context *in, const Function *fn, Value **arg,
                        Span span)
{
    Exec x = {.up = in->exec, .fn = fn, .path = in->path};
    x.call = (Call){.up = in->call,
                    .function = fn->name,
                    .span = span,
                    .depth = in->call ? in->call->depth + 1 : 1};
    x.generate_events = generates_events(fn);
    Context inside = exec_context(in, &x);
    inside.scratch = arena_new();
    x.frame = scope_frame(&inside, fn->scope);
    in->run->depth++;
    const Value *r = execute(&inside, &x, arg);
    in->run->depth--;
    Value *out = r ? value_copy(in, r) : value_error(in);
    arena_free(inside.scratch);
    return out;
}

/* ---- vectorised calls ---- */

/* The leading dimensions that arguments have more than their inputs; NONE
 * after a report, 0 if none has more. */
static int extra_dims(const Context *in, const Function *fn, Value **arg,
                      const Value **model, Span span)
{
    int extra = 0;
    *model = NULL;
    for (int i = 0; i < fn->nvar; i++) {
        if (!arg[i] || !function_is_input(fn, i) || is_error(arg[i]))
            continue;
        int more = arg[i]->ndim - fn->var[i].ndim;
        if (more <= 0)
            continue;
        if (!*model) {
            *model = arg[i];
            extra = more;
            continue;
        }
        if (more != extra || memcmp(arg[i]->dim, (*model)->dim,
                                    (size_t)more * sizeof(int)) != 0) {
            context_report(in, span, DIAG_E0501,
                           "the call of '%s' runs over arrays of different "
                           "sizes: %s and %s",
                           fn->name, value_text(in, *model),
                           value_text(in, arg[i]));
            return NONE;
        }
    }
    return extra;
}

/* Element k of the leading `extra` dimensions. */
static Value *lead_element(const Context *in, const Value *v, int extra, int k)
{
    int total = 1;
    for (int i = 0; i < extra; i++)
        total *= v->dim[i];
    int *dim = NEW_ARRAY(in->scratch, int, v->ndim - extra + 1);
    dim[0] = total;
    for (int i = extra; i < v->ndim; i++)
        dim[1 + i - extra] = v->dim[i];
    return value_element(in, value_reshape(in, v, v->ndim - extra + 1, dim), k);
}

static Value *call_each(const Context *in, const Function *fn, Value **arg,
                        int extra, const Value *model, Span span)
{
    int n = 1;
    for (int i = 0; i < extra; i++)
        n *= model->dim[i];
    Value **each = NEW_ARRAY(in->scratch, Value *, fn->nvar + 1);
    Value **result = NEW_ARRAY(in->scratch, Value *, n + 1);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < fn->nvar; i++)
            each[i] = arg[i] && function_is_input(fn, i) &&
                              arg[i]->ndim > fn->var[i].ndim
                          ? lead_element(in, arg[i], extra, k)
                          : arg[i];
        result[k] = call_once(in, fn, each, span);
        if (is_error(result[k]))
            return result[k];
    }
    if (n == 0) {
        for (int i = 0; i < fn->nvar; i++)
            if (is_output(fn, i))
                return value_make(in, fn->var[i].type, extra, model->dim);
        return value_make(in, type_builtin(TYPE_REAL), extra, model->dim);
    }
    if (result[0]->type->kind == TYPE_NORETURN)
        return result[0];
    /* only the first output: several cannot be vectorised (12.4.6) */
    return value_join(in, extra, model->dim, result);
}

Value *call_function(const Context *in, const Function *fn, Value **arg,
                     Span span)
{
    if (fn->is_partial && !fn->is_record_constructor) {
        context_report(in, span, DIAG_E0606,
                       "'%s' is partial and cannot be called", fn->name);
        return value_error(in);
    }
    if (!check_given(in, fn, arg, span))
        return value_error(in);
    const Value *model;
    int extra = extra_dims(in, fn, arg, &model, span);
    if (extra == NONE)
        return value_error(in);
    if (extra > 0)
        return call_each(in, fn, arg, extra, model, span);
    return call_once(in, fn, arg, span);
}
