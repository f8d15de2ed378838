/* values.c - the derivative array and its Jacobian at a point. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/array.h"

#include <math.h>

static const double AT_REST = 1e-3; /* of a derivative: what counts as none */

typedef struct Point {
    const Array *a;
    double t;
    const double *z;
} Point;

/* The series of x_j^(shift): coefficients z_(q + shift) / q!. */
static void column_series(const Point *p, int j, int shift, int degree,
                          double *coef)
{
    double factorial = 1;
    for (int q = 0; q <= degree; q++) {
        factorial *= q > 0 ? q : 1;
        coef[q] = p->z[(q + shift) * p->a->n + j] / factorial;
    }
}

/* Derivative `order` of what is given: its series, differentiated. */
static void input_series(const Point *p, int v, int order, int degree,
                         double *coef)
{
    double all[2 * ARRAY_MOST + 4];
    p->a->input(p->a->input_context, v, p->t, degree + order, all);
    for (int q = 0; q <= degree; q++) {
        coef[q] = all[q + order];
        for (int i = 1; i <= order; i++)
            coef[q] *= q + i;
    }
}

static void leaf_series(void *context, const Dag *d, Expr e, int degree,
                        double *coef)
{
    const Point *p = context;
    const Array *a = p->a;
    for (int q = 0; q <= degree; q++)
        coef[q] = 0;
    switch (expr_op(d, e)) {
    case EX_TIME:
        coef[0] = p->t;
        if (degree > 0)
            coef[1] = 1;
        return;
    case EX_PRE: e = expr_arg(d, e, 0); break;
    case EX_VAR: break;
    default: return; /* initial(), sample(), edge(): no */
    }
    int v, order;
    expr_is_var(d, e, &v, &order);
    SysRole role = a->sys->var[v].role;
    if (a->width[v] == 0 && a->input &&
        (role == SR_INPUT || role == SR_UNKNOWN))
        input_series(p, v, order, degree, coef);
    else if (a->width[v] == 0)
        coef[0] = order == 0 ? a->value[v] : 0;
    else if (order < a->width[v])
        column_series(p, a->first[v] + order, 0, degree, coef);
    else
        column_series(p, a->first[v] + a->width[v] - 1, order - a->width[v] + 1,
                      degree, coef);
}

void array_run(const Array *a, Taylor *taylor, int k, double t, const double *z)
{
    Point p = {a, t, z};
    taylor_run(taylor, k, leaf_series, &p);
}

static double entry_coef(const Array *a, const ArrayEntry *e, int l)
{
    if (e->root == NONE)
        return l == 0 ? e->value : 0;
    return taylor_coef(a->taylor, e->root, l);
}

void array_values(Array *a, double t, const double *z)
{
    array_run(a, a->taylor, 0, t, z);
}

double array_entry(const Array *a, int entry)
{
    return entry_coef(a, &a->entry[entry], 0);
}

/* ---- rows ---- */

/* All rows of F_k, or some of them. */
typedef struct Shape {
    int k, nrow;
    const ArrayRows *rows; /* NULL: all */
    double factorial[ARRAY_MOST + 3];
} Shape;

static Shape shape_of(const Array *a, int k, const ArrayRows *rows)
{
    Shape s = {k, rows ? rows->nrow : (k + 1) * a->n, rows, {1}};
    for (int i = 1; i <= k + 1; i++)
        s.factorial[i] = i * s.factorial[i - 1];
    return s;
}

static void limit_program(Array *a, const ArrayRows *rows)
{
    Arena *local = arena_new();
    int *degree = NEW_ARRAY(local, int, a->neqn + a->nentry);
    for (int r = 0; r < a->neqn; r++)
        degree[r] = rows->limit[r];
    for (int i = 0; i < a->nentry; i++)
        if (a->entry[i].root != NONE)
            degree[a->entry[i].root] = rows->limit[a->entry[i].row];
    taylor_limit(a->taylor, degree);
    a->rows = rows;
    arena_free(local);
}

static void evaluate(Array *a, const Shape *s, double t, const double *z)
{
    Point p = {a, t, z};
    if (!s->rows) {
        array_run(a, a->taylor, s->k, t, z);
        return;
    }
    if (a->rows != s->rows)
        limit_program(a, s->rows);
    a->coefficients += taylor_run_least(a->taylor, s->k, leaf_series, &p);
}

static void take_residual(const Array *a, const Shape *s, const double *z,
                          double *f)
{
    for (int at = 0; at < s->nrow; at++) {
        int row = s->rows ? s->rows->row[at] : at;
        int i = row / a->n, r = row % a->n;
        f[at] = r < a->neqn ? s->factorial[i] * taylor_coef(a->taylor, r, i)
                            : z[(i + 1) * a->n + a->row[r].column] -
                                  z[i * a->n + a->row[r].next];
    }
}

/* Entry e of f_x (f_x') stands in rows i, columns j with i - j >= 0 (-1). */
static void add_entry(const Array *a, const ArrayEntry *e, const Shape *s,
                      double *jacobian)
{
    int most = s->rows ? s->rows->limit[e->row] : s->k;
    for (int l = 0; l <= most; l++) {
        double c = entry_coef(a, e, l);
        if (c == 0)
            continue;
        for (int i = l; i <= most; i++) {
            int j = e->is_der ? i - l + 1 : i - l, row = i * a->n + e->row;
            double x =
                s->factorial[i] / s->factorial[j] * (e->is_der ? j * c : c);
            int at = s->rows ? s->rows->place[row] : row;
            jacobian[(size_t)(j * a->n + e->col) * (size_t)s->nrow +
                     (size_t)at] += x;
        }
    }
}

static void take_jacobian(const Array *a, const Shape *s, double *jacobian)
{
    size_t size = (size_t)s->nrow * (size_t)(s->k + 2) * (size_t)a->n;
    for (size_t i = 0; i < size; i++)
        jacobian[i] = 0;
    for (int e = 0; e < a->nentry; e++)
        add_entry(a, &a->entry[e], s, jacobian);
}

static void find_residual(Array *a, Shape s, double t, const double *z,
                          double *f)
{
    evaluate(a, &s, t, z);
    take_residual(a, &s, z, f);
}

static void find_jacobian(Array *a, Shape s, double t, const double *z,
                          double *f, double *jacobian)
{
    evaluate(a, &s, t, z);
    if (f)
        take_residual(a, &s, z, f);
    take_jacobian(a, &s, jacobian);
}

void array_residual(Array *a, int k, double t, const double *z, double *f)
{
    find_residual(a, shape_of(a, k, NULL), t, z, f);
}

void array_residual_rows(Array *a, const ArrayRows *rows, double t,
                         const double *z, double *f)
{
    find_residual(a, shape_of(a, rows->k, rows), t, z, f);
}

void array_jacobian(Array *a, int k, double t, const double *z, double *f,
                    double *jacobian)
{
    find_jacobian(a, shape_of(a, k, NULL), t, z, f, jacobian);
}

void array_jacobian_rows(Array *a, const ArrayRows *rows, double t,
                         const double *z, double *f, double *jacobian)
{
    find_jacobian(a, shape_of(a, rows->k, rows), t, z, f, jacobian);
}

void array_scale(const Array *a, int k, double *jacobian)
{
    int nrow = (k + 1) * a->n, ncol = (k + 2) * a->n;
    double row[ARRAY_MOST + 2], col[ARRAY_MOST + 3];
    row[0] = col[0] = 1;
    for (int q = 1; q <= k + 1; q++) {
        row[q] = row[q - 1] * a->span / q;
        col[q] = col[q - 1] * q / a->span;
    }
    for (int j = 0; j < ncol; j++) {
        double c = col[j / a->n] * a->col[j % a->n].nominal;
        double *x = jacobian + (size_t)j * (size_t)nrow;
        for (int i = 0; i < nrow; i++)
            x[i] *= c * row[i / a->n];
    }
}

/* ---- what is left over ---- */

static double find_defect(Array *a, Shape s, double t, const double *z,
                          int *worst)
{
    Arena *arena = arena_new();
    int nrow = s.nrow, ncol = (s.k + 2) * a->n;
    double *f = NEW_ARRAY(arena, double, nrow), most = -1;
    double *size = NEW_ARRAY(arena, double, nrow);
    double *m = NEW_ARRAY(arena, double, (size_t)nrow *(size_t)ncol);
    find_jacobian(a, s, t, z, f, m);
    for (int j = 0; j < ncol; j++) {
        /* at rest a derivative is small beside what it is elsewhere */
        double usual = (j < a->n ? 1 : AT_REST) * a->col[j % a->n].nominal;
        for (int q = 1; q <= j / a->n; q++)
            usual *= q / a->span;
        double scale = fmax(fabs(z[j]), usual);
        for (int i = 0; i < nrow; i++)
            size[i] = fmax(
                size[i], scale * fabs(m[(size_t)j * (size_t)nrow + (size_t)i]));
    }
    for (int i = 0; i < nrow; i++) {
        double x = fabs(f[i]) / fmax(size[i], 1e-300);
        if (f[i] != 0 && (x > most || isnan(x))) {
            most = x;
            *worst = (s.rows ? s.rows->row[i] : i) % a->n;
        }
    }
    arena_free(arena);
    return fmax(most, 0);
}

double array_defect(Array *a, int k, double t, const double *z, int *worst)
{
    return find_defect(a, shape_of(a, k, NULL), t, z, worst);
}

double array_defect_rows(Array *a, const ArrayRows *rows, double t,
                         const double *z, int *worst)
{
    return find_defect(a, shape_of(a, rows->k, rows), t, z, worst);
}
