/* fuse_modes.c - relations and the equations they decide on, made to agree.
 *
 * What point/modes.c does, operation by operation, without a branch: all ways
 * on are computed and one is selected. A look at the relations costs the same
 * whether something changes or not.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "step/fuse_internal.h"

static const double NEVER = 1e300, BAND = 1e-10, NEAR = 1e-12;

/* A relation within a loop; slots. */
typedef struct Mode {
    int frozen, now, even; /* even: its value at equality */
    int start, entered;    /* live from look to look */
    int gap, inside, rest, disagrees, place;
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

/* `now` is a truth: it differs from the value at equality where it is, or is
 * not, that. */
static int is_odd(Fuse *f, const Mode *m)
{
    return m->even == f->zero ? m->now : emit(f, EX_NOT, m->now, NONE);
}

static void see(Fuse *f, const LoweredMode *low, Mode *m)
{
    Tape *t = f->t;
    int a = emit(f, EX_ABS, low->lhs, NONE),
        b = emit(f, EX_ABS, low->rhs, NONE);
    int size = emit(f, EX_ADD, f->one, emit(f, EX_MAX, a, b));
    int width = emit(f, EX_MUL, tape_const(t, BAND), size);
    m->gap = emit(f, EX_SUB, low->lhs, low->rhs);
    m->inside = emit(f, EX_LE, emit(f, EX_ABS, m->gap, NONE), width);
    int held = emit(f, EX_OR, m->entered, is_odd(f, m));
    if (low->stays != NONE)
        held = emit(f, EX_OR, held, low->stays);
    held = emit(f, EX_AND, m->inside, held);
    int differs = emit(f, EX_NE, m->now, m->frozen);
    m->disagrees = emit(f, EX_AND, differs, emit(f, EX_NOT, held, NONE));
}

/* LoweredMode.stays after a look. */
static void keep(Fuse *f, const LoweredMode *low, const Mode *m, int flips)
{
    if (low->stays == NONE)
        return;
    int still = emit(f, EX_AND, low->stays, m->inside);
    tape_emit(f->t, EX_OR, low->stays, flips, still, NONE);
}

/* What the relations of a group say together; slots. */
typedef struct Group {
    int any, two;    /* how many disagree: at least one, two */
    int away, ahead; /* the path leads away from b; or to it */
    int sign;        /* 1 if away, else -1 */
} Group;

static Group ask_group(Fuse *f, const FuseModes *modes, int from, int n)
{
    Mode *m = modes->at + from;
    Group g = {f->zero, f->zero, f->zero, f->zero, NONE};
    int came = f->zero;
    for (int k = 0; k < n; k++) {
        see(f, &modes->low[from + k], &m[k]);
        int agrees = emit(f, EX_NOT, m[k].disagrees, NONE);
        int both = emit(f, EX_AND, g.any, m[k].disagrees);
        g.two = emit(f, EX_OR, g.two, both);
        g.any = emit(f, EX_OR, g.any, m[k].disagrees);
        g.away = emit(f, EX_OR, g.away,
                      emit(f, EX_AND, m[k].entered, m[k].disagrees));
        came = emit(f, EX_OR, came, emit(f, EX_AND, m[k].entered, agrees));
    }
    g.away = emit(f, EX_AND, g.away, emit(f, EX_NOT, came, NONE));
    g.ahead = emit(f, EX_NOT, g.away, NONE);
    g.sign = choose(f, g.away, f->one, tape_const(f->t, -1));
    return g;
}

/* Where a relation changes its side between a and b, as a part of the way:
 * start/(start - gap), 0 if it disagrees at once. Away from b it is that with
 * the other sign, of those that come nearer and were not just entered. */
static int place_of(Fuse *f, const Mode *m, int rest, const Group *g)
{
    int side = emit(f, EX_LT, emit(f, EX_MUL, m->start, m->gap), f->zero);
    int share = emit(f, EX_DIV, m->start, rest);
    int comes = emit(f, EX_LT, f->zero, share);
    int outside = emit(f, EX_NOT, m->entered, NONE);
    int where = emit(f, EX_MUL, share, g->sign);
    where = choose(f, emit(f, EX_OR, g->away, side), where, f->zero);
    int nears = emit(f, EX_AND, emit(f, EX_AND, comes, outside), g->away);
    int turns = emit(f, EX_AND, m->disagrees, g->ahead);
    return choose(f, emit(f, EX_OR, nears, turns), where,
                  tape_const(f->t, NEVER));
}

/* After the last pass: those that disagree flip, and the next step goes on from
 * there. No path leads on, so none is looked for. */
static int end_group(Fuse *f, const FuseModes *modes, int from, int n)
{
    Mode *m = modes->at + from;
    int any = f->zero;
    for (int k = 0; k < n; k++) {
        see(f, &modes->low[from + k], &m[k]);
        any = emit(f, EX_OR, any, m[k].disagrees);
        keep(f, &modes->low[from + k], &m[k], m[k].disagrees);
        tape_emit(f->t, EX_NE, m[k].frozen, m[k].frozen, m[k].disagrees, NONE);
        fuse_name(f, modes->low[from + k].relation, m[k].disagrees);
    }
    return any;
}

/* Returns a slot: does a relation of the group disagree? None flips else. At
 * the first look no path leads anywhere: who disagrees flips. */
static int look_at_group(Fuse *f, const FuseModes *modes, int from, int n)
{
    Tape *t = f->t;
    Mode *m = modes->at + from;
    Group g = ask_group(f, modes, from, n);
    int never = tape_const(t, NEVER), first = NONE;
    for (int k = 0; k < n; k++) {
        m[k].rest = emit(f, EX_SUB, m[k].gap, m[k].start);
        m[k].place = place_of(f, &m[k], m[k].rest, &g);
        first = first == NONE ? m[k].place : emit(f, EX_MIN, first, m[k].place);
    }
    int band = emit(f, EX_MUL, tape_const(t, NEAR), first);
    int reach = emit(f, EX_MIN, emit(f, EX_ADD, first, band),
                     tape_const(t, nextafter(NEVER, 0)));
    int back = emit(f, EX_MUL, first, emit(f, EX_NEG, g.sign, NONE));
    int way = choose(f, emit(f, EX_LT, first, never), back, f->zero);
    int later = emit(f, EX_NOT, modes->first, NONE);
    int goes = emit(f, EX_AND, g.any, later);
    int many = emit(f, EX_AND, modes->first, g.two);
    int single = emit(f, EX_NOT, many, NONE);
    for (int k = 0; k < n; k++) {
        int near = emit(f, EX_LE, m[k].place, reach);
        int flips = choose(f, modes->first, m[k].disagrees, near);
        int moved =
            emit(f, EX_ADD, m[k].start, emit(f, EX_MUL, way, m[k].rest));
        moved = choose(f, flips, f->zero, moved);
        tape_emit(t, EX_IF, m[k].start, goes, moved, m[k].gap);
        tape_emit(t, EX_AND, m[k].entered, flips, single, NONE);
        keep(f, &modes->low[from + k], &m[k], flips);
        tape_emit(t, EX_NE, m[k].frozen, m[k].frozen, flips, NONE);
    }
    return g.any;
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
        int differs = emit(f, EX_NE, frozen, now);
        fuse_name(f, i, differs);
        changed = either(f, changed, differs);
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
        changed = either(f, changed,
                         f->names ? end_group(f, m, k, end - k)
                                  : look_at_group(f, m, k, end - k));
    }
    if (m->n > 0)
        fuse_copy(f, m->first, f->zero);
    return changed;
}
