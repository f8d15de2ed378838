/* linearize.c - A, B, C, D from the Jacobian of the model. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "linear/linear.h"
#include "num/pivot.h"

/* ---- entries of the Jacobian ---- */

/* d residual[row] / d slot by a central difference. */
static double difference(Sim *s, int row, int slot)
{
    const LoweredReference *ref = s->low->reference;
    double *r = s->exec->r, x = r[slot];
    double d = 6e-6 * fmax(fabs(x), 1);
    double high, low;
    r[slot] = x + d;
    exec_run(s->exec, &ref->eval);
    high = r[ref->residual[row]];
    r[slot] = x - d;
    exec_run(s->exec, &ref->eval);
    low = r[ref->residual[row]];
    r[slot] = x;
    return (high - low) / (2 * d);
}

typedef struct Entries {
    double *value, *value_u; /* as LoweredReference.entry and entry_u */
} Entries;

static Entries evaluate(Sim *s, Arena *arena)
{
    const LoweredReference *ref = s->low->reference;
    const Lowered *low = s->low;
    Entries e = {NEW_ARRAY(arena, double, ref->nnz + 1),
                 NEW_ARRAY(arena, double, ref->nnz_u + 1)};
    exec_run(s->exec, &ref->jacobian);
    for (int k = 0; k < ref->nnz; k++)
        e.value[k] = s->exec->r[ref->entry[k]];
    for (int k = 0; k < ref->nnz_u; k++)
        e.value_u[k] = s->exec->r[ref->entry_u[k]];
    for (int k = 0; k < ref->nnz; k++)
        if (ref->entry_expr[k] == EXPR_NONE)
            e.value[k] = difference(s, ref->row[k],
                                    ref->is_yp[k] ? ref->yp[ref->col[k]]
                                                  : ref->y[ref->col[k]]);
    for (int k = 0; k < ref->nnz_u; k++)
        if (ref->entry_u_expr[k] == EXPR_NONE)
            e.value_u[k] =
                difference(s, ref->row_u[k], low->slot[ref->u[ref->col_u[k]]]);
    return e;
}

bool linear_is_constant(Sim *s, Arena *arena)
{
    const LoweredReference *ref = s->low->reference;
    double *r = s->exec->r;
    double *old = NEW_ARRAY(arena, double, 2 * (size_t)ref->n + 1);
    for (int k = 0; k < ref->nnz; k++)
        if (ref->entry_expr[k] == EXPR_NONE)
            return false;
    Entries here = evaluate(s, arena);
    for (int i = 0; i < ref->n; i++) {
        old[2 * i] = r[ref->y[i]];
        r[ref->y[i]] += 0.1 * (1 + fabs(old[2 * i]));
        if (ref->yp[i] == NONE)
            continue;
        old[2 * i + 1] = r[ref->yp[i]];
        r[ref->yp[i]] += 0.1 * (1 + fabs(old[2 * i + 1]));
    }
    Entries there = evaluate(s, arena);
    for (int i = 0; i < ref->n; i++) {
        r[ref->y[i]] = old[2 * i];
        if (ref->yp[i] != NONE)
            r[ref->yp[i]] = old[2 * i + 1];
    }
    return !memcmp(here.value, there.value,
                   (size_t)ref->nnz * sizeof *here.value);
}

/* ---- M ---- */

/* M has the entries by x' and, of the y, those that are no states. */
static Pivot *factor(const Sim *s, const Entries *e, Arena *arena)
{
    const LoweredReference *ref = s->low->reference;
    int nx = s->low->inlined->dae->nstate, n = 0;
    int *row = NEW_ARRAY(arena, int, ref->nnz + 1);
    int *col = NEW_ARRAY(arena, int, ref->nnz + 1);
    double *value = NEW_ARRAY(arena, double, ref->nnz + 1);
    for (int k = 0; k < ref->nnz; k++) {
        if (!ref->is_yp[k] && ref->col[k] < nx)
            continue;
        row[n] = ref->row[k];
        col[n] = ref->col[k];
        value[n++] = e->value[k];
    }
    Pivot *p = pivot_new(ref->n, n, row, col);
    if (pivot_factor(p, value))
        return p;
    pivot_free(p);
    return NULL;
}

/* ---- names and outputs ---- */

static void name_states(const Sim *s, Linear *l, Arena *arena)
{
    const Inlined *d = s->low->inlined;
    const LoweredReference *ref = s->low->reference;
    l->nx = d->dae->nstate;
    l->nu = ref->nu;
    l->x = NEW_ARRAY(arena, const char *, l->nx + 1);
    l->u = NEW_ARRAY(arena, const char *, l->nu + 1);
    for (int i = 0; i < l->nx; i++)
        l->x[i] = dae_leaf_text(d->dae, dae_state_shown(d->dae, i), arena);
    for (int i = 0; i < l->nu; i++)
        l->u[i] = d->var[ref->u[i]].name;
}

/* What an output is: one of y (states first) or u, with a sign; or constant. */
typedef struct Output {
    int y, u; /* NONE where it is not */
    double sign;
} Output;

static Output find_output(const Sim *s, int var)
{
    const Inlined *d = s->low->inlined;
    const LoweredReference *ref = s->low->reference;
    int sign;
    int target = sys_resolve(d->sys, var, &sign);
    Output out = {NONE, NONE, sign};
    for (int i = 0; i < ref->n && out.y == NONE; i++)
        if (ref->y[i] == s->low->slot[target])
            out.y = i;
    for (int i = 0; i < ref->nu && out.u == NONE; i++)
        if (ref->u[i] == target)
            out.u = i;
    return out;
}

static Output *find_outputs(const Sim *s, Linear *l, Arena *arena)
{
    const Sys *sys = s->low->inlined->sys;
    l->y = NEW_ARRAY(arena, const char *, sys->nvar + 1);
    Output *out = NEW_ARRAY(arena, Output, sys->nvar + 1);
    for (int i = 0; i < sys->nvar; i++) {
        const SysVar *v = &sys->var[i];
        if (v->flat == NONE || v->type != FT_REAL ||
            sys->flat->var[v->flat].causality != FC_OUTPUT)
            continue;
        out[l->ny] = find_output(s, i);
        l->y[l->ny++] = v->name;
    }
    return out;
}

/* ---- the matrices ---- */

/* From a column of d(x', z) by x_j or u_j to the columns of the result. The
 * column of an output that is x_j or u_j itself has its sign there. */
static void store(const Linear *l, const Output *out, const double *w, int j,
                  bool is_state, double *top, double *bottom)
{
    for (int i = 0; i < l->nx; i++)
        top[(size_t)j * (size_t)l->nx + (size_t)i] = w[i] + 0.0; /* no -0 */
    for (int i = 0; i < l->ny; i++) {
        double v = 0;
        if (out[i].y != NONE && out[i].y < l->nx)
            v = is_state && out[i].y == j;
        else if (out[i].y != NONE)
            v = w[out[i].y];
        else if (out[i].u != NONE)
            v = !is_state && out[i].u == j;
        bottom[(size_t)j * (size_t)l->ny + (size_t)i] = out[i].sign * v + 0.0;
    }
}

static bool solve_columns(const Sim *s, const Entries *e, const Output *out,
                          Linear *l, Pivot *p, Arena *arena)
{
    const LoweredReference *ref = s->low->reference;
    double *w = NEW_ARRAY(arena, double, ref->n + 1);
    for (int j = 0; j < l->nx + l->nu; j++) {
        memset(w, 0, (size_t)ref->n * sizeof *w);
        for (int k = 0; j < l->nx && k < ref->nnz; k++)
            if (!ref->is_yp[k] && ref->col[k] == j)
                w[ref->row[k]] -= e->value[k];
        for (int k = 0; j >= l->nx && k < ref->nnz_u; k++)
            if (ref->col_u[k] == j - l->nx)
                w[ref->row_u[k]] -= e->value_u[k];
        pivot_solve(p, w);
        for (int i = 0; i < ref->n; i++)
            if (!isfinite(w[i]))
                return false;
        if (j < l->nx)
            store(l, out, w, j, true, l->a, l->c);
        else
            store(l, out, w, j - l->nx, false, l->b, l->d);
    }
    return true;
}

static Linear *fail(const Sim *s, Diag *diag)
{
    diag_report(diag, s->low->inlined->sys->flat->span, DIAG_E1356,
                "the model cannot be linearised at time %g: its equations do "
                "not determine the derivatives of the states there",
                s->exec->r[s->low->tape->time]);
    return NULL;
}

Linear *linear_new(Sim *s, Arena *arena, Diag *diag)
{
    const LoweredReference *ref = s->low->reference;
    if (!ref) {
        diag_report(diag, s->low->inlined->sys->flat->span, DIAG_U1342,
                    "not supported yet: linearising a model whose discrete and "
                    "continuous equations cannot be separated");
        return NULL;
    }
    Linear *l = NEW(arena, Linear);
    name_states(s, l, arena);
    if (l->nx > LINEAR_MOST || l->nu > LINEAR_MOST) {
        diag_report(diag, s->low->inlined->sys->flat->span, DIAG_E1357,
                    "%d states and %d inputs are too many for full matrices: "
                    "at most %d of each can be linearised",
                    l->nx, l->nu, LINEAR_MOST);
        return NULL;
    }
    const Output *out = find_outputs(s, l, arena);
    size_t nx = (size_t)l->nx, nu = (size_t)l->nu, ny = (size_t)l->ny;
    l->a = NEW_ARRAY(arena, double, nx *nx + 1);
    l->b = NEW_ARRAY(arena, double, nx *nu + 1);
    l->c = NEW_ARRAY(arena, double, ny *nx + 1);
    l->d = NEW_ARRAY(arena, double, ny *nu + 1);
    if (ref->n == 0)
        return l;
    Arena *work = arena_new();
    Entries e = evaluate(s, work);
    Pivot *p = factor(s, &e, work);
    bool fine = p && solve_columns(s, &e, out, l, p, work);
    if (p)
        pivot_free(p);
    arena_free(work);
    return fine ? l : fail(s, diag);
}
