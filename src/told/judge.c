/* judge.c - has a function the derivative that it is written as?
 *
 * Mostly it has, and then nothing need be told: the expressions can be looked
 * into. But of a search by bisection, a table that is read by comparing, an
 * iteration that ends early the derivative as written is 0, or far off, and
 * whoever believes it solves no equation with it. At points of several
 * magnitudes and along a direction in each, three numbers are compared: the
 * derivative of the expressions, the one that is told, and the difference of
 * values beside the point, where two differences of other widths agree. A
 * quantizer is a staircase and meant to be flat: a function that is flat in
 * more points, though not farther out, is left as it is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "told/told.h"

enum {
    POINTS = 40,
    LEAST = 5,     /* of large functions */
    WORK = 500000, /* instructions at all points, of one value in each */
    ENOUGH = 8,    /* of them agree */
    TURNS = 100,   /* of loops: a point that needs more says nothing */
    WIDER = 300,   /* times the width: a staircase is not flat there */
    FEWEST = 2     /* that mislead */
};
static const double close = 1e-4, far = 1e-2; /* agreement, the contrary */
static const double width = 1e-4;             /* of differences */

typedef struct Look {
    const Dag *d;
    const Told *t;
    double *x, *dx; /* size narg: a point, and the direction */
    double part;    /* of it that x is moved by */
    unsigned random;
    int agree, misleads, told; /* points so far; told: is right there */
    int steps;                 /* flat within the width, and not beyond it */
    ToldPoint *found;
} Look;

static double draw(Look *l)
{
    l->random = l->random * 1664525u + 1013904223u;
    return (double)(l->random >> 8) / (1 << 24);
}

static void draw_point(Look *l)
{
    static const double size[] = {1, 1, 10, 0.1, 300, 1e5};
    double common = size[(int)(6 * draw(l))];
    for (int i = 0; i < l->t->narg; i++) {
        double own = draw(l) < 0.7 ? common : size[(int)(6 * draw(l))];
        l->x[i] = own * (draw(l) < 0.25 ? -1 : 1) * (0.05 + draw(l));
        l->dx[i] = l->t->rate[i] == EXPR_NONE ? 0 : l->x[i] * (draw(l) + 0.2);
        ExprType type = expr_type(l->d, l->t->formal[i]);
        if (type != ET_REAL)
            l->x[i] = type == ET_BOOLEAN ? draw(l) < 0.5 : floor(l->x[i]);
    }
}

static double leaf_value(void *context, const Dag *d, Expr e)
{
    const Look *l = context;
    (void)d;
    for (int i = 0; i < l->t->narg; i++) {
        if (e == l->t->formal[i])
            return l->x[i] + l->part * l->dx[i];
        if (e == l->t->rate[i])
            return l->dx[i];
    }
    return NAN;
}

/* The value of e where x moves by part*dx. */
static double value_at(Look *l, Expr e, double part)
{
    l->part = part;
    return e == EXPR_NONE ? NAN : expr_eval(l->d, e, leaf_value, l);
}

static bool differ(double a, double b, double by)
{
    return !(fabs(a - b) <= by * fmax(fabs(a), fabs(b)));
}

/* The slope of e over a width; NAN: there is none. */
static double slope_over(Look *l, Expr e, double h)
{
    double up = value_at(l, e, h);
    return isfinite(up) ? (up - value_at(l, e, -h)) / (2 * h) : NAN;
}

/* The slope of e by values beside the point, which agree; NAN: they do not. */
static double slope(Look *l, Expr e)
{
    double wide = slope_over(l, e, width);
    if (wide == 0) {
        double wider = slope_over(l, e, WIDER * width);
        l->steps += isfinite(wider) && wider != 0;
    }
    if (!isfinite(wide) || wide == 0)
        return NAN;
    double thin = slope_over(l, e, width / 2);
    return differ(wide, thin, close) ? NAN : thin;
}

static void look_at(Look *l, int k, Expr value, Expr written)
{
    double s = slope(l, value);
    double w = isfinite(s) ? value_at(l, written, 0) : NAN;
    if (!isfinite(s) || (written != EXPR_NONE && !isfinite(w)))
        return; /* a number that is none is heard of elsewhere */
    if (!differ(s, w, far)) {
        l->agree++;
        return;
    }
    if (l->misleads++ == 0)
        *l->found = (ToldPoint){k, s, w};
    l->told += l->t->out && !differ(s, value_at(l, l->t->out[k], 0), close);
}

typedef struct Effort {
    double instructions;
} Effort;

static void add_effort(void *context, const Dag *d, Expr e)
{
    const ExprNode *n = expr_node(d, e);
    const ExprFunction *f = n->op == EX_CALL ? dag_function(d, n->fn) : NULL;
    bool counts = f && (!f->values || n->order == 0);
    ((Effort *)context)->instructions += counts ? 1 + f->instructions : 1;
}

/* So many points that a call that is large, or has large loops in it, takes not
 * too long. */
static int points_for(const Dag *d, const Expr *value, int nvalue)
{
    Effort all = {0};
    expr_walk(d, value, nvalue, add_effort, &all);
    double n = WORK / all.instructions;
    return n > POINTS ? POINTS : n < LEAST ? LEAST : (int)n;
}

/* The derivatives of value[] as they are written, in the rates. */
static Expr *as_written(Dag *d, const Told *t, const Expr *value, int nvalue,
                        Arena *arena)
{
    Expr *leaf = NEW_ARRAY(arena, Expr, t->narg + 1);
    Expr *by = NEW_ARRAY(arena, Expr, t->narg + 1);
    Expr *written = NEW_ARRAY(arena, Expr, nvalue + 1);
    int n = 0;
    for (int i = 0; i < t->narg; i++)
        if (t->rate[i] != EXPR_NONE) {
            leaf[n] = t->formal[i];
            by[n++] = t->rate[i];
        }
    expr_diff_along(d, value, nvalue, leaf, by, n, written);
    return written;
}

ToldVerdict told_judge(Dag *d, const Told *t, const Expr *value, int nvalue,
                       ToldPoint *p)
{
    Arena *local = arena_new();
    Look l = {.d = d, .t = t, .random = 1, .found = p};
    l.x = NEW_ARRAY(local, double, t->narg + 1);
    l.dx = NEW_ARRAY(local, double, t->narg + 1);
    const Expr *written = as_written(d, t, value, nvalue, local);
    dag_limit_turns(d, TURNS);
    int most = points_for(d, value, nvalue);
    for (int i = 0; i < most && l.agree < ENOUGH * nvalue; i++) {
        draw_point(&l);
        for (int k = 0; k < nvalue; k++)
            if (expr_type(d, value[k]) == ET_REAL)
                look_at(&l, k, value[k], written[k]);
    }
    dag_limit_turns(d, 0);
    arena_free(local);
    if (l.misleads < FEWEST || l.steps > l.misleads)
        return TOLD_AS_WRITTEN;
    return l.told == l.misleads ? TOLD_RIGHT : TOLD_NOT_AT_ALL;
}
