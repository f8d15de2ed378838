/* select.c - rows and columns that serve at several points. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/march.h"
#include "array/select_internal.h"
#include "base/lapack.h"

enum { FIRST_POINTS = 17, MANY_POINTS = 20, BETWEEN = 8, MOST_STEPS = 5000 };
static const double PEAK = 30;      /* of the condition at the points */
static const double NOTHING = 1e-8; /* of a row: what vanishes on the manifold
                                       is not zero to the last digit */
static const double WORST_CONDITION = 1e8, MOST_FELT = 1e-6;

typedef struct Times {
    double at[POINTS];
    int n;
} Times;

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
    size_t size = (size_t)c->ncol * sizeof *z;
    c->time[c->npoint] = t;
    c->z[c->npoint] = NEW_ARRAY(c->arena, double, c->ncol);
    memcpy(c->z[c->npoint], z, size);
    c->matrix[c->npoint++] = m;
}

/* Where the march is, with derivatives up to order k + 1: those above nu + 1
 * are found there. NULL: there are none. */
static const double *point_of(Choice *c, const ArrayIndex *x, const March *m)
{
    int nu = x->uniform_index;
    if (c->k <= nu)
        return march_point(m);
    double *z = NEW_ARRAY(c->arena, double, c->ncol);
    bool *holds = NEW_ARRAY(c->arena, bool, c->n);
    memcpy(z, march_point(m), (size_t)((nu + 2) * c->n) * sizeof *z);
    for (int j = 0; j < c->n; j++)
        holds[j] = true;
    Consistent found =
        array_make_consistent_at(c->a, c->k, march_time(m), z, holds);
    return found.found ? z : NULL;
}

/* Points of the solution at the times asked for. Returns false if it ends on
 * the way. */
static bool find_points(Choice *c, const ArrayIndex *x, const double *time,
                        int n, double *until)
{
    MarchOptions o = {.kind = MARCH_PARTITION,
                      .rtol = 1e-5,
                      .whole = true, /* all derivatives are looked at */
                      .most_steps = MOST_STEPS};
    March *m = march_new(c->a, x, &o, c->arena);
    bool fine = m != NULL;
    c->time = NEW_ARRAY(c->arena, double, n);
    *until = x->time;
    for (int p = 0; p < n && fine; p++) {
        fine = march_to(m, time[p]);
        *until = march_time(m);
        const double *z = fine ? point_of(c, x, m) : NULL;
        if (z)
            add_point(c, time[p], z);
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
            lapack()->dgels(LAPACK_COL_MAJOR, 'N', dim, nb, 1, m, dim, rhs,
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
        select_take_best(c, &b, select_row, list, c->n, b.dim, INDEPENDENT, out,
                         &nout);
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

/* The rows of the circuits are there differentiated `more` times: x1' is then
 * determined where rows mix it with x2'. */
static int take_system(Choice *c, int more)
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
                for (int q = 1; q <= more && is_in; q++)
                    if (i + q * c->n < c->nrow)
                        c->in_system[i + q * c->n] = true;
            }
        }
    }
    for (int i = 0; i < c->nrow; i++)
        m += c->in_system[i];
    return m;
}

/* ---- is it good? ---- */

/* Columns that were not taken, in those that stand for them. */
static void mix_columns(const Choice *c, const Selection *s, int p, System *y)
{
    size_t m = (size_t)s->m;
    double *v = NEW_ARRAY(c->arena, double, m);
    for (int i = c->n; i < c->ncol; i++) {
        if (s->taken[i])
            continue;
        select_column(c, NULL, p, i, v);
        for (int j = 0; j < y->n; j++) {
            double f = c->mix[(size_t)i * (size_t)c->ncol + (size_t)y->col[j]];
            for (size_t r = 0; r < m && f != 0; r++)
                y->full[(size_t)j * m + r] += f * v[r];
        }
    }
}

void select_system(const Choice *c, const Selection *s, int p, System *y)
{
    size_t m = (size_t)s->m;
    y->full = NEW_ARRAY(c->arena, double, m *m);
    y->drop = NEW_ARRAY(c->arena, double, m *(size_t)c->ncol);
    y->col = NEW_ARRAY(c->arena, int, s->m);
    for (int last = 0; last < 2; last++) {
        for (int j = 0; j < c->ncol; j++) {
            bool is_x = j < c->n, is_known = is_x && !c->first_at[p][j];
            bool is_taken = is_x ? c->first_at[p][j] : s->taken[j];
            bool in_set = is_x && c->set_of[j] != NONE;
            if (is_known || in_set != last)
                continue;
            double *to = is_taken ? y->full + (size_t)y->n * m
                                  : y->drop + (size_t)y->nd * m;
            select_column(c, NULL, p, j, to);
            if (is_taken)
                y->col[y->n++] = j;
            else
                y->nd++;
        }
    }
    if (c->mix)
        mix_columns(c, s, p, y);
}

bool select_counts(const Choice *c, int col)
{
    int j = col - c->n;
    return col < (c->order + 1) * c->n ||
           (col < 2 * c->n && (!c->is_first[j] || c->set_of[j] != NONE));
}

/* Condition of the system at point p, and how much of what is dropped x1 and
 * x2' would feel. *regular is its determinant without what the choice of states
 * makes of it: where its sign changes the system is singular in between. */
static bool judge(const Choice *c, const Selection *s, int p, double *condition,
                  double *felt, double *regular)
{
    int m = s->m;
    size_t size = (size_t)m * (size_t)m;
    System y = {0};
    select_system(c, s, p, &y);
    double *copy = NEW_ARRAY(c->arena, double, size);
    lapack_int *pivot = NEW_ARRAY(c->arena, lapack_int, m);
    memcpy(copy, y.full, size * sizeof *copy);
    double least, largest;
    if (!rank_extremes(m, m, copy, &least, &largest) || !(least > 0))
        return false;
    *condition = fmax(*condition, largest / least);
    if (lapack()->dgesv(LAPACK_COL_MAJOR, m, y.nd, y.full, m, pivot, y.drop, m))
        return false;
    *regular = c->minor[p] < 0 ? -1 : 1;
    double size_of = -log(fabs(c->minor[p])) / m;
    for (int i = 0; i < m; i++) {
        double d = y.full[(size_t)i * (size_t)(m + 1)];
        *regular *= (d < 0) != (pivot[i] != i + 1) ? -1 : 1;
        size_of += log(fabs(d)) / m;
    }
    *regular *= exp(size_of);
    for (int d = 0; d < y.nd; d++)
        for (int i = 0; i < m; i++)
            if (select_counts(c, y.col[i]))
                *felt = fmax(*felt,
                             fabs(y.drop[(size_t)d * (size_t)m + (size_t)i]));
    return true;
}

/* Asks for a point where the system turns singular between two of them. */
static bool is_crossed(const Choice *c, const double *regular, Times *times)
{
    bool any = false;
    for (int p = 0; p + 1 < c->npoint; p++) {
        if (regular[p] * regular[p + 1] > 0)
            continue;
        double share =
            fabs(regular[p]) / (fabs(regular[p]) + fabs(regular[p + 1]));
        share = fmin(0.9, fmax(0.1, share));
        any = true;
        if (times->n < POINTS)
            times->at[times->n++] =
                c->time[p] + share * (c->time[p + 1] - c->time[p]);
    }
    return any;
}

/* ---- between the points ---- */

/* The condition at another point, with the states of sample p. */
static double condition_at(const Choice *c, const Selection *s, int p,
                           double *matrix)
{
    Choice d = *c;
    double condition = 0, felt = 0, regular;
    d.matrix[0] = matrix;
    d.first_at[0] = c->first_at[p];
    d.minor[0] = 1;
    d.npoint = 1;
    d.arena = arena_new();
    bool fine = judge(&d, s, 0, &condition, &felt, &regular);
    arena_free(d.arena);
    return fine ? condition : INFINITY;
}

/* The Jacobian there, in the scale of all points. */
static double *scaled_at(Choice *c, double t, const double *z)
{
    Choice d = *c;
    d.npoint = 0;
    d.time = &t;
    add_point(&d, t, z);
    for (int j = 0; j < c->ncol && d.npoint; j++)
        for (int i = 0; i < c->nrow; i++)
            *select_entry(&d, 0, i, j) *= c->row_scale[i] * c->col_scale[j];
    return d.npoint ? d.matrix[0] : NULL;
}

/* Looks at the system between the points: where it is far worse than at any of
 * them, a point is asked for. */
static bool is_worse_between(Choice *c, const Selection *s, const ArrayIndex *x,
                             Times *times)
{
    MarchOptions o = {.kind = MARCH_PARTITION,
                      .rtol = 1e-5,
                      .whole = true,
                      .most_steps = MOST_STEPS};
    March *m = march_new(c->a, x, &o, c->arena);
    bool any = false;
    for (int p = 0; p + 1 < c->npoint && m; p++) {
        double worst = PEAK * s->condition, at = NAN;
        for (int i = 1; i < BETWEEN; i++) {
            double step = (c->time[p + 1] - c->time[p]) / BETWEEN;
            double t = c->time[p] + i * step;
            if (!march_to(m, t))
                return any;
            const double *z = point_of(c, x, m);
            double *a = z ? scaled_at(c, t, z) : NULL;
            double now =
                a ? fmin(condition_at(c, s, p, a), condition_at(c, s, p + 1, a))
                  : 0;
            if (now > worst) {
                worst = now;
                at = t;
            }
        }
        any |= !isnan(at);
        if (!isnan(at) && times->n < POINTS)
            times->at[times->n++] = at;
    }
    return any;
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

/* Unit of column q * n + j in the scale of all points. */
static double unit_of(const Choice *c, int col)
{
    double unit = c->a->col[col % c->n].nominal * c->col_scale[col];
    for (int q = 1; q <= col / c->n; q++)
        unit *= q / c->a->span;
    return unit;
}

/* The factors in the units of the model. */
static void keep_mix(const Choice *c, Selection *s, Arena *arena)
{
    size_t n = (size_t)c->ncol;
    s->mix = NEW_ARRAY(arena, double, n *n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (c->mix[i * n + j] != 0)
                s->mix[i * n + j] =
                    c->mix[i * n + j] * unit_of(c, (int)i) / unit_of(c, (int)j);
}

static const Selection *finish(Choice *c, Selection *s, Arena *arena)
{
    int n = 0;
    keep_sets(c, s, arena);
    if (c->mix)
        keep_mix(c, s, arena);
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
    s->order = c->order;
    return s;
}

/* With columns chosen so: is it good? */
static bool try_columns(Choice *c, Selection *s, const ArrayIndex *x,
                        ColumnChoice choice, Times *times, const char **why,
                        Arena *arena)
{
    double regular[POINTS];
    s->condition = s->felt = 0;
    s->taken = NEW_ARRAY(arena, bool, c->ncol);
    *why = "no columns make the system regular at all points";
    if (!select_columns(c, s->m, choice, s->taken))
        return false;
    for (int p = 0; p < c->npoint; p++)
        if (!judge(c, s, p, &s->condition, &s->felt, &regular[p]))
            return false;
    *why = arena_printf(arena,
                        "the best system has the condition %.1e, and feels "
                        "what it leaves out by %.1e",
                        s->condition, s->felt);
    if (s->condition > WORST_CONDITION || s->felt > MOST_FELT)
        return false;
    *why = "no rows and columns are regular all the way";
    return !is_crossed(c, regular, times) && !is_worse_between(c, s, x, times);
}

static const Selection *select_at(Choice *c, Selection *s, const ArrayIndex *x,
                                  int more, Times *times, const char **why,
                                  Arena *arena)
{
    scale_all(c);
    choose_rows(c);
    s->k = c->k;
    s->m = take_system(c, more);
    *why = "no states serve at all points: they change on the way, and no sets "
           "of candidates do either";
    if (!select_first(c, false) && !select_first(c, true))
        return NULL;
    int before = times->n; /* more points before other columns */
    static const ColumnChoice order[] = {COLUMNS_ANY, COLUMNS_LOW, COLUMNS_MIX};
    bool fine = false;
    for (int i = 0; i < 3 && !fine; i++)
        if (times->n == before || (i == 2 && before >= MANY_POINTS))
            fine = try_columns(c, s, x, order[i], times, why, arena);
    if (!fine)
        return NULL;
    *why = "an equation has no derivative by what is given in it";
    return select_given(c, s, arena) ? finish(c, s, arena) : NULL;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* With rows up to order k, those of circuits differentiated `more` times; again
 * with more points where the system would be singular between two of them. */
static const Selection *select_order(Array *a, const ArrayIndex *x, int k,
                                     int order, int more, double length,
                                     const char **why, Arena *arena)
{
    const Selection *found = NULL;
    Times times = {.n = FIRST_POINTS};
    for (int p = 0; p < FIRST_POINTS; p++)
        times.at[p] = x->time + length * p / (FIRST_POINTS - 1);
    for (int before = 0; before < times.n && !found;) {
        Choice c = {
            .a = a, .k = k, .order = order, .n = a->n, .arena = arena_new()};
        c.nrow = (k + 1) * a->n;
        c.ncol = (k + 2) * a->n;
        double until;
        before = times.n;
        qsort(times.at, (size_t)times.n, sizeof *times.at, compare_times);
        if (find_points(&c, x, times.at, times.n, &until))
            found = select_at(&c, NEW(arena, Selection), x, more, &times, why,
                              arena);
        else
            *why = arena_printf(arena, "the model turns singular near time %g",
                                until);
        arena_free(c.arena);
    }
    return found;
}

const Selection *array_select(Array *a, const ArrayIndex *x, double length,
                              int order, Arena *arena, const char **why)
{
    *why = "there is no uniform index";
    const Selection *found = NULL;
    int nu = x->uniform_index, first = nu > 0 ? nu - 1 + order : order;
    for (int k = first; nu != NONE && !found && k <= nu + order; k++)
        found = select_order(a, x, k, order, k - nu + 1, length, why, arena);
    return found;
}
