/* fuse_bounds.c - values that a step must not leave behind without a word.
 *
 *   BEYOND        the sizes of all states add up to more than SIM_BOUND, or a
 *                 state with a nominal value is a million times as large as
 *                 that and as its start value
 *   FAR_OUT       a thousand times; an algebraic variable a million times
 *   LEFT_RANGE    a variable is outside of its min and max; with
 *   OUT_OF_RANGE  `bounds` "warn" it is a doubt
 *
 * A model that gives a variable no nominal value gives it no scale: positions,
 * counters and energies may grow as they like. Of algebraic variables, and of
 * min and max, those are looked at that the instance keeps. point/report.c and
 * point/bounds.c do the same at the desk.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "step/fuse_internal.h"

static int op2(Fuse *f, int op, int a, int b)
{
    return tape_emit(f->t, op, NONE, a, b, NONE);
}

static int size_of(Fuse *f, int slot)
{
    return tape_emit(f->t, EX_ABS, NONE, slot, NONE, NONE);
}

static void note(Fuse *f, StatusCause cause, int alarm, int slot)
{
    tape_emit(f->t, TAPE_NOTE, 0, cause, alarm, slot);
}

static void from(Fuse *f, int entry, Span span)
{
    tape_from(f->t, (TapeOrigin){TO_BOUND, NONE, NONE, entry, span});
}

static void check_scale(Fuse *f, int slot, int size, double scale)
{
    int far = tape_const(f->t, SIM_FAR * scale);
    int beyond = tape_const(f->t, SIM_BEYOND * scale);
    note(f, CAUSE_BEYOND, op2(f, EX_SUB, size, beyond), slot);
    note(f, CAUSE_FAR_OUT, op2(f, EX_SUB, size, far), slot);
}

static void check_states(Fuse *f)
{
    const Dae *dae = f->d->dae;
    int sum = NONE;
    from(f, NONE, NO_SPAN);
    for (int i = 0; dae && i < dae->nstate; i++) {
        const DaeState *x = &dae->state[i];
        int entry = inlined_find(f->d, x->var, x->order);
        int slot = entry == NONE ? NONE : f->low->slot[entry];
        if (slot == NONE)
            continue;
        int size = size_of(f, slot);
        double scale =
            inlined_state_scale(f->d, entry, f->options->value[slot]);
        sum = sum == NONE ? size : op2(f, EX_ADD, sum, size);
        if (scale > 0)
            check_scale(f, slot, size, scale);
    }
    if (sum != NONE)
        note(f, CAUSE_BEYOND, op2(f, EX_SUB, sum, tape_const(f->t, SIM_BOUND)),
             NONE);
}

/* Of each slot: is it a value that the instance keeps? */
static const bool *kept_slots(const Fuse *f, Arena *arena)
{
    const Tape *t = f->t;
    bool *kept = NEW_ARRAY(arena, bool, t->nslot + 1);
    for (int i = 0; i < f->low->tape->symbol.n; i++) {
        int slot = t->symbol.at[i].slot;
        if (slot != NONE && f->options->wanted[i])
            kept[slot] =
                t->region[slot] == TR_CARRY || t->region[slot] == TR_VALUE;
    }
    return kept;
}

/* The bound with the slack that rounding needs, on the outside. */
static int with_slack(Fuse *f, int bound, double sign)
{
    double x = f->t->initial[bound];
    if (f->t->region[bound] == TR_CONST)
        return tape_const(f->t, x + sign * SIM_SLACK * fmax(1, fabs(x)));
    int size = op2(f, EX_MAX, f->one, size_of(f, bound));
    int slack = op2(f, EX_MUL, tape_const(f->t, sign * SIM_SLACK), size);
    return op2(f, EX_ADD, bound, slack);
}

static void check_range(Fuse *f, const LoweredBound *b, StatusCause cause)
{
    int low = NONE, high = NONE;
    from(f, b->sys_var, f->d->sys->var[b->sys_var].span);
    if (b->min != NONE)
        low = op2(f, EX_SUB, with_slack(f, b->min, -1), b->value);
    if (b->max != NONE)
        high = op2(f, EX_SUB, b->value, with_slack(f, b->max, 1));
    note(f, cause,
         low == NONE    ? high
         : high == NONE ? low
                        : op2(f, EX_MAX, low, high),
         b->value);
}

static void check_algebraic(Fuse *f, const bool *kept)
{
    const Inlined *d = f->d;
    for (int i = 0; i < d->nvar; i++) {
        int slot = f->low->slot[i];
        if (slot == NONE || d->var[i].is_state || !inlined_has_scale(d, i) ||
            !kept[slot])
            continue;
        double scale = inlined_state_scale(d, i, f->options->value[slot]);
        int far = tape_const(f->t, SIM_BEYOND * scale);
        from(f, d->var[i].sys_var, NO_SPAN);
        if (scale > 0)
            note(f, CAUSE_FAR_OUT, op2(f, EX_SUB, size_of(f, slot), far), slot);
    }
}

void fuse_check_bounds(Fuse *f)
{
    int outer = f->t->here;
    Arena *local = arena_new();
    const bool *kept = kept_slots(f, local);
    check_states(f);
    check_algebraic(f, kept);
    PlanBounds level = f->options->bounds;
    bool computed = f->d->sys->nassertion > 0; /* min and max are there */
    for (int i = 0; level != PB_IGNORE && i < f->low->nbound; i++) {
        const LoweredBound *b = &f->low->bound[i];
        if (!kept[b->value])
            continue;
        if (!computed)
            fuse_copy_segment(f, &f->low->asserts);
        computed = true;
        check_range(f, b,
                    level == PB_STOP ? CAUSE_LEFT_RANGE : CAUSE_OUT_OF_RANGE);
    }
    arena_free(local);
    f->t->here = outer;
}
