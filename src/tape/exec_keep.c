/* exec_keep.c - Newton's iteration with factors that are kept: the simplified
 * iteration of codes with step-size control (Hairer, Wanner II, IV.8).
 *
 * Factors serve from step to step as long as corrections shrink: a correction
 * of size d that is `rate` times the one before leaves an error of about
 * d eta, eta = rate / (1 - rate). The eta of the step before, a little larger,
 * tells it of the first correction of the next one (there (8.11)).
 *
 * They are made anew
 *
 *   where the step is longer or shorter by a third than the one they were made
 *     for, and after an event;
 *   before a step, where that is cheaper: with a price c of new factors,
 * counted in iterations, and n_1 ... n_p iterations of the p steps that they
 * served, a step has cost (c + n_1 + ... + n_p) / p so far. One more is worth
 *     having while it costs less than that;
 *   within a step, where what is left takes more iterations than new factors
 *     would.
 *
 * Blocks with branches have the full iteration: there the sign of the present
 * determinant tells the way.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "tape/exec_internal.h"

static const double CHANGED = 0.34;
/* The rate that new factors have at the most, and that of no use at all. */
static const double SLOW = 0.3, STUCK = 0.7;
/* Corrections that do not shrink any more, below this, are rounding. */
static const double ROUNDING = 2e-13;

/* Are the factors of the block kept by its system? */
static bool has_factors(const Exec *e, const TapeBlock *b, int at)
{
    const TapeInstr *in = &e->tape->code.at[at + b->neval + b->njac - 1];
    return b->njac > 0 && in->op == TAPE_FACTOR && b->nrow == b->n &&
           e->tape->system.at[in->a].kind == TS_PIVOT;
}

/* One correction; *size is how large it was. False: it failed. */
static bool correct(Exec *e, const TapeBlock *b, int number, int at, bool fresh,
                    double *size)
{
    exec_range(e, at, b->neval);
    if (fresh)
        exec_range(e, at + b->neval, b->njac);
    exec_range(e, at + b->neval + b->njac, b->nsolve);
    e->iterations++;
    if (e->code < 0)
        return false;
    *size = exec_correction_size(e, b, number);
    for (int i = 0; e->code >= 0 && i < b->n; i++)
        e->r[b->x[i]] -= e->r[b->delta[i]];
    return e->code >= 0;
}

/* What new factors cost, in iterations: machine instructions, roughly. */
static double price_of(const Exec *e, const TapeBlock *b, int at)
{
    enum { INSTR = 8, ENTRY = 20 };
    const TapeInstr *in = &e->tape->code.at[at + b->neval + b->njac - 1];
    const TapeSystem *s = &e->tape->system.at[in->a];
    double n = s->n, nnz = s->nnz;
    double factor = fmin(n * n * n, ENTRY * nnz * n / 4) + ENTRY * nnz;
    double solve = fmin(6 * n * n, ENTRY * nnz);
    return (INSTR * b->njac + factor) / (INSTR * (b->neval + 10) + solve);
}

/* Is what is left as small as it shall be? */
static bool is_small(const Exec *e, double size, double rate, double eta)
{
    return size <= e->keep_goal || size * fmax(eta, 0.05) <= e->keep_goal ||
           (rate > SLOW && size <= ROUNDING);
}

/* Would what is left take more iterations than new factors? */
static bool is_slow(const Exec *e, const ExecKept *k, double size, double rate)
{
    if (rate >= STUCK || k->price < 1)
        return rate > fmin(SLOW, k->price);
    return rate > 0.05 &&
           log(size / e->keep_goal) > (1 + k->price) * -log(rate);
}

/* Have they served as long as pays? */
static bool is_worn(const Exec *e, const ExecKept *k)
{
    return fabs(e->r[e->tape->step] / k->step - 1) > CHANGED ||
           k->last * k->uses > k->price + k->all;
}

static void begin_use(Exec *e, ExecKept *k, double price)
{
    *k = (ExecKept){.is_there = true,
                    .step = e->r[e->tape->step],
                    .price = price,
                    .eta = SLOW / (1 - SLOW)};
}

/* The step is solved; n: iterations with these factors. */
static void end_use(ExecKept *k, int n)
{
    k->last = n;
    k->all += n;
    k->uses++;
}

/* The iteration itself, which begins with new factors if `fresh`. */
static bool iterate(Exec *e, const TapeBlock *b, int number, int at, bool fresh,
                    double *size)
{
    ExecKept *k = &e->work->kept[number];
    double price = k->price > 0 ? k->price : price_of(e, b, at), rate = 1;
    double last = INFINITY;
    int n = 0; /* iterations with these factors */
    *size = INFINITY;
    for (int i = 0; i < e->max_iterations; i++) {
        if (fresh) {
            begin_use(e, k, price);
            n = 0;
        }
        if (!correct(e, b, number, at, fresh, size))
            return false;
        n++;
        if (n > 1) {
            rate = *size / last;
            k->eta = rate < 1 ? rate / (1 - rate) : INFINITY;
        } else if (!fresh) { /* eta^(3/4): a little larger */
            k->eta = k->eta < 1 ? sqrt(k->eta * sqrt(k->eta)) : 1;
        }
        if (is_small(e, *size, rate, k->eta)) {
            end_use(k, n);
            return true;
        }
        if (i > 12 && !(*size < last))
            return false;
        fresh = n > 1 && is_slow(e, k, *size, rate);
        last = *size;
    }
    return false;
}

bool exec_iterate_kept(Exec *e, const TapeBlock *b, int number, int at,
                       double *size)
{
    ExecKept *k = &e->work->kept[number];
    if (!(e->keep_goal > 0) || e->work->stage != RAMP_OFF ||
        e->work->branch[number] != 0 || !has_factors(e, b, at))
        return false;
    unsigned causes = e->causes;
    Status code = e->code;
    if (iterate(e, b, number, at, !k->is_there || is_worn(e, k), size))
        return true;
    k->is_there = false;
    e->causes = causes; /* the full iteration speaks for itself */
    e->code = code;
    return false;
}

void exec_forget_factors(Exec *e)
{
    for (int i = 0; i < e->tape->block.n; i++)
        e->work->kept[i].is_there = false;
}
