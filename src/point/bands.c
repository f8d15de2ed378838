/* bands.c - relations that rounding cannot flip back: exact events, off-line.
 *
 * Where an event was located, the two sides of its relation are equal to
 * rounding, and the next evaluation may see either of them above. So with exact
 * events a relation has a band around equality,
 *
 *     |lhs - rhs| <= epsilon = 1e-10 (scale + max(|lhs|, |rhs|)),
 *
 * scale being 1, or the smallest `nominal` in the relation where that is less,
 * or the number that one side is, if it is less (q > 5e-13) and not so small
 * that it only stands for zero.
 * Beyond the band the relation is what it says. Within it
 *   - it may take the value it has at equality (< and > are false there, <= and
 *     >= true): a force that falls to exactly 0 is seen;
 *   - it takes the other value beyond the band only, so the side on which an
 *     event was located is certain;
 *   - after a change next to it (one that was located, not a jump) it keeps
 *     its value until the band has been left, or until what the same event
 *     changes (reinit, another mode) moves its sides by more than rounding: a
 *     speed that is set to 0 where it was found to be above 0 no longer is;
 *   - one in a loop that event after event changes and at the same event is
 *     taken back at equality keeps the value it changes to: both suit, and with
 *     the other one it would change for ever (a brake at its limit, on a shaft
 *     that another one holds).
 * floor, ceil, integer and div have the same band around each whole number.
 * Relations of time alone are exact, and so is the first point of a run.
 * (OpenModelica's bands have the same formula with another factor.)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "point/point_parts.h"

/* Numbers below stand for zero. */
static const double LEAST_SCALE = 1e-15;

typedef struct SimBand {
    double scale;
    double crossed; /* its value where a crossing was located; NAN: none was */
    bool is_recent; /* it has changed and the band was not left since, */
    double where;   /* the one at this whole number, of floor and the like */
    double gap;     /* lhs - rhs where it changed, */
    long changed;   /* and in which call of sim_settle() that was */
    double width;   /* at least, until the band has been left */
    double to;      /* what it first changed to, at the last event that did, */
    bool is_back;   /* that event has taken it back, */
    int returns;    /* and so have so many in a row */
    long count;     /* events since the last point of output, */
    double first;   /* the time of the first one, */
    long settled;   /* and in which call of sim_settle() the last one was */
} SimBand;

/* ---- the band of one relation ---- */

/* The smallest number that a side is, at most 1. `sides` has been run. */
static double side_of(const Sim *s, int i)
{
    const Inlined *d = s->low->inlined;
    const int slot[] = {s->low->side[i].lhs, s->low->side[i].rhs};
    double scale = 1;
    for (int k = 0; k < 2; k++) {
        if (slot[k] == NONE || !inlined_is_number(d, i, k))
            continue;
        double x = fabs(s->exec->r[slot[k]]);
        if (x >= LEAST_SCALE)
            scale = fmin(scale, x);
    }
    return scale;
}

void sim_begin_bands(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (!s->low->side || s->band || d->nrelation == 0)
        return;
    s->band = NEW_ARRAY(s->arena, SimBand, d->nrelation);
    exec_run(s->exec, &s->low->sides);
    for (int i = 0; i < d->nrelation; i++)
        s->band[i] =
            (SimBand){.scale = fmin(inlined_band_scale(d, i), side_of(s, i)),
                      .crossed = NAN};
}

/* The next point at which a relation jumps. */
typedef struct Jump {
    double g;     /* how far the present point is beyond it */
    double width; /* of the band there */
    double value; /* at that point, */
    double where; /* which is this whole number, of floor and the like */
} Jump;

/* Returns false for what has none. `sides` has been run. */
static bool find_jump(const Sim *s, int i, Jump *jump)
{
    const Inlined *d = s->low->inlined;
    const LoweredSides *side = &s->low->side[i];
    double a = side->lhs == NONE ? 0 : s->exec->r[side->lhs];
    double b = side->rhs == NONE ? 0 : s->exec->r[side->rhs];
    double scale = s->band[i].scale;
    jump->where = 0;
    switch (expr_op(d->dag, d->relation[i].now)) {
    case EX_LT:
    case EX_GT: jump->value = 0; break;
    case EX_LE:
    case EX_GE: jump->value = 1; break;
    case EX_IDIV: a /= b; /* fall through */
    case EX_FLOOR:
    case EX_CEIL:
    case EX_INTEGER:
        scale = 1;
        jump->value = jump->where = b = rint(a);
        break;
    default: return false;
    }
    jump->g = a - b;
    if (i == s->options.shift.relation)
        jump->g += s->options.shift.by;
    jump->width =
        fmax(SIM_BAND * (scale + fmax(fabs(a), fabs(b))), s->band[i].width);
    return true;
}

static bool is_inside(const Sim *s, int i, Jump *jump)
{
    return find_jump(s, i, jump) && fabs(jump->g) <= jump->width;
}

bool sim_is_far(const Sim *s, int i, double widths)
{
    Jump jump;
    return s->band && find_jump(s, i, &jump) &&
           fabs(jump.g) > widths * jump.width;
}

static bool has_band(const Sim *s, int i)
{
    return s->band && !s->low->inlined->relation[i].is_of_time;
}

/* So often it changes and is taken back at equality before it counts as one
 * that both values suit. */
enum { UNDECIDED = 3 };

bool sim_is_undecided(const Sim *s, int i)
{
    return s->band && !s->modes->is_decided && s->band[i].returns >= UNDECIDED;
}

void sim_decide(Sim *s)
{
    for (int i = 0; s->band && i < s->low->inlined->nrelation; i++)
        s->modes->is_decided |= sim_is_undecided(s, i);
}

static void count_return(const Sim *s, int i, double value)
{
    SimBand *b = &s->band[i];
    if (b->changed == s->settled) {
        b->returns += s->modes->in_loop[i] && value != b->to && !b->is_back;
        b->is_back = true;
        return;
    }
    if (value != b->to)
        b->returns = 0;
    b->to = value;
    b->is_back = false;
}

/* Has the event at which it changed moved its sides since then? */
static bool has_jumped(const Sim *s, int i, const Jump *jump)
{
    const SimBand *b = &s->band[i];
    return b->changed == s->settled && !sim_is_undecided(s, i) &&
           fabs(jump->g - b->gap) > 1e-3 * jump->width;
}

/* Has it come to its boundary where solutions are open (modes.c)? */
static bool stays_so(const Sim *s, int i)
{
    int slot = s->modes->stays[i];
    return slot != NONE && s->exec->r[slot] != 0;
}

static double value_in_band(const Sim *s, int i)
{
    double frozen = s->exec->r[s->low->slot[s->low->inlined->relation[i].var]];
    double now = s->exec->r[s->low->relation_now[i]];
    const SimBand *b = &s->band[i];
    Jump jump;
    if (now == frozen || !is_inside(s, i, &jump))
        return now;
    bool is_held = stays_so(s, i) || (b->is_recent && b->where == jump.where &&
                                      !has_jumped(s, i, &jump));
    return now == jump.value && !is_held ? now : frozen;
}

/* ---- all relations ---- */

void sim_run_relations(Sim *s)
{
    int i = s->options.shift.relation;
    Jump jump;
    exec_run(s->exec, &s->low->relations);
    if (s->options.shift.by == 0 || !s->band)
        return;
    exec_run(s->exec, &s->low->sides);
    if (!find_jump(s, i, &jump))
        return;
    ExprOp op = expr_op(s->low->inlined->dag, s->low->inlined->relation[i].now);
    bool rises = op == EX_GT || op == EX_GE;
    s->exec->r[s->low->relation_now[i]] =
        jump.g == 0 ? jump.value : (jump.g > 0) == rises;
}

bool sim_has_crossed(Sim *s)
{
    const Inlined *d = s->low->inlined;
    const double *r = s->exec->r;
    bool found = false, has_sides = false;
    if (d->nrelation == 0)
        return false;
    sim_run_relations(s);
    for (int i = 0; i < d->nrelation; i++) {
        double now = r[s->low->relation_now[i]];
        double frozen = r[s->low->slot[d->relation[i].var]];
        if (has_band(s, i))
            s->band[i].crossed = NAN;
        if (d->relation[i].is_of_time || now == frozen)
            continue;
        if (!has_band(s, i))
            return true;
        if (!has_sides)
            exec_run(s->exec, &s->low->sides);
        has_sides = true;
        now = value_in_band(s, i);
        if (now == frozen)
            continue;
        s->band[i].crossed = now;
        found = true;
    }
    return found;
}

void sim_relation_gaps(Sim *s, CrestSides *at)
{
    const Inlined *d = s->low->inlined;
    exec_run(s->exec, &s->low->sides);
    for (int i = 0; i < d->nrelation; i++) {
        ExprOp op = expr_op(d->dag, d->relation[i].now);
        bool compares =
            op == EX_LT || op == EX_GT || op == EX_LE || op == EX_GE;
        Jump jump;
        bool has = compares && has_band(s, i) && find_jump(s, i, &jump);
        at[i] = (CrestSides){has ? jump.g : NAN, has ? jump.width : 0};
    }
}

/* Within its band a relation takes the value of equality, unless it is held. */
static double depth_of(const Sim *s, int i)
{
    const Inlined *d = s->low->inlined;
    ExprOp op = expr_op(d->dag, d->relation[i].now);
    bool rises = op == EX_GT || op == EX_GE, falls = op == EX_LT || op == EX_LE;
    const SimBand *b = &s->band[i];
    double frozen = s->exec->r[s->low->slot[d->relation[i].var]];
    Jump jump;
    if (!(rises || falls) || !find_jump(s, i, &jump))
        return NAN;
    double beyond = rises == (frozen == 0) ? jump.g : -jump.g;
    bool is_held = frozen == jump.value || b->is_recent || stays_so(s, i);
    return beyond - (is_held ? jump.width : 0);
}

void sim_crossing_depths(Sim *s, double *depth)
{
    if (s->band)
        exec_run(s->exec, &s->low->sides);
    for (int i = 0; i < s->low->inlined->nrelation; i++)
        depth[i] = has_band(s, i) ? depth_of(s, i) : NAN;
}

/* A crossing that was located at equality may be lost again by rounding before
 * the event: it counts. */
double sim_next_relation(Sim *s, int i)
{
    double now = s->exec->r[s->low->relation_now[i]];
    Jump jump;
    if (!has_band(s, i))
        return now;
    double crossed = s->band[i].crossed;
    s->band[i].crossed = NAN;
    if (!isnan(crossed) && is_inside(s, i, &jump))
        return crossed;
    return value_in_band(s, i);
}

/* An event more between two points of output. */
static void count_event(Sim *s, int i)
{
    SimBand *b = &s->band[i];
    if (b->settled == s->settled || s->k == 0)
        return;
    b->settled = s->settled;
    if (b->count++ == 0)
        b->first = s->exec->r[s->low->tape->time];
}

/* A jump is no event that was located. */
static void enter_band(Sim *s, int i)
{
    SimBand *b = &s->band[i];
    Jump jump = {0};
    b->is_recent = find_jump(s, i, &jump) && fabs(jump.g) <= 10 * jump.width;
    b->where = jump.where;
    b->gap = jump.g;
    b->changed = s->settled;
}

void sim_set_relation(Sim *s, int i, double value)
{
    s->exec->r[s->low->slot[s->low->inlined->relation[i].var]] = value;
    if (has_band(s, i)) {
        count_return(s, i, value);
        enter_band(s, i);
    }
    if (s->band)
        count_event(s, i);
    sim_see_rhythm(s, i, value);
    if (++s->changes[i] > s->stats.chatter_count) {
        s->stats.chatter_count = s->changes[i];
        s->stats.chatter = i;
    }
}

void sim_widen_band(Sim *s, int i, double width)
{
    if (has_band(s, i)) {
        s->band[i].width = fmax(s->band[i].width, width);
        s->band[i].is_recent = true;
    }
}

/* Events lie just beyond their bands: what is to be forgotten only far from
 * them has ten times the width. */
static void leave_band(Sim *s, int i)
{
    SimBand *b = &s->band[i];
    Jump jump;
    bool has = find_jump(s, i, &jump) && jump.where == b->where;
    b->is_recent = b->is_recent && has && fabs(jump.g) <= jump.width;
    if (!b->is_recent)
        b->width = 0;
    if (!has || fabs(jump.g) > 10 * jump.width)
        b->returns = 0;
}

void sim_leave_bands(Sim *s)
{
    bool has_sides = false;
    for (int i = 0; s->band && i < s->low->inlined->nrelation; i++) {
        if (!s->band[i].is_recent && s->band[i].returns == 0)
            continue;
        if (!has_sides)
            exec_run(s->exec, &s->low->sides);
        has_sides = true;
        leave_band(s, i);
    }
}

/* ---- too many of them ---- */

/* So many times more, where they follow from time alone, as each is known
 * before it comes, and where they come ever faster, up to their limit. */
enum { OF_TIME = 20, TO_LIMIT = 10 };

static int patience(const Sim *s, int i)
{
    return s->low->inlined->relation[i].is_of_time ? OF_TIME
           : sim_is_near_limit(s, i)               ? TO_LIMIT
                                                   : 1;
}

void sim_forget_events(Sim *s)
{
    for (int i = 0; s->band && i < s->low->inlined->nrelation; i++)
        s->band[i].count = 0;
}

const char *sim_reader_of(const Sim *s, int relation, Span *span)
{
    const Inlined *d = s->low->inlined;
    const InlinedEqn *e =
        inlined_find_reader(d, d->var[d->relation[relation].var].leaf);
    *span = e ? e->span : d->sys->flat->span;
    return e ? flat_component_path(d->sys->flat, e->component, s->arena) : "";
}

bool sim_check_crowd(Sim *s, int most)
{
    const Inlined *d = s->low->inlined;
    int worst = NONE;
    for (int i = 0; s->band && i < d->nrelation; i++)
        if (s->band[i].count > patience(s, i) * most)
            worst = i;
    if (worst == NONE)
        return true;
    Span span;
    const char *path = sim_reader_of(s, worst, &span);
    diag_report(s->diag, span, DIAG_E1341,
                "%s%s%sthe relation %s changed more than %d times between two "
                "points of output, at first at time %g, now at %g: it "
                "chatters, its events come without end, or the output is too "
                "rare",
                *path ? "in '" : "", path, *path ? "' " : "",
                expr_text(d->dag, d->relation[worst].now, inlined_var_name,
                          (void *)d, 200, s->arena),
                patience(s, worst) * most, s->band[worst].first,
                s->exec->r[s->low->tape->time]);
    return false;
}
