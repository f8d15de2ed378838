/* fuse_events.c - what happens at one point of time: events, assertions, the
 * past.
 *
 * The order is that of point/events.c. Everything is computed always; what must
 * not count is not selected.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/fuse_internal.h"

/* ---- events ---- */

bool fuse_has_events(const Fuse *f)
{
    if (f->d->event == NONE)
        return false;
    bool any = f->d->nrelation > 0 || f->d->sys->naction > 0;
    for (int i = 0; i < f->d->nvar; i++)
        any |= f->low->pre[i] != NONE && f->d->var[i].is_discrete;
    return any;
}

void fuse_or(Fuse *f, int *flag, int slot)
{
    *flag =
        *flag == NONE ? slot : tape_emit(f->t, EX_OR, NONE, *flag, slot, NONE);
}

bool fused_is_discrete(const Lowered *low, int i)
{
    return low->pre[i] != NONE && low->inlined->var[i].is_discrete;
}

int fused_first_unsettled(const Lowered *low)
{
    const Sys *sys = low->inlined->sys;
    return sys->nassertion + sys->naction + 1;
}

int fused_nmessage(const Lowered *low)
{
    int n = fused_first_unsettled(low) + low->inlined->nrelation;
    for (int i = 0; i < low->inlined->nvar; i++)
        n += fused_is_discrete(low, i);
    return n;
}

void fuse_name(Fuse *f, int number, int changes)
{
    if (!f->names)
        return;
    int name = tape_const(f->t, fused_first_unsettled(f->low) + number);
    name = tape_emit(f->t, EX_IF, NONE, changes, name, f->zero);
    f->name = f->name == NONE
                  ? name
                  : tape_emit(f->t, EX_MAX, NONE, f->name, name, NONE);
}

/* ---- messages: numbers from 1, assertions first, then actions ---- */

/* Message `number` is the first of its kind where `fails` is not 0. */
static void note_message(Fuse *f, int slot, int fails, int number)
{
    Tape *t = f->t;
    int none = tape_emit(t, EX_EQ, NONE, slot, f->zero, NONE);
    int first = tape_emit(t, EX_AND, NONE, none, fails, NONE);
    tape_emit(t, EX_IF, slot, first, tape_const(t, number), slot);
}

static bool is_settled_true(const Fuse *f, int condition)
{
    return f->t->region[condition] == TR_CONST && f->t->initial[condition] != 0;
}

void fuse_place_messages(Fuse *f)
{
    const Sys *sys = f->d->sys;
    bool error = false, warning = false, terminate = false;
    for (int i = 0; i < sys->nassertion; i++) {
        if (is_settled_true(f, f->low->assertion[i]))
            continue;
        error |= !sys->assertion[i].is_warning;
        warning |= sys->assertion[i].is_warning;
    }
    for (int i = 0; f->d->event != NONE && i < sys->naction; i++) {
        error |= sys->action[i].kind == FA_ASSERT && !sys->action[i].is_warning;
        warning |=
            sys->action[i].kind == FA_ASSERT && sys->action[i].is_warning;
        terminate |= sys->action[i].kind == FA_TERMINATE;
    }
    Fused *out = f->out;
    out->asserted =
        error ? tape_slot(f->t, TR_CARRY, "failed assertion", 0) : NONE;
    out->warned =
        warning ? tape_slot(f->t, TR_CARRY, "warning assertion", 0) : NONE;
    out->terminated =
        terminate ? tape_slot(f->t, TR_CARRY, "terminated by", 0) : NONE;
}

void fuse_clear_messages(Fuse *f)
{
    const int slot[3] = {f->out->asserted, f->out->warned, f->out->terminated};
    for (int i = 0; i < 3; i++)
        if (slot[i] != NONE)
            fuse_copy(f, slot[i], f->zero);
}

/* The first assertion of a kind that does not hold, or 0; a slot. They are
 * counted from the last, so that the largest number is that of the first: that
 * takes less than a selection for each. */
static int first_failed(Fuse *f, bool is_warning)
{
    const Sys *sys = f->d->sys;
    int n = sys->nassertion, most = NONE;
    Tape *t = f->t;
    for (int i = n - 1; i >= 0; i--) {
        int holds = f->low->assertion[i];
        if (is_settled_true(f, holds) ||
            sys->assertion[i].is_warning != is_warning)
            continue;
        int failed =
            tape_emit(t, EX_IF, NONE, holds, f->zero, tape_const(t, n - i));
        most = most == NONE ? failed
                            : tape_emit(t, EX_MAX, NONE, most, failed, NONE);
    }
    if (most == NONE)
        return NONE;
    int any = tape_emit(t, EX_LT, NONE, f->zero, most, NONE);
    int number = tape_emit(t, EX_SUB, NONE, tape_const(t, n + 1), most, NONE);
    return tape_emit(t, EX_IF, NONE, any, number, f->zero);
}

void fuse_check_asserts(Fuse *f)
{
    if (f->d->sys->nassertion > 0)
        fuse_copy_segment(f, &f->low->asserts);
    for (int k = 0; k < 2; k++) {
        int number = first_failed(f, k == 1);
        int slot = k == 1 ? f->out->warned : f->out->asserted;
        if (number == NONE)
            continue;
        int none = tape_emit(f->t, EX_EQ, NONE, slot, f->zero, NONE);
        tape_emit(f->t, EX_IF, slot, none, number, slot);
    }
}

/* assert() and terminate() of when clauses. */
static void note_action(Fuse *f, int i, int active)
{
    const SysAction *a = &f->d->sys->action[i];
    const LoweredAction *low = &f->low->action[i];
    int number = f->d->sys->nassertion + i + 1;
    if (a->kind == FA_TERMINATE) {
        note_message(f, f->out->terminated, active, number);
    } else if (a->kind == FA_ASSERT) {
        int fails = tape_emit(f->t, EX_NOT, NONE, low->value, NONE, NONE);
        fails = tape_emit(f->t, EX_AND, NONE, active, fails, NONE);
        note_message(f, a->is_warning ? f->out->warned : f->out->asserted,
                     fails, number);
    }
}

/* ---- the event iteration ---- */

/* What a look finds: slots. */
typedef struct Look {
    int modes;   /* relations changed; NONE: never */
    int changed; /* anything did */
} Look;

/* `slot`, unless relations changed: first the modes are found. */
static int at_rest(Fuse *f, int slot, int modes)
{
    if (modes == NONE)
        return slot;
    int rest = tape_emit(f->t, EX_NOT, NONE, modes, NONE, NONE);
    return tape_emit(f->t, EX_AND, NONE, slot, rest, NONE);
}

static void look_at_actions(Fuse *f, int modes, int *changed)
{
    const Sys *sys = f->d->sys;
    Tape *t = f->t;
    if (sys->naction > 0)
        fuse_copy_segment(f, &f->low->actions);
    for (int i = 0; i < sys->naction; i++) {
        const LoweredAction *a = &f->low->action[i];
        int active = at_rest(f, a->active, modes);
        note_action(f, i, active);
        if (sys->action[i].kind != FA_REINIT || a->target == NONE)
            continue;
        int differs = tape_emit(t, EX_NE, NONE, a->target, a->value, NONE);
        int acts = tape_emit(t, EX_AND, NONE, active, differs, NONE);
        acts = tape_emit(t, EX_NE, NONE, acts, f->zero, NONE);
        tape_emit(t, EX_IF, a->target, acts, a->value, a->target);
        fuse_or(f, changed, acts);
    }
}

/* A slot: has somebody been named? */
static int is_named(Fuse *f)
{
    return tape_emit(f->t, EX_LT, NONE, f->zero, f->name, NONE);
}

/* Relations, then actions and discrete variables at the present point. */
static Look look(Fuse *f, const FuseModes *modes)
{
    const Lowered *low = f->low;
    Tape *t = f->t;
    int moved = f->d->nrelation > 0 ? fuse_move_modes(f, modes) : NONE;
    if (f->names && f->name != NONE)
        moved = is_named(f); /* who has changed has a name */
    int changed = f->names ? NONE : moved;
    look_at_actions(f, moved, &changed);
    for (int i = 0, n = f->d->nrelation; i < f->d->nvar; i++) {
        if (!fused_is_discrete(low, i))
            continue;
        SysFelt felt = inlined_felt(f->d, i);
        if (felt == FELT_NEVER || fuse_is_own(f, i)) { /* it is at rest */
            n++;
            continue;
        }
        int differs = tape_emit(t, felt == FELT_RISES ? EX_LT : EX_NE, NONE,
                                low->pre[i], low->slot[i], NONE);
        fuse_name(f, n++, differs);
        if (!f->names)
            fuse_or(f, &changed, differs);
    }
    if (f->rates != RATES_RUN)
        fuse_or(f, &changed, f->ticked);
    if (f->names && f->name != NONE)
        fuse_or(f, &changed, is_named(f));
    if (changed != NONE && f->out->broken != NONE)
        tape_emit(t, EX_OR, f->out->broken, f->out->broken, changed, NONE);
    return (Look){moved, changed == NONE ? f->zero : changed};
}

/* Of each slot: is it pre(v) or the old v of a discrete variable? */
static bool *find_discrete(Fuse *f)
{
    bool *is = NEW_ARRAY(f->local, bool, f->t->nslot);
    for (int i = 0; i < f->d->nvar; i++) {
        const InlinedVar *v = &f->d->var[i];
        if (f->low->pre[i] != NONE && v->is_discrete)
            is[f->low->pre[i]] = true;
        if (v->kind != IV_OLD || v->back != 1 || f->low->slot[i] == NONE)
            continue;
        int value = inlined_find(f->d, v->sys_var, v->order);
        if (value != NONE && f->d->var[value].is_discrete &&
            f->low->pre[value] != NONE)
            is[f->low->slot[i]] = true;
    }
    return is;
}

/* New pre values, unless relations changed; they are held then. Those of
 * discrete variables are set where they are: in a pass that does not count they
 * are what they become. */
static void set_pre_apart(Fuse *f, Look l, int *now)
{
    Tape *t = f->t;
    int acts = at_rest(f, l.changed, l.modes);
    const bool *is_discrete = find_discrete(f);
    if (f->rates != RATES_RUN)
        tape_emit(t, EX_IF, f->ticked, acts, f->zero, f->ticked);
    int from = t->code.n;
    fuse_set_pre(f);
    for (int i = from; i < t->code.n; i++) {
        TapeInstr *in = &t->code.at[i];
        int old = now[in->dst], new = now[in->a];
        if (is_discrete[in->dst]) {
            *in = (TapeInstr){.op = EX_IF,
                              .dst = in->dst,
                              .a = acts,
                              .b = new,
                              .c = in->dst,
                              .origin = in->origin};
            continue;
        }
        now[in->dst] = fuse_apart(f, in->dst);
        in->dst = now[in->dst];
        in->a = new;
        if (l.modes == NONE)
            continue;
        in->op = EX_IF;
        in->a = l.modes;
        in->b = old;
        in->c = new;
    }
}

/* The model once more, on slots of its own; if something changed, its values
 * become those of the model. */
static void evaluate_if(Fuse *f, Look l)
{
    Tape *t = f->t;
    int n = t->nslot;
    int *now = NEW_ARRAY(f->local, int, n);
    for (int i = 0; i < n; i++)
        now[i] = i;
    set_pre_apart(f, l, now);
    fuse_copy_apart(f, f->event, now, n);
    for (int i = 0; i < n; i++)
        if (now[i] != i && t->region[i] != TR_TEMP)
            tape_emit(t, EX_IF, i, l.changed, now[i], i);
}

/* After the last pass: who has not come to rest? The largest number of those
 * that are found is that of the message. */
static void look_again(Fuse *f, const FuseModes *modes)
{
    f->names = true;
    f->name = NONE;
    int changed = look(f, modes).changed;
    int name = tape_const(f->t, fused_nmessage(f->low));
    if (f->name != NONE)
        name = tape_emit(f->t, EX_IF, NONE, is_named(f), f->name, name);
    f->names = false;
    tape_emit(f->t, EX_IF, f->out->unsettled, changed, name, f->zero);
}

/* Where the blocks of all passes begin. */
static int *keep_begin(Fuse *f)
{
    const TapeSegment *s = f->event;
    Tape *t = f->t;
    int *begin = NEW_ARRAY(f->local, int, t->nslot + 1);
    for (int i = s->first; i < s->first + s->count; i++) {
        if (t->code.at[i].op != TAPE_BLOCK)
            continue;
        TapeBlock b = t->block.at[t->code.at[i].a];
        for (int k = 0; k < b.n && b.is_passed; k++)
            begin[b.x[k]] = tape_emit(t, TAPE_COPY, NONE, b.x[k], NONE, NONE);
    }
    return begin;
}

void fuse_settle(Fuse *f, int most)
{
    Tape *t = f->t;
    if (!fuse_has_events(f))
        return;
    FuseModes *modes = f->d->nrelation > 0 ? fuse_begin_modes(f, false) : NULL;
    f->begin = f->d->event == NONE ? NULL : keep_begin(f);
    int head = t->code.n;
    tape_emit(t, TAPE_REPEAT, 0, most, NONE, NONE);
    evaluate_if(f, look(f, modes));
    f->begin = NULL;
    t->code.at[head].b = t->code.n - head - 1;
    look_again(f, modes);
}
