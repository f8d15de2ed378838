/* turns.c - crests within parts whose length is controlled (crest/crest.h).
 *
 * Points within a part are those of its polynomial (dense.c), or parts that are
 * made again and end there.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

/* A part, while points within it are looked at. */
typedef struct Turn {
    Sim *s;
    double from, to;
    bool has_moved; /* from its end */
} Turn;

static void leave_end(Turn *x)
{
    Sim *s = x->s;
    memcpy(s->turn_end, s->exec->r,
           (size_t)s->low->tape->nslot * sizeof(double));
    if (s->dense)
        sim_dense_hold(s, x->from, x->to);
    x->has_moved = true;
}

static double gap_at(void *context, int relation, double time)
{
    Turn *x = context;
    Sim *s = x->s;
    if (!x->has_moved)
        leave_end(x);
    bool fine = s->dense ? sim_dense_place(s, time)
                         : sim_try_part(s, x->from, time, false);
    if (!fine)
        return NAN;
    sim_relation_gaps(s, s->turn_at);
    return s->turn_at[relation].gap;
}

static void begin(Sim *s)
{
    int n = s->low->inlined->nrelation;
    s->crests = crests_new(n, s->arena);
    s->turn_at = NEW_ARRAY(s->arena, CrestSides, n);
}

/* Slots as they were at the end of the part. */
static void return_to_end(Sim *s)
{
    memcpy(s->exec->r, s->turn_end,
           (size_t)s->low->tape->nslot * sizeof(double));
    exec_reset_status(s->exec);
}

/* Without a polynomial: does the part that ends at `turn` end beyond a change?
 */
static bool ends_beyond(Turn *x, double turn)
{
    if (!x->has_moved)
        leave_end(x);
    return sim_try_part(x->s, x->from, turn, false) && sim_has_crossed(x->s);
}

double sim_see_crests(Sim *s, double from, double to)
{
    Turn x = {.s = s, .from = from, .to = to};
    SimPart part = s->part;
    long newton = s->stats.newton;
    int system = s->system;
    bool moved;
    if (!s->band || (s->orders && !s->dense))
        return NAN;
    if (!s->crests)
        begin(s);
    if (!s->turn_end)
        s->turn_end = NEW_ARRAY(s->arena, double, s->low->tape->nslot);
    sim_relation_gaps(s, crests_add(s->crests, from, to));
    double turn = crests_look(s->crests, gap_at, &x, &moved);
    if (!s->dense && !isnan(turn) && !ends_beyond(&x, turn))
        turn = NAN;
    if (x.has_moved) {
        return_to_end(s);
        s->part = part;
        s->stats.newton = newton;
        s->system = system;
    }
    return turn;
}

/* ---- assertions ---- */

static bool guard_at(void *turn, double time)
{
    Turn *x = turn;
    Sim *s = x->s;
    if (!x->has_moved)
        leave_end(x);
    return s->dense ? sim_dense_place(s, time)
                    : sim_try_part(s, x->from, time, false);
}

bool sim_keeps_guards(Sim *s, double from, double to, bool crossed)
{
    Turn x = {.s = s, .from = from, .to = to};
    SimGuardStep step = {from, to, s->options.rtol, guard_at, &x};
    SimPart part = s->part;
    long newton = s->stats.newton;
    int system = s->system;
    double time;
    if (!sim_has_guards(s) || (s->orders && !s->dense))
        return true;
    if (!s->turn_end)
        s->turn_end = NEW_ARRAY(s->arena, double, s->low->tape->nslot);
    int end = crossed ? NONE : sim_broken_assertion(s);
    if (end != NONE) {
        sim_report_assertion(s, end);
        return false;
    }
    int broken = sim_see_guards(s, &step, &time);
    if (broken != NONE && guard_at(&x, time))
        sim_report_assertion(s, broken);
    if (x.has_moved) {
        return_to_end(s);
        s->part = part;
        s->stats.newton = newton;
        s->system = system;
    }
    if (crossed)
        sim_forget_guards(s);
    return broken == NONE;
}
