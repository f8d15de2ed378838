/* roots.c - of two solutions of the start, the one that start values mean.
 *
 * Tearing decides which unknowns are iterated in, and only their start values
 * are where an iteration begins. A model says where somebody thought of a
 * value: an amplifier with positive feedback whose output is to begin at its
 * upper limit is iterated in the voltage of a divider, from 0, and comes to the
 * lower limit or to the balance between both. So where an unknown that is
 * iterated in has no start value, in a block that may have several solutions,
 * the start is solved once more from what the given values say of it
 * (guess/guess.h). If that comes to another solution, the one whose unknowns
 * are nearer to the given start values is taken.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "guess/guess.h"
#include "sim/sim_internal.h"

/* May this block of the start have several solutions? */
static bool is_open(const TapeBlock *b)
{
    return b->has_start && !b->is_linear;
}

/* Is there an unknown that a guess could serve? Relations in loops are looked
 * at where the path begins, whatever is iterated in. */
static bool lacks_starts(const Sim *s)
{
    const Tape *tape = s->low->tape;
    if (s->low->ninit_mode > 0)
        return true;
    for (int k = 0; k < tape->block.n; k++)
        for (int i = 0; is_open(&tape->block.at[k]) && i < tape->block.at[k].n;
             i++)
            if (!tape->block.at[k].has_start[i])
                return true;
    return false;
}

/* Is an iteration of the start begun elsewhere than at `saved` now, for an
 * unknown without a start value, where that may matter? */
static bool begins_elsewhere(const Sim *s)
{
    const Tape *tape = s->low->tape;
    if (s->low->ninit_mode > 0)
        return true;
    for (int k = 0; k < tape->block.n; k++) {
        const TapeBlock *b = &tape->block.at[k];
        for (int i = 0; is_open(b) && i < b->n; i++) {
            double now = s->exec->r[b->x[i]], then = s->saved[b->x[i]];
            if (!b->has_start[i] &&
                fabs(now - then) > 1e-6 * fmax(b->nominal[i], fabs(then)))
                return true;
        }
    }
    return false;
}

/* Is it an unknown of the start that is given a start value? */
static bool is_told(const Inlined *d, int i)
{
    const InlinedVar *v = &d->var[i];
    return v->type == ET_REAL && !v->is_discrete && v->kind == IV_VALUE &&
           v->order == 0 && v->sys_var != NONE &&
           d->sys->var[v->sys_var].start != EXPR_NONE;
}

/* How far given start values are from these slots, each by its own size. */
static double distance(const Sim *s, const double *r)
{
    const Inlined *d = s->low->inlined;
    const InlinedSystem *init = &d->system[d->init];
    double sum = 0;
    for (int k = 0; k < init->nunknown; k++) {
        int i = init->unknown[k], slot = s->low->slot[i];
        if (slot == NONE || !is_told(d, i))
            continue;
        double start = s->saved[slot];
        sum += fabs(r[slot] - start) / fmax(inlined_nominal(d, i), fabs(start));
    }
    return sum;
}

static void copy(const Sim *s, double *to, const double *from)
{
    memcpy(to, from, (size_t)s->low->tape->nslot * sizeof(double));
}

/* The other solution is in the slots. */
static bool find_other(Sim *s, bool (*solve)(Sim *s))
{
    copy(s, s->exec->r, s->saved);
    exec_reset_status(s->exec);
    if (!guess_starts(s->low, s->exec->r) || !begins_elsewhere(s))
        return false;
    exec_forget_branches(s->exec);
    return solve(s) && s->exec->code >= 0;
}

bool sim_choose_root(Sim *s, bool (*solve)(Sim *s))
{
    int nslot = s->low->tape->nslot, nblock = s->low->tape->block.n;
    if (!lacks_starts(s))
        return true;
    Arena *a = arena_new();
    double *found = NEW_ARRAY(a, double, nslot + 1);
    bool *least = NEW_ARRAY(a, bool, nblock + 1);
    copy(s, found, s->exec->r);
    memcpy(least, s->exec->is_least, (size_t)nblock * sizeof *least);
    diag_mute(s->diag);
    bool other = find_other(s, solve);
    bool better = other && distance(s, s->exec->r) <
                               distance(s, found) * (1 - 1e-6) - 1e-9;
    diag_unmute(s->diag);
    if (!better) {
        copy(s, s->exec->r, found);
        memcpy(s->exec->is_least, least, (size_t)nblock * sizeof *least);
        exec_reset_status(s->exec);
        exec_forget_branches(s->exec);
    }
    arena_free(a);
    return better || solve(s);
}
