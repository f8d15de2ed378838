/* exec_ramp.c - to the solution of a block that is too far away, with the
 * right-hand side taken down from what it is where the iteration begins.
 *
 * F(x) = share F(x0) is solved by x0 for a share of 1. For a circuit at rest,
 * its sources off, this turns them up (Cellier, Kofman 8.11): within one block
 * by exec_ramp_down(), and in all blocks of a model at once while its states
 * move (sim/ramp.c).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "tape/exec_internal.h"

bool exec_ramp_down(Exec *e, const TapeBlock *b, int number, int at)
{
    struct ExecWork *w = e->work;
    Status why = e->code;
    e->code = STATUS_FINE;
    exec_set_x(e, b, w->begin);
    w->ramp = 0;
    exec_range(e, at, b->neval);
    for (int i = 0; i < b->n; i++)
        w->offset[i] = e->r[b->residual[i]];
    double left = 1, step = 0.1;
    while (left > 0 && step > 1e-7 && isfinite(exec_residual_size(e, b))) {
        w->ramp = fmax(left - step, 0);
        if (exec_converge(e, b, number, at)) {
            left = w->ramp;
            step *= 2;
            for (int i = 0; i < b->n; i++)
                w->begin[i] = e->r[b->x[i]];
        } else {
            step /= 4;
            e->code = STATUS_FINE;
            exec_set_x(e, b, w->begin);
        }
    }
    w->ramp = 0;
    exec_range(e, at, b->neval);
    if (left > 0)
        exec_set_status(e, why, number, NONE);
    return left == 0;
}

/* ---- in all blocks at once ---- */

void exec_begin_ramp(Exec *e)
{
    struct ExecWork *w = e->work;
    if (!w->noted)
        w->noted = NEW_ARRAY(w->arena, double *, e->tape->block.n + 1);
    w->stage = RAMP_NOTES;
}

void exec_ramp(Exec *e, double share)
{
    e->work->stage = RAMP_ON;
    e->work->share = share;
}

void exec_end_ramp(Exec *e)
{
    e->work->stage = RAMP_OFF;
}

static void note(Exec *e, const TapeBlock *b, int number, int at)
{
    double **noted = &e->work->noted[number];
    exec_range(e, at, b->neval);
    if (!*noted)
        *noted = NEW_ARRAY(e->work->arena, double, b->n + 1);
    for (int i = 0; i < b->n; i++)
        (*noted)[i] = e->r[b->residual[i]];
    if (!isfinite(exec_residual_size(e, b)))
        exec_set_status(e, STATUS_FAILED, number, NONE);
}

void exec_run_ramped(Exec *e, const TapeBlock *b, int number, int at)
{
    struct ExecWork *w = e->work;
    if (w->stage == RAMP_NOTES) {
        note(e, b, number, at);
        return;
    }
    for (int i = 0; i < b->n; i++)
        w->offset[i] = w->noted[number] ? w->noted[number][i] : 0;
    w->ramp = w->share;
    exec_converge(e, b, number, at);
    w->ramp = 0;
}
