/* cheap.c - the defect of the step before, without an evaluation.
 *
 * The one iteration of a linearly implicit step begins where the step before
 * has ended. Its residuals G are thus what the step before has left over, but
 * for what has changed since: old values, by the correction -delta that was
 * made; time, inputs, earlier blocks (SchedDrift). With that taken out,
 *
 *     r_i = G_i - sum_k dG_i/dp_k (p_k - p_k of the step before)
 *
 * is the leftover of defect.c, one step late. It is not looked at row by row:
 * one number stands for all rows of a step,
 *
 *     left = |sum +-c_i r_i|,    size = |sum +-c_i G_i|
 *     c_i  = max_j |inv(W)_ji| / w_j
 *
 * with signs that follow no pattern, so that it is about the root of the sum of
 * squares, and with the inverse of the matrix and the sizes of the unknowns in
 * the run which chose the pivots, to powers of 8: rows of one weight are added,
 * then weighed. The sum over old values is that over the corrections. Two
 * additions a row, nothing kept but three numbers a step, no evaluation. The
 * last step is doubtful if
 *
 *     left > 0.002 + 0.22 min(size of its own, 0.04)
 *
 * which is about the limits of defect.c. A row whose drift has derivatives that
 * would have to be computed for this alone is left out, and with it blocks that
 * iterate on derivatives: their iteration begins elsewhere.
 *
 * Beside it stands the sign of the determinants of the matrices: where it is
 * another than in the step before, a singular point was crossed. A pivot is the
 * quotient of two leading minors, so where the matrix turns singular it is the
 * last one that changes its sign. Only pivots that no other one is made of are
 * looked at: one of each irreducible part, which costs next to nothing. Where
 * the fixed order of pivots fails before the matrix does, their sign changes
 * too. Nothing is said of the first step, nor after a relation or a discrete
 * variable of the rows has changed.
 *
 * A block that iterates more than once is judged by its last correction
 * (STATUS WARNING), whatever the plan says.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/status.h"
#include "lower/lower_internal.h"

/* Pivots between two signs: a product that overflows keeps its sign, one that
 * underflows would lose it. */
enum { MOST_PRODUCT = 24 };

static const double LEAST = 2e-3, SHARE = 0.22, MOST_SIZE = 0.04;

static int op1(Low *l, int op, int a)
{
    return tape_emit(l->tape, op, NONE, a, NONE, NONE);
}

static int op2(Low *l, int op, int a, int b)
{
    return tape_emit(l->tape, op, NONE, a, b, NONE);
}

static void set(Low *l, int slot, int value)
{
    tape_emit(l->tape, TAPE_COPY, slot, value, NONE, NONE);
}

static int added(Low *l, int sum, int term, bool is_minus)
{
    if (sum == NONE)
        return is_minus ? op1(l, EX_NEG, term) : term;
    return op2(l, is_minus ? EX_SUB : EX_ADD, sum, term);
}

/* ---- sums of rows by weight ---- */

typedef struct Group {
    double weight; /* > 0 */
    int sum;       /* slot */
} Group;

typedef struct Groups {
    Vec(Group) group;
} Groups;

/* Adds c times slot. */
static void add_row(Low *l, Groups *g, double c, int slot)
{
    int i = 0;
    while (i < g->group.n && g->group.at[i].weight != fabs(c))
        i++;
    if (i == g->group.n)
        vec_push(l->local, &g->group, ((Group){fabs(c), NONE}));
    Group *to = &g->group.at[i];
    to->sum = added(l, to->sum, slot, c < 0);
}

/* The weighted sum, added to `sum`. */
static int weigh(Low *l, const Groups *g, int sum)
{
    for (int i = 0; i < g->group.n; i++) {
        double c = g->group.at[i].weight;
        int term = g->group.at[i].sum;
        if (c != 1)
            term = op2(l, EX_MUL, tape_const(l->tape, c), term);
        sum = added(l, sum, term, false);
    }
    return sum;
}

/* ---- the rows that are looked at ---- */

static double weight_of(const Low *l, const SchedBlock *b, int i)
{
    const double *w = lower_factor_of(l, b)->weight;
    double x = w && w[i] > 0 && isfinite(w[i])
                   ? w[i]
                   : 1 / lower_nominal(l, b->torn[i]);
    double sign = (i * 7 / 4 + i / 3) % 2 ? -1 : 1;
    return sign * exp2(3 * round(log2(x) / 3));
}

/* The place in the block of the unknown whose last value the leaf is. */
static int of_unknown(const Low *l, const SchedBlock *b, Expr leaf)
{
    int var, order;
    if (!expr_is_var(l->dag, leaf, &var, &order))
        return NONE;
    const InlinedVar *v = &l->d->var[var];
    for (int j = 0; v->kind == IV_OLD && v->back == 1 && j < b->ntorn; j++) {
        const InlinedVar *x = &l->d->var[b->torn[j]];
        if (x->sys_var == v->sys_var && x->order == v->order)
            return j;
    }
    return NONE;
}

/* Does the iteration for unknown j begin where the last one has ended? */
static bool begins_there(const Low *l, const SchedBlock *b, int j)
{
    const InlinedVar *x = &l->d->var[b->torn[j]];
    return x->guess == EXPR_NONE ? !x->is_state
                                 : of_unknown(l, b, x->guess) == j;
}

/* Is its drift known without work of its own? */
static bool is_probed(Low *l, const SchedBlock *b, int i)
{
    const SchedDrift *d = b->drift;
    double x;
    if (!b->bends[i])
        return false;
    for (int k = d->start[i]; k < d->start[i + 1]; k++)
        if (of_unknown(l, b, d->leaf[k]) != NONE
                ? !expr_is_const(l->dag, d->value[k], &x)
                : lower_level(l, d->value[k]) == LEVEL_STEP)
            return false;
    return true;
}

static bool is_cheap(const Low *l, const SchedBlock *b, int iterations)
{
    return l->options->defect == PD_CHEAP && !l->in_init &&
           l->schedule->system->method && iterations == 1 &&
           !l->schedule->system->is_estimate && b->kind != SK_CONSTANT &&
           sched_nrow(b) == b->ntorn;
}

bool lower_is_late(Low *l, const SchedBlock *b, int iterations)
{
    if (!is_cheap(l, b, iterations) || !b->drift || !b->bends ||
        l->options->damping)
        return false;
    bool any = false;
    for (int i = 0; i < b->ntorn; i++) {
        if (!begins_there(l, b, i))
            return false;
        any |= is_probed(l, b, i);
    }
    return any;
}

/* ---- increments ---- */

/* A weight as a power of 8, with the sign of number k. */
static double coarse(double weight, int k)
{
    double sign = (k * 7 / 4 + k / 3) % 2 ? -1 : 1;
    return sign * exp2(3 * round(log2(weight) / 3));
}

/* sum_k +-push_k term_k */
static int sum_of_term(Low *l, const InlinedBeyond *b, int i)
{
    Groups g = {0};
    for (int k = 0; k < l->d->dae->nstate; k++) {
        Expr term = b->term[k * b->nterm + i];
        double push = l->options->push[k];
        if (term != EXPR_NONE && push > 0 && isfinite(push))
            add_row(l, &g, coarse(push, k), lower_expr(l, term));
    }
    return weigh(l, &g, NONE);
}

void lower_cheap_beyond(Low *l, const InlinedBeyond *b)
{
    int left = NONE;
    double x;
    Groups change = {0};
    lower_from(l, TO_DEFECT, NONE, NONE, NO_SPAN);
    for (int i = 0; i < b->nterm; i++) {
        if (expr_is_const(l->dag, b->factor[i], &x) && x == 0)
            continue;
        int sum = sum_of_term(l, b, i);
        if (sum == NONE)
            return;
        left = added(l, left, op2(l, EX_MUL, lower_expr(l, b->factor[i]), sum),
                     false);
    }
    for (int k = 0; k < l->d->dae->nstate; k++) {
        int delta, entry = lower_find_state(l, k, &delta);
        if (entry == NONE)
            continue;
        double unit = fmax(lower_nominal(l, entry), l->options->size[entry]);
        add_row(l, &change, coarse(1 / unit, k), delta);
    }
    int size = weigh(l, &change, NONE);
    if (left != NONE && size != NONE)
        lower_judge_cheap(l, op1(l, EX_ABS, left), op1(l, EX_ABS, size),
                          l->increments);
}

/* ---- what has changed since ---- */

static int change_of_leaf(Low *l, Expr leaf)
{
    LowProbe *p = &l->probe;
    if (expr_op(l->dag, leaf) == EX_TIME)
        return l->tape->step;
    for (int i = 0; i < p->leaf.n; i++)
        if (p->leaf.at[i] == leaf)
            return p->change.at[i];
    int kept = lower_memory(l), slot = lower_expr(l, leaf);
    int change = op2(l, EX_SUB, slot, kept);
    set(l, kept, slot);
    vec_push(l->local, &p->leaf, leaf);
    vec_push(l->local, &p->change, change);
    return change;
}

/* G_i and its drift; the part by old values is added to weight[j] of -delta_j
 * of the step before. */
static void probe_row(Low *l, const SchedBlock *b, int i, int residual,
                      Groups *g, Groups *drift, double *weight)
{
    const SchedDrift *d = b->drift;
    double c = weight_of(l, b, i), x;
    add_row(l, g, c, residual);
    for (int k = d->start[i]; k < d->start[i + 1]; k++) {
        int j = of_unknown(l, b, d->leaf[k]);
        bool is_number = expr_is_const(l->dag, d->value[k], &x);
        if (j != NONE) {
            weight[j] += c * x;
            continue;
        }
        int change = change_of_leaf(l, d->leaf[k]);
        if (is_number)
            add_row(l, drift, -c * x, change);
        else
            add_row(l, drift, -c,
                    op2(l, EX_MUL, lower_expr(l, d->value[k]), change));
    }
}

static void watch_jumps(Low *l, const SchedDrift *d)
{
    LowProbe *p = &l->probe;
    for (int k = 0; k < d->njump; k++) {
        int slot = lower_expr(l, d->jump[k]);
        double weight = 1 + fmod(0.6180339887498949 * ++p->njump, 1);
        int term = op2(l, EX_MUL, tape_const(l->tape, weight), slot);
        p->jump = added(l, p->jump, term, false);
    }
}

double *lower_late(Low *l, const SchedBlock *b, int number)
{
    const TapeBlock *t = &l->tape->block.at[number];
    LowProbe *p = &l->probe;
    double *weight = NEW_ARRAY(l->local, double, b->ntorn + 1);
    Groups g = {0}, drift = {0};
    for (int i = 0; i < b->ntorn; i++) {
        if (!is_probed(l, b, i))
            continue;
        lower_from_eqn(l, TO_DEFECT, b->residual_eqn[i], b->torn[i]);
        probe_row(l, b, i, t->residual[i], &g, &drift, weight);
    }
    p->residual = weigh(l, &g, p->residual);
    p->drift = weigh(l, &drift, p->drift);
    watch_jumps(l, b->drift);
    p->block = number;
    return weight;
}

void lower_end_late(Low *l, const SchedBlock *b, int number,
                    const double *weight)
{
    const TapeBlock *t = &l->tape->block.at[number];
    Groups g = {0};
    lower_from_eqn(l, TO_DEFECT, b->residual_eqn[0], b->torn[0]);
    for (int j = 0; j < b->ntorn; j++)
        if (weight[j] != 0)
            add_row(l, &g, weight[j], t->delta[j]);
    l->probe.correction = weigh(l, &g, l->probe.correction);
}

/* ---- signs ---- */

/* The sign of the product is that of the determinant. */
static void add_pivots(Low *l, const int *pivot, int n)
{
    LowProbe *p = &l->probe;
    int part = NONE;
    for (int i = 0; i < n; i++) {
        part = part == NONE ? pivot[i] : op2(l, EX_MUL, part, pivot[i]);
        bool is_full = (i + 1) % MOST_PRODUCT == 0;
        if (i < n - 1 && !is_full)
            continue;
        if (n > 1 || p->sign != NONE)
            part = op1(l, EX_SIGN, part); /* one alone stands for its sign */
        p->sign = p->sign == NONE ? part : op2(l, EX_MUL, p->sign, part);
        part = NONE;
    }
}

bool lower_has_sign(Low *l, const SchedBlock *b, int iterations)
{
    const BlockFactor *f = lower_factor_of(l, b);
    bool varies = false;
    for (int k = 0; k < b->jac.nnz; k++)
        varies |= lower_level(l, b->jac.value[k]) == LEVEL_STEP;
    return is_cheap(l, b, iterations) && varies && !b->may_be_undetermined &&
           (f->delta ? f->parts->nswap == 0 : f->table != NULL);
}

static void mark_used(void *context, const Dag *d, Expr e)
{
    bool *used = context;
    (void)d;
    used[e] = true;
}

/* Nodes that pivots are made of. */
static const bool *parts_of_pivots(const Low *l, const FactorParts *p, int n)
{
    Vec(Expr) root = {0};
    bool *used = NEW_ARRAY(l->local, bool, l->nnode);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < expr_node(l->dag, p->pivot[i])->narg; k++)
            vec_push(l->local, &root, expr_arg(l->dag, p->pivot[i], k));
    expr_walk(l->dag, root.at, root.n, mark_used, used);
    return used;
}

void lower_sign_of_parts(Low *l, const SchedBlock *b)
{
    const FactorParts *p = lower_factor_of(l, b)->parts;
    const bool *used = parts_of_pivots(l, p, b->ntorn);
    int *pivot = NEW_ARRAY(l->local, int, b->ntorn + 1), n = 0;
    lower_from_eqn(l, TO_DEFECT, b->residual_eqn[0], b->torn[0]);
    for (int i = 0; i < b->ntorn; i++)
        if (lower_level(l, p->pivot[i]) == LEVEL_STEP && !used[p->pivot[i]])
            pivot[n++] = lower_expr(l, p->pivot[i]);
    add_pivots(l, pivot, n);
    l->probe.variable = l->out->slot[b->torn[0]];
}

void lower_sign_of_table(Low *l, const SchedBlock *b, int system)
{
    int *pivot = NEW_ARRAY(l->local, int, b->ntorn + 1);
    lower_from_eqn(l, TO_DEFECT, b->residual_eqn[0], b->torn[0]);
    lower_table_places(l, b, system, pivot);
    add_pivots(l, pivot, b->ntorn);
    l->probe.variable = l->out->slot[b->torn[0]];
}

/* ---- the step ---- */

void lower_begin_late(Low *l)
{
    l->probe = (LowProbe){.residual = NONE,
                          .drift = NONE,
                          .correction = NONE,
                          .jump = NONE,
                          .sign = NONE,
                          .block = NONE,
                          .variable = NONE};
}

/* 1: there was a step before, and relations are what they were in it. */
static int gate_of(Low *l)
{
    const LowProbe *p = &l->probe;
    int one = tape_const(l->tape, 1), kept = lower_memory(l);
    int now = p->jump == NONE ? one : op2(l, EX_ADD, one, p->jump);
    int gate =
        p->jump == NONE ? op1(l, TAPE_COPY, kept) : op2(l, EX_EQ, kept, now);
    set(l, kept, now);
    return gate;
}

static void judge_signs(Low *l, int gate)
{
    int kept = lower_memory(l), now = l->probe.sign;
    int other = op1(l, EX_NEG, op2(l, EX_MUL, kept, now));
    if (l->probe.jump != NONE) /* else the first step has none before it */
        other = op2(l, EX_MUL, other, gate);
    set(l, kept, now);
    tape_emit(l->tape, TAPE_NOTE, 0, CAUSE_CROSSED, other, l->probe.variable);
}

void lower_judge_cheap(Low *l, int left, int size, int block)
{
    int most = op2(l, EX_MIN, size, tape_const(l->tape, MOST_SIZE));
    int limit = op2(l, EX_ADD, tape_const(l->tape, LEAST),
                    op2(l, EX_MUL, tape_const(l->tape, SHARE), most));
    tape_emit(l->tape, TAPE_NOTE, 0, CAUSE_DEFECT, op2(l, EX_SUB, left, limit),
              block);
    double seen = l->d->plan ? l->d->plan->defect_seen : 0;
    if (seen > 0)
        tape_emit(
            l->tape, TAPE_NOTE, 0, CAUSE_BEYOND_PLAN,
            op2(l, EX_SUB, left,
                tape_const(l->tape, fmax(DEFECT_SLOW, DEFECT_MARGIN * seen))),
            block);
}

static void judge_left(Low *l, int gate)
{
    LowProbe *p = &l->probe;
    TapeBlock *t = &l->tape->block.at[p->block];
    int size = lower_memory(l), correction = lower_memory(l);
    int r =
        p->drift == NONE ? p->residual : op2(l, EX_ADD, p->residual, p->drift);
    r = op2(l, EX_ADD, r, correction);
    int left = op2(l, EX_MUL, op1(l, EX_ABS, r), gate);
    lower_judge_cheap(l, left, size, p->block);
    t->eta = tape_slot(l->tape, TR_VALUE, NULL, 0);
    t->fall = tape_slot(l->tape, TR_VALUE, NULL, 0);
    set(l, t->eta, left);
    set(l, t->fall, size);
    set(l, size, op1(l, EX_ABS, p->residual));
    set(l, correction,
        p->correction == NONE ? tape_const(l->tape, 0) : p->correction);
}

void lower_judge_late(Low *l)
{
    const LowProbe *p = &l->probe;
    if (p->residual == NONE && p->sign == NONE)
        return;
    lower_from_eqn(l, TO_DEFECT, NONE, NONE);
    int gate = gate_of(l);
    if (p->sign != NONE)
        judge_signs(l, gate);
    if (p->residual != NONE)
        judge_left(l, gate);
}
