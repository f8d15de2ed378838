/* frame.c - local names: iterators of loops and the variables of functions.
 *
 * A frame is a short list of names and values before a scope. The value of
 * a variable is changed in place as long as only the frame knows it (`owned`);
 * whoever reads it whole makes it shared, and the next assignment to one of its
 * elements copies it first. So a loop that fills an array of n elements costs
 * n, not n^2.
 *
 * Variables of a function get their sizes and initial values when they are read
 * first, at the latest before the first statement: a declaration may use names
 * declared after it (12.4.4).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "eval/exec.h"

typedef struct Entry {
    const char *name;
    Value *value;
} Entry;

struct Frame {
    Vec(Entry) entry;
};

Scope *scope_frame(const Context *in, Scope *parent)
{
    Scope *s = NEW(in->scratch, Scope);
    s->frame = NEW(in->scratch, struct Frame);
    s->parent = parent;
    s->cls = parent ? parent->cls : NULL;
    s->inst = parent ? parent->inst : NULL;
    return s;
}

void scope_bind(const Context *in, Scope *frame, const char *name, Value *v)
{
    Entry e = {name, v};
    vec_push(in->scratch, &frame->frame->entry, e);
}

static Entry *find(const Scope *scope, const char *name)
{
    for (; scope && scope->frame; scope = scope->parent)
        for (int i = scope->frame->entry.n - 1; i >= 0; i--)
            if (scope->frame->entry.at[i].name == name)
                return &scope->frame->entry.at[i];
    return NULL;
}

Value *scope_local(const Scope *scope, const char *name)
{
    Entry *e = find(scope, name);
    return e ? e->value : NULL;
}

void scope_assign(Scope *scope, const char *name, Value *v)
{
    find(scope, name)->value = v;
}

/* ---- values that are not set ---- */

bool value_is_set(const Context *in, const Value *v, const char *name,
                  Span span)
{
    if (value_has_all(v))
        return true;
    if (in->exec && in->exec->may_lack)
        in->exec->lacks = true;
    else
        context_report(in, span, DIAG_E0609,
                       "'%s' is used before it has a value", name);
    return false;
}

void value_warn_partly(const Context *in, const Value *v, const char *name,
                       Span span)
{
    if (v->type->kind > TYPE_RECORD ||
        !value_holds(in, v, expr_real(in->dag, NAN)))
        return;
    const char *text = arena_printf(
        in->arena,
        "'%s' has a value only in some branches of the conditions before; "
        "elsewhere it is not a number",
        name);
    left_warning(in, span, DIAG_W0610, text);
}

/* ---- variables of functions ---- */

/* Puts `d` in the place of a member of a record; sizes that its type leaves
 * open are those of the value. False if it does not fit. */
static bool set_member(const Context *in, Value *v, const char *name, Value *d,
                       const char *what, Span span)
{
    for (int k = 0; k < v->type->nmember; k++) {
        const TypeMember *t = &v->type->member[k];
        const Value *m = v->member[k];
        if (t->name != name || is_error(d))
            continue;
        d = value_fit(in, d, m->type, m->ndim,
                      v->ndim == 0 && t->dim ? t->dim : m->dim, what, span);
        if (!is_error(d))
            v->member[k] = d;
    }
    return !is_error(d);
}

/* Members of a local record start with the defaults of their declarations. */
static void record_defaults(const Context *in, Value *v)
{
    if (v->type->kind != TYPE_RECORD || v->ndim || !v->type->cls)
        return;
    const Function *fn = in->lookup->function(in, v->type->cls);
    if (!fn || !fn->is_record_constructor)
        return;
    for (int i = 0; i < fn->nvar; i++) {
        const FunctionVar *fv = &fn->var[i];
        Value *m = value_member(v, fv->name);
        if (!m || !fv->binding)
            continue;
        Scope *scope =
            fv->binding_scope ? fv->binding_scope : scope_frame(in, fn->scope);
        Trial t;
        trial_begin(&t, in);
        Value *d = eval_value(&t.in, scope, fv->binding);
        if (set_member(&t.in, v, fv->name, d, fv->name, fv->span))
            trial_keep(&t);
        else
            trial_drop(&t);
    }
}

/* Complex z(re = x): the values that the declaration gives to members. False
 * after a report. */
static bool member_bindings(const Context *in, Exec *x, const FunctionVar *fv,
                            Value *v)
{
    for (int i = 0; i < fv->nmember; i++) {
        const MemberBinding *b = &fv->member[i];
        Value *m = value_member(v, b->name);
        if (!m)
            continue;
        Value *d = eval_value(in, b->scope ? b->scope : x->frame, b->value);
        const char *what = arena_printf(in->scratch, "the value of '%s.%s'",
                                        fv->name, b->name);
        if (!set_member(in, v, b->name, d, what, b->value->span))
            return false;
    }
    return true;
}

/* The declared sizes; NONE where the text has `:`. False after a report. */
static bool declared_dims(const Context *in, Exec *x, const FunctionVar *fv,
                          int *dim)
{
    for (int i = 0; i < fv->ndim; i++) {
        dim[i] = NONE;
        if (fv->dim[i]->kind == AE_COLON)
            continue;
        const Class *cls = NULL;
        int count;
        const Type *type;
        if (fv->dim[i]->kind == AE_REF)
            cls = in->lookup->class_of(in, x->frame, fv->dim[i]->ref, true);
        if (cls && in->lookup->is_range(in, cls, &count, &type)) {
            dim[i] = count;
            continue;
        }
        const char *what =
            arena_printf(in->scratch, "the size of '%s'", fv->name);
        if (!eval_int(in, x->frame, fv->dim[i], what, &dim[i]))
            return false;
    }
    return true;
}

static bool are_known(const int *dim, int n)
{
    for (int i = 0; i < n; i++)
        if (dim[i] == NONE)
            return false;
    return true;
}

/* The value that the declaration gives. One that reads a variable without a
 * value has none itself, which is told where it is used: Real e = B*x, where x
 * is computed later and e never read, is no error. */
static Value *bound_value(const Context *in, Exec *x, const FunctionVar *fv,
                          const int *dim)
{
    Scope *scope = fv->binding_scope ? fv->binding_scope : x->frame;
    bool is_function =
        fv->type->kind == TYPE_FUNCTION && fv->binding->kind == AE_REF;
    x->may_lack = fv->type->kind <= TYPE_RECORD && are_known(dim, fv->ndim);
    x->lacks = false;
    Value *v = is_function ? eval_function_ref(in, scope, fv->binding->ref)
                           : eval_value(in, scope, fv->binding);
    x->may_lack = false;
    if (is_error(v) && x->lacks)
        return value_blank(in, fv->type, fv->ndim, dim);
    const char *what = arena_printf(in->scratch, "the value of '%s'", fv->name);
    return value_fit(in, v, fv->type, fv->ndim, dim, what, fv->binding->span);
}

static Value *declared_value(const Context *in, Exec *x, const FunctionVar *fv)
{
    int *dim = NEW_ARRAY(in->scratch, int, fv->ndim + 1);
    if (!declared_dims(in, x, fv, dim))
        return value_error(in);
    if (fv->binding)
        return bound_value(in, x, fv, dim);
    for (int i = 0; i < fv->ndim; i++)
        if (dim[i] == NONE)
            dim[i] = 0;
    if (!value_may_have(in, fv->ndim, dim, fv->span))
        return value_error(in);
    Value *v = value_blank(in, fv->type, fv->ndim, dim);
    record_defaults(in, v);
    return member_bindings(in, x, fv, v) ? v : value_error(in);
}

/* Maybe on the way to that of another variable. */
static Value *initial_value(const Context *in, Exec *x, const FunctionVar *fv)
{
    bool may_lack = x->may_lack, lacks = x->lacks;
    x->may_lack = false;
    Value *v = declared_value(in, x, fv);
    x->may_lack = may_lack;
    x->lacks = lacks;
    return v;
}

/* Is it the mark of a variable that waits for its initial value? */
static bool is_pending(const Value *v)
{
    return v->type->kind == TYPE_NORETURN;
}

Value *value_pending(const Context *in)
{
    return value_make(in, type_builtin(TYPE_NORETURN), 0, NULL);
}

Value *frame_read(const Context *in, Scope *scope, const char *name, Span span)
{
    Entry *e = find(scope, name);
    if (!e)
        return NULL;
    if (!is_pending(e->value))
        return e->value;
    Exec *x = in->exec;
    while (x && !(x->frame && find(x->frame, name) == e))
        x = x->up;
    if (!x || !x->fn || e->value->nvalue) {
        context_report(in, span, DIAG_E0609,
                       "the initial value of '%s' depends on itself", name);
        return e->value = value_error(in);
    }
    e->value->nvalue = 1; /* on the way */
    for (int i = 0; i < x->fn->nvar; i++)
        if (x->fn->var[i].name == name) {
            Value *v = initial_value(in, x, &x->fn->var[i]);
            scope_assign(x->frame, name, v);
            return v;
        }
    return scope_local(scope, name);
}

/* ---- states ---- */

/* A state is the values of all variables: of a function, an array of Value *;
 * of a section, those of the slots there were. */
typedef struct SectionState {
    int n;
    Expr *now;
} SectionState;

static void *save_section(const Context *in, Exec *x)
{
    SectionState *s = NEW(in->arena, SectionState);
    s->n = x->now.n;
    s->now = NEW_ARRAY(in->arena, Expr, x->now.n + 1);
    if (s->n)
        memcpy(s->now, x->now.at, (size_t)s->n * sizeof(Expr));
    return s;
}

static Expr state_slot(const SectionState *s, int i)
{
    return i < s->n ? s->now[i] : EXPR_UNSET;
}

void *state_save(const Context *in, Exec *x)
{
    if (!x->fn)
        return save_section(in, x);
    Value **s = NEW_ARRAY(in->scratch, Value *, x->fn->nvar + 1);
    for (int i = 0; i < x->fn->nvar; i++) {
        s[i] = scope_local(x->frame, x->fn->var[i].name);
        value_share(s[i]);
    }
    return s;
}

void state_load(const Context *in, Exec *x, void *state)
{
    for (int i = 0; !x->fn && i < x->now.n; i++)
        section_set(in, x, i, state_slot(state, i));
    if (!x->fn)
        return;
    Value **s = state;
    for (int i = 0; i < x->fn->nvar; i++)
        scope_assign(x->frame, x->fn->var[i].name, s[i]);
}

static void merge_section(const Context *in, Exec *x, Expr c,
                          const SectionState *then)
{
    for (int i = 0; i < x->now.n; i++) {
        Expr one = state_slot(then, i), two = x->now.at[i];
        if (one == two)
            continue;
        if (one == EXPR_UNSET)
            one = section_default(in, x, i);
        if (two == EXPR_UNSET)
            two = section_default(in, x, i);
        section_set(in, x, i, expr_if(in->dag, c, one, two));
    }
}

bool state_merge(const Context *in, Exec *x, Expr c, void *state)
{
    if (!x->fn) {
        merge_section(in, x, c, state);
        return true;
    }
    Value **s = state;
    for (int i = 0; i < x->fn->nvar; i++) {
        const FunctionVar *fv = &x->fn->var[i];
        Value *now = scope_local(x->frame, fv->name);
        if (now == s[i] || is_pending(now) || is_pending(s[i]))
            continue;
        if (!same_dims(now, s[i])) {
            context_report(in, fv->span, DIAG_U0607,
                           "not supported yet: '%s' has different sizes in the "
                           "branches of a "
                           "condition that is not known at compile time: %s "
                           "and %s",
                           fv->name, value_text(in, s[i]), value_text(in, now));
            return false;
        }
        Value *v = value_if(in, c, x->variability, s[i], now);
        scope_assign(x->frame, fv->name, v);
    }
    return true;
}
