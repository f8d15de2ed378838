/* slopes.h - slopes of cubics at the points of a table. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LUT_SLOPES_H
#define TAKT_LUT_SLOPES_H

#include "lut/lut.h"

/* slope[i] at each of n > 2 points, by a smoothness that has slopes. */
void slopes_find(Dag *d, const Expr *x, const Expr *y, int n,
                 LutSmoothness smoothness, Expr *slope, Arena *arena);
/* The derivatives zx, zy, zxy of Akima's surface through z[i * m + j], n and m
 * not both 2. */
void slopes_find2(Dag *d, const Expr *x, int n, const Expr *y, int m,
                  const Expr *z, Expr *zx, Expr *zy, Expr *zxy, Arena *arena);

#endif
