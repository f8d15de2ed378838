/* heat.c - heat in a rod of 50 volumes, as a C function.
 *
 *   T_i' = a ((T_{i-1} - T_i) + (T_{i+1} - T_i)) + b (Tenv^4 - T_i^4)
 *
 * The left end is held at *user kelvin, an input that may change between steps.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "model.h"

static int rhs(void *user, takt_rt_real t, const takt_rt_real *T,
               takt_rt_real *f)
{
    const takt_rt_real a = 250, b = (takt_rt_real)1e-9, env = 300;
    const takt_rt_real left = *(const takt_rt_real *)user;
    (void)t;
    for (int i = 0; i < MODEL_N; i++) {
        const takt_rt_real w = i > 0 ? T[i - 1] : left;
        const takt_rt_real e = i < MODEL_N - 1 ? T[i + 1] : T[i];
        f[i] = a * (w - 2 * T[i] + e) +
               b * (env * env * env * env - T[i] * T[i] * T[i] * T[i]);
    }
    return 0;
}

static takt_rt_real hot_end = 400;

const TaktRtModel model = {.n = MODEL_N, .rhs = rhs, .user = &hot_end};

void model_start(takt_rt_real *x)
{
    for (int i = 0; i < MODEL_N; i++)
        x[i] = 300;
}

/* L is the unit matrix; temperatures are some hundred kelvin. */
void model_setup(TaktRtSetup *s)
{
    static double size[MODEL_N];
    for (int i = 0; i < MODEL_N; i++)
        size[i] = 300;
    s->nominal = size;
}
