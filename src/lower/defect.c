/* defect.c - how far is the end of a step from solving its equations?
 *
 * A block makes a fixed number of Newton iterations, one in the linearly
 * implicit methods. After the last one its residuals are evaluated once more,
 * where it ended, and solved with the factors at hand (cuts included):
 *
 *     eta = W^-1 G(x)
 *     peak_i := max(|x_i|, 0.99 peak_i),   w_i = max(nominal_i, peak_i)
 *     size = max |eta_i| / w_i,   fall = max |delta_i| / w_i
 *
 * eta is the correction that the next iteration would make. It is not made: its
 * size is the defect of the step, and size / fall says whether going on would
 * lead nearer. Linearisation error, Newton defect and cuts are one number. Rows
 * that one solution satisfies exactly (SchedBlock.bends) are not evaluated,
 * unless corrections are damped, and a block without others has no defect. The
 * step is
 *
 *     failed      size > 0.1 and size > fall / 4.5, or size is no number
 *     doubtful    size > 0.01, or size > 0.001 and size > fall / 4.5
 *
 * docs/methods/defect.md tells where the limits come from. What x has been in
 * the last hundred steps or so counts, as many quantities without a nominal
 * value (forces, pressures, currents) go through 0. A slope x' that is iterated
 * on counts by what it does to x in a step: its nominal value is at least that
 * of x over h.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/status.h"
#include "lower/lower_internal.h"
#include "num/table.h"

/* ---- arithmetic on slots; NONE is 0 ---- */

static int op1(Low *l, int op, int a)
{
    return tape_emit(l->tape, op, NONE, a, NONE, NONE);
}

static int op2(Low *l, int op, int a, int b)
{
    return tape_emit(l->tape, op, NONE, a, b, NONE);
}

static bool is_number(const Low *l, int slot, double x)
{
    return l->tape->region[slot] == TR_CONST && l->tape->initial[slot] == x;
}

/* b - a x */
static int less(Low *l, int b, int a, int x)
{
    if (x == NONE || is_number(l, a, 0))
        return b;
    int product = is_number(l, a, 1) ? x : op2(l, EX_MUL, a, x);
    return b == NONE ? op1(l, EX_NEG, product) : op2(l, EX_SUB, b, product);
}

static int or_zero(Low *l, int slot)
{
    return slot == NONE ? tape_const(l->tape, 0) : slot;
}

static int larger(Low *l, int a, int b)
{
    return a == NONE ? b : b == NONE ? a : op2(l, EX_MAX, a, b);
}

/* ---- factors of expressions ---- */

/* The value of `e` as it is in the block: an unknown of it will change. */
static int hold(Low *l, Expr e)
{
    int slot = lower_expr(l, e), entry = l->tape->meaning[slot].entry;
    bool changes = l->tape->region[slot] == TR_CARRY && entry != NONE &&
                   l->block_var[entry] == l->block;
    return changes ? op1(l, TAPE_COPY, slot) : slot;
}

static int *hold_list(Low *l, const Expr *list, int n)
{
    int *slot = NEW_ARRAY(l->local, int, n + 1);
    for (int i = 0; i < n; i++)
        slot[i] = hold(l, list[i]);
    return slot;
}

LowFactorSlots lower_hold_factors(Low *l, const SchedBlock *b)
{
    const FactorParts *p = lower_factor_of(l, b)->parts;
    int n = b->ntorn;
    lower_from_eqn(l, TO_DEFECT, b->residual_eqn[0], b->torn[0]);
    return (LowFactorSlots){
        .entry = hold_list(l, p->entry, p->lu ? p->lu->nentry : n * n),
        .pivot = hold_list(l, p->by_inverse ? p->inverse : p->pivot, n),
        .swap = hold_list(l, p->swap, p->nswap)};
}

static int over_pivot(Low *l, const FactorParts *p, const LowFactorSlots *f,
                      int i, int b)
{
    if (b == NONE)
        return NONE;
    return op2(l, p->by_inverse ? EX_MUL : EX_DIV, b, f->pivot[i]);
}

/* The loops of lower/factor.c, on slots. */
static void solve_sparse(Low *l, const FactorParts *p, const LowFactorSlots *k,
                         int block, int *rhs, int *x)
{
    const StaticLu *f = p->lu;
    int begin = f->start[block], end = f->start[block + 1];
    for (int i = begin; i < end; i++)
        for (int j = f->ostart[i]; j < f->ostart[i + 1]; j++)
            rhs[f->row[i]] =
                less(l, rhs[f->row[i]], k->entry[f->o[j]], x[f->ocol[j]]);
    for (int i = begin; i < end; i++)
        for (int j = f->lstart[i]; j < f->lstart[i + 1]; j++)
            rhs[f->lrow[j]] =
                less(l, rhs[f->lrow[j]], k->entry[f->l[j]], rhs[f->row[i]]);
    for (int i = end - 1; i >= begin; i--) {
        int b = rhs[f->row[i]];
        for (int j = f->ustart[i]; j < f->ustart[i + 1]; j++)
            b = less(l, b, k->entry[f->u[j]], x[f->ucol[j]]);
        x[f->col[i]] = over_pivot(l, p, k, i, b);
    }
}

static void exchange(Low *l, int condition, int *a, int *b)
{
    if (*a == NONE && *b == NONE)
        return;
    int x = or_zero(l, *a), y = or_zero(l, *b);
    *a = tape_emit(l->tape, EX_IF, NONE, condition, y, x);
    *b = tape_emit(l->tape, EX_IF, NONE, condition, x, y);
}

static void solve_dense(Low *l, const FactorParts *p, const LowFactorSlots *k,
                        int n, int *rhs, int *x)
{
    int swap = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            exchange(l, k->swap[swap++], &rhs[i], &rhs[j]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            rhs[i] = less(l, rhs[i], k->entry[i * n + j], rhs[j]);
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            rhs[i] = less(l, rhs[i], k->entry[i * n + j], x[j]);
        x[i] = over_pivot(l, p, k, i, rhs[i]);
    }
}

static void solve_unrolled(Low *l, const SchedBlock *b, const LowFactorSlots *k,
                           int *rhs, int *x)
{
    const FactorParts *p = lower_factor_of(l, b)->parts;
    for (int i = 0; p->lu && i < p->lu->nblock; i++)
        solve_sparse(l, p, k, i, rhs, x);
    if (!p->lu)
        solve_dense(l, p, k, b->ntorn, rhs, x);
}

/* ---- other factors ---- */

static void solve_table(Low *l, const SchedBlock *b, int system, const int *rhs,
                        int *x)
{
    int again = lower_table_again(l, b, system);
    int vector = l->tape->system.at[again].vector;
    for (int i = 0; i < sched_nrow(b); i++)
        tape_emit(l->tape, TAPE_COPY, vector + i, or_zero(l, rhs[i]), NONE,
                  NONE);
    for (int i = 0; i < b->ntorn; i++)
        x[i] = vector + sched_nrow(b) + i;
    tape_emit(l->tape, TAPE_SOLVE, 0, again, NONE, NONE);
}

/* Pivots at run time: in the place of the correction, which comes back. */
static void solve_pivoting(Low *l, int system, const int *rhs, int *x)
{
    const int n = l->tape->system.at[system].n;
    const int *place = l->tape->system.at[system].rhs;
    int *kept = NEW_ARRAY(l->local, int, n + 1);
    for (int i = 0; i < n; i++)
        kept[i] = op1(l, TAPE_COPY, place[i]);
    for (int i = 0; i < n; i++)
        tape_emit(l->tape, TAPE_COPY, place[i], or_zero(l, rhs[i]), NONE, NONE);
    tape_emit(l->tape, TAPE_SOLVE, 0, system, NONE, NONE);
    for (int i = 0; i < n; i++)
        x[i] = op1(l, TAPE_COPY, place[i]);
    for (int i = 0; i < n; i++)
        tape_emit(l->tape, TAPE_COPY, place[i], kept[i], NONE, NONE);
}

/* ---- sizes and limits ---- */

/* The nominal value of x where x' is iterated on, 0 where it is no slope of a
 * state. */
static double state_nominal(const Low *l, int entry)
{
    const InlinedVar *v = &l->d->var[entry];
    if (v->kind != IV_VALUE || v->order == 0)
        return 0;
    int x = inlined_find(l->d, v->sys_var, v->order - 1);
    return x == NONE || !l->d->var[x].is_state ? 0 : lower_nominal(l, x);
}

/* w_i */
int lower_unit(Low *l, const SchedBlock *b, const TapeBlock *t, int i)
{
    double x = state_nominal(l, b->torn[i]);
    int least = tape_const(l->tape, t->nominal[i]);
    if (x > 0)
        least = op2(l, EX_MAX, least,
                    op2(l, EX_DIV, tape_const(l->tape, x), l->tape->step));
    int peak = tape_slot(l->tape, TR_CARRY, NULL, 0);
    int left = op2(l, EX_MUL, tape_const(l->tape, DEFECT_FORGETS), peak);
    tape_emit(l->tape, EX_MAX, peak, op1(l, EX_ABS, t->x[i]), left, NONE);
    return op2(l, EX_MAX, least, peak);
}

static int ratio(Low *l, int x, int unit)
{
    return op2(l, EX_DIV, op1(l, EX_ABS, x), unit);
}

static void note(Low *l, StatusCause cause, int alarm, int number)
{
    tape_emit(l->tape, TAPE_NOTE, 0, cause, alarm, number);
}

static int beyond(Low *l, int x, double limit)
{
    return op2(l, EX_SUB, x, tape_const(l->tape, limit));
}

/* The size of the sum, made so small that it does not count, is infinite or no
 * number where a part of eta is. */
static void judge(Low *l, const TapeBlock *t, int sum, int number)
{
    int tiny = tape_const(l->tape, 1e-20),
        rate = tape_const(l->tape, DEFECT_STAYS);
    int stays = op2(l, EX_SUB, op2(l, EX_MUL, rate, t->eta), t->fall);
    int fails = op2(l, EX_MIN, beyond(l, t->eta, DEFECT_FAILED), stays);
    fails = op2(l, EX_ADD, fails, op2(l, EX_MUL, op1(l, EX_ABS, sum), tiny));
    int doubt = op2(l, EX_MIN, beyond(l, t->eta, DEFECT_SLOW), stays);
    doubt = op2(l, EX_MAX, beyond(l, t->eta, DEFECT_DOUBTFUL), doubt);
    note(l, CAUSE_NO_SOLUTION, fails, number);
    note(l, CAUSE_DEFECT, doubt, number);
    double seen = l->d->plan ? l->d->plan->defect_seen : 0;
    if (seen > 0)
        note(l, CAUSE_BEYOND_PLAN,
             beyond(l, t->eta, fmax(DEFECT_SLOW, DEFECT_MARGIN * seen)),
             number);
}

static void measure(Low *l, const SchedBlock *b, const int *eta, int number)
{
    TapeBlock *t = &l->tape->block.at[number];
    int size = NONE, fall = NONE, sum = NONE;
    for (int i = 0; i < b->ntorn; i++) {
        int unit = lower_unit(l, b, t, i);
        fall = larger(l, fall, ratio(l, t->delta[i], unit));
        if (eta[i] == NONE)
            continue;
        size = larger(l, size, ratio(l, eta[i], unit));
        sum = sum == NONE ? eta[i] : op2(l, EX_ADD, sum, eta[i]);
    }
    t->eta = tape_slot(l->tape, TR_VALUE, NULL, 0);
    t->fall = tape_slot(l->tape, TR_VALUE, NULL, 0);
    tape_emit(l->tape, TAPE_COPY, t->eta, size, NONE, NONE);
    tape_emit(l->tape, TAPE_COPY, t->fall, fall, NONE, NONE);
    judge(l, t, sum, number);
}

/* ---- the block ---- */

bool lower_has_defect(const Low *l, const SchedBlock *b)
{
    if (l->options->defect != PD_FULL || l->in_init || !b->bends ||
        !l->schedule->system->method ||
        l->d->var[b->torn[0]].kind == IV_INCREMENT)
        return false;
    for (int i = 0; i < sched_nrow(b); i++)
        if (b->bends[i])
            return true;
    return false;
}

void lower_defect(Low *l, const SchedBlock *b, int number, int system,
                  const LowFactorSlots *f)
{
    int n = sched_nrow(b);
    int *rhs = NEW_ARRAY(l->local, int, n + 1);
    int *eta = NEW_ARRAY(l->local, int, n + 1);
    for (int i = 0; i < n; i++) {
        lower_from_eqn(l, TO_DEFECT, b->residual_eqn[i],
                       i < b->ntorn ? b->torn[i] : NONE);
        /* least squares leave something over everywhere */
        bool leaves = b->bends[i] || l->options->damping || b->ninvariant > 0;
        rhs[i] = leaves ? lower_expr(l, b->residual[i]) : NONE;
        eta[i] = NONE;
    }
    if (system != NONE && l->tape->system.at[system].table)
        solve_table(l, b, system, rhs, eta);
    else if (system != NONE)
        solve_pivoting(l, system, rhs, eta);
    else
        solve_unrolled(l, b, f, rhs, eta);
    measure(l, b, eta, number);
}
