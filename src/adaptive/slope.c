/* slope.c - how the derivatives of the states change with the states.
 *
 * CVODE integrates x' = f(x), where every evaluation solves F(t, x, z, x') = 0
 * for x' and the other unknowns z. With the entries of F's Jacobian at hand
 * (lower/reference.c) the matrix CVODE needs is
 *
 *     [F_x'  F_z] (dx'/dx, dz/dx) = -F_x,
 *
 * one sparse factorisation and a solve for each state: exact, where differences
 * of solved values carry the rounding of those solutions, which on stiff
 * circuits left Newton's method without convergence.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <klu.h>
#include <math.h>
#include <string.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "adaptive/sundials_internal.h"
#include "base/die.h"

struct Slope {
    int n;              /* of F */
    int *start, *index; /* [F_x' F_z], compressed columns */
    double *value;
    int *place; /* of each entry of F's Jacobian in it; NONE: it is of F_x */
    int *first, *of_state; /* entries of F_x of each state */
    double *column;
    klu_common common;
    klu_symbolic *symbolic;
};

/* Does entry k belong to the matrix that is factorised? */
static bool is_factored(const Sundials *r, int k)
{
    return r->ref->is_yp[k] || r->ref->yp[r->ref->col[k]] == NONE;
}

static void compress(const Sundials *r, Slope *s)
{
    Arena *arena = r->run.sim->scratch;
    const LoweredReference *ref = r->ref;
    int *last = NEW_ARRAY(arena, int, s->n + 1), nnz = 0;
    memset(last, 0xff, (size_t)s->n * sizeof(int));
    int *count = NEW_ARRAY(arena, int, s->n + 2);
    int *order = NEW_ARRAY(arena, int, ref->nnz + 1);
    for (int k = 0; k < ref->nnz; k++)
        count[ref->col[k] + 1]++;
    for (int j = 0; j < s->n; j++)
        count[j + 1] += count[j];
    int *next = NEW_ARRAY(arena, int, s->n + 1);
    memcpy(next, count, (size_t)(s->n + 1) * sizeof(int));
    for (int k = 0; k < ref->nnz; k++)
        order[next[ref->col[k]]++] = k;
    for (int j = 0; j < s->n; j++) {
        s->start[j] = nnz;
        for (int i = count[j]; i < count[j + 1]; i++) {
            int k = order[i], row = ref->row[k];
            s->place[k] = NONE;
            if (!is_factored(r, k))
                continue;
            if (last[row] < s->start[j]) {
                last[row] = nnz;
                s->index[nnz++] = row;
            }
            s->place[k] = last[row];
        }
    }
    s->start[s->n] = nnz;
}

/* The entries by states themselves. */
static void list_states(const Sundials *r, Slope *s)
{
    const LoweredReference *ref = r->ref;
    for (int k = 0; k < ref->nnz; k++)
        if (!is_factored(r, k))
            s->first[ref->col[k] + 1]++;
    for (int j = 0; j < r->nstate; j++)
        s->first[j + 1] += s->first[j];
    int *next = NEW_ARRAY(r->run.sim->scratch, int, r->nstate + 1);
    memcpy(next, s->first, (size_t)(r->nstate + 1) * sizeof(int));
    for (int k = 0; k < ref->nnz; k++)
        if (!is_factored(r, k))
            s->of_state[next[ref->col[k]]++] = k;
}

Slope *slope_new(const Sundials *r)
{
    Arena *arena = r->run.sim->scratch;
    Slope *s = NEW(arena, Slope);
    s->n = r->ref->n;
    s->start = NEW_ARRAY(arena, int, s->n + 1);
    s->index = NEW_ARRAY(arena, int, r->ref->nnz + 1);
    s->value = NEW_ARRAY(arena, double, r->ref->nnz + 1);
    s->place = NEW_ARRAY(arena, int, r->ref->nnz + 1);
    s->first = NEW_ARRAY(arena, int, r->nstate + 1);
    s->of_state = NEW_ARRAY(arena, int, r->ref->nnz + 1);
    s->column = NEW_ARRAY(arena, double, s->n + 1);
    compress(r, s);
    list_states(r, s);
    klu_defaults(&s->common);
    s->symbolic = klu_analyze(s->n, s->start, s->index, &s->common);
    if (!s->symbolic && s->common.status == KLU_OUT_OF_MEMORY)
        die("out of memory");
    return s;
}

void slope_free(Slope *s)
{
    if (s)
        klu_free_symbolic(&s->symbolic, &s->common);
}

static klu_numeric *factorise(const Sundials *r, Slope *s)
{
    const double *slot = r->run.sim->exec->r;
    memset(s->value, 0, (size_t)s->start[s->n] * sizeof(double));
    for (int k = 0; k < r->ref->nnz; k++) {
        double x = slot[r->ref->entry[k]];
        if (s->place[k] != NONE && isfinite(x)) /* not sqrt at 0, or the like */
            s->value[s->place[k]] += x;
    }
    klu_numeric *numeric =
        klu_factor(s->start, s->index, s->value, s->symbolic, &s->common);
    if (!numeric && s->common.status == KLU_OUT_OF_MEMORY)
        die("out of memory");
    return numeric;
}

bool slope_find(const Sundials *r, Slope *s, SUNMatrix out)
{
    const double *slot = r->run.sim->exec->r;
    exec_run(r->run.sim->exec, &r->ref->jacobian);
    klu_numeric *numeric = s->symbolic ? factorise(r, s) : NULL;
    if (!numeric)
        return false;
    bool fine = s->common.status == KLU_OK;
    for (int j = 0; j < r->nstate && fine; j++) {
        memset(s->column, 0, (size_t)s->n * sizeof(double));
        for (int k = s->first[j]; k < s->first[j + 1]; k++) {
            double x = slot[r->ref->entry[s->of_state[k]]];
            s->column[r->ref->row[s->of_state[k]]] -= isfinite(x) ? x : 0;
        }
        klu_solve(s->symbolic, numeric, s->n, 1, s->column, &s->common);
        for (int i = 0; i < r->nstate; i++) {
            SM_ELEMENT_D(out, i, j) = s->column[i];
            fine &= isfinite(s->column[i]);
        }
    }
    klu_free_numeric(&numeric, &s->common);
    return fine;
}
