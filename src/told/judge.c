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
#include <stdlib.h>
#include <string.h>

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

/* Where a point is moved to along the direction. */
enum { UP, DOWN, NEAR_UP, NEAR_DOWN, FAR_UP, FAR_DOWN, NPLACE };
static const double place[NPLACE] = {width,      -width,       width / 2,
                                     -width / 2, WIDER *width, -WIDER *width};

/* Expressions whose values are asked for together. */
typedef struct Several {
    const Expr *e;
    int n;
    Expr *order; /* all that they are made of */
    int norder;
} Several;

/* A formal argument, or its rate. */
typedef struct Leaf {
    Expr e;
    int i;
    bool is_rate;
} Leaf;

typedef struct Look {
    const Dag *d;
    const Told *t;
    Arena *local;
    double *x, *dx; /* size narg: a point, and the direction */
    double part;    /* of it that x is moved by */
    Leaf *leaf;     /* by their handles */
    int nleaf;
    Several value, written, told;
    double *all;          /* by handle */
    double *at[NPLACE];   /* of value[]; NULL: not known yet in this point */
    double *slope, *said; /* of written[] and of what is told, likewise */
    unsigned random;
    int agree, misleads, ntold; /* points so far; ntold: is right there */
    int steps;                  /* flat within the width, and not beyond it */
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

static int by_handle(const void *a, const void *b)
{
    Expr x = ((const Leaf *)a)->e, y = ((const Leaf *)b)->e;
    return (x > y) - (x < y);
}

static double leaf_value(void *context, const Dag *d, Expr e)
{
    const Look *l = context;
    const Leaf key = {.e = e};
    (void)d;
    const Leaf *f =
        bsearch(&key, l->leaf, (size_t)l->nleaf, sizeof key, by_handle);
    if (!f)
        return NAN;
    return f->is_rate ? l->dx[f->i] : l->x[f->i] + l->part * l->dx[f->i];
}

/* The values where x moves by part*dx. */
static double *values_at(Look *l, const Several *s, double part)
{
    double *v = NEW_ARRAY(l->local, double, s->n + 1);
    l->part = part;
    expr_eval_order(l->d, s->order, s->norder, leaf_value, l, l->all);
    for (int k = 0; k < s->n; k++)
        v[k] = s->e[k] == EXPR_NONE ? NAN : l->all[s->e[k]];
    return v;
}

static double value_at(Look *l, int k, int where)
{
    if (!l->at[where])
        l->at[where] = values_at(l, &l->value, place[where]);
    return l->at[where][k];
}

static double slope_as_written(Look *l, int k)
{
    if (!l->slope)
        l->slope = values_at(l, &l->written, 0);
    return l->slope[k];
}

static double slope_as_told(Look *l, int k)
{
    if (!l->said)
        l->said = values_at(l, &l->told, 0);
    return l->said[k];
}

static bool differ(double a, double b, double by)
{
    return !(fabs(a - b) <= by * fmax(fabs(a), fabs(b)));
}

/* The slope of value k between two places; NAN: there is none. */
static double slope_over(Look *l, int k, int up)
{
    double high = value_at(l, k, up);
    return isfinite(high) ? (high - value_at(l, k, up + 1)) / (2 * place[up])
                          : NAN;
}

/* The slope by values beside the point, which agree; NAN: they do not. */
static double slope_of(Look *l, int k)
{
    double wide = slope_over(l, k, UP);
    if (wide == 0) {
        double wider = slope_over(l, k, FAR_UP);
        l->steps += isfinite(wider) && wider != 0;
    }
    if (!isfinite(wide) || wide == 0)
        return NAN;
    double thin = slope_over(l, k, NEAR_UP);
    return differ(wide, thin, close) ? NAN : thin;
}

static void look_at(Look *l, int k)
{
    double s = slope_of(l, k);
    double w = isfinite(s) ? slope_as_written(l, k) : NAN;
    if (!isfinite(s) || (l->written.e[k] != EXPR_NONE && !isfinite(w)))
        return; /* a number that is none is heard of elsewhere */
    if (!differ(s, w, far)) {
        l->agree++;
        return;
    }
    if (l->misleads++ == 0)
        *l->found = (ToldPoint){k, s, w};
    l->ntold += l->t->out && !differ(s, slope_as_told(l, k), close);
}

static void look_at_all(Look *l)
{
    memset(l->at, 0, sizeof l->at);
    l->slope = l->said = NULL;
    for (int k = 0; k < l->value.n; k++)
        if (expr_type(l->d, l->value.e[k]) == ET_REAL)
            look_at(l, k);
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

static Several several(const Look *l, const Expr *e, int n)
{
    Several s = {.e = e, .n = n};
    s.norder = e ? expr_order(l->d, e, n, &s.order, l->local) : 0;
    return s;
}

static void find_leaves(Look *l)
{
    l->leaf = NEW_ARRAY(l->local, Leaf, 2 * l->t->narg + 1);
    for (int i = 0; i < l->t->narg; i++) {
        l->leaf[l->nleaf++] = (Leaf){l->t->formal[i], i, false};
        if (l->t->rate[i] != EXPR_NONE)
            l->leaf[l->nleaf++] = (Leaf){l->t->rate[i], i, true};
    }
    qsort(l->leaf, (size_t)l->nleaf, sizeof *l->leaf, by_handle);
}

ToldVerdict told_judge(Dag *d, const Told *t, const Expr *value, int nvalue,
                       ToldPoint *p)
{
    Look l = {.d = d, .t = t, .local = arena_new(), .random = 1, .found = p};
    const Expr *written = as_written(d, t, value, nvalue, l.local);
    l.x = NEW_ARRAY(l.local, double, t->narg + 1);
    l.dx = NEW_ARRAY(l.local, double, t->narg + 1);
    l.all = NEW_ARRAY(l.local, double, dag_count(d) + 1);
    l.value = several(&l, value, nvalue);
    l.written = several(&l, written, nvalue);
    l.told = several(&l, t->out, nvalue);
    find_leaves(&l);
    dag_limit_turns(d, TURNS);
    int most = points_for(d, value, nvalue);
    for (int i = 0; i < most && l.agree < ENOUGH * nvalue; i++) {
        draw_point(&l);
        look_at_all(&l);
    }
    dag_limit_turns(d, 0);
    arena_free(l.local);
    if (l.misleads < FEWEST || l.steps > l.misleads)
        return TOLD_AS_WRITTEN;
    return l.ntold == l.misleads ? TOLD_RIGHT : TOLD_NOT_AT_ALL;
}
