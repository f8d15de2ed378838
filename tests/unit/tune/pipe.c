/* pipe.c - the Jacobian of the pipe, differentiated by hand. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pipe.h"

#include <math.h>

#define PI  3.14159265358979323846
#define RG  8.314462618
#define SIG 5.670374419e-8

static const double mdot = 0.02885, alBC = 38.57, alAC = 60.0, wall = 0.0008518,
                    lamC = 34.47, cp = 1154.0, Tin = 719.9, len = 0.158,
                    dia = 0.05603, pressure = 101300.0, mmol = 0.0288,
                    epsC = 0.8, rhoC = 7850.0, cC = 490.0, TC0 = 362.0;

static void set(double *df, int i, int j, double value)
{
    df[i + j * PIPE_N] += value;
}

PencilSet *pipe_pencil(Arena *arena)
{
    double AB = PI * dia * dia / 4, lB = PI * dia, lC = PI * (dia + 2 * wall),
           AC = PI * (dia + wall) * wall, dz = len / PIPE_CELLS;
    double l[PIPE_N * PIPE_N] = {0}, df[PIPE_N * PIPE_N] = {0};
    for (int i = 0; i < PIPE_N; i++)
        l[i + i * PIPE_N] = 1;
    double before = Tin;
    for (int i = 0; i < PIPE_CELLS; i++) {
        int TB = 15 + i, TC = 20 + i;
        /* TB' = 0 with TC = TC0 gives the gas temperature */
        double flow = mdot * cp / dz, heat = alBC * lB;
        double gas = (flow * before + heat * TC0) / (flow + heat);
        double wf = mdot / AB / dz / (pressure * mmol / (RG * gas));
        for (int k = 0; k < 3; k++) { /* inlet values: w equal, no d/dTB */
            set(df, 3 * i + k, 3 * i + k, -wf);
            if (i > 0)
                set(df, 3 * i + k, 3 * (i - 1) + k, wf);
        }
        double inertia = pressure / gas * (mmol * cp / RG - 1) * AB;
        set(df, TB, TB, -(flow + heat) / inertia);
        set(df, TB, TC, heat / inertia);
        if (i > 0)
            set(df, TB, TB - 1, flow / inertia);
        double c = rhoC * cC, wallflow = lamC / (dz * dz) / c;
        if (i > 0) {
            set(df, TC, TC - 1, wallflow);
            set(df, TC, TC, -wallflow);
        }
        if (i < PIPE_CELLS - 1) {
            set(df, TC, TC + 1, wallflow);
            set(df, TC, TC, -wallflow);
        }
        set(df, TC, TB, heat / AC / c);
        set(df, TC, TC,
            -(heat + alAC * lC + 4 * epsC * lC * SIG * pow(TC0, 3)) / AC / c);
        before = gas;
    }
    return pencil_from_dense(PIPE_N, PIPE_N, 1, l, df, arena);
}

void pipe_bidiagonal(const PencilSet *p, bool *keep)
{
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            bool is_wall = i >= 20;
            bool is_below = j < i && (i < 15 ? j == i - 3 : j == i - 1);
            keep[e] = !is_wall && (i == j || is_below);
        }
}
