/* exec_flat.c - away from a point where a block has no slope.
 *
 * Losses of flow go with m^2 sign(m), and m = 0 is the start value that nobody
 * gave: there the Jacobian is singular and no iteration leaves. A little aside
 * it is regular. Both sides are tried; a solution that only one of them leads
 * to, or both, is taken. Where they lead to two, the model does not say which:
 * none is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "tape/exec_internal.h"

enum { MOST_FLAT = 50 }; /* unknowns of a block */

/* Has the block at `x` residuals, but no slope to go by? */
static bool is_flat(Exec *e, const TapeBlock *b, int at, const double *x)
{
    exec_set_x(e, b, x);
    e->code = STATUS_FINE;
    exec_range(e, at, b->neval);
    if (!isfinite(exec_residual_size(e, b)))
        return false;
    exec_range(e, at + b->neval, b->njac);
    exec_range(e, at + b->neval + b->njac, b->nsolve);
    bool flat = e->code == STATUS_SINGULAR;
    e->code = STATUS_FINE;
    return flat;
}

/* The solution that iterations find from beside `x`, on one side. */
static bool beside(Exec *e, const TapeBlock *b, int number, int at,
                   const double *x, double side, double *found)
{
    for (double far = 1e-4; far < 2; far *= 100) {
        for (int i = 0; i < b->n; i++)
            e->r[b->x[i]] = x[i] + side * far * fmax(b->nominal[i], fabs(x[i]));
        e->code = STATUS_FINE;
        bool there = exec_converge(e, b, number, at);
        for (int i = 0; i < b->n; i++)
            found[i] = e->r[b->x[i]];
        if (there)
            return true;
    }
    return false;
}

static bool are_equal(const TapeBlock *b, const double *x, const double *y)
{
    for (int i = 0; i < b->n; i++)
        if (fabs(x[i] - y[i]) > 1e-6 * fmax(b->nominal[i], fabs(x[i])))
            return false;
    return true;
}

bool exec_leave_flat(Exec *e, const TapeBlock *b, int number, int at)
{
    double x[MOST_FLAT], up[MOST_FLAT], down[MOST_FLAT];
    Status why = e->code;
    if (b->n > MOST_FLAT)
        return false;
    memcpy(x, e->work->home, (size_t)b->n * sizeof *x);
    if (is_flat(e, b, at, x)) {
        bool above = beside(e, b, number, at, x, 1, up);
        bool below = beside(e, b, number, at, x, -1, down);
        if (above != below || (above && are_equal(b, up, down))) {
            e->code = STATUS_FINE;
            exec_set_x(e, b, above ? up : down);
            exec_range(e, at, b->neval);
            return true;
        }
    }
    e->code = STATUS_FINE;
    exec_set_x(e, b, x);
    exec_range(e, at, b->neval); /* what a message shows */
    e->code = why;
    return false;
}
