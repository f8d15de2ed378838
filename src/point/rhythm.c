/* rhythm.c - relations whose events come without end.
 *
 *   Zeno      the times between two events of a relation shrink by a factor
 *             each: they have a limit (a ball that comes to rest in infinitely
 *             many bounces). With exact events the run goes on over it, to
 *             where the bands (bands.c) swallow what is left. Either the model
 *             has a guard that keeps the sides of the relation together then (a
 *             ball whose weight is switched off where it lies), and the limit
 *             was an end of events like any other. Or the relation keeps the
 *             value that it had for an instant only at each event, and its
 *             sides part: the ball falls through the floor, and the run ends
 *             there. On the grid, where such events are lost as soon as they
 *             are nearer than a step, it is said.
 *   chatter   on the grid a relation changes in every step: each side leads to
 *             the other one, and the solution slides along the boundary. Where
 *             one side is faster it takes one or two steps over and several
 *             back, which a rhythm that the step is too long for does as well.
 *             Exact events then come without end (bands.c).
 *
 * Relations of time alone are what the model wants.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "point/point_parts.h"

enum {
    LEAST_EXACT = 10, /* intervals that shrink, */
    LEAST_GRID = 3,
    LEAST_ROW = 20,    /* steps in a row */
    LEAST_TURNS = 40,  /* changes, with at most */
    MOST_OVER = 2,     /* steps on one side and */
    MOST_BACK = 16,    /* on the other */
    MOST_AFTER = 1000, /* events of a relation that is near its limit */
};

static const double FAR = 1e4;    /* widths of its band */
static const double BRIEF = 0.05; /* of an interval */

struct SimRhythm {
    double last;     /* when it became true; NAN: never, */
    double interval; /* the time before that; 0: it has none, */
    double q;        /* over the one before, */
    double longest;  /* and the first one of those that shrink */
    int nshrink;
    double high;   /* how long it was true before the last event */
    bool is_near;  /* a limit of such events: */
    double limit;  /* at this time; */
    double brief;  /* the value it has for an instant only; NAN: neither, */
    int nafter;    /* and so many events came since */
    long step;     /* in which it changed last, */
    int row;       /* in a row with so many before it, */
    double begin;  /* the first of them at this time */
    long between;  /* steps between the last two changes */
    int turns;     /* in a row over the boundary and back, */
    double since;  /* the first of them at this time */
    bool is_known; /* it has been said */
};

static bool on_grid(const Sim *s)
{
    return !s->is_exact;
}

static const char *relation_text(const Sim *s, int i)
{
    const Inlined *d = s->low->inlined;
    return expr_text(d->dag, d->relation[i].now, inlined_var_name, (void *)d,
                     200, s->arena);
}

static void report_zeno(Sim *s, int i, const struct SimRhythm *r)
{
    Span span;
    const char *path = sim_reader_of(s, i, &span);
    diag_report(s->diag, span, on_grid(s) ? DIAG_W1349 : DIAG_E1348,
                "%s%s%sthe relation %s becomes true ever faster: %d times in a "
                "row after a shorter time, from %.3g to %.3g s, which leads to "
                "time %.6g; %s",
                *path ? "in '" : "", path, *path ? "' " : "",
                relation_text(s, i), r->nshrink, r->longest, r->interval,
                r->limit,
                on_grid(s) ? "steps of the grid lose its events now"
                           : "the model has no solution after it");
    s->is_over |= !on_grid(s);
}

static void report_chatter(Sim *s, int i, const struct SimRhythm *r)
{
    Span span;
    const char *path = sim_reader_of(s, i, &span);
    diag_report(s->diag, span, DIAG_W1349,
                "%s%s%sthe relation %s changes in every step from time %g on: "
                "each side leads to the other, and the solution slides along "
                "the boundary",
                *path ? "in '" : "", path, *path ? "' " : "",
                relation_text(s, i), r->begin);
}

static void report_turns(Sim *s, int i, const struct SimRhythm *r)
{
    Span span;
    const char *path = sim_reader_of(s, i, &span);
    diag_report(s->diag, span, DIAG_W1349,
                "%s%s%sthe relation %s changes every few steps from time %g "
                "on, %d times in a row: each side leads to the other, and the "
                "solution slides along the boundary, or the step is too long "
                "for its rhythm",
                *path ? "in '" : "", path, *path ? "' " : "",
                relation_text(s, i), r->since, r->turns);
}

static bool is_zeno(const Sim *s, const struct SimRhythm *r)
{
    double span = s->options.stop - s->options.start;
    if (on_grid(s))
        return r->nshrink >= LEAST_GRID && r->interval <= 16 * s->options.step;
    return r->nshrink >= LEAST_EXACT && r->interval < 1e-3 * r->longest &&
           r->interval < 1e-4 * span;
}

/* It has become true. Returns whether that is one of ever more: intervals that
 * shrink, each by about the same factor. */
static bool see_rise(const Sim *s, struct SimRhythm *r, double time)
{
    double interval = isnan(r->last) ? 0 : time - r->last;
    double q = r->interval > 0 ? interval / r->interval : 1;
    bool is_same = r->nshrink == 0 || fabs(q - r->q) <= 0.3 * r->q;
    r->nshrink = q < 0.97 ? (is_same ? r->nshrink : 0) + 1 : 0;
    if (r->nshrink <= 1)
        r->longest = r->nshrink == 1 ? r->interval : interval;
    r->last = time;
    r->interval = interval;
    r->q = q;
    r->limit = time + interval * q / (1 - q);
    return is_zeno(s, r);
}

/* Returns whether it has changed in so many steps in a row. */
static bool see_change(const Sim *s, struct SimRhythm *r, double time)
{
    if (r->step == s->k)
        return false;
    bool follows = r->step == s->k - 1;
    r->row = follows ? r->row + 1 : 1;
    r->begin = follows ? r->begin : time;
    r->step = s->k;
    return on_grid(s) && r->row >= LEAST_ROW;
}

/* Returns whether it has gone over its boundary and back so often; before
 * see_change(). */
static bool see_turn(const Sim *s, struct SimRhythm *r, double time)
{
    long between = s->k - r->step;
    if (between == 0)
        return false;
    bool is_turn = between <= MOST_BACK &&
                   (between <= MOST_OVER || r->between <= MOST_OVER);
    r->turns = is_turn ? r->turns + 1 : 0;
    r->since = r->turns > 1 ? r->since : time;
    r->between = between;
    return on_grid(s) && r->turns >= LEAST_TURNS;
}

static struct SimRhythm *rhythms(Sim *s)
{
    int n = s->low->inlined->nrelation;
    if (!s->rhythm) {
        s->rhythm = NEW_ARRAY(s->arena, struct SimRhythm, n + 1);
        for (int i = 0; i < n; i++)
            s->rhythm[i] = (struct SimRhythm){.last = NAN, .step = -2};
    }
    return s->rhythm;
}

/* ---- at the limit ---- */

static void come_near(struct SimRhythm *r)
{
    double share = r->high / r->interval;
    r->is_near = true;
    r->brief = share < BRIEF ? 1 : share > 1 - BRIEF ? 0 : NAN;
}

bool sim_is_near_limit(const Sim *s, int i)
{
    return s->rhythm && s->rhythm[i].is_near;
}

bool sim_is_near_any(const Sim *s)
{
    for (int i = 0; s->rhythm && i < s->low->inlined->nrelation; i++)
        if (s->rhythm[i].is_near)
            return true;
    return false;
}

/* Has it kept, for longer than its events would have taken, the value that it
 * had for an instant, and have its sides parted? */
static bool has_passed(const Sim *s, int i, const struct SimRhythm *r)
{
    const Lowered *low = s->low;
    double value = s->exec->r[low->slot[low->inlined->relation[i].var]];
    return value == r->brief && s->exec->r[low->tape->time] > r->limit &&
           sim_is_far(s, i, FAR);
}

void sim_watch_limits(Sim *s)
{
    if (!sim_is_near_any(s) || s->is_over)
        return;
    exec_run(s->exec, &s->low->sides);
    for (int i = 0; i < s->low->inlined->nrelation && !s->is_over; i++) {
        struct SimRhythm *r = &s->rhythm[i];
        if (r->is_near && (has_passed(s, i, r) || r->nafter > MOST_AFTER))
            report_zeno(s, i, r);
    }
}

/* It has become true at `time`. What was seen before the limit stays. */
static void see_limit(Sim *s, int i, struct SimRhythm *r, double time)
{
    if (r->is_near) {
        r->nafter++;
        r->last = time;
        return;
    }
    bool is_zeno = see_rise(s, r, time);
    if (is_zeno && (on_grid(s) || !s->band)) {
        r->is_known = true;
        report_zeno(s, i, r);
    } else if (is_zeno) {
        come_near(r);
    }
}

void sim_see_rhythm(Sim *s, int i, double value)
{
    struct SimRhythm *r = &rhythms(s)[i];
    double time = s->exec->r[s->low->tape->time];
    if (s->k == 0 || s->is_played || r->is_known ||
        s->low->inlined->relation[i].is_of_time)
        return;
    bool is_new = isnan(r->last) || time > r->last + 1e-12 * fabs(time);
    if (value != 0 && is_new)
        see_limit(s, i, r, time);
    else if (value == 0 && !isnan(r->last))
        r->high = time - r->last;
    bool turns = see_turn(s, r, time), changes = see_change(s, r, time);
    if (r->is_known || !(turns || changes))
        return;
    r->is_known = true;
    if (changes)
        report_chatter(s, i, r);
    else
        report_turns(s, i, r);
}
