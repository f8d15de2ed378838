/* reference.c - the value or the instances that a[2].b[:].c names (10.6.8).
 *
 * The first part has been found; the others are members. A member of an array
 * of components is the array of the members, so `pin.v` of ten pins is a vector
 * of ten. Subscripts of arrays of components are evaluated on an array of their
 * numbers, so `end`, ranges and vectors of indices mean the same everywhere.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

/* ---- picking and gathering values ---- */

static int product(const int *dim, int n)
{
    int p = 1;
    for (int i = 0; i < n; i++)
        p *= dim[i];
    return p;
}

Value *value_pick(const Context *in, Value *v, int n, const int *index)
{
    if (n == 0 || is_error(v) || v->ndim < n)
        return v;
    int at = 0;
    for (int i = 0; i < n; i++)
        at = at * v->dim[i] + index[i];
    if (v->type->kind == TYPE_RECORD) {
        Value **member = NEW_ARRAY(in->arena, Value *, v->type->nmember);
        for (int i = 0; i < v->type->nmember; i++)
            member[i] = value_pick(in, v->member[i], n, index);
        return value_record(in, v->type, v->ndim - n, v->dim + n, member);
    }
    int size = product(v->dim + n, v->ndim - n);
    if (!v->scalar)
        return v;
    Value *p = value_new(in, v->type, v->ndim - n, v->dim + n,
                         v->scalar + (size_t)at * (size_t)size, v->variability);
    p->unit = v->unit;
    return p;
}

/* Are the n values of one shape? Else *wrong is what to give instead. */
static bool have_one_shape(const Context *in, Value *const *v, int n, Span span,
                           Value **wrong)
{
    for (int i = 0; i < n; i++) {
        if (is_error(v[i])) {
            *wrong = v[i];
            return false;
        }
        if (same_dims(v[i], v[0]))
            continue;
        diag_report(in->diag, span, DIAG_E0311,
                    "the elements of this array have different sizes");
        *wrong = value_error(in);
        return false;
    }
    return true;
}

/* n = product of dim values of equal shape as one array. */
static Value *gather_values(const Context *in, int ndim, const int *dim,
                            Value *const *v, int n, Span span)
{
    Value *wrong;
    if (ndim == 0)
        return v[0];
    if (!have_one_shape(in, v, n, span, &wrong))
        return wrong;
    if (v[0]->type->kind != TYPE_RECORD) {
        Value *g = value_join(in, ndim, dim, v);
        g->unit = v[0]->unit;
        return g;
    }
    int vdim = v[0]->ndim, m = v[0]->type->nmember;
    int *all = NEW_ARRAY(in->arena, int, ndim + vdim);
    memcpy(all, dim, (size_t)ndim * sizeof *dim);
    for (int i = 0; i < vdim; i++)
        all[ndim + i] = v[0]->dim[i];
    Value **member = NEW_ARRAY(in->arena, Value *, m);
    Value **one = NEW_ARRAY(in->arena, Value *, n);
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++)
            one[i] = v[i]->member[k];
        member[k] = gather_values(in, ndim, dim, one, n, span);
    }
    return value_record(in, v[0]->type, ndim + vdim, all, member);
}

/* ---- subscripts of arrays of components ---- */

static Value *numbers(const Context *in, Instance *array)
{
    if (array->value)
        return array->value;
    Expr *k = NEW_ARRAY(in->arena, Expr, array->nelement);
    for (int i = 0; i < array->nelement; i++)
        k[i] = expr_int(in->dag, i);
    array->value = value_new(in, type_builtin(TYPE_INTEGER), array->ndim,
                             array->dim, k, FV_CONSTANT);
    array->value->index = array->index_type;
    return array->value;
}

/* The number that subscript i came to; false after a report. */
static bool element_number(const Context *in, const AstPart *p, Expr e,
                           const Value *known, int i, double *k)
{
    if (expr_is_const(in->dag, e, k) ||
        (known && expr_is_const(in->dag, known->scalar[i], k)))
        return true;
    if (in->in_connect)
        diag_report(in->diag, p->span, DIAG_E0809,
                    "the subscripts of '%s' in a connect must be known at "
                    "compile time",
                    p->name);
    else
        diag_report(in->diag, p->span, DIAG_U0902,
                    "not supported yet: a subscript of the component array "
                    "'%s' that is not known at compile time",
                    p->name);
    return false;
}

static void set_dims(InstanceSet *set, int ndim, const int *dim)
{
    set->ndim = ndim;
    for (int i = 0; i < ndim && i < 16; i++)
        set->dim[i] = dim[i];
}

/* The elements of `array` that the subscripts choose; dims are appended to the
 * set. */
static bool select_elements(const Context *in, Scope *scope, Instance *array,
                            const AstPart *p, InstanceSet *set)
{
    if (!instance_size(in, array))
        return false;
    if (p->nsub == 0) {
        set->n = array->nelement;
        set->at = array->element;
        set_dims(set, array->ndim, array->dim);
        return true;
    }
    if (p->nsub > array->ndim) {
        diag_report(in->diag, p->span, DIAG_E0312,
                    "'%s' has %d dimensions, but %d subscripts are given",
                    p->name, array->ndim, p->nsub);
        return false;
    }
    Value *v = eval_subscripts(in, scope, numbers(in, array), p->sub, p->nsub,
                               p->span);
    if (is_error(v))
        return false;
    set->n = v->nscalar;
    set->at = NEW_ARRAY(in->arena, Instance *, v->nscalar);
    set_dims(set, v->ndim, v->dim);
    const Value *known = value_is_const(in, v) ? v : eval_fold(in, v);
    for (int i = 0; i < v->nscalar; i++) {
        double k;
        if (!element_number(in, p, v->scalar[i], known, i, &k))
            return false;
        set->at[i] = array->element[(int)k];
    }
    return true;
}

/* ---- references to instances ---- */

static void no_member(const Context *in, const Instance *inst, const AstPart *p)
{
    const char *cls = inst->cls ? inst->cls->full_name : "";
    diag_report(in->diag, p->span, DIAG_E0302, "'%s' has no element '%s'",
                inst->name, p->name);
    if (inst->cls && !inst->cls->is_builtin) {
        if (inst->cls->ast)
            diag_note(in->diag, inst->cls->ast->span,
                      "it is a '%s', which is declared here", cls);
        find_suggest_member(in, inst->cls, p->name);
    }
}

/* 4.1: protected elements are not seen from outside. */
static void check_visible(const Context *in, const Instance *inst,
                          const AstPart *p, const Element *e)
{
    if (!e->is_protected)
        return;
    diag_report(in->diag, p->span, DIAG_E0305,
                "'%s' is protected in '%s' and cannot be used from outside",
                p->name, inst->cls->full_name);
    diag_note(in->diag, e->ast->span, "it is declared here");
}

static Instance *member(const Context *in, Instance *inst, const AstPart *p)
{
    if (inst->kind == IK_PRIM) {
        no_member(in, inst, p);
        return NULL;
    }
    if (inst->kind != IK_OBJECT)
        return NULL;
    int k = class_component(in, inst->cls, p->name);
    Instance *added = k == NONE ? instance_added(inst, p->name) : NULL;
    if (added)
        return added;
    if (k == NONE && class_kind(inst->cls) == CK_EXPANDABLE_CONNECTOR &&
        in->in_connect) {
        ST(in)->missing_in = inst;
        ST(in)->missing_part = p;
        return NULL;
    }
    if (k == NONE) {
        no_member(in, inst, p);
        return NULL;
    }
    check_visible(in, inst, p, inst->cls->comp[k]);
    return instance_child(in, inst, k);
}

static Value *whole_value(const Context *in, Scope *scope, Instance *inst,
                          const AstPart *p)
{
    Value *v = instance_value(in, inst, p->span);
    return p->nsub ? eval_subscripts(in, scope, v, p->sub, p->nsub, p->span)
                   : v;
}

/* May an expression use what part i names? False after a report. */
static bool is_usable(const Context *in, Instance *inst, const AstPart *p)
{
    if (inst->kind == IK_ERROR)
        return false;
    if (instance_is_conditional(inst) && !in->in_connect) {
        diag_report(in->diag, p->span, DIAG_E0314,
                    "'%s' is a conditional component: it can only be used in "
                    "connect",
                    inst->name);
        diag_note(in->diag, inst->elem->ast->span, "it is declared here");
        return false;
    }
    if (inst->kind == IK_ABSENT) {
        diag_report(in->diag, p->span, DIAG_E0313,
                    "'%s' is not there: its condition is false",
                    instance_path(in, inst));
        return false;
    }
    return true;
}

/* The values of several components that part i names, as one array. */
static Value *values_of_set(const Context *in, Scope *scope, Instance *array,
                            const AstRef *ref, int i, const InstanceSet *set)
{
    if (set->n == 0)
        return reference_empty(in, array, ref, i, set);
    Value **v = NEW_ARRAY(in->arena, Value *, set->n);
    for (int k = 0; k < set->n; k++)
        v[k] = i + 1 < ref->npart
                   ? reference_rest(in, scope, set->at[k], ref, i)
                   : instance_value(in, set->at[k], ref->part[i].span);
    return gather_values(in, set->ndim, set->dim, v, set->n, ref->span);
}

/* The value of part i and the following; `inst` is what part i names. */
Value *reference_value(const Context *in, Scope *scope, Instance *inst,
                       const AstRef *ref, int i)
{
    for (;; i++) {
        const AstPart *p = &ref->part[i];
        if (!is_usable(in, inst, p))
            return value_error(in);
        if (inst->kind == IK_ARRAY) {
            InstanceSet set = {0};
            if (!select_elements(in, scope, inst, p, &set))
                return value_error(in);
            if (set.ndim > 0)
                return values_of_set(in, scope, inst, ref, i, &set);
            inst = set.at[0];
        } else if (i + 1 == ref->npart) {
            return whole_value(in, scope, inst, p);
        } else if (p->nsub && inst->kind == IK_PRIM) {
            no_member(in, inst, &ref->part[i + 1]);
            return value_error(in);
        } else if (p->nsub) {
            diag_report(in->diag, p->span, DIAG_E0312,
                        "'%s' is no array and takes no subscripts", p->name);
            return value_error(in);
        }
        if (i + 1 == ref->npart)
            return instance_value(in, inst, p->span);
        inst = member(in, inst, &ref->part[i + 1]);
        if (!inst)
            return value_error(in);
    }
}

Value *reference_rest(const Context *in, Scope *scope, Instance *inst,
                      const AstRef *ref, int i)
{
    Instance *m = member(in, inst, &ref->part[i + 1]);
    return m ? reference_value(in, scope, m, ref, i + 1) : value_error(in);
}

/* The value of a member of no components at all: an empty array of the type
 * that the member has. */
Value *reference_empty(const Context *in, Instance *array, const AstRef *ref,
                       int i, const InstanceSet *set)
{
    int dim[32];
    int n = 0;
    for (; n < set->ndim; n++)
        dim[n] = set->dim[n];
    Class *cls = array->cls;
    const Type *type = NULL;
    for (i++; i < ref->npart && cls; i++) {
        int k = class_component(in, cls, ref->part[i].name);
        Class *t = k == NONE ? NULL : element_type(in, cls->comp[k], NULL);
        if (!t)
            return value_error(in);
        const TypeInfo *info = class_info(in, t);
        cls = info->underlying;
        if (info->is_simple)
            type = info->type;
    }
    if (!type)
        type = class_type(in, cls);
    if (!type && in->only_size)
        type = type_builtin(TYPE_INTEGER);
    if (!type)
        return value_error(in);
    if (type->kind == TYPE_RECORD) {
        Value **m = NEW_ARRAY(in->arena, Value *, type->nmember);
        for (int k = 0; k < type->nmember; k++)
            m[k] =
                value_new(in, type->member[k].type, n, dim, NULL, FV_CONSTANT);
        return value_record(in, type, n, dim, m);
    }
    return value_new(in, type, n, dim, NULL, FV_CONSTANT);
}

Value *reference_gather(const Context *in, Instance *array, Value *const *v,
                        Span span)
{
    InstanceSet set = {.ndim = array->ndim};
    for (int i = 0; i < array->ndim && i < 16; i++)
        set.dim[i] = array->dim[i];
    AstRef none = {.npart = 0};
    if (array->nelement == 0)
        return reference_empty(in, array, &none, 0, &set);
    return gather_values(in, array->ndim, array->dim, v, array->nelement, span);
}

/* Members of a local value: the variables of functions. */
Value *reference_local(const Context *in, Scope *scope, Value *v,
                       const AstRef *ref, int i)
{
    for (;; i++) {
        const AstPart *p = &ref->part[i];
        if (p->nsub)
            v = eval_subscripts(in, scope, v, p->sub, p->nsub, p->span);
        if (i + 1 == ref->npart || is_error(v))
            return v;
        const char *name = ref->part[i + 1].name;
        int k = 0;
        if (v->type->kind == TYPE_RECORD)
            while (k < v->type->nmember && v->type->member[k].name != name)
                k++;
        if (v->type->kind != TYPE_RECORD || k == v->type->nmember) {
            diag_report(in->diag, ref->part[i + 1].span, DIAG_E0302,
                        "'%s' has no element '%s'", p->name, name);
            return value_error(in);
        }
        v = v->member[k];
    }
}

/* ---- sets of instances, for connect ---- */

/* Subscripts of one instance of the set, or a simple array that is one
 * instance: kept as it is with its subscripts to be applied to its value. */
static bool expand_step(const Context *in, Scope *scope, const AstPart *p,
                        InstanceSet *set)
{
    InstanceSet out = {.ok = true};
    Vec(Instance *) all = {0};
    for (int i = 0; i < set->n; i++) {
        Instance *x = set->at[i];
        if (x->kind == IK_ABSENT) {
            set->absent = true;
            return true;
        }
        if (x->kind == IK_ERROR)
            return false;
        if (x->kind != IK_ARRAY) {
            vec_push(in->arena, &all, x);
            continue;
        }
        InstanceSet one = {0};
        if (!select_elements(in, scope, x, p, &one))
            return false;
        for (int k = 0; k < one.n; k++)
            vec_push(in->arena, &all, one.at[k]);
        if (i == 0) {
            out.ndim = one.ndim;
            memcpy(out.dim, one.dim, sizeof out.dim);
        }
    }
    for (int i = 0; i < out.ndim && set->ndim < 16; i++)
        set->dim[set->ndim++] = out.dim[i];
    set->at = all.at;
    set->n = all.n;
    return true;
}

InstanceSet reference_instances(const Context *in, Scope *scope,
                                Instance *first, const AstRef *ref, int i)
{
    InstanceSet set = {.n = 1, .ok = true};
    set.at = NEW_ARRAY(in->arena, Instance *, 1);
    set.at[0] = first;
    for (;; i++) {
        set.ok = expand_step(in, scope, &ref->part[i], &set);
        if (!set.ok || set.absent || i + 1 == ref->npart)
            return set;
        for (int k = 0; k < set.n; k++) {
            Instance *m = member(in, set.at[k], &ref->part[i + 1]);
            if (!m) {
                set.ok = false;
                return set;
            }
            if (k == 0 && set.n > 1) {
                Instance **copy = NEW_ARRAY(in->arena, Instance *, set.n);
                memcpy(copy, set.at, (size_t)set.n * sizeof *copy);
                set.at = copy;
            }
            set.at[k] = m;
        }
    }
}
