/* quad.h - a model in quadruple precision, at the desk.
 *
 *   in    Sim, initialised, whose tape has the model as F(t, y, y') = 0
 *   out   F and its derivatives with 33 digits; runs of two families of
 * methods; the orders of extrapolation, measured
 *
 * The tape is data: what runs it in double precision elsewhere (tape/exec.h)
 * does so here with another type of numbers. The methods are written over F,
 * not inlined, so that they are independent of the steps they judge:
 *
 *   extrapolation  linearly implicit Euler, y_{i+1} = y_i + d with
 *                  (F_y'/h + J) d = -F(t_{i+1}, y_i, 0), on a harmonic sequence
 *   radau          Radau IIA of s stages, order 2s - 1, by collocation
 *
 * Numbers of the model count as the decimals that their doubles show: 0.1 is
 * 0.1 and not the double next to it. What was computed of them before there is
 * a tape (cos(pi/4) in a declaration) has the digits of a double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_QUAD_QUAD_H
#define TAKT_QUAD_QUAD_H

#include "sim/sim.h"

#ifdef __SIZEOF_FLOAT128__
typedef __float128 Quad;
#else
typedef long double Quad; /* where it has 113 bits; else quad_new() refuses */
#endif

typedef struct QuadModel {
    const Tape *tape;
    const LoweredReference *ref;
    Quad *r;                /* the slots */
    bool has_constant_mass; /* dF/dy' is made of numbers */
    int n, nx;    /* unknowns y; the first nx are states and have y' */
    Quad start;   /* time */
    Quad *y, *yp; /* consistent there; yp has nx numbers */
    Quad *a, *b; /* dF/dy and dF/dy' after quad_jacobian(): n x n, by columns */
    long evaluations;
    Arena *arena;
} QuadModel;

/* NULL after a report (E1390): the model has events, inputs, delays, or
 * functions that are known in double precision only. Lives in `arena`. */
QuadModel *quad_new(const Sim *sim, Arena *arena, Diag *diag);
/* f[n] = F(t, y, yp); yp NULL: 0 */
void quad_eval(QuadModel *m, Quad t, const Quad *y, const Quad *yp, Quad *f);
void quad_jacobian(QuadModel *m, Quad t, const Quad *y, const Quad *yp);
/* Algebraic unknowns and y' from the states. False if Newton does not get
 * there.
 */
bool quad_solve_model(QuadModel *m, Quad t, Quad *y, Quad *yp);
/* The decimal that a double shows. */
Quad quad_decimal(double x);
/* 34 digits. */
const char *quad_text(Quad x, Arena *arena);
Quad quad_abs(Quad x);

/* ---- linear.c ---- */
/* LU with row exchanges in place, by columns; false: singular. */
bool quad_factor(int n, Quad *a, int *pivot);
void quad_solve(int n, const Quad *a, const int *pivot, Quad *x);

/* ---- extrapolate.c ---- */
/* Can the model be extrapolated: is it linear in y'? False after a report. */
bool quad_is_linear(QuadModel *m, Diag *diag);
enum { QUAD_ROWS = 14 };

/* Factors of the parts of the Jacobian: 11 is that of the equations with y' by
 * the states. All 1: exact. */
typedef struct QuadParts {
    double f11, f12, f21, f22;
} QuadParts;

/* One basic step of length h from (t, y): table[j][k] (0 <= k <= j < rows) gets
 * n numbers each. False if a matrix is singular. */
bool quad_tableau(QuadModel *m, Quad t, const Quad *y, Quad h, int rows,
                  const QuadParts *parts, Quad *table[QUAD_ROWS][QUAD_ROWS]);

/* ---- radau.c ---- */
enum { QUAD_STAGES = 8 };

typedef struct QuadRadau {
    int s;
    Quad c[QUAD_STAGES], a[QUAD_STAGES * QUAD_STAGES]; /* by rows */
} QuadRadau;

/* Radau IIA of s stages, by collocation. */
QuadRadau quad_radau(int s);
/* From (t, y, yp) to t + h in place. False if Newton does not get there. */
bool quad_radau_step(QuadModel *m, const QuadRadau *k, Quad t, Quad h, Quad *y,
                     Quad *yp);

/* ---- run.c ---- */
typedef enum QuadFamily { QUAD_EXTRAPOLATION, QUAD_RADAU } QuadFamily;

typedef struct QuadOptions {
    QuadFamily family;
    int size; /* rows, or stages; 0: 12, 7 */
    double
        tolerance; /* local, of each step: relative to the largest |y| so far */
    double stop;
    long most; /* steps; 0: a million */
} QuadOptions;

typedef struct QuadStats {
    long steps, rejected, evaluations;
    int order;
} QuadStats;

/* To the end, with m->y there. False after a report. */
bool quad_run(QuadModel *m, const QuadOptions *o, QuadStats *stats, Diag *diag);

/* ---- orders.c ---- */
/* Slopes of the error of one basic step, of each entry at the smallest H at
 * which it stands out from rounding. */
typedef struct QuadOrders {
    const char *name;
    QuadParts parts;
    double x[QUAD_ROWS][QUAD_ROWS]; /* of X_jk: r + 1 */
    double z[QUAD_ROWS][QUAD_ROWS]; /* of Y_jk: s */
    double apart;    /* largest difference of two slopes in a row */
    double constant; /* smallest error over H^slope: it does not vanish */
} QuadOrders;

enum { QUAD_CASES = 6 };

/* The cases of Schiela 2002, theorem 3.4: exact, ..., all perturbed. H is
 * 2^-halvings, and 13 times halved. With solve_end the algebraic unknowns are
 * solved for at the end. False after a report. */
bool quad_orders(QuadModel *m, int rows, int halvings, bool solve_end,
                 QuadOrders out[QUAD_CASES], Diag *diag);

#endif
