/* given.c - derivatives of the rows by what is given. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/given.h"

#include "base/vec.h"

typedef Vec(Expr) Leaves;

static bool is_given(const Array *a, int v)
{
    SysRole role = a->sys->var[v].role;
    return a->width[v] == 0 && a->sys->var[v].type == FT_REAL &&
           (role == SR_INPUT || role == SR_UNKNOWN);
}

/* All of u^(s) that occur in f, each once. */
static Leaves find_leaves(const Array *a, Arena *arena)
{
    Leaves out = {0};
    Expr *leaf;
    for (int r = 0; r < a->neqn; r++) {
        int n = expr_leaves(a->dag, a->residual[r], &leaf, arena);
        for (int i = 0; i < n; i++) {
            int v, order;
            expr_is_var(a->dag, leaf[i], &v, &order);
            bool is_new = is_given(a, v);
            for (int k = 0; k < out.n && is_new; k++)
                is_new = out.at[k] != leaf[i];
            if (is_new)
                vec_push(arena, &out, leaf[i]);
        }
    }
    return out;
}

/* The variables of the leaves; place[] is that of each of these. */
static void name_variables(ArrayGiven *g, const Leaves *leaves, int *place,
                           Arena *arena)
{
    g->var = NEW_ARRAY(arena, int, leaves->n + 1);
    g->most = NEW_ARRAY(arena, int, leaves->n + 1);
    for (int i = 0; i < leaves->n; i++) {
        int v, order, k = 0;
        expr_is_var(g->a->dag, leaves->at[i], &v, &order);
        while (k < g->n && g->var[k] != v)
            k++;
        if (k == g->n)
            g->var[g->n++] = v;
        g->most[k] = order > g->most[k] ? order : g->most[k];
        place[i] = k;
    }
}

ArrayGiven *array_given(Array *a, Arena *arena)
{
    ArrayGiven *g = NEW(arena, ArrayGiven);
    g->a = a;
    Leaves leaves = find_leaves(a, arena);
    int *place = NEW_ARRAY(arena, int, leaves.n + 1);
    name_variables(g, &leaves, place, arena);
    const ExprJacobian *m =
        expr_jacobian(a->dag, a->residual, a->neqn, leaves.at, leaves.n, arena);
    int n = m->start[a->neqn];
    Expr *root = NEW_ARRAY(arena, Expr, n + 1), wrong;
    g->entry = NEW_ARRAY(arena, GivenEntry, n + 1);
    for (int r = 0; r < a->neqn; r++) {
        for (int k = m->start[r]; k < m->start[r + 1]; k++) {
            int v, order;
            expr_is_var(a->dag, leaves.at[m->col[k]], &v, &order);
            if (m->value[k] == EXPR_NONE)
                return NULL;
            root[g->nentry] = m->value[k];
            g->entry[g->nentry++] = (GivenEntry){r, place[m->col[k]], order};
        }
    }
    g->taylor = taylor_new(a->dag, root, n, a->most, arena, &wrong);
    return g->taylor ? g : NULL;
}

void given_values(ArrayGiven *g, int k, double t, const double *z)
{
    array_run(g->a, g->taylor, k, t, z);
}

void given_column(const ArrayGiven *g, int k, int which, int q, double *column)
{
    int n = g->a->n;
    double factorial[ARRAY_MOST + 2] = {1};
    for (int i = 0; i < (k + 1) * n; i++)
        column[i] = 0;
    for (int i = 1; i <= k; i++)
        factorial[i] = i * factorial[i - 1];
    for (int e = 0; e < g->nentry; e++) {
        const GivenEntry *x = &g->entry[e];
        int m = q - x->order; /* it is derivative m of what stands there */
        for (int i = m; x->which == which && m >= 0 && i <= k; i++)
            column[i * n + x->row] +=
                factorial[i] / factorial[m] * taylor_coef(g->taylor, e, i - m);
    }
}
