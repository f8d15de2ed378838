/* convergence.c - does Newton converge with these iteration variables?
 *
 * Few iteration variables are cheap, but derivatives and forces can start far
 * from their solution where the states start near it. So two ways to iterate on
 * a block are compared in numbers, from the start point on: one step solved
 * well by the view gives values as a run has them, and in the next step the few
 * iterations of the plan are compared with the solution. A method with one
 * iteration is looked at for some steps, the first of a run among them, also
 * after a disturbance: what is in the chain of a tearing is linearised near,
 * but not at, its value of t_n. A state that follows from its derivative is at
 * x_n + h x'_n, far off where the derivative is large.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "num/dense.h"
#include "schedule/schedule_internal.h"

/* Larger matrices are not tried. */
enum { MOST_TORN = 150, CONVERGED = 20 };
/* What may be left of the first correction, of each state. */
#define LEFT_OVER 0.1
/* One iteration leaves an error of its own: with a tearing not much more than
 * with the view. */
#define ONCE  0.01
#define TIMES 1.25

static bool evaluate(const EdgesValues *v, const double *point, double *out)
{
    edges_values_at(v, point, out);
    for (int k = 0; k < v->n; k++)
        if (!isfinite(out[k]))
            return false;
    return true;
}

/* The assignments of a block. Those of a view share what solves its loops: each
 * node is evaluated once, where it is first needed. */
typedef struct Chain {
    const Maker *m;
    const SchedBlock *b;
    Vec(Expr) order; /* nodes, arguments first */
    int *end;        /* of each assignment: nodes up to its value */
    double *node;    /* by handle */
    Arena *work;
} Chain;

static void add_node(void *chain, const Dag *d, Expr e)
{
    Chain *c = chain;
    (void)d;
    vec_push(c->work, &c->order, e);
}

static Chain chain_of(const Maker *m, const SchedBlock *b, Arena *work)
{
    Chain c = {.m = m, .b = b, .work = work};
    int ndag = dag_count(m->dag), end = 0;
    Expr *value = NEW_ARRAY(work, Expr, b->nchain + 1);
    int *place = NEW_ARRAY(work, int, ndag + 1);
    for (int k = 0; k < b->nchain; k++)
        value[k] = b->chain[k].value;
    expr_walk(m->dag, value, b->nchain, add_node, &c);
    for (int i = 0; i < c.order.n; i++)
        place[c.order.at[i]] = i + 1;
    c.end = NEW_ARRAY(work, int, b->nchain + 1);
    c.node = NEW_ARRAY(work, double, ndag + 1);
    for (int k = 0; k < b->nchain; k++)
        c.end[k] = end = end > place[value[k]] ? end : place[value[k]];
    return c;
}

static bool follow_chain(const Chain *c, double *point)
{
    InlinedPoint p = {point, 0};
    int from = 0;
    for (int k = 0; k < c->b->nchain; k++) {
        const SchedAssign *a = &c->b->chain[k];
        expr_eval_order(c->m->dag, c->order.at + from, c->end[k] - from,
                        inlined_leaf_value, &p, c->node);
        from = c->end[k];
        if (!isfinite(c->node[a->value]))
            return false;
        point[a->var] = c->node[a->value];
    }
    return true;
}

/* A block, ready to be evaluated in many points. */
typedef struct Ready {
    const SchedBlock *b;
    Chain chain;
    EdgesValues residual, slope;
} Ready;

static Ready ready(const Maker *m, const SchedBlock *b, Arena *work)
{
    return (Ready){.b = b,
                   .chain = chain_of(m, b, work),
                   .residual = edges_values(m, b->residual, b->ntorn, work),
                   .slope = edges_values(m, b->jac.value, b->jac.nnz, work)};
}

/* Newton is done when a correction is so much smaller than the first: the next
 * would be the square of that. */
#define NOTHING_LEFT 1e-8

static bool is_done(const SchedBlock *b, const double *first, const double *r,
                    const double *point)
{
    for (int k = 0; k < b->ntorn; k++)
        if (!(fabs(r[k]) <=
              NOTHING_LEFT * fabs(first[k]) + 1e-15 * fabs(point[b->torn[k]])))
            return false;
    return true;
}

/* Up to `times` iterations from the values in `point`; false if it breaks. */
static bool iterate(const Ready *x, int times, double *point)
{
    const SchedBlock *b = x->b;
    int n = b->ntorn;
    bool fine = n <= MOST_TORN;
    Arena *work = arena_new();
    double *r = NEW_ARRAY(work, double, n + 1);
    double *entry = NEW_ARRAY(work, double, b->jac.nnz + 1);
    double *a = NEW_ARRAY(work, double, fine ? n *n + 1 : 1);
    double *first = NEW_ARRAY(work, double, n + 1);
    int *pivot = NEW_ARRAY(work, int, n + 1);
    bool is_last = false;
    for (int i = 0; i < times && fine && !is_last; i++) {
        fine = follow_chain(&x->chain, point) &&
               evaluate(&x->residual, point, r) &&
               evaluate(&x->slope, point, entry);
        memset(a, 0, sizeof *a * (size_t)n * (size_t)n);
        for (int j = 0; j < n && fine; j++)
            for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++)
                a[b->jac.row[k] + j * n] = entry[k];
        fine = fine && dense_lu_factor(n, a, pivot);
        if (!fine)
            break;
        dense_lu_solve(n, a, pivot, r, 1);
        for (int k = 0; k < n; k++)
            point[b->torn[k]] -= r[k];
        if (i == 0)
            memcpy(first, r, sizeof *r * (size_t)n);
        is_last = i > 0 && is_done(b, first, r, point);
    }
    fine = fine && follow_chain(&x->chain, point);
    arena_free(work);
    return fine;
}

/* Old values become the present ones. */
static void carry(const Maker *m, double *point)
{
    for (int i = 0; i < m->d->nvar; i++) {
        const InlinedVar *v = &m->d->var[i];
        int now = v->kind == IV_OLD && v->back == 1
                      ? inlined_find(m->d, v->sys_var, v->order)
                      : NONE;
        if (now != NONE)
            point[i] = point[now];
    }
}

/* The largest part of its change that a state of the view still has to go. */
static double left_over(const SchedBlock *view, const double *begin,
                        const double *now, const double *end)
{
    double worst = 0;
    for (int k = 0; k < view->nstate; k++) {
        int x = view->torn[k];
        double change = fabs(end[x] - begin[x]);
        double left = fabs(now[x] - end[x]);
        if (!(left <= 1e-6 * fabs(end[x])) || !isfinite(left))
            worst = fmax(worst, change > 0 ? left / change : INFINITY);
    }
    return worst;
}

/* ---- one step ---- */

typedef struct Comparison {
    const Maker *m;
    Ready torn, view;
    int iterations;
    double *begin, *end, *now; /* points */
    size_t size;               /* of one, in bytes */
} Comparison;

/* What is left over after the iterations of the plan; INFINITY if it breaks. */
static double left_by(Comparison *t, const Ready *x)
{
    memcpy(t->now, t->begin, t->size);
    return iterate(x, t->iterations, t->now)
               ? left_over(t->view.b, t->begin, t->now, t->end)
               : INFINITY;
}

typedef enum Verdict { UNKNOWN, SOUND, WORSE } Verdict;

/* Steps from t->begin, and leaves there what the next one begins with. */
static Verdict try_step(Comparison *t)
{
    memcpy(t->end, t->begin, t->size);
    if (!iterate(&t->view, CONVERGED, t->end))
        return UNKNOWN;
    double view = left_by(t, &t->view), torn = left_by(t, &t->torn);
    memcpy(t->begin, t->end, t->size);
    carry(t->m, t->begin);
    if (t->iterations == 1)
        return torn <= TIMES * view + ONCE ? SOUND : WORSE;
    return view >= LEFT_OVER ? UNKNOWN : torn < LEFT_OVER ? SOUND : WORSE;
}

/* Moves the states a little, so that what is fast has something to do. */
static void disturb(Comparison *t)
{
    unsigned long long random = 1;
    const SchedBlock *view = t->view.b;
    for (int k = 0; k < view->nstate; k++) {
        const InlinedVar *v = &t->m->d->var[view->torn[k]];
        int old = inlined_find_old(t->m->d, v->sys_var, v->order, 1);
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        double by = random >> 63 ? 0.01 : -0.01;
        double *x = &t->begin[view->torn[k]];
        *x += by * fmax(1, fabs(*x));
        if (old != NONE)
            t->begin[old] = *x;
    }
}

bool convergence_prefers(const Maker *m, const SchedBlock *torn,
                         const SchedBlock *view, int iterations)
{
    if (!m->samples || m->samples->nsample == 0)
        return iterations == 1;
    Arena *work = arena_new();
    Comparison t = {.m = m,
                    .torn = ready(m, torn, work),
                    .view = ready(m, view, work),
                    .iterations = iterations,
                    .begin = NEW_ARRAY(work, double, m->d->nvar + 1),
                    .end = NEW_ARRAY(work, double, m->d->nvar + 1),
                    .now = NEW_ARRAY(work, double, m->d->nvar + 1),
                    .size = sizeof(double) * (size_t)m->d->nvar};
    int nsound = 0, nworse = 0;
    memcpy(t.begin, m->samples->value[0], t.size);
    bool fine = iterations == 1 || iterate(&t.view, CONVERGED, t.begin);
    carry(m, t.begin);
    for (int k = 0; k < (iterations == 1 ? 5 : 1) && fine && nworse == 0; k++) {
        if (k == 3)
            disturb(&t);
        Verdict v = try_step(&t);
        nsound += v == SOUND;
        nworse += v == WORSE;
        fine = v != UNKNOWN;
    }
    arena_free(work);
    /* one iteration must have been seen to be good enough */
    return nworse > 0 || (iterations == 1 && nsound == 0);
}
