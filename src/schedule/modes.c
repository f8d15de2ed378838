/* modes.c - unknowns that a mode switches, as iteration variables of events.
 *
 * The passes of an event solve a linear block several times with other modes
 * (docs/methods/modes.md): a = if locked then 0 else s, and all accelerations
 * and forces of a machine follow from a. If a is one more iteration variable,
 * with that equation as its residual, nothing beyond this row and that of the
 * torque depends on the mode: chain, residuals and most of the factors are the
 * same in all passes, and step/fuse_passes.c computes them once. The matrix
 * grows by a row of two entries for each.
 *
 *     torn s            chain a(s, mode), ..., f(a)      residual f - ...
 *     torn s and a      chain            ..., f(a)      residuals f - ...,
 *                                                        a - a(s, mode)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule_internal.h"

/* So many assignments have to be freed of modes for each variable more. */
enum { LEAST_FREED = 6 };

/* What is known of an entry within the block. */
enum { MOVES = 1, FREED = 2 };

static bool is_mode(const InlinedVar *v)
{
    return v->kind == IV_RELATION ||
           (v->kind != IV_PARAMETER && (v->type != ET_REAL || v->is_discrete));
}

/* Flags of the leaves of an expression; *switched: one of them is a mode. */
static int flags_of(const Maker *m, Expr e, const char *flag, bool *switched)
{
    Expr *leaf;
    int found = 0, n = expr_leaves(m->dag, e, &leaf, m->work);
    for (int i = 0; i < n; i++) {
        int var = NONE, order = 0;
        if (!expr_is_var(m->dag, leaf[i], &var, &order))
            continue;
        found |= flag[var];
        *switched |= is_mode(&m->d->var[var]);
    }
    return found;
}

const Tear *modes_tear(Part *p, const SchedBlock *b)
{
    Maker *m = p->m;
    char *flag = NEW_ARRAY(m->work, char, m->d->nvar + 1);
    int *torn = NEW_ARRAY(m->work, int, p->n + 1), n = b->ntorn, nfreed = 0;
    const int *place = part_places(p);
    for (int k = 0; k < b->ntorn; k++) {
        torn[k] = place[b->torn[k]];
        flag[b->torn[k]] = MOVES;
    }
    for (int k = 0; k < b->nchain; k++) {
        const SchedAssign *a = &b->chain[k];
        bool switched = false;
        int found = flags_of(m, a->value, flag, &switched);
        if (found & MOVES && switched) {
            torn[n++] = place[a->var];
            flag[a->var] = MOVES | FREED;
            continue;
        }
        flag[a->var] = (char)found;
        nfreed += (found & FREED) != 0;
    }
    if (n == b->ntorn || nfreed < LEAST_FREED * (n - b->ntorn))
        return NULL;
    TearProblem problem = part_problem(p, PART_ANY);
    TearOptions o = part_options(p);
    const Tear *t = tear_given(&problem, &o, torn, n, m->work);
    return t->ntorn == n ? t : NULL;
}
