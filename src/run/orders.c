/* orders.c - what a tick does besides its step: orders, scenarios. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "run/march_internal.h"

/* ---- parameters ---- */

void loop_note_parameters(March *a)
{
    Control *c = a->o->control;
    for (int i = 0; c && i < c->n; i++) {
        double x = 0;
        run_get(a->m, &c->parameter[i].number, 1, &x);
        atomic_store_explicit(&c->value[i], x, memory_order_relaxed);
    }
}

/* What depends on parameters alone is computed anew. */
static void change(March *a, int index, double value)
{
    Control *c = a->o->control;
    if (run_set(a->m, c->parameter[index].number, value) != 0)
        return;
    run_update(a->m, c->parameter[index].number);
    c->is_changed[index] = true;
    atomic_store_explicit(&c->value[index], value, memory_order_relaxed);
    a->r->changes++;
}

/* ---- orders ---- */

static void rewind_scenario(Scenario *s)
{
    s->next = s->first = 0;
    for (int i = 0; i < s->n; i++)
        s->step[i].looked = 0;
}

/* To the start, with the parameters as they are now; the clock begins anew. */
static bool reset(March *a)
{
    Control *c = a->o->control;
    loop_set_defaults(a->m);
    for (int i = 0; i < c->n; i++)
        if (c->is_changed[i])
            run_set(a->m, c->parameter[i].number, atomic_load(&c->value[i]));
    a->r->resets++;
    a->k = 0;
    a->since = NONE;
    if (a->o->scenario)
        rewind_scenario(a->o->scenario);
    bool is_started = loop_start(a);
    a->ticks.begin = clock_now();
    a->tick = 0;
    a->due = a->ticks.begin;
    return is_started;
}

static bool obey(March *a, const ControlOrder *o)
{
    switch (o->kind) {
    case CONTROL_PAUSE:
        a->is_paused = true;
        a->allowed = 0;
        return true;
    case CONTROL_RESUME: a->is_paused = false; return true;
    case CONTROL_STEP:
        a->is_paused = true;
        a->allowed += o->count;
        return true;
    case CONTROL_RESET: return reset(a);
    case CONTROL_SET: change(a, o->index, o->value); return true;
    case CONTROL_STOP: a->r->end = RUN_ORDERED; return false;
    }
    return true;
}

bool loop_obey(March *a)
{
    Control *c = a->o->control;
    ControlOrder o;
    for (int i = 0; c && i < CONTROL_MOST_TICK && control_take(c, &o); i++)
        if (!obey(a, &o))
            return false;
    if (c)
        atomic_store_explicit(&c->paused, a->is_paused, memory_order_relaxed);
    return true;
}

/* ---- scenarios ---- */

/* Times of steps are products, those of a scenario are as written. */
static double slack(const March *a)
{
    return 1e-6 * a->o->step;
}

void loop_play(March *a)
{
    Scenario *s = a->o->scenario;
    double now = loop_time(a, a->k) + slack(a);
    for (; s && s->next < s->n && s->step[s->next].from <= now; s->next++) {
        const ScenarioStep *e = &s->step[s->next];
        if (e->kind == SCENARIO_SET)
            change(a, e->index, e->value);
        else if (e->kind == SCENARIO_INPUT)
            run_set(a->m, e->number, e->value);
    }
}

static void look_at(March *a, ScenarioStep *e, double now)
{
    double x = NAN;
    run_get(a->m, &e->number, 1, &x);
    double distance = fabs(x - e->value);
    if (isnan(distance))
        distance = INFINITY;
    if (e->looked++ == 0 || distance > e->worst) {
        e->worst = distance;
        e->seen = x;
        e->when = now;
    }
}

void loop_look(March *a)
{
    Scenario *s = a->o->scenario;
    double now = loop_time(a, a->k), early = now + slack(a);
    if (!s)
        return;
    for (int i = s->first; i < s->n && s->step[i].from <= early; i++) {
        ScenarioStep *e = &s->step[i];
        bool over = e->kind != SCENARIO_EXPECT ||
                    (e->looked > 0 && e->to < now - slack(a));
        if (over && i == s->first)
            s->first++;
        if (!over)
            look_at(a, e, now);
    }
}
