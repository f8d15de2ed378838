/* select.c - rows and columns that serve at several points. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/select.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "array/march.h"
#include "base/vec.h"

enum { POINTS = 17, MOST_STEPS = 5000 };
static const double INDEPENDENT = 1e-7; /* rest of a row or column, of 1 */
static const double TIE = 1e-6;         /* as good as another one */
static const double NOTHING = 1e-8; /* of a row: what vanishes on the manifold
                                       is not zero to the last digit */
static const double SUPPORT = 1e-8; /* share of a row in a circuit */
static const double GOOD_PIVOT = 1e-2; /* of the largest in its row */
static const double WORST_CONDITION = 1e8, MOST_FELT = 1e-6;

typedef struct Choice {
    Array *a;
    int k, n, nrow, ncol;
    int npoint;
    double *matrix[POINTS]; /* scaled Jacobians, nrow * ncol */
    double *row_scale, *col_scale;
    Arena *arena;
    /* rows */
    Vec(int) basis;
    Vec(int) circuit;       /* dependent rows */
    double *lambda[POINTS]; /* of each circuit: nrow numbers */
    bool *in_system;        /* rows */
    bool *is_first;         /* columns j: x1 */
} Choice;

static double *entry(const Choice *c, int p, int i, int j)
{
    return c->matrix[p] + (size_t)j * (size_t)c->nrow + (size_t)i;
}

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
                    s[at] = fmax(s[at], fabs(*entry(c, p, i, j)));
                }
        for (int i = 0; i < count; i++)
            s[i] = s[i] > 0 ? 1 / s[i] : 1;
        for (int p = 0; p < c->npoint; p++)
            for (int j = 0; j < c->ncol; j++)
                for (int i = 0; i < c->nrow; i++) {
                    double *x = entry(c, p, i, j);
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
    MarchOptions o = {
        .kind = MARCH_PARTITION, .rtol = 1e-5, .most_steps = MOST_STEPS};
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

/* An orthonormal basis at each point, grown by one vector at a time. */
typedef struct Basis {
    int dim, n;
    double *q[POINTS]; /* dim * (number of vectors) */
} Basis;

/* What is left of v beside the basis; v is changed. */
static double project(const Basis *b, int p, double *v)
{
    double before = 0, after = 0;
    for (int i = 0; i < b->dim; i++)
        before += v[i] * v[i];
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < b->n; k++) {
            const double *q = b->q[p] + (size_t)k * (size_t)b->dim;
            double s = 0;
            for (int i = 0; i < b->dim; i++)
                s += q[i] * v[i];
            for (int i = 0; i < b->dim; i++)
                v[i] -= s * q[i];
        }
    }
    for (int i = 0; i < b->dim; i++)
        after += v[i] * v[i];
    return before > 0 ? sqrt(after / before) : 0;
}

typedef void Take(const Choice *c, int p, int which, double *v);

/* Row `which` in the columns of x' and w. */
static void take_row(const Choice *c, int p, int which, double *v)
{
    for (int j = c->n; j < c->ncol; j++)
        v[j - c->n] = *entry(c, p, which, j);
}

/* Column `which` in the rows of the system. */
static void take_column(const Choice *c, int p, int which, double *v)
{
    int n = 0;
    for (int i = 0; i < c->nrow; i++)
        if (c->in_system[i])
            v[n++] = *entry(c, p, i, which);
}

static Basis basis_new(const Choice *c, int dim)
{
    Basis b = {.dim = dim};
    for (int p = 0; p < c->npoint; p++)
        b.q[p] = NEW_ARRAY(c->arena, double, (size_t)dim *(size_t)(dim + 1));
    return b;
}

/* How independent of the basis is it, at the worst point? */
static double independence(const Choice *c, const Basis *b, Take *take,
                           int which, double *v)
{
    double least = INFINITY;
    for (int p = 0; p < c->npoint; p++) {
        take(c, p, which, v);
        least = fmin(least, project(b, p, v));
    }
    return least;
}

static void extend(const Choice *c, Basis *b, Take *take, int which, double *v)
{
    for (int p = 0; p < c->npoint; p++) {
        take(c, p, which, v);
        project(b, p, v);
        double norm = 0;
        for (int i = 0; i < b->dim; i++)
            norm += v[i] * v[i];
        norm = sqrt(norm);
        for (int i = 0; i < b->dim; i++)
            b->q[p][(size_t)b->n * (size_t)b->dim + (size_t)i] =
                norm > 0 ? v[i] / norm : 0;
    }
    b->n++;
}

/* How independent each of list[n] is. That falls as the basis grows, so what
 * was found earlier is a bound, and most are asked once only. */
typedef struct Bounds {
    double *at;
    bool *is_new; /* of the present basis */
    double *v;    /* for a vector */
} Bounds;

static double look_again(const Choice *c, const Basis *b, Take *take, int which,
                         Bounds *x, int i)
{
    if (!x->is_new[i])
        x->at[i] = independence(c, b, take, which, x->v);
    x->is_new[i] = true;
    return x->at[i];
}

/* The first of those that are as independent as the best one; NONE. */
static int find_best(const Choice *c, const Basis *b, Take *take,
                     const int *list, int n, Bounds *x)
{
    int best = NONE;
    for (int i = 0; i < n; i++)
        x->is_new[i] = false;
    do {
        best = NONE;
        for (int i = 0; i < n; i++)
            if (list[i] != NONE && x->at[i] > INDEPENDENT &&
                (best == NONE || x->at[i] > x->at[best]))
                best = i;
        if (best == NONE || x->is_new[best])
            break;
        look_again(c, b, take, list[best], x, best);
    } while (true);
    for (int i = 0; best != NONE && i < best; i++)
        if (list[i] != NONE && x->at[i] * (1 + TIE) >= x->at[best] &&
            look_again(c, b, take, list[i], x, i) * (1 + TIE) >= x->at[best])
            return i;
    return best;
}

/* Takes what is most independent out of list[n], one after the other, until
 * nothing is or `limit` vectors are in; taken ones become NONE. */
static void take_best(Choice *c, Basis *b, Take *take, int *list, int n,
                      int limit, int *out, int *nout)
{
    Bounds x = {NEW_ARRAY(c->arena, double, n + 1),
                NEW_ARRAY(c->arena, bool, n + 1),
                NEW_ARRAY(c->arena, double, b->dim + 1)};
    for (int i = 0; i < n; i++)
        x.at[i] = INFINITY;
    while (b->n < limit) {
        int best = find_best(c, b, take, list, n, &x);
        if (best == NONE)
            return;
        extend(c, b, take, list[best], x.v);
        out[(*nout)++] = list[best];
        list[best] = NONE;
    }
}

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
            take_row(c, p, c->basis.at[b], m + (size_t)b * (size_t)dim);
        take_row(c, p, which, rhs);
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
    Basis b = basis_new(c, c->ncol - c->n);
    int *list = NEW_ARRAY(c->arena, int, c->n);
    int *out = NEW_ARRAY(c->arena, int, c->nrow), nout = 0;
    for (int p = 0; p < c->npoint; p++)
        c->lambda[p] =
            NEW_ARRAY(c->arena, double, (size_t)c->nrow *(size_t)c->nrow);
    for (int order = 0; order <= c->k; order++) {
        for (int r = 0; r < c->n; r++)
            list[r] = order * c->n + r;
        int before = nout;
        take_best(c, &b, take_row, list, c->n, b.dim, out, &nout);
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

/* ---- 3. x1 ---- */

typedef struct Constraints {
    int a;             /* rows: circuits */
    double *g[POINTS]; /* a * n by rows */
    bool *done;        /* rows */
    int *level;        /* order of each */
    int *first;        /* order at which a variable occurs first, of each j */
    bool *moves;       /* j: its derivative occurs in f */
} Constraints;

static Constraints make_constraints(Choice *c)
{
    Constraints k = {.a = c->circuit.n,
                     .done = NEW_ARRAY(c->arena, bool, c->nrow),
                     .level = NEW_ARRAY(c->arena, int, c->nrow),
                     .first = NEW_ARRAY(c->arena, int, c->n),
                     .moves = NEW_ARRAY(c->arena, bool, c->n)};
    for (int j = 0; j < c->n; j++)
        k.first[j] = c->k + 1;
    for (int i = 0; i < c->a->nentry; i++)
        if (c->a->entry[i].is_der)
            k.moves[c->a->entry[i].col] = true;
    for (int p = 0; p < c->npoint; p++)
        k.g[p] = NEW_ARRAY(c->arena, double, (size_t)k.a *(size_t)c->n);
    for (int r = 0; r < k.a; r++) {
        k.level[r] = c->circuit.at[r] / c->n;
        for (int p = 0; p < c->npoint; p++) {
            const double *l = c->lambda[p] + (size_t)r * (size_t)c->nrow;
            for (int j = 0; j < c->n; j++) {
                double sum = 0;
                for (int i = 0; i < c->nrow; i++)
                    sum += l[i] * *entry(c, p, i, j);
                k.g[p][r * c->n + j] = fabs(sum) < 1e-10 ? 0 : sum;
                if (k.g[p][r * c->n + j] != 0 && k.level[r] < k.first[j])
                    k.first[j] = k.level[r];
            }
        }
    }
    return k;
}

/* The worst size of a pivot over the points, beside the largest of its row. The
 * points are those of a solution: where the sign of a pivot changes, it
 * vanishes on the way. */
static double pivot_worth(const Choice *c, const Constraints *k, int r, int j)
{
    double worth = INFINITY;
    for (int p = 0; p < c->npoint; p++) {
        double most = 0;
        for (int i = 0; i < c->n; i++)
            if (!c->is_first[i])
                most = fmax(most, fabs(k->g[p][r * c->n + i]));
        double x = fabs(k->g[p][r * c->n + j]);
        if (k->g[p][r * c->n + j] * k->g[0][r * c->n + j] < 0)
            return 0;
        worth = fmin(worth, most > 0 ? x / most : 0);
    }
    return worth;
}

static void eliminate(const Choice *c, Constraints *k, int r, int j)
{
    k->done[r] = true;
    c->is_first[j] = true;
    for (int p = 0; p < c->npoint; p++) {
        double *g = k->g[p];
        for (int i = 0; i < k->a; i++) {
            double f =
                i == r || k->done[i] ? 0 : g[i * c->n + j] / g[r * c->n + j];
            for (int q = 0; f != 0 && q < c->n; q++)
                g[i * c->n + q] -= f * g[r * c->n + q];
        }
    }
}

/* Group 0: without derivatives; 1: new at this order; 2: any. */
static bool is_in_group(const Constraints *k, int j, int level, int group)
{
    return group == 2 || (group == 0 && !k->moves[j]) ||
           (group == 1 && k->first[j] >= level);
}

static bool choose_first(Choice *c)
{
    Constraints k = make_constraints(c);
    c->is_first = NEW_ARRAY(c->arena, bool, c->n);
    for (int left = k.a; left > 0; left--) {
        int row = NONE, col = NONE;
        double most = 0;
        for (int level = 0; level <= c->k && row == NONE; level++) {
            for (int group = 0; group < 3 && row == NONE; group++) {
                most = group == 2 ? 1e-6 : GOOD_PIVOT;
                for (int r = 0; r < k.a; r++) {
                    for (int j = 0; j < c->n; j++) {
                        if (k.done[r] || k.level[r] != level ||
                            c->is_first[j] || !is_in_group(&k, j, level, group))
                            continue;
                        double x = pivot_worth(c, &k, r, j);
                        if (x > most * (1 + 1e-6)) {
                            most = x;
                            row = r;
                            col = j;
                        }
                    }
                }
            }
        }
        if (row == NONE)
            return false;
        eliminate(c, &k, row, col);
    }
    return true;
}

/* ---- 4. columns ---- */

/* x1 and x2' first; then x1' and w by rising order. */
static bool choose_columns(Choice *c, int m, bool *taken)
{
    Basis b = basis_new(c, m);
    double *v = NEW_ARRAY(c->arena, double, m + 1);
    int *list = NEW_ARRAY(c->arena, int, c->n);
    int *out = NEW_ARRAY(c->arena, int, c->ncol), nout = 0;
    for (int j = 0; j < c->n; j++) {
        int col = c->is_first[j] ? j : c->n + j;
        if (independence(c, &b, take_column, col, v) < INDEPENDENT)
            return false;
        extend(c, &b, take_column, col, v);
        taken[col] = true;
    }
    for (int q = 1; q <= c->k + 1 && b.n < m; q++) {
        int n = 0;
        for (int j = 0; j < c->n; j++)
            if (!taken[q * c->n + j])
                list[n++] = q * c->n + j;
        take_best(c, &b, take_column, list, n, m, out, &nout);
    }
    for (int i = 0; i < nout; i++)
        taken[out[i]] = true;
    return b.n == m;
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
        bool is_known = j < c->n && !c->is_first[j];
        if (s->taken[j]) {
            take_column(c, p, j, full + (size_t)n * (size_t)m);
            col[n++] = j;
        } else if (!is_known) {
            take_column(c, p, j, drop + (size_t)nd++ * (size_t)m);
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
                (col[i] < 2 * c->n && !c->is_first[col[i] - c->n]))
                *felt =
                    fmax(*felt, fabs(drop[(size_t)d * (size_t)m + (size_t)i]));
    return true;
}

static const Selection *finish(Choice *c, Selection *s, Arena *arena)
{
    int n = 0;
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
    *why = "no states serve at all points: they change on the way";
    if (!choose_first(c))
        return NULL;
    *why = "no columns make the system regular at all points";
    if (!choose_columns(c, s->m, s->taken))
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
