/* reference.c - the model as it is, for integrators with a step of their own.
 *
 * The equations of the event system as residuals F(t, y, y') with y the states
 * and all other continuous unknowns, and the entries of dF/dy, dF/dy' and (for
 * linearisation) dF/du.
 * Relations and discrete variables are held.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/lower_internal.h"

/* The states, then the other continuous unknowns that are not derivatives of
 * states. */
static void list_unknowns(const Inlined *d, LoweredReference *ref, Arena *arena)
{
    const InlinedSystem *s = &d->system[d->event];
    bool *is_der = NEW_ARRAY(arena, bool, d->nvar);
    ref->y = NEW_ARRAY(arena, int, s->neqn + d->dae->nstate);
    ref->yp = NEW_ARRAY(arena, int, s->neqn + d->dae->nstate);
    for (int i = 0; i < d->dae->nstate; i++) {
        const DaeState *x = &d->dae->state[i];
        ref->y[ref->n] = inlined_find(d, x->var, x->order);
        ref->yp[ref->n] = inlined_find(d, x->var, x->order + 1);
        is_der[ref->yp[ref->n++]] = true;
    }
    for (int i = 0; i < s->neqn; i++) {
        int u = s->unknown[i];
        if (is_der[u] || d->var[u].is_discrete)
            continue;
        ref->y[ref->n] = u;
        ref->yp[ref->n++] = NONE;
    }
}

static void make_jacobian(const Inlined *d, LoweredReference *ref, Arena *arena)
{
    int n = ref->n, m = 0;
    Expr *leaf = NEW_ARRAY(arena, Expr, 2 * n);
    int *column = NEW_ARRAY(arena, int, 2 * n);
    bool *is_yp = NEW_ARRAY(arena, bool, 2 * n);
    for (int i = 0; i < n; i++) {
        leaf[m] = d->var[ref->y[i]].leaf;
        column[m++] = i;
        if (ref->yp[i] == NONE)
            continue;
        leaf[m] = d->var[ref->yp[i]].leaf;
        column[m] = i;
        is_yp[m++] = true;
    }
    const ExprJacobian *j =
        expr_jacobian(d->dag, ref->residual_expr, n, leaf, m, arena);
    ref->nnz = j->start[n];
    ref->row = NEW_ARRAY(arena, int, ref->nnz + 1);
    ref->col = NEW_ARRAY(arena, int, ref->nnz + 1);
    ref->is_yp = NEW_ARRAY(arena, bool, ref->nnz + 1);
    ref->entry_expr = j->value;
    for (int i = 0; i < n; i++)
        for (int k = j->start[i]; k < j->start[i + 1]; k++) {
            ref->row[k] = i;
            ref->col[k] = column[j->col[k]];
            ref->is_yp[k] = is_yp[j->col[k]];
        }
}

/* dF/du, for linearisation. */
static void make_input_jacobian(const Inlined *d, LoweredReference *ref,
                                Arena *arena)
{
    Expr *leaf = NEW_ARRAY(arena, Expr, d->nvar + 1);
    ref->u = NEW_ARRAY(arena, int, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++) {
        if (d->var[i].kind != IV_INPUT || d->var[i].c != 1)
            continue;
        leaf[ref->nu] = d->var[i].leaf;
        ref->u[ref->nu++] = i;
    }
    const ExprJacobian *j =
        expr_jacobian(d->dag, ref->residual_expr, ref->n, leaf, ref->nu, arena);
    ref->nnz_u = j->start[ref->n];
    ref->row_u = NEW_ARRAY(arena, int, ref->nnz_u + 1);
    ref->col_u = NEW_ARRAY(arena, int, ref->nnz_u + 1);
    ref->entry_u_expr = j->value;
    for (int i = 0; i < ref->n; i++)
        for (int k = j->start[i]; k < j->start[i + 1]; k++) {
            ref->row_u[k] = i;
            ref->col_u[k] = j->col[k];
        }
}

LoweredReference *reference_make(const Inlined *d, Arena *arena)
{
    if (d->event == NONE || !d->dae)
        return NULL;
    const InlinedSystem *s = &d->system[d->event];
    LoweredReference *ref = NEW(arena, LoweredReference);
    list_unknowns(d, ref, arena);
    ref->residual_expr = NEW_ARRAY(arena, Expr, s->neqn + 1);
    int n = 0;
    for (int i = 0; i < s->neqn; i++)
        if (!s->eqn[i].is_discrete && n < ref->n)
            ref->residual_expr[n++] =
                expr_sub(d->dag, s->eqn[i].lhs, s->eqn[i].rhs);
    if (n != ref->n)
        return NULL;
    make_jacobian(d, ref, arena);
    make_input_jacobian(d, ref, arena);
    return ref;
}

void reference_roots(const LoweredReference *ref, Low *l, LowerRoot *on)
{
    for (int i = 0; i < ref->n; i++)
        on(l, ref->residual_expr[i]);
    for (int k = 0; k < ref->nnz; k++)
        if (ref->entry_expr[k] != EXPR_NONE)
            on(l, ref->entry_expr[k]);
    for (int k = 0; k < ref->nnz_u; k++)
        if (ref->entry_u_expr[k] != EXPR_NONE)
            on(l, ref->entry_u_expr[k]);
}

static int value_slot(Low *l, Expr e)
{
    int slot = tape_slot(l->tape, TR_VALUE, NULL, 0);
    if (e != EXPR_NONE)
        lower_to(l, e, slot);
    return slot;
}

void reference_lower(LoweredReference *ref, Low *l)
{
    ref->residual = NEW_ARRAY(l->arena, int, ref->n + 1);
    ref->entry = NEW_ARRAY(l->arena, int, ref->nnz + 1);
    ref->entry_u = NEW_ARRAY(l->arena, int, ref->nnz_u + 1);
    lower_begin(l, "residual");
    for (int i = 0; i < ref->n; i++)
        ref->residual[i] = value_slot(l, ref->residual_expr[i]);
    ref->eval = lower_end(l);
    lower_begin(l, "jacobian");
    for (int k = 0; k < ref->nnz; k++)
        ref->entry[k] = value_slot(l, ref->entry_expr[k]);
    for (int k = 0; k < ref->nnz_u; k++)
        ref->entry_u[k] = value_slot(l, ref->entry_u_expr[k]);
    ref->jacobian = lower_end(l);
    for (int i = 0; i < ref->n; i++) {
        ref->y[i] = l->out->slot[ref->y[i]];
        if (ref->yp[i] != NONE)
            ref->yp[i] = l->out->slot[ref->yp[i]];
    }
    l->out->reference = ref;
}
