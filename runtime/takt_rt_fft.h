/* takt_rt_fft.h - the spectrum of a real signal.
 *
 * X_k = sum_j u_j exp(-2 pi i j k/n), k = 0 .. n/2, by Horner's rule: n/2 + 1
 * times n products, whatever the factors of n, and no memory. Amplitudes are
 * |X_k|/(n/2 + 1), as those of the functions of Modelica.Math are. C99.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_FFT_H
#define TAKT_RT_FFT_H

#include <math.h>

/* y[0] = 0: it went well; then the amplitudes and the phases, rad. n is even.
 */
static inline void takt_fft(int n, const double *u, double *y)
{
    const int nf = n / 2 + 1;
    const double turn = 6.283185307179586476925;
    y[0] = 0;
    for (int k = 0; k < nf; k++) {
        const double c = 2 * k == n ? -1 : cos(turn * k / n);
        const double s = 2 * k == n ? 0 : -sin(turn * k / n);
        double re = 0, im = 0;
        for (int j = n - 1; j >= 0; j--) {
            const double x = re * c - im * s + u[j];
            im = re * s + im * c;
            re = x;
        }
        y[1 + k] = sqrt(re * re + im * im) / nf;
        y[1 + nf + k] = atan2(im, re);
    }
}

#endif
