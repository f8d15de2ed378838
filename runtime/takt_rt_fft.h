/* takt_rt_fft.h - the spectrum of a real signal.
 *
 * X_k = sum_j u_j exp(-2 pi i j k/n), k = 0 .. n/2. With n = p q and j = r + p
 * s
 *
 *     X_k = sum_r exp(-2 pi i r k/n) A_r(k mod q)
 *     A_r(m) = sum_s u_(r + p s) exp(-2 pi i s m/q)
 *
 * where A_r(q - m) is the conjugate of A_r(m). Both sums by Horner's rule; p is
 * the factor of n, up to 64, that takes least. Amplitudes are |X_k|/(n/2 + 1),
 * as those of the functions of Modelica.Math are. C99.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_FFT_H
#define TAKT_RT_FFT_H

#include <math.h>

enum { TAKT_FFT_MOST = 64 };

/* p, and how many terms its sums have. n is even. */
static inline int takt_fft_factor(int n, double *terms)
{
    int best = 2;
    for (int p = 2; p <= TAKT_FFT_MOST && p <= n; p++) {
        const double most = (n / best / 2 + 1.0) * n + (n / 2 + 1.0) * best;
        const double now = (n / p / 2 + 1.0) * n + (n / 2 + 1.0) * p;
        best = n % p == 0 && now < most ? p : best;
    }
    *terms = (n / best / 2 + 1.0) * n + (n / 2 + 1.0) * best;
    return best;
}

/* X_k of A_r, or, with side -1, of their conjugates. */
static inline void takt_fft_bin(int n, int p, int k, double side,
                                const double *a, double *y)
{
    const int nf = n / 2 + 1;
    const double turn = 6.283185307179586476925;
    const double c = 2 * k == n ? -1 : cos(turn * k / n);
    const double s = 2 * k == n ? 0 : -sin(turn * k / n);
    double re = 0, im = 0;
    for (int r = p - 1; r >= 0; r--) {
        const double x = re * c - im * s + a[2 * r];
        im = re * s + im * c + side * a[2 * r + 1];
        re = x;
    }
    y[1 + k] = sqrt(re * re + im * im) / nf;
    y[1 + nf + k] = atan2(im, re);
}

/* y[0] = 0: it went well; then the amplitudes and the phases, rad. n is even.
 */
static inline void takt_fft(int n, const double *u, double *y)
{
    const double turn = 6.283185307179586476925;
    double a[2 * TAKT_FFT_MOST], terms;
    const int p = takt_fft_factor(n, &terms), q = n / p;
    y[0] = 0;
    for (int m = 0; 2 * m <= q; m++) {
        const double c = 2 * m == q ? -1 : cos(turn * m / q);
        const double s = 2 * m == q ? 0 : -sin(turn * m / q);
        for (int r = 0; r < p; r++) {
            double re = 0, im = 0;
            for (int j = q - 1; j >= 0; j--) {
                const double x = re * c - im * s + u[r + p * j];
                im = re * s + im * c;
                re = x;
            }
            a[2 * r] = re;
            a[2 * r + 1] = im;
        }
        for (int k = m; 2 * k <= n; k += q)
            takt_fft_bin(n, p, k, 1, a, y);
        for (int k = q - m; m > 0 && 2 * m < q && 2 * k <= n; k += q)
            takt_fft_bin(n, p, k, -1, a, y);
    }
}

#endif
