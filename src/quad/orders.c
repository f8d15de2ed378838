/* orders.c - the orders of linearly implicit extrapolation, measured.
 *
 * One basic step from the consistent start at H, H/2, H/4 ... against the
 * solution (Radau IIA of 5 stages, whose error is far below): log2 of the
 * ratios of the errors are slopes. By (3.60) of Schiela 2002 X_jk - x =
 * O(H^(r_jk + 1)) and Y_jk - y = O(H^s_jk).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "quad/quad.h"

enum { HALVINGS = 14 };
static const double ROUNDING = -98; /* log2 of 3e-30 */

/* Logarithms of the errors of one entry of the tableau, by H. */
typedef struct Errors {
    double x[HALVINGS], z[HALVINGS];
} Errors;

typedef struct Measure {
    QuadModel *m;
    int rows, halvings;
    bool solve_end;
    Quad *table[QUAD_ROWS][QUAD_ROWS];
    Quad *exact[HALVINGS]; /* the solution */
    Quad *y, *yp;
    Errors (*error)[QUAD_ROWS];
} Measure;

static Quad length_of(const Measure *w, int k)
{
    return ldexp(1, -w->halvings - k);
}

static bool find_solution(Measure *w)
{
    QuadModel *m = w->m;
    QuadRadau radau = quad_radau(5);
    for (int k = 0; k < HALVINGS; k++) {
        memcpy(w->exact[k], m->y, (size_t)m->n * sizeof *m->y);
        memcpy(w->yp, m->yp, (size_t)m->nx * sizeof *m->yp);
        if (!quad_radau_step(m, &radau, m->start, length_of(w, k), w->exact[k],
                             w->yp))
            return false;
    }
    return true;
}

static double log2_of(Quad x)
{
    return log2((double)x); /* down to 1e-308 */
}

static void note_error(Measure *w, int j, int k, int h)
{
    const QuadModel *m = w->m;
    Quad x = 0, z = 0;
    for (int i = 0; i < m->n; i++) {
        Quad off = quad_abs(w->y[i] - w->exact[h][i]);
        Quad *worst = i < m->nx ? &x : &z;
        *worst = off > *worst ? off : *worst;
    }
    w->error[j][k].x[h] = log2_of(x);
    w->error[j][k].z[h] = m->nx < m->n ? log2_of(z) : NAN;
}

static bool measure(Measure *w, const QuadParts *parts)
{
    QuadModel *m = w->m;
    for (int h = 0; h < HALVINGS; h++) {
        Quad length = length_of(w, h);
        if (!quad_tableau(m, m->start, m->y, length, w->rows, parts, w->table))
            return false;
        for (int j = 0; j < w->rows; j++)
            for (int k = 0; k <= j; k++) {
                memcpy(w->y, w->table[j][k], (size_t)m->n * sizeof *w->y);
                memcpy(w->yp, m->yp, (size_t)m->nx * sizeof *w->yp);
                if (w->solve_end &&
                    !quad_solve_model(m, m->start + length, w->y, w->yp))
                    return false;
                note_error(w, j, k, h);
            }
    }
    return true;
}

/* The slope of two halvings at the smallest H with an error that rounding does
 * not blur; *apart, *constant: QuadOrders. */
static double slope_of(const Measure *w, const double *log_error, double *apart,
                       double *constant)
{
    int n = HALVINGS - 1;
    while (n > 2 && !(log_error[n] > ROUNDING))
        n--;
    double last = log_error[n - 1] - log_error[n];
    double before = log_error[n - 2] - log_error[n - 1];
    if (isnan(last))
        return NAN;
    double h = -w->halvings - n;
    *apart = fmax(*apart, fabs(last - before));
    *constant = fmin(*constant, exp2(log_error[n] - h * round(last)));
    return last;
}

static void store(const Measure *w, QuadOrders *out)
{
    out->apart = 0;
    out->constant = INFINITY;
    for (int j = 0; j < w->rows; j++)
        for (int k = 0; k <= j; k++) {
            out->x[j][k] =
                slope_of(w, w->error[j][k].x, &out->apart, &out->constant);
            out->z[j][k] =
                slope_of(w, w->error[j][k].z, &out->apart, &out->constant);
        }
}

static void make_room(Measure *w, Arena *work)
{
    int n = w->m->n + 1;
    for (int j = 0; j < w->rows; j++)
        for (int k = 0; k <= j; k++)
            w->table[j][k] = NEW_ARRAY(work, Quad, n);
    for (int k = 0; k < HALVINGS; k++)
        w->exact[k] = NEW_ARRAY(work, Quad, n);
    w->y = NEW_ARRAY(work, Quad, n);
    w->yp = NEW_ARRAY(work, Quad, n);
    w->error =
        (Errors(*)[QUAD_ROWS])NEW_ARRAY(work, Errors, QUAD_ROWS * QUAD_ROWS);
}

bool quad_orders(QuadModel *m, int rows, int halvings, bool solve_end,
                 QuadOrders out[QUAD_CASES], Diag *diag)
{
    static const QuadOrders cases[QUAD_CASES] = {
        {.name = "exact Jacobian", .parts = {1, 1, 1, 1}},
        {.name = "J11 perturbed", .parts = {0.5, 1, 1, 1}},
        {.name = "J11, J12 perturbed", .parts = {0.5, 0.6, 1, 1}},
        {.name = "J11, J21 perturbed", .parts = {0.5, 1, 0.7, 1}},
        {.name = "J11, J12, J21 perturbed", .parts = {0.5, 0.6, 0.7, 1}},
        {.name = "all perturbed", .parts = {0.5, 0.6, 0.7, 0.8}}};
    if (!quad_is_linear(m, diag))
        return false;
    Arena *work = arena_new();
    Measure w = {
        .m = m, .rows = rows, .halvings = halvings, .solve_end = solve_end};
    make_room(&w, work);
    bool fine = find_solution(&w);
    for (int c = 0; c < QUAD_CASES && fine; c++) {
        out[c] = cases[c];
        fine = measure(&w, &out[c].parts);
        if (fine)
            store(&w, &out[c]);
    }
    if (!fine)
        diag_report(diag, NO_SPAN, DIAG_E1390,
                    "a basic step of 2^-%d could not be made", halvings);
    arena_free(work);
    return fine;
}
