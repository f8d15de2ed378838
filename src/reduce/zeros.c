/* zeros.c - parameters whose values are structure: a factor that is 0.
 *
 * R i = u - v with R = 0 says nothing of i: it is a constraint on u and v, and
 * the index is another one. i = C(v) der(v) with C = k f(v) and k = 0 likewise
 * says nothing of der(v). Structure sees numbers only. So where a block of the
 * leading Jacobian is singular near the start, parameters without which one of
 * its entries would not vanish are structure rather than data; they become
 * numbers, and the model is analysed again.
 *
 * An entry vanishes if it folds to 0 with numbers in place of the parameters,
 * and 0 in place of unknowns whose defining equation v = e folds to 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

enum { NOT_LOOKED_AT, OTHER, ZERO }; /* Reduce.vanishes */

typedef struct Folding {
    const Reduce *r;
    int but; /* this variable stays; NONE: all are replaced */
} Folding;

static Expr number_of(Dag *d, FlatType type, double x)
{
    switch (type) {
    case FT_BOOLEAN: return expr_bool(d, x != 0);
    case FT_REAL: return expr_real(d, x);
    case FT_STRING: return EXPR_NONE;
    default: return expr_int(d, x);
    }
}

static Expr replace(void *context, Dag *d, Expr leaf)
{
    const Folding *f = context;
    int v, order;
    if (!expr_is_var(d, leaf, &v, &order) || order > 0 || v == f->but)
        return EXPR_NONE;
    const SysVar *x = &f->r->sys->var[v];
    if (x->role == SR_PARAMETER)
        return number_of(d, x->type, f->r->start[v]);
    return f->r->vanishes[v] == ZERO ? expr_real(d, 0) : EXPR_NONE;
}

static bool folds_to_zero(Reduce *r, Expr e, int but)
{
    Folding f = {r, but};
    Arena *tmp = arena_new();
    ExprMap *map = expr_map_new(r->dag, replace, &f, tmp);
    bool is_zero = expr_is_zero(r->dag, expr_map(map, e));
    arena_free(tmp);
    return is_zero;
}

/* The equation v = e gives e, any other EXPR_NONE. */
static Expr other_side(const Reduce *r, const SysEqn *e, int *v)
{
    int order;
    if (expr_is_var(r->dag, e->lhs, v, &order) && order == 0)
        return e->rhs;
    if (expr_is_var(r->dag, e->rhs, v, &order) && order == 0)
        return e->lhs;
    return EXPR_NONE;
}

void reduce_find_definitions(Reduce *r)
{
    r->vanishes = NEW_ARRAY(r->tmp, char, r->sys->nvar);
    r->definition = NEW_ARRAY(r->tmp, Expr, r->sys->nvar);
    for (int v = 0; v < r->sys->nvar; v++)
        r->definition[v] = EXPR_NONE;
    for (int i = 0; i < r->eqn.n; i++) {
        int v;
        Expr e = other_side(r, &r->eqn.at[i], &v);
        if (e != EXPR_NONE && sys_is_unknown(r->sys, v) &&
            r->sys->var[v].type == FT_REAL)
            r->definition[v] = e;
    }
}

/* Does the definition of v fold to 0? Those of its leaves are looked at
 * `depth` times. */
static bool unknown_vanishes(Reduce *r, int v, int depth)
{
    Expr *leaf;
    if (r->definition[v] == EXPR_NONE || depth == 0)
        return false;
    if (r->vanishes[v] != NOT_LOOKED_AT)
        return r->vanishes[v] == ZERO;
    r->vanishes[v] = OTHER;
    int n = expr_leaves(r->dag, r->definition[v], &leaf, r->tmp), u, order;
    for (int k = 0; k < n; k++)
        if (expr_is_var(r->dag, leaf[k], &u, &order) && order == 0)
            unknown_vanishes(r, u, depth - 1);
    if (folds_to_zero(r, r->definition[v], NONE))
        r->vanishes[v] = ZERO;
    return r->vanishes[v] == ZERO;
}

void reduce_see_zeros(Reduce *r, const Expr *entry, int n, double *const *value,
                      int nvalue)
{
    for (int i = 0; i < n; i++) {
        Expr *leaf;
        int nleaf = entry[i] == EXPR_NONE
                        ? 0
                        : expr_leaves(r->dag, entry[i], &leaf, r->tmp);
        for (int k = 0; k < nleaf; k++) {
            int v, order;
            if (!expr_is_var(r->dag, leaf[k], &v, &order) || order > 0 ||
                !unknown_vanishes(r, v, 3))
                continue;
            for (int t = 0; t < nvalue; t++)
                value[t][v] = 0;
        }
    }
}

static bool add_zero(Reduce *r, int v)
{
    for (int i = 0; i < r->zero.n; i++)
        if (r->zero.at[i] == v)
            return true;
    vec_push(r->tmp, &r->zero, v);
    return true;
}

/* The parameters without which e would not fold to 0. */
static bool find_causes(Reduce *r, Expr e, int depth)
{
    Expr *leaf;
    bool found = false;
    int n = expr_leaves(r->dag, e, &leaf, r->tmp), v, order;
    for (int k = 0; k < n && depth > 0; k++) {
        if (!expr_is_var(r->dag, leaf[k], &v, &order) || order > 0)
            continue;
        bool is_data =
            r->sys->var[v].role == SR_PARAMETER && v < r->sys->flat->nvar;
        if ((!is_data && r->vanishes[v] != ZERO) || folds_to_zero(r, e, v))
            continue;
        found |= is_data ? add_zero(r, v)
                         : find_causes(r, r->definition[v], depth - 1);
    }
    return found;
}

bool reduce_find_zeros(Reduce *r, const Expr *entry, int n)
{
    bool found = false;
    for (int i = 0; !r->options.keep_zeros && i < n; i++)
        if (entry[i] != EXPR_NONE && folds_to_zero(r, entry[i], NONE))
            found |= find_causes(r, entry[i], 4);
    return found;
}

void reduce_give_zeros(Reduce *r)
{
    Dae *d = r->dae;
    d->zero = NEW_ARRAY(r->arena, const char *, r->zero.n);
    d->nzero = r->zero.n;
    for (int i = 0; i < r->zero.n; i++)
        d->zero[i] = r->sys->var[r->zero.at[i]].name;
}
