/* lagrange.h - the polynomial through values at some nodes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_LAGRANGE_H
#define TAKT_NUM_LAGRANGE_H

/* Weights of the values at the n nodes for the value and the slope at x. */
void lagrange_weights(const double *node, int n, double x, double *value,
                      double *slope);

#endif
