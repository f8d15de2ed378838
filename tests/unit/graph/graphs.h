/* graphs.h - graphs that several tests use. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_GRAPHS_H
#define TAKT_TESTS_GRAPHS_H

#include "graph/incidence.h"
#include "graph/tear.h"

/* From a drawing: one line per equation, one character per unknown. '.' does
 * not occur, 'x' occurs, 'o' can be solved for, 'h' too, with penalty 1; a
 * digit occurs with that weight and can be solved for. */
const Incidence *draw(const char *const *line, int neqn, Arena *out);

/* n equations, equation i with the unknowns i and i+1, the last with its own:
 * solved from the last to the first. Numbers are mixed if `shuffled`. */
const Incidence *chain(int n, bool shuffled, Arena *out);

/* side x side equations, each with its own and its four neighbours' unknowns,
 * all of class EDGE_CONSTANT: one block. */
const Incidence *grid(int side, Arena *out);

/* The heat equation on 50 points (Cellier and Kofman (8.112)) with an implicit
 * method of 1 stage (backward Euler) or 2 (Radau IIA(3)) and step h inlined:
 * unknowns x of each stage, then x' of each stage; equations x' = A x, then
 * those of the method, where solving for x' has a penalty. One point with
 * numbers. */
TearProblem heat(double h, int nstage, Arena *out);

double seconds(void);

#endif
