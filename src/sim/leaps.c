/* leaps.c - slopes that jump without an event within a step of the grid.
 *
 * noEvent(if x > 1 then 1 else 0) is no relation, and where in the step it
 * jumps no estimate of an error can tell: the formulas see slopes at the ends.
 * What they make of a jump up and of one down cancels, while what a run is off
 * by goes on as a random walk. So the step is made again from its beginning to
 * the jump, which is found by bisection, and from behind it to the end, by the
 * method of the run. What the states differ by is carried on as what late
 * events cost (late.c).
 *
 * An instruction that can jump is on another piece at the end of a step than at
 * its beginning; slopes that come together on both sides of that place are a
 * kink. Slopes that lead back to it are not followed (friction that sticks).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "sim/within_internal.h"

enum { HALVINGS = 20, MOST_IN_STEP = 4, MOST_LEAPS = 3000, NUDGES = 6 };

/* A slope that jumps by less than this part of itself does not. */
static const double SAME = 1e-4;
/* Of a step: so far behind the jump the next part begins at first. */
static const double BEHIND = 1e-9;

struct SimLeaps {
    int n;
    int *at; /* instructions of the event system */
    double *first, *now, *end;
    bool is_known; /* first[] is that of the end of the last step */
    double *base;  /* slots where a part begins, */
    double from;   /* at this time */
    double *left;  /* slopes */
    int nlooked;
};

static struct SimLeaps *begin(Sim *s)
{
    struct SimLeaps *l = NEW(s->arena, struct SimLeaps);
    int n = s->low->inlined->dae ? s->low->inlined->dae->nstate : 0;
    bool looks = n > 0 && s->low->inlined->event != NONE &&
                 !inlined_has_effects(s->low->inlined);
    l->n = looks ? sim_find_pieces(s, &l->at) : 0;
    l->first = NEW_ARRAY(s->arena, double, l->n + 1);
    l->now = NEW_ARRAY(s->arena, double, l->n + 1);
    l->end = NEW_ARRAY(s->arena, double, l->n + 1);
    l->base = NEW_ARRAY(s->arena, double, s->low->tape->nslot + 1);
    l->left = NEW_ARRAY(s->arena, double, n + 1);
    return l;
}

bool sim_has_leaps(Sim *s)
{
    if (!s->leaps)
        s->leaps = begin(s);
    return s->leaps->n > 0;
}

/* Pieces at the present slots, which the model was evaluated at. */
static void take_pieces(const Sim *s, double *piece)
{
    for (int i = 0; i < s->leaps->n; i++)
        piece[i] = sim_piece(s->exec, &s->low->tape->code.at[s->leaps->at[i]]);
}

static bool is_first(const struct SimLeaps *l)
{
    for (int i = 0; i < l->n; i++)
        if (l->first[i] != l->now[i] &&
            !(isnan(l->first[i]) && isnan(l->now[i])))
            return false;
    return true;
}

/* By the method of the run from the base to `time`; pieces to now[]. */
static bool go_to(const Step *p, double time)
{
    Sim *s = p->s;
    struct SimLeaps *l = s->leaps;
    memcpy(s->exec->r, l->base, (size_t)s->low->tape->nslot * sizeof(double));
    if (time > l->from && !sim_go_on(s, l->from, time))
        return false;
    if (!within_evaluate(s))
        return false;
    take_pieces(s, l->now);
    return true;
}

/* The last time with the first pieces, at which the slots are then; NAN: not
 * known. */
static double find_place(const Step *p)
{
    struct SimLeaps *l = p->s->leaps;
    double low = l->from, high = p->to;
    for (int i = 0; i < HALVINGS; i++) {
        double mid = low + (high - low) / 2;
        if (!go_to(p, mid))
            return NAN;
        if (is_first(l))
            low = mid;
        else
            high = mid;
    }
    return go_to(p, low) ? low : NAN;
}

/* Over that place by the slopes before it: the base is behind it then, and
 * *jumps says whether slopes do. False: slopes lead back. */
static bool go_over(const Step *p, double low, bool *jumps)
{
    Sim *s = p->s;
    struct SimLeaps *l = s->leaps;
    double h = p->to - p->from, length = BEHIND * h;
    size_t size = (size_t)s->low->tape->nslot * sizeof(double);
    int n = s->low->inlined->dae->nstate;
    memcpy(l->base, s->exec->r, size);
    for (int k = 0; k < n; k++)
        l->left[k] = sim_slope(s, k);
    for (int i = 0; i < NUDGES; i++, length *= 8) {
        memcpy(s->exec->r, l->base, size);
        sim_move_states(s, length);
        s->exec->r[s->low->tape->time] = low + length;
        sim_set_inputs(s, p->from, low + length);
        if (!within_evaluate(s))
            return false;
        take_pieces(s, l->now);
        if (is_first(l))
            continue;
        *jumps = false;
        for (int k = 0; k < n; k++) {
            double a = l->left[k], b = sim_slope(s, k);
            *jumps |= fabs(b - a) > SAME * (fabs(a) + fabs(b));
        }
        memcpy(l->base, s->exec->r, size);
        memcpy(l->first, l->now, (size_t)l->n * sizeof(double));
        l->from = low + length;
        return true;
    }
    return false;
}

/* The step again, in parts. */
static bool has_leapt(const Step *p, double *first)
{
    Sim *s = p->s;
    struct SimLeaps *l = s->leaps;
    bool is = false;
    memcpy(l->base, s->late->last,
           (size_t)s->low->tape->nslot * sizeof(double));
    l->from = p->from;
    for (int i = 0; i < MOST_IN_STEP && l->from < p->to; i++) {
        if (!go_to(p, p->to))
            return false;
        if (is_first(l))
            return is;
        bool jumps;
        double low = find_place(p);
        if (isnan(low) || !go_over(p, low, &jumps))
            return false;
        if (jumps && !is)
            *first = low;
        is |= jumps;
    }
    return is && go_to(p, p->to);
}

static bool has_event(const Step *p)
{
    const Sim *s = p->s;
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nrelation; i++) {
        int slot = s->low->slot[d->relation[i].var];
        if (s->late->last[slot] != p->w->after[slot])
            return true;
    }
    return false;
}

void leaps_look(const Step *p, bool at_event)
{
    Sim *s = p->s;
    struct SimLate *late = s->late;
    if (!sim_has_leaps(s))
        return;
    struct SimLeaps *l = s->leaps;
    size_t size = (size_t)l->n * sizeof(double);
    double first = p->from;
    bool is_other = has_event(p) || l->nlooked > MOST_LEAPS;
    if (!is_other && !l->is_known) {
        l->is_known = within_go_to(p, p->from);
        take_pieces(s, l->first);
    }
    is_other = is_other || !l->is_known || !within_go_to(p, p->to);
    if (is_other) {
        l->is_known = false;
        return;
    }
    take_pieces(s, l->now);
    memcpy(l->end, l->now, size);
    if (!is_first(l)) {
        l->nlooked++;
        if (has_leapt(p, &first)) {
            for (int k = 0; k < late->n; k++) {
                double off =
                    late->here[late->state[k]] - s->exec->r[late->state[k]];
                late->off[k] += isfinite(off) ? off : 0;
            }
            if (p->w->leaps++ == 0)
                p->w->leap_time = first;
        }
    }
    memcpy(l->first, l->end, size);
    l->is_known = !at_event;
}
