/* damping.c - how much of a correction algebraic unknowns take.
 *
 * Newton's method overshoots where an equation bends, as the square root of an
 * orifice does near rest. Step by step the factor of the correction is the best
 * of
 *
 *     min(1, 2 lambda), lambda, max(lambda / 2, 1/64)
 *
 * by what the algebraic equations leave over with it (Schiela 5.5); the states
 * take their whole correction. All three are evaluated in every iteration, and
 * the best is found by selections: the work is constant.
 *
 * `eval` of the block is copied: once what depends on states alone, three
 * times what depends on algebraic unknowns, and of both only what the
 * residuals of algebraic equations need. With several of these, each counts by
 * its share of the largest of its three values, so that units do not matter.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/lower_internal.h"

enum { NFACTOR = 3 };
static const double LEAST = 1.0 / 64;
static const double TOO_LARGE = 1e30; /* what is no residual any more */
static const double ROUNDING = 1e-12; /* of the terms of a residual */

typedef enum Follows {
    FROM_NOTHING, /* of the block's unknowns */
    FROM_STATES,
    FROM_ALGEBRAIC,
} Follows;

typedef struct Damping {
    Low *l;
    Tape *t;
    TapeBlock *block;
    int eval;       /* first instruction of the block's evaluation */
    bool *is_moved; /* unknown i is algebraic: it takes a part */
    bool *is_row;   /* residual i counts */
    int nrow;
    char *follows; /* Follows of each slot */
    bool *needed;  /* instruction of `eval`: residuals that count need it */
    int nslot;     /* before anything was added */
    int *full;     /* slots of whole corrections */
} Damping;

/* ---- what is algebraic ---- */

static bool is_algebraic(const InlinedVar *v)
{
    return v->kind == IV_VALUE && v->order == 0 && !v->is_state &&
           !v->is_discrete;
}

typedef struct Search {
    const Inlined *d;
    bool found;
} Search;

static void see_derivative(void *context, const Dag *dag, Expr e)
{
    Search *s = context;
    int var = NONE, order = 0;
    if (expr_is_var(dag, e, &var, &order) && s->d->var[var].kind == IV_VALUE &&
        s->d->var[var].order > 0)
        s->found = true;
}

/* An equation of the model without derivatives. */
static bool is_algebraic_row(const Low *l, const InlinedEqn *e)
{
    Search s = {l->d, false};
    const Expr side[] = {e->lhs, e->rhs};
    if (e->kind != IE_MODEL)
        return false;
    expr_walk(l->dag, side, 2, see_derivative, &s);
    return !s.found;
}

/* Rows that count: the algebraic ones; where tearing has left others to be the
 * residuals, all. */
static void find_rows(Damping *d, const Schedule *s, const SchedBlock *b)
{
    for (int i = 0; i < b->ntorn; i++) {
        d->is_row[i] =
            is_algebraic_row(d->l, &s->system->eqn[b->residual_eqn[i]]);
        d->nrow += d->is_row[i];
    }
    for (int i = 0; d->nrow == 0 && i < b->ntorn; i++)
        d->is_row[i] = true;
    d->nrow = d->nrow == 0 ? b->ntorn : d->nrow;
}

/* ---- the evaluation, once more ---- */

static void find_follows(Damping *d)
{
    const TapeBlock *b = d->block;
    for (int i = 0; i < b->n; i++)
        d->follows[b->x[i]] = d->is_moved[i] ? FROM_ALGEBRAIC : FROM_STATES;
    for (int i = 0; i < b->neval; i++) {
        const TapeInstr *in = &d->t->code.at[d->eval + i];
        int arg[3], n = tape_reads(in, arg), dst = tape_writes(in);
        for (int k = 0; dst != NONE && k < n; k++)
            if (arg[k] != NONE && d->follows[arg[k]] > d->follows[dst])
                d->follows[dst] = d->follows[arg[k]];
    }
}

static void find_needed(Damping *d)
{
    const TapeBlock *b = d->block;
    bool *live = NEW_ARRAY(d->l->local, bool, d->nslot);
    for (int i = 0; i < b->n; i++)
        live[b->residual[i]] |= d->is_row[i];
    for (int i = b->neval - 1; i >= 0; i--) {
        const TapeInstr *in = &d->t->code.at[d->eval + i];
        int arg[3], n = tape_reads(in, arg), dst = tape_writes(in);
        d->needed[i] = dst != NONE && live[dst];
        for (int k = 0; d->needed[i] && k < n; k++)
            if (arg[k] != NONE)
                live[arg[k]] = true;
    }
}

/* What follows from `which` at the slots that `map` gives for the unknowns;
 * results go to new slots, to be found in `map`. */
static void evaluate(Damping *d, Follows which, int *map)
{
    for (int i = 0; i < d->block->neval; i++) {
        const TapeInstr in = d->t->code.at[d->eval + i];
        if (!d->needed[i] || d->follows[in.dst] != (char)which)
            continue;
        int operand[] = {in.a, in.b, in.c};
        for (int k = 0; k < 3; k++)
            if (tape_op_reads(in.op) >> k & 1 && operand[k] != NONE)
                operand[k] = map[operand[k]];
        map[in.dst] =
            tape_emit(d->t, in.op, NONE, operand[0], operand[1], operand[2]);
    }
}

static int emit(const Damping *d, int op, int a, int b, int c)
{
    return tape_emit(d->t, op, NONE, a, b, c);
}

/* Unknowns of the kind `moved` less `factor` (NONE: 1) of their correction. */
static void move(Damping *d, bool moved, int factor, int *map)
{
    const TapeBlock *b = d->block;
    for (int i = 0; i < b->n; i++) {
        if (d->is_moved[i] != moved)
            continue;
        int part = factor == NONE ? d->full[i]
                                  : emit(d, EX_MUL, factor, d->full[i], NONE);
        map[b->x[i]] = emit(d, EX_SUB, b->x[i], part, NONE);
    }
}

/* The size of each residual that counts, with each factor. */
static void try_factors(Damping *d, const int factor[NFACTOR],
                        int *size[NFACTOR])
{
    const TapeBlock *b = d->block;
    int *map = NEW_ARRAY(d->l->local, int, d->nslot);
    for (int i = 0; i < d->nslot; i++)
        map[i] = i;
    move(d, false, NONE, map);
    evaluate(d, FROM_STATES, map);
    for (int k = 0; k < NFACTOR; k++) {
        size[k] = NEW_ARRAY(d->l->local, int, d->nrow);
        move(d, true, factor[k], map);
        evaluate(d, FROM_ALGEBRAIC, map);
        for (int i = 0, n = 0; i < b->n; i++)
            if (d->is_row[i])
                size[k][n++] = emit(d, EX_ABS, map[b->residual[i]], NONE, NONE);
    }
}

/* ---- the choice ---- */

/* The terms whose difference the residual in `slot` is are known to rounding
 * only; returns how large that is, or NONE. */
static int rounding(const Damping *d, int slot)
{
    for (int i = d->block->neval - 1; i >= 0; i--) {
        const TapeInstr in = d->t->code.at[d->eval + i];
        if (tape_writes(&in) != slot)
            continue;
        if (in.op != EX_ADD && in.op != EX_SUB)
            return NONE;
        int a = emit(d, EX_ABS, in.a, NONE, NONE);
        int b = emit(d, EX_ABS, in.b, NONE, NONE);
        return emit(d, EX_MUL, tape_const(d->t, ROUNDING),
                    emit(d, EX_ADD, a, b, NONE), NONE);
    }
    return NONE;
}

/* Divides the sizes of row n, residual `slot`, by the largest of them. */
static void make_shares(Damping *d, int slot, int *size[NFACTOR], int n)
{
    int most = size[0][n], noise = rounding(d, slot);
    for (int k = 1; k < NFACTOR; k++) /* one that is no number is left out */
        most = emit(d, EX_IF, emit(d, EX_LT, most, size[k][n], NONE),
                    size[k][n], most);
    most = emit(d, EX_ADD, most, tape_const(d->t, 1 / TOO_LARGE), NONE);
    if (noise != NONE)
        most = emit(d, EX_ADD, most, noise, NONE);
    int unit = emit(d, EX_DIV, tape_const(d->t, 1), most, NONE);
    for (int k = 0; k < NFACTOR; k++)
        size[k][n] = emit(d, EX_MUL, size[k][n], unit, NONE);
}

/* One number for each factor: smaller is better, TOO_LARGE is useless. */
static void judge(Damping *d, int *size[NFACTOR], int level[NFACTOR])
{
    int large = tape_const(d->t, TOO_LARGE);
    for (int i = 0, n = 0; d->nrow > 1 && i < d->block->n; i++)
        if (d->is_row[i])
            make_shares(d, d->block->residual[i], size, n++);
    for (int k = 0; k < NFACTOR; k++) {
        int sum = size[k][0];
        for (int n = 1; n < d->nrow; n++)
            sum = emit(d, EX_ADD, sum, size[k][n], NONE);
        level[k] = emit(d, EX_IF, emit(d, EX_LT, sum, large, NONE), sum, large);
    }
}

/* The factor with the least level, of equal ones the largest; the smallest if
 * all are useless. */
static int choose(const Damping *d, const int factor[NFACTOR],
                  const int level[NFACTOR])
{
    int best = level[0], chosen = factor[0];
    for (int k = 1; k < NFACTOR; k++) {
        int is_less = emit(d, EX_LT, level[k], best, NONE);
        chosen = emit(d, EX_IF, is_less, factor[k], chosen);
        best = emit(d, EX_IF, is_less, level[k], best);
    }
    int is_useful = emit(d, EX_LT, best, tape_const(d->t, TOO_LARGE), NONE);
    return emit(d, EX_IF, is_useful, chosen, factor[NFACTOR - 1]);
}

/* ---- a block ---- */

static void damp(Damping *d, int lambda)
{
    Tape *t = d->t;
    int *size[NFACTOR], level[NFACTOR];
    int twice = emit(d, EX_ADD, lambda, lambda, NONE);
    int half = emit(d, EX_MUL, tape_const(t, 0.5), lambda, NONE);
    int now = emit(d, TAPE_COPY, lambda, NONE, NONE);
    const int factor[NFACTOR] = {
        emit(d, EX_MIN, tape_const(t, 1), twice, NONE), now,
        emit(d, EX_MAX, tape_const(t, LEAST), half, NONE)};
    try_factors(d, factor, size);
    judge(d, size, level);
    int chosen = choose(d, factor, level);
    tape_emit(t, TAPE_COPY, lambda, chosen, NONE, NONE);
    TapeBlock *b = d->block;
    b->full = d->full;
    b->delta = NEW_ARRAY(d->l->arena, int, b->n);
    for (int i = 0; i < b->n; i++)
        b->delta[i] = d->is_moved[i] ? emit(d, EX_MUL, chosen, d->full[i], NONE)
                                     : d->full[i];
    b->damping = lambda;
}

/* Which unknowns take a part of their correction? False: none. */
static bool find_moved(Damping *d, const SchedBlock *b)
{
    bool any = false;
    for (int i = 0; i < b->ntorn; i++) {
        d->is_moved[i] = is_algebraic(&d->l->d->var[b->torn[i]]);
        any |= d->is_moved[i];
    }
    return any;
}

void lower_damping(Low *l, const Schedule *s, const SchedBlock *b, int number,
                   int eval)
{
    Tape *t = l->tape;
    TapeBlock *block = &t->block.at[number];
    if (!l->options->damping || l->in_init || !s->system->method ||
        block->is_linear)
        return;
    Damping d = {.l = l, .t = t, .block = block, .eval = eval};
    d.is_moved = NEW_ARRAY(l->local, bool, b->ntorn);
    d.is_row = NEW_ARRAY(l->local, bool, b->ntorn);
    d.needed = NEW_ARRAY(l->local, bool, block->neval + 1);
    d.full = block->delta;
    if (!find_moved(&d, b))
        return;
    tape_from(t, (TapeOrigin){TO_DAMPING, NONE, NONE, NONE, NO_SPAN});
    int lambda = tape_slot(
        t, TR_CARRY, arena_printf(l->arena, "damping of %s", block->name), 1);
    d.nslot = t->nslot;
    d.follows = NEW_ARRAY(l->local, char, d.nslot);
    find_rows(&d, s, b);
    find_follows(&d);
    find_needed(&d);
    int begin = t->code.n;
    damp(&d, lambda);
    block->nsolve += t->code.n - begin;
}
