/* guards.c - assertions that fail between two points of a run.
 *
 * An assertion holds at both ends of a step, and a crest between them has
 * broken it. The comparisons in its condition are looked at as relations are
 * (within.c): the sides of one that has the same sign at both ends are a
 * parabola through the last three points; where its vertex is beyond equality,
 * or near, the step is searched. There the condition itself is evaluated.
 *
 * Points within a step are no more exact than their polynomial: sides that come
 * beyond equality by less than a part of what they were apart at the ends, or
 * than the caller says of what they were apart ever, are equal.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "lower/sides.h"
#include "pulse/shape.h"
#include "sim/sim_internal.h"

enum { MOST_GUARDS = 200 };

/* Of what the sides are apart at the ends of the step. */
static const double BEYOND = 1e-3;

typedef struct SimGuards {
    Expr at[MOST_GUARDS]; /* comparisons in conditions of assertions */
    int n;
    double before[MOST_GUARDS], last[MOST_GUARDS]; /* lhs - rhs two points and
                                                      one ago; NAN: not known */
    double most[MOST_GUARDS];                      /* the largest so far */
    double inside[MOST_GUARDS][SHAPE_POINTS];      /* the same in this step */
    double time; /* of the last point, NAN: none */
    double left; /* the step before that one */
} SimGuards;

static void add_comparison(void *guards, const Dag *d, Expr e)
{
    SimGuards *g = guards;
    ExprOp op = expr_op(d, e);
    bool compares = op == EX_LT || op == EX_LE || op == EX_GT || op == EX_GE;
    if (compares && g->n < MOST_GUARDS)
        g->at[g->n++] = e;
}

static bool is_guard(const FlatAssert *a)
{
    return !a->is_warning && !a->is_integer;
}

static SimGuards *find_guards(Sim *s)
{
    const Inlined *d = s->low->inlined;
    SimGuards *g = NEW(s->arena, SimGuards);
    Expr *root = NEW_ARRAY(s->scratch, Expr, d->sys->nassertion + 1);
    int n = 0;
    bool looks = !inlined_has_effects(d);
    for (int i = 0; looks && i < d->sys->nassertion; i++)
        if (is_guard(&d->assertion[i]))
            root[n++] = d->assertion[i].condition;
    expr_walk(d->dag, root, n, add_comparison, g);
    g->time = NAN;
    return g;
}

/* The comparison, and its sign at the ends of the step. */
typedef struct Guard {
    Sim *s;
    Expr now;
    double sign;
    GuardPlace *place;
    void *context;
} Guard;

static double distance_at(const void *guard, double time)
{
    const Guard *x = guard;
    if (!x->place(x->context, time))
        return NAN;
    return x->sign * sides_distance(x->s->low, x->now, x->s->exec->r);
}

/* The assertion that comparison i breaks in the step; NONE: none. */
static int look_at(SimGuards *g, int i, const Guard *x, double from, double to,
                   double now, double least, double *time)
{
    double last = g->last[i];
    double beyond = fmax(BEYOND * fmax(fabs(last), fabs(now)), least);
    if (!shape_least(from, to, distance_at, x, time) ||
        !(distance_at(x, *time) < 0))
        return NONE;
    int broken = sim_broken_assertion(x->s);
    double a = *time, reach = 0.5 * (to - from); /* its deepest place */
    double depth = -distance_at(x, a);
    for (; depth <= beyond && reach > 1e-3 * (to - from); reach /= 2)
        for (int way = -1; way <= 1; way += 2) {
            double t = a + way * reach, deep;
            if (t > from && t < to && (deep = -distance_at(x, t)) > depth) {
                depth = deep;
                *time = t;
                broken = sim_broken_assertion(x->s);
            }
        }
    return depth > beyond ? broken : NONE;
}

bool sim_has_guards(Sim *s)
{
    if (!s->guards)
        s->guards = find_guards(s);
    return s->guards->n > 0;
}

/* All comparisons at points within the step, by few evaluations. */
static void look_inside(SimGuards *g, Sim *s, const SimGuardStep *step)
{
    for (int k = 1; k + 1 < SHAPE_POINTS; k++) {
        double part = (double)k / (SHAPE_POINTS - 1);
        bool fine = step->place(step->context,
                                step->from + part * (step->to - step->from));
        for (int i = 0; i < g->n; i++)
            g->inside[i][k] =
                fine ? sides_distance(s->low, g->at[i], s->exec->r) : NAN;
    }
}

/* Which are worth to be looked for in this step? */
static void find_worth(SimGuards *g, Sim *s, const SimGuardStep *step,
                       const double *now, bool *worth)
{
    double left = g->left / (step->to - step->from);
    bool any = false;
    for (int i = 0; i < g->n; i++) {
        worth[i] = g->last[i] * now[i] > 0 &&
                   shape_may_turn(g->before[i], g->last[i], now[i], left);
        any |= worth[i];
    }
    if (any)
        look_inside(g, s, step);
    for (int i = 0; i < g->n; i++) {
        g->inside[i][0] = g->last[i];
        g->inside[i][SHAPE_POINTS - 1] = now[i];
        worth[i] = worth[i] && shape_may_dip(g->inside[i]);
    }
}

int sim_see_guards(Sim *s, const SimGuardStep *step, double *time)
{
    SimGuards *g = s->guards;
    double now[MOST_GUARDS];
    bool worth[MOST_GUARDS];
    int broken = NONE;
    for (int i = 0; i < g->n; i++)
        now[i] = sides_distance(s->low, g->at[i], s->exec->r);
    if (g->time != step->from) { /* an event was there */
        bool fine = step->place(step->context, step->from);
        for (int i = 0; i < g->n; i++) {
            g->before[i] = NAN;
            g->last[i] =
                fine ? sides_distance(s->low, g->at[i], s->exec->r) : NAN;
        }
    }
    find_worth(g, s, step, now, worth);
    for (int i = 0; i < g->n; i++) {
        Guard x = {.s = s,
                   .now = g->at[i],
                   .sign = now[i] > 0 ? 1 : -1,
                   .place = step->place,
                   .context = step->context};
        g->most[i] = fmax(g->most[i], isfinite(now[i]) ? fabs(now[i]) : 0);
        if (broken == NONE && worth[i])
            broken = look_at(g, i, &x, step->from, step->to, now[i],
                             step->least * g->most[i], time);
        g->before[i] = g->last[i];
        g->last[i] = now[i];
    }
    g->left = step->to - step->from;
    g->time = step->to;
    return broken;
}

void sim_forget_guards(Sim *s)
{
    if (s->guards)
        s->guards->time = NAN;
}
