/* crest.c - crests at points of a run, and beside those of another one.
 *
 * The difference of the two sides of a relation at the last three points, all
 * with one sign, lies on a parabola. Where its vertex is within the last step
 * and beyond zero, or nearly, the model is worth a look. Where it is near to
 * zero, measured by how far the sides were apart before, the extremum is looked
 * for on the polynomial of the step, and kept. Sides that have crossed within
 * the step have an event before they turn: their vertex is told by the
 * polynomial too if it lies within the step, else by the parabola.
 *
 * An extremum does not feel errors of phase. What it differs by from that of
 * another run is what the run is off in the very thing that decides.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "crest/crest.h"

#include <math.h>

#include "base/vec.h"

enum { MOST_KEPT = 4096, TRIES = 12 };

/* A vertex that comes so near to zero, in parts of the height of the parabola,
 * is worth a look; */
static const double LOOK = 0.5;
/* one that does in parts of what the sides were apart is kept. */
static const double NEAR = 0.02;
/* Times the width of a band: sides that were no more apart rest. */
static const double AT_REST = 100;
/* Of the step before: rounding bends the parabola. */
static const double SHORT = 1e-2;
/* So far beside the step, in parts of it, a vertex may be within after all. */
static const double BESIDE = 0.5;

struct Crests {
    int nrelation;
    int n;             /* points that are known, at most 3: the last ones */
    double time[3];    /* oldest first */
    CrestSides *at[3]; /* of each relation */
    double *most;      /* of each: how far its sides were apart, */
    double *side;      /* with this sign */
    Vec(Crest) list;
    Arena *arena;
};

Crests *crests_new(int nrelation, Arena *arena)
{
    Crests *c = NEW(arena, Crests);
    c->arena = arena;
    c->nrelation = nrelation;
    for (int k = 0; k < 3; k++)
        c->at[k] = NEW_ARRAY(arena, CrestSides, nrelation + 1);
    c->most = NEW_ARRAY(arena, double, nrelation + 1);
    c->side = NEW_ARRAY(arena, double, nrelation + 1);
    return c;
}

void crests_forget(Crests *c)
{
    if (c)
        c->n = 0;
}

CrestSides *crests_add(Crests *c, double from, double t)
{
    if (c->n == 0 || c->time[c->n - 1] != from)
        c->n = 0;
    if (c->n == 3) {
        CrestSides *oldest = c->at[0];
        for (int k = 0; k < 2; k++) {
            c->time[k] = c->time[k + 1];
            c->at[k] = c->at[k + 1];
        }
        c->at[2] = oldest;
        c->n = 2;
    }
    c->time[c->n] = t;
    return c->at[c->n++];
}

/* ---- the parabola of the last three points ---- */

typedef struct Parabola {
    double a, b, c; /* at the points */
    double h;       /* the last step */
    double at;      /* the vertex, after the point in the middle */
    double g;       /* there */
    bool turns;     /* away from zero */
    bool is_short;  /* the step is */
} Parabola;

static Parabola parabola_of(const Crests *p, int i)
{
    Parabola x = {
        .a = p->at[0][i].gap, .b = p->at[1][i].gap, .c = p->at[2][i].gap};
    double left = p->time[1] - p->time[0];
    x.h = p->time[2] - p->time[1];
    double slope = (x.c - x.b) / x.h;
    double second = (slope - (x.b - x.a) / left) / (left + x.h);
    x.at = 0.5 * (x.h - slope / second);
    x.g = x.b + x.at * slope + x.at * (x.at - x.h) * second;
    x.turns = x.a * x.b > 0 && left > 0 && second * x.b > 0;
    x.is_short = x.h < SHORT * left;
    return x;
}

/* Is the vertex next to zero, beside what the step changes? */
static bool is_worth(const Parabola *x)
{
    double height = fmax(fabs(x->b - x->g), fabs(x->c - x->g));
    return x->turns && x->b * x->c > 0 && x->at > 0 && x->at < x->h &&
           x->g / x->b < LOOK * height / fabs(x->b) && x->g / x->b < 1;
}

/* ---- the extremum within the step ---- */

typedef struct Lowest {
    double x[3], f[3]; /* sign * gap; the one in the middle is lowest */
    bool is_within;
} Lowest;

/* The middle is not lowest: towards the end that is. */
static double towards_end(Lowest *l)
{
    int end = l->f[0] < l->f[2] ? 0 : 2;
    l->x[2 - end] = l->x[1];
    l->f[2 - end] = l->f[1];
    return (l->x[0] + l->x[2]) / 2;
}

static double vertex(const Lowest *l)
{
    double u = l->x[0] - l->x[1], v = l->x[2] - l->x[1];
    double p = (l->f[0] - l->f[1]) / u, q = (l->f[2] - l->f[1]) / v;
    double bend = (q - p) / (v - u);
    return l->x[1] - (p - u * bend) / (2 * bend);
}

/* A point more within the bracket. */
static void narrow(Lowest *l, double t, double f)
{
    if (f < l->f[1]) {
        int end = t < l->x[1] ? 2 : 0;
        l->x[end] = l->x[1];
        l->f[end] = l->f[1];
        l->x[1] = t;
        l->f[1] = f;
    } else {
        int end = t < l->x[1] ? 0 : 2;
        l->x[end] = t;
        l->f[end] = f;
    }
}

/* Successive parabolas. False: the model has no solution there. */
static bool find_lowest(Lowest *l, CrestGap *gap, void *context, int i,
                        double sign)
{
    l->f[1] = sign * gap(context, i, l->x[1]);
    for (int k = 0; k < TRIES; k++) {
        double width = l->x[2] - l->x[0];
        if (!isfinite(l->f[1]) || !(width > 0))
            return false;
        l->is_within = l->f[1] <= l->f[0] && l->f[1] <= l->f[2];
        double t = l->is_within ? vertex(l) : towards_end(l);
        if (!l->is_within) {
            l->x[1] = t;
            l->f[1] = sign * gap(context, i, t);
            continue;
        }
        if (!(fabs(t - l->x[1]) > 1e-5 * width) || !(t > l->x[0]) ||
            !(t < l->x[2]))
            break;
        narrow(l, t, sign * gap(context, i, t));
    }
    return isfinite(l->f[1]);
}

/* ---- what is kept ---- */

static void keep(Crests *p, int i, double time, double lowest)
{
    Crest found = {.relation = i,
                   .time = time,
                   .depth = -lowest,
                   .side = p->side[i],
                   .size = p->most[i]};
    if (fabs(lowest) < NEAR * p->most[i] && p->list.n < MOST_KEPT)
        vec_push(p->arena, &p->list, found);
}

/* The extremum is no point after `from`, and the one before is farther: it is
 * `from`, unless the step before has one. */
static void keep_beginning(Crests *p, const Parabola *x, int i, double sign)
{
    const Crest *last = NULL;
    for (int k = p->list.n - 1; k >= 0 && !last; k--)
        if (p->list.at[k].relation == i)
            last = &p->list.at[k];
    if (sign * x->b <= sign * x->a && !(last && last->time >= p->time[0]))
        keep(p, i, p->time[1], sign * x->b);
}

/* A vertex near to zero. Returns where within the step the relation is another
 * than at both ends, or NAN. */
static double see_near(Crests *p, const Parabola *x, int i, CrestGap *gap,
                       void *context)
{
    double sign = x->b > 0 ? 1 : -1, from = p->time[1], to = p->time[2];
    double guess = fmin(fmax(x->at / x->h, 0.05), 0.95);
    Lowest l = {.x = {from, from + guess * x->h, to},
                .f = {sign * x->b, NAN, sign * x->c}};
    if (!find_lowest(&l, gap, context, i, sign))
        return NAN;
    if (l.is_within)
        keep(p, i, l.x[1], l.f[1]);
    else if (l.f[0] < l.f[2])
        keep_beginning(p, x, i, sign);
    else if (x->c * x->b < 0 && x->at > x->h)
        keep(p, i, to, sign * x->g);
    return l.is_within && x->c * x->b > 0 && l.f[1] < 0 ? l.x[1] : NAN;
}

static bool is_near(const Crests *p, const Parabola *x, int i)
{
    bool has_crossed = x->b * x->c < 0;
    double after = has_crossed ? INFINITY : (1 + BESIDE) * x->h;
    return x->turns && !x->is_short && p->list.n < MOST_KEPT &&
           p->most[i] > AT_REST * p->at[2][i].width &&
           fabs(x->g) < NEAR * p->most[i] && x->at > -BESIDE * x->h &&
           x->at < after;
}

static void remember_side(Crests *p, int i, double gap)
{
    double side = gap > 0 ? 1 : -1;
    if (isnan(gap))
        return;
    if (p->side[i] != side)
        p->most[i] = 0;
    p->side[i] = side;
    p->most[i] = fmax(p->most[i], isfinite(gap) ? fabs(gap) : 0);
}

double crests_look(Crests *p, CrestGap *gap, void *context, bool *moved)
{
    double first = NAN;
    *moved = false;
    for (int i = 0; i < p->nrelation; i++) {
        if (p->n == 3) {
            Parabola x = parabola_of(p, i);
            double turn = NAN;
            if (is_near(p, &x, i)) {
                *moved = true;
                turn = see_near(p, &x, i, gap, context);
            }
            if (isnan(turn) && is_worth(&x))
                turn = p->time[1] + x.at;
            first = fmin(first, turn);
        }
        remember_side(p, i, p->at[p->n - 1][i].gap);
    }
    return first;
}

/* ---- beside another run ---- */

/* Times what they differ by: two runs may both be off, within the tolerance. */
static const double MORE = 30;

/* The crest of the same relation that is nearest in time; NONE: none is. */
static int nearest(const Crests *c, const Crest *x)
{
    int best = NONE;
    for (int k = 0; k < c->list.n; k++)
        if (c->list.at[k].relation == x->relation &&
            (best == NONE || fabs(c->list.at[k].time - x->time) <
                                 fabs(c->list.at[best].time - x->time)))
            best = k;
    return best;
}

/* What a run is off by at crest k, by that of another run. Below the tolerance
 * two runs may agree by chance, or for steps that end at the same points; where
 * they do to rounding they are right. */
static double error_at(const Crests *a, int k, const Crests *b, double rtol)
{
    const Crest *x = &a->list.at[k];
    int other = nearest(b, x);
    if (other == NONE || nearest(a, &b->list.at[other]) != k)
        return rtol * x->size;
    double apart = fabs(b->list.at[other].depth - x->depth);
    return fmax(2 * apart, fmin(MORE * apart, rtol * x->size));
}

/* How much the error is more than the depth. */
static double doubt_of(const Crest *x)
{
    return x->error / fmax(fabs(x->depth), 1e-300);
}

int crests_doubtful(const Crests *a, const Crests *b, double rtol, Crest *found,
                    int most)
{
    int n = 0;
    for (int k = 0; a && b && k < a->list.n; k++) {
        Crest x = a->list.at[k];
        int at = 0;
        x.error = error_at(a, k, b, rtol);
        if (!(fabs(x.depth) < x.error))
            continue;
        while (at < n && found[at].relation != x.relation)
            at++;
        if (at == most)
            continue;
        if (at == n)
            found[n++] = x;
        else if (doubt_of(&x) > doubt_of(&found[at]))
            found[at] = x;
    }
    return n;
}
