/* told.c - calls of functions of the DAG that are differentiated as told. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "told/told.h"

typedef struct ToldInfo {
    const Told *told;
    int k;
} ToldInfo;

static const ToldInfo *info_of(const Dag *d, Expr call)
{
    return dag_function(d, expr_node(d, call)->fn)->info;
}

/* ---- the function ---- */

static double value(const ExprFunction *f, int out, const double *plain,
                    const double *list)
{
    (void)f, (void)out, (void)list;
    return plain[0];
}

static const char *c_call(const ExprFunction *f, int out, bool is_float,
                          const char *const *plain, const char *list,
                          Arena *arena)
{
    (void)out, (void)is_float;
    return f->nlist ? arena_printf(arena, "((void)%s, %s)", list, plain[0])
                    : plain[0];
}

/* The derivative where argument i of the function moves by by[i]. */
static Expr along(Dag *d, Expr call, const Expr *by)
{
    const ToldInfo *x = info_of(d, call);
    const Told *t = x->told;
    Arena *local = arena_new();
    ExprMap *m = expr_map_new(d, NULL, NULL, local);
    bool known = true;
    for (int i = 0; i < t->narg; i++) {
        expr_map_fix(m, t->formal[i], expr_arg(d, call, i + 1));
        if (t->rate[i] == EXPR_NONE)
            continue;
        known = known && by[i] != EXPR_NONE;
        expr_map_fix(m, t->rate[i], by[i]);
    }
    Expr e = known ? expr_map(m, t->out[x->k]) : EXPR_NONE;
    arena_free(local);
    return e;
}

static Expr over_time(Dag *d, Expr call, const Expr *by)
{
    return along(d, call, by + 1);
}

static Expr derivative(Dag *d, Expr call, int i)
{
    const Told *t = info_of(d, call)->told;
    if (t->kind != TOLD_ALWAYS || i == 0)
        return expr_real(d, t->kind != TOLD_ALWAYS && i == 0);
    Arena *local = arena_new();
    Expr *by = NEW_ARRAY(local, Expr, t->narg);
    for (int k = 0; k < t->narg; k++)
        by[k] = expr_real(d, k == i - 1);
    Expr e = along(d, call, by);
    arena_free(local);
    return e;
}

Expr told_result(Dag *d, const Told *t, int k, Expr result, const Expr *arg)
{
    if (t->out[k] == EXPR_NONE)
        return result;
    Arena *arena = dag_arena(d);
    ToldInfo *x = NEW(arena, ToldInfo);
    *x = (ToldInfo){t, k};
    ExprFunction f = {.name = t->name,
                      .nplain = 1,
                      .nlist = t->narg,
                      .info = x,
                      .ninfo = (int)sizeof *x,
                      .value = value,
                      .derivative = derivative,
                      .over_time = over_time,
                      .c_call = c_call,
                      .instructions = 1};
    int fn = dag_add_function(d, &f);
    Arena *local = arena_new();
    Expr *all = NEW_ARRAY(local, Expr, t->narg + 1);
    all[0] = result;
    for (int i = 0; i < t->narg; i++)
        all[i + 1] = arg[i];
    Expr e = expr_call(d, fn, 0, ET_REAL, all, t->narg + 1);
    arena_free(local);
    return e;
}

/* ---- values alone ---- */

enum { RECORDS = 1 << TOLD_OF_RECORD, ALL = RECORDS | 1 << TOLD_OVER_TIME };

static bool is_of(const Dag *d, Expr e, int kinds)
{
    const ExprNode *n = expr_node(d, e);
    const ExprFunction *f = n->op == EX_CALL ? dag_function(d, n->fn) : NULL;
    return f && f->value == value && (kinds >> info_of(d, e)->told->kind & 1);
}

typedef struct Search {
    int kinds;
    bool found;
    ExprMap *map; /* to the values */
} Search;

static void see(void *context, const Dag *d, Expr e)
{
    Search *s = context;
    s->found |= is_of(d, e, s->kinds);
}

static bool has(const Dag *d, Expr e, int kinds)
{
    Search s = {.kinds = kinds};
    expr_walk(d, &e, 1, see, &s);
    return s.found;
}

static void take_value(void *context, const Dag *d, Expr e)
{
    Search *s = context;
    if (is_of(d, e, s->kinds))
        expr_map_fix(s->map, e, expr_map(s->map, expr_arg(d, e, 0)));
}

static Expr values(Dag *d, Expr e, int kinds)
{
    if (!has(d, e, kinds))
        return e;
    Arena *local = arena_new();
    Search s = {.kinds = kinds, .map = expr_map_new(d, NULL, NULL, local)};
    expr_walk(d, &e, 1, take_value, &s);
    Expr to = expr_map(s.map, e);
    arena_free(local);
    return to;
}

bool told_has(const Dag *d, Expr e)
{
    return has(d, e, ALL);
}

Expr told_values(Dag *d, Expr e)
{
    return values(d, e, ALL);
}

Expr told_values_of_records(Dag *d, Expr e)
{
    return values(d, e, RECORDS);
}
