/* matrices.h - small pencils for the tests, written by rows. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_TUNE_MATRICES_H
#define TAKT_TESTS_TUNE_MATRICES_H

#include "tune/pencil.h"

/* nsample matrices Df, each by rows; L is the identity on the nx states. */
PencilSet *pencil_rows(int n, int nx, int nsample, const double *df,
                       Arena *arena);
/* Places kept: all but (i, j) of the given pairs, which must be there. */
bool *keep_without(const PencilSet *p, int npair, const int (*pair)[2],
                   Arena *arena);
/* Is the place (i, j) kept? */
bool is_kept(const PencilSet *p, const bool *keep, int i, int j);

/* Schiela's (4.1): a tiny algebraic coupling replaces alpha by gamma. */
PencilSet *schiela_4_1(double alpha, double beta, double gamma, double eps,
                       Arena *arena);

#endif
