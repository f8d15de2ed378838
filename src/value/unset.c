/* unset.c - values of which some scalars are not set, as those of variables of
 * functions before they are assigned.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "value/context.h"
#include "value/value.h"

Value *value_blank(const Context *in, const Type *type, int ndim,
                   const int *dim)
{
    Value *v = value_make(in, type, ndim, dim);
    v->owned = true;
    for (int i = 0; v->member && i < type->nmember; i++) {
        const TypeMember *m = &type->member[i];
        int *all = NEW_ARRAY(in->scratch, int, ndim + m->ndim + 1);
        if (ndim)
            memcpy(all, dim, (size_t)ndim * sizeof *dim);
        for (int k = 0; k < m->ndim; k++)
            all[ndim + k] = m->dim && m->dim[k] != NONE ? m->dim[k] : 0;
        v->member[i] = value_blank(in, m->type, ndim + m->ndim, all);
    }
    return v;
}

static bool has_unset(const Value *v)
{
    bool unset = false;
    for (int i = 0; v->member && i < v->type->nmember && !unset; i++)
        unset = has_unset(v->member[i]);
    for (int i = 0; i < v->nscalar && !unset; i++)
        unset = v->scalar[i] < 0;
    return unset;
}

static Expr number_or_none(void *context, const Context *in, Expr e,
                           const Type *type)
{
    *(bool *)context |= e >= 0;
    if (e >= 0)
        return e;
    switch (type->kind) { /* what is no Real cannot tell */
    case TYPE_REAL: return expr_real(in->dag, NAN);
    case TYPE_BOOLEAN: return expr_bool(in->dag, false);
    case TYPE_STRING: return expr_string(in->dag, "");
    default: return expr_int(in->dag, 1);
    }
}

Value *value_complete(const Context *in, Value *v)
{
    bool some = false;
    if (v->type->kind != TYPE_RECORD || !has_unset(v))
        return v;
    Value *all = value_map(in, v, number_or_none, &some);
    return some ? all : v;
}

bool value_has_all(const Value *v)
{
    return v->type->kind > TYPE_RECORD || !has_unset(v);
}

bool value_holds(const Context *in, const Value *v, Expr part)
{
    bool found = false;
    for (int i = 0; v->member && i < v->type->nmember && !found; i++)
        found = value_holds(in, v->member[i], part);
    for (int i = 0; i < v->nscalar && !found; i++)
        found = v->scalar[i] >= 0 && expr_contains(in->dag, v->scalar[i], part);
    return found;
}
