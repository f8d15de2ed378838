/* lagrange.c - weights of a polynomial. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/lagrange.h"

void lagrange_weights(const double *node, int n, double x, double *value,
                      double *slope)
{
    for (int i = 0; i < n; i++) {
        value[i] = 1;
        slope[i] = 0;
        for (int j = 0; j < n; j++) {
            if (j == i)
                continue;
            double by = node[i] - node[j];
            slope[i] = (slope[i] * (x - node[j]) + value[i]) / by;
            value[i] *= (x - node[j]) / by;
        }
    }
}
