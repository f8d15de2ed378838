/* invariants.c - equations beyond those that determine a step.
 *
 * A system of a step may have invariants: expressions g(x) that ought to be 0
 * at its end, energies or charges, for which there is no unknown left. They
 * join the Newton iteration that finds the end of the step, as more residuals
 * than there are iteration variables, and its corrections are those of least
 * squares (Cellier and Kofman 2006, 8.10):
 *
 *     F = (residuals; weight * g),   H = dF/dx,   x := x - H \\ F
 *
 * 1. The blocks that the invariants depend on and that find implicit states
 *    are merged into one; of stages that wait for one another those of the
 *    last.
 * 2. When all blocks are made, what is assigned after that one is put into the
 *    invariants, which are then expressions over its unknowns.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "schedule/schedule_internal.h"

/* ---- which blocks ---- */

typedef struct Join {
    Maker *m;
    const Blt *blt;
    bool *is_read;   /* by block: an invariant depends on it */
    bool *is_member; /* by block */
    int *block_of;   /* by unknown */
} Join;

/* The entry that a leaf stands for, aliases of the system looked through. */
static int entry_of(const Maker *m, Expr leaf)
{
    int var = NONE, order;
    if (!expr_is_var(m->dag, leaf, &var, &order))
        return NONE;
    for (int i = 0; m->column[var] == NONE && i < m->system->nalias; i++)
        if (m->system->alias[i].var == var)
            return m->system->alias[i].target;
    return var;
}

static void read_unknown(Join *j, Expr leaf)
{
    int entry = entry_of(j->m, leaf);
    if (entry != NONE && j->m->column[entry] != NONE)
        j->is_read[j->block_of[j->m->column[entry]]] = true;
}

static void mark_read(Join *j)
{
    const Maker *m = j->m;
    const Blt *blt = j->blt;
    for (int i = 0; i < m->system->ninvariant; i++) {
        Expr *leaf;
        int n = expr_leaves(m->dag, m->system->invariant[i], &leaf, m->work);
        for (int k = 0; k < n; k++)
            read_unknown(j, leaf[k]);
    }
    for (int b = blt->nblock - 1; b >= 0; b--)
        for (int k = blt->start[b]; j->is_read[b] && k < blt->start[b + 1]; k++)
            for (int e = m->inc->start[blt->eqn[k]];
                 e < m->inc->start[blt->eqn[k] + 1]; e++)
                j->is_read[j->block_of[m->inc->var[e]]] = true;
}

/* Is the block solved, not just evaluated? */
static bool is_loop(const Join *j, int b)
{
    const Maker *m = j->m;
    int at = j->blt->start[b];
    if (j->blt->start[b + 1] - at > 1)
        return true;
    Expr slope =
        m->slope[incidence_find(m->inc, j->blt->eqn[at], j->blt->var[at])];
    return slope == EXPR_NONE || !expr_is_one(m->dag, slope);
}

/* The stage of an implicit state of the block; *found if it has one. */
static int implicit_stage(const Join *j, int b, bool *found)
{
    for (int k = j->blt->start[b]; is_loop(j, b) && k < j->blt->start[b + 1];
         k++)
        if (merge_is_implicit(j->m, j->blt->eqn[k])) {
            *found = true;
            return j->m->system->eqn[j->blt->eqn[k]].stage;
        }
    *found = false;
    return DIFF_END;
}

/* Returns how many there are. */
static int mark_members(Join *j)
{
    const Method *method = j->m->system->method;
    bool waits = merge_has_waiting_stages(method), found;
    int last = DIFF_END, n = 0;
    for (int b = 0; b < j->blt->nblock; b++) {
        int stage = implicit_stage(j, b, &found);
        if (j->is_read[b] && found)
            last = stage;
    }
    for (int b = 0; b < j->blt->nblock; b++) {
        int stage = implicit_stage(j, b, &found);
        j->is_member[b] = j->is_read[b] && found && (!waits || stage == last);
        n += j->is_member[b];
    }
    return n;
}

/* A loop between the members and an invariant is one of them. */
static void mark_loops(Join *j)
{
    const Blt *blt = j->blt;
    const Incidence *inc = j->m->inc;
    bool *is_after = NEW_ARRAY(j->m->work, bool, blt->nblock + 1);
    for (int b = 0; b < blt->nblock; b++) {
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++)
            for (int e = inc->start[blt->eqn[k]];
                 e < inc->start[blt->eqn[k] + 1]; e++) {
                int from = j->block_of[inc->var[e]];
                is_after[b] |=
                    from != b && (j->is_member[from] || is_after[from]);
            }
        if (is_after[b] && j->is_read[b] &&
            blt->start[b + 1] - blt->start[b] > 1)
            j->is_member[b] = true;
    }
}

static void report_nothing(Maker *m)
{
    m->failed = true;
    diag_report(m->diag, NO_SPAN, DIAG_E1206,
                "no invariant can join a step of %s: nothing that it depends "
                "on is iterated on; '--invariant-by project' corrects the end "
                "of each step instead",
                m->system->method->name);
}

const Blt *invariants_merge(Maker *m, const Blt *blt)
{
    Join j = {.m = m,
              .blt = blt,
              .is_read = NEW_ARRAY(m->work, bool, blt->nblock + 1),
              .is_member = NEW_ARRAY(m->work, bool, blt->nblock + 1),
              .block_of = NEW_ARRAY(m->work, int, m->system->nunknown + 1)};
    for (int b = 0; b < blt->nblock; b++)
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++)
            j.block_of[blt->var[k]] = b;
    mark_read(&j);
    if (mark_members(&j) == 0) {
        report_nothing(m);
        return blt;
    }
    mark_loops(&j);
    return merge_blocks(m, blt, j.is_member, &m->joined);
}

/* ---- the residuals ---- */

static void fix(Maker *m, ExprMap *map, int var, Expr value)
{
    expr_map_fix(map, m->d->var[var].leaf, expr_map(map, value));
}

/* What is assigned after the block, as expressions of its unknowns. */
static ExprMap *after_block(Maker *m, Arena *work)
{
    ExprMap *map = expr_map_new(m->dag, NULL, NULL, work);
    for (int k = m->joined + 1; k < m->block.n; k++) {
        const SchedBlock *b = &m->block.at[k];
        if (b->kind != SK_ASSIGN && !b->solution)
            continue;
        for (int i = 0; b->solution && i < b->ntorn; i++)
            fix(m, map, b->torn[i], b->solution[i]);
        for (int i = 0; i < b->nchain; i++)
            fix(m, map, b->chain[i].var, b->chain[i].value);
    }
    for (int i = 0; i < m->system->nalias; i++) {
        const InlinedAlias *a = &m->system->alias[i];
        Expr e = m->d->var[a->target].leaf;
        fix(m, map, a->var, a->sign < 0 ? expr_neg(m->dag, e) : e);
    }
    return map;
}

/* False after a report: an iteration of its own stands in between, or the
 * invariant does not depend on the block. */
static bool can_join(Maker *m, Expr g)
{
    Expr *leaf;
    int n = expr_leaves(m->dag, g, &leaf, m->work);
    bool depends = false;
    for (int k = 0; k < n; k++) {
        int entry = entry_of(m, leaf[k]);
        int column = entry == NONE ? NONE : m->column[entry];
        if (column == NONE)
            continue;
        depends |= m->block_of[column] == m->joined;
        if (m->block_of[column] <= m->joined)
            continue;
        m->failed = true;
        diag_report(m->diag, NO_SPAN, DIAG_E1206,
                    "no invariant can join the step: it depends on '%s', which "
                    "is found by an iteration of its own",
                    m->d->var[entry].name);
        return false;
    }
    if (!depends)
        report_nothing(m);
    return depends;
}

static void lengthen(Maker *m, SchedBlock *b, int n)
{
    int *eqn = NEW_ARRAY(m->arena, int, b->ntorn + n + 1);
    Expr *residual = NEW_ARRAY(m->arena, Expr, b->ntorn + n + 1);
    memcpy(eqn, b->residual_eqn, (size_t)b->ntorn * sizeof *eqn);
    memcpy(residual, b->residual, (size_t)b->ntorn * sizeof *residual);
    b->residual_eqn = eqn;
    b->residual = residual;
}

void invariants_join(Maker *m)
{
    SchedBlock *b = &m->block.at[m->joined];
    Arena *work = arena_new();
    ExprMap *map = after_block(m, work);
    int n = m->system->ninvariant;
    lengthen(m, b, n);
    for (int i = 0; i < n && !m->failed; i++) {
        Expr g = expr_map(map, m->system->invariant[i]);
        if (!can_join(m, g))
            break;
        b->residual_eqn[b->ntorn + i] = NONE;
        b->residual[b->ntorn + i] = g;
    }
    arena_free(work);
    if (m->failed)
        return;
    b->ninvariant = n;
    if (!m->options.jacobian || jacobian_make(m, m->joined, b) || m->failed)
        return;
    m->failed = true;
    diag_report(m->diag, NO_SPAN, DIAG_E1206,
                "no invariant can join the step: its derivatives through the "
                "block of '%s', ... are too many; '--algebraic keep' leaves "
                "fewer",
                m->d->var[b->torn[0]].name);
}
