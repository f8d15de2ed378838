/* arm.c - a chain of 10 elastic joints with motors, a DAE of 50 unknowns.
 *
 * Of each joint: angle and speed of the link (q, w), angle and speed of the
 * motor (m, v), and the torque of the gear between them, which is algebraic:
 *
 *   q' = w                J w' = tau - tau_next - g sin q - c w
 *   m' = v                M v' = k (ref(t) - m) - d v - tau
 *   0  = S (m - q) + D (v - w) - tau
 *
 * Unknown 5 i + 0 .. 4 is q, w, m, v, tau of joint i. Because every link
 * carries those that follow, its angle acts a little on all before it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "model.h"

enum { JOINTS = MODEL_N / 5 };

/* x - x^3/6 + x^5/120: enough for the swings of this arm, the same work always
 */
static takt_rt_real sine(takt_rt_real x)
{
    return x * (1 - x * x / 6 * (1 - x * x / 20));
}

static int rhs(void *user, takt_rt_real t, const takt_rt_real *x,
               takt_rt_real *f)
{
    takt_rt_real carried = 0;
    (void)user;
    for (int i = JOINTS - 1; i >= 0; i--) {
        const takt_rt_real *u = x + 5 * i;
        const takt_rt_real next = i < JOINTS - 1 ? u[5 + 4] : 0;
        carried += (takt_rt_real)0.05 * sine(u[0]);
        f[5 * i + 0] = u[1];
        f[5 * i + 1] = u[4] - next - carried - u[1] / 10;
        f[5 * i + 2] = u[3];
        f[5 * i + 3] = 400 * (sine(t) / 5 - u[2]) - 10 * u[3] - u[4];
        f[5 * i + 4] = 2000 * (u[2] - u[0]) + 2 * (u[3] - u[1]) - u[4];
    }
    return 0;
}

const TaktRtModel model = {.n = MODEL_N, .rhs = rhs};

void model_start(takt_rt_real *x)
{
    for (int i = 0; i < MODEL_N; i++)
        x[i] = 0;
}

/* L: ones, inertias, and nothing in the rows of the torques. */
void model_setup(TaktRtSetup *s)
{
    static int place[4 * JOINTS];
    static double value[4 * JOINTS];
    s->nl = 4 * JOINTS;
    for (int k = 0; k < s->nl; k++) {
        place[k] = 5 * (k / 4) + k % 4;
        value[k] = k % 4 == 1 ? 0.2 : k % 4 == 3 ? 0.1 : 1;
    }
    s->lrow = s->lcol = place;
    s->lvalue = value;
    s->spread = 0.3;
}
