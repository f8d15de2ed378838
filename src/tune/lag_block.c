/* lag_block.c - a block of a schedule with its numbers.
 *
 * The equations are taken as they stand in the system, before they were solved
 * for anything: residual lhs - rhs, derivatives by the unknowns of the block
 * and by their values at t_n. Names are those of a plan, which knows no
 * stages: an occurrence that stands in several stages of the block cannot be
 * cut in one of them, and is not allowed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "tune/lag.h"

typedef struct Maker {
    const Schedule *s;
    const Inlined *d;
    int n;
    int *eqn, *var; /* size n: equations of the system, entries of the table */
    int nold;
    int *old_column;               /* size nold: unknown of the block */
    const ExprJacobian *jac, *old; /* by the unknowns, by their old values */
    LagBlock *b;
    Arena *arena, *work;
} Maker;

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* In the order of the system. */
static void collect(Maker *m, const SchedBlock *b)
{
    int n = 0;
    m->n = b->size;
    m->eqn = NEW_ARRAY(m->work, int, b->size + 1);
    m->var = NEW_ARRAY(m->work, int, b->size + 1);
    for (int k = 0; k < b->nchain; k++, n++) {
        m->eqn[n] = b->chain[k].eqn;
        m->var[n] = b->chain[k].var;
    }
    for (int k = 0; k < b->ntorn; k++, n++) {
        m->eqn[n] = b->residual_eqn[k];
        m->var[n] = b->torn[k];
    }
    qsort(m->eqn, (size_t)n, sizeof *m->eqn, by_number);
    qsort(m->var, (size_t)n, sizeof *m->var, by_number);
}

/* The value at t_n of the unknown, EXPR_NONE if no equation has it. */
static Expr old_leaf(const Inlined *d, int var)
{
    const InlinedVar *v = &d->var[var];
    if (v->kind != IV_VALUE || v->sys_var == NONE || v->stage != DIFF_END)
        return EXPR_NONE;
    int old = inlined_find_old(d, v->sys_var, v->order, 1);
    return old == NONE ? EXPR_NONE : d->var[old].leaf;
}

static void differentiate(Maker *m)
{
    Dag *dag = m->d->dag;
    Expr *x = NEW_ARRAY(m->work, Expr, m->n + 1);
    Expr *old = NEW_ARRAY(m->work, Expr, m->n + 1);
    Expr *residual = NEW_ARRAY(m->work, Expr, m->n + 1);
    m->old_column = NEW_ARRAY(m->work, int, m->n + 1);
    for (int i = 0; i < m->n; i++) {
        const InlinedEqn *e = &m->s->system->eqn[m->eqn[i]];
        residual[i] = expr_sub(dag, e->lhs, e->rhs);
        x[i] = m->d->var[m->var[i]].leaf;
        Expr leaf = old_leaf(m->d, m->var[i]);
        if (leaf != EXPR_NONE) {
            m->old_column[m->nold] = i;
            old[m->nold++] = leaf;
        }
    }
    m->jac = expr_jacobian(dag, residual, m->n, x, m->n, m->work);
    m->old = expr_jacobian(dag, residual, m->n, old, m->nold, m->work);
}

/* ---- names and places ---- */

/* "I2", "der(x)": without the stage. */
static const char *var_name(const Maker *m, int var)
{
    const InlinedVar *v = &m->d->var[var];
    if (v->kind != IV_VALUE || v->sys_var == NONE)
        return v->name;
    const char *name = m->d->sys->var[v->sys_var].name;
    for (int k = 0; k < v->order; k++)
        name = arena_printf(m->arena, "der(%s)", name);
    return name;
}

static void make_names(Maker *m)
{
    m->b->eqn = NEW_ARRAY(m->arena, const char *, m->n + 1);
    m->b->var = NEW_ARRAY(m->arena, const char *, m->n + 1);
    for (int i = 0; i < m->n; i++) {
        InlinedEqn e = m->s->system->eqn[m->eqn[i]];
        e.stage = DIFF_END;
        m->b->eqn[i] = inlined_eqn_name(m->d, &e, m->arena);
        m->b->var[i] = var_name(m, m->var[i]);
    }
}

static void make_incidence(Maker *m)
{
    EdgeList list = edges_begin(m->work);
    for (int i = 0; i < m->n; i++)
        for (int k = m->jac->start[i]; k < m->jac->start[i + 1]; k++)
            edges_add(&list, i, m->jac->col[k], EDGE_CONSTANT, 0);
    m->b->inc = edges_end(&list, m->n, m->n, m->arena);
}

/* x in int(x) is what the formula gives; an old value there is nonsense. */
static bool is_result(const Maker *m, int i, int j)
{
    const InlinedEqn *e = &m->s->system->eqn[m->eqn[i]];
    return (e->kind == IE_INTEGRATION || e->kind == IE_ADVANCE) &&
           e->lhs == m->d->var[m->var[j]].leaf;
}

static bool is_repeated(const Maker *m, int i, int j)
{
    for (int k = 0; k < m->n; k++)
        if (k != i && strcmp(m->b->eqn[k], m->b->eqn[i]) == 0)
            return true;
    for (int k = 0; k < m->n; k++)
        if (k != j && strcmp(m->b->var[k], m->b->var[j]) == 0)
            return true;
    return false;
}

static void make_allowed(Maker *m)
{
    const Incidence *inc = m->b->inc;
    bool *allowed = NEW_ARRAY(m->arena, bool, inc->nedge + 1);
    for (int i = 0; i < m->n; i++)
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            const InlinedVar *v = &m->d->var[m->var[inc->var[k]]];
            allowed[k] = v->kind == IV_VALUE && v->type == ET_REAL &&
                         !v->is_discrete && v->sys_var != NONE &&
                         !is_result(m, i, inc->var[k]) &&
                         !is_repeated(m, i, inc->var[k]);
        }
    m->b->allowed = allowed;
}

/* ---- numbers ---- */

static bool evaluate(Maker *m, const InlinedPoint *p, double *node, double *a,
                     double *c)
{
    int na = m->jac->start[m->n], nc = m->old->start[m->n], nroot = 0;
    Expr *root = NEW_ARRAY(m->work, Expr, na + nc + 1);
    bool finite = true;
    for (int k = 0; k < na; k++)
        root[nroot++] = m->jac->value[k];
    for (int k = 0; k < nc; k++)
        root[nroot++] = m->old->value[k];
    for (int k = 0; k < nroot; k++)
        if (root[k] == EXPR_NONE)
            return false;
    expr_eval_all(m->d->dag, root, nroot, inlined_leaf_value, (void *)p, node);
    for (int k = 0; k < na; k++) {
        a[k] = node[m->jac->value[k]];
        finite = finite && isfinite(a[k]);
    }
    for (int i = 0; i < m->n; i++)
        for (int k = m->old->start[i]; k < m->old->start[i + 1]; k++) {
            double x = node[m->old->value[k]];
            c[i + (size_t)m->old_column[m->old->col[k]] * (size_t)m->n] = x;
            finite = finite && isfinite(x);
        }
    return finite;
}

static bool make_values(Maker *m, const SchedSamples *samples,
                        const double *time, const bool *kept_back)
{
    size_t ne = (size_t)m->b->inc->nedge, nn = (size_t)m->n * (size_t)m->n;
    size_t ns = (size_t)samples->nsample;
    double *a = NEW_ARRAY(m->arena, double, ns *ne + 1);
    double *c = NEW_ARRAY(m->arena, double, ns *nn + 1);
    bool *kept = NEW_ARRAY(m->arena, bool, ns + 1);
    double *node = NEW_ARRAY(m->work, double, dag_count(m->d->dag) + 1);
    int n = 0;
    for (int s = 0; s < samples->nsample; s++) {
        InlinedPoint p = {samples->value[s], time ? time[s] : 0};
        double *here = c + (size_t)n * nn;
        memset(here, 0, nn * sizeof *here);
        if (!evaluate(m, &p, node, a + (size_t)n * ne, here))
            continue;
        kept[n++] = kept_back && kept_back[s];
    }
    m->b->nsample = n;
    m->b->value = a;
    m->b->old = c;
    m->b->kept_back = kept;
    return n > 0;
}

LagBlock *lag_from_schedule(const Schedule *s, int block,
                            const SchedSamples *samples, const double *time,
                            const bool *kept_back, Arena *arena)
{
    if (s->block[block].kind == SK_ASSIGN)
        return NULL;
    Maker m = {.s = s,
               .d = s->inlined,
               .b = NEW(arena, LagBlock),
               .arena = arena,
               .work = arena_new()};
    collect(&m, &s->block[block]);
    differentiate(&m);
    m.b->n = m.n;
    make_names(&m);
    make_incidence(&m);
    make_allowed(&m);
    bool ok = make_values(&m, samples, time, kept_back);
    arena_free(m.work);
    return ok ? m.b : NULL;
}
