/* pendulum.c - f(x', x, t) = 0 in C: a pendulum in x and y, index 3, two of
 * whose rows are turned into each other by an angle that grows, so that
 * structure sees nothing of it. takt index PendulumInC.mo --external */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

enum { X, Y, VX, VY, LAM };

void pendulum_f(double t, const double *x, const double *dx, double *f)
{
    const double g = 9.81, c = cos(0.7 * t), s = sin(0.7 * t);
    double force[2], length = -1;
    for (int i = 0; i < 2; i++) {
        f[i] = dx[X + i] - x[VX + i];
        force[i] = dx[VX + i] + x[LAM] * x[X + i];
        length += pow(x[X + i], 2);
    }
    f[2] = c * force[0] + s * length;
    f[3] = c * length - s * force[0];
    f[4] = force[1] + g;
}
