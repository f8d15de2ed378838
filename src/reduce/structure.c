/* structure.c - the incidence of the system, and its continuous part.
 *
 * An equation of Real type can determine any Real unknown in it. An equation
 * between Booleans, Integers or Strings is an assignment: it determines a
 * discrete variable that stands alone on one side. The equation of a when
 * clause determines the variable it assigns.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"
#include "told/told.h"

static ExprType leaf_type(FlatType t)
{
    return t == FT_REAL ? ET_REAL : t == FT_BOOLEAN ? ET_BOOLEAN : ET_INTEGER;
}

Expr reduce_leaf_of(const Reduce *r, int var, int order)
{
    return expr_var(r->dag, var, order, leaf_type(r->sys->var[var].type));
}

int reduce_eqn_leaves(Reduce *r, const SysEqn *e, Expr **leaf, Arena *arena)
{
    Expr lhs = r->has_told ? told_values(r->dag, e->lhs) : e->lhs;
    Expr rhs = r->has_told ? told_values(r->dag, e->rhs) : e->rhs;
    Expr both = expr_make_raw(r->dag, EX_EQ, lhs, rhs, EXPR_NONE);
    return expr_leaves(r->dag, both, leaf, arena);
}

typedef struct Pres {
    Arena *arena;
    Vec(Expr) list;
} Pres;

static void add_pre(void *context, const Dag *d, Expr e)
{
    Pres *p = context;
    if (expr_op(d, e) == EX_PRE)
        vec_push(p->arena, &p->list, e);
}

int reduce_eqn_pres(Reduce *r, const SysEqn *e, Expr **pre, Arena *arena)
{
    Pres p = {.arena = arena};
    Expr root[2] = {e->lhs, e->rhs};
    expr_walk(r->dag, root, 2, add_pre, &p);
    *pre = p.list.at;
    return p.list.n;
}

bool reduce_is_discrete_valued(const Reduce *r, const SysEqn *e)
{
    if (e->origin.rule == RULE_WHEN || e->origin.rule == RULE_CONDITION)
        return true;
    return expr_type(r->dag, e->lhs) != ET_REAL &&
           expr_type(r->dag, e->rhs) != ET_REAL;
}

bool reduce_is_side(const Reduce *r, const SysEqn *e, Expr leaf)
{
    if (e->lhs == leaf)
        return true;
    if (e->origin.rule == RULE_WHEN)
        return false;
    Expr not_leaf = expr_type(r->dag, leaf) == ET_BOOLEAN
                        ? expr_unary(r->dag, EX_NOT, leaf)
                        : expr_neg(r->dag, leaf);
    return e->rhs == leaf || e->lhs == not_leaf || e->rhs == not_leaf;
}

/* May equation e be matched with variable v? */
static bool can_determine(const Reduce *r, const SysEqn *e, bool discrete,
                          int v, Expr leaf)
{
    const SysVar *x = &r->sys->var[v];
    if (discrete)
        return x->role == SR_DISCRETE && reduce_is_side(r, e, leaf);
    return sys_is_unknown(r->sys, v) && x->type == FT_REAL;
}

/* The whole system: equations x unknown variables, derivatives not told
 * apart. var[column] lists the unknowns. */
static const Incidence *whole_incidence(Reduce *r, int **var, int *column)
{
    Vec(int) list = {0};
    for (int v = 0; v < r->sys->nvar; v++) {
        column[v] = NONE;
        if (!sys_is_unknown(r->sys, v))
            continue;
        column[v] = list.n;
        vec_push(r->tmp, &list, v);
    }
    EdgeList edges = edges_begin(r->tmp);
    for (int i = 0; i < r->eqn.n; i++) {
        const SysEqn *e = &r->eqn.at[i];
        bool discrete = reduce_is_discrete_valued(r, e);
        Expr *leaf;
        int n = reduce_eqn_leaves(r, e, &leaf, r->tmp);
        for (int k = 0; k < n; k++) {
            int v, order;
            expr_is_var(r->dag, leaf[k], &v, &order);
            if (can_determine(r, e, discrete, v, leaf[k]))
                edges_add(&edges, i, column[v], EDGE_NONLINEAR, order);
        }
    }
    *var = list.at;
    return edges_end(&edges, r->eqn.n, list.n, r->tmp);
}

bool reduce_check_structure(Reduce *r)
{
    int *column = NEW_ARRAY(r->tmp, int, r->sys->nvar), *var;
    const Incidence *inc = whole_incidence(r, &var, column);
    const Dm *dm = dm_split(inc, r->tmp);
    if (dm->surplus > 0 || dm->missing > 0) {
        reduce_explain_singular(r, inc, dm, var);
        return false;
    }
    r->is_discrete_eqn = NEW_ARRAY(r->tmp, bool, r->eqn.n);
    for (int i = 0; i < r->eqn.n; i++) {
        int v = var[dm->match->var_of[i]];
        r->is_discrete_eqn[i] = r->sys->var[v].role == SR_DISCRETE;
    }
    return true;
}

static void list_part(Reduce *r)
{
    Part *p = &r->part;
    int nvar = r->sys->nvar;
    p->n = 0;
    p->eqn = NEW_ARRAY(r->tmp, int, r->eqn.n);
    p->var = NEW_ARRAY(r->tmp, int, nvar);
    p->column = NEW_ARRAY(r->tmp, int, nvar);
    int ncol = 0;
    for (int i = 0; i < r->eqn.n; i++) {
        if (!r->is_discrete_eqn[i])
            p->eqn[p->n++] = i;
    }
    for (int v = 0; v < nvar; v++) {
        p->column[v] = NONE;
        if (r->sys->var[v].role != SR_UNKNOWN)
            continue;
        p->column[v] = ncol;
        p->var[ncol++] = v;
    }
}

static const Incidence *part_incidence(Reduce *r)
{
    const Part *p = &r->part;
    EdgeList edges = edges_begin(r->tmp);
    for (int row = 0; row < p->n; row++) {
        Expr *leaf;
        const SysEqn *e = reduce_form(r, row, NONE);
        int n = reduce_eqn_leaves(r, e, &leaf, r->tmp);
        for (int k = 0; k < n; k++) {
            int v, order;
            expr_is_var(r->dag, leaf[k], &v, &order);
            if (p->column[v] != NONE)
                edges_add(&edges, row, p->column[v], EDGE_NONLINEAR, order);
        }
    }
    return edges_end(&edges, p->n, p->n, r->tmp);
}

bool reduce_find_part(Reduce *r)
{
    list_part(r);
    reduce_find_told(r);
    Part *p = &r->part;
    do {
        p->sigma = part_incidence(r);
        p->offsets = signature_offsets(p->sigma, r->tmp);
        if (p->offsets && p->told && r->keeps_lost)
            reduce_keep_lost(r);
    } while (p->offsets && reduce_differentiate_told(r));
    if (!p->offsets && p->told)
        return reduce_report_told(r), false;
    p->leading =
        p->offsets ? signature_leading(p->sigma, p->offsets, r->tmp) : NULL;
    if (p->told)
        reduce_count_told(r);
    return true;
}
