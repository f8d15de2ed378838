/* view.c - what a step iterates on, as the plan's `algebraic` says.
 *
 * With the states x known, the equations of the model give the derivatives x'
 * and the algebraic variables y, block by block (BLT); what is left are the
 * integration formulas, whose residuals depend on x alone:
 *
 *     x' y follow from x           the chain
 *     0 = x - x_n - h x'(x)        the residuals
 *
 *   solve       iterates on x alone. Linear loops between algebraic variables
 *               (accelerations under a mass matrix) are solved inside the
 *               chain (eliminate.c), small nonlinear ones are iterated there
 *               (nonlinear_loop.c); of larger ones the torn variables stay in
 * the iteration keep-small  iterates on x and on the torn variables of all
 * loops keep        iterates on x and all of y; only x' is in the chain, where
 * it is not part of a loop
 *
 * Torn variables are the states first, in the order of their integration
 * formulas, then what is kept, with the equation it was matched with.
 *
 * A linearly implicit method makes one iteration from the values at t_n. Here
 * the chain is evaluated at these values, so that every function of the model
 * is linearised there: for `solve` the step is that of the ODE x' = f(x), for
 * `keep` that of the DAE (Schiela 2002, 3.1). So, other than in an arbitrary
 * tearing, what enters a nonlinear function need not be iterated on.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "schedule/schedule_internal.h"

typedef struct View {
    Part *p;
    PlanAlgebraic how;
    bool *is_inside;   /* by unknown: of the loop that is looked at */
    Vec(int) torn;     /* unknowns */
    Vec(int) residual; /* equations */
    Vec(SchedAssign) chain;
    Vec(SchedLoop) loop;
    Vec(int) kept; /* unknowns of nonlinear loops */
    int ndivide_by_step;
    int nstate;
} View;

int view_state_of(const Maker *m, int eqn)
{
    const InlinedEqn *e = &m->system->eqn[eqn];
    int var = NONE, order = 0;
    if (e->kind != IE_INTEGRATION || !expr_is_var(m->dag, e->lhs, &var, &order))
        return NONE;
    return m->column[var];
}

/* Is the unknown the derivative of a state? */
static bool is_derivative(const Maker *m, int unknown)
{
    const InlinedVar *v = &m->d->var[m->system->unknown[unknown]];
    if ((v->kind != IV_VALUE && v->kind != IV_INCREMENT) || v->order == 0)
        return false;
    int below = inlined_find(m->d, v->sys_var, v->order - 1);
    return below != NONE && m->d->var[below].is_state;
}

/* ---- states and the rest ---- */

/* Puts the states and their formulas first; the others go to eqn and var.
 * Returns how many those are, NONE if the two are not equally many. */
static int split(View *v, int *eqn, int *var)
{
    Part *p = v->p;
    Maker *m = p->m;
    bool *is_mine = NEW_ARRAY(m->work, bool, m->system->nunknown + 1);
    int neqn = 0, nvar = 0;
    for (int k = 0; k < p->n; k++)
        is_mine[p->var[k]] = true;
    for (int k = 0; k < p->n; k++) {
        int state = view_state_of(m, p->eqn[k]);
        if (state == NONE || !is_mine[state]) {
            eqn[neqn++] = p->eqn[k];
            continue;
        }
        is_mine[state] = false;
        vec_push(m->work, &v->torn, state);
        vec_push(m->work, &v->residual, p->eqn[k]);
    }
    v->nstate = v->torn.n;
    for (int k = 0; k < p->n; k++)
        if (is_mine[p->var[k]])
            var[nvar++] = p->var[k];
    return neqn == nvar ? neqn : NONE;
}

static void keep(View *v, int eqn, int unknown)
{
    vec_push(v->p->m->work, &v->torn, unknown);
    vec_push(v->p->m->work, &v->residual, eqn);
}

static void assign(View *v, int eqn, int unknown, Expr value)
{
    Maker *m = v->p->m;
    int edge = incidence_find(m->inc, eqn, unknown);
    SchedAssign a = {m->system->unknown[unknown], eqn, value};
    vec_push(m->work, &v->chain, a);
    if (m->slope[edge] != EXPR_NONE)
        sign_rely(m->signs, m->slope[edge]);
    if (m->inc->weight[edge] > 0)
        v->ndivide_by_step++;
}

/* ---- loops ---- */

typedef struct LoopFacts {
    bool linear;       /* in the unknowns of the loop together */
    bool has_selector; /* pivots move when other states are chosen */
} LoopFacts;

static LoopFacts look_at(View *v, const Part *loop)
{
    Maker *m = v->p->m;
    LoopFacts f = {true, false};
    Arena *work = arena_new();
    for (int k = 0; k < loop->n; k++)
        v->is_inside[loop->var[k]] = true;
    for (int k = 0; k < loop->inc->nedge; k++) {
        Expr slope = m->slope[loop->edge[k]], *leaf;
        if (edges_bend(m, loop->edge[k]))
            f.linear = false;
        if (slope == EXPR_NONE)
            continue;
        int n = expr_leaves(m->dag, slope, &leaf, work);
        for (int i = 0; i < n; i++) {
            int var = NONE, order = 0;
            expr_is_var(m->dag, leaf[i], &var, &order);
            if (m->column[var] != NONE && v->is_inside[m->column[var]])
                f.linear = false;
            if (variance_is_selector(m, var))
                f.has_selector = true;
        }
    }
    for (int k = 0; k < loop->n; k++)
        v->is_inside[loop->var[k]] = false;
    arena_free(work);
    return f;
}

/* The variables of the loop in the order of the part. */
static void place_values(View *v, const Part *loop, const SchedLoop *x,
                         const Expr *value)
{
    Maker *m = v->p->m;
    for (int k = 0; k < loop->n; k++) {
        SchedAssign a = {m->system->unknown[loop->var[k]], loop->eqn[k],
                         value[k]};
        vec_push(m->work, &v->chain, a);
    }
    vec_push(m->work, &v->loop, *x);
}

static bool place_eliminated(View *v, Part *loop)
{
    SchedLoop x = {.first = v->chain.n, .n = loop->n};
    Expr *value = NEW_ARRAY(v->p->m->work, Expr, loop->n + 1);
    if (!eliminate_solve(loop, &x, value))
        return false;
    place_values(v, loop, &x, value);
    return true;
}

/* A nonlinear loop, in the order of evaluation. */
static bool place_inner(View *v, const Part *loop, const Tear *t)
{
    Maker *m = v->p->m;
    int *eqn = NEW_ARRAY(m->work, int, loop->n + 1), n = 0;
    int *var = NEW_ARRAY(m->work, int, loop->n + 1);
    for (int k = 0; k < t->ntorn; k++) {
        eqn[n] = loop->eqn[t->residual[k]];
        var[n++] = loop->var[t->torn[k]];
    }
    for (int k = 0; k < t->ncausal; k++) {
        eqn[n] = loop->eqn[t->eqn[k]];
        var[n++] = loop->var[t->var[k]];
    }
    Part sorted = part_new(m, v->p->block, eqn, var, n);
    SchedLoop x = {.first = v->chain.n, .n = n};
    Expr *value = NEW_ARRAY(m->work, Expr, n + 1);
    if (!nonlinear_loop_solve(&sorted, t->ntorn, &x, value))
        return false;
    place_values(v, &sorted, &x, value);
    return true;
}

static void place_torn(View *v, Part *loop, const Tear *t)
{
    Maker *m = v->p->m;
    for (int k = 0; k < t->ncausal; k++) {
        int eqn = loop->eqn[t->eqn[k]], unknown = loop->var[t->var[k]];
        Expr value = edges_solve(m, eqn, unknown, true);
        if (value == EXPR_NONE)
            keep(v, eqn, unknown);
        else
            assign(v, eqn, unknown, value);
    }
    for (int k = 0; k < t->ntorn; k++) {
        keep(v, loop->eqn[t->residual[k]], loop->var[t->torn[k]]);
        if (v->how == PA_SOLVE)
            vec_push(m->work, &v->kept, loop->var[t->torn[k]]);
    }
}

static void place_loop(View *v, const int *eqn, const int *var, int n)
{
    if (v->how == PA_KEEP) {
        for (int k = 0; k < n; k++)
            keep(v, eqn[k], var[k]);
        return;
    }
    Part loop = part_new(v->p->m, v->p->block, eqn, var, n);
    LoopFacts f = look_at(v, &loop);
    bool solve = v->how == PA_SOLVE && !f.has_selector;
    if (solve && f.linear && place_eliminated(v, &loop))
        return;
    const Tear *t = part_tear(&loop, PART_ANY);
    if (!solve || f.linear || !place_inner(v, &loop, t))
        place_torn(v, &loop, t);
}

/* ---- one equation ---- */

/* The unknown from its equation, dividing by a factor that might vanish where
 * there is no other way; EXPR_NONE if it is not linear. */
static Expr solve_single(View *v, int eqn, int unknown)
{
    Maker *m = v->p->m;
    Expr value = edges_solve(m, eqn, unknown, true), slope, rest;
    if (value != EXPR_NONE)
        return value;
    Expr x = m->d->var[m->system->unknown[unknown]].leaf;
    int edge = incidence_find(m->inc, eqn, unknown);
    if (v->how != PA_SOLVE || m->residual[eqn] == EXPR_NONE ||
        m->slope[edge] == EXPR_NONE ||
        expr_dependence(m->dag, m->residual[eqn], x, &slope, &rest) !=
            DEP_LINEAR)
        return EXPR_NONE;
    maker_note(m, SN_MAY_VANISH, v->p->block, m->system->unknown[unknown], eqn);
    return expr_neg(m->dag, expr_div(m->dag, rest, slope));
}

static void place_single(View *v, int eqn, int unknown)
{
    Maker *m = v->p->m;
    bool is_real = m->d->var[m->system->unknown[unknown]].type == ET_REAL;
    if (v->how == PA_KEEP && is_real && !is_derivative(m, unknown)) {
        keep(v, eqn, unknown);
        return;
    }
    Expr value = solve_single(v, eqn, unknown);
    if (value != EXPR_NONE) {
        assign(v, eqn, unknown, value);
        return;
    }
    if (v->how == PA_SOLVE)
        place_loop(v, &eqn, &unknown, 1);
    else
        keep(v, eqn, unknown);
}

/* ---- the block ---- */

/* Follows the blocks of the rest, the states being known. */
static bool place_rest(View *v, const int *eqn, const int *var, int n)
{
    Maker *m = v->p->m;
    Part rest = part_new(m, v->p->block, eqn, var, n);
    const Blt *blt = blt_order(rest.inc, m->work);
    if (!blt)
        return false;
    int *e = NEW_ARRAY(m->work, int, n + 1),
        *x = NEW_ARRAY(m->work, int, n + 1);
    for (int k = 0; k < n; k++) {
        e[k] = eqn[blt->eqn[k]];
        x[k] = var[blt->var[k]];
    }
    for (int b = 0; b < blt->nblock; b++) {
        int at = blt->start[b], size = blt->start[b + 1] - at;
        if (size == 1)
            place_single(v, e[at], x[at]);
        else
            place_loop(v, e + at, x + at, size);
    }
    return true;
}

static void *copy_array(Arena *a, const void *from, int n, size_t size)
{
    char *to = NEW_ARRAY(a, char, (size_t)(n + 1) * size);
    if (n > 0)
        memcpy(to, from, (size_t)n * size);
    return to;
}

static void fill(View *v, SchedBlock *b)
{
    Maker *m = v->p->m;
    int n = v->torn.n;
    b->view = v->how;
    b->nstate = v->nstate;
    b->ntorn = n;
    b->torn = NEW_ARRAY(m->arena, int, n + 1);
    b->residual_eqn = NEW_ARRAY(m->arena, int, n + 1);
    b->residual = NEW_ARRAY(m->arena, Expr, n + 1);
    for (int k = 0; k < n; k++) {
        b->torn[k] = m->system->unknown[v->torn.at[k]];
        b->residual_eqn[k] = v->residual.at[k];
        b->residual[k] = m->residual[v->residual.at[k]];
    }
    b->nchain = v->chain.n;
    b->chain = copy_array(m->arena, v->chain.at, v->chain.n, sizeof *b->chain);
    b->nloop = v->loop.n;
    b->loop = copy_array(m->arena, v->loop.at, v->loop.n, sizeof *b->loop);
    b->ndivide_by_step = v->ndivide_by_step;
    b->is_torn = b->nchain > 0;
    b->growth = 1;
    for (int k = 0; k < v->kept.n; k++)
        maker_note(m, SN_KEPT, v->p->block, m->system->unknown[v->kept.at[k]],
                   NONE);
}

bool view_make(Part *p, PlanAlgebraic how, SchedBlock *b)
{
    Maker *m = p->m;
    View v = {.p = p, .how = how};
    int *eqn = NEW_ARRAY(m->work, int, p->n + 1);
    int *var = NEW_ARRAY(m->work, int, p->n + 1);
    v.is_inside = NEW_ARRAY(m->work, bool, m->system->nunknown + 1);
    int n = split(&v, eqn, var), notes = m->note.n;
    if (v.nstate == 0)
        return false;
    if (n == NONE || !place_rest(&v, eqn, var, n)) {
        m->note.n = notes;
        maker_note(m, SN_NO_VIEW, p->block, NONE, NONE);
        return false;
    }
    fill(&v, b);
    return true;
}
