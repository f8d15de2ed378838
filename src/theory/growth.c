/* growth.c - what one step of a method makes of a mode, as a number. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "base/lapack.h"
#include "theory/theory.h"

enum { MOST_STAGES = 64 };

/* R(z) = 1 + z b' (I - z A)^-1 1 (Hairer, Wanner II, IV.3). */
static double growth_rk(const Method *m, double complex z)
{
    int n = m->nstage;
    double complex w[MOST_STAGES][MOST_STAGES + 1];
    if (n > MOST_STAGES)
        return 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            w[i][j] = (i == j) - z * m->a[i * n + j];
        w[i][n] = 1;
    }
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (cabs(w[i][k]) > cabs(w[p][k]))
                p = i;
        if (!(cabs(w[p][k]) > 0))
            return INFINITY;
        for (int j = k; j <= n; j++) {
            double complex t = w[k][j];
            w[k][j] = w[p][j];
            w[p][j] = t;
        }
        for (int i = 0; i < n; i++) {
            double complex f = w[i][k] / w[k][k];
            for (int j = k; i != k && f != 0 && j <= n; j++)
                w[i][j] -= f * w[k][j];
        }
    }
    double complex r = 1;
    for (int i = 0; i < n; i++)
        r += z * m->b[i] * w[i][n] / w[i][i];
    return cabs(r);
}

/* The largest root of sum (alpha_k - z beta_k) zeta^(m-k), which one-leg
 * methods have too: eigenvalues of the companion matrix. */
static double growth_multistep(const Method *m, double complex z)
{
    int n = m->nback;
    double complex a[MOST_STAGES * MOST_STAGES], root[MOST_STAGES], none[1];
    if (n > MOST_STAGES)
        return 1;
    double complex lead = m->alpha[0] - z * m->beta[0];
    if (!(cabs(lead) > 1e-14))
        return INFINITY;
    memset(a, 0, sizeof a);
    for (int k = 1; k <= n; k++)
        a[(k - 1) * n] = -(m->alpha[k] - z * m->beta[k]) / lead;
    for (int k = 1; k < n; k++)
        a[(k - 1) * n + k] = 1;
    int info = lapack()->zgeev(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, root, none,
                               1, none, 1);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        die("out of memory");
    double most = 0;
    for (int i = 0; info == 0 && i < n; i++)
        most = fmax(most, cabs(root[i]));
    return info == 0 ? most : 1;
}

double theory_growth(const Method *m, double re, double im)
{
    double complex z = re + im * I;
    double product = 1;
    switch (m->kind) {
    case MK_NONE: break;
    case MK_RK:
    case MK_ROSENBROCK: return growth_rk(m, z);
    case MK_MULTISTEP:
    case MK_ONELEG: return growth_multistep(m, z);
    case MK_CYCLE:
        for (int i = 0; i < m->npart; i++)
            product *= theory_growth(m->part[i], re, im);
        return pow(product, 1.0 / m->npart);
    }
    return 1;
}
