/* assign.c - assignments to variables of functions and of models (11.2.1).
 *
 * In a function the target is a name of the frame with subscripts and members
 * after it: a.b[i].c. The indices of all parts together select scalars of the
 * value of the last member. In a section the target is evaluated to the
 * variables of the model it stands for, and their slots are set.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/exec.h"

typedef Vec(Index) IndexList;

static Index whole_index(int n)
{
    return (Index){.keep = true, .n = n, .run = EXPR_NONE};
}

/* Indices of one part for the dimensions of `v` after those collected. */
static bool collect(const Context *in, Scope *scope, const Value *v,
                    const AstPart *p, IndexList *list)
{
    int lead = list->n;
    Index *ix = NEW_ARRAY(in->scratch, Index, p->nsub + 1);
    if (p->nsub &&
        !eval_indices(in, scope, v, lead, p->sub, p->nsub, p->span, ix))
        return false;
    for (int i = lead; i < v->ndim; i++)
        vec_push(in->scratch, list,
                 i - lead < p->nsub ? ix[i - lead] : whole_index(v->dim[i]));
    return true;
}

/* The shape that the indices select. */
static int *selected(const Context *in, const IndexList *list, int *ndim)
{
    int *dim = NEW_ARRAY(in->scratch, int, list->n + 1);
    *ndim = 0;
    for (int i = 0; i < list->n; i++)
        if (list->at[i].keep)
            dim[(*ndim)++] = list->at[i].n;
    return dim;
}

/* Writes where an index is known at run time only: every candidate element
 * becomes if index == k then new else old. */
static void store(const Context *in, Value *dst, IndexList *list,
                  const Value *src)
{
    int d = 0;
    while (d < list->n && list->at[d].run == EXPR_NONE)
        d++;
    if (d == list->n) {
        value_scatter(in, dst, list->at, list->n, src);
        return;
    }
    Index saved = list->at[d];
    for (int k = 0; k < dst->dim[d]; k++) {
        list->at[d] =
            (Index){.keep = false, .n = 1, .at = &k, .run = EXPR_NONE};
        Expr hit =
            expr_binary(in->dag, EX_EQ, saved.run, expr_int(in->dag, k + 1));
        Value *old = value_index(in, dst, list->at, list->n, NO_SPAN);
        store(in, dst, list, value_if(in, hit, saved.variability, src, old));
    }
    list->at[d] = saved;
}

/* ---- functions ---- */

static const FunctionVar *find_var(const Exec *x, const char *name)
{
    for (int i = 0; x->fn && i < x->fn->nvar; i++)
        if (x->fn->var[i].name == name)
            return &x->fn->var[i];
    return NULL;
}

static bool not_assignable(const Context *in, const AstRef *ref,
                           const char *why)
{
    context_report(in, ref->span, DIAG_E0611, "'%s' cannot be assigned: %s",
                   ast_ref_text(ref, in->arena), why);
    return false;
}

/* x := v for a whole variable; sizes given by `:` are those of v. */
static bool assign_whole(const Context *in, Exec *x, const FunctionVar *fv,
                         const Value *old, Value *v, Span span)
{
    int *dim = NEW_ARRAY(in->scratch, int, fv->ndim + 1);
    for (int i = 0; i < fv->ndim; i++)
        dim[i] = fv->dim[i]->kind == AE_COLON ? NONE : old->dim[i];
    const char *what =
        arena_printf(in->scratch, "the value assigned to '%s'", fv->name);
    v = value_fit(in, v, fv->type, fv->ndim, dim, what, span);
    if (is_error(v))
        return false;
    if (v->nvalue) { /* only the first output is kept */
        Value *one = NEW(in->scratch, Value);
        *one = *v;
        one->nvalue = 0;
        one->tuple = NULL;
        if (!v->ndim && !v->member)
            one->scalar = &one->one;
        v = one;
    }
    scope_assign(x->frame, fv->name, v);
    return true;
}

/* May the function assign what the reference begins with? Gives its variable;
 * NULL after a report. */
static const FunctionVar *assignable(const Context *in, const Exec *x,
                                     const Scope *scope, const AstRef *ref)
{
    const char *name = ref->part[0].name;
    const FunctionVar *fv = ref->global ? NULL : find_var(x, name);
    const char *why = NULL;
    if (!ref->global && scope_local(scope, name) &&
        scope_local(scope, name) != scope_local(x->frame, name))
        why = "it is the iterator of a loop";
    else if (!fv)
        why = "it is no variable of the function";
    else if (fv->direction == DIR_INPUT)
        why = "it is an input of the function";
    else if (fv->variability <= FV_PARAMETER && fv->direction == DIR_NONE)
        why = "it is a constant";
    if (!why)
        return fv;
    not_assignable(in, ref, why);
    return NULL;
}

/* The part of `whole` that the reference names, made one that may be changed,
 * and the indices of all its parts. NULL after a report. */
static Value *find_target(const Context *in, Scope *scope, const AstRef *ref,
                          Value *whole, IndexList *list)
{
    Value *target = whole;
    for (int i = 0; i < ref->npart; i++) {
        const AstPart *p = &ref->part[i];
        if (i > 0) {
            Value **m = NULL;
            for (int k = 0; target->member && k < target->type->nmember; k++)
                if (target->type->member[k].name == p->name)
                    m = &target->member[k];
            if (!m) {
                context_report(in, p->span, DIAG_E0411,
                               "'%s' has no member '%s'", target->type->name,
                               p->name);
                return NULL;
            }
            value_own(in, m);
            target = *m;
        }
        if (!collect(in, scope, target, p, list))
            return NULL;
    }
    return target;
}

/* Gives a member of a record, whose sizes were not known, those of `v`. */
static bool assign_fresh(const Context *in, Value *target, Value *v,
                         const char *what, Span span)
{
    v = value_fit(in, v, target->type, v->ndim, v->dim, what, span);
    if (is_error(v))
        return false;
    Value *now = value_make(in, target->type, v->ndim, v->dim);
    memcpy(now->scalar, v->scalar, (size_t)v->nscalar * sizeof(Expr));
    *target = *now;
    target->owned = true;
    target->variability = v->variability;
    if (!target->ndim)
        target->scalar = &target->one;
    return true;
}

static bool assign_local(const Context *in, Exec *x, Scope *scope,
                         const AstRef *ref, Value *v, Span span)
{
    const FunctionVar *fv = assignable(in, x, scope, ref);
    if (!fv)
        return false;
    Value *old = frame_read(in, x->frame, fv->name, ref->span);
    if (is_error(old))
        return false;
    if (ref->npart == 1 && ref->part[0].nsub == 0)
        return assign_whole(in, x, fv, old, v, span);
    value_own(in, &old);
    scope_assign(x->frame, fv->name, old);
    IndexList list = {0};
    Value *target = find_target(in, scope, ref, old, &list);
    if (!target)
        return false;
    int ndim;
    int *dim = selected(in, &list, &ndim);
    const char *what = arena_printf(in->scratch, "the value assigned to '%s'",
                                    ast_ref_text(ref, in->scratch));
    bool fresh = target->nscalar == 0 && !target->member && list.n == ndim &&
                 v->ndim == ndim && ref->npart > 1 &&
                 ref->part[ref->npart - 1].nsub == 0;
    if (fresh)
        return assign_fresh(in, target, v, what, span);
    v = value_fit(in, v, target->type, ndim, dim, what, span);
    if (is_error(v))
        return false;
    store(in, target, &list, v);
    old->variability = var_max(old->variability, v->variability);
    return true;
}

/* ---- sections of models ---- */

/* The slot of a variable; made at the first assignment. */
static int slot_of(const Context *in, Exec *x, int var)
{
    Memo *memo = in->memo;
    if (var >= memo->nslot) {
        int cap = vec_capacity(memo->nslot, in->flat->nvar);
        memo->slot =
            arena_grow(in->arena, memo->slot, (size_t)memo->nslot * sizeof(int),
                       (size_t)cap * sizeof(int));
        for (int i = memo->nslot; i < cap; i++)
            memo->slot[i] = NONE;
        memo->nslot = cap;
    }
    if (memo->slot[var] == NONE) {
        memo->slot[var] = x->var.n;
        Slot s = {.var = var};
        vec_push(in->arena, &x->var, s);
        vec_push(in->arena, &x->now, EXPR_UNSET);
    }
    return memo->slot[var];
}

/* Notes which clause assigns the slot. */
static void note_clause(Exec *x, int slot, const AstStmt *clause)
{
    Slot *s = &x->var.at[slot];
    if (s->known && s->clause != clause)
        s->mixed = true;
    s->known = true;
    s->clause = clause;
    s->in_when |= clause != NULL;
}

/* Slots for all variables of a value. */
static void make_slots(const Context *in, Exec *x, const Body *at,
                       const Value *v)
{
    for (int i = 0; v->member && i < v->type->nmember; i++)
        make_slots(in, x, at, v->member[i]);
    for (int i = 0; i < v->nscalar; i++) {
        int var, order;
        if (expr_is_var(in->dag, v->scalar[i], &var, &order) && order == 0)
            note_clause(x, slot_of(in, x, var), at->clause);
    }
}

static AstRef without_last_subs(const Context *in, const AstRef *ref)
{
    AstRef base = *ref;
    base.part = NEW_ARRAY(in->arena, AstPart, ref->npart);
    memcpy(base.part, ref->part, (size_t)ref->npart * sizeof *ref->part);
    base.part[ref->npart - 1].nsub = 0;
    return base;
}

/* An array is assigned as a whole if one of its elements is (11.1.2). */
static void note_array(const Context *in, Exec *x, const Body *at,
                       const AstRef *ref)
{
    if (ref->part[ref->npart - 1].nsub == 0)
        return;
    bool fixed = true; /* the same array at every turn of a loop */
    for (int i = 0; i + 1 < ref->npart; i++)
        fixed = fixed && ref->part[i].nsub == 0;
    for (int i = 0; fixed && i < x->seen.n; i++)
        if (x->seen.at[i] == ref)
            return;
    vec_push(in->arena, &x->seen, ref);
    AstRef base = without_last_subs(in, ref);
    Value *v = in->lookup->value(in, at->scope, &base);
    if (!is_error(v))
        make_slots(in, x, at, v);
}

static bool check_target(const Context *in, const AstRef *ref, int var)
{
    const FlatVar *v = &in->flat->var[var];
    if (v->variability == FV_CONSTANT)
        return not_assignable(in, ref, "it is a constant");
    if (v->variability == FV_PARAMETER && !in->is_initial)
        return not_assignable(in, ref, "it is a parameter");
    if (v->causality == FC_INPUT)
        return not_assignable(in, ref, "it is an input");
    return true;
}

/* Sets the scalars of `target` (variables) to those of `v`. */
static bool set_slots(const Context *in, Exec *x, const Body *at,
                      const AstRef *ref, const Value *target, const Value *v)
{
    for (int i = 0; target->member && i < target->type->nmember; i++)
        if (!set_slots(in, x, at, ref, target->member[i], v->member[i]))
            return false;
    for (int i = 0; i < target->nscalar; i++) {
        int var, order;
        if (!expr_is_var(in->dag, target->scalar[i], &var, &order) ||
            order != 0)
            return not_assignable(in, ref, "it is no variable");
        if (!check_target(in, ref, var))
            return false;
        int slot = slot_of(in, x, var);
        note_clause(x, slot, at->clause);
        section_set(in, x, slot, v->scalar[i]);
    }
    return true;
}

static bool all_variables(const Context *in, const Value *v)
{
    for (int i = 0; v->member && i < v->type->nmember; i++)
        if (!all_variables(in, v->member[i]))
            return false;
    for (int i = 0; i < v->nscalar; i++) {
        int var, order;
        if (!expr_is_var(in->dag, v->scalar[i], &var, &order))
            return false;
    }
    return true;
}

/* The current values of variables. */
static Expr current(void *context, const Context *in, Expr e, const Type *type)
{
    (void)type;
    Exec *x = context;
    int var, order;
    if (!expr_is_var(in->dag, e, &var, &order))
        return e;
    return section_read(in, x, slot_of(in, x, var));
}

/* x[i] := v with i known at run time only. */
static bool assign_selected(const Context *in, Exec *x, const Body *at,
                            const AstRef *ref, Value *v, Span span)
{
    AstExpr **sub = ref->part[ref->npart - 1].sub;
    int nsub = ref->part[ref->npart - 1].nsub;
    AstRef base = without_last_subs(in, ref);
    Value *target = in->lookup->value(in, at->scope, &base);
    if (is_error(target))
        return false;
    int lead = target->ndim - nsub;
    if (nsub == 0 || lead < 0 || !all_variables(in, target))
        return not_assignable(in, ref, "it is no variable");
    IndexList list = {0};
    for (int i = 0; i < lead; i++)
        vec_push(in->scratch, &list, whole_index(target->dim[i]));
    Index *ix = NEW_ARRAY(in->scratch, Index, nsub);
    if (!eval_indices(in, at->scope, target, lead, sub, nsub, span, ix))
        return false;
    for (int i = 0; i < nsub; i++)
        vec_push(in->scratch, &list, ix[i]);
    int ndim;
    int *dim = selected(in, &list, &ndim);
    v = value_fit(in, v, target->type, ndim, dim, "the assigned value", span);
    if (is_error(v))
        return false;
    Value *now = value_map(in, target, current, x);
    now->owned = true;
    store(in, now, &list, v);
    return set_slots(in, x, at, ref, target, now);
}

static bool assign_section(const Context *in, Exec *x, const Body *at,
                           const AstRef *ref, Value *v, Span span)
{
    if (!ref->global && scope_local(at->scope, ref->part[0].name))
        return not_assignable(in, ref, "it is the iterator of a loop");
    note_array(in, x, at, ref);
    Trial t; /* a subscript known at run time only makes it an expression */
    trial_begin(&t, in);
    Value *target = in->lookup->value(&t.in, at->scope, ref);
    if (is_error(target)) {
        trial_drop(&t);
        in->lookup->value(in, at->scope, ref); /* says why */
        return false;
    }
    if (!all_variables(in, target)) {
        trial_drop(&t);
        if (value_is_const(in, target))
            return not_assignable(in, ref, "it is a constant");
        return assign_selected(in, x, at, ref, v, span);
    }
    trial_keep(&t);
    const char *what = arena_printf(in->scratch, "the value assigned to '%s'",
                                    ast_ref_text(ref, in->scratch));
    v = value_fit(in, v, target->type, target->ndim, target->dim, what, span);
    return !is_error(v) && set_slots(in, x, at, ref, target, v);
}

bool exec_assign(const Context *in, Exec *x, const Body *at, const AstRef *ref,
                 Value *v, Span span)
{
    return x->fn ? assign_local(in, x, at->scope, ref, v, span)
                 : assign_section(in, x, at, ref, v, span);
}
