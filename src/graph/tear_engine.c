/* tear_engine.c - what follows from the unknowns torn so far.
 *
 * For each equation the number of its open unknowns and the exclusive or of
 * their numbers are kept: when one is left, the latter is its number. What
 * becomes known is written on a trail, so that it can be undone in reverse.
 *
 * Growth is followed on the way (tear_rows.c): an equation whose row would
 * exceed the bound is not used.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/tear_internal.h"

#include <assert.h>
#include <math.h>

static double number(const Engine *e, int edge, int sample)
{
    return e->p->value[(size_t)sample * (size_t)e->inc->nedge + (size_t)edge];
}

static void sum_rows(Engine *e)
{
    int ns = e->p->nsample;
    e->row_sum = NEW_ARRAY(e->arena, double, (size_t)e->n *(size_t)ns);
    for (int i = 0; i < e->n; i++)
        for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++)
            for (int s = 0; s < ns; s++)
                e->row_sum[i * ns + s] += fabs(number(e, k, s));
}

Engine *engine_new(const TearProblem *p, long limit, Arena *arena)
{
    Engine *e = NEW(arena, Engine);
    int n = p->inc->neqn;
    e->p = p;
    e->inc = p->inc;
    e->t = incidence_transpose(p->inc, arena);
    e->n = n;
    e->limit = limit;
    e->nopen = NEW_ARRAY(arena, int, n);
    e->last = NEW_ARRAY(arena, int, n);
    e->use = NEW_ARRAY(arena, unsigned char, n);
    e->by = NEW_ARRAY(arena, int, n);
    e->trail = NEW_ARRAY(arena, int, n);
    e->rows = rows_new(p, arena);
    e->arena = arena;
    sum_rows(e);
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
    rows_clear(&e->rows);
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

static void learn(Engine *e, int var, int by)
{
    e->by[var] = by;
    e->trail[e->ntrail++] = var;
}

void engine_tear(Engine *e, int var)
{
    assert(e->by[var] == OPEN);
    learn(e, var, TORN);
    if (follows_growth(e))
        rows_unit(&e->rows, var, e->ntorn);
    e->ntorn++;
}

void engine_give(Engine *e, int var)
{
    assert(e->by[var] == OPEN && !follows_growth(e));
    learn(e, var, GIVEN);
}

static double growth_of(Engine *e, int i, int pivot)
{
    long before = e->rows.work;
    double growth = rows_make(&e->rows, i, pivot);
    e->work += e->rows.work - before;
    return growth;
}

double engine_row_ratio(const Engine *e, int i, int pivot)
{
    double worst = 0;
    for (int s = 0; s < e->p->nsample; s++) {
        double ratio =
            e->row_sum[i * e->p->nsample + s] / fabs(number(e, pivot, s));
        if (!(ratio <= worst))
            worst = ratio;
    }
    return worst;
}

typedef struct Pivot {
    int eqn, edge;
    double bad; /* growth, or row_ratio() */
    int last;   /* edge that was measured last; NONE */
} Pivot;

static double badness(Engine *e, int i, int edge)
{
    return follows_growth(e) ? growth_of(e, i, edge)
                             : engine_row_ratio(e, i, edge);
}

/* The best equation that can be solved for `var` now; edge NONE if there is
 * none. Penalised ones come last, equal ones in source order. A single one is
 * not measured (bad is 0) unless growth is followed. */
static Pivot best_pivot(Engine *e, int var)
{
    Pivot best = {NONE, NONE, 0, NONE};
    bool measured = false;
    int last = NONE;
    int end = e->t->start[var + 1];
    e->work += end - e->t->start[var];
    for (int q = e->t->start[var]; q < end; q++) {
        int i = e->t->eqn[q], edge = e->t->edge[q];
        if (e->nopen[i] != 1 || e->use[i] != USE_FREE ||
            !engine_may_solve(e, edge))
            continue;
        if (best.edge == NONE && !follows_growth(e)) {
            best = (Pivot){i, edge, 0, NONE};
            continue;
        }
        if (best.edge != NONE && !measured)
            best.bad = badness(e, best.eqn, best.edge);
        measured = true;
        Pivot mine = {i, edge, badness(e, i, edge), NONE};
        last = edge;
        int less = best.edge == NONE ? -1
                                     : (e->inc->weight[edge] > 0) -
                                           (e->inc->weight[best.edge] > 0);
        if (less < 0 || (less == 0 && mine.bad < best.bad))
            best = mine;
    }
    best.last = last;
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
        if (best.last != best.edge) /* another row is there */
            growth_of(e, best.eqn, best.edge);
        rows_keep(&e->rows, var);
    }
    e->use[best.eqn] = USE_SOLVED;
    e->npenalty += e->inc->weight[best.edge] > 0;
    learn(e, var, best.eqn);
}

/* Tells the equations of the newly known unknowns. */
static void tell(Engine *e)
{
    const unsigned char *use = e->use;
    int *restrict last = e->last, *restrict nopen = e->nopen;
    while (e->head < e->ntrail) {
        int var = e->trail[e->head++], nsurplus = 0;
        const int *q = &e->t->eqn[e->t->start[var]];
        const int *end = &e->t->eqn[e->t->start[var + 1]];
        e->work += end - q;
        for (; q < end; q++) {
            int i = *q;
            last[i] ^= var;
            int left = --nopen[i];
            if (left > 1 || use[i] != USE_FREE)
                continue;
            if (left == 1)
                vec_push(e->arena, &e->ready, i);
            nsurplus += left == 0;
        }
        e->nsurplus += nsurplus;
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
    const int *q = &e->t->eqn[e->t->start[var]];
    const int *end = &e->t->eqn[e->t->start[var + 1]];
    int *restrict last = e->last, *restrict nopen = e->nopen, nsurplus = 0;
    for (; q < end; q++) {
        nsurplus += nopen[*q] == 0 && e->use[*q] == USE_FREE;
        last[*q] ^= var;
        nopen[*q]++;
    }
    e->nsurplus -= nsurplus;
    if (by == TORN)
        e->ntorn--;
    if (by >= 0) {
        e->use[by] = USE_FREE;
        e->npenalty -= e->inc->weight[incidence_find(e->inc, by, var)] > 0;
    }
    if (follows_growth(e))
        rows_drop(&e->rows, var);
    e->by[var] = OPEN;
}

void engine_undo(Engine *e, EngineMark m)
{
    assert(e->head == e->ntrail);
    while (e->ntrail > m.ntrail)
        forget(e);
    e->head = e->ntrail;
    e->refused.n = m.nrefused;
}

TearPick choice_new(const Engine *e, Arena *out)
{
    assert(e->ntrail == e->n && e->head == e->n);
    TearPick c = {.growth_var = NONE};
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
