/* run_schedule.h - evaluates a schedule by the words of schedule.h: slow and
 * plain, to compare with. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_RUN_SCHEDULE_H
#define TAKT_TESTS_RUN_SCHEDULE_H

#include <lapacke.h>
#include <math.h>

#include "schedule/schedule.h"

typedef struct RunPoint {
    double *value; /* by entry of the Inlined table */
    double time;
} RunPoint;

static inline double run_leaf(void *context, const Dag *d, Expr e)
{
    const RunPoint *p = context;
    int var = NONE, order = 0;
    if (expr_is_var(d, e, &var, &order))
        return p->value[var];
    return expr_op(d, e) == EX_TIME ? p->time : NAN;
}

static inline double run_expr(const Schedule *s, Expr e, RunPoint *p)
{
    return expr_eval(s->inlined->dag, e, run_leaf, p);
}

static inline void run_chain(const Schedule *s, const SchedBlock *b,
                             RunPoint *p)
{
    for (int k = 0; k < b->nchain; k++)
        p->value[b->chain[k].var] = run_expr(s, b->chain[k].value, p);
}

/* One Newton step of a block; returns the largest correction. */
static inline double run_newton(const Schedule *s, const SchedBlock *b,
                                RunPoint *p, Arena *work)
{
    int n = b->ntorn;
    double *a = NEW_ARRAY(work, double, n *n), *r = NEW_ARRAY(work, double, n);
    lapack_int *pivot = NEW_ARRAY(work, lapack_int, n);
    run_chain(s, b, p);
    for (int i = 0; i < n; i++)
        r[i] = -run_expr(s, b->residual[i], p);
    for (int j = 0; j < n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++)
            a[j * n + b->jac.row[k]] = run_expr(s, b->jac.value[k], p);
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, a, n, pivot, r, n) != 0)
        return NAN;
    double largest = 0;
    for (int j = 0; j < n; j++) {
        p->value[b->torn[j]] += r[j];
        largest = fmax(largest, fabs(r[j]));
    }
    run_chain(s, b, p);
    return largest;
}

/* The model behind an extrapolation is solved well (lower/lower_block.c). */
static inline bool run_is_end(const Schedule *s, const SchedBlock *b)
{
    const Method *m = s->system->method;
    return m && !m->is_stiffly_accurate &&
           s->inlined->var[b->torn[0]].stage == DIFF_END;
}

/* Evaluates the schedule with `newton` iterations of nonlinear blocks. */
static inline void run_schedule(const Schedule *s, int newton, RunPoint *p)
{
    Arena *work = arena_new();
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        if (b->kind == SK_SOLVED) {
            double *x = NEW_ARRAY(work, double, b->ntorn);
            for (int k = 0; k < b->ntorn; k++)
                x[k] = run_expr(s, b->solution[k], p);
            for (int k = 0; k < b->ntorn; k++)
                p->value[b->torn[k]] = x[k];
        }
        if (b->kind == SK_ASSIGN || b->kind == SK_SOLVED) {
            run_chain(s, b, p);
            continue;
        }
        int times = b->kind == SK_NONLINEAR ? newton : 1;
        if (b->kind == SK_NONLINEAR && times < 3 && run_is_end(s, b))
            times = 3;
        for (int k = 0; k < b->ntorn; k++) {
            Expr guess = s->inlined->var[b->torn[k]].guess;
            if (guess != EXPR_NONE)
                p->value[b->torn[k]] = run_expr(s, guess, p);
        }
        for (int k = 0; k < times; k++)
            run_newton(s, b, p, work);
    }
    for (int i = 0; i < s->ntail; i++)
        p->value[s->tail[i].var] = run_expr(s, s->tail[i].value, p);
    arena_free(work);
}

static inline void run_carry(const InlinedCarry *c, int n, RunPoint *p)
{
    for (int i = 0; i < n; i++)
        p->value[c[i].to] = p->value[c[i].from];
}

#endif
