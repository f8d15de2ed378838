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
#include "expr/ops.h"
#include "lower/lower_internal.h"
#include "num/table.h"

int lower_memory(Low *l)
{
    int slot = tape_slot(l->tape, TR_CARRY, NULL, 0);
    vec_push(l->arena, &l->out->memory, slot);
    return slot;
}

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
    int peak = lower_memory(l);
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

/* What is gathered of the corrections: slots, NONE: nothing yet. */
typedef struct Sizes {
    int size, fall; /* the largest of eta and of the correction made */
    int sum;        /* of eta */
} Sizes;

static void add_size(Low *l, Sizes *s, int eta, int delta, int unit)
{
    s->fall = larger(l, s->fall, ratio(l, delta, unit));
    if (eta == NONE)
        return;
    s->size = larger(l, s->size, ratio(l, eta, unit));
    s->sum = s->sum == NONE ? eta : op2(l, EX_ADD, s->sum, eta);
}

/* What attacks have shown that a plan stands (tuning/attack.h) is no doubt.
 * The size of the sum, made so small that it does not count, is infinite or no
 * number where a part of eta is. */
static void judge(Low *l, const Sizes *s, int number)
{
    int tiny = tape_const(l->tape, 1e-20),
        rate = tape_const(l->tape, DEFECT_STAYS);
    int stays = op2(l, EX_SUB, op2(l, EX_MUL, rate, s->size), s->fall);
    int fails = op2(l, EX_MIN, beyond(l, s->size, DEFECT_FAILED), stays);
    fails = op2(l, EX_ADD, fails, op2(l, EX_MUL, op1(l, EX_ABS, s->sum), tiny));
    double seen = l->d->plan ? l->d->plan->defect_seen : 0;
    double slow = fmax(DEFECT_SLOW, DEFECT_MARGIN * seen);
    double most = fmax(DEFECT_DOUBTFUL, DEFECT_MARGIN * seen);
    int doubt = op2(l, EX_MIN, beyond(l, s->size, slow), stays);
    doubt = op2(l, EX_MAX, beyond(l, s->size, most), doubt);
    note(l, CAUSE_NO_SOLUTION, fails, number);
    note(l, CAUSE_DEFECT, doubt, number);
    if (seen > 0)
        note(l, CAUSE_BEYOND_PLAN, beyond(l, s->size, slow), number);
}

/* `value` in a slot that who runs the tape can read. */
static int shown(Low *l, int value)
{
    int slot = tape_slot(l->tape, TR_VALUE, NULL, 0);
    tape_emit(l->tape, TAPE_COPY, slot, value, NONE, NONE);
    return slot;
}

/* Judged, and left in slots of block `number`, or of the step. */
static void leave(Low *l, Sizes *s, int number)
{
    TapeBlock *t = number == NONE ? NULL : &l->tape->block.at[number];
    s->size = *(t ? &t->eta : &l->eta) = shown(l, s->size);
    s->fall = *(t ? &t->fall : &l->fall) = shown(l, s->fall);
    judge(l, s, number);
}

static void measure(Low *l, const SchedBlock *b, const int *eta, int number)
{
    const TapeBlock *t = &l->tape->block.at[number];
    Sizes s = {NONE, NONE, NONE};
    for (int i = 0; i < b->ntorn; i++)
        add_size(l, &s, eta[i], t->delta[i], lower_unit(l, b, t, i));
    leave(l, &s, number);
}

/* ---- increments ---- */

/* max(nominal, peak) of a variable */
static int unit_of(Low *l, int entry)
{
    int peak = lower_memory(l);
    int left = op2(l, EX_MUL, tape_const(l->tape, DEFECT_FORGETS), peak);
    tape_emit(l->tape, EX_MAX, peak, op1(l, EX_ABS, l->out->slot[entry]), left,
              NONE);
    return op2(l, EX_MAX, tape_const(l->tape, lower_nominal(l, entry)), peak);
}

int lower_find_state(Low *l, int k, int *delta)
{
    const DaeState *q = &l->d->dae->state[k];
    int x = inlined_find(l->d, q->var, q->order);
    int old = inlined_find_old(l->d, q->var, q->order, 1);
    if (x == NONE || old == NONE || l->out->slot[x] == NONE)
        return NONE;
    lower_from(l, TO_DEFECT, NONE, x, NO_SPAN);
    *delta = op2(l, EX_SUB, l->out->slot[x], l->out->slot[old]);
    return x;
}

static void defect_of_increments(Low *l, const InlinedSystem *system)
{
    Sizes s = {NONE, NONE, NONE};
    for (int k = 0; k < l->d->dae->nstate; k++) {
        int delta, x = lower_find_state(l, k, &delta);
        if (x != NONE)
            add_size(l, &s, lower_expr(l, system->defect[k]), delta,
                     unit_of(l, x));
    }
    if (s.size != NONE)
        leave(l, &s, l->increments);
}

/* One sum for all of them, with signs and sizes as in cheap.c: number k. */
static double weight_of(const Low *l, int entry, int k)
{
    double sign = (k * 7 / 4 + k / 3) % 2 ? -1 : 1;
    return sign / fmax(lower_nominal(l, entry), l->options->size[entry]);
}

static int add_term(Low *l, int sum, double c, int slot)
{
    int term = op2(l, EX_MUL, tape_const(l->tape, c), slot);
    return sum == NONE ? term : op2(l, EX_ADD, sum, term);
}

static void cheap_defect_of_increments(Low *l, const InlinedSystem *system)
{
    int eta = NONE, fall = NONE;
    for (int k = 0; k < l->d->dae->nstate; k++) {
        int delta, x = lower_find_state(l, k, &delta);
        if (x == NONE)
            continue;
        double c = weight_of(l, x, k);
        eta = add_term(l, eta, c, lower_expr(l, system->defect[k]));
        fall = add_term(l, fall, c, delta);
    }
    if (eta != NONE)
        lower_judge_cheap(l, op1(l, EX_ABS, eta), op1(l, EX_ABS, fall),
                          l->increments);
}

/* ---- old values by the plan ---- */

/* There is no iteration that could lead nearer: only its size counts, and where
 * attacks have shown what the plan stands (tuning/attack.h), that judges. */
static void judge_lagged(Low *l, int size, double factor)
{
    double seen = l->d->plan ? l->d->plan->defect_seen : 0;
    double limit = seen > 0 ? fmax(DEFECT_DOUBTFUL, DEFECT_MARGIN * seen)
                            : DEFECT_DOUBTFUL;
    note(l, seen > 0 ? CAUSE_BEYOND_PLAN : CAUSE_DEFECT,
         beyond(l, size, factor * limit), NONE);
}

/* The variable whose size counts: of the slope of a state the state, which a
 * step moves by h times of it. */
static int counted(const Low *l, int var, bool *is_slope)
{
    const InlinedVar *v = &l->d->var[var];
    int x = v->kind == IV_VALUE && v->order > 0
                ? inlined_find(l->d, v->sys_var, v->order - 1)
                : NONE;
    *is_slope = x != NONE && l->d->var[x].is_state && l->out->slot[x] != NONE;
    return *is_slope ? x : var;
}

/* Is it linear in what is old, with factors that stay? */
static bool has_shares(Low *l, const SchedLagged *g)
{
    bool is_fixed = g->nlag != NONE;
    for (int k = 0; k < g->nlag; k++)
        is_fixed &= lower_level(l, g->share[k]) != LEVEL_STEP;
    return is_fixed;
}

static void see_call(void *context, const Dag *d, Expr e)
{
    bool *has_call = context;
    double x;
    ExprOp op = expr_op(d, e);
    bool is_power = op == EX_POW && expr_is_const(d, expr_arg(d, e, 1), &x) &&
                    x == round(x); /* products */
    *has_call |= op == EX_CALL || (op_has((int)op, OP_LIBM) && !is_power);
}

/* Would it take a function to be evaluated for this alone? */
static bool is_dear(const Low *l, Expr e)
{
    bool has_call = false;
    expr_walk(l->dag, &e, 1, see_call, &has_call);
    return has_call;
}

/* What stands before each change; equations that have the same one share it. */
typedef struct Changes {
    Vec(Expr) change;
    Vec(int) factor; /* slots */
} Changes;

static void add_change(Low *l, Changes *c, double weight, Expr share,
                       Expr change)
{
    int i = 0;
    while (i < c->change.n && c->change.at[i] != change)
        i++;
    if (i == c->change.n) {
        vec_push(l->local, &c->change, change);
        vec_push(l->local, &c->factor, NONE);
    }
    c->factor.at[i] =
        add_term(l, c->factor.at[i], weight, lower_expr(l, share));
}

/* One sum for all of them, which is about the root of that of the squares.
 * Factors are of parameters alone, and leave the step (step/step.c). */
static void cheap_defect_of_lagged(Low *l, const Schedule *s)
{
    int sum = NONE;
    Changes c[2] = {0}; /* of slopes the second */
    for (int i = 0; i < s->nlagged; i++) {
        const SchedLagged *g = &s->lagged[i];
        bool is_slope;
        double weight = weight_of(l, counted(l, g->var, &is_slope), i);
        lower_from(l, TO_DEFECT, NONE, g->var, NO_SPAN);
        if (!has_shares(l, g)) {
            if (is_dear(l, g->correction))
                continue;
            int eta = lower_expr(l, g->correction);
            if (is_slope)
                eta = op2(l, EX_MUL, l->tape->step, eta);
            sum = add_term(l, sum, weight, eta);
            continue;
        }
        for (int k = 0; k < g->nlag; k++)
            add_change(l, &c[is_slope], weight, g->share[k], g->change[k]);
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < c[k].change.n; i++) {
            int factor = c[k].factor.at[i];
            if (k == 1)
                factor = op2(l, EX_MUL, l->tape->step, factor);
            int term = op2(l, EX_MUL, factor, lower_expr(l, c[k].change.at[i]));
            sum = sum == NONE ? term : op2(l, EX_ADD, sum, term);
        }
    if (sum != NONE)
        judge_lagged(l, op1(l, EX_ABS, sum), sqrt(s->nlagged));
}

static void defect_of_lagged(Low *l, const Schedule *s)
{
    int size = NONE;
    for (int i = 0; i < s->nlagged; i++) {
        const SchedLagged *g = &s->lagged[i];
        bool is_slope;
        int entry = counted(l, g->var, &is_slope);
        lower_from(l, TO_DEFECT, NONE, g->var, NO_SPAN);
        int eta = lower_expr(l, g->correction);
        if (is_slope)
            eta = op2(l, EX_MUL, l->tape->step, eta);
        size = larger(l, size, ratio(l, eta, unit_of(l, entry)));
    }
    if (size == NONE)
        return;
    l->eta = shown(l, larger(l, size, l->eta == 0 ? NONE : l->eta));
    l->fall = shown(l, l->fall == 0 ? tape_const(l->tape, 1) : l->fall);
    judge_lagged(l, size, 1);
}

void lower_defect_of_step(Low *l, const Schedule *s)
{
    bool is_cheap = l->options->defect == PD_CHEAP && l->options->size;
    if (l->options->defect == PD_OFF || !s->system->method)
        return;
    if (s->system->defect && is_cheap)
        cheap_defect_of_increments(l, s->system);
    else if (s->system->defect)
        defect_of_increments(l, s->system);
    else if (s->system->beyond && is_cheap && l->options->push)
        lower_cheap_beyond(l, s->system->beyond);
    if (is_cheap)
        cheap_defect_of_lagged(l, s);
    else if (l->options->defect == PD_FULL)
        defect_of_lagged(l, s);
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
