/* modes.c - relations and the equations they decide on, made to agree.
 *
 * At an event all pre values are held while this goes on. A relation that is in
 * no loop takes its present value, and the model is evaluated again: what
 * depends on it follows. Relations in a loop (lower/modes.c) are found group by
 * group along a path (Katzenelson, Bell System Technical Journal 44(8), 1965):
 *
 *   a   a point at which the relations are what they say, at first the values
 *       that the event found; g_i(a) = lhs - rhs of relation i there
 *   b   the solution with these relations
 *
 * If all relations agree with b, it is the solution. Else some change sign on
 * the way from a to b; at the first place where one does
 *
 *     t = min g_i(a) / (g_i(a) - g_i(b)),     a := a + t (b - a)
 *
 * only those that change there are flipped, and b is solved for again. The g_i
 * are taken to be linear between a and b, so that a itself is never needed.
 * Where a flip is at once contradicted, by a b on the side that a has just
 * left, the new cell has the other orientation (an amplifier with positive
 * feedback between its limits): there the path leads away from b, as its
 * solution is not stable, to the next boundary.
 *
 * The same rule, operation by operation, is in generated code
 * (step/fuse_modes.c), where a step has a fixed number of tries.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "point/point_parts.h"

static const double NEVER = 1e300;

void sim_find_modes(Sim *s)
{
    const Lowered *low = s->low;
    int n = low->nmode > low->ninit_mode ? low->nmode : low->ninit_mode;
    SimModes *m = NEW(s->arena, SimModes);
    m->in_loop = NEW_ARRAY(s->arena, bool, low->inlined->nrelation + 1);
    m->in_init_loop = NEW_ARRAY(s->arena, bool, low->inlined->nrelation + 1);
    m->at = NEW_ARRAY(s->arena, SimMode, n + 1);
    m->before = NEW_ARRAY(s->arena, double, low->tape->nslot);
    m->stays = NEW_ARRAY(s->arena, int, low->inlined->nrelation + 1);
    for (int i = 0; i < low->inlined->nrelation; i++)
        m->stays[i] = NONE;
    for (int k = 0; k < low->nmode; k++) {
        m->in_loop[low->mode[k].relation] = true;
        m->stays[low->mode[k].relation] = low->mode[k].stays;
    }
    for (int k = 0; k < low->ninit_mode; k++)
        m->in_init_loop[low->init_mode[k].relation] = true;
    s->modes = m;
}

static double *frozen_of(const Sim *s, int relation)
{
    const Lowered *low = s->low;
    return &s->exec->r[low->slot[low->inlined->relation[relation].var]];
}

/* ---- one relation ---- */

static const double TIE = 1e-6;

/* Exact events have located the place where the relation is to change; rounding
 * decides on which side of it the next solution lies. */
bool sim_is_even_beside(const Sim *s, const SimMode *m, double size)
{
    return s->band && fabs(m->gap) <= TIE * (1 + size);
}

bool sim_is_even(const Sim *s, const SimMode *m)
{
    return sim_is_even_beside(s, m, m->size);
}

static int sense(Sim *s)
{
    return exec_sense(s->exec, &s->low->system[s->low->inlined->event].run);
}

bool sim_is_turned(Sim *s)
{
    return s->modes->has_sense && sense(s) * s->modes->sense < 0;
}

/* Before the first relations flip. */
static void see_sense(Sim *s, const SimMode *m, int n)
{
    for (int k = 0; s->band && k < n && !s->modes->has_sense; k++)
        if (m[k].flips) {
            s->modes->has_sense = true;
            s->modes->sense = sense(s);
        }
}

static bool is_inside(const Sim *s, const SimMode *m)
{
    return fabs(m->gap) <= s->modes->band * (1 + m->size);
}

/* It came to its boundary where other solutions leave it, and is there still:
 * back from it, it would come to it again, or it would not have changed. */
static bool stays_so(const Sim *s, const LoweredMode *low)
{
    return low->stays != NONE && s->exec->r[low->stays] != 0;
}

/* What its present value says. A relation that was flipped last stays as it is
 * within a band around equality, and so does one that is even there, unless
 * that leads to a cell of the other orientation. */
static bool disagrees(Sim *s, const LoweredMode *low, const SimMode *m)
{
    double now = s->exec->r[s->low->relation_now[low->relation]];
    bool rests = (m->rests && !s->modes->is_decided) || stays_so(s, low);
    bool is_held = is_inside(s, m) && (m->entered || rests || now != low->even);
    bool is_even = m->is_tie && m->entered && sim_is_even(s, m);
    if (is_even && sim_is_turned(s))
        return true;
    if (now == *frozen_of(s, low->relation) || is_held)
        return false;
    if (!is_even)
        return true;
    sim_widen_band(s, low->relation, 2 * fabs(m->gap));
    return false;
}

/* How far along the way to b it changes. */
static double place_forward(const SimMode *m)
{
    bool changes_sign = m->start * m->gap < 0;
    if (!m->disagrees)
        return NEVER;
    return changes_sign ? m->start / (m->start - m->gap) : 0;
}

/* The same on the way from b. */
static double place_away(const SimMode *m)
{
    double share = m->start / (m->gap - m->start);
    bool comes_to_zero = share > 0 && !m->entered;
    return comes_to_zero ? share : NEVER;
}

/* ---- a group ---- */

/* The first look at an event: the relations become what they say at a. */
static void begin_group(Sim *s, const LoweredMode *low, SimMode *m, int n)
{
    int count = 0;
    for (int k = 0; k < n; k++) {
        int i = low[k].relation;
        m[k].entered = false;
        m[k].start = m[k].gap;
        m[k].flips = s->band ? sim_next_relation(s, i) != *frozen_of(s, i)
                             : disagrees(s, &low[k], &m[k]);
        count += m[k].flips;
    }
    for (int k = 0; k < n; k++) {
        m[k].entered = m[k].flips && count == 1;
        m[k].is_tie = m[k].entered && sim_is_even(s, &m[k]);
        m[k].rests = m[k].flips && sim_is_undecided(s, low[k].relation);
    }
}

/* b agrees with its relations: the next way begins there. One that both values
 * suit (bands.c) stays flipped while pre moves on. */
static void rest_group(const Sim *s, const LoweredMode *low, SimMode *m, int n)
{
    for (int k = 0; k < n; k++) {
        m[k].start = m[k].gap;
        m[k].rests |= m[k].entered && sim_is_undecided(s, low[k].relation);
        m[k].entered = m[k].flips = false;
    }
}

/* After the last look: who disagrees flips, and the next step goes on from
 * there. */
static void end_group(SimMode *m, int n)
{
    for (int k = 0; k < n; k++)
        m[k].flips = m[k].disagrees;
}

/* On to the next boundary. */
static void move_group(Sim *s, SimMode *m, int n, bool away)
{
    double first = NEVER;
    for (int k = 0; k < n; k++) {
        m[k].place = away ? place_away(&m[k]) : place_forward(&m[k]);
        first = m[k].place < first ? m[k].place : first;
    }
    double t = first < NEVER ? (away ? -first : first) : 0;
    for (int k = 0; k < n; k++) {
        m[k].flips = m[k].place < NEVER && m[k].place <= first + 1e-12 * first;
        m[k].start = m[k].flips ? 0 : m[k].start + t * (m[k].gap - m[k].start);
        m[k].entered = m[k].flips;
        m[k].is_tie = m[k].flips && sim_is_even(s, &m[k]);
        m[k].rests = m[k].rests && !m[k].flips;
    }
    s->modes->moves++;
    s->modes->ties = fabs(t) < 1e-9 ? s->modes->ties + 1 : 0;
    s->modes->is_lost |= first >= NEVER;
}

static void measure(const Sim *s, const LoweredMode *low, SimMode *m)
{
    double lhs = s->exec->r[low->lhs], rhs = s->exec->r[low->rhs];
    m->gap = lhs - rhs;
    m->size = fmax(fabs(lhs), fabs(rhs));
}

bool sim_mode_disagrees(Sim *s, int k)
{
    measure(s, &s->low->mode[k], &s->modes->at[k]);
    s->modes->at[k].rests = false;
    return disagrees(s, &s->low->mode[k], &s->modes->at[k]);
}

/* Returns whether a relation of the group is to change. */
static bool look_at_group(Sim *s, const LoweredMode *low, SimMode *m, int n,
                          SimLook look)
{
    bool first = look == LOOK_FIRST;
    bool any = false, away = false, came = false;
    for (int k = 0; k < n; k++)
        measure(s, &low[k], &m[k]);
    if (first) {
        begin_group(s, low, m, n);
        see_sense(s, m, n);
    } else {
        for (int k = 0; k < n; k++) {
            m[k].disagrees = disagrees(s, &low[k], &m[k]);
            any |= m[k].disagrees;
            away |= m[k].entered && m[k].disagrees;
            came |= m[k].entered && !m[k].disagrees;
        }
        if (look == LOOK_LAST)
            end_group(m, n);
        else if (any)
            move_group(s, m, n, away && !came);
        else
            rest_group(s, low, m, n);
    }
    any = false;
    for (int k = 0; k < n; k++) {
        if (low[k].stays != NONE)
            s->exec->r[low[k].stays] =
                m[k].flips || (stays_so(s, &low[k]) && is_inside(s, &m[k]));
        if (m[k].flips)
            sim_set_relation(s, low[k].relation,
                             1 - *frozen_of(s, low[k].relation));
        any |= m[k].flips;
        any |= !first && m[k].disagrees; /* there was no way on */
    }
    return any;
}

static int end_of_group(const LoweredMode *low, int n, int k)
{
    int end = k;
    while (end < n && low[end].group == low[k].group)
        end++;
    return end;
}

/* ---- all relations ---- */

bool sim_move_modes(Sim *s, bool is_init, SimLook look)
{
    bool first = look == LOOK_FIRST;
    const Lowered *low = s->low;
    const LoweredMode *mode = is_init ? low->init_mode : low->mode;
    int n = is_init ? low->ninit_mode : low->nmode;
    const bool *in_loop = is_init ? s->modes->in_init_loop : s->modes->in_loop;
    bool changed = false;
    sim_run_relations(s);
    if (s->band)
        exec_run(s->exec, &low->sides);
    if (n > 0)
        exec_run(s->exec, &low->gaps);
    if (first) {
        s->modes->ties = s->modes->moves = 0;
        s->modes->is_lost = s->modes->has_sense = false;
    }
    s->modes->band = s->modes->ties >= 4 && low->side ? 1e-6 : 1e-10;
    bool is_after = !is_init && !s->is_exact;
    if (is_after)
        exec_run(s->exec, &low->after);
    for (int i = 0; i < low->inlined->nrelation; i++) {
        double now = in_loop[i] ? 0
                     : is_after ? s->exec->r[low->relation_after[i]]
                                : sim_next_relation(s, i);
        if (in_loop[i] || *frozen_of(s, i) == now)
            continue;
        sim_set_relation(s, i, now);
        changed = true;
    }
    for (int k = 0; k < n; k = end_of_group(mode, n, k))
        changed |= look_at_group(s, mode + k, s->modes->at + k,
                                 end_of_group(mode, n, k) - k, look);
    return changed;
}
