/* lut.c - the functions of tables: values, derivatives, C. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lut/lut.h"

#include <assert.h>
#include <string.h>

#include "base/die.h"
#include "lut/lut_internal.h"
#include "lut/slopes.h"
#include "takt_rt_table.h"

/* ---- values ---- */

static double value(const ExprFunction *f, int out, const double *plain,
                    const double *list)
{
    const Look *k = f->info;
    (void)out;
    switch (k->family) {
    case ONE:
        return takt_table1(list, k->n, k->kind, k->outside, k->order[0],
                           plain[0]);
    case OVER_TIME:
        return takt_table_time(list, k->n, k->kind, k->outside, k->order[0],
                               plain[0], plain[1]);
    case TWO:
        return takt_table2(list, k->n, k->m, k->kind, k->outside, k->order[0],
                           k->order[1], plain[0], plain[1]);
    case NEXT: return takt_table_next(list, k->n, k->outside, plain[0]);
    default: unreachable();
    }
}

bool lut_is_table(const ExprFunction *f)
{
    return f->value == value;
}

/* ---- C ---- */

static const char *const kind_name[] = {"TAKT_STEPS", "TAKT_LINES",
                                        "TAKT_CUBICS"};
static const char *const outside_name[] = {"TAKT_HOLD", "TAKT_EXTEND",
                                           "TAKT_REPEAT"};

static const char *c_call(const ExprFunction *f, int out, bool is_float,
                          const char *const *plain, const char *list,
                          Arena *arena)
{
    const Look *k = f->info;
    const char *kind = kind_name[k->kind], *outside = outside_name[k->outside];
    (void)out, (void)is_float;
    switch (k->family) {
    case ONE:
        return arena_printf(arena, "takt_table1(%s, %d, %s, %s, %d, %s)", list,
                            k->n, kind, outside, k->order[0], plain[0]);
    case OVER_TIME:
        return arena_printf(
            arena, "takt_table_time(%s, %d, %s, %s, %d, %s, %s)", list, k->n,
            kind, outside, k->order[0], plain[0], plain[1]);
    case TWO:
        return arena_printf(arena,
                            "takt_table2(%s, %d, %d, %s, %s, %d, %d, %s, %s)",
                            list, k->n, k->m, kind, outside, k->order[0],
                            k->order[1], plain[0], plain[1]);
    case NEXT:
        return arena_printf(arena, "takt_table_next(%s, %d, %s, %s)", list,
                            k->n, outside, plain[0]);
    default: unreachable();
    }
}

/* ---- cost ---- */

static int turns(int n) /* of takt_table_place */
{
    int count = 0;
    for (int left = n - 1; left > 1; left -= left / 2)
        count++;
    return count;
}

/* Measured with callgrind on x86-64, gcc -O2. */
static int instructions(const Look *k)
{
    int n = 8 * turns(k->n) + (k->outside == TAKT_REPEAT ? 40 : 0);
    switch (k->family) {
    case NEXT: return n + 30;
    case TWO:
        n += 8 * turns(k->m) + (k->outside == TAKT_REPEAT ? 40 : 0);
        return n + (k->kind == TAKT_CUBICS ? 190 : 90);
    default: return n + (k->kind == TAKT_CUBICS ? 75 : 60);
    }
}

/* ---- functions ---- */

static Expr derivative(Dag *d, Expr call, int i);

static const char *name_of(const Look *k)
{
    static const char *const plain[] = {"table", "timeTable", "table2",
                                        "nextTimeEvent"};
    static const char *const der[] = {"der_table", "der_timeTable",
                                      "der_table2", "nextTimeEvent"};
    return (k->order[0] + k->order[1] > 0 ? der : plain)[k->family];
}

static Expr constant_call(Dag *d, ExprFunction *f, const Expr *plain,
                          const Expr *list)
{
    double *x = NEW_ARRAY(dag_arena(d), double, f->nlist);
    for (int i = 0; i < f->nlist; i++)
        expr_is_const(d, list[i], &x[i]);
    f->list = x;
    return expr_call(d, dag_add_function(d, f), 0, ET_REAL, plain, f->nplain);
}

/* A call with the numbers `list` of the table. */
static Expr call(Dag *d, const Look *k, const Expr *plain, const Expr *list,
                 int nlist)
{
    Look *info = NEW(dag_arena(d), Look);
    *info = *k;
    ExprFunction f = {.name = name_of(k),
                      .nplain =
                          k->family == OVER_TIME || k->family == TWO ? 2 : 1,
                      .nlist = nlist,
                      .info = info,
                      .ninfo = sizeof *info,
                      .value = value,
                      .derivative = derivative,
                      .c_call = c_call,
                      .header = "takt_rt_table.h",
                      .instructions = instructions(k)};
    bool is_const = true;
    for (int i = 0; i < nlist && is_const; i++)
        is_const = expr_is_const(d, list[i], NULL);
    if (is_const)
        return constant_call(d, &f, plain, list);
    Arena *local = arena_new();
    Expr *arg = NEW_ARRAY(local, Expr, f.nplain + nlist);
    memcpy(arg, plain, (size_t)f.nplain * sizeof *arg);
    memcpy(arg + f.nplain, list, (size_t)nlist * sizeof *arg);
    Expr e = expr_call(d, dag_add_function(d, &f), 0, ET_REAL, arg,
                       f.nplain + nlist);
    arena_free(local);
    return e;
}

/* The highest derivative that is not 0 everywhere. */
static int highest(const Look *k)
{
    if (k->kind == TAKT_CUBICS)
        return 3;
    return k->kind == TAKT_LINES || k->outside == TAKT_EXTEND ? 1 : 0;
}

static Expr derivative(Dag *d, Expr e, int i)
{
    const ExprNode *n = expr_node(d, e);
    const ExprFunction *f = dag_function(d, n->fn);
    Look k = *(const Look *)f->info;
    if (i >= f->nplain)
        return EXPR_NONE; /* by a number of the table */
    if (k.family == NEXT || (k.family == OVER_TIME && i == 1))
        return expr_real(d, 0);
    if (++k.order[i] > highest(&k))
        return expr_real(d, 0);
    Look *info = NEW(dag_arena(d), Look);
    *info = k;
    ExprFunction g = *f;
    g.info = info;
    g.name = name_of(&k);
    return expr_call(d, dag_add_function(d, &g), 0, ET_REAL, n->args, n->narg);
}

/* ---- tables ---- */

static int kind_of(LutSmoothness smoothness)
{
    return smoothness == LUT_LINEAR     ? TAKT_LINES
           : smoothness == LUT_CONSTANT ? TAKT_STEPS
                                        : TAKT_CUBICS;
}

static int outside_of(LutExtrapolation extrapolation)
{
    return extrapolation == LUT_LAST_TWO_POINTS ? TAKT_EXTEND
           : extrapolation == LUT_PERIODIC      ? TAKT_REPEAT
                                                : TAKT_HOLD;
}

static bool has_equal(const Expr *x, int n)
{
    for (int i = 0; i + 1 < n; i++)
        if (x[i] == x[i + 1])
            return true;
    return false;
}

const Lut *lut_new(Dag *d, const Expr *x, const Expr *y, int n,
                   LutSmoothness smoothness, LutExtrapolation extrapolation,
                   Arena *arena)
{
    Lut *t = NEW(arena, Lut);
    t->kind = n == 2 && kind_of(smoothness) == TAKT_CUBICS
                  ? TAKT_LINES
                  : kind_of(smoothness);
    t->outside = outside_of(extrapolation);
    t->n = n;
    t->has_jumps = has_equal(x, n);
    t->nlist = (t->kind == TAKT_CUBICS ? 3 : 2) * n;
    Expr *list = NEW_ARRAY(arena, Expr, t->nlist);
    memcpy(list, x, (size_t)n * sizeof *list);
    memcpy(list + n, y, (size_t)n * sizeof *list);
    if (t->kind == TAKT_CUBICS)
        slopes_find(d, x, y, n, smoothness, list + 2 * n, arena);
    t->list = list;
    return t;
}

const Lut *lut_new2(Dag *d, const Expr *x, int n, const Expr *y, int m,
                    const Expr *z, LutSmoothness smoothness,
                    LutExtrapolation extrapolation, Arena *arena)
{
    Lut *t = NEW(arena, Lut);
    t->kind = n == 2 && m == 2 && smoothness == LUT_AKIMA ? TAKT_LINES
                                                          : kind_of(smoothness);
    t->outside = outside_of(extrapolation);
    t->n = n;
    t->m = m;
    int size = n * m;
    t->nlist = n + m + (t->kind == TAKT_CUBICS ? 4 : 1) * size;
    Expr *list = NEW_ARRAY(arena, Expr, t->nlist), *at = list + n + m;
    memcpy(list, x, (size_t)n * sizeof *list);
    memcpy(list + n, y, (size_t)m * sizeof *list);
    memcpy(at, z, (size_t)size * sizeof *list);
    if (t->kind == TAKT_CUBICS)
        slopes_find2(d, x, n, y, m, z, at + size, at + 2 * size, at + 3 * size,
                     arena);
    t->list = list;
    return t;
}

Expr lut_value(Dag *d, const Lut *t, int order, Expr u)
{
    Look k = {ONE, t->kind, t->outside, t->n, 0, {order, 0}};
    if (order > highest(&k))
        return expr_real(d, 0);
    return call(d, &k, &u, t->list, t->nlist);
}

Expr lut_value_over_time(Dag *d, const Lut *t, int order, Expr u, Expr side)
{
    Look k = {OVER_TIME, t->kind, t->outside, t->n, 0, {order, 0}};
    if (order > highest(&k))
        return expr_real(d, 0);
    return call(d, &k, (Expr[]){u, side}, t->list, t->nlist);
}

Expr lut_value2(Dag *d, const Lut *t, int i, int j, Expr u, Expr v)
{
    Look k = {TWO, t->kind, t->outside, t->n, t->m, {i, j}};
    if (i > highest(&k) || j > highest(&k))
        return expr_real(d, 0);
    return call(d, &k, (Expr[]){u, v}, t->list, t->nlist);
}

Expr lut_next(Dag *d, const Expr *x, int n, bool is_periodic, Expr u)
{
    Look k = {NEXT, TAKT_STEPS, is_periodic ? TAKT_REPEAT : TAKT_HOLD,
              n,    0,          {0, 0}};
    assert(n > 1);
    return call(d, &k, &u, x, n);
}
