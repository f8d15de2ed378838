/* ticks.c - the condition that a clock ticks, as variables of the new model.
 *
 * A base clock is a Boolean b: b = sample(0, T); it ticks when b rises. An
 * event clock ticks in the iteration after the one in which its condition rose,
 * at the same time: the condition may ask for what the tick changes, as that of
 * a clock that ticks when a shaft has turned so far since the last tick. A
 * sub-clock that ticks at every n-th tick from the k-th on counts down in
 * integers:
 *
 *   count = if edge(b) then (if pre(count) == 0 then n - 1
 *                            else pre(count) - 1) else pre(count)
 *   tick  = edge(b) and pre(count) == 0            count starts with k
 *
 * so ticks of related clocks meet exactly, here and in generated code.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "clocks/clocks_internal.h"

/* ---- new variables ---- */

static ExprType type_of(FlatType t)
{
    return t == FT_REAL                       ? ET_REAL
           : t == FT_BOOLEAN || t == FT_CLOCK ? ET_BOOLEAN
                                              : ET_INTEGER;
}

Expr clocks_leaf(Clocks *c, int var)
{
    return expr_var(c->dag, var, 0, type_of(c->out->var[var].type));
}

Expr clocks_pre(Clocks *c, int var)
{
    return expr_unary(c->dag, EX_PRE, clocks_leaf(c, var));
}

static void *room(Clocks *c, void *at, int n, size_t size)
{
    if (n & (n - 1))
        return at;
    return arena_grow(c->arena, at, (size_t)n * size,
                      (n ? (size_t)n * 2 : 1) * size);
}

void clocks_add_eqn(Clocks *c, Expr lhs, Expr rhs)
{
    Flat *f = c->out;
    f->eqn = room(c, f->eqn, f->neqn, sizeof *f->eqn);
    f->eqn[f->neqn++] = (FlatEqn){.lhs = lhs,
                                  .rhs = rhs,
                                  .origin = FO_EQUATION,
                                  .component = c->component,
                                  .span = c->span};
}

int clocks_aux(Clocks *c, const char *what, FlatType type,
               FlatVariability variability, Expr start, Expr value)
{
    Flat *f = c->out;
    FlatVar v = flat_plain_var(arena_printf(c->arena, "$%s%d", what, ++c->naux),
                               c->span);
    v.type = type;
    v.variability = variability;
    v.start = start;
    v.is_protected = true;
    f->var = room(c, f->var, f->nvar, sizeof *f->var);
    f->var[f->nvar] = v;
    int var = f->nvar++;
    vec_push(c->local, &c->aux_base, NONE);
    if (value != EXPR_NONE)
        clocks_add_eqn(c, clocks_leaf(c, var), value);
    return var;
}

/* A discrete variable that becomes `value` when `active` and else stays. */
static int kept(Clocks *c, const char *what, FlatType type, Expr start,
                Expr active, Expr value)
{
    int var = clocks_aux(c, what, type, FV_DISCRETE, start, EXPR_NONE);
    clocks_add_eqn(c, clocks_leaf(c, var),
                   expr_if(c->dag, active, value, clocks_pre(c, var)));
    return var;
}

/* ---- clocks ---- */

static Expr edge(Clocks *c, int var)
{
    Dag *d = c->dag;
    return expr_binary(d, EX_AND, clocks_leaf(c, var),
                       expr_unary(d, EX_NOT, clocks_pre(c, var)));
}

static int same_tick(Clocks *c, int base, int64_t every, int64_t first)
{
    for (int i = 0; i < c->tick.n; i++) {
        const Tick *t = &c->tick.at[i];
        if (t->base == base && t->every == every && t->first == first)
            return i;
    }
    return NONE;
}

static int add_tick(Clocks *c, int base, int64_t every, int64_t first,
                    Expr active, int var)
{
    Tick t = {.base = base,
              .every = every,
              .first = first,
              .active = active,
              .var = var,
              .ticked = NONE,
              .last = NONE,
              .interval = EXPR_NONE};
    vec_push(c->local, &c->tick, t);
    return c->tick.n - 1;
}

/* Clock(counter, resolution) with a counter that changes: the next tick is
 * known at the last one (16.3). Counters are summed up, which is exact, and not
 * times. */
static void scheduled(Clocks *c, const Definition *d)
{
    Dag *g = c->dag;
    int next =
        clocks_aux(c, "next", FT_REAL, FV_DISCRETE, expr_real(g, 0), EXPR_NONE);
    Expr due = expr_div(g, clocks_pre(c, next), expr_arg(g, d->b, 1));
    int b = clocks_aux(c, "clock", FT_BOOLEAN, FV_DISCRETE, expr_bool(g, false),
                       expr_binary(g, EX_GE, expr_time(g), due));
    Expr ticks = edge(c, b);
    add_tick(c, c->timing[clocks_find(c, d->node)].base, 1, 0, ticks, NONE);
    Expr count = clocks_rewrite(c, expr_arg(g, d->b, 0), d->node);
    clocks_add_eqn(c, clocks_leaf(c, next),
                   expr_if(g, ticks, expr_add(g, clocks_pre(c, next), count),
                           clocks_pre(c, next)));
}

static int base_tick(Clocks *c, int base)
{
    int k = same_tick(c, base, 1, 0);
    if (k != NONE)
        return k;
    const BaseClock *b = &c->base.at[base];
    const Definition *d = &c->definition.at[b->definition];
    Dag *g = c->dag;
    c->span = d->span;
    if (b->is_event && d->kind == EC_COUNT) {
        scheduled(c, d);
        return same_tick(c, base, 1, 0);
    }
    Expr now = b->is_event ? clocks_rewrite(c, d->a, c->continuous)
                           : expr_binary(g, EX_SAMPLE, expr_real(g, 0),
                                         expr_real(g, b->tick));
    int var = clocks_aux(c, "clock", FT_BOOLEAN, FV_DISCRETE,
                         expr_bool(g, false), now);
    if (b->is_event) {
        var = clocks_aux(c, "risen", FT_BOOLEAN, FV_DISCRETE,
                         expr_bool(g, false), clocks_pre(c, var));
        return add_tick(c, base, 1, 0, edge(c, var), NONE);
    }
    int tick = clocks_aux(c, "tick", FT_BOOLEAN, FV_DISCRETE,
                          expr_bool(g, false), edge(c, var));
    return add_tick(c, base, 1, 0, clocks_leaf(c, tick), tick);
}

static int sub_tick(Clocks *c, int base, int64_t every, int64_t first)
{
    int k = same_tick(c, base, every, first);
    if (k != NONE)
        return k;
    int all = base_tick(c, base);
    Expr ticks = c->tick.at[all].active;
    Dag *g = c->dag;
    Expr zero = expr_int(g, 0);
    int count = clocks_aux(c, "count", FT_INTEGER, FV_DISCRETE,
                           expr_int(g, (double)first), EXPR_NONE);
    Expr before = clocks_pre(c, count);
    Expr is_zero = expr_binary(g, EX_EQ, before, zero);
    Expr next = expr_if(g, is_zero, expr_int(g, (double)(every - 1)),
                        expr_sub(g, before, expr_int(g, 1)));
    clocks_add_eqn(c, clocks_leaf(c, count), expr_if(g, ticks, next, before));
    int var =
        clocks_aux(c, "tick", FT_BOOLEAN, FV_DISCRETE, expr_bool(g, false),
                   expr_binary(g, EX_AND, ticks, is_zero));
    return add_tick(c, base, every, first, clocks_leaf(c, var), var);
}

static Tick *tick_of(Clocks *c, int node)
{
    int k = clocks_find(c, node);
    Rewrite *r = &c->rewrite[k];
    if (r->tick == NONE) {
        const Timing *t = &c->timing[k];
        Span span = c->span;
        c->span = c->node.at[k].span;
        r->tick = t->every == 1 && t->first == 0
                      ? base_tick(c, t->base)
                      : sub_tick(c, t->base, t->every, t->first);
        c->span = span;
    }
    return &c->tick.at[r->tick];
}

const Tick *clocks_tick(Clocks *c, int node)
{
    return tick_of(c, node);
}

Expr clocks_first(Clocks *c, int node)
{
    Tick *t = tick_of(c, node);
    if (t->ticked == NONE)
        t->ticked = kept(c, "ticked", FT_BOOLEAN, expr_bool(c->dag, false),
                         t->active, expr_bool(c->dag, true));
    return expr_unary(c->dag, EX_NOT, clocks_pre(c, t->ticked));
}

Expr clocks_interval(Clocks *c, int node)
{
    Tick *t = tick_of(c, node);
    Dag *g = c->dag;
    const BaseClock *b = &c->base.at[t->base];
    if (!b->is_event)
        return expr_real(g, b->tick * (double)t->every);
    if (t->interval != EXPR_NONE)
        return t->interval;
    t->last =
        kept(c, "last", FT_REAL, expr_real(g, 0), t->active, expr_time(g));
    Expr since = expr_sub(g, expr_time(g), clocks_pre(c, t->last));
    Expr first = clocks_first(c, node);
    return tick_of(c, node)->interval =
               expr_if(g, first, expr_real(g, b->interval), since);
}
