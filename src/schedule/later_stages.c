/* later_stages.c - the blocks of later stages like those of the first.
 *
 * A Rosenbrock method solves linear equations for the increments of each stage
 * that differ in nothing but the stage of their unknowns and of what drives
 * them (inline/rosenbrock.c). What was chosen for the first stage (iteration
 * variables, the order of the chain, eliminated loops) is repeated by renaming
 * leaves. So the matrices are the same expressions, and one factorisation
 * serves all stages. Where the renamed equations are not those of the block,
 * the block goes its own way.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule_internal.h"

typedef struct LaterStage {
    Maker *m;
    const SchedBlock *from;
    int stage;
    int *by_from, *by_state; /* equations of the block, + 1 */
    ExprMap *map;
} LaterStage;

/* Entries of the stage that is followed have the number of this stage. */
static int entry_like(const LaterStage *f, int entry)
{
    return inlined_find_stage(f->m->d, entry, f->stage);
}

static Expr replace_leaf(void *context, Dag *d, Expr leaf)
{
    const LaterStage *f = context;
    int var = NONE, order = 0;
    if (!expr_is_var(d, leaf, &var, &order))
        return EXPR_NONE;
    InlinedKind kind = f->m->d->var[var].kind;
    if (kind != IV_INCREMENT && kind != IV_FORCING && kind != IV_ERROR &&
        kind != IV_SOURCE)
        return EXPR_NONE;
    int like = entry_like(f, var);
    return like == NONE ? EXPR_NONE : f->m->d->var[like].leaf;
}

/* The equation of this block like one of the other, or NONE. */
static int eqn_like(const LaterStage *f, int eqn)
{
    const InlinedEqn *e = &f->m->system->eqn[eqn];
    int found = e->kind == IE_LINEAR        ? f->by_from[e->from]
                : e->kind == IE_INTEGRATION ? f->by_state[e->state]
                                            : 0;
    return found - 1;
}

static bool is_equation_like(const LaterStage *f, int eqn, int like)
{
    const Maker *m = f->m;
    return like != NONE && m->residual[eqn] != EXPR_NONE &&
           expr_map(f->map, m->residual[eqn]) == m->residual[like];
}

/* Equations and unknowns of this block by their kind. */
static void index_equations(LaterStage *f, int block)
{
    Maker *m = f->m;
    int nfrom = m->d->dae ? m->d->dae->neqn : m->d->sys->neqn;
    int nstate = m->d->dae ? m->d->dae->nstate : m->system->nunknown;
    f->by_from = NEW_ARRAY(m->work, int, nfrom + 1);
    f->by_state = NEW_ARRAY(m->work, int, nstate + 1);
    for (int k = m->blt->start[block]; k < m->blt->start[block + 1]; k++) {
        int i = m->blt->eqn[k];
        const InlinedEqn *e = &m->system->eqn[i];
        if (e->kind == IE_LINEAR)
            f->by_from[e->from] = i + 1;
        else if (e->kind == IE_INTEGRATION)
            f->by_state[e->state] = i + 1;
    }
}

static bool copy_torn(LaterStage *f, SchedBlock *b)
{
    Maker *m = f->m;
    int n = b->ntorn;
    b->torn = NEW_ARRAY(m->arena, int, n + 1);
    b->residual_eqn = NEW_ARRAY(m->arena, int, n + 1);
    b->residual = NEW_ARRAY(m->arena, Expr, n + 1);
    if (b->solution)
        b->solution = NEW_ARRAY(m->arena, Expr, n + 1);
    for (int k = 0; k < n; k++) {
        int eqn = eqn_like(f, f->from->residual_eqn[k]);
        b->torn[k] = entry_like(f, f->from->torn[k]);
        if (b->torn[k] == NONE ||
            !is_equation_like(f, f->from->residual_eqn[k], eqn))
            return false;
        b->residual_eqn[k] = eqn;
        b->residual[k] = m->residual[eqn];
        if (b->solution)
            b->solution[k] = expr_map(f->map, f->from->solution[k]);
    }
    return true;
}

static bool copy_chain(LaterStage *f, SchedBlock *b)
{
    b->chain = NEW_ARRAY(f->m->arena, SchedAssign, b->nchain + 1);
    for (int k = 0; k < b->nchain; k++) {
        const SchedAssign *a = &f->from->chain[k];
        int eqn = eqn_like(f, a->eqn), var = entry_like(f, a->var);
        if (var == NONE || !is_equation_like(f, a->eqn, eqn))
            return false;
        b->chain[k] = (SchedAssign){var, eqn, expr_map(f->map, a->value)};
    }
    return true;
}

/* Has the matrix, or an eliminated loop, no increment in it? */
static bool is_renamed_matrix(const LaterStage *f, const SchedBlock *b)
{
    for (int k = 0; k < b->jac.nnz; k++)
        if (expr_map(f->map, b->jac.value[k]) != b->jac.value[k])
            return false;
    return true;
}

static bool follow(Maker *m, int block, const SchedBlock *from, SchedBlock *b)
{
    int eqn = m->blt->eqn[m->blt->start[block]];
    LaterStage f = {.m = m, .from = from, .stage = m->system->eqn[eqn].stage};
    *b = *from;
    index_equations(&f, block);
    f.map = expr_map_new(m->dag, replace_leaf, &f, m->work);
    return is_renamed_matrix(&f, b) && copy_torn(&f, b) && copy_chain(&f, b);
}

/* Is the equation the first one of `from`, but for the stage? */
static bool begins_like(const Maker *m, int eqn, int other)
{
    const InlinedEqn *a = &m->system->eqn[eqn], *b = &m->system->eqn[other];
    return a->kind == b->kind && a->from == b->from && a->state == b->state;
}

static bool has_equation(const Maker *m, const SchedBlock *b, int eqn)
{
    for (int k = 0; k < b->ntorn; k++)
        if (begins_like(m, eqn, b->residual_eqn[k]))
            return true;
    for (int k = 0; k < b->nchain; k++)
        if (begins_like(m, eqn, b->chain[k].eqn))
            return true;
    return false;
}

bool later_stage_make(Maker *m, int block, SchedBlock *b)
{
    int at = m->blt->start[block], n = m->blt->start[block + 1] - at;
    for (int i = 0; i < m->leader.n; i++) {
        const SchedBlock *from = &m->block.at[m->leader.at[i]];
        if (from->size != n || !has_equation(m, from, m->blt->eqn[at]))
            continue;
        SchedBlock own = *b;
        if (follow(m, block, from, b))
            return true;
        *b = own;
        return false;
    }
    return false;
}

void later_stage_note(Maker *m, const SchedBlock *b)
{
    if (m->failed || b->ntorn == 0)
        return;
    const InlinedVar *v = &m->d->var[b->torn[0]];
    if ((v->kind == IV_INCREMENT || v->kind == IV_ERROR) && v->stage == 0)
        vec_push(m->work, &m->leader, m->block.n);
}
