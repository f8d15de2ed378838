/* exec_keep.c - Newton's iteration with factors that are kept: the simplified
 * iteration of codes with step-size control (Hairer, Wanner II, IV.8).
 *
 * Factors serve from step to step as long as corrections shrink: a correction
 * of size d that is `rate` times the one before leaves an error of about
 * d rate / (1 - rate). They are made anew where the step is longer or shorter
 * by a third than the one they were made for, where corrections shrink too
 * slowly, and after an event. Blocks with branches have the full iteration:
 * there the sign of the present determinant tells the way.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "tape/exec_internal.h"

static const double SLOW = 0.3, CHANGED = 0.34;
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

/* Is what is left as small as it shall be? */
static bool is_small(const Exec *e, double size, double rate)
{
    double goal = e->keep_goal;
    return size <= goal ||
           (rate < 1 && size * fmax(rate, 0.05) / (1 - rate) <= goal) ||
           (rate > SLOW && size <= ROUNDING);
}

bool exec_iterate_kept(Exec *e, const TapeBlock *b, int number, int at,
                       double *size)
{
    ExecKept *k = &e->work->kept[number];
    double h = e->r[e->tape->step], rate = 1;
    if (!(e->keep_goal > 0) || e->work->stage != RAMP_OFF ||
        e->work->branch[number] != 0 || !has_factors(e, b, at))
        return false;
    bool fresh = !k->is_there || fabs(h / k->step - 1) > CHANGED;
    unsigned causes = e->causes;
    Status code = e->code;
    *size = INFINITY;
    for (int i = 0; i < e->max_iterations; i++) {
        double last = fresh ? INFINITY : *size;
        if (fresh)
            *k = (ExecKept){true, h};
        if (!correct(e, b, number, at, fresh, size))
            break;
        if (isfinite(last))
            rate = *size / last;
        else if (fresh)
            rate = SLOW; /* at most: the matrix is that of this point */
        if (is_small(e, *size, rate))
            return true;
        if (i > 12 && !(*size < last))
            break;
        fresh = isfinite(last) && rate > SLOW;
    }
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
