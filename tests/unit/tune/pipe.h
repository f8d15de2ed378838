/* pipe.h - the exhaust pipe of Loderer and Heuveline, as matrices.
 *
 * Their equations (16) to (18) on five cells: three mass fractions, gas and
 * wall temperature in each, upwind for what flows and central differences in
 * the wall. Order of the states: w[1,1], w[1,2], w[1,3], w[2,1], ..., TB[1..5],
 * TC[1..5]. Loderer (2017) prints no parameters; these are fitted to its
 * spectrum.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_TUNE_PIPE_H
#define TAKT_TESTS_TUNE_PIPE_H

#include "tune/pencil.h"

enum { PIPE_N = 25, PIPE_CELLS = 5 };

/* One sample: a cold wall, the gas in its quasi-steady state. */
PencilSet *pipe_pencil(Arena *arena);
/* The sparsing of Loderer (2017): lower bidiagonal, the wall explicit. */
void pipe_bidiagonal(const PencilSet *p, bool *keep);

#endif
