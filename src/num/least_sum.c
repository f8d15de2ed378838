/* least_sum.c - a descent over corners.
 *
 * With rows a_i = weight_i N_i and r_i = weight_i x_i the sum of |r_i + a_i c|
 * is convex and made of planes; its least value is taken where as many r_i are
 * 0 as c has entries. Rows with r_i = 0 that a descent stays on are active.
 *
 *   1. g = sum of sign(r_i) a_i over the others. What is left of -g without
 *      its part along active rows leads down.
 *   2. If nothing is left, g = - sum lambda_i a_i over active rows. If all
 *      |lambda_i| <= 1 the corner is the lowest; else the first row with more
 *      is left, to its side of less (the first, so that no corner recurs).
 *   3. On the way down each r_i that changes its sign adds to the slope; the
 *      one that makes it rise becomes active.
 *
 * (Bloomfield and Steiger, Least Absolute Deviations, 1983, chapter 1.) Cost
 * O(n k + k^3) a corner; few corners, as k is what a model forgot to say.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/least_sum.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "num/dense.h"

static const double NOTHING = 1e-12;

typedef struct Descent {
    int n, k, nactive;
    int left; /* the row that the way begins at, -1: none */
    const double *null, *weight;
    double *x;
    int *active;     /* rows, at most k */
    bool *is_active; /* of each row */
    double *basis;   /* k * k: the active rows made orthonormal */
    double *g, *d;   /* k: slope, direction */
    double *move;    /* n: a_i d */
    double *lambda;  /* k */
    double *work;    /* k * k */
    int *pivot;      /* k */
    double size;     /* of all x together: what is 0 beside it is 0 */
} Descent;

static double row(const Descent *s, int i, int j)
{
    return s->weight[i] * s->null[i + j * s->n];
}

static double value(const Descent *s, int i)
{
    return s->weight[i] * s->x[i];
}

static bool is_zero(const Descent *s, int i)
{
    return fabs(value(s, i)) <= NOTHING * s->size;
}

/* Takes from v its part along the first m vectors of the basis. */
static void project(const Descent *s, int m, double *v)
{
    for (int q = 0; q < m; q++) {
        double part = 0;
        for (int j = 0; j < s->k; j++)
            part += s->basis[j + q * s->k] * v[j];
        for (int j = 0; j < s->k; j++)
            v[j] -= part * s->basis[j + q * s->k];
    }
}

static double norm(const double *v, int k)
{
    double sum = 0;
    for (int j = 0; j < k; j++)
        sum += v[j] * v[j];
    return sqrt(sum);
}

/* The basis of the active rows; one that depends on those before it is left. */
static void make_basis(Descent *s)
{
    int m = 0;
    for (int q = 0; q < s->nactive; q++) {
        double *v = s->basis + m * s->k, size = 0;
        for (int j = 0; j < s->k; j++)
            v[j] = row(s, s->active[q], j);
        size = norm(v, s->k);
        project(s, m, v);
        project(s, m, v);
        double left = norm(v, s->k);
        s->is_active[s->active[q]] = left > 1e-9 * size;
        if (!s->is_active[s->active[q]])
            continue;
        for (int j = 0; j < s->k; j++)
            v[j] /= left;
        s->active[m++] = s->active[q];
    }
    s->nactive = m;
}

/* The slope of the sum over rows that are not active. Returns its scale. */
static double find_slope(Descent *s)
{
    double scale = 0;
    memset(s->g, 0, (size_t)s->k * sizeof *s->g);
    for (int i = 0; i < s->n; i++) {
        double sign = is_zero(s, i) ? 0 : value(s, i) > 0 ? 1 : -1;
        for (int j = 0; j < s->k; j++) {
            s->g[j] += s->is_active[i] ? 0 : sign * row(s, i, j);
            scale += fabs(row(s, i, j));
        }
    }
    return scale;
}

/* Products of the active rows with each other. */
static void normal_matrix(Descent *s)
{
    int m = s->nactive;
    for (int p = 0; p < m; p++)
        for (int q = 0; q < m; q++) {
            s->work[p + q * m] = 0;
            for (int j = 0; j < s->k; j++)
                s->work[p + q * m] +=
                    row(s, s->active[p], j) * row(s, s->active[q], j);
        }
}

/* g = - sum lambda_i a_i, by the normal equations of the active rows. */
static bool find_multipliers(Descent *s)
{
    for (int p = 0; p < s->nactive; p++) {
        s->lambda[p] = 0;
        for (int j = 0; j < s->k; j++)
            s->lambda[p] -= row(s, s->active[p], j) * s->g[j];
    }
    normal_matrix(s);
    if (!dense_lu_factor(s->nactive, s->work, s->pivot))
        return false;
    dense_lu_solve(s->nactive, s->work, s->pivot, s->lambda, 1);
    return true;
}

/* The active row that is better left, made the last of them and taken off; the
 * direction then leads to its side of less. Returns false if there is none. */
static bool leave_row(Descent *s)
{
    int at = -1;
    if (s->nactive == 0 || !find_multipliers(s))
        return false;
    for (int p = 0; p < s->nactive; p++)
        if (fabs(s->lambda[p]) > 1 + 1e-9 &&
            (at < 0 || s->active[p] < s->active[at]))
            at = p;
    if (at < 0)
        return false;
    int left = s->left = s->active[at];
    double sign = s->lambda[at] > 0 ? 1 : -1;
    s->active[at] = s->active[--s->nactive];
    s->is_active[left] = false;
    make_basis(s);
    for (int j = 0; j < s->k; j++)
        s->d[j] = sign * row(s, left, j);
    project(s, s->nactive, s->d);
    return true;
}

static bool find_direction(Descent *s)
{
    double scale = find_slope(s);
    s->left = -1;
    for (int j = 0; j < s->k; j++)
        s->d[j] = -s->g[j];
    project(s, s->nactive, s->d);
    project(s, s->nactive, s->d);
    return norm(s->d, s->k) > 1e-10 * scale || leave_row(s);
}

/* Where |r_i + t move_i| turns, INFINITY: nowhere on the way. */
static double turn(const Descent *s, int i)
{
    if (s->is_active[i] || i == s->left || s->move[i] == 0)
        return INFINITY;
    if (is_zero(s, i))
        return 0;
    double t = -value(s, i) / s->move[i];
    return t > 0 ? t : INFINITY;
}

/* The slope as the way down begins. */
static double first_slope(Descent *s)
{
    for (int i = 0; i < s->n; i++) {
        double sum = 0, size = 0;
        for (int j = 0; j < s->k; j++) {
            sum += row(s, i, j) * s->d[j];
            size += fabs(row(s, i, j)) * norm(s->d, s->k);
        }
        s->move[i] = fabs(sum) > NOTHING * size ? sum : 0;
    }
    double slope = s->left < 0 ? 0 : fabs(s->move[s->left]);
    for (int i = 0; i < s->n; i++)
        if (!s->is_active[i] && !is_zero(s, i))
            slope += value(s, i) > 0 ? s->move[i] : -s->move[i];
    return slope;
}

/* The row that turns after row `last` does, one after the other where several
 * turn at once; -1: none. */
static int next_turn(const Descent *s, int last)
{
    double from = last < 0 ? -1 : turn(s, last), at = INFINITY;
    int next = -1;
    for (int i = 0; i < s->n; i++) {
        double t = turn(s, i);
        if (t < at && (t > from || (t == from && i > last))) {
            at = t;
            next = i;
        }
    }
    return next;
}

/* Goes down to where the sum rises, and makes the row that turns there active.
 * Returns false where nothing does. */
static bool go_down(Descent *s)
{
    double slope = first_slope(s), all = 0;
    int next = -1;
    for (int i = 0; i < s->n; i++)
        all += fabs(s->move[i]);
    while (slope < -NOTHING * all) {
        next = next_turn(s, next);
        if (next < 0)
            return false;
        slope += (is_zero(s, next) ? 1 : 2) * fabs(s->move[next]);
    }
    if (next < 0)
        return false;
    double way = turn(s, next);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->k; j++)
            s->x[i] += way * s->d[j] * s->null[i + j * s->n];
    s->x[next] = 0;
    s->is_active[next] = true;
    s->active[s->nactive++] = next;
    make_basis(s);
    return true;
}

static double sum_of(const Descent *s, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += s->weight[i] * fabs(x[i]);
    return sum;
}

static void descend(Descent *s)
{
    int most = 10 * (s->n + s->k);
    while (most-- > 0 && find_direction(s) && s->nactive < s->k && go_down(s))
        ;
}

/* Where several rows are 0 at once a descent may go round in circles: rows are
 * moved by next to nothing, each by another part of it. */
static double nudge(const Descent *s, int i)
{
    double part = 1 + fmod((i + 1) * 0.6180339887498949, 1);
    return s->weight[i] > 0 ? 1e-7 * part * s->size / s->weight[i] : 0;
}

/* Takes the nudges back: the active rows are 0 next to where it is then. */
static void go_to_corner(Descent *s)
{
    for (int i = 0; i < s->n; i++)
        s->x[i] -= nudge(s, i);
    for (int q = 0; q < s->nactive; q++)
        s->lambda[q] = -value(s, s->active[q]);
    normal_matrix(s);
    if (!dense_lu_factor(s->nactive, s->work, s->pivot))
        return;
    dense_lu_solve(s->nactive, s->work, s->pivot, s->lambda, 1);
    for (int j = 0; j < s->k; j++) {
        double move = 0;
        for (int q = 0; q < s->nactive; q++)
            move += s->lambda[q] * row(s, s->active[q], j);
        for (int i = 0; i < s->n; i++)
            s->x[i] += move * s->null[i + j * s->n];
    }
    for (int q = 0; q < s->nactive; q++)
        s->x[s->active[q]] = 0;
}

bool least_sum(int n, int k, const double *null, const double *weight,
               double *x)
{
    Arena *arena = arena_new();
    size_t kk = (size_t)k * (size_t)k + 1;
    Descent s = {.n = n,
                 .k = k,
                 .null = null,
                 .weight = weight,
                 .x = NEW_ARRAY(arena, double, n + 1),
                 .active = NEW_ARRAY(arena, int, k + 1),
                 .is_active = NEW_ARRAY(arena, bool, n + 1),
                 .basis = NEW_ARRAY(arena, double, kk),
                 .g = NEW_ARRAY(arena, double, k + 1),
                 .d = NEW_ARRAY(arena, double, k + 1),
                 .move = NEW_ARRAY(arena, double, n + 1),
                 .lambda = NEW_ARRAY(arena, double, k + 1),
                 .work = NEW_ARRAY(arena, double, kk),
                 .pivot = NEW_ARRAY(arena, int, k + 1)};
    s.size = sum_of(&s, x);
    for (int i = 0; i < n; i++)
        s.x[i] = x[i] + nudge(&s, i);
    descend(&s);
    go_to_corner(&s);
    descend(&s); /* what nudges leave where there is no corner */
    bool less = sum_of(&s, s.x) < (1 - 1e-9) * s.size;
    if (less)
        memcpy(x, s.x, (size_t)n * sizeof *x);
    arena_free(arena);
    return less;
}
