/* singular.c - does the run come to a point where the model is singular?
 *
 * The equations of the model as they are (the system `event`) determine what is
 * no state, block by block, by matrices A = dF/dy. A step of length h solves
 * with other matrices, which can stay regular where A is not. So A is looked at
 * itself at the end of a step, at the values that are there: nothing is solved.
 * With d = det A, of this point and of the three before:
 *
 * - It has another sign, or is 0: a singular point was crossed.
 *
 * - It went to 0 by its last three values, as a line, a root or steeper, within
 *   this step or the one before, and now rises: the point was touched. Two
 *   solutions meet there, and which of them is followed is chance; or the
 *   solution ends, and another one was found.
 *
 * - It falls faster and faster, by 15 orders: the solution comes to rest in the
 *   singular point.
 *
 * A quotient, and a tangent, is infinite where 1/v goes through 0. That is seen
 * by the line through the last two values of 1/v: its zero lies in this step,
 * and 1/v has come to where the line leads. So a signal that only changes its
 * sign, or jumps, is no pole.
 *
 * What is determined by a division N/D, or by a residual N and its derivative
 * D, is uncertain by eps |N| / |D|, with |N| the sum of the sizes of its terms.
 * It is next to nothing unless D vanishes before N does.
 *
 * A block that modes may leave undetermined is not looked at: its determinant
 * is 0 or rounding where two brakes hold one shaft, and that is borne.
 *
 * When relations change, the past is another model's: the history begins anew.
 * The work is constant: comparisons make 0 or 1, there are no branches.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "lower/lower_internal.h"
#include "num/table.h"

enum {
    MOST_PRODUCT = 12, /* pivots whose product is taken; of more, the signs */
    MOST_DEPTH = 6,    /* of sums and products whose terms are looked at */
};

static const double BENDS = 0.75;    /* a line or steeper: of the fall before */
static const double MIRRORED = 0.25; /* of the fall, is the image of a line */
static const double NEXT_TO_0 = 1e-3; /* of 1/v */
static const double TURNED = 0.5;     /* falls, by which it rises again */
static const double FASTER = 0.2;     /* share that is left, of the last one */
static const double COLLAPSED =
    1e-15; /* less than an open switch of a closed one */
static const double UNCERTAIN = 1e-4; /* of a value, by rounding */
static const double ROUNDED = 1e3;    /* roundings that a sum may have seen */

/* What all blocks share. */
typedef struct Look {
    Low *l;
    bool has_begun;
    int have;   /* slot: points before this one, of the same relations */
    int r12;    /* step n-1 over step n-2, */
    int r23;    /* step n over step n-1 */
    int same;   /* 1: relations are what they were */
    bool *seen; /* nodes */
} Look;

/* ---- arithmetic on slots ---- */

static int op1(Low *l, int op, int a)
{
    return tape_emit(l->tape, op, NONE, a, NONE, NONE);
}

static int op2(Low *l, int op, int a, int b)
{
    return tape_emit(l->tape, op, NONE, a, b, NONE);
}

static int number(Low *l, double x)
{
    return tape_const(l->tape, x);
}

static int times(Low *l, double x, int a)
{
    return op2(l, EX_MUL, number(l, x), a);
}

static int both(Low *l, int a, int b)
{
    return op2(l, EX_AND, a, b);
}

static int either(Low *l, int a, int b)
{
    return op2(l, EX_OR, a, b);
}

static int size_of(Low *l, int a)
{
    return op1(l, EX_ABS, a);
}

static void set(Low *l, int slot, int value)
{
    tape_emit(l->tape, TAPE_COPY, slot, value, NONE, NONE);
}

/* `kept` has the value of the point before until now. */
static int shift(Low *l, int kept, int value)
{
    int was = op1(l, TAPE_COPY, kept);
    set(l, kept, value);
    return was;
}

static void note(Low *l, int alarm, int slot)
{
    tape_emit(l->tape, TAPE_NOTE, 0, CAUSE_CROSSED, alarm, slot);
}

/* ---- the past ---- */

static bool is_switch(const InlinedVar *v)
{
    return v->kind == IV_RELATION ||
           (v->kind == IV_VALUE && v->is_discrete && v->stage == DIFF_END &&
            v->type != ET_REAL);
}

/* A sum that is another when one of its terms is. */
typedef struct Mix {
    int sum;
    double weight;
} Mix;

static void mix(Low *l, Mix *m, int slot)
{
    if (slot == NONE)
        return;
    m->sum = op2(l, EX_ADD, m->sum, times(l, m->weight, slot));
    m->weight = fmod(m->weight * 1.6180339887498949 + 0.5, 2) + 0.125;
}

/* 1: relations, switches and the choice of states are what they were at the
 * last point. */
static int relations_same(Low *l)
{
    const Dae *dae = l->d->dae;
    Mix m = {number(l, 0), 1};
    for (int i = 0; i < l->d->nvar; i++)
        if (is_switch(&l->d->var[i]))
            mix(l, &m, l->out->slot[i]);
    for (int k = 0; dae && k < dae->nset; k++)
        for (int i = 0; i < dae->set[k].nstate * dae->set[k].ncandidate; i++)
            mix(l, &m, l->out->slot[dae->set[k].select[i]]);
    return op2(l, EX_EQ, shift(l, lower_memory(l), m.sum), m.sum);
}

/* Step lengths are at least `least`: the first ones have none before them. */
static int ratio(Low *l, int a, int b)
{
    int least = times(l, 1e-6, a);
    return op2(l, EX_DIV, a, op2(l, EX_MAX, b, least));
}

/* The segment begins with the first thing to look at. */
static void begin(Look *k)
{
    Low *l = k->l;
    if (k->has_begun)
        return;
    k->has_begun = true;
    lower_begin(l, "singular");
    int age = lower_memory(l), last = lower_memory(l), h1 = lower_memory(l),
        h2 = lower_memory(l);
    lower_from(l, TO_DEFECT, NONE, NONE, NO_SPAN);
    k->same = relations_same(l);
    k->have = op2(l, EX_MUL, age, k->same);
    int more = op2(l, EX_ADD, k->have, number(l, 1));
    int now = op1(l, TAPE_COPY, l->tape->time);
    int h3 = op2(l, EX_SUB, now, shift(l, last, now));
    int before = shift(l, h2, h3);
    k->r23 = ratio(l, h3, before);
    k->r12 = ratio(l, before, shift(l, h1, before));
    set(l, age, op2(l, EX_MIN, more, number(l, 5)));
}

static int has_past(const Look *k, int points)
{
    return op2(k->l, EX_GE, k->have, number(k->l, points));
}

/* ---- determinants ---- */

/* Slots of a determinant, oldest first: of three points before and of now. */
typedef struct Four {
    int d[4], size[4];
} Four;

static int same_sign(Low *l, int a, int b)
{
    int product = op2(l, EX_MUL, op1(l, EX_SIGN, a), op1(l, EX_SIGN, b));
    return op2(l, EX_GT, product, number(l, 0));
}

/* How the last three values fall. */
typedef struct Fall {
    int before, last; /* in the last two steps, as if they had one length */
    int next;         /* in this one, if it goes on as in the last */
    int line;         /* to this value */
    int is;           /* 1: it falls at all, with one sign */
} Fall;

static Fall find_fall(const Look *k, const Four *f)
{
    Low *l = k->l;
    int before = op2(l, EX_SUB, f->size[0], f->size[1]);
    Fall x = {.before = op2(l, EX_MUL, before, k->r12),
              .last = op2(l, EX_SUB, f->size[1], f->size[2])};
    x.next = op2(l, EX_MUL, x.last, k->r23);
    x.line = op2(l, EX_SUB, f->size[2], x.next);
    int sign =
        both(l, same_sign(l, f->d[0], f->d[1]), same_sign(l, f->d[1], f->d[2]));
    int falls = op2(l, EX_GT, x.before, number(l, 0));
    x.is = both(l, both(l, falls, sign), has_past(k, 3));
    return x;
}

/* A line, or what is steeper, ends in this step. */
static int line_ends(const Look *k, const Fall *x)
{
    Low *l = k->l;
    int steep = op2(l, EX_GE, x->last, times(l, BENDS, x->before));
    int zero = op2(l, EX_LE, x->line, number(l, 0));
    return both(l, x->is, both(l, steep, zero));
}

/* A root ends in this step: its square is a line. */
static int root_ends(const Look *k, const Four *f, const Fall *x)
{
    Low *l = k->l;
    int a = op2(l, EX_MUL, f->size[1], f->size[1]);
    int b = op2(l, EX_MUL, f->size[2], f->size[2]);
    int fall = op2(l, EX_MUL, op2(l, EX_SUB, a, b), k->r23);
    int zero = op2(l, EX_LE, b, fall);
    return both(l, x->is, both(l, zero, op2(l, EX_GT, x->last, x->before)));
}

/* It has risen by a part of `fall` since the point before. */
static int has_turned(const Look *k, const Four *f, int fall)
{
    Low *l = k->l;
    int rise = op2(l, EX_SUB, f->size[3], f->size[2]);
    return op2(l, EX_GT, rise, times(l, TURNED, fall));
}

/* Where the line ended late in the step its image is still small, and so is
 * what only levels off: the next point tells. */
static int touches(const Look *k, const Four *f)
{
    Low *l = k->l;
    Fall x = find_fall(k, f);
    int waits = lower_memory(l), line = line_ends(k, &x);
    int waited = op1(l, TAPE_COPY, waits);
    int late = both(l, has_turned(k, f, waited), has_past(k, 4));
    late = both(l, late, op2(l, EX_GT, waited, number(l, 0)));
    int off = size_of(l, op2(l, EX_ADD, f->size[3], x.line));
    int mirrored = op2(l, EX_LE, off, times(l, MIRRORED, x.next));
    tape_emit(l->tape, EX_IF, waits, both(l, line, mirrored), x.next,
              number(l, 0));
    int ends = either(l, line, root_ends(k, f, &x));
    return either(l, late, both(l, ends, has_turned(k, f, x.next)));
}

static int collapses(const Look *k, const Four *f)
{
    Low *l = k->l;
    int peak = lower_memory(l);
    set(l, peak, op2(l, EX_MAX, peak, f->size[3]));
    int less = op2(l, EX_LE, f->size[2], times(l, FASTER, f->size[1]));
    int left = op2(l, EX_MUL, f->size[3], f->size[1]);
    int square = op2(l, EX_MUL, f->size[2], f->size[2]);
    int faster = op2(l, EX_LE, left, times(l, FASTER, square));
    int small = op2(l, EX_LE, f->size[3], times(l, COLLAPSED, peak));
    return both(l, both(l, less, faster), both(l, small, has_past(k, 2)));
}

static void judge(const Look *k, int d, int slot)
{
    Low *l = k->l;
    int kept[3] = {lower_memory(l), lower_memory(l), lower_memory(l)};
    Four f = {.d = {0, 0, 0, op1(l, TAPE_COPY, d)}};
    f.d[2] = shift(l, kept[2], f.d[3]);
    f.d[1] = shift(l, kept[1], f.d[2]);
    f.d[0] = shift(l, kept[0], f.d[1]);
    for (int i = 0; i < 4; i++)
        f.size[i] = size_of(l, f.d[i]);
    int product =
        op2(l, EX_MUL, op1(l, EX_SIGN, f.d[2]), op1(l, EX_SIGN, f.d[3]));
    int crossed = op2(l, EX_LT, product, number(l, 0));
    crossed = both(l, crossed, has_past(k, 1));
    int zero = op2(l, EX_LE, f.size[3], number(l, 0));
    int alarm = either(l, either(l, crossed, zero),
                       either(l, touches(k, &f), collapses(k, &f)));
    note(l, alarm, slot);
}

/* ---- matrices ---- */

static int entry_at(const SchedBlock *b, int row, int col)
{
    for (int k = b->jac.start[col]; k < b->jac.start[col + 1]; k++)
        if (b->jac.row[k] == row)
            return k;
    return NONE;
}

/* a e - b c; NONE is 0 */
static int product(Low *l, int a, int b)
{
    return a == NONE || b == NONE ? NONE : op2(l, EX_MUL, a, b);
}

static int minus(Low *l, int a, int b)
{
    if (b == NONE)
        return a;
    return a == NONE ? op1(l, EX_NEG, b) : op2(l, EX_SUB, a, b);
}

static int minor(Low *l, const int *a, int n, int i, int j)
{
    int r0 = i == 0, r1 = i == 2 ? 1 : 2, c0 = j == 0, c1 = j == 2 ? 1 : 2;
    return minus(l, product(l, a[r0 * n + c0], a[r1 * n + c1]),
                 product(l, a[r0 * n + c1], a[r1 * n + c0]));
}

/* Of up to three rows; NONE where it is 0 for all values. */
static int small_determinant(Low *l, const int *a, int n)
{
    if (n == 1)
        return a[0];
    if (n == 2)
        return minus(l, product(l, a[0], a[3]), product(l, a[1], a[2]));
    int sum = product(l, a[0], minor(l, a, 3, 0, 0));
    sum = minus(l, sum, product(l, a[1], minor(l, a, 3, 0, 1)));
    int last = product(l, a[2], minor(l, a, 3, 0, 2));
    return last == NONE ? sum : sum == NONE ? last : op2(l, EX_ADD, sum, last);
}

static int by_formula(Low *l, const SchedBlock *b)
{
    int n = b->ntorn, a[9];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int k = entry_at(b, i, j);
            a[i * n + j] = k == NONE ? NONE : lower_expr(l, b->jac.value[k]);
        }
    return small_determinant(l, a, n);
}

/* With pivots at run time: the interpreter has the determinant. */
static int by_pivoting(Low *l, const SchedBlock *b)
{
    TapeSystem s = {
        .kind = TS_PIVOT, .n = b->ntorn, .nrow = b->ntorn, .nnz = b->jac.nnz};
    s.row = NEW_ARRAY(l->arena, int, s.nnz + 1);
    s.col = NEW_ARRAY(l->arena, int, s.nnz + 1);
    s.entry = NEW_ARRAY(l->arena, int, s.nnz + 1);
    s.rhs = NEW_ARRAY(l->arena, int, s.n + 1);
    for (int j = 0; j < b->jac.n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
            s.row[k] = b->jac.row[k];
            s.col[k] = j;
            s.entry[k] = lower_expr(l, b->jac.value[k]);
        }
    s.det = tape_slot(l->tape, TR_VALUE, NULL, 0);
    for (int i = 0; i < s.n; i++)
        s.rhs[i] = s.det;
    vec_push(l->arena, &l->tape->system, s);
    tape_emit(l->tape, TAPE_FACTOR, 0, l->tape->system.n - 1, NONE, NONE);
    return s.det;
}

/* The product of the pivots; of many, of their signs. */
static int product_of(Low *l, const int *pivot, int n)
{
    int d = NONE;
    for (int i = 0; i < n; i++) {
        int p = n > MOST_PRODUCT ? op1(l, EX_SIGN, pivot[i]) : pivot[i];
        d = d == NONE ? p : op2(l, EX_MUL, d, p);
    }
    return d;
}

/* Fixed pivots do not change the parity of rows and columns; exchanges do. */
static int by_parts(Low *l, const FactorParts *p, int n)
{
    int *pivot = NEW_ARRAY(l->local, int, n + 1);
    for (int i = 0; i < n; i++)
        pivot[i] = lower_expr(l, p->pivot[i]);
    int d = product_of(l, pivot, n);
    for (int i = 0; i < p->nswap; i++) {
        int swap = lower_expr(l, p->swap[i]);
        d = tape_emit(l->tape, EX_IF, NONE, swap, op1(l, EX_NEG, d), d);
    }
    return d;
}

static int by_table(Low *l, const SchedBlock *b)
{
    int *pivot = NEW_ARRAY(l->local, int, b->ntorn + 1);
    lower_table_pivots(l, b, pivot);
    for (int i = 0; i < b->ntorn; i++)
        pivot[i] = op1(l, EX_SIGN, pivot[i]);
    return product_of(l, pivot, b->ntorn);
}

/* Is something of it another at every point? */
static bool varies(Low *l, const SchedBlock *b)
{
    for (int k = 0; k < b->jac.nnz; k++)
        if (lower_level(l, b->jac.value[k]) == LEVEL_STEP)
            return true;
    return false;
}

static int determinant(Low *l, const SchedBlock *b)
{
    const BlockFactor *f = lower_factor_of(l, b);
    if (b->ntorn <= 3)
        return by_formula(l, b);
    if (f->delta)
        return by_parts(l, f->parts, b->ntorn);
    if (f->table)
        return by_table(l, b);
    return l->factor ? NONE : by_pivoting(l, b);
}

/* ---- rounding ---- */

/* The sum of the sizes of the terms of `e`. */
static int magnitude(Low *l, Expr e, int depth)
{
    ExprOp op = expr_op(l->dag, e);
    bool is_sum = op == EX_ADD || op == EX_SUB;
    if (depth == 0 || (!is_sum && op != EX_NEG && op != EX_MUL))
        return size_of(l, lower_expr(l, e));
    int a = magnitude(l, expr_arg(l->dag, e, 0), depth - 1);
    if (op == EX_NEG)
        return a;
    int b = magnitude(l, expr_arg(l->dag, e, 1), depth - 1);
    return op2(l, is_sum ? EX_ADD : EX_MUL, a, b);
}

/* Is `entry` = N / D rounding in the first place? */
static void watch_rounding(Low *l, Expr n, int d, int entry)
{
    int size = op2(l, EX_MAX, number(l, lower_nominal(l, entry)),
                   size_of(l, l->out->slot[entry]));
    int sure =
        times(l, UNCERTAIN / DBL_EPSILON, op2(l, EX_MUL, size_of(l, d), size));
    note(l, op2(l, EX_SUB, magnitude(l, n, MOST_DEPTH), sure),
         l->out->slot[entry]);
}

/* In a closed form N is written; else it is the residual. */
static void watch_solution(Low *l, const SchedBlock *b)
{
    for (int i = 0; b->kind == SK_SOLVED && i < b->ntorn; i++) {
        Expr e = b->solution[i];
        if (expr_op(l->dag, e) == EX_DIV)
            watch_rounding(l, expr_arg(l->dag, e, 0),
                           lower_expr(l, expr_arg(l->dag, e, 1)), b->torn[i]);
    }
    if (b->kind != SK_SOLVED && b->ntorn == 1 && b->jac.nnz == 1)
        watch_rounding(l, b->residual[0], lower_expr(l, b->jac.value[0]),
                       b->torn[0]);
}

static void watch_block(Look *k, const SchedBlock *b)
{
    Low *l = k->l;
    if (b->kind == SK_ASSIGN || b->ntorn == 0 || !varies(l, b) ||
        b->may_be_undetermined || sched_nrow(b) != b->ntorn ||
        l->out->slot[b->torn[0]] == NONE)
        return;
    begin(k);
    lower_from_eqn(l, TO_DEFECT, b->residual_eqn[0], b->torn[0]);
    int d = determinant(l, b);
    if (d == NONE)
        return;
    judge(k, d, l->out->slot[b->torn[0]]);
    watch_solution(l, b);
}

/* ---- quotients ---- */

static bool has_pole(Low *l, Expr e)
{
    double x;
    switch (expr_op(l->dag, e)) {
    case EX_DIV: return lower_level(l, expr_arg(l->dag, e, 1)) == LEVEL_STEP;
    case EX_TAN: return lower_level(l, e) == LEVEL_STEP;
    case EX_POW:
        return lower_level(l, expr_arg(l->dag, e, 0)) == LEVEL_STEP &&
               expr_is_const(l->dag, expr_arg(l->dag, e, 1), &x) && x < 0;
    default: return false;
    }
}

/* More than 0: the numerator of v is more than what rounding leaves of its
 * terms. A correction that has come to nothing has any sign, and no pole. */
static int certain(Low *l, Expr v)
{
    if (expr_op(l->dag, v) != EX_DIV)
        return number(l, 1);
    Expr n = expr_arg(l->dag, v, 0);
    int noise = times(l, ROUNDED * DBL_EPSILON, magnitude(l, n, MOST_DEPTH));
    return op2(l, EX_SUB, size_of(l, lower_expr(l, n)), noise);
}

/* c = 1/v; b that of the point before, to: where the line leads. */
static void watch_pole(Look *k, Expr e, int slot)
{
    Low *l = k->l;
    begin(k);
    int v = lower_expr(l, e), change = lower_memory(l), kept = lower_memory(l);
    bool is_float = l->d->plan && l->d->plan->scalar == PS_FLOAT;
    int least = number(l, is_float ? 1e-36 : 1e-200); /* 1/0 is 0 */
    int square = op2(l, EX_ADD, op2(l, EX_MUL, v, v), least);
    int c = op2(l, EX_DIV, v, square);
    int b = shift(l, kept, c);
    int to = op2(l, EX_ADD, b, op2(l, EX_MUL, change, k->r23));
    int zero = op2(l, EX_MUL, b, op2(l, EX_SUB, times(l, 1e-6, b), to));
    int there = op2(l, EX_MUL, b, op2(l, EX_SUB, times(l, NEXT_TO_0, b), c));
    int fall = times(l, 0.5, size_of(l, op2(l, EX_SUB, to, b)));
    int off = size_of(l, op2(l, EX_SUB, c, to));
    int alarm = op2(l, EX_MIN, zero, op2(l, EX_SUB, fall, off));
    alarm = op2(l, EX_MIN, alarm, op2(l, EX_MIN, there, certain(l, e)));
    note(l, op2(l, EX_MUL, alarm, k->same), slot);
    tape_emit(l->tape, EX_MUL, change, op2(l, EX_SUB, c, b), k->same, NONE);
}

static bool is_opaque(ExprOp op)
{
    return op == EX_IF || op == EX_CALL || op == EX_LT || op == EX_LE ||
           op == EX_GT || op == EX_GE || op == EX_ATAN || op == EX_ATAN2 ||
           op == EX_TANH;
}

/* The quotients of `e`; not those in a branch, which has its reason, nor in
 * what stays finite. */
static void watch_poles(Look *k, Expr e, int slot)
{
    Low *l = k->l;
    Vec(Expr) todo = {0};
    vec_push(l->local, &todo, e);
    while (todo.n > 0) {
        Expr top = vec_pop(&todo);
        if (k->seen[top] || lower_level(l, top) != LEVEL_STEP)
            continue;
        k->seen[top] = true;
        if (is_opaque(expr_op(l->dag, top)))
            continue;
        if (has_pole(l, top))
            watch_pole(k, top, slot);
        for (int i = expr_node(l->dag, top)->narg - 1; i >= 0; i--)
            vec_push(l->local, &todo, expr_arg(l->dag, top, i));
    }
}

static void watch_assignments(Look *k, const SchedBlock *b)
{
    for (int i = 0; i < b->nchain; i++) {
        const SchedAssign *a = &b->chain[i];
        lower_from_eqn(k->l, TO_DEFECT, a->eqn, a->var);
        watch_poles(k, a->value, k->l->out->slot[a->var]);
    }
}

/* ---- the segment ---- */

bool lower_looks_for_singular(const Low *l)
{
    return l->options->defect == PD_FULL && l->d->event != NONE;
}

void lower_singular(Low *l, const Schedule *event)
{
    const Sys *sys = l->d->sys;
    if (!lower_looks_for_singular(l) || !event)
        return;
    lower_enter(l, event, l->d->event);
    Look k = {.l = l, .seen = NEW_ARRAY(l->local, bool, l->nnode + 1)};
    for (int i = 0; i < event->nblock; i++) {
        watch_block(&k, &event->block[i]);
        watch_assignments(&k, &event->block[i]);
    }
    for (int i = 0; i < sys->nvar; i++)
        if (sys->var[i].role == SR_COMPUTED) {
            lower_from(l, TO_DEFECT, NONE, i, sys->var[i].span);
            watch_poles(&k, l->d->computed[i], l->computed[i]);
        }
    if (k.has_begun)
        l->out->singular = lower_end(l);
}
