/* select.c - rows and columns that serve at several points. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "array/march.h"
#include "array/select_internal.h"

enum { MOST_STEPS = 5000 };
static const double NOTHING = 1e-8; /* of a row: what vanishes on the manifold
                                       is not zero to the last digit */
static const double WORST_CONDITION = 1e8, MOST_FELT = 1e-6;

/* ---- points ---- */

/* One scaling for all points: entries of the largest size over them are 1. */
static void scale_all(Choice *c)
{
    c->row_scale = NEW_ARRAY(c->arena, double, c->nrow);
    c->col_scale = NEW_ARRAY(c->arena, double, c->ncol);
    for (int pass = 0; pass < 2; pass++) {
        double *s = pass ? c->col_scale : c->row_scale;
        int count = pass ? c->ncol : c->nrow;
        for (int p = 0; p < c->npoint; p++)
            for (int j = 0; j < c->ncol; j++)
                for (int i = 0; i < c->nrow; i++) {
                    int at = pass ? j : i;
                    s[at] = fmax(s[at], fabs(*select_entry(c, p, i, j)));
                }
        for (int i = 0; i < count; i++)
            s[i] = s[i] > 0 ? 1 / s[i] : 1;
        for (int p = 0; p < c->npoint; p++)
            for (int j = 0; j < c->ncol; j++)
                for (int i = 0; i < c->nrow; i++) {
                    double *x = select_entry(c, p, i, j);
                    *x *= s[pass ? j : i];
                    if (fabs(*x) < NOTHING)
                        *x = 0;
                }
    }
}

static void add_point(Choice *c, double t, const double *z)
{
    Array *a = c->a;
    double *m = NEW_ARRAY(c->arena, double, (size_t)c->nrow *(size_t)c->ncol);
    array_jacobian(a, c->k, t, z, NULL, m);
    array_scale(a, c->k, m);
    for (size_t i = 0; i < (size_t)c->nrow * (size_t)c->ncol; i++)
        if (!isfinite(m[i]))
            return;
    c->matrix[c->npoint++] = m;
}

/* Points of the solution over the time of a run. Returns false if it ends on
 * the way. */
static bool find_points(Choice *c, const ArrayIndex *x, double length,
                        double *until)
{
    MarchOptions o = {.kind = MARCH_PARTITION,
                      .rtol = 1e-5,
                      .whole = true, /* all derivatives are looked at */
                      .most_steps = MOST_STEPS};
    March *m = march_new(c->a, x, &o, c->arena);
    bool fine = m != NULL;
    *until = x->time;
    for (int p = 0; p < POINTS && fine; p++) {
        double t = x->time + length * p / (POINTS - 1);
        fine = march_to(m, t);
        *until = march_time(m);
        if (fine)
            add_point(c, t, march_point(m));
    }
    return fine || (m && march_stats(m)->steps >= MOST_STEPS);
}

/* ---- 1. rows ---- */

/* lambda: the dependent row as a combination of the basis rows; by least
 * squares. */
static void find_circuit(Choice *c, int which, int number)
{
    int dim = c->ncol - c->n, nb = c->basis.n;
    for (int p = 0; p < c->npoint; p++) {
        double *lambda = c->lambda[p] + (size_t)number * (size_t)c->nrow;
        double *m = NEW_ARRAY(c->arena, double, (size_t)dim *(size_t)(nb + 1));
        double *rhs = NEW_ARRAY(c->arena, double, dim + nb + 1);
        for (int b = 0; b < nb; b++)
            select_row(c, NULL, p, c->basis.at[b], m + (size_t)b * (size_t)dim);
        select_row(c, NULL, p, which, rhs);
        if (nb > 0)
            LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', dim, nb, 1, m, dim, rhs,
                          dim > nb ? dim : nb);
        for (int b = 0; b < nb; b++)
            lambda[c->basis.at[b]] = -rhs[b];
        lambda[which] = 1;
    }
}

static void choose_rows(Choice *c)
{
    Basis b = select_basis_new(c, c->ncol - c->n);
    int *list = NEW_ARRAY(c->arena, int, c->n);
    int *out = NEW_ARRAY(c->arena, int, c->nrow), nout = 0;
    for (int p = 0; p < c->npoint; p++)
        c->lambda[p] =
            NEW_ARRAY(c->arena, double, (size_t)c->nrow *(size_t)c->nrow);
    for (int order = 0; order <= c->k; order++) {
        for (int r = 0; r < c->n; r++)
            list[r] = order * c->n + r;
        int before = nout;
        select_take_best(c, &b, select_row, list, c->n, b.dim, out, &nout);
        for (int i = before; i < nout; i++)
            vec_push(c->arena, &c->basis, out[i]);
        for (int r = 0; r < c->n; r++) {
            if (list[r] == NONE)
                continue;
            find_circuit(c, list[r], c->circuit.n);
            vec_push(c->arena, &c->circuit, list[r]);
        }
    }
}

/* ---- 2. the system ---- */

/* With `more` the rows of the circuits are there once more differentiated: x1'
 * is then determined where rows mix it with x2'. */
static int take_system(Choice *c, bool more)
{
    int m = 0;
    c->in_system = NEW_ARRAY(c->arena, bool, c->nrow);
    for (int i = 0; i < c->n; i++)
        c->in_system[i] = true;
    for (int k = 0; k < c->circuit.n; k++) {
        for (int p = 0; p < c->npoint; p++) {
            const double *l = c->lambda[p] + (size_t)k * (size_t)c->nrow;
            for (int i = 0; i < c->nrow; i++) {
                bool is_in = fabs(l[i]) > SUPPORT;
                c->in_system[i] |= is_in;
                if (more && is_in && i + c->n < c->nrow)
                    c->in_system[i + c->n] = true;
            }
        }
    }
    for (int i = 0; i < c->nrow; i++)
        m += c->in_system[i];
    return m;
}

/* ---- is it good? ---- */

/* Condition of the system at point p, and how much of what is dropped x1 and
 * x2' would feel. */
static bool judge(const Choice *c, const Selection *s, int p, double *condition,
                  double *felt)
{
    int m = s->m, nd = 0;
    size_t size = (size_t)m * (size_t)m;
    double *full = NEW_ARRAY(c->arena, double, size);
    double *copy = NEW_ARRAY(c->arena, double, size);
    double *drop = NEW_ARRAY(c->arena, double, (size_t)m *(size_t)c->ncol);
    int *col = NEW_ARRAY(c->arena, int, m), n = 0;
    lapack_int *pivot = NEW_ARRAY(c->arena, lapack_int, m);
    for (int j = 0; j < c->ncol; j++) {
        bool is_known = j < c->n && !c->first_at[p][j];
        bool is_taken = j < c->n ? c->first_at[p][j] : s->taken[j];
        if (is_taken) {
            select_column(c, NULL, p, j, full + (size_t)n * (size_t)m);
            col[n++] = j;
        } else if (!is_known) {
            select_column(c, NULL, p, j, drop + (size_t)nd++ * (size_t)m);
        }
    }
    memcpy(copy, full, size * sizeof *copy);
    double least, largest;
    if (!rank_extremes(m, m, copy, &least, &largest) || !(least > 0))
        return false;
    *condition = fmax(*condition, largest / least);
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, m, nd, full, m, pivot, drop, m) != 0)
        return false;
    for (int d = 0; d < nd; d++)
        for (int i = 0; i < m; i++)
            if (col[i] < c->n ||
                (col[i] < 2 * c->n && (!c->is_first[col[i] - c->n] ||
                                       c->set_of[col[i] - c->n] != NONE)))
                *felt =
                    fmax(*felt, fabs(drop[(size_t)d * (size_t)m + (size_t)i]));
    return true;
}

static int *keep(const int *from, int n, Arena *arena)
{
    int *to = NEW_ARRAY(arena, int, n + 1);
    memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

static void keep_sets(const Choice *c, Selection *s, Arena *arena)
{
    s->nset = c->set.n;
    s->set = NEW_ARRAY(arena, SelectSet, c->set.n + 1);
    for (int i = 0; i < s->nset; i++) {
        SelectSet *x = &s->set[i];
        *x = c->set.at[i];
        x->candidate = keep(x->candidate, x->n, arena);
        x->initial = keep(x->initial, x->nstate, arena);
        x->row = keep(x->row, x->nrow, arena);
        x->eliminated = keep(x->eliminated, x->neliminated, arena);
    }
}

static const Selection *finish(Choice *c, Selection *s, Arena *arena)
{
    int n = 0;
    keep_sets(c, s, arena);
    s->row = NEW_ARRAY(arena, int, s->m);
    s->is_state = NEW_ARRAY(arena, bool, c->n);
    for (int i = 0; i < c->nrow; i++)
        if (c->in_system[i])
            s->row[n++] = i;
    for (int j = 0; j < c->n; j++) {
        s->is_state[j] = !c->is_first[j];
        s->nstate += s->is_state[j];
    }
    s->dropped = c->ncol - s->m - s->nstate;
    s->npoint = c->npoint;
    return s;
}

static const Selection *select_at(Choice *c, Selection *s, bool more,
                                  const char **why, Arena *arena)
{
    scale_all(c);
    choose_rows(c);
    s->k = c->k;
    s->m = take_system(c, more);
    s->taken = NEW_ARRAY(arena, bool, c->ncol);
    *why = "no states serve at all points: they change on the way, and no sets "
           "of candidates do either";
    if (!select_first(c, false) && !select_first(c, true))
        return NULL;
    *why = "no columns make the system regular at all points";
    if (!select_columns(c, s->m, s->taken))
        return NULL;
    for (int p = 0; p < c->npoint; p++)
        if (!judge(c, s, p, &s->condition, &s->felt))
            return NULL;
    *why = arena_printf(arena,
                        "the best system has the condition %.1e, and feels "
                        "what it leaves out by %.1e",
                        s->condition, s->felt);
    if (s->condition > WORST_CONDITION || s->felt > MOST_FELT)
        return NULL;
    return finish(c, s, arena);
}

const Selection *array_select(Array *a, const ArrayIndex *x, double length,
                              Arena *arena, const char **why)
{
    *why = "there is no uniform index";
    const Selection *found = NULL;
    int nu = x->uniform_index;
    for (int k = nu > 0 ? nu - 1 : 0; nu != NONE && !found && k <= nu; k++) {
        Choice c = {.a = a, .k = k, .n = a->n, .arena = arena_new()};
        c.nrow = (k + 1) * a->n;
        c.ncol = (k + 2) * a->n;
        double until;
        if (find_points(&c, x, length, &until))
            found = select_at(&c, NEW(arena, Selection), k == nu, why, arena);
        else
            *why = arena_printf(arena, "the model turns singular near time %g",
                                until);
        arena_free(c.arena);
    }
    return found;
}
