/* fuse_modes.c - relations and the equations they decide on, made to agree.
 *
 * What sim/modes.c does, operation by operation, without a branch: all ways on
 * are computed and one is selected. A look at the relations costs the same
 * whether something changes or not.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/fuse_internal.h"

static const double NEVER = 1e300, BAND = 1e-10, NEAR = 1e-12;

/* A relation within a loop; slots. */
typedef struct Mode {
    int frozen, now, even; /* even: its value at equality */
    int start, entered;    /* live from look to look */
    int gap, disagrees, place, flips;
} Mode;

struct FuseModes {
    const LoweredMode *low;
    int n;
    bool is_init;
    int first; /* 1: the next look is where a path begins */
    Mode *at;
};

static int emit(Fuse *f, int op, int a, int b)
{
    return tape_emit(f->t, op, NONE, a, b, NONE);
}

static int choose(Fuse *f, int condition, int a, int b)
{
    return tape_emit(f->t, EX_IF, NONE, condition, a, b);
}

static int either(Fuse *f, int a, int b)
{
    return a == NONE ? b : emit(f, EX_OR, a, b);
}

FuseModes *fuse_begin_modes(Fuse *f, bool is_init)
{
    const Lowered *low = f->low;
    FuseModes *m = NEW(f->local, FuseModes);
    m->is_init = is_init;
    m->low = is_init ? low->init_mode : low->mode;
    m->n = is_init ? low->ninit_mode : low->nmode;
    m->at = NEW_ARRAY(f->local, Mode, m->n + 1);
    if (m->n == 0)
        return m;
    m->first = tape_slot(f->t, TR_VALUE, NULL, 0);
    fuse_copy(f, m->first, f->one);
    for (int k = 0; k < m->n; k++) {
        Mode *at = &m->at[k];
        at->frozen = low->slot[f->d->relation[m->low[k].relation].var];
        at->now = low->relation_now[m->low[k].relation];
        at->even = m->low[k].even != 0 ? f->one : f->zero;
        at->start = tape_slot(f->t, TR_VALUE, NULL, 0);
        at->entered = tape_slot(f->t, TR_VALUE, NULL, 0);
        fuse_copy(f, at->start, f->zero);
        fuse_copy(f, at->entered, f->zero);
    }
    return m;
}

static void see(Fuse *f, const LoweredMode *low, Mode *m)
{
    Tape *t = f->t;
    int a = emit(f, EX_ABS, low->lhs, NONE),
        b = emit(f, EX_ABS, low->rhs, NONE);
    int size = emit(f, EX_ADD, f->one, emit(f, EX_MAX, a, b));
    int width = emit(f, EX_MUL, tape_const(t, BAND), size);
    m->gap = emit(f, EX_SUB, low->lhs, low->rhs);
    int inside = emit(f, EX_LE, emit(f, EX_ABS, m->gap, NONE), width);
    int odd = emit(f, EX_NE, m->now, m->even);
    int held = emit(f, EX_AND, inside, emit(f, EX_OR, m->entered, odd));
    int differs = emit(f, EX_NE, m->now, m->frozen);
    m->disagrees = emit(f, EX_AND, differs, emit(f, EX_NOT, held, NONE));
}

static int place_forward(Fuse *f, const Mode *m)
{
    int product = emit(f, EX_MUL, m->start, m->gap);
    int changes = emit(f, EX_LT, product, f->zero);
    int where = emit(f, EX_DIV, m->start, emit(f, EX_SUB, m->start, m->gap));
    return choose(f, m->disagrees, choose(f, changes, where, f->zero),
                  tape_const(f->t, NEVER));
}

static int place_away(Fuse *f, const Mode *m)
{
    int fall = emit(f, EX_SUB, m->gap, m->start);
    int comes = emit(f, EX_LT, f->zero, emit(f, EX_MUL, m->start, fall));
    int outside = emit(f, EX_NOT, m->entered, NONE);
    return choose(f, emit(f, EX_AND, comes, outside),
                  emit(f, EX_DIV, m->start, fall), tape_const(f->t, NEVER));
}

/* Where the next boundary is, and who changes there. Returns how far it is, as
 * a part of the way to b. */
static int find_place(Fuse *f, Mode *m, int n, int away)
{
    Tape *t = f->t;
    int never = tape_const(t, NEVER), first = never;
    for (int k = 0; k < n; k++) {
        int forward = place_forward(f, &m[k]);
        m[k].place = choose(f, away, place_away(f, &m[k]), forward);
        first = emit(f, EX_MIN, first, m[k].place);
    }
    int near = emit(f, EX_MUL, tape_const(t, NEAR), first);
    int reach = emit(f, EX_ADD, first, near);
    for (int k = 0; k < n; k++) {
        int exists = emit(f, EX_LT, m[k].place, never);
        m[k].flips = emit(f, EX_AND, exists, emit(f, EX_LE, m[k].place, reach));
    }
    int back = emit(f, EX_NEG, first, NONE);
    return choose(f, emit(f, EX_LT, first, never), choose(f, away, back, first),
                  f->zero);
}

/* Returns a slot: is a relation of the group to change? */
static int look_at_group(Fuse *f, const FuseModes *modes, int from, int n)
{
    Tape *t = f->t;
    Mode *m = modes->at + from;
    int any = NONE, away = NONE, came = NONE, count = NONE, changed = NONE;
    for (int k = 0; k < n; k++) {
        see(f, &modes->low[from + k], &m[k]);
        int agrees = emit(f, EX_NOT, m[k].disagrees, NONE);
        any = either(f, any, m[k].disagrees);
        away = either(f, away, emit(f, EX_AND, m[k].entered, m[k].disagrees));
        came = either(f, came, emit(f, EX_AND, m[k].entered, agrees));
        count = count == NONE ? m[k].disagrees
                              : emit(f, EX_ADD, count, m[k].disagrees);
    }
    away = emit(f, EX_AND, away, emit(f, EX_NOT, came, NONE));
    int way = find_place(f, m, n, away);
    int alone = emit(f, EX_EQ, count, f->one);
    int begins = emit(f, EX_OR, modes->first, emit(f, EX_NOT, any, NONE));
    int later = emit(f, EX_NOT, modes->first, NONE);
    for (int k = 0; k < n; k++) {
        int rest = emit(f, EX_SUB, m[k].gap, m[k].start);
        int moved = emit(f, EX_ADD, m[k].start, emit(f, EX_MUL, way, rest));
        moved = choose(f, m[k].flips, f->zero, moved);
        int single = emit(f, EX_AND, m[k].disagrees, alone);
        int flips = choose(f, modes->first, m[k].disagrees, m[k].flips);
        int other = emit(f, EX_SUB, f->one, m[k].frozen);
        tape_emit(t, EX_IF, m[k].start, begins, m[k].gap, moved);
        tape_emit(t, EX_IF, m[k].entered, modes->first, single, m[k].flips);
        tape_emit(t, EX_IF, m[k].frozen, flips, other, m[k].frozen);
        int stays = emit(f, EX_AND, later, m[k].disagrees);
        changed = either(f, changed, emit(f, EX_OR, flips, stays));
    }
    return changed;
}

/* Relations outside of loops become what they are now. */
static int look_outside(Fuse *f, const FuseModes *m)
{
    const Lowered *low = f->low;
    bool *in_loop = NEW_ARRAY(f->local, bool, f->d->nrelation + 1);
    int changed = NONE;
    for (int k = 0; k < m->n; k++)
        in_loop[m->low[k].relation] = true;
    for (int i = 0; i < f->d->nrelation; i++) {
        int frozen = low->slot[f->d->relation[i].var];
        int now = m->is_init ? low->relation_now[i] : low->relation_after[i];
        if (in_loop[i])
            continue;
        changed = either(f, changed, emit(f, EX_NE, frozen, now));
        fuse_copy(f, frozen, now);
    }
    return changed;
}

int fuse_move_modes(Fuse *f, const FuseModes *m)
{
    fuse_copy_segment(f, &f->low->relations);
    if (!m->is_init)
        fuse_copy_after(f);
    if (m->n > 0)
        fuse_copy_segment(f, &f->low->gaps);
    int changed = look_outside(f, m);
    for (int k = 0, end; k < m->n; k = end) {
        for (end = k; end < m->n && m->low[end].group == m->low[k].group;)
            end++;
        changed = either(f, changed, look_at_group(f, m, k, end - k));
    }
    if (m->n > 0)
        fuse_copy(f, m->first, f->zero);
    return changed;
}
