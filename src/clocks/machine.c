/* machine.c - state machines (chapter 17).
 *
 * Blocks that transitions tie together are the states of a machine. Its data
 * are discrete variables of the new model; m.reset is firstTick() for a machine
 * that stands in no state, and else whether the state around it starts anew:
 *
 *   selected = if m.reset then 1 else previous(next)
 *   fired    = the transition of highest priority that leaves `selected` and
 *              whose condition holds, or held at the last tick (delayed), or 0
 *   next     = if m.reset then 1 elseif fired > 0 then its target else selected
 *
 * A state starts anew (reset) when a transition with reset = true leads to it,
 * and once, when it is active again, after its machine started anew. While a
 * machine is not active all of this stays as it is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "clocks/clocks_internal.h"

/* ---- structure ---- */

int clocks_state(const Clocks *c, int component)
{
    return c->state_of ? c->state_of[component] : NONE;
}

static int add_state(Clocks *c, int component, Span span)
{
    for (int i = 0; i < c->state.n; i++)
        if (c->state.at[i].component == component)
            return i;
    State s = {.component = component,
               .machine = NONE,
               .active = NONE,
               .reset = NONE,
               .entered = NONE,
               .ticks = NONE,
               .since = NONE,
               .is_final = true,
               .span = span};
    vec_push(c->local, &c->state, s);
    return c->state.n - 1;
}

static void failed(Clocks *c, Span span, const char *what, int component)
{
    diag_report(c->diag, span, DIAG_E1907, what,
                flat_component_path(c->in, component, c->local));
    c->failed = true;
}

/* Machines are numbered by their initial states; transitions spread them. */
static void spread(Clocks *c)
{
    const Flat *f = c->in;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < f->ntransition; i++) {
            const FlatTransition *t = &f->transition[i];
            int from = add_state(c, t->from, t->span);
            int to = add_state(c, t->to, t->span);
            State *a = &c->state.at[from], *b = &c->state.at[to];
            if (a->machine == b->machine)
                continue;
            if (a->machine != NONE && b->machine != NONE) {
                failed(c, t->span,
                       "a second initial state in the state machine of '%s'",
                       t->to);
                return;
            }
            int m = a->machine == NONE ? b->machine : a->machine;
            a->machine = b->machine = m;
            changed = true;
        }
    }
}

static void collect_states(Clocks *c)
{
    const Flat *f = c->in;
    for (int i = 0; i < f->ninitial_state; i++) {
        const FlatInitialState *s = &f->initial_state[i];
        int k = add_state(c, s->state, s->span);
        State *st = &c->state.at[k];
        if (st->machine != NONE)
            continue;
        Machine m = {.next = NONE, .fired = NONE, .span = s->span};
        st->machine = c->machine.n;
        vec_push(c->local, &c->machine, m);
    }
    for (int i = 0; i < f->ntransition; i++) {
        add_state(c, f->transition[i].to, f->transition[i].span);
        int k = add_state(c, f->transition[i].from, f->transition[i].span);
        c->state.at[k].is_final = false;
    }
    spread(c);
    for (int i = 0; i < c->state.n && !c->failed; i++) {
        State *s = &c->state.at[i];
        if (s->machine == NONE)
            failed(c, s->span,
                   "the state machine of '%s' has no initialState()",
                   s->component);
        else
            s->number = ++c->machine.at[s->machine].nstate;
    }
}

/* The innermost state around each component: parents come before children. */
static void nest(Clocks *c)
{
    const Flat *f = c->in;
    c->state_of = NEW_ARRAY(c->local, int, f->ncomponent + 1);
    for (int i = 0; i < f->ncomponent; i++) {
        int up = f->component[i].parent;
        c->state_of[i] = up == NONE ? NONE : c->state_of[up];
        for (int s = 0; s < c->state.n; s++)
            if (c->state.at[s].component == i)
                c->state_of[i] = s;
    }
    for (int s = 0; s < c->state.n; s++) {
        const State *st = &c->state.at[s];
        int up = f->component[st->component].parent;
        c->machine.at[st->machine].parent = up == NONE ? NONE : c->state_of[up];
    }
}

static bool has_same_priority(Clocks *c, const Machine *m, int i, int k)
{
    const FlatTransition *a = &c->in->transition[m->transition[i]],
                         *b = &c->in->transition[m->transition[k]];
    if (a->from != b->from || a->priority != b->priority)
        return false;
    diag_report(c->diag, b->span, DIAG_E1907,
                "two transitions from '%s' have the priority %d",
                flat_component_path(c->in, b->from, c->local), b->priority);
    diag_note(c->diag, a->span, "the other is here");
    c->failed = true;
    return true;
}

static void sort_transitions(Clocks *c, int machine)
{
    const Flat *f = c->in;
    Machine *m = &c->machine.at[machine];
    m->transition = NEW_ARRAY(c->local, int, f->ntransition + 1);
    for (int i = 0; i < f->ntransition; i++) {
        if (c->state.at[c->state_of[f->transition[i].from]].machine != machine)
            continue;
        int k = m->ntransition++;
        for (; k > 0 && f->transition[m->transition[k - 1]].priority <
                            f->transition[i].priority;
             k--)
            m->transition[k] = m->transition[k - 1];
        m->transition[k] = i;
    }
    for (int i = 0; i < m->ntransition; i++)
        for (int k = 0; k < i; k++)
            if (has_same_priority(c, m, i, k))
                return;
}

bool clocks_machines(Clocks *c)
{
    if (!c->in->ntransition && !c->in->ninitial_state)
        return true;
    collect_states(c);
    if (!c->failed)
        nest(c);
    for (int i = 0; i < c->machine.n && !c->failed; i++)
        sort_transitions(c, i);
    return !c->failed;
}

/* ---- questions ---- */

static int around(const Clocks *c, int state)
{
    return c->machine.at[c->state.at[state].machine].parent;
}

bool clocks_is_inside(const Clocks *c, int a, int b)
{
    while (a != NONE && a != b)
        a = around(c, a);
    return a == b;
}

bool clocks_exclude(const Clocks *c, int a, int b)
{
    for (int x = a; x != NONE; x = around(c, x))
        for (int y = b; y != NONE; y = around(c, y))
            if (x != y && c->state.at[x].machine == c->state.at[y].machine)
                return true;
    return false;
}

/* ---- small words ---- */

static Expr both(Clocks *c, Expr a, Expr b)
{
    return expr_binary(c->dag, EX_AND, a, b);
}

static Expr either(Clocks *c, Expr a, Expr b)
{
    return expr_binary(c->dag, EX_OR, a, b);
}

static Expr equals(Clocks *c, Expr a, int n)
{
    return expr_binary(c->dag, EX_EQ, a, expr_int(c->dag, n));
}

static Expr is_some(Clocks *c, Expr number)
{
    return expr_binary(c->dag, EX_GT, number, expr_int(c->dag, 0));
}

static int new_var(Clocks *c, const char *what, FlatType type, int start)
{
    Expr s = type == FT_BOOLEAN ? expr_bool(c->dag, start != 0)
                                : expr_int(c->dag, start);
    return clocks_aux(c, what, type, FV_DISCRETE, s, EXPR_NONE);
}

/* var = if condition then value else pre(var) */
static void keep(Clocks *c, int var, Expr condition, Expr value)
{
    clocks_add_eqn(c, clocks_leaf(c, var),
                   expr_if(c->dag, condition, value, clocks_pre(c, var)));
}

Expr clocks_active(const Clocks *c, int state)
{
    return expr_var(c->dag, c->state.at[state].active, 0, ET_BOOLEAN);
}

Expr clocks_when(Clocks *c, int node, int state)
{
    Expr tick = clocks_tick(c, node)->active;
    return state == NONE ? tick : both(c, tick, clocks_active(c, state));
}

static Expr start_of(Clocks *c, int var)
{
    const FlatVar *v = &c->out->var[var];
    if (v->start != EXPR_NONE)
        return v->start;
    return v->type == FT_BOOLEAN ? expr_bool(c->dag, false)
           : v->type == FT_REAL  ? expr_real(c->dag, 0)
                                 : expr_int(c->dag, v->type == FT_ENUM);
}

Expr clocks_previous(Clocks *c, int var)
{
    Expr before = clocks_pre(c, var);
    int s = clocks_state(c, c->out->var[var].component);
    if (s == NONE)
        return before;
    Expr reset = clocks_leaf(c, c->state.at[s].reset);
    return expr_if(c->dag, reset, start_of(c, var), before);
}

/* ---- a machine ---- */

/* What its equations ask of what is around it, at a tick. */
typedef struct Around {
    Expr tick;   /* its clock ticks */
    Expr active; /* and it is active */
    Expr reset;  /* and it starts anew */
} Around;

static Around around_machine(Clocks *c, const Machine *m)
{
    Around a = {.tick = clocks_tick(c, m->node)->active};
    a.active = m->parent == NONE ? a.tick
                                 : both(c, a.tick, clocks_active(c, m->parent));
    a.reset = m->parent == NONE ? both(c, a.tick, clocks_first(c, m->node))
                                : clocks_leaf(c, c->state.at[m->parent].reset);
    return a;
}

/* Have all machines of the state come to an end? For an immediate transition:
 * at the last tick. */
static Expr at_end(Clocks *c, int state, bool immediate)
{
    Expr all = expr_bool(c->dag, true);
    for (int i = 0; i < c->machine.n; i++) {
        const Machine *m = &c->machine.at[i];
        if (m->parent != state)
            continue;
        Expr now = immediate ? clocks_pre(c, m->next) : clocks_leaf(c, m->next);
        Expr end = expr_bool(c->dag, false);
        for (int s = 0; s < c->state.n; s++)
            if (c->state.at[s].machine == i && c->state.at[s].is_final)
                end = either(c, end, equals(c, now, c->state.at[s].number));
        all = both(c, all, end);
    }
    return all;
}

static Expr condition_of(Clocks *c, const FlatTransition *t, int node)
{
    Expr e = clocks_rewrite(c, t->condition, node);
    Expr *event;
    if (expr_events(c->dag, &e, 1, &event, c->local))
        e = expr_unary(c->dag, EX_NOEVENT, e);
    return t->synchronize
               ? both(c, e, at_end(c, c->state_of[t->from], t->immediate))
               : e;
}

/* The last transition of this kind that leaves `state` and whose condition
 * holds, or 0. */
static Expr choose(Clocks *c, const Machine *m, Expr state, bool immediate)
{
    Expr r = expr_int(c->dag, 0);
    for (int i = 0; i < m->ntransition; i++) {
        const FlatTransition *t = &c->in->transition[m->transition[i]];
        if (t->immediate != immediate)
            continue;
        int from = c->state.at[c->state_of[t->from]].number;
        Expr holds =
            both(c, equals(c, state, from), condition_of(c, t, m->node));
        r = expr_if(c->dag, holds, expr_int(c->dag, i + 1), r);
    }
    return r;
}

static Expr target(Clocks *c, const Machine *m, Expr otherwise)
{
    Expr r = otherwise, fired = clocks_leaf(c, m->fired);
    for (int i = 0; i < m->ntransition; i++) {
        const FlatTransition *t = &c->in->transition[m->transition[i]];
        int to = c->state.at[c->state_of[t->to]].number;
        r = expr_if(c->dag, equals(c, fired, i + 1), expr_int(c->dag, to), r);
    }
    return r;
}

/* Does the transition that fired start its target anew? */
static Expr starts_anew(Clocks *c, const Machine *m)
{
    Expr r = expr_bool(c->dag, false), fired = clocks_leaf(c, m->fired);
    for (int i = 0; i < m->ntransition; i++)
        if (c->in->transition[m->transition[i]].reset)
            r = either(c, r, equals(c, fired, i + 1));
    return r;
}

static void step_machine(Clocks *c, Machine *m, const Around *a)
{
    Dag *d = c->dag;
    Expr one = expr_int(d, 1), zero = expr_int(d, 0);
    int delayed = new_var(c, "delayed", FT_INTEGER, 0);
    Expr selected = expr_if(d, a->reset, one, clocks_pre(c, m->next));
    Expr at_once = choose(c, m, selected, true),
         before = clocks_pre(c, delayed);
    Expr higher =
        expr_if(d, expr_binary(d, EX_GT, before, at_once), before, at_once);
    Expr fires = both(c, a->active, expr_unary(d, EX_NOT, a->reset));
    clocks_add_eqn(c, clocks_leaf(c, m->fired),
                   expr_if(d, fires, higher, zero));
    keep(c, m->next, a->active,
         expr_if(d, a->reset, one, target(c, m, selected)));
    keep(c, delayed, a->active, choose(c, m, clocks_leaf(c, m->next), false));
}

static void step_state(Clocks *c, const Machine *m, const State *s,
                       const Around *a)
{
    Dag *d = c->dag;
    int pending = new_var(c, "pending", FT_BOOLEAN, 0);
    Expr mine = equals(c, clocks_leaf(c, m->next), s->number);
    Expr anew = either(c, a->reset, clocks_pre(c, pending));
    keep(c, s->active, a->tick, both(c, a->active, mine));
    keep(c, pending, a->active, both(c, expr_unary(d, EX_NOT, mine), anew));
    clocks_add_eqn(
        c, clocks_leaf(c, s->reset),
        both(c, both(c, a->active, mine), either(c, anew, starts_anew(c, m))));
}

static void declare(Clocks *c)
{
    for (int i = 0; i < c->machine.n; i++) {
        Machine *m = &c->machine.at[i];
        c->span = m->span;
        m->next = new_var(c, "state", FT_INTEGER, 1);
        m->fired = new_var(c, "fired", FT_INTEGER, 0);
    }
    for (int i = 0; i < c->state.n; i++) {
        State *s = &c->state.at[i];
        c->span = s->span;
        s->active = new_var(c, "active", FT_BOOLEAN, 0);
        s->reset = new_var(c, "reset", FT_BOOLEAN, 0);
    }
}

void clocks_run_machines(Clocks *c)
{
    declare(c);
    for (int i = 0; i < c->machine.n && !c->failed; i++) {
        Machine *m = &c->machine.at[i];
        c->span = m->span;
        Around a = around_machine(c, m);
        step_machine(c, m, &a);
        for (int s = 0; s < c->state.n; s++)
            if (c->state.at[s].machine == i)
                step_state(c, m, &c->state.at[s], &a);
    }
}

/* ---- operators ---- */

/* Did the state become active at this tick: by a transition of its machine or
 * of one around it, which may lead back to it? */
static Expr entered(Clocks *c, int state)
{
    if (c->state.at[state].entered != NONE)
        return clocks_leaf(c, c->state.at[state].entered);
    int var = new_var(c, "entered", FT_BOOLEAN, 0);
    c->state.at[state].entered = var;
    const State *s = &c->state.at[state];
    const Machine *m = &c->machine.at[s->machine];
    Around a = around_machine(c, m);
    Expr was = expr_unary(c->dag, EX_PRE, clocks_active(c, state));
    Expr anew =
        either(c, expr_unary(c->dag, EX_NOT, was),
               either(c, a.reset, is_some(c, clocks_leaf(c, m->fired))));
    if (m->parent != NONE)
        anew = either(c, anew, entered(c, m->parent));
    Expr now = both(c, a.tick, clocks_active(c, state));
    clocks_add_eqn(c, clocks_leaf(c, var), both(c, now, anew));
    return clocks_leaf(c, var);
}

static Expr ticks_in(Clocks *c, int state)
{
    if (c->state.at[state].ticks == NONE) {
        int var = new_var(c, "ticks", FT_INTEGER, 0);
        c->state.at[state].ticks = var;
        const Machine *m = &c->machine.at[c->state.at[state].machine];
        Expr now =
            both(c, clocks_tick(c, m->node)->active, clocks_active(c, state));
        Expr one = expr_int(c->dag, 1);
        keep(c, var, now,
             expr_if(c->dag, entered(c, state), one,
                     expr_add(c->dag, clocks_pre(c, var), one)));
    }
    return clocks_leaf(c, c->state.at[state].ticks);
}

static Expr time_in(Clocks *c, int state)
{
    if (c->state.at[state].since == NONE) {
        int var = clocks_aux(c, "since", FT_REAL, FV_DISCRETE,
                             expr_real(c->dag, 0), EXPR_NONE);
        c->state.at[state].since = var;
        keep(c, var, entered(c, state), expr_time(c->dag));
    }
    return expr_sub(c->dag, expr_time(c->dag),
                    clocks_leaf(c, c->state.at[state].since));
}

Expr clocks_state_operator(Clocks *c, Expr op)
{
    double component = 0;
    int kind = expr_clocked_kind(c->dag, op);
    expr_is_const(c->dag, expr_arg(c->dag, op, 2), &component);
    int s = clocks_state(c, (int)component);
    bool is_state = s != NONE && (kind != EC_ACTIVE ||
                                  c->state.at[s].component == (int)component);
    if (!is_state) {
        failed(c, c->span,
               kind == EC_ACTIVE  ? "'%s' is not a state of a state machine"
               : kind == EC_TICKS ? "ticksInState() stands in no state%.0s"
                                  : "timeInState() stands in no state%.0s",
               (int)component);
        return expr_arg(c->dag, op, 1);
    }
    return kind == EC_ACTIVE  ? clocks_active(c, s)
           : kind == EC_TICKS ? ticks_in(c, s)
                              : time_in(c, s);
}
