/* lower_block.c - the blocks of a schedule.
 *
 * An assignment is its expression. A system becomes a BLOCK: parts that do not
 * depend on its unknowns come before it; `eval` is the chain of assignments
 * and the residuals, `jac` the entries of the Jacobian and its factorisation,
 * `solve` the correction. The chain stands once more after the block, for the
 * last values of the iteration variables.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "lower/lower_internal.h"
#include "num/table.h"

/* ---- where we are ---- */

/* Least squares are solved by rotations here too. */
static const FactorTable *rotations(const Low *l, const SchedBlock *b)
{
    TableOptions o = {.watch = false};
    int *col = NEW_ARRAY(l->arena, int, b->jac.nnz + 1);
    for (int j = 0; j < b->jac.n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++)
            col[k] = j;
    return table_qr(sched_nrow(b), b->jac.n, b->jac.nnz, b->jac.row, col, &o,
                    l->arena);
}

static const BlockFactor *factors_of_invariants(const Low *l, const Schedule *s)
{
    BlockFactor *f = NULL;
    for (int i = 0; i < s->nblock; i++) {
        if (s->block[i].ninvariant == 0)
            continue;
        if (!f)
            f = NEW_ARRAY(l->arena, BlockFactor, s->nblock);
        f[i] = (BlockFactor){.alarm = EXPR_NONE,
                             .table = rotations(l, &s->block[i])};
    }
    return f;
}

void lower_enter(Low *l, const Schedule *s, int system)
{
    l->schedule = s;
    l->factor = l->options->factor ? l->options->factor[system]
                                   : factors_of_invariants(l, s);
}

const BlockFactor *lower_factor_of(const Low *l, const SchedBlock *b)
{
    static const BlockFactor none = {.alarm = EXPR_NONE};
    return l->factor ? &l->factor[b - l->schedule->block] : &none;
}

/* Initialisation iterates to convergence, whatever the block. Integrators of
 * others begin anywhere: nonlinear blocks do so there, as far as a dense matrix
 * for them is no burden. */
static bool is_damped(const Low *l, const SchedBlock *b)
{
    enum { LARGEST = 100 };
    return l->in_init ||
           (l->in_rates && b->kind == SK_NONLINEAR && b->ninvariant == 0 &&
            !b->has_no_matrix && b->ntorn <= LARGEST);
}

/* ---- where instructions come from ---- */

void lower_from(Low *l, TapeRole role, int number, int entry, Span span)
{
    tape_from(l->tape, (TapeOrigin){role, NONE, number, entry, span});
}

void lower_from_eqn(Low *l, TapeRole role, int eqn, int entry)
{
    const InlinedSystem *s = l->schedule->system;
    if (s->is_estimate && eqn != NONE)
        role = inlined_is_local(&s->eqn[eqn]) ? TO_ESTIMATE : TO_RUNNING;
    TapeOrigin o = {role, (int)(s - l->d->system), eqn, entry, NO_SPAN};
    if (eqn != NONE)
        o.span = s->eqn[eqn].span;
    tape_from(l->tape, o);
}

void lower_from_entry(Low *l, const SchedBlock *b, int k, int col)
{
    lower_from_eqn(l, TO_JACOBIAN, b->residual_eqn[b->jac.row[k]],
                   b->torn[col]);
}

/* In the code of a solution, entries of the Jacobian are seen. */
static void hint_entries(Low *l, const SchedBlock *b, bool on)
{
    int outer = l->tape->here;
    for (int j = 0; j < b->jac.n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
            if (on)
                lower_from_entry(l, b, k, j);
            l->hint[b->jac.value[k]] = on ? l->tape->here : 0;
        }
    l->tape->here = outer;
}

static void from_torn(Low *l, TapeRole role, const SchedBlock *b, int i)
{
    lower_from_eqn(l, role, b->residual_eqn[i],
                   i < b->ntorn ? b->torn[i] : NONE);
}

/* ---- assignments ---- */

/* guess - var is known where var := guess - e or guess + e was lowered. */
static void remember_part(Low *l, int var, Expr value)
{
    Expr correction = l->d->var[var].correction;
    ExprOp op = expr_op(l->dag, value);
    if (correction == EXPR_NONE || (op != EX_ADD && op != EX_SUB))
        return;
    Expr guess = l->d->var[var].guess;
    int at = expr_arg(l->dag, value, 0) == guess ? 0 : 1;
    if (expr_arg(l->dag, value, at) != guess || (at == 1 && op == EX_SUB))
        return;
    int slot = lower_expr(l, expr_arg(l->dag, value, 1 - at));
    if (op == EX_ADD)
        slot = tape_emit(l->tape, EX_NEG, NONE, slot, NONE, NONE);
    lower_remember(l, correction, slot);
}

static void lower_assign(Low *l, const SchedAssign *a)
{
    lower_from_eqn(l, TO_ASSIGN, a->eqn, a->var);
    lower_to(l, a->value, l->out->slot[a->var]);
    remember_part(l, a->var, a->value);
}

/* After one iteration from the guess, delta is guess - x. (Where exec.c
 * iterates to a tolerance, it sees to that.) */
static void remember_delta(Low *l, const SchedBlock *b, const TapeBlock *t)
{
    for (int i = 0; t->iterations == 1 && i < b->ntorn; i++) {
        Expr correction = l->d->var[b->torn[i]].correction;
        if (correction != EXPR_NONE && !t->is_damped)
            lower_remember(l, correction, t->delta[i]);
    }
}

double lower_nominal(const Low *l, int entry)
{
    return inlined_nominal(l->d, entry);
}

static const char *block_name(const Low *l, const SchedBlock *b)
{
    Arena *arena = l->arena;
    const char *text = l->d->var[b->torn[0]].name;
    for (int i = 1; i < b->ntorn && i < 3; i++)
        text = arena_printf(arena, "%s, %s", text, l->d->var[b->torn[i]].name);
    if (b->ntorn > 3)
        text = arena_printf(arena, "%s, ... (%d in all)", text, b->ntorn);
    return text;
}

static int *slots_of(const Low *l, const int *entry, int n)
{
    int *slot = NEW_ARRAY(l->arena, int, n);
    for (int i = 0; i < n; i++)
        slot[i] = l->out->slot[entry[i]];
    return slot;
}

static int *temps(const Low *l, int n)
{
    int *slot = NEW_ARRAY(l->arena, int, n);
    for (int i = 0; i < n; i++)
        slot[i] = tape_slot(l->tape, TR_TEMP, NULL, 0);
    return slot;
}

/* Where else an iteration can begin: states at their last values, at rest. */
static int fallback_of(const Low *l, int entry)
{
    const InlinedVar *v = &l->d->var[entry];
    if (v->kind != IV_VALUE || l->in_init)
        return NONE;
    if (v->order > 0)
        return tape_const(l->tape, 0);
    int old = inlined_find_old(l->d, v->sys_var, 0, 1);
    return old == NONE ? NONE : l->out->slot[old];
}

/* Which iteration variables have start values of the model's own: these hold
 * where its equations leave a choice. */
static bool *own_starts(const Low *l, const SchedBlock *b)
{
    if (!l->in_init)
        return NULL;
    bool *has = NEW_ARRAY(l->arena, bool, b->ntorn);
    for (int i = 0; i < b->ntorn; i++) {
        const InlinedVar *v = &l->d->var[b->torn[i]];
        has[i] = v->kind == IV_VALUE && v->order == 0 && v->sys_var != NONE &&
                 l->d->sys->var[v->sys_var].start != EXPR_NONE;
    }
    return has;
}

/* A method that prescribes one iteration means its stages, unless the plan
 * delays information between iterations and says how many these are. The model
 * at the end of the step, evaluated from the states of an extrapolation, must
 * be solved as well as the extrapolation is accurate. */
static int iterations_of(const Low *l, const InlinedSystem *s,
                         const SchedBlock *b)
{
    const InlinedVar *v = &l->d->var[b->torn[0]];
    bool is_stage =
        !s->method || s->method->is_stiffly_accurate || v->stage != DIFF_END;
    bool iterates =
        l->d->plan && plan_iterates(l->d->plan) && l->options->newton > 0;
    if (s->newton > 0 && is_stage && !iterates)
        return s->newton;
    return l->options->newton > 0 ? l->options->newton : PLAN_NEWTON_ITERATIONS;
}

/* Is one pass all there is? Increments have linear equations; with a matrix
 * that the plan has cut, the one solution with it is the method's. */
static bool is_linear(const Low *l, const SchedBlock *b)
{
    return b->kind != SK_NONLINEAR ||
           l->d->var[b->torn[0]].kind == IV_INCREMENT;
}

/* One solution from anywhere is the same, up to rounding. With fixed pivots it
 * begins at 0 (schedule/from_zero.c); where it would be free, with pivots that
 * are looked for, the last values tell which one is meant. */
static bool is_from_zero(const Low *l, const SchedBlock *b)
{
    return b->residual_from_zero && !is_damped(l, b) &&
           (b->may_be_undetermined || lower_factor_of(l, b)->delta != NULL);
}

/* Where modes change from pass to pass of an event, what does not follow from
 * them is the same if all passes begin at the same values. */
static bool is_passed(const Low *l, const Schedule *s, const SchedBlock *b)
{
    bool is_event =
        l->d->event != NONE && s->system == &l->d->system[l->d->event];
    return is_event && is_linear(l, b) && !is_from_zero(l, b) &&
           lower_factor_of(l, b)->delta != NULL;
}

static const SchedAssign *begun_chain(const Low *l, const SchedBlock *b)
{
    return is_from_zero(l, b) ? b->chain_from_zero : b->chain;
}

static const Expr *begun_residual(const Low *l, const SchedBlock *b)
{
    return is_from_zero(l, b) ? b->residual_from_zero : b->residual;
}

static int new_block(Low *l, const Schedule *s, const SchedBlock *b)
{
    int newton = iterations_of(l, s->system, b);
    TapeBlock t = {.name = block_name(l, b),
                   .n = b->ntorn,
                   .x = slots_of(l, b->torn, b->ntorn),
                   .nrow = sched_nrow(b),
                   .residual = temps(l, sched_nrow(b)),
                   .delta = temps(l, b->ntorn),
                   .fallback = NEW_ARRAY(l->arena, int, b->ntorn),
                   .nominal = NEW_ARRAY(l->arena, double, b->ntorn),
                   .has_start = own_starts(l, b),
                   .is_linear = is_linear(l, b),
                   .is_open = b->may_be_undetermined,
                   .is_passed = is_passed(l, s, b),
                   .has_no_matrix = b->has_no_matrix,
                   .is_damped = is_damped(l, b),
                   .residual_eqn = b->residual_eqn};
    t.iterations = t.is_linear ? 1 : newton;
    for (int i = 0; i < b->ntorn; i++) {
        t.nominal[i] = lower_nominal(l, b->torn[i]);
        t.fallback[i] = fallback_of(l, b->torn[i]);
    }
    vec_push(l->arena, &l->tape->block, t);
    return l->tape->block.n - 1;
}

/* The system of the block: rhs and solution are the block's delta. */
static int new_system(Low *l, const SchedBlock *b, const TapeBlock *t)
{
    TapeSystem s = {.kind = TS_PIVOT,
                    .n = b->ntorn,
                    .nrow = b->ntorn,
                    .nnz = b->jac.nnz,
                    .row = NEW_ARRAY(l->arena, int, b->jac.nnz + 1),
                    .col = NEW_ARRAY(l->arena, int, b->jac.nnz + 1),
                    .entry = NEW_ARRAY(l->arena, int, b->jac.nnz + 1),
                    .rhs = t->delta};
    for (int j = 0; j < b->jac.n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
            s.row[k] = b->jac.row[k];
            s.col[k] = j;
        }
    vec_push(l->arena, &l->tape->system, s);
    return l->tape->system.n - 1;
}

static void mark_unknowns(Low *l, const SchedBlock *b)
{
    l->block++;
    for (int i = 0; i < b->ntorn; i++)
        l->block_var[b->torn[i]] = l->block;
    for (int i = 0; i < b->nchain; i++)
        l->block_var[b->chain[i].var] = l->block;
}

static void lower_before(Low *l, const SchedBlock *b)
{
    for (int i = 0; i < b->nchain; i++) {
        lower_from_eqn(l, TO_ASSIGN, b->chain[i].eqn, b->chain[i].var);
        lower_invariants(l, begun_chain(l, b)[i].value);
    }
    for (int i = 0; i < sched_nrow(b); i++) {
        from_torn(l, TO_RESIDUAL, b, i);
        lower_invariants(l, begun_residual(l, b)[i]);
    }
    from_torn(l, TO_FACTOR, b, 0);
    const BlockFactor *f = lower_factor_of(l, b);
    bool damped = is_damped(l, b), unrolled = f->delta && !damped;
    bool entries = !unrolled && (damped || !lower_is_constant(l, b));
    for (int k = 0; entries && k < b->jac.nnz; k++)
        lower_invariants(l, b->jac.value[k]);
    if (unrolled && f->is_watched)
        lower_invariants(l, f->alarm);
    for (int i = 0; unrolled && i < b->ntorn; i++) {
        from_torn(l, TO_SOLVE, b, i);
        lower_invariants(l, f->delta[i]);
    }
    for (int i = 0; i < b->ntorn; i++) {
        Expr guess = l->d->var[b->torn[i]].guess;
        int slot = l->out->slot[b->torn[i]];
        from_torn(l, TO_GUESS, b, i);
        if (is_from_zero(l, b))
            tape_emit(l->tape, TAPE_COPY, slot, tape_const(l->tape, 0), NONE,
                      NONE);
        else if (guess != EXPR_NONE && !damped)
            lower_to(l, guess, slot);
    }
}

/* Jacobian, factorisation and solution as plain code. Returns where the factors
 * are, if another solution needs them. */
static LowFactorSlots lower_unrolled(Low *l, const SchedBlock *b, int number)
{
    LowFactorSlots held = {0};
    Tape *t = l->tape;
    const BlockFactor *f = lower_factor_of(l, b);
    int begin = t->code.n;
    if (f->is_watched) { /* first: it goes through the pivots in their order */
        int slot = tape_slot(t, TR_TEMP, NULL, 0);
        from_torn(l, TO_FACTOR, b, 0);
        for (int i = 0; i < f->npartial; i++)
            if (lower_level(l, f->partial[i]) == LEVEL_STEP) /* else moved */
                lower_expr(l, f->partial[i]);
        lower_to(l, f->alarm, slot);
        t->block.at[number].monitor = slot;
    }
    for (int i = 0; i < b->ntorn; i++) {
        from_torn(l, TO_SOLVE, b, i);
        lower_to(l, f->delta[i], t->block.at[number].delta[i]);
    }
    if (lower_has_defect(l, b))
        held = lower_hold_factors(l, b);
    if (lower_has_sign(l, b, t->block.at[number].iterations))
        lower_sign_of_parts(l, b);
    t->block.at[number].nsolve = t->code.n - begin;
    return held;
}

/* ---- tables ---- */

static int slots_in_a_row(Tape *t, TapeRegion region, int n)
{
    int first = t->nslot;
    for (int i = 0; i < n; i++)
        tape_slot(t, region, NULL, 0);
    return first;
}

/* A system that is solved by tables; its factors live in `region`, or are those
 * that begin at slot `factors`. */
static int new_table_system(Low *l, const SchedBlock *b, TapeRegion region,
                            int factors)
{
    const FactorTable *k = lower_factor_of(l, b)->table;
    TapeSystem s = {.kind = k->is_qr ? TS_TABLE_QR : TS_TABLE_LU,
                    .n = k->n,
                    .nrow = k->nrow,
                    .nnz = k->nnz,
                    .row = NEW_ARRAY(l->arena, int, k->nnz + 1),
                    .col = NEW_ARRAY(l->arena, int, k->nnz + 1),
                    .entry = NEW_ARRAY(l->arena, int, k->nnz + 1),
                    .rhs = NEW_ARRAY(l->arena, int, k->nrow + 1),
                    .table = k,
                    .factors = factors != NONE ? factors
                                               : slots_in_a_row(l->tape, region,
                                                                k->nfactor),
                    .vector = slots_in_a_row(l->tape, TR_TEMP, k->nvector)};
    for (int j = 0; j < b->jac.n; j++)
        for (int i = b->jac.start[j]; i < b->jac.start[j + 1]; i++) {
            s.row[i] = b->jac.row[i];
            s.col[i] = j;
            s.entry[i] = s.factors + k->place[i];
        }
    for (int i = 0; i < k->nrow; i++)
        s.rhs[i] = s.vector + i;
    vec_push(l->arena, &l->tape->system, s);
    return l->tape->system.n - 1;
}

static void lower_factor(Low *l, const SchedBlock *b, int system)
{
    for (int j = 0; j < b->jac.n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
            lower_from_entry(l, b, k, j);
            lower_to(l, b->jac.value[k], l->tape->system.at[system].entry[k]);
        }
    from_torn(l, TO_FACTOR, b, 0);
    tape_emit(l->tape, TAPE_FACTOR, 0, system, NONE, NONE);
}

bool lower_is_constant(Low *l, const SchedBlock *b)
{
    if (!lower_factor_of(l, b)->table)
        return false;
    for (int k = 0; k < b->jac.nnz; k++)
        if (lower_level(l, b->jac.value[k]) == LEVEL_STEP)
            return false;
    return true;
}

/* The factors of a block with the same matrix among list[0 .. n-1], or NONE.
 * Those have the same table (step/pivots.c). */
static int shared_factors(const Low *l, const SchedBlock *b,
                          const LowFactors *list, int n)
{
    const FactorTable *table = lower_factor_of(l, b)->table;
    for (int i = 0; i < n; i++)
        if (list[i].table == table)
            return l->tape->system.at[list[i].system].factors;
    return NONE;
}

void lower_constant_tables(Low *l, const Schedule *s)
{
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        if (b->kind == SK_ASSIGN || b->kind == SK_SOLVED ||
            !lower_is_constant(l, b))
            continue;
        int shared = shared_factors(l, b, l->constant.at, l->constant.n);
        LowFactors c = {b, lower_factor_of(l, b)->table,
                        new_table_system(l, b, TR_DERIVED, shared)};
        if (shared == NONE)
            lower_factor(l, b, c.system);
        vec_push(l->local, &l->constant, c);
    }
}

/* The system of the block; *ready if its factors are there. */
static int table_system(Low *l, const SchedBlock *b, bool *ready)
{
    for (int i = 0; i < l->constant.n; i++)
        if (l->constant.at[i].block == b) {
            *ready = true;
            return l->constant.at[i].system;
        }
    int shared = shared_factors(l, b, l->made.at, l->made.n);
    *ready = shared != NONE;
    LowFactors made = {b, lower_factor_of(l, b)->table,
                       new_table_system(l, b, TR_TEMP, shared)};
    vec_push(l->local, &l->made, made);
    return made.system;
}

/* Residuals are computed where the right-hand side stands, the correction is
 * read where the solution appears. To be called before the block is filled. */
static int begin_table(Low *l, const SchedBlock *b, int number, bool *ready)
{
    int system = table_system(l, b, ready);
    const TapeSystem *s = &l->tape->system.at[system];
    TapeBlock *t = &l->tape->block.at[number];
    for (int i = 0; i < sched_nrow(b); i++)
        t->residual[i] = s->vector + i;
    for (int i = 0; i < b->ntorn; i++)
        t->delta[i] = s->vector + sched_nrow(b) + i;
    const FactorTable *table = lower_factor_of(l, b)->table;
    if (table->excess != NONE)
        t->monitor = s->factors + table->excess;
    return system;
}

static void lower_table(Low *l, const SchedBlock *b, int number, int system,
                        bool ready)
{
    Tape *t = l->tape;
    int begin = t->code.n;
    if (!ready)
        lower_factor(l, b, system);
    t->block.at[number].njac = t->code.n - begin;
    from_torn(l, TO_SOLVE, b, 0);
    tape_emit(t, TAPE_SOLVE, 0, system, NONE, NONE);
    t->block.at[number].nsolve = 1;
}

int lower_table_again(Low *l, const SchedBlock *b, int system)
{
    return new_table_system(l, b, TR_TEMP, l->tape->system.at[system].factors);
}

void lower_table_places(const Low *l, const SchedBlock *b, int system,
                        int *pivot)
{
    const FactorTable *k = lower_factor_of(l, b)->table;
    int factors = l->tape->system.at[system].factors;
    for (int i = 0; i < k->n; i++)
        pivot[i] = factors + (k->is_qr ? (int)(k->qr.r + k->qr.diag[i]) : i);
}

void lower_table_pivots(Low *l, const SchedBlock *b, int *pivot)
{
    int system = new_table_system(l, b, TR_TEMP, NONE);
    lower_factor(l, b, system);
    lower_table_places(l, b, system, pivot);
}

static int lower_pivoting(Low *l, const SchedBlock *b, int number)
{
    Tape *t = l->tape;
    int system = new_system(l, b, &t->block.at[number]);
    int begin = t->code.n;
    for (int j = 0; j < b->jac.n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
            lower_from_entry(l, b, k, j);
            t->system.at[system].entry[k] = lower_expr(l, b->jac.value[k]);
        }
    from_torn(l, TO_FACTOR, b, 0);
    tape_emit(t, TAPE_FACTOR, 0, system, NONE, NONE);
    t->block.at[number].njac = t->code.n - begin;
    begin = t->code.n;
    const TapeBlock *tb = &t->block.at[number];
    for (int i = 0; i < b->ntorn; i++) {
        from_torn(l, TO_SOLVE, b, i);
        tape_emit(t, TAPE_COPY, tb->delta[i], tb->residual[i], NONE, NONE);
    }
    tape_emit(t, TAPE_SOLVE, 0, system, NONE, NONE);
    t->block.at[number].nsolve = t->code.n - begin;
    return system;
}

static void lower_system(Low *l, const Schedule *s, const SchedBlock *b)
{
    Tape *t = l->tape;
    mark_unknowns(l, b);
    hint_entries(l, b, true);
    lower_before(l, b);
    int number = new_block(l, s, b);
    if (l->d->var[b->torn[0]].kind == IV_INCREMENT && l->increments == NONE)
        l->increments = number;
    const BlockFactor *f = lower_factor_of(l, b);
    bool damped = t->block.at[number].is_damped;
    bool by_table = f->table && !damped, ready = false;
    int system = by_table ? begin_table(l, b, number, &ready) : NONE;
    tape_emit(t, TAPE_BLOCK, 0, number, NONE, NONE);

    l->undo_on = true; /* values in the loop are older than its last x */
    int begin = t->code.n;
    for (int i = 0; i < b->nchain; i++)
        lower_assign(l, &begun_chain(l, b)[i]);
    for (int i = 0; i < sched_nrow(b); i++) {
        from_torn(l, TO_RESIDUAL, b, i);
        lower_to(l, begun_residual(l, b)[i], t->block.at[number].residual[i]);
    }
    int iterations = t->block.at[number].iterations;
    bool is_late = lower_is_late(l, b, iterations);
    double *weight = is_late ? lower_late(l, b, number) : NULL;
    t->block.at[number].neval = t->code.n - begin;
    LowFactorSlots held = {0};
    if (by_table)
        lower_table(l, b, number, system, ready);
    else if (f->delta && !damped)
        held = lower_unrolled(l, b, number);
    else
        system = lower_pivoting(l, b, number);
    lower_damping(l, s, b, number, begin);
    l->undo_on = false;
    hint_entries(l, b, false);
    for (int i = 0; i < l->undo.n; i++)
        l->memo_of[l->undo.at[i]] = 0;
    vec_clear(&l->undo);
    remember_delta(l, b, &t->block.at[number]);
    for (int i = 0; i < b->nchain; i++)
        lower_assign(l, &b->chain[i]);
    if (lower_has_defect(l, b))
        lower_defect(l, b, number, system, &held);
    if (by_table && !ready && lower_has_sign(l, b, iterations))
        lower_sign_of_table(l, b, system);
    if (weight)
        lower_end_late(l, b, number, weight);
}

/* Linear and solved in closed form; initialisation iterates these too, because
 * a start value can make the denominator vanish. */
static void lower_solved(Low *l, const SchedBlock *b)
{
    for (int i = 0; i < b->ntorn; i++) {
        from_torn(l, TO_ASSIGN, b, i);
        lower_to(l, b->solution[i], l->out->slot[b->torn[i]]);
        remember_part(l, b->torn[i], b->solution[i]);
    }
    for (int i = 0; i < b->nchain; i++)
        lower_assign(l, &b->chain[i]);
}

void lower_schedule(Low *l, const Schedule *s)
{
    vec_clear(&l->made);
    lower_begin_late(l);
    l->increments = NONE;
    l->eta = l->fall = 0;
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        if (b->kind == SK_ASSIGN)
            lower_assign(l, &b->chain[0]);
        else if (b->kind == SK_SOLVED)
            lower_solved(l, b);
        else
            lower_system(l, s, b);
    }
    for (int i = 0; i < s->ntail; i++)
        lower_assign(l, &s->tail[i]);
    lower_judge_late(l);
    lower_defect_of_step(l, s);
}
