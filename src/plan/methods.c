/* methods.c - the tables of the methods that takt knows by name.
 *
 * Runge-Kutta tableaux are written by rows: a_11 ... a_1s, ..., b_1 ... b_s;
 * multistep methods as alpha_0 ... alpha_k, beta_0 ... beta_k. Everything else
 * (c, flags, error constant) follows from them in method.c.
 *
 * Radau IIA and Lobatto IIIC: Cellier, Kofman 8.3; Hairer, Wanner II, IV.5.
 * HW-SDIRK(3)4: P8.1 there; IV.6 (6.16). Adams-Moulton 3: (8.26).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/method_internal.h"

#define SQRT6 2.4494897427831780981972840747

static const double fe[] = {0, 1};
static const double be[] = {1, 1};
static const double midpoint[] = {0.5, 1};
static const double trapezoid[] = {0, 0, 0.5, 0.5, 0.5, 0.5};
static const double rk2[] = {0, 0, 1, 0, 0.5, 0.5};
static const double rk3[] = {0, 0, 0, 0.5, 0, 0, -1, 2, 0,
                             1.0 / 6, 2.0 / 3, 1.0 / 6};
static const double rk4[] = {0, 0,   0,       0,       0.5,     0,
                             0, 0,   0,       0.5,     0,       0,
                             0, 0,   1,       0,       1.0 / 6, 1.0 / 3,
                             1.0 / 3, 1.0 / 6};
static const double radau3[] = {5.0 / 12, -1.0 / 12, 0.75, 0.25, 0.75, 0.25};
#define RADAU5_LAST (16 - SQRT6) / 36, (16 + SQRT6) / 36, 1.0 / 9
static const double radau5[] = {(88 - 7 * SQRT6) / 360,
                                (296 - 169 * SQRT6) / 1800,
                                (-2 + 3 * SQRT6) / 225,
                                (296 + 169 * SQRT6) / 1800,
                                (88 + 7 * SQRT6) / 360,
                                (-2 - 3 * SQRT6) / 225,
                                RADAU5_LAST,
                                RADAU5_LAST};
static const double lobatto4[] = {1.0 / 6, -1.0 / 3, 1.0 / 6,
                                  1.0 / 6, 5.0 / 12, -1.0 / 12,
                                  1.0 / 6, 2.0 / 3,  1.0 / 6,
                                  1.0 / 6, 2.0 / 3,  1.0 / 6};
#define SDIRK4_LAST 25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 0.25
static const double sdirk4[] = {0.25, 0, 0, 0, 0,
                                0.5, 0.25, 0, 0, 0,
                                17.0 / 50, -1.0 / 25, 0.25, 0, 0,
                                371.0 / 1360, -137.0 / 2720, 15.0 / 544, 0.25,
                                0,
                                SDIRK4_LAST,
                                SDIRK4_LAST};
static const double sdirk4_hat[] = {59.0 / 48, -17.0 / 96, 225.0 / 32,
                                    -85.0 / 12, 0};

static const double bdf1[] = {1, -1, 1, 0};
static const double bdf2[] = {1, -4.0 / 3, 1.0 / 3, 2.0 / 3, 0, 0};
static const double bdf3[] = {1, -18.0 / 11, 9.0 / 11, -2.0 / 11,
                              6.0 / 11, 0, 0, 0};
static const double bdf4[] = {1, -48.0 / 25, 36.0 / 25, -16.0 / 25, 3.0 / 25,
                              12.0 / 25, 0, 0, 0, 0};
static const double bdf5[] = {1, -300.0 / 137, 300.0 / 137, -200.0 / 137,
                              75.0 / 137, -12.0 / 137,
                              60.0 / 137, 0, 0, 0, 0, 0};
static const double am3[] = {1, -1, 0, 5.0 / 12, 8.0 / 12, -1.0 / 12};

const MethodSpec method_spec[] = {
    {"fe", "forward Euler", MK_RK, 1, 1, 1, fe, NULL, {0}, 0},
    {"rk2", "Runge-Kutta of order 2 (Heun)", MK_RK, 2, 2, 1, rk2, NULL, {0}, 0},
    {"rk3", "Runge-Kutta of order 3 (Kutta)", MK_RK, 3, 3, 1, rk3, NULL, {0},
     0},
    {"rk4", "Runge-Kutta of order 4", MK_RK, 4, 4, 1, rk4, NULL, {0}, 0},
    {"be", "backward Euler", MK_RK, 1, 1, 1, be, NULL, {0}, 0},
    {"bdf1", "BDF of order 1", MK_MULTISTEP, 1, 1, 1, bdf1, NULL, {0}, 0},
    {"bdf2", "BDF of order 2", MK_MULTISTEP, 2, 2, 2, bdf2, NULL, {"radau3"},
     0},
    {"bdf3", "BDF of order 3", MK_MULTISTEP, 3, 3, 3, bdf3, NULL, {"radau5"},
     0},
    {"bdf4", "BDF of order 4", MK_MULTISTEP, 4, 4, 4, bdf4, NULL, {"radau5"},
     0},
    {"bdf5", "BDF of order 5", MK_MULTISTEP, 5, 5, 5, bdf5, NULL, {"radau5"},
     0},
    {"trapezoid", "trapezoidal rule", MK_RK, 2, 2, 2, trapezoid, NULL, {0}, 0},
    {"midpoint", "implicit midpoint rule", MK_RK, 1, 2, 1, midpoint, NULL, {0},
     0},
    {"bi2", "BI2: forward and backward Euler in turn", MK_CYCLE, 2, 2, 1, NULL,
     NULL, {"fe", "be"}, 0},
    {"radau3", "Radau IIA of order 3", MK_RK, 2, 3, 2, radau3, NULL, {0}, 0},
    {"radau5", "Radau IIA of order 5", MK_RK, 3, 5, 3, radau5, NULL, {0}, 0},
    {"lobatto4", "Lobatto IIIC of order 4", MK_RK, 3, 4, 2, lobatto4, NULL, {0},
     0},
    {"sdirk4", "HW-SDIRK(3)4", MK_RK, 5, 4, 1, sdirk4, sdirk4_hat, {0}, 0},
    {"am3", "Adams-Moulton of order 3, two solves", MK_MULTISTEP, 2, 3, 3, am3,
     NULL, {"radau3"}, METHOD_REEVALUATE},
    {"lie", "linearly implicit Euler", MK_RK, 1, 1, 1, be, NULL, {0},
     METHOD_LINEARLY},
    {"liex2", "linearly implicit extrapolation of order 2", MK_RK, 2, 2, 1,
     NULL, NULL, {0}, METHOD_EXTRAPOLATION},
    {"liex3", "linearly implicit extrapolation of order 3", MK_RK, 3, 3, 1,
     NULL, NULL, {0}, METHOD_EXTRAPOLATION},
    {"liex4", "linearly implicit extrapolation of order 4", MK_RK, 4, 4, 1,
     NULL, NULL, {0}, METHOD_EXTRAPOLATION},
    {"liex5", "linearly implicit extrapolation of order 5", MK_RK, 5, 5, 1,
     NULL, NULL, {0}, METHOD_EXTRAPOLATION},
    {"liex6", "linearly implicit extrapolation of order 6", MK_RK, 6, 6, 1,
     NULL, NULL, {0}, METHOD_EXTRAPOLATION},
    {"none", "no integration: the model as it is", MK_NONE, 0, 0, 0, NULL, NULL,
     {0}, 0},
};
const int method_nspec = sizeof method_spec / sizeof *method_spec;
