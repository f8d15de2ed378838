/* fuse_delay.c - delay(): the past in rings of a constant size.
 *
 * point/inputs.c keeps all of the past; here a ring holds as many values as the
 * longest delay needs. One value is recorded a step, so that the time of a
 * value follows from its number.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "spread/spread.h"
#include "step/fuse_internal.h"

enum { MOST_VALUES = 1000000 };

/* Room for the points of the plan, and for the first ones in any case. */
static TapeDelay spread_of(const Fuse *f, const InlinedDelay *d)
{
    int points = f->options->points;
    if (points < d->npoint + 2)
        points = d->npoint + 2;
    return (TapeDelay){spread_room(points), f->out->count, TP_SPREAD, points,
                       d->npoint};
}

void fuse_place_delays(Fuse *f)
{
    const Inlined *d = f->d;
    for (int i = 0; i < d->ndelay; i++) {
        if (d->delay[i].past != IP_DELAY) {
            TapeDelay other = {1, f->out->count, TP_NUMBER, 0, 0};
            if (d->delay[i].past == IP_SPREAD)
                other = spread_of(f, &d->delay[i]);
            vec_push(f->t->arena, &f->t->delay, other);
            continue;
        }
        double n = f->options->delay_max[i] / f->options->step;
        n = n >= 0 ? fmin(n, MOST_VALUES) : 0;
        TapeDelay delay = {(int)ceil(n) + 3, f->out->count, TP_RING, 0, 0};
        vec_push(f->t->arena, &f->t->delay, delay);
    }
    f->t->start = f->options->start;
}

/* What spatialDistribution() is asked for at the time in slot `at`. */
int fuse_read_spread(Fuse *f, const InlinedVar *v, int dst, int at)
{
    return tape_emit(f->t, TAPE_PAST, dst, v->relation, at,
                     tape_const(f->t, v->back));
}

void fuse_set_delays(Fuse *f, int old)
{
    const Inlined *d = f->d;
    Tape *t = f->t;
    for (int i = 0; d->ndelay > 0 && i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind != IV_DELAY || f->low->slot[i] == NONE)
            continue;
        int span = tape_emit(t, EX_SUB, NONE, t->time, old, NONE);
        int part = tape_emit(t, EX_MUL, NONE, tape_const(t, v->c), span, NONE);
        int at = tape_emit(t, EX_ADD, NONE, old, part, NONE);
        if (d->delay[v->relation].past == IP_SPREAD) {
            fuse_read_spread(f, v, f->low->slot[i], at);
            continue;
        }
        int delay = tape_emit(t, EX_MAX, NONE, f->low->delay_time[v->relation],
                              f->zero, NONE);
        tape_emit(t, TAPE_PAST, f->low->slot[i], v->relation, at, delay);
    }
}

/* delays: also those of delay(). */
void fuse_note_all(Fuse *f, bool delays)
{
    for (int i = 0; i < f->d->ndelay; i++)
        if (delays || f->d->delay[i].past != IP_DELAY)
            tape_emit(f->t, TAPE_RECORD, 0, i, f->low->delay_now[i], NONE);
}

void fuse_record_delays(Fuse *f)
{
    if (f->d->ndelay == 0)
        return;
    fuse_copy_segment(f, &f->low->relations);
    fuse_note_all(f, true);
}
