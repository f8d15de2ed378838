/* coefficients.c - where states only make coefficients of a block.
 *
 * The equations of a mechanism are linear in accelerations and forces; angles
 * and speeds make their coefficients: rotations, the mass matrix, gyroscopic
 * forces. A step that takes those of the point where it begins has a block that
 * is linear and much smaller, and controllers, springs and motors, in which the
 * same states are linear, see new values all the same.
 *
 * Nothing is known of mechanics here. A place (equation, state) of a block is
 * one of a coefficient if the derivative of the equation by the state depends
 * on unknowns of the block; or if the equation defines, of states alone, a
 * quantity all of whose other places are such (the angular velocity of a body,
 * which is linear in the speeds of joints, and enters products only).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "tuning/combined_internal.h"

typedef struct Places {
    const Combiner *k;
    int n;              /* equations and unknowns of the block */
    const int *eqn;     /* of the system */
    const int *var;     /* entries of the table */
    const bool *inside; /* of an entry of the table: is it in `var`? */
    const ExprJacobian *jac;
    bool *bends;  /* of an entry of jac: it depends on unknowns */
    int *defines; /* of an equation: the unknown that it defines of states
                     alone, NONE */
    bool *only;   /* of an unknown: it is a quantity as said above */
} Places;

static const InlinedVar *unknown(const Places *p, int column)
{
    return &p->k->step->inlined->var[p->var[column]];
}

static bool is_state(const Places *p, int column)
{
    const InlinedVar *v = unknown(p, column);
    return v->is_state && v->stage == DIFF_END;
}

static const InlinedEqn *equation(const Places *p, int row)
{
    return &p->k->s->system->eqn[p->eqn[row]];
}

static void list_unknowns(Places *p, const SchedBlock *b, Arena *arena)
{
    int *eqn = NEW_ARRAY(arena, int, b->size + 1);
    int *var = NEW_ARRAY(arena, int, b->size + 1);
    bool *inside = NEW_ARRAY(arena, bool, p->k->step->inlined->nvar + 1);
    for (int i = 0; i < b->nchain + b->ntorn; i++) {
        bool chained = i < b->nchain;
        eqn[i] = chained ? b->chain[i].eqn : b->residual_eqn[i - b->nchain];
        var[i] = chained ? b->chain[i].var : b->torn[i - b->nchain];
        inside[var[i]] = true;
    }
    p->n = b->nchain + b->ntorn;
    p->eqn = eqn;
    p->var = var;
    p->inside = inside;
}

/* Does an entry depend on unknowns of the block? */
static bool depends(const Places *p, Expr entry, Arena *arena)
{
    const Inlined *d = p->k->step->inlined;
    Expr *leaf;
    int n = expr_leaves(d->dag, entry, &leaf, arena);
    for (int i = 0; i < n; i++) {
        int at = inlined_entry_of(d, leaf[i]);
        if (at != NONE && p->inside[at])
            return true;
    }
    return false;
}

/* False where an equation cannot be differentiated. */
static bool differentiate(Places *p, Arena *arena)
{
    const Inlined *d = p->k->step->inlined;
    Expr *residual = NEW_ARRAY(arena, Expr, p->n + 1);
    Expr *leaf = NEW_ARRAY(arena, Expr, p->n + 1);
    for (int i = 0; i < p->n; i++) {
        const InlinedEqn *e = equation(p, i);
        residual[i] = expr_sub(d->dag, e->lhs, e->rhs);
        leaf[i] = d->var[p->var[i]].leaf;
    }
    p->jac = expr_jacobian(d->dag, residual, p->n, leaf, p->n, arena);
    p->bends = NEW_ARRAY(arena, bool, p->jac->start[p->n] + 1);
    for (int e = 0; e < p->jac->start[p->n]; e++) {
        if (p->jac->value[e] == EXPR_NONE)
            return false;
        p->bends[e] = depends(p, p->jac->value[e], arena);
    }
    return true;
}

/* The one unknown of an equation that is not known from states, NONE. */
static int defined_by(const Places *p, int row, const bool *known)
{
    int found = NONE;
    if (equation(p, row)->kind != IE_MODEL)
        return NONE;
    for (int e = p->jac->start[row]; e < p->jac->start[row + 1]; e++) {
        int v = p->jac->col[e];
        if (known[v])
            continue;
        if (found != NONE || p->bends[e])
            return NONE;
        found = v;
    }
    return found;
}

/* What follows from states alone, equation by equation. */
static void follow(Places *p, Arena *arena)
{
    bool *known = NEW_ARRAY(arena, bool, p->n + 1);
    p->defines = NEW_ARRAY(arena, int, p->n + 1);
    p->only = NEW_ARRAY(arena, bool, p->n + 1);
    for (int i = 0; i < p->n; i++) {
        known[i] = is_state(p, i);
        p->defines[i] = NONE;
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < p->n; i++) {
            int v = p->defines[i] == NONE ? defined_by(p, i, known) : NONE;
            if (v == NONE)
                continue;
            p->defines[i] = v;
            known[v] = p->only[v] = more = true;
        }
    }
}

/* A quantity that is linear in an equation that does not define another such
 * quantity is none. */
static void keep_coefficients(Places *p)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < p->n; i++)
            for (int e = p->jac->start[i]; e < p->jac->start[i + 1]; e++) {
                int v = p->jac->col[e], to = p->defines[i];
                if (!p->only[v] || p->bends[e] ||
                    (to != NONE && (to == v || p->only[to])))
                    continue;
                p->only[v] = false;
                more = true;
            }
    }
}

static bool is_place(const Places *p, int row, int e)
{
    int to = p->defines[row];
    return equation(p, row)->kind == IE_MODEL && is_state(p, p->jac->col[e]) &&
           (p->bends[e] || (to != NONE && p->only[to]));
}

static int count(const Places *p)
{
    int n = 0;
    for (int i = 0; i < p->n; i++)
        for (int e = p->jac->start[i]; e < p->jac->start[i + 1]; e++)
            n += is_place(p, i, e);
    return n;
}

/* Is the state a position, as its derivative is a state too? */
static bool is_position(const Places *p, int column)
{
    const Inlined *d = p->k->step->inlined;
    const InlinedVar *v = unknown(p, column);
    int slope = inlined_find(d, v->sys_var, v->order + 1);
    const InlinedSystem *s = p->k->s->system;
    for (int i = 0; i < s->nalias; i++)
        if (s->alias[i].var == slope)
            return d->var[s->alias[i].target].is_state;
    return slope != NONE && d->var[slope].is_state;
}

typedef enum Which { ALL, POSITIONS, OTHERS, ONE } Which;

static bool takes(const Places *p, Which which, int one, int column)
{
    return which == ALL || (which == ONE && column == one) ||
           (which == POSITIONS && is_position(p, column)) ||
           (which == OTHERS && !is_position(p, column));
}

/* One move: the coefficients of some of the states are old; not if they are
 * `known` in number, which is all of them. */
static void add(Combiner *k, const Places *p, Which which, int one, int known)
{
    Arena *a = k->t->c->arena;
    const Inlined *d = k->step->inlined;
    PlanCut *cut = NEW_ARRAY(a, PlanCut, p->jac->start[p->n] + 1);
    int n = 0;
    for (int i = 0; i < p->n; i++)
        for (int e = p->jac->start[i]; e < p->jac->start[i + 1]; e++) {
            if (!is_place(p, i, e) || !takes(p, which, one, p->jac->col[e]))
                continue;
            InlinedEqn at = *equation(p, i);
            at.stage = DIFF_END;
            cut[n++] = (PlanCut){.kind = CUT_STEP,
                                 .eqn = inlined_eqn_name(d, &at, a),
                                 .var = unknown(p, p->jac->col[e])->name,
                                 .value = NAN,
                                 .span = NO_SPAN};
        }
    if (n != known)
        combined_add_move(k, "delay", cut, n);
}

void combined_find_coefficients(Combiner *k, const SchedBlock *b, bool in_parts)
{
    Arena *work = arena_new();
    Places p = {.k = k};
    list_unknowns(&p, b, work);
    if (differentiate(&p, work)) {
        follow(&p, work);
        keep_coefficients(&p);
        int all = count(&p);
        if (!in_parts)
            add(k, &p, ALL, NONE, 0);
        else {
            add(k, &p, POSITIONS, NONE, all);
            add(k, &p, OTHERS, NONE, all);
        }
        for (int i = 0; in_parts && i < p.n; i++)
            if (is_state(&p, i))
                add(k, &p, ONE, i, all);
    }
    arena_free(work);
}
