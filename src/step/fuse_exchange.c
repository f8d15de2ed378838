/* fuse_exchange.c - the model without a method, for integrators of others.
 *
 *   rates     what follows from time, states and inputs while relations and
 *             discrete variables are held: derivatives, outputs, indicators
 *   accept    the integrator has come to a point that counts: assertions,
 *             bounds; does anything ask for an event?
 *   event     relations, discrete variables and reinit come to rest; when is
 *             the next event of time?
 *   tangent   the rates, and how they move along a direction
 *
 * An indicator is above 0 on one side of a relation and not on the other, where
 * both sides are equal: rhs - lhs of lhs < rhs, lhs - rhs of lhs <= rhs. It
 * changes its side where the relation does; from the side with equality only
 * beyond a band as wide as those of point/bands.c: integrators may stop where
 * it is 0 to the last bit, and take what comes from 0 for no change. One of
 * floor and the like is how far it is to the next jump. Relations that are
 * linear in time and depend on nothing else that moves are events of time and
 * have none.
 *
 * Integrators of others begin anywhere, so blocks are solved to convergence
 * here (Lowered.rates). Where one is not, the segment ends at once and nothing
 * of it is kept: the next attempt begins where the last good one ended.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "step/fuse_internal.h"

enum { LEAST_ITERATIONS = 20 }; /* of a block that cannot be damped */

static int emit(Fuse *f, int op, int a, int b)
{
    return tape_emit(f->t, op, NONE, a, b, NONE);
}

/* ---- relations ---- */

static ExprOp op_of(const Fuse *f, int relation)
{
    return expr_op(f->d->dag, f->d->relation[relation].now);
}

static bool is_comparison(ExprOp op)
{
    return op == EX_LT || op == EX_LE || op == EX_GT || op == EX_GE;
}

/* What changes its side, or goes from whole number to whole number. */
static Expr argument(const Fuse *f, int relation)
{
    Dag *dag = f->d->dag;
    Expr now = f->d->relation[relation].now, a = expr_arg(dag, now, 0);
    if (expr_node(dag, now)->narg < 2)
        return a;
    Expr b = expr_arg(dag, now, 1);
    return is_comparison(expr_op(dag, now)) ? expr_sub(dag, a, b)
                                            : expr_div(dag, a, b);
}

static bool is_timed(const Fuse *f, int relation)
{
    Dag *dag = f->d->dag;
    return f->d->relation[relation].is_of_time &&
           expr_dependence(dag, argument(f, relation), expr_time(dag), NULL,
                           NULL) == DEP_LINEAR;
}

/* The same from the slots of its sides. */
static int argument_slot(Fuse *f, int relation)
{
    LoweredSides s = f->low->side[relation];
    if (s.rhs == NONE)
        return s.lhs;
    return emit(f, is_comparison(op_of(f, relation)) ? EX_SUB : EX_DIV, s.lhs,
                s.rhs);
}

/* Numbers below stand for zero. */
static const double LEAST_SCALE = 1e-15;

/* What the sides of a relation are measured by. */
static int scale_slot(Fuse *f, int relation)
{
    const int side[] = {f->low->side[relation].lhs, f->low->side[relation].rhs};
    int scale = tape_const(f->t, inlined_band_scale(f->d, relation));
    for (int k = 0; k < 2; k++) {
        if (side[k] == NONE || !inlined_is_number(f->d, relation, k))
            continue;
        int size = emit(f, EX_ABS, side[k], NONE);
        int counts = emit(f, EX_GE, size, tape_const(f->t, LEAST_SCALE));
        scale = tape_emit(f->t, EX_IF, NONE, counts,
                          emit(f, EX_MIN, scale, size), scale);
    }
    return scale;
}

/* Half the width of the band of something that is x there. */
static int band(Fuse *f, int scale, int x)
{
    int size = emit(f, EX_ADD, scale, emit(f, EX_ABS, x, NONE));
    return emit(f, EX_MUL, tape_const(f->t, SIM_BAND), size);
}

/* The value that the relation is held at. */
static int held(const Fuse *f, int relation)
{
    return f->low->slot[f->d->relation[relation].var];
}

/* How far x is from where floor(x), ceil(x) or the whole part of x is no
 * longer v; the side that v itself is on has a band. */
static int to_jump(Fuse *f, ExprOp op, int x, int v)
{
    Tape *t = f->t;
    int wide = band(f, f->one, x);
    int up = emit(f, EX_SUB, v, x), down = emit(f, EX_SUB, x, v);
    int far_up = emit(f, EX_ADD, up, f->one);
    int far_down = emit(f, EX_ADD, down, f->one);
    int near_up = emit(f, EX_ADD, up, wide);
    int near_down = emit(f, EX_ADD, down, wide);
    if (op == EX_CEIL)
        return emit(f, EX_MIN, near_up, far_down);
    if (op != EX_IDIV)
        return emit(f, EX_MIN, far_up, near_down);
    int below = emit(f, EX_LT, v, f->zero), above = emit(f, EX_GT, v, f->zero);
    return emit(f, EX_MIN, tape_emit(t, EX_IF, NONE, below, near_up, far_up),
                tape_emit(t, EX_IF, NONE, above, near_down, far_down));
}

static int indicator(Fuse *f, int relation)
{
    int x = argument_slot(f, relation), on = held(f, relation);
    ExprOp op = op_of(f, relation);
    if (!is_comparison(op))
        return to_jump(f, op, x, on);
    int at_equality =
        op == EX_LE || op == EX_GE ? on : emit(f, EX_NOT, on, NONE);
    int wide = band(f, scale_slot(f, relation), f->low->side[relation].lhs);
    int z = op == EX_LT || op == EX_GE ? emit(f, EX_NEG, x, NONE) : x;
    return tape_emit(f->t, EX_IF, NONE, at_equality, emit(f, EX_SUB, z, wide),
                     z);
}

static void place_indicators(Fuse *f, FusedExchange *x)
{
    x->indicator = NEW_ARRAY(f->arena, int, f->d->nrelation + 1);
    for (int i = 0; i < f->d->nrelation; i++) {
        if (is_timed(f, i))
            continue;
        const char *name = arena_printf(f->t->arena, "indicator %d", x->nz + 1);
        x->indicator[x->nz++] = tape_slot(f->t, TR_CARRY, name, 0);
    }
}

static void set_indicators(Fuse *f, const FusedExchange *x)
{
    if (f->d->nrelation == 0)
        return;
    fuse_copy_segment(f, &f->low->sides);
    for (int i = 0, n = 0; i < f->d->nrelation; i++)
        if (!is_timed(f, i))
            fuse_copy(f, x->indicator[n++], indicator(f, i));
}

/* ---- values ---- */

/* Blocks from number `first` on that do not stop where they have converged
 * iterate longer than in a step, which begins near its end, and must be there
 * then. */
static void iterate_longer(Fuse *f, int first)
{
    for (int i = first; i < f->t->block.n; i++) {
        TapeBlock *b = &f->t->block.at[i];
        if (b->is_linear || b->is_damped)
            continue;
        b->is_strict = true;
        if (b->iterations < LEAST_ITERATIONS)
            b->iterations = LEAST_ITERATIONS;
    }
}

static void values(Fuse *f, const FusedExchange *x)
{
    fuse_hold_inputs(f);
    fuse_copy_segment(f, f->event);
    fuse_copy_segment(f, &f->low->output);
    set_indicators(f, x);
}

static TapeSegment rates(Fuse *f, const FusedExchange *x)
{
    int first = f->t->block.n;
    tape_begin(f->t, "fused.rates");
    fuse_clear_messages(f);
    values(f, x);
    iterate_longer(f, first);
    tape_end(f->t);
    return vec_last(&f->t->segment);
}

/* ---- points that count ---- */

/* Discrete variables change at events only: where one would change, there has
 * to be one. */
static int would_change(Fuse *f)
{
    int changed = NONE;
    for (int i = 0; i < f->d->nvar; i++)
        if (f->low->pre[i] != NONE && f->d->var[i].is_discrete)
            fuse_or(f, &changed,
                    emit(f, EX_NE, f->low->pre[i], f->low->slot[i]));
    return changed == NONE ? f->zero : changed;
}

static TapeSegment accept(Fuse *f, const FusedExchange *x)
{
    int first = f->t->block.n;
    tape_begin(f->t, "fused.accept");
    fuse_clear_messages(f);
    values(f, x);
    iterate_longer(f, first);
    fuse_copy(f, x->asks, would_change(f));
    fuse_check_asserts(f);
    fuse_check_bounds(f);
    tape_end(f->t);
    return vec_last(&f->t->segment);
}

/* ---- events ---- */

static int earlier(Fuse *f, int next, int at)
{
    Tape *t = f->t;
    int later = emit(f, EX_GT, at, t->time);
    int sooner = emit(f, EX_AND, later, emit(f, EX_LT, at, next));
    return tape_emit(t, EX_IF, NONE, sooner, at, next);
}

/* Where relation i, linear in time with this slope, changes. */
static int crossing(Fuse *f, int i, int slope)
{
    Tape *t = f->t;
    int x = argument_slot(f, i), way;
    if (is_comparison(op_of(f, i))) {
        way = emit(f, EX_NEG, x, NONE);
    } else {
        int up = emit(f, EX_SUB,
                      emit(f, EX_ADD, emit(f, EX_FLOOR, x, NONE), f->one), x);
        int down = emit(f, EX_SUB,
                        emit(f, EX_SUB, emit(f, EX_CEIL, x, NONE), f->one), x);
        int rises = emit(f, EX_GT, slope, f->zero);
        way = tape_emit(t, EX_IF, NONE, rises, up, down);
    }
    return emit(f, EX_ADD, t->time, emit(f, EX_DIV, way, slope));
}

static int next_relation(Fuse *f, int next)
{
    bool any = false;
    for (int i = 0; i < f->d->nrelation; i++)
        any |= is_timed(f, i);
    if (!any)
        return next;
    int first = f->t->code.n, *by, nby;
    fuse_copy_segment(f, &f->low->sides);
    int count = f->t->code.n - first;
    fuse_tangent(f, first, count, &f->t->time, &f->one, 1, &by, &nby);
    for (int i = 0; i < f->d->nrelation; i++) {
        if (!is_timed(f, i))
            continue;
        LoweredSides s = f->low->side[i];
        int a = s.lhs < nby ? by[s.lhs] : NONE, slope = a;
        int b = s.rhs == NONE || s.rhs >= nby ? NONE : by[s.rhs];
        if (!is_comparison(op_of(f, i)) && s.rhs != NONE && a != NONE)
            slope = emit(f, EX_DIV, a, s.rhs);
        else if (b != NONE)
            slope =
                a == NONE ? emit(f, EX_NEG, b, NONE) : emit(f, EX_SUB, a, b);
        if (slope != NONE)
            next = earlier(f, next, crossing(f, i, slope));
    }
    return next;
}

/* Instants are counted as lower/lower_expr.c counts them. */
static int next_sample(Fuse *f, int next)
{
    Tape *t = f->t;
    if (f->low->nsample > 0)
        fuse_copy_segment(f, &f->low->relations);
    for (int i = 0; i < f->low->nsample; i++) {
        const LoweredSample *s = &f->low->sample[i];
        int k =
            emit(f, EX_DIV, emit(f, EX_SUB, t->time, s->start), s->interval);
        k = emit(f, EX_ADD, k, tape_const(t, 1e-6));
        k = emit(f, EX_ADD, emit(f, EX_FLOOR, k, NONE), f->one);
        k = emit(f, EX_MAX, k, f->zero);
        next =
            earlier(f, next,
                    emit(f, EX_ADD, s->start, emit(f, EX_MUL, k, s->interval)));
    }
    return next;
}

/* Steps of others say nothing of how near two times are: relations of time are
 * looked at as they are 1e-12 (1 + |time|) later. */
static int just_after(Fuse *f)
{
    int size = emit(f, EX_ADD, emit(f, EX_ABS, f->t->time, NONE), f->one);
    return emit(f, EX_MUL, tape_const(f->t, 1e-12 / INLINED_EDGE), size);
}

static TapeSegment event(Fuse *f, const FusedExchange *x)
{
    tape_begin(f->t, "fused.event");
    int first = f->t->block.n;
    fuse_clear_messages(f);
    fuse_hold_inputs(f);
    fuse_copy_segment(f, f->event);
    fuse_set_left(f);
    fuse_set_old_left(f);
    f->after_step = just_after(f);
    fuse_begin_sampling(f);
    fuse_settle(f, SIM_FIRST_EVENTS);
    f->after_step = 0;
    fuse_set_pre(f);
    iterate_longer(f, first);
    fuse_copy_segment(f, &f->low->output);
    fuse_check_asserts(f);
    set_indicators(f, x);
    fuse_copy(f, x->next,
              next_sample(f, next_relation(f, tape_const(f->t, FUSE_NEVER))));
    fuse_end_sampling(f);
    tape_end(f->t);
    return vec_last(&f->t->segment);
}

/* ---- what depends on what ---- */

/* Sixty-four questions at once, a bit each: marks what depends on marked slots.
 * Those of a block depend on each other. */
static void reach(const Tape *t, int first, int count, uint64_t *mark)
{
    for (int i = first; i < first + count; i++) {
        const TapeInstr *in = &t->code.at[i];
        uint64_t any = 0;
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &t->block.at[in->a];
            for (int k = 0; k < b->n; k++)
                mark[b->x[k]] = 0;
            reach(t, i + 1, b->neval, mark);
            for (int k = 0; k < b->nrow; k++)
                any |= mark[b->residual[k]];
            for (int k = 0; k < b->n; k++)
                mark[b->x[k]] = any;
            i += tape_body(t, i);
            continue;
        }
        int arg[3], narg = tape_reads(in, arg), list, dst = tape_writes(in);
        for (int k = 0; k < narg; k++)
            any |= mark[arg[k]];
        for (int k = tape_list(t, in, &list) - 1; k >= 0; k--)
            any |= mark[list + k];
        if (dst != NONE)
            mark[dst] = any;
    }
}

static void find_dependencies(Fuse *f, FusedExchange *x, int first, int count)
{
    enum { AT_ONCE = 64 };
    int n = x->nknown;
    size_t nslot = (size_t)f->t->nslot;
    uint64_t *mark = NEW_ARRAY(f->local, uint64_t, nslot + 1);
    x->depends = NEW_ARRAY(f->arena, bool, (size_t)x->nunknown *(size_t)n + 1);
    for (int from = 0; from < n; from += AT_ONCE) {
        int m = n - from < AT_ONCE ? n - from : AT_ONCE;
        memset(mark, 0, nslot * sizeof *mark);
        for (int k = 0; k < m; k++)
            mark[x->known[from + k]] |= UINT64_C(1) << k;
        reach(f->t, first, count, mark);
        for (int i = 0; i < x->nunknown; i++)
            for (int k = 0; k < m; k++)
                x->depends[(size_t)i * (size_t)n + (size_t)(from + k)] =
                    mark[x->unknown[i]] >> k & 1;
    }
}

/* ---- directions ---- */

static int quantity_slot(const Fuse *f, int var, int order)
{
    int e = inlined_find(f->d, var, order);
    return e == NONE ? NONE : f->low->slot[e];
}

/* States, inputs that are Real, time. */
static void list_known(Fuse *f, FusedExchange *x)
{
    const Dae *dae = f->d->dae;
    const Sys *sys = f->d->sys;
    x->known = NEW_ARRAY(f->arena, int, dae->nstate + sys->nvar + 2);
    x->seed = NEW_ARRAY(f->arena, int, dae->nstate + sys->nvar + 2);
    for (int i = 0; i < dae->nstate; i++)
        x->known[x->nknown++] =
            quantity_slot(f, dae->state[i].var, dae->state[i].order);
    for (int i = 0; i < sys->nvar; i++)
        if (sys->var[i].role == SR_INPUT && sys->var[i].type == FT_REAL &&
            f->low->slot[i] != NONE)
            x->known[x->nknown++] = f->low->slot[i];
    x->known[x->nknown++] = f->t->time;
    for (int i = 0; i < x->nknown; i++)
        x->seed[i] = tape_slot(f->t, TR_CARRY,
                               arena_printf(f->t->arena, "seed %d", i + 1), 0);
}

static void add_unknown(FusedExchange *x, int slot)
{
    for (int i = 0; i < x->nunknown; i++)
        if (x->unknown[i] == slot)
            return;
    x->unknown[x->nunknown++] = slot;
}

/* Derivatives of states, outputs, indicators. */
static void list_unknown(Fuse *f, FusedExchange *x)
{
    const Dae *dae = f->d->dae;
    const Tape *t = f->t;
    x->unknown =
        NEW_ARRAY(f->arena, int, dae->nstate + t->symbol.n + x->nz + 1);
    for (int i = 0; i < dae->nstate; i++)
        add_unknown(
            x, quantity_slot(f, dae->state[i].var, dae->state[i].order + 1));
    for (int i = 0; i < t->symbol.n; i++)
        if (f->options->output[i] && t->symbol.at[i].domain == TAPE_REAL)
            add_unknown(x, t->symbol.at[i].slot);
    for (int i = 0; i < x->nz; i++)
        add_unknown(x, x->indicator[i]);
    x->tangent = NEW_ARRAY(f->arena, int, x->nunknown + 1);
    for (int i = 0; i < x->nunknown; i++)
        x->tangent[i] = tape_slot(
            f->t, TR_CARRY, arena_printf(f->t->arena, "tangent %d", i + 1), 0);
}

/* At a point whose values are there: blocks begin at their solution, and have
 * factors that are used again. False: there is a function without a
 * derivative. */
static bool tangent(Fuse *f, FusedExchange *x, TapeSegment *out)
{
    tape_begin(f->t, "fused.tangent");
    int first = f->t->code.n, *by, nby;
    values(f, x);
    int count = f->t->code.n - first;
    find_dependencies(f, x, first, count);
    bool fine =
        fuse_tangent(f, first, count, x->known, x->seed, x->nknown, &by, &nby);
    for (int i = 0; i < x->nunknown; i++) {
        int slot = x->unknown[i] < nby ? by[x->unknown[i]] : NONE;
        fuse_copy(f, x->tangent[i], slot == NONE ? f->zero : slot);
    }
    tape_end(f->t);
    *out = vec_last(&f->t->segment);
    return fine;
}

bool fuse_can_exchange(const Lowered *low)
{
    const Inlined *d = low->inlined;
    return d->dae && d->dae->nset == 0 && d->event != NONE && d->ndelay == 0 &&
           low->rates.name && (d->nrelation == 0 || low->side);
}

int fuse_exchange(Fuse *f, TapeSegment *segment, int n)
{
    FusedExchange *x = NEW(f->arena, FusedExchange);
    f->out->exchange = x;
    place_indicators(f, x);
    x->next = tape_slot(f->t, TR_CARRY, "next event", FUSE_NEVER);
    x->asks = tape_slot(f->t, TR_CARRY, "asks for an event", 0);
    list_known(f, x);
    list_unknown(f, x);
    const TapeSegment *in_steps = f->event;
    f->event = &f->low->rates;
    segment[x->rates = n++] = rates(f, x);
    segment[x->accept = n++] = accept(f, x);
    segment[x->event = n++] = event(f, x);
    f->event = in_steps;
    x->moves = tangent(f, x, &segment[n]);
    if (x->moves) {
        tape_fold(f->t, &segment[n], NULL, 0);
        x->tangents = n++;
    }
    return n;
}

void fuse_want_exchange(Fuse *f)
{
    const FusedExchange *x = f->out->exchange;
    const Dae *dae = f->d->dae;
    if (!x)
        return;
    for (int i = 0; i < dae->nstate; i++)
        fuse_want(f,
                  quantity_slot(f, dae->state[i].var, dae->state[i].order + 1));
    for (int i = 0; i < x->nz; i++)
        fuse_want(f, x->indicator[i]);
    fuse_want(f, x->next);
    fuse_want(f, x->asks);
    for (int i = 0; x->moves && i < x->nknown; i++)
        fuse_want(f, x->seed[i]);
    for (int i = 0; x->moves && i < x->nunknown; i++)
        fuse_want(f, x->tangent[i]);
}

static void add_symbol(Tape *t, int slot)
{
    TapeSymbol s = {t->slot_name[slot], slot, 1, 0, TAPE_REAL};
    vec_push(t->arena, &t->symbol, s);
}

void fuse_name_exchange(Fuse *f, Tape *t)
{
    const FusedExchange *x = f->out->exchange;
    if (!x)
        return;
    for (int i = 0; i < x->nz; i++)
        add_symbol(t, x->indicator[i]);
    add_symbol(t, x->next);
    add_symbol(t, x->asks);
    for (int i = 0; x->moves && i < x->nknown; i++)
        add_symbol(t, x->seed[i]);
    for (int i = 0; x->moves && i < x->nunknown; i++)
        add_symbol(t, x->tangent[i]);
}
