/* catch_up.c - states catch up on what a late event has cost them.
 *
 * A relation that changes within a step is seen at its end. Between the ends
 * lhs - rhs is taken to be a line; the part p of the step lies after the place
 * where it is 0. In this part the states went on as before, where they should
 * have followed the slopes after the event. The next step begins from
 *
 *     old(x) + p (J + K)    J = h (x'_after - x'_before)
 *                           K = h x'_before - (x_{n+1} - x_n), |K| <= |J|
 *
 * J is what the jump of the slope makes of p h; with K the way back is that
 * which was gone, along the chord: a mass that came to rest, and was carried
 * over it by the late event, then is at rest. Slopes that do not jump have
 * nothing to catch up on, however bent they are. pre(x) of a continuous
 * variable is that of the crossing, so that an impact reverses the speed with
 * which the wall was met; a state that reinit() has set begins anew there, with
 * p h x'_after. Implicit methods damp the difference as they damp everything
 * stiff: it is added to the old value, not to where an iteration begins. A
 * relation that changed in the step before too (chattering, sliding) is left
 * alone.
 *
 *   catch-up.begin  before a step: adds what is due
 *   catch-up.end    after its solution, before events
 *   catch-up.after  after events: what the next step will add
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/lower_internal.h"

static const double LIMIT = 1e300, EVEN = 1e-6;

typedef struct Late { /* a relation; slots */
    int relation, frozen;
    int first, last; /* lhs - rhs as the step begins and ends */
    int before, was; /* its value before events; did it change last time? */
} Late;

typedef struct Behind { /* a state; slots */
    int x, old, slope;
    int first, last, due;
    int before; /* its slope before events */
} Behind;

typedef struct Left { /* a continuous variable whose pre() is read; slots */
    int x, pre, first;
} Left;

typedef struct CatchUp {
    Low *l;
    Left *left;
    int nleft;
    Late *late;
    int nlate;
    Behind *state;
    int nstate;
} CatchUp;

static int emit(const CatchUp *c, int op, int a, int b)
{
    return tape_emit(c->l->tape, op, NONE, a, b, NONE);
}

static int choose(const CatchUp *c, int condition, int a, int b)
{
    return tape_emit(c->l->tape, EX_IF, NONE, condition, a, b);
}

static int number(const CatchUp *c, double x)
{
    return tape_const(c->l->tape, x);
}

static void move(const CatchUp *c, int to, int from)
{
    tape_emit(c->l->tape, TAPE_COPY, to, from, NONE, NONE);
}

static bool is_comparison(ExprOp op)
{
    return op == EX_LT || op == EX_LE || op == EX_GT || op == EX_GE;
}

static int kept(const CatchUp *c, TapeRegion region)
{
    return tape_slot(c->l->tape, region, NULL, 0);
}

static void find_relations(CatchUp *c)
{
    const Inlined *d = c->l->d;
    c->late = NEW_ARRAY(c->l->local, Late, d->nrelation + 1);
    for (int i = 0; i < d->nrelation; i++) {
        int frozen = c->l->out->slot[d->relation[i].var];
        if (frozen == NONE || d->relation[i].is_of_time ||
            !is_comparison(expr_op(c->l->dag, d->relation[i].now)))
            continue;
        c->late[c->nlate++] = (Late){i,
                                     frozen,
                                     kept(c, TR_CARRY),
                                     kept(c, TR_VALUE),
                                     kept(c, TR_VALUE),
                                     kept(c, TR_CARRY)};
    }
}

/* Not those of sets: they may be others after the event. */
static void find_states(CatchUp *c)
{
    const Inlined *d = c->l->d;
    const int *slot = c->l->out->slot;
    c->state = NEW_ARRAY(c->l->local, Behind, d->dae->nstate + 1);
    for (int k = 0; k < d->dae->nstate; k++) {
        const DaeState *s = &d->dae->state[k];
        int x = inlined_find(d, s->var, s->order);
        int slope = inlined_find(d, s->var, s->order + 1);
        int old = inlined_find_old(d, s->var, s->order, 1);
        if (x == NONE || slope == NONE || old == NONE || slot[x] == NONE ||
            slot[slope] == NONE || slot[old] == NONE || s->set != NONE)
            continue;
        c->state[c->nstate++] = (Behind){.x = slot[x],
                                         .old = slot[old],
                                         .slope = slot[slope],
                                         .first = kept(c, TR_VALUE),
                                         .last = kept(c, TR_VALUE),
                                         .due = kept(c, TR_CARRY),
                                         .before = kept(c, TR_VALUE)};
    }
}

static void find_left(CatchUp *c)
{
    const Inlined *d = c->l->d;
    const Lowered *out = c->l->out;
    c->left = NEW_ARRAY(c->l->local, Left, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        int x = i, pre = out->pre[i];
        if (v->kind == IV_OLD && v->back == 1 && v->sys_var != NONE) {
            x = inlined_find(d, v->sys_var, v->order);
            pre = out->slot[i];
        }
        if (pre == NONE || x == NONE || out->slot[x] == NONE ||
            d->var[x].kind != IV_VALUE || d->var[x].is_discrete)
            continue;
        c->left[c->nleft++] = (Left){out->slot[x], pre, kept(c, TR_CARRY)};
    }
}

static void lower_distances(const CatchUp *c, bool is_end)
{
    Low *l = c->l;
    for (int i = 0; i < c->nlate; i++) {
        const InlinedRelation *r = &l->d->relation[c->late[i].relation];
        lower_from(l, TO_RELATION, c->late[i].relation, r->var, NO_SPAN);
        int lhs = lower_expr(l, expr_arg(l->dag, r->now, 0));
        int rhs = lower_expr(l, expr_arg(l->dag, r->now, 1));
        tape_emit(l->tape, EX_SUB, is_end ? c->late[i].last : c->late[i].first,
                  lhs, rhs, NONE);
    }
}

static void lower_begin_step(CatchUp *c)
{
    lower_begin(c->l, "catch-up.begin");
    lower_from(c->l, TO_STEP, NONE, NONE, NO_SPAN);
    for (int k = 0; k < c->nstate; k++) {
        const Behind *s = &c->state[k];
        move(c, s->first, s->x);
        tape_emit(c->l->tape, EX_ADD, s->old, s->old, s->due, NONE);
    }
    c->l->out->catch_up.begin = lower_end(c->l);
}

/* Were both sides equal, up to rounding, as the step began? A band may have
 * held the relation there. */
static int began_even(const CatchUp *c, const Late *r)
{
    int near = emit(c, EX_MUL, number(c, EVEN), emit(c, EX_ABS, r->last, NONE));
    return emit(c, EX_LE, emit(c, EX_ABS, r->first, NONE), near);
}

/* The part of the step after the first relation that crossed, of those that
 * have changed or, before events, will: a slot. */
static int part_after(const CatchUp *c, bool is_end)
{
    int zero = number(c, 0), part = zero;
    for (int i = 0; i < c->nlate; i++) {
        const Late *r = &c->late[i];
        int due = emit(c, EX_LT, emit(c, EX_MUL, r->first, r->last), zero);
        if (!is_end)
            due = emit(c, EX_OR, due, began_even(c, r));
        due = emit(c, EX_AND, due, emit(c, EX_NOT, r->was, NONE));
        if (!is_end)
            due = emit(c, EX_AND, due, emit(c, EX_NE, r->before, r->frozen));
        int way = emit(c, EX_SUB, r->last, r->first);
        int here = emit(c, EX_DIV, r->last, choose(c, due, way, number(c, 1)));
        here = emit(c, EX_MIN, here, number(c, 1));
        part = emit(c, EX_MAX, part, choose(c, due, here, zero));
    }
    return part;
}

static void lower_left(const CatchUp *c)
{
    int part = part_after(c, true);
    for (int i = 0; i < c->nleft; i++) {
        const Left *v = &c->left[i];
        int went = emit(c, EX_SUB, v->x, v->first);
        int back = emit(c, EX_MUL, part, went);
        tape_emit(c->l->tape, EX_SUB, v->pre, v->x, back, NONE);
    }
}

static void lower_end_step(CatchUp *c)
{
    lower_begin(c->l, "catch-up.end");
    lower_distances(c, true);
    lower_from(c->l, TO_STEP, NONE, NONE, NO_SPAN);
    if (c->nleft > 0)
        lower_left(c);
    for (int i = 0; i < c->nlate; i++)
        move(c, c->late[i].before, c->late[i].frozen);
    for (int k = 0; k < c->nstate; k++) {
        move(c, c->state[k].last, c->state[k].x);
        move(c, c->state[k].before, c->state[k].slope);
    }
    c->l->out->catch_up.end = lower_end(c->l);
}

/* J + K of a state, or what follows from reinit(): a slot. */
static int missed(const CatchUp *c, const Behind *s)
{
    int h = c->l->tape->step;
    int begun = emit(c, EX_NE, s->x, s->last);
    int anew = emit(c, EX_MUL, h, s->slope);
    int jump = emit(c, EX_MUL, h, emit(c, EX_SUB, s->slope, s->before));
    int went = emit(c, EX_SUB, s->last, s->first);
    int bend = emit(c, EX_SUB, emit(c, EX_MUL, h, s->before), went);
    int most = emit(c, EX_ABS, jump, NONE);
    int least = emit(c, EX_NEG, most, NONE);
    bend = emit(c, EX_MAX, least, emit(c, EX_MIN, most, bend));
    return choose(c, begun, anew, emit(c, EX_ADD, jump, bend));
}

/* What the next step begins with. */
static void remember(const CatchUp *c)
{
    for (int i = 0; i < c->nleft; i++)
        move(c, c->left[i].first, c->left[i].x);
    lower_distances(c, false);
}

static void lower_after_events(CatchUp *c)
{
    Tape *t = c->l->tape;
    lower_begin(c->l, "catch-up.after");
    lower_from(c->l, TO_STEP, NONE, NONE, NO_SPAN);
    int part = part_after(c, false), zero = number(c, 0);
    int any = emit(c, EX_LT, zero, part);
    for (int i = 0; i < c->nlate; i++)
        tape_emit(t, EX_NE, c->late[i].was, c->late[i].before,
                  c->late[i].frozen, NONE);
    for (int k = 0; k < c->nstate; k++) {
        const Behind *s = &c->state[k];
        int due = emit(c, EX_MUL, part, missed(c, s));
        int size = emit(c, EX_ABS, due, NONE);
        int fine = emit(c, EX_LT, size, number(c, LIMIT));
        fine = emit(c, EX_AND, fine, any);
        tape_emit(t, EX_IF, s->due, fine, due, zero);
    }
    remember(c);
    c->l->out->catch_up.after = lower_end(c->l);
}

/* At the start nothing is due. */
static void lower_start(CatchUp *c)
{
    lower_begin(c->l, "catch-up.start");
    lower_from(c->l, TO_STEP, NONE, NONE, NO_SPAN);
    for (int i = 0; i < c->nlate; i++)
        move(c, c->late[i].was, number(c, 0));
    for (int k = 0; k < c->nstate; k++)
        move(c, c->state[k].due, number(c, 0));
    remember(c);
    c->l->out->catch_up.start = lower_end(c->l);
}

void lower_catch_up(Low *l)
{
    const Inlined *d = l->d;
    CatchUp c = {.l = l};
    if (d->plan->late != PL_CATCH_UP || !d->dae || d->event == NONE)
        return;
    find_relations(&c);
    find_states(&c);
    find_left(&c);
    if (c.nlate == 0 || c.nstate == 0)
        return;
    lower_begin_step(&c);
    lower_end_step(&c);
    lower_after_events(&c);
    lower_start(&c);
    l->out->catch_up.is_there = true;
}
