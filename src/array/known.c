/* known.c - series of unknowns that equations give as functions of time. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/known.h"

#include "base/vec.h"

struct KnownFunctions {
    const Array *a;
    int *root; /* of each variable: of the program, NONE */
    Expr *as;  /* of each variable: in time and parameters, EXPR_NONE */
    int n, most;
    Taylor *taylor; /* NULL: there are none */
    double time;    /* of the last evaluation, */
    int degree;     /* to this one; NONE: there was none */
};

static Expr to_time(void *context, Dag *d, Expr e)
{
    const KnownFunctions *k = context;
    int v, order;
    if (!expr_is_var(d, e, &v, &order) || order > 0)
        return EXPR_NONE;
    return k->as[v];
}

/* Is e a function of time and parameters, once what is known is put in? */
static bool is_of_time(const KnownFunctions *k, Expr e, Arena *arena)
{
    const Sys *s = k->a->sys;
    Expr *leaf;
    int n = expr_leaves(s->dag, e, &leaf, arena), v, order;
    for (int i = 0; i < n; i++) {
        if (!expr_is_var(s->dag, leaf[i], &v, &order))
            continue;
        bool is_fixed = s->var[v].role == SR_PARAMETER || k->as[v] != EXPR_NONE;
        if (order > 0 || !is_fixed)
            return false;
    }
    return !expr_has_op(s->dag, e, EX_PRE);
}

/* v = e in either direction, v not known yet. Returns whether it is now. */
static bool take_equation(KnownFunctions *k, const SysEqn *eqn, ExprMap *map,
                          Arena *arena)
{
    const Sys *s = k->a->sys;
    for (int side = 0; side < 2; side++) {
        Expr e = side ? eqn->lhs : eqn->rhs;
        int v, order;
        if (!expr_is_var(s->dag, side ? eqn->rhs : eqn->lhs, &v, &order) ||
            order > 0 || s->var[v].role != SR_UNKNOWN ||
            s->var[v].type != FT_REAL || k->as[v] != EXPR_NONE ||
            !is_of_time(k, e, arena))
            continue;
        k->as[v] = expr_map(map, e);
        return true;
    }
    return false;
}

static void find_functions(KnownFunctions *k, Arena *arena)
{
    enum { MOST_SWEEPS = 8 };
    const Array *a = k->a;
    bool changed = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && changed; sweep++) {
        changed = false;
        ExprMap *map = expr_map_new(a->dag, to_time, k, arena);
        for (int r = 0; r < a->neqn; r++)
            changed |= take_equation(k, &a->eqn[a->row[r].eqn], map, arena);
    }
}

KnownFunctions *known_find(const Array *a, int most, Arena *arena)
{
    KnownFunctions *k = NEW(arena, KnownFunctions);
    int nvar = a->sys->nvar;
    Expr *root = NEW_ARRAY(arena, Expr, nvar + 1), wrong;
    *k = (KnownFunctions){.a = a,
                          .root = NEW_ARRAY(arena, int, nvar),
                          .as = NEW_ARRAY(arena, Expr, nvar),
                          .most = most,
                          .degree = NONE};
    for (int v = 0; v < nvar; v++)
        k->as[v] = EXPR_NONE;
    find_functions(k, arena);
    for (int v = 0; v < nvar; v++) {
        k->root[v] = k->as[v] == EXPR_NONE ? NONE : k->n;
        if (k->root[v] != NONE)
            root[k->n++] = k->as[v];
    }
    if (k->n > 0)
        k->taylor = taylor_new(a->dag, root, k->n, most, arena, &wrong);
    return k;
}

typedef struct Moment {
    const Array *a;
    double t;
} Moment;

static void leaf_series(void *context, const Dag *d, Expr e, int degree,
                        double *coef)
{
    const Moment *m = context;
    int v, order;
    for (int q = 0; q <= degree; q++)
        coef[q] = 0;
    if (expr_op(d, e) == EX_TIME) {
        coef[0] = m->t;
        if (degree > 0)
            coef[1] = 1;
    } else if (expr_is_var(d, e, &v, &order)) {
        coef[0] = m->a->value[v];
    }
}

bool known_series(KnownFunctions *k, int v, double t, int degree, double *coef)
{
    if (!k->taylor || v >= k->a->nvar || k->root[v] == NONE || degree > k->most)
        return false;
    if (k->degree < degree || k->time != t) {
        Moment m = {k->a, t};
        taylor_run(k->taylor, k->most, leaf_series, &m);
        k->degree = k->most;
        k->time = t;
    }
    for (int q = 0; q <= degree; q++)
        coef[q] = taylor_coef(k->taylor, k->root[v], q);
    return true;
}
