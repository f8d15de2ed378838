/* cheap.c - the defect of the step before, without an evaluation.
 *
 * The one iteration of a linearly implicit step begins where the step before
 * has ended. Its residuals are thus those that the step before has left over,
 * but for what has changed since: time, inputs, old values, earlier blocks
 * (SchedDrift). With that taken out, row by row,
 *
 *     r_i = G_i - sum_k dG_i/dp_k (p_k - p_k of the step before)
 *     eta_i = |r_i| / (|W_ii| w_i)
 *
 * it is the defect of defect.c, one step late and with the diagonal of the
 * matrix for its factors. It can raise doubts only: the step it speaks of is
 * gone. Nothing is said of the first step, after a relation or a discrete
 * variable of the rows has changed, or where a state is not what the step had
 * made of it (reinit, NAME_set).
 *
 * A block that iterates more than once is judged by its last correction
 * (STATUS WARNING), whatever the plan says.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/status.h"
#include "lower/lower_internal.h"

static int op1(Low *l, int op, int a)
{
    return tape_emit(l->tape, op, NONE, a, NONE, NONE);
}

static int op2(Low *l, int op, int a, int b)
{
    return tape_emit(l->tape, op, NONE, a, b, NONE);
}

static int carried(Low *l)
{
    return tape_slot(l->tape, TR_CARRY, NULL, 0);
}

static void set(Low *l, int slot, int value)
{
    tape_emit(l->tape, TAPE_COPY, slot, value, NONE, NONE);
}

/* `slot` less what it was a step ago. */
static int change_of(Low *l, int slot)
{
    int kept = carried(l);
    int change = op2(l, EX_SUB, slot, kept);
    set(l, kept, slot);
    return change;
}

/* Changes of leaves, each made once. */
typedef struct Changes {
    Vec(Expr) leaf;
    Vec(int) slot;
} Changes;

static int change_of_leaf(Low *l, Changes *c, Expr leaf)
{
    if (expr_op(l->dag, leaf) == EX_TIME)
        return l->tape->step;
    for (int i = 0; i < c->leaf.n; i++)
        if (c->leaf.at[i] == leaf)
            return c->slot.at[i];
    vec_push(l->local, &c->leaf, leaf);
    vec_push(l->local, &c->slot, change_of(l, lower_expr(l, leaf)));
    return c->slot.at[c->slot.n - 1];
}

static Expr diagonal(const SchedBlock *b, int i)
{
    for (int k = b->jac.start[i]; k < b->jac.start[i + 1]; k++)
        if (b->jac.row[k] == i)
            return b->jac.value[k];
    return EXPR_NONE;
}

/* |r_i / W_ii|; a row without a diagonal counts by its residual. */
static int left_over(Low *l, const SchedBlock *b, int i, int residual,
                     Changes *c)
{
    const SchedDrift *d = b->drift;
    int sum = residual;
    for (int k = d->start[i]; k < d->start[i + 1]; k++) {
        int change = change_of_leaf(l, c, d->leaf[k]);
        double x;
        bool is_number = expr_is_const(l->dag, d->value[k], &x);
        if (is_number && fabs(x) == 1)
            sum = op2(l, x > 0 ? EX_SUB : EX_ADD, sum, change);
        else
            sum = op2(l, EX_SUB, sum,
                      op2(l, EX_MUL, lower_expr(l, d->value[k]), change));
    }
    Expr pivot = diagonal(b, i);
    double x = 1;
    if (pivot != EXPR_NONE && !(expr_is_const(l->dag, pivot, &x) && x == 1))
        sum = op2(l, EX_DIV, sum, lower_expr(l, pivot));
    return op1(l, EX_ABS, sum);
}

/* Above 0 if relations and discrete variables are what they were. */
static int gate_of(Low *l, const SchedBlock *b)
{
    int gate = carried(l);
    int first = op1(l, TAPE_COPY, gate), sum = first;
    set(l, gate, tape_const(l->tape, 1));
    for (int k = 0; k < b->drift->njump; k++) {
        int change = change_of(l, lower_expr(l, b->drift->jump[k]));
        sum = op2(l, EX_SUB, sum, op1(l, EX_ABS, change));
    }
    return sum;
}

static bool is_cheap(const Low *l, const SchedBlock *b)
{
    return l->options->defect == PD_CHEAP && !l->in_init &&
           l->schedule->system->method && b->bends;
}

bool lower_is_late(const Low *l, const SchedBlock *b, int iterations)
{
    return is_cheap(l, b) && b->drift && iterations == 1;
}

LowLate lower_late(Low *l, const SchedBlock *b, int number)
{
    const TapeBlock *t = &l->tape->block.at[number];
    LowLate late = {.left = NEW_ARRAY(l->local, int, b->ntorn + 1)};
    Changes changes = {0};
    for (int i = 0; i < b->ntorn; i++) {
        late.left[i] = NONE;
        if (!b->bends[i])
            continue;
        lower_from_eqn(l, TO_DEFECT, b->residual_eqn[i], b->torn[i]);
        late.left[i] = left_over(l, b, i, t->residual[i], &changes);
    }
    late.gate = gate_of(l, b);
    return late;
}

/* A state that is not what the last step has made of it closes the gate. */
static int watch_state(Low *l, const SchedBlock *b, const TapeBlock *t, int i,
                       int gate)
{
    const InlinedVar *v = &l->d->var[b->torn[i]];
    int old = inlined_find_old(l->d, v->sys_var, v->order, 1);
    if (!v->is_state || old == NONE || l->out->slot[old] == NONE)
        return gate;
    int made = carried(l);
    int jump = op1(l, EX_ABS, op2(l, EX_SUB, l->out->slot[old], made));
    set(l, made, t->x[i]);
    int huge = tape_const(l->tape, 1e300);
    return op2(l, EX_SUB, gate, op2(l, EX_MUL, jump, huge));
}

static void note(Low *l, StatusCause cause, int alarm, int number)
{
    tape_emit(l->tape, TAPE_NOTE, 0, cause, alarm, number);
}

static int beyond(Low *l, int x, double limit)
{
    return op2(l, EX_SUB, x, tape_const(l->tape, limit));
}

static int larger(Low *l, int a, int b)
{
    return a == NONE ? b : op2(l, EX_MAX, a, b);
}

static void raise(Low *l, const TapeBlock *t, int gate, int number)
{
    int rate = tape_const(l->tape, DEFECT_STAYS);
    int stays = op2(l, EX_SUB, op2(l, EX_MUL, rate, t->eta), t->fall);
    int doubt = op2(l, EX_MIN, beyond(l, t->eta, DEFECT_SLOW), stays);
    doubt = op2(l, EX_MAX, beyond(l, t->eta, DEFECT_DOUBTFUL), doubt);
    note(l, CAUSE_DEFECT, op2(l, EX_MIN, doubt, gate), number);
    double seen = l->d->plan ? l->d->plan->defect_seen : 0;
    if (seen > 0) {
        int more = beyond(l, t->eta, fmax(DEFECT_SLOW, DEFECT_MARGIN * seen));
        note(l, CAUSE_BEYOND_PLAN, op2(l, EX_MIN, more, gate), number);
    }
}

void lower_judge_late(Low *l, const SchedBlock *b, int number,
                      const LowLate *late)
{
    TapeBlock *t = &l->tape->block.at[number];
    int size = NONE, fall = NONE, gate = late->gate;
    for (int i = 0; i < b->ntorn; i++) {
        if (late->left[i] == NONE)
            continue;
        lower_from_eqn(l, TO_DEFECT, b->residual_eqn[i], b->torn[i]);
        int unit = lower_unit(l, b, t, i);
        size = larger(l, size, op2(l, EX_DIV, late->left[i], unit));
        fall =
            larger(l, fall, op2(l, EX_DIV, op1(l, EX_ABS, t->delta[i]), unit));
        gate = watch_state(l, b, t, i, gate);
    }
    int last = carried(l);
    t->eta = tape_slot(l->tape, TR_VALUE, NULL, 0);
    t->fall = tape_slot(l->tape, TR_VALUE, NULL, 0);
    set(l, t->eta, size);
    set(l, t->fall, last);
    set(l, last, fall);
    raise(l, t, gate, number);
}
