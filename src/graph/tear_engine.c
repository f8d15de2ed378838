/* tear_engine.c - what follows from the unknowns torn so far.
 *
 * For each equation the number of its open unknowns and the exclusive or of
 * their numbers are kept: when one is left, the latter is its number. What
 * becomes known is written on a trail, so that it can be undone in reverse.
 *
 * Growth is followed on the way. A solved unknown j is a row of W = -L⁻¹B:
 *
 *     w_j = -(sum over the other unknowns k of a_ik w_k) / a_ij
 *
 * with a unit row for a torn one. An equation whose row would exceed the bound
 * is not used. In large blocks only |w_j| <= sum |a_ik| |w_k| / |a_ij| is
 * kept, a single number.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/tear_internal.h"

#include <assert.h>
#include <math.h>

/* Blocks up to this size, and with rows up to this many numbers in all, keep
 * rows of L⁻¹B. */
enum { ROWS_UP_TO = 1000, NUMBERS_UP_TO = 20000000 };

Engine *engine_new(const TearProblem *p, long limit, Arena *arena)
{
    Engine *e = NEW(arena, Engine);
    int n = p->inc->neqn;
    e->p = p;
    e->inc = p->inc;
    e->t = incidence_transpose(p->inc, arena);
    e->n = n;
    e->rows = n <= ROWS_UP_TO && n * n <= NUMBERS_UP_TO / (p->nsample + 1);
    e->limit = limit;
    e->nopen = NEW_ARRAY(arena, int, n);
    e->last = NEW_ARRAY(arena, int, n);
    e->use = NEW_ARRAY(arena, unsigned char, n);
    e->by = NEW_ARRAY(arena, int, n);
    e->trail = NEW_ARRAY(arena, int, n);
    e->row_at = NEW_ARRAY(arena, int, n);
    e->row_n = NEW_ARRAY(arena, int, n);
    e->seen = NEW_ARRAY(arena, int, n);
    int columns = e->rows ? n : 1;
    e->sum = NEW_ARRAY(arena, double, (size_t)columns *(size_t)p->nsample);
    if (!e->rows)
        e->size = NEW_ARRAY(arena, double, (size_t)n *(size_t)p->nsample);
    e->arena = arena;
    return e;
}

void engine_reset(Engine *e, Rules rules)
{
    e->rules = rules;
    if (e->p->nsample == 0)
        e->rules.bound = INFINITY;
    vec_clear(&e->ready);
    for (int i = 0; i < e->n; i++) {
        int k = e->inc->start[i];
        e->nopen[i] = e->inc->start[i + 1] - k;
        e->last[i] = 0;
        for (; k < e->inc->start[i + 1]; k++)
            e->last[i] ^= e->inc->var[k];
        e->use[i] = USE_FREE;
        e->by[i] = OPEN;
        if (e->nopen[i] == 1)
            vec_push(e->arena, &e->ready, i);
    }
    e->ntrail = e->head = e->ntorn = e->npenalty = e->nsurplus = 0;
    vec_clear(&e->refused);
    vec_clear(&e->col);
    vec_clear(&e->val);
}

static bool follows_growth(const Engine *e)
{
    return e->rules.bound < INFINITY;
}

int engine_preference(const Engine *e, int var)
{
    return e->p->prefer ? e->p->prefer[var] : 0;
}

bool engine_may_solve(const Engine *e, int edge)
{
    return e->inc->cls[edge] >= e->rules.least &&
           (e->inc->weight[edge] <= 0 || e->rules.penalties);
}

static double number(const Engine *e, int edge, int sample)
{
    return e->p->value[(size_t)sample * (size_t)e->inc->nedge + (size_t)edge];
}

static void learn(Engine *e, int var, int by)
{
    e->by[var] = by;
    e->trail[e->ntrail++] = var;
}

static void unit_row(Engine *e, int var)
{
    int ns = e->p->nsample;
    if (!e->rows) {
        for (int s = 0; s < ns; s++)
            e->size[var * ns + s] = 1;
        return;
    }
    e->row_at[var] = e->col.n;
    e->row_n[var] = 1;
    vec_push(e->arena, &e->col, e->ntorn);
    for (int s = 0; s < ns; s++)
        vec_push(e->arena, &e->val, 1.0);
}

void engine_tear(Engine *e, int var)
{
    assert(e->by[var] == OPEN);
    learn(e, var, TORN);
    if (follows_growth(e))
        unit_row(e, var);
    e->ntorn++;
}

void engine_give(Engine *e, int var)
{
    assert(e->by[var] == OPEN && !follows_growth(e));
    learn(e, var, GIVEN);
}

/* Adds edge k times the row of its unknown to the row being made. */
static void add_row(Engine *e, int k)
{
    int v = e->inc->var[k], ns = e->p->nsample;
    for (int r = e->row_at[v]; r < e->row_at[v] + e->row_n[v]; r++) {
        int c = e->col.at[r];
        double *sum = &e->sum[c * ns];
        if (e->seen[c] != e->stamp) {
            e->seen[c] = e->stamp;
            vec_push(e->arena, &e->touched, c);
            for (int s = 0; s < ns; s++)
                sum[s] = 0;
        }
        for (int s = 0; s < ns; s++)
            sum[s] +=
                number(e, k, s) * e->val.at[(size_t)r * (size_t)ns + (size_t)s];
    }
    e->work += e->row_n[v];
}

/* Divides the row being made by the pivot; its largest entry. */
static double divide_row(Engine *e, int pivot)
{
    double most = 0;
    int ns = e->p->nsample;
    for (int q = 0; q < e->touched.n; q++)
        for (int s = 0; s < ns; s++) {
            double *w = &e->sum[e->touched.at[q] * ns + s];
            *w /= -number(e, pivot, s);
            if (!(fabs(*w) <= most)) /* also if it is not a number */
                most = fabs(*w);
        }
    return most;
}

/* Makes the row of the unknown of edge `pivot` of equation i. Its largest
 * entry; not finite if the pivot is zero at some point. */
static double make_row(Engine *e, int i, int pivot)
{
    e->stamp++;
    vec_clear(&e->touched);
    for (int s = 0; s < e->p->nsample; s++)
        if (number(e, pivot, s) == 0)
            return INFINITY;
    for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++)
        if (k != pivot)
            add_row(e, k);
    return divide_row(e, pivot);
}

/* The same as a bound. */
static double make_size(Engine *e, int i, int pivot)
{
    double most = 0;
    int ns = e->p->nsample;
    for (int s = 0; s < ns; s++) {
        double sum = 0;
        for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++)
            if (k != pivot)
                sum += fabs(number(e, k, s)) * e->size[e->inc->var[k] * ns + s];
        e->sum[s] = sum / fabs(number(e, pivot, s));
        if (!(e->sum[s] <= most))
            most = e->sum[s];
    }
    return most;
}

static double growth_of(Engine *e, int i, int pivot)
{
    e->work += e->inc->start[i + 1] - e->inc->start[i];
    return e->rows ? make_row(e, i, pivot) : make_size(e, i, pivot);
}

/* Keeps the row that was made last as that of `var`. */
static void keep_row(Engine *e, int var)
{
    int ns = e->p->nsample;
    if (!e->rows) {
        for (int s = 0; s < ns; s++)
            e->size[var * ns + s] = e->sum[s];
        return;
    }
    e->row_at[var] = e->col.n;
    e->row_n[var] = e->touched.n;
    for (int q = 0; q < e->touched.n; q++) {
        int c = e->touched.at[q];
        vec_push(e->arena, &e->col, c);
        for (int s = 0; s < ns; s++)
            vec_push(e->arena, &e->val, e->sum[c * ns + s]);
    }
}

/* How bad a pivot is where growth is not followed: the sum of the row in units
 * of the pivot. */
static double row_ratio(Engine *e, int i, int pivot)
{
    double worst = 0;
    for (int s = 0; s < e->p->nsample; s++) {
        double sum = 0;
        for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++)
            sum += fabs(number(e, k, s));
        sum /= fabs(number(e, pivot, s));
        if (!(sum <= worst))
            worst = sum;
    }
    e->work += e->inc->start[i + 1] - e->inc->start[i];
    return worst;
}

typedef struct Pivot {
    int eqn, edge;
    double bad; /* growth, or row_ratio() */
} Pivot;

static double badness(Engine *e, int i, int edge)
{
    return follows_growth(e) ? growth_of(e, i, edge) : row_ratio(e, i, edge);
}

/* The best equation that can be solved for `var` now; edge NONE if there is
 * none. Penalised ones come last, equal ones in source order. A single one is
 * not measured (bad is 0) unless growth is followed. */
static Pivot best_pivot(Engine *e, int var)
{
    Pivot best = {NONE, NONE, 0};
    bool measured = false;
    for (int q = e->t->start[var]; q < e->t->start[var + 1]; q++) {
        int i = e->t->eqn[q], edge = e->t->edge[q];
        e->work++;
        if (e->nopen[i] != 1 || e->use[i] != USE_FREE ||
            !engine_may_solve(e, edge))
            continue;
        if (best.edge == NONE && !follows_growth(e)) {
            best = (Pivot){i, edge, 0};
            continue;
        }
        if (best.edge != NONE && !measured)
            best.bad = badness(e, best.eqn, best.edge);
        measured = true;
        Pivot mine = {i, edge, badness(e, i, edge)};
        int less = best.edge == NONE ? -1
                                     : (e->inc->weight[edge] > 0) -
                                           (e->inc->weight[best.edge] > 0);
        if (less < 0 || (less == 0 && mine.bad < best.bad))
            best = mine;
    }
    return best;
}

static void try_solve(Engine *e, int var)
{
    Pivot best = best_pivot(e, var);
    if (best.edge == NONE)
        return;
    if (follows_growth(e)) {
        if (!(best.bad <= e->rules.bound)) {
            vec_push(e->arena, &e->refused, var);
            return;
        }
        growth_of(e, best.eqn, best.edge); /* another may have been last */
        keep_row(e, var);
    }
    e->use[best.eqn] = USE_SOLVED;
    e->npenalty += e->inc->weight[best.edge] > 0;
    learn(e, var, best.eqn);
}

/* Tells the equations of the newly known unknowns. */
static void tell(Engine *e)
{
    while (e->head < e->ntrail) {
        int var = e->trail[e->head++];
        e->work += e->t->start[var + 1] - e->t->start[var];
        for (int q = e->t->start[var]; q < e->t->start[var + 1]; q++) {
            int i = e->t->eqn[q];
            e->last[i] ^= var;
            e->nopen[i]--;
            if (e->use[i] != USE_FREE)
                continue;
            if (e->nopen[i] == 1)
                vec_push(e->arena, &e->ready, i);
            e->nsurplus += e->nopen[i] == 0;
        }
    }
}

void engine_run(Engine *e)
{
    int next = 0;
    tell(e);
    while (next < e->ready.n) {
        int i = e->ready.at[next++];
        if (e->nopen[i] != 1 || e->use[i] != USE_FREE)
            continue;
        try_solve(e, e->last[i]);
        tell(e);
    }
    vec_clear(&e->ready);
}

EngineMark engine_mark(const Engine *e)
{
    assert(e->head == e->ntrail && e->ready.n == 0);
    return (EngineMark){e->ntrail, e->refused.n};
}

/* Makes the last unknown of the trail open again. */
static void forget(Engine *e)
{
    int var = e->trail[--e->ntrail], by = e->by[var];
    for (int q = e->t->start[var]; q < e->t->start[var + 1]; q++) {
        int i = e->t->eqn[q];
        e->nsurplus -= e->use[i] == USE_FREE && e->nopen[i] == 0;
        e->last[i] ^= var;
        e->nopen[i]++;
    }
    if (by == TORN)
        e->ntorn--;
    if (by >= 0) {
        e->use[by] = USE_FREE;
        e->npenalty -= e->inc->weight[incidence_find(e->inc, by, var)] > 0;
    }
    if (follows_growth(e) && e->rows)
        e->col.n = e->row_at[var];
    e->by[var] = OPEN;
}

void engine_undo(Engine *e, EngineMark m)
{
    assert(e->head == e->ntrail);
    while (e->ntrail > m.ntrail)
        forget(e);
    e->head = e->ntrail;
    e->val.n = e->col.n * e->p->nsample;
    e->refused.n = m.nrefused;
}

Choice choice_new(const Engine *e, Arena *out)
{
    assert(e->ntrail == e->n && e->head == e->n);
    Choice c = {.growth_var = NONE};
    c.is.ntorn = e->ntorn;
    c.is.npenalty = e->npenalty;
    c.eqn = NEW_ARRAY(out, int, e->n - e->ntorn);
    c.var = NEW_ARRAY(out, int, e->n - e->ntorn);
    c.torn = NEW_ARRAY(out, int, e->ntorn);
    int ncausal = 0, ntorn = 0;
    for (int k = 0; k < e->n; k++) {
        int var = e->trail[k];
        if (e->by[var] == TORN) {
            c.torn[ntorn++] = var;
        } else {
            c.eqn[ncausal] = e->by[var];
            c.var[ncausal++] = var;
        }
    }
    return c;
}
