/* spread.c - spatialDistribution() as a function of the DAG, its memory at the
 * desk: that of runtime/takt_rt_spread.h in room that grows. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "spread/spread.h"

#include <math.h>
#include <string.h>

#include "takt_rt_spread.h"

enum { FIRST_SIZE = 64 };

/* ---- the function ---- */

static const char name[] = "spatialDistribution";

/* Nobody but inline/ knows the memory: this is what it is at first. */
static void values(const ExprFunction *f, const double *arg, double *out)
{
    int n = (f->nlist - SPREAD_LIST) / 2;
    out[SPREAD_LOST] = 0;
    out[SPREAD_LEFT] = arg[SPREAD_LIST + n];
    out[SPREAD_RIGHT] = arg[SPREAD_LIST + 2 * n - 1];
    out[SPREAD_LEFT_BY_X] = out[SPREAD_RIGHT_BY_X] = 0;
}

static Expr derivative(Dag *d, Expr call, int i)
{
    int out = expr_node(d, call)->order;
    if (i != SPREAD_X || (out != SPREAD_LEFT && out != SPREAD_RIGHT))
        return expr_real(d, 0);
    return spread_result(d, call,
                         out + (int)SPREAD_LEFT_BY_X - (int)SPREAD_LEFT);
}

int spread_function(Dag *d, int npoint)
{
    ExprFunction f = {.name = name,
                      .nlist = SPREAD_LIST + 2 * npoint,
                      .nout = SPREAD_NRESULT,
                      .values = values,
                      .is_impure = true,
                      .derivative = derivative};
    return dag_add_function(d, &f);
}

bool spread_is(const Dag *d, Expr e)
{
    if (expr_op(d, e) != EX_CALL)
        return false;
    const ExprFunction *f = dag_function(d, expr_node(d, e)->fn);
    return f && f->values == values;
}

int spread_npoint(const Dag *d, Expr call)
{
    return (expr_node(d, call)->narg - SPREAD_LIST) / 2;
}

Expr spread_result(Dag *d, Expr call, int out)
{
    int fn = expr_node(d, call)->fn, narg = expr_node(d, call)->narg;
    Arena *local = arena_new();
    Expr *arg = NEW_ARRAY(local, Expr, narg);
    for (int i = 0; i < narg; i++)
        arg[i] = expr_arg(d, call, i);
    Expr e = expr_call(d, fn, out, ET_REAL, arg, narg);
    arena_free(local);
    return e;
}

/* ---- how much it is ---- */

int spread_room(int size)
{
    return TAKT_SPREAD_HEAD + 2 * size;
}

/* Turns of a search. */
static int depth(int size)
{
    int n = 1;
    for (int part = 1; 2 * part < size; part *= 2)
        n++;
    return n;
}

int spread_record_instructions(int size)
{
    return 120 + 44 * depth(size);
}

int spread_read_instructions(int size, SpreadPart part)
{
    return part == SPREAD_NOROOM ? 1 : 13 + 7 * depth(size);
}

/* ---- memory ---- */

static int size_of(const SpreadMemory *m)
{
    return (m->n - TAKT_SPREAD_HEAD) / 2;
}

static void set_size(SpreadMemory *m, int size, Arena *arena)
{
    m->n = 0;
    for (int i = 0; i < spread_room(size); i++)
        vec_push(arena, m, 0.0);
}

/* Twice the room; the points in their order from place 0 on. */
static void grow(SpreadMemory *m, Arena *arena)
{
    SpreadMemory old = *m;
    int n = size_of(&old), first = (int)old.at[TAKT_SPREAD_FIRST];
    *m = (SpreadMemory){0};
    set_size(m, 2 * n, arena);
    memcpy(m->at, old.at, TAKT_SPREAD_HEAD * sizeof *m->at);
    m->at[TAKT_SPREAD_FIRST] = 0;
    for (int i = 0; i < n; i++) {
        int from = TAKT_SPREAD_HEAD + (first + i) % n;
        m->at[TAKT_SPREAD_HEAD + i] = old.at[from];
        m->at[TAKT_SPREAD_HEAD + 2 * n + i] = old.at[from + n];
    }
}

void spread_begin(SpreadMemory *m, double x, double time, double inflow,
                  bool positive, const double *from, int npoint, Arena *arena)
{
    int size = FIRST_SIZE;
    while (size < npoint + 2)
        size *= 2;
    set_size(m, size, arena);
    takt_spread_begin(m->at, size, x, time, inflow, positive, from, npoint);
}

void spread_record(SpreadMemory *m, double x, double time, double inflow,
                   bool positive, Arena *arena)
{
    if (m->at[TAKT_SPREAD_COUNT] >= size_of(m))
        grow(m, arena);
    takt_spread_record(m->at, size_of(m), x, time, inflow, positive);
}

double spread_read(const SpreadMemory *m, double time, int part)
{
    return m->n == 0 ? 0 : takt_spread_read(m->at, size_of(m), time, part);
}

bool spread_is_sound(const SpreadMemory *m)
{
    int size = size_of(m);
    if (m->n < spread_room(FIRST_SIZE) || m->n != spread_room(size))
        return false;
    double first = m->at[TAKT_SPREAD_FIRST], n = m->at[TAKT_SPREAD_COUNT];
    for (int i = 0; i < m->n; i++)
        if (!isfinite(m->at[i]))
            return false;
    return first >= 0 && first < size && first == floor(first) && n >= 2 &&
           n <= size && n == floor(n);
}

double spread_while(const SpreadMemory *m, double way)
{
    double rate = m->n == 0 ? 0 : fabs(m->at[TAKT_SPREAD_RATE]);
    return rate > 0 ? way / rate : INFINITY;
}
