/* ring_peer.c - the ring modulator by a program that shares nothing with takt.
 *
 *   cc -O2 bench/ring_peer.c -lm -o ring && ./ring [STEPS [STOP]]
 *
 * The equations of the Test Set for Initial Value Problem Solvers and their
 * Jacobian, written by hand, and Gauss' collocation of order 8 with equal
 * steps: nodes and coefficients are computed here. Newton's iteration with one
 * dense matrix for all stages, residuals in long double. Prints CSV as
 * bench/ring_reference.sh does.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 15, S = 4, M = N * S, MOST = 30 };

typedef long double Real;

static const Real C = 1.6e-8L, Cs = 2e-12L, Cp = 1e-8L, Lh = 4.45L;
static const Real Ls1 = 0.002L, Ls2 = 5e-4L, Ls3 = 5e-4L;
static const Real Gamma = 40.67286402e-9L, Delta = 17.7493332L;
static const Real R = 25e3L, Rp = 50, Rg1 = 36.3L, Rg2 = 17.3L, Rg3 = 17.3L;
static const Real Ri = 50, Rc = 600, Pi = 3.14159265358979323846L;

/* ---- the circuit ---- */

/* How the voltage of each diode depends on y, and the carrier. */
static const struct {
    int y[3], sign[3], carrier;
} diode[4] = {{{2, 4, 6}, {1, -1, -1}, -1},
              {{3, 5, 6}, {-1, 1, -1}, -1},
              {{3, 4, 6}, {1, 1, 1}, 1},
              {{2, 5, 6}, {-1, -1, 1}, 1}};
/* Its current in the rows 2 to 6. */
static const int into[4][5] = {
    {-1, 0, 1, 0, 1}, {0, 1, 0, -1, 1}, {0, -1, -1, 0, -1}, {1, 0, 0, 1, -1}};

static Real voltage(int k, const Real *y, Real carrier)
{
    Real u = diode[k].carrier * carrier;
    for (int i = 0; i < 3; i++)
        u += diode[k].sign[i] * y[diode[k].y[i]];
    return u;
}

static void slopes(Real t, const Real *y, Real *f)
{
    Real in1 = 0.5L * sinl(2000 * Pi * t), in2 = 2 * sinl(20000 * Pi * t);
    Real sum[5] = {y[9], -y[10], y[11], -y[12], -y[6] / Rp};
    for (int k = 0; k < 4; k++) {
        Real q = Gamma * expm1l(Delta * voltage(k, y, in2));
        for (int i = 0; i < 5; i++)
            sum[i] += into[k][i] * q;
    }
    for (int i = 0; i < 5; i++)
        f[2 + i] = sum[i] / (i < 4 ? Cs : Cp);
    f[0] = (y[7] - 0.5L * y[9] + 0.5L * y[10] + y[13] - y[0] / R) / C;
    f[1] = (y[8] - 0.5L * y[11] + 0.5L * y[12] + y[14] - y[1] / R) / C;
    f[7] = -y[0] / Lh;
    f[8] = -y[1] / Lh;
    f[9] = (0.5L * y[0] - y[2] - Rg2 * y[9]) / Ls2;
    f[10] = (-0.5L * y[0] + y[3] - Rg3 * y[10]) / Ls3;
    f[11] = (0.5L * y[1] - y[4] - Rg2 * y[11]) / Ls2;
    f[12] = (-0.5L * y[1] + y[5] - Rg3 * y[12]) / Ls3;
    f[13] = (-y[0] + in1 - (Ri + Rg1) * y[13]) / Ls1;
    f[14] = (-y[1] - (Rc + Rg1) * y[14]) / Ls1;
}

/* By differences where it is linear, by hand where it is not. */
static void jacobian(Real t, const Real *y, double J[N][N])
{
    static Real linear[N][N];
    static int known;
    if (!known) { /* at y = 0 the diodes have the slope Gamma Delta */
        Real zero[N] = {0}, f0[N], f1[N], e[N] = {0};
        slopes(0, zero, f0);
        for (int j = 0; j < N; j++) {
            Real d = j >= 2 && j <= 6 ? 1e-9L : 1;
            e[j] = d;
            slopes(0, e, f1);
            for (int i = 0; i < N; i++)
                linear[i][j] = (f1[i] - f0[i]) / d;
            e[j] = 0;
        }
        known = 1;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            J[i][j] = (double)linear[i][j];
    Real in2 = 2 * sinl(20000 * Pi * t);
    for (int k = 0; k < 4; k++) {
        Real g = Gamma * Delta * expm1l(Delta * voltage(k, y, in2));
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 3; j++)
                J[2 + i][diode[k].y[j]] +=
                    (double)(into[k][i] * diode[k].sign[j] * g /
                             (i < 4 ? Cs : Cp));
    }
}

/* ---- collocation ---- */

static Real node[S], weight[S], a[S][S];

/* The integral from 0 to x of the polynomial that is 1 at node j. */
static Real integral(int j, Real x)
{
    Real p[S + 1] = {1}, sum = 0;
    int n = 0;
    for (int k = 0; k < S; k++) {
        if (k == j)
            continue;
        for (int i = ++n; i >= 0; i--)
            p[i] = ((i > 0 ? p[i - 1] : 0) - node[k] * (i < n ? p[i] : 0)) /
                   (node[j] - node[k]);
    }
    for (int i = 0; i <= n; i++)
        sum += p[i] * powl(x, i + 1) / (i + 1);
    return sum;
}

static void find_coefficients(void)
{
    for (int k = 0; k < S; k++) { /* roots of Legendre's polynomial */
        Real x = cosl(Pi * (k + 0.75L) / (S + 0.5L));
        for (int n = 0; n < 50; n++) {
            Real p0 = 1, p1 = x;
            for (int j = 2; j <= S; j++) {
                Real p2 = ((2 * j - 1) * x * p1 - (j - 1) * p0) / j;
                p0 = p1;
                p1 = p2;
            }
            x -= p1 * (x * x - 1) / (S * (x * p1 - p0));
        }
        node[k] = (1 - x) / 2;
    }
    for (int j = 0; j < S; j++) {
        weight[j] = integral(j, 1);
        for (int i = 0; i < S; i++)
            a[i][j] = integral(j, node[i]);
    }
}

static double lu[M][M];
static int pivot[M];

static void factorise(void)
{
    for (int k = 0; k < M; k++) {
        int best = k;
        for (int i = k + 1; i < M; i++)
            if (fabs(lu[i][k]) > fabs(lu[best][k]))
                best = i;
        pivot[k] = best;
        for (int j = 0; best != k && j < M; j++) {
            double x = lu[k][j];
            lu[k][j] = lu[best][j];
            lu[best][j] = x;
        }
        for (int i = k + 1; i < M; i++) {
            double f = lu[i][k] /= lu[k][k];
            for (int j = k + 1; f != 0 && j < M; j++)
                lu[i][j] -= f * lu[k][j];
        }
    }
}

static void solve(double *x)
{
    for (int k = 0; k < M; k++) {
        double p = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = p;
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < i; j++)
            x[i] -= lu[i][j] * x[j];
    for (int i = M - 1; i >= 0; i--) {
        for (int j = i + 1; j < M; j++)
            x[i] -= lu[i][j] * x[j];
        x[i] /= lu[i][i];
    }
}

/* Slopes F of the stages: F_i = f(t + c_i h, y + h sum a_ij F_j). */
static int step(Real t, Real *y, Real h, Real F[S][N])
{
    double J[N][N], d[M];
    jacobian(t + h / 2, y, J);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            lu[i][j] =
                (i == j) - (double)(h * a[i / N][j / N]) * J[i % N][j % N];
    factorise();
    for (int n = 0; n < MOST; n++) {
        double most = 0;
        for (int i = 0; i < S; i++) {
            Real x[N], f[N];
            for (int k = 0; k < N; k++) {
                x[k] = y[k];
                for (int j = 0; j < S; j++)
                    x[k] += h * a[i][j] * F[j][k];
            }
            slopes(t + node[i] * h, x, f);
            for (int k = 0; k < N; k++)
                d[i * N + k] = (double)(F[i][k] - f[k]);
        }
        solve(d);
        for (int i = 0; i < M; i++) {
            F[i / N][i % N] -= d[i];
            most = fmax(most, fabs(d[i]) * (double)h);
        }
        if (most < 1e-17) {
            for (int k = 0; k < N; k++)
                for (int j = 0; j < S; j++)
                    y[k] += h * weight[j] * F[j][k];
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 524288;
    Real stop = argc > 2 ? strtold(argv[2], NULL) : 1e-3L, y[N] = {0};
    Real F[S][N];
    memset(F, 0, sizeof F);
    if (n <= 0 || !(stop > 0))
        return 2;
    find_coefficients();
    for (long k = 0; k < n; k++)
        if (!step(stop * k / n, y, stop / n, F)) {
            fprintf(stderr, "no solution in step %ld\n", k);
            return 1;
        }
    printf("time");
    for (int i = 0; i < N; i++)
        printf(",\"y[%d]\"", i + 1);
    printf("\n%.17Lg", stop);
    for (int i = 0; i < N; i++)
        printf(",%.19Lg", y[i]);
    printf("\n");
    return 0;
}
