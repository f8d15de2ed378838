/* stage.c - how an expression of the model looks at one stage of the step.
 *
 * Every quantity becomes the entry that stands for it at that stage, time the
 * time of the stage, pre(v) the value from the step before. Four things are
 * more than leaves and are replaced as a whole, small handles first, so that
 * what they contain has been replaced before:
 *
 *   relations and the like   if they depend on continuous unknowns: frozen
 *                            entries, the same in all stages; if on time alone:
 *                            as they are at the time of the stage, or just
 *                            within the step where that is one of its ends;
 * else as they are at the end of the step homotopy(actual, simple) actual,
 * except in the initialisation delay(e, T)              a known entry for the
 * time of the stage
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "inline/inline_internal.h"
#include "spread/spread.h"

struct Stage {
    Inliner *in;
    int stage;
    double c;
    bool is_init;
    bool sees_late;
    bool is_inside;   /* of a step, not of an event */
    ExprMap *map;     /* with events frozen */
    ExprMap *noevent; /* with relations evaluated in place; made when needed */
};

static Expr replace_leaf(void *context, Dag *d, Expr leaf)
{
    Stage *s = context;
    Inliner *in = s->in;
    if (expr_op(d, leaf) == EX_PRE) {
        int var = NONE, order = 0;
        if (!expr_is_var(d, expr_arg(d, leaf, 0), &var, &order))
            return EXPR_NONE;
        return table_old(in, (Quantity){var, 0}, 1);
    }
    Quantity q;
    if (!expr_is_var(d, leaf, &q.var, &q.order) || q.var >= in->d->sys->nvar)
        return EXPR_NONE;
    switch (in->d->sys->var[q.var].role) {
    case SR_INPUT: return table_input(in, q, s->c);
    case SR_DISCRETE:
        if (in->model.is_late[q.var] && !s->sees_late)
            return table_old(in, q, 1);
        return EXPR_NONE;
    case SR_UNKNOWN: return table_value(in, q, s->stage, s->c);
    default: return EXPR_NONE;
    }
}

static Expr stage_time(Stage *s)
{
    Dag *d = s->in->d->dag;
    if (s->c == 1)
        return expr_time(d);
    Expr back = expr_mul(d, expr_real(d, 1 - s->c), table_step(s->in));
    return expr_sub(d, expr_time(d), back);
}

static bool is_continuous(const Sys *sys, const Dag *d, Expr leaf)
{
    int var = NONE, order = 0;
    expr_is_var(d, leaf, &var, &order);
    return var < sys->nvar && sys->var[var].role == SR_UNKNOWN;
}

/* Does it change while the step goes on? */
static bool moves(Inliner *in, Expr e)
{
    if (expr_has_op(in->d->dag, e, EX_TIME))
        return true;
    Arena *work = arena_new();
    Expr *leaf;
    int n = expr_leaves(in->d->dag, e, &leaf, work);
    bool found = false;
    for (int i = 0; i < n && !found; i++)
        found = is_continuous(in->d->sys, in->d->dag, leaf[i]);
    arena_free(work);
    return found;
}

/* ---- frozen events ---- */

/* Between events, does nothing in it move but time? */
static bool is_still(Inliner *in, Expr now)
{
    Arena *work = arena_new();
    Expr *leaf;
    int n = expr_leaves(in->d->dag, now, &leaf, work);
    bool fine = true;
    for (int i = 0; i < n; i++) {
        const InlinedVar *v = &in->var.at[table_index(in, leaf[i])];
        bool is_discrete = v->sys_var != NONE &&
                           in->d->sys->var[v->sys_var].role == SR_DISCRETE;
        fine = fine && (v->kind == IV_PARAMETER || v->kind == IV_RELATION ||
                        is_discrete);
    }
    arena_free(work);
    return fine;
}

static bool is_of_time(Inliner *in, Expr now)
{
    return expr_has_op(in->d->dag, now, EX_TIME) && is_still(in, now);
}

/* The frozen entry for the value `now` (op applied to the mapped arguments). */
static Expr freeze(Inliner *in, Expr now, ExprType type)
{
    int had = table_entry(in->table, IV_RELATION, (Quantity){now, 0}, 0, 0);
    if (had != NONE)
        return in->var.at[had].leaf;
    int n = in->relation.n;
    int var = table_add(in, IV_RELATION,
                        arena_printf(in->arena, "rel#%d", n + 1), type);
    table_note(in->table, IV_RELATION, now, 0, 0, var);
    in->var.at[var].relation = n;
    vec_push(in->arena, &in->relation,
             ((InlinedRelation){
                 .var = var, .now = now, .is_of_time = is_of_time(in, now)}));
    return in->var.at[var].leaf;
}

static Expr value_at(Inliner *in, Expr now, double c)
{
    Dag *d = in->d->dag;
    Expr back = expr_mul(d, expr_real(d, 1 - c), table_step(in));
    ExprMap *map = expr_map_new(d, NULL, NULL, in->work);
    expr_map_fix(map, expr_time(d), expr_sub(d, expr_time(d), back));
    return expr_map(map, now);
}

/* A relation of time alone within a step: where an event falls on an end of the
 * step, its value is the one that it has inside. */
static Expr value_inside(Stage *s, Expr now, int relation)
{
    Inliner *in = s->in;
    double edge = INLINED_EDGE;
    double c = s->c < edge ? edge : s->c > 1 - edge ? 1 - edge : s->c;
    Expr value = value_at(in, now, c);
    for (int i = 0; i < in->inside.n; i++)
        if (in->inside.at[i].value == value)
            return value;
    InlinedInside inside = {value, value_at(in, now, edge), relation};
    vec_push(in->arena, &in->inside, inside);
    return value;
}

static int by_value(const void *a, const void *b)
{
    Expr x = ((const InlinedInside *)a)->value;
    Expr y = ((const InlinedInside *)b)->value;
    return (x > y) - (x < y);
}

/* `in->inside` in the order of values. */
static void see_inside(void *context, const Dag *d, Expr e)
{
    Inliner *in = context;
    (void)d;
    const InlinedInside key = {.value = e};
    const InlinedInside *found = bsearch(
        &key, in->inside.at, (size_t)in->inside.n, sizeof key, by_value);
    if (found)
        in->relation.at[found->relation].acts_inside = true;
}

void stage_find_inside(Inliner *in)
{
    Vec(Expr) root = {0};
    for (int k = 0; in->inside.n > 0 && k < in->system.n; k++) {
        const InlinedSystem *s = &in->system.at[k];
        for (int i = 0; i < s->neqn; i++) {
            vec_push(in->work, &root, s->eqn[i].lhs);
            vec_push(in->work, &root, s->eqn[i].rhs);
        }
    }
    if (root.n == 0)
        return;
    qsort(in->inside.at, (size_t)in->inside.n, sizeof *in->inside.at, by_value);
    expr_walk(in->d->dag, root.at, root.n, see_inside, in);
}

void stage_find_after(Inliner *in)
{
    Dag *d = in->d->dag;
    Expr edge = expr_mul(d, expr_real(d, INLINED_EDGE), table_step(in));
    ExprMap *map = expr_map_new(d, NULL, NULL, in->work);
    ExprMap *other = expr_map_new(d, NULL, NULL, in->work);
    expr_map_fix(map, expr_time(d), expr_add(d, expr_time(d), edge));
    for (int i = 0; i < in->relation.n; i++) { /* inner ones come first */
        InlinedRelation *r = &in->relation.at[i];
        r->after = expr_map(r->is_of_time ? map : other, r->now);
        if (!r->is_of_time)
            continue;
        expr_map_fix(map, in->var.at[r->var].leaf, r->after);
        expr_map_fix(other, in->var.at[r->var].leaf, r->after);
    }
}

/* What stands for `now`, which is what an event node is at the end of the
 * step. */
static Expr value_of(Stage *s, Expr now, ExprType type)
{
    Expr frozen = freeze(s->in, now, type);
    const InlinedVar *v = &s->in->var.at[table_index(s->in, frozen)];
    const InlinedRelation *r = &s->in->relation.at[v->relation];
    return s->is_inside && r->is_of_time ? value_inside(s, now, v->relation)
                                         : frozen;
}

/* What becomes of the event node `e` whose arguments at the end of the step
 * are a and b; `x` and `y` are its arguments at the stage. */
static Expr frozen_event(Stage *s, Expr e, Expr a, Expr b, Expr x, Expr y)
{
    Dag *d = s->in->d->dag;
    ExprOp op = expr_op(d, e);
    Expr ratio;
    switch (op) {
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE: return value_of(s, expr_binary(d, op, a, b), ET_BOOLEAN);
    case EX_MOD: /* x - floor(x/y)*y */
        ratio =
            value_of(s, expr_unary(d, EX_FLOOR, expr_div(d, a, b)), ET_REAL);
        return expr_sub(d, x, expr_mul(d, ratio, y));
    case EX_REM: /* x - div(x, y)*y */
        ratio = value_of(s, expr_binary(d, EX_IDIV, a, b), ET_REAL);
        return expr_sub(d, x, expr_mul(d, ratio, y));
    default:
        return value_of(s, expr_make(d, op, a, b, EXPR_NONE), expr_type(d, e));
    }
}

static Expr map_arg(Stage *s, Expr e, int i)
{
    if (i >= expr_node(s->in->d->dag, e)->narg)
        return EXPR_NONE;
    return expr_map(s->map, expr_arg(s->in->d->dag, e, i));
}

static Expr map_event(Stage *s, Expr e)
{
    Inliner *in = s->in;
    Stage *end = in->event ? in->event : s; /* s is in->event, being made */
    if (!moves(in, e))
        return s->is_init || end == s
                   ? expr_make(in->d->dag, expr_op(in->d->dag, e),
                               map_arg(s, e, 0), map_arg(s, e, 1), EXPR_NONE)
                   : expr_map(end->map, e);
    return frozen_event(s, e, map_arg(end, e, 0), map_arg(end, e, 1),
                        map_arg(s, e, 0), map_arg(s, e, 1));
}

/* ---- delays ---- */

static Expr map_delay(Stage *s, Expr e)
{
    Inliner *in = s->in;
    Stage *end = in->event ? in->event : s;
    Expr expr = map_arg(end, e, 0), time = map_arg(s, e, 1);
    int had =
        table_entry(in->table, IV_DELAY, (Quantity){expr, time}, s->stage, 0);
    if (had != NONE)
        return in->var.at[had].leaf;
    int n = in->delay.n;
    int var = table_add(in, IV_DELAY,
                        arena_printf(in->arena, "delay#%d", n + 1), ET_REAL);
    table_note(in->table, IV_DELAY, expr, time, s->stage, var);
    in->var.at[var].relation = n;
    in->var.at[var].c = s->c;
    vec_push(in->arena, &in->delay,
             ((InlinedDelay){var, expr, time, map_arg(s, e, 2),
                             !expr_has_op(in->d->dag, expr, EX_TIME) &&
                                 is_still(in, expr),
                             IP_DELAY, 0}));
    return in->var.at[var].leaf;
}

/* ---- spatialDistribution ---- */

static void remember(Inliner *in, Expr call, Expr e, InlinedPast past,
                     int npoint)
{
    Expr none = expr_real(in->d->dag, 0);
    vec_push(in->arena, &in->delay,
             ((InlinedDelay){NONE, e, none, EXPR_NONE, true, past, npoint}));
    while (in->spread.n < in->delay.n)
        vec_push(in->work, &in->spread, EXPR_NONE);
    in->spread.at[in->delay.n - 1] = past == IP_SPREAD ? call : EXPR_NONE;
}

/* The number of what a call remembers; `call` is its result 0. */
static int find_spread(Stage *s, Expr call)
{
    Inliner *in = s->in;
    Dag *d = in->d->dag;
    for (int i = 0; i < in->spread.n; i++)
        if (in->spread.at[i] == call)
            return i;
    Stage *end = in->event ? in->event : s;
    int n = spread_npoint(d, call);
    for (int i = 0; i < 2 * n; i++)
        remember(in, call, map_arg(end, call, SPREAD_LIST + i), IP_NUMBER, 0);
    Expr side = map_arg(end, call, SPREAD_SIDE);
    Expr inflow = expr_if(d, side, map_arg(end, call, SPREAD_IN0),
                          map_arg(end, call, SPREAD_IN1));
    remember(in, call, inflow, IP_NUMBER, 0);
    remember(in, call, expr_if(d, side, expr_real(d, 1), expr_real(d, 0)),
             IP_NUMBER, 0);
    remember(in, call, expr_time(d), IP_NUMBER, 0);
    remember(in, call, map_arg(end, call, SPREAD_X), IP_SPREAD, n);
    return in->delay.n - 1;
}

/* The known entry for a part of what is remembered, at the right end or the
 * left. */
static Expr spread_entry(Stage *s, Expr call, SpreadPart part, bool right)
{
    static const char *const name[] = {"anchor", "value", "slope", "lost"};
    Inliner *in = s->in;
    int asks = 2 * (int)part + right, n = find_spread(s, call);
    Quantity key = {call, asks};
    int had = table_entry(in->table, IV_DELAY, key, s->stage, 0);
    if (had != NONE)
        return in->var.at[had].leaf;
    int var = table_add(in, IV_DELAY,
                        arena_printf(in->arena, "spatialDistribution#%d.%s%s",
                                     n + 1, name[part], right ? "1" : "0"),
                        ET_REAL);
    table_note(in->table, IV_DELAY, key.var, key.order, s->stage, var);
    in->var.at[var].relation = n;
    in->var.at[var].back = asks;
    in->var.at[var].c = s->c;
    return in->var.at[var].leaf;
}

/* z at an end: on the line that is known there, for the x of this stage. */
static Expr spread_value(Stage *s, Expr call, bool right)
{
    Dag *d = s->in->d->dag;
    Expr value = spread_entry(s, call, SPREAD_VALUE, right);
    if (s->is_init)
        return value;
    Expr label = expr_sub(d, expr_real(d, right), map_arg(s, call, SPREAD_X));
    Expr way = expr_sub(d, label, spread_entry(s, call, SPREAD_ANCHOR, right));
    return expr_add(
        d, value, expr_mul(d, spread_entry(s, call, SPREAD_SLOPE, right), way));
}

static Expr map_spread(Stage *s, Expr e)
{
    Dag *d = s->in->d->dag;
    Expr call = expr_first_result(d, e);
    int out = expr_node(d, e)->order;
    switch (out) {
    case SPREAD_LEFT:
    case SPREAD_RIGHT: return spread_value(s, call, out == SPREAD_RIGHT);
    case SPREAD_LEFT_BY_X:
    case SPREAD_RIGHT_BY_X:
        return expr_neg(
            d, spread_entry(s, call, SPREAD_SLOPE, out == SPREAD_RIGHT_BY_X));
    default: return spread_entry(s, call, SPREAD_NOROOM, false);
    }
}

/* All results, also those that a derivative asks for later. */
static void fix_spread(Stage *s, ExprMap *map, Expr e)
{
    for (int i = 0; i < SPREAD_NRESULT; i++) {
        Expr result = spread_result(s->in->d->dag, e, i);
        expr_map_fix(map, result, map_spread(s, result));
    }
}

/* ---- a stage ---- */

static void fix_special(Stage *s, Expr e)
{
    Dag *d = s->in->d->dag;
    switch (expr_op(d, e)) {
    case EX_HOMOTOPY:
        if (!s->is_init)
            expr_map_fix(s->map, e, map_arg(s, e, 0));
        break;
    case EX_DELAY: expr_map_fix(s->map, e, map_delay(s, e)); break;
    case EX_CALL: fix_spread(s, s->map, e); break;
    case EX_INITIAL: expr_map_fix(s->map, e, expr_bool(d, s->is_init)); break;
    default: expr_map_fix(s->map, e, map_event(s, e)); break;
    }
}

Stage *stage_new(Inliner *in, int stage, double c, bool is_init, bool sees_late)
{
    Stage *s = NEW(in->work, Stage);
    *s = (Stage){.in = in,
                 .stage = stage,
                 .c = c,
                 .is_init = is_init,
                 .sees_late = sees_late,
                 .is_inside = in->event && !is_init};
    s->map = expr_map_new(in->d->dag, replace_leaf, s, in->work);
    expr_map_fix(s->map, expr_time(in->d->dag), stage_time(s));
    for (int i = 0; i < in->nspecial; i++)
        fix_special(s, in->special[i]);
    return s;
}

Expr stage_map(Stage *s, Expr e)
{
    return expr_map(s->map, e);
}

/* ---- what is special ---- */

typedef struct Collect {
    Arena *work;
    Vec(Expr) found;
} Collect;

static void collect_special(void *context, const Dag *d, Expr e)
{
    Collect *c = context;
    ExprOp op = expr_op(d, e);
    if (op == EX_HOMOTOPY || op == EX_DELAY || op == EX_INITIAL ||
        spread_is(d, e))
        vec_push(c->work, &c->found, e);
}

/* Relations stay as they are; delay() and initial() are what they are at this
 * stage. */
Expr stage_map_noevent(Stage *s, Expr e)
{
    Dag *d = s->in->d->dag;
    Collect c = {.work = s->in->work};
    if (!s->noevent) {
        s->noevent = expr_map_new(d, replace_leaf, s, s->in->work);
        expr_map_fix(s->noevent, expr_time(d), stage_time(s));
    }
    if (e != EXPR_NONE)
        expr_walk(d, &e, 1, collect_special, &c);
    for (int i = 0; i < c.found.n; i++) {
        Expr x = c.found.at[i];
        if (expr_op(d, x) == EX_DELAY)
            expr_map_fix(s->noevent, x, map_delay(s, x));
        else if (expr_op(d, x) == EX_CALL)
            fix_spread(s, s->noevent, x);
        else if (expr_op(d, x) == EX_INITIAL)
            expr_map_fix(s->noevent, x, expr_bool(d, s->is_init));
    }
    return expr_map(s->noevent, e);
}

static int by_handle(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return (x > y) - (x < y);
}

void stage_find_special(Inliner *in, const Expr *root, int nroot)
{
    Collect c = {.work = in->work};
    Expr *event;
    int nevent = expr_events(in->d->dag, root, nroot, &event, in->work);
    expr_walk(in->d->dag, root, nroot, collect_special, &c);
    for (int i = 0; i < nevent; i++)
        vec_push(in->work, &c.found, event[i]);
    if (c.found.n > 1)
        qsort(c.found.at, (size_t)c.found.n, sizeof *c.found.at, by_handle);
    in->special = c.found.at;
    in->nspecial = c.found.n;
}
