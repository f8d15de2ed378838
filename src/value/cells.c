/* cells.c - the numbers of a value. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "value/cells.h"

static bool has_numbers(const Value *v)
{
    switch (v->type->kind) {
    case TYPE_REAL:
    case TYPE_INTEGER:
    case TYPE_BOOLEAN:
    case TYPE_ENUM: return v->scalar != NULL;
    default: return false;
    }
}

bool cells_are_all(const Value *v)
{
    bool all = v->member || has_numbers(v);
    for (int i = 0; v->member && i < v->type->nmember; i++)
        all &= cells_are_all(v->member[i]);
    return all;
}

int cells_count(const Value *v)
{
    int n = has_numbers(v) ? v->nscalar : 0;
    for (int i = 0; v->member && i < v->type->nmember; i++)
        n += cells_count(v->member[i]);
    return n;
}

int cells_read(const Value *v, Expr *cell)
{
    int n = 0;
    for (int i = 0; v->member && i < v->type->nmember; i++)
        n += cells_read(v->member[i], cell + n);
    for (int i = 0; has_numbers(v) && i < v->nscalar; i++)
        cell[n++] = v->scalar[i];
    return n;
}

static ExprType type_of_cell(const Type *type)
{
    return type->kind == TYPE_REAL      ? ET_REAL
           : type->kind == TYPE_BOOLEAN ? ET_BOOLEAN
                                        : ET_INTEGER;
}

int cells_types(const Value *v, ExprType *type)
{
    int n = 0;
    for (int i = 0; v->member && i < v->type->nmember; i++)
        n += cells_types(v->member[i], type + n);
    for (int i = 0; has_numbers(v) && i < v->nscalar; i++)
        type[n++] = type_of_cell(v->type);
    return n;
}

Value *cells_with(const Context *in, const Value *v, const Expr **cell,
                  FlatVariability variability)
{
    if (v->member) {
        Value **member = NEW_ARRAY(in->scratch, Value *, v->type->nmember + 1);
        for (int i = 0; i < v->type->nmember; i++)
            member[i] = cells_with(in, v->member[i], cell, variability);
        return value_record(in, v->type, v->ndim, v->dim, member);
    }
    if (!has_numbers(v))
        return (Value *)v;
    Value *r = value_new(in, v->type, v->ndim, v->dim, *cell,
                         var_max(v->variability, variability));
    *cell += v->nscalar;
    return r;
}

/* ---- results of calls ---- */

int cells_count_results(const Value *v)
{
    int n = v->nvalue ? 0 : cells_count(v);
    for (int i = 0; i < v->nvalue; i++)
        n += cells_count(v->tuple[i]);
    return n;
}

bool cells_are_all_results(const Value *v)
{
    bool all = v->nvalue || cells_are_all(v);
    for (int i = 0; i < v->nvalue; i++)
        all &= cells_are_all(v->tuple[i]);
    return all;
}

void cells_read_results(const Value *v, Expr *out)
{
    if (!v->nvalue)
        cells_read(v, out);
    for (int i = 0; i < v->nvalue; i++)
        out += cells_read(v->tuple[i], out);
}
