/* size.c - the sizes of components (10.1).
 *
 * They are found at the first question, with a check for cycles: a size may
 * depend on a parameter, or be that of the value the component is given.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

typedef struct Dims {
    int n;
    int dim[32];
    const Type *index[32]; /* of the subscripts */
    const AstExpr *expr[32];
    Scope *scope[32];
} Dims;

static void add_dims(Dims *d, AstExpr *const *sub, int nsub, Scope *scope)
{
    for (int i = 0; i < nsub && d->n < 32; i++) {
        d->expr[d->n] = sub[i];
        d->scope[d->n] = scope;
        d->n++;
    }
}

/* Dimensions of the component, then those of its type (10.1). */
static void list_dims(const Context *in, Instance *inst, Dims *d)
{
    const Element *e = inst->elem;
    const AstComponent *c = e->ast->component;
    ModScope scope = e->scope;
    if (!c->nsub && !c->ntype_sub && e->redeclared_by) {
        c = e->original->component;
        scope = (ModScope){e->part, NULL, true};
    }
    if (scope.self) {
        scope.inst = inst->parent;
        scope.self = false;
    }
    if (c->nsub || c->ntype_sub) {
        Scope *s = mod_scope(in, scope);
        add_dims(d, c->sub, c->nsub, s);
        add_dims(d, c->type_sub, c->ntype_sub, s);
    }
    for (int i = 0; i < inst->info->nlevel; i++) {
        ModScope ls = inst->info->sub_scope[i];
        if (ls.self)
            ls.inst = NULL;
        add_dims(d, inst->info->sub[i], inst->info->nsub[i], mod_scope(in, ls));
    }
}

/* The size an expression gives: an Integer, or the number of values of an
 * enumeration or Boolean. False after a report. */
static bool eval_size(const Context *in, Scope *scope, const AstExpr *e,
                      const char *name, int *size, const Type **index)
{
    if (e->kind == AE_INTEGER) {
        *size = (int)e->value;
        return true;
    }
    if (e->kind == AE_REF) {
        Found f = e->ref->npart == 1 && !e->ref->global
                      ? find_simple(in, scope, e->ref->part[0].name, e->span)
                      : (Found){.kind = FOUND_CLASS};
        Class *c =
            f.kind == FOUND_CLASS ? find_class(in, scope, e->ref, true) : NULL;
        if (c && class_is_range(in, c, size, index))
            return true;
    }
    return eval_int(in, scope, e,
                    arena_printf(in->arena, "the size of '%s'", name), size);
}

const char *index_text(const Context *in, int ndim, const int *dim, int k)
{
    char text[256];
    int at = (int)sizeof text - 1;
    text[at] = 0;
    text[--at] = ']';
    for (int i = ndim - 1; i >= 0 && at > 16; i--) {
        int digit = k % dim[i] + 1;
        k /= dim[i];
        do {
            text[--at] = (char)('0' + digit % 10);
            digit /= 10;
        } while (digit);
        text[--at] = i ? ',' : '[';
    }
    return arena_strdup(in->arena, text + at);
}

/* `Real A[:, size(A, 1)]`: the size of an earlier dimension of the same array
 * is known already. */
static bool find_own_size(const Instance *inst, const AstExpr *e, const Dims *d,
                          int i, int *size)
{
    const char *name = inst->elem->ast->component->name;
    if (e->kind != AE_CALL || e->narg != 2 || e->nnamed || e->ref->npart != 1 ||
        strcmp(e->ref->part[0].name, "size") != 0)
        return false;
    const AstExpr *array = e->arg[0], *k = e->arg[1];
    if (array->kind != AE_REF || array->ref->npart != 1 ||
        array->ref->part[0].nsub || array->ref->part[0].name != name ||
        k->kind != AE_INTEGER || k->value < 1 || k->value > i)
        return false;
    *size = d->dim[(int)k->value - 1];
    return true;
}

static bool find_sizes(const Context *in, Instance *inst, Dims *d)
{
    Value *raw = NULL;
    for (int i = 0; i < d->n; i++) {
        d->index[i] = type_builtin(TYPE_INTEGER);
        if (find_own_size(inst, d->expr[i], d, i, &d->dim[i]))
            continue;
        if (d->expr[i]->kind != AE_COLON) {
            if (!eval_size(in, d->scope[i], d->expr[i], inst->name, &d->dim[i],
                           &d->index[i]))
                return false;
            if (d->dim[i] < 0) {
                diag_report(in->diag, d->expr[i]->span, DIAG_E0909,
                            "the size of '%s' is negative: %d", inst->name,
                            d->dim[i]);
                return false;
            }
            continue;
        }
        if (!raw)
            raw = instance_raw_binding(in, inst);
        if (raw && is_error(raw))
            return false;
        if (!raw || i >= raw->ndim) {
            diag_report(in->diag, inst->elem->ast->span, DIAG_E0910,
                        "the size of '%s' is not known: dimension %d is ':' "
                        "and there is no value to take it from",
                        inst->name, i + 1);
            return false;
        }
        d->dim[i] = raw->dim[i];
    }
    return true;
}

/* Sizes and number of elements; false after a report. */
static bool set_size(const Context *in, Instance *inst)
{
    Dims d = {0};
    list_dims(in, inst, &d);
    if (!find_sizes(in, inst, &d))
        return false;
    double total = 1;
    for (int i = 0; i < d.n; i++)
        total *= d.dim[i];
    if (total > LIMIT_SIZE) {
        diag_report(in->diag, inst->elem->ast->span, DIAG_E0912,
                    "'%s' has %.0f elements; the limit is %d",
                    instance_path(in, inst), total, LIMIT_SIZE);
        return false;
    }
    int *dim = NEW_ARRAY(in->arena, int, d.n);
    inst->index_type = NEW_ARRAY(in->arena, const Type *, d.n);
    for (int i = 0; i < d.n; i++) {
        dim[i] = d.dim[i];
        inst->index_type[i] = d.index[i];
    }
    inst->ndim = d.n;
    inst->dim = dim;
    inst->nelement = (int)total;
    return true;
}

bool instance_size(const Context *in, Instance *inst)
{
    if (inst->size_step == MAKING_DONE ||
        (inst->kind != IK_PRIM && inst->kind != IK_ARRAY))
        return inst->kind != IK_ERROR;
    if (inst->size_step == MAKING_BUSY) {
        diag_report(in->diag, inst->elem->ast->span, DIAG_E0911,
                    "the size of '%s' depends on itself",
                    instance_path(in, inst));
        return false;
    }
    Trial fact;
    fact_begin(&fact, in, instance_component(inst));
    inst->size_step = MAKING_BUSY;
    bool ok = set_size(&fact.in, inst);
    bool known = fact_end(&fact);
    inst->size_step = known ? MAKING_DONE : MAKING_NEW;
    if (!ok && known)
        inst->kind = IK_ERROR;
    else if (ok && inst->kind == IK_ARRAY)
        instance_make_elements(in, inst);
    return ok;
}
