/* color.h - groups of unknowns that no equation has two of.
 *
 *   in    Incidence   the pattern of a Jacobian
 *   out   Coloring    as few groups as a greedy search finds
 *
 * All columns of one group can be found by a single evaluation with all their
 * unknowns moved at once, or by one directional derivative (Curtis, Powell and
 * Reid, J. Inst. Maths Applics 13, 1974). At least as many groups are needed as
 * the longest equation has unknowns; a tridiagonal Jacobian needs 3, whatever
 * its size.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_COLOR_H
#define TAKT_GRAPH_COLOR_H

#include "graph/incidence.h"

typedef struct Coloring {
    int ncolor;
    int least; /* unknowns of the longest equation: no fewer is possible */
    const int *color; /* size nvar */
    const int *start; /* size ncolor+1: group c has the unknowns */
    const int *var;   /* var[start[c]] .. var[start[c+1]-1], ascending */
} Coloring;

/* Tries the source order and "largest first" (unknowns that meet most others)
 * and keeps the better. An unknown that occurs nowhere is of group 0. */
const Coloring *color_columns(const Incidence *inc, Arena *out);

/* Asserts that no equation has two unknowns of a group. */
void color_check(const Incidence *inc, const Coloring *c);

#endif
