/* blt_internal.h - the order of rows and columns, for matrix and graphs. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REPORT_BLT_INTERNAL_H
#define TAKT_REPORT_BLT_INTERNAL_H

#include "report/blt.h"

/* Position p is row p and column p. Inside of a block the chain comes first,
 * then residuals and iteration variables. */
typedef struct Order {
    const Schedule *s;
    const Sources *sources;
    int n;
    int *eqn;      /* by position: equation of the system */
    int *var;      /* by position: entry of the Inlined table */
    int *block;    /* by position */
    bool *is_torn; /* by position: residual and iteration variable */
    int *first;    /* by block, size nblock + 1: its first position */
    int *place;    /* by entry: position, NONE for known ones */
    Arena *arena;
} Order;

Order blt_arrange(const Schedule *s, const Sources *sources, Arena *arena);
const InlinedEqn *blt_equation(const Order *o, int position);
/* "u = R*i" and "circuit.mo:7: u = R*i;", for pointing at a row. */
const char *blt_tip(const Order *o, int position);
void blt_matrix(const Order *o, FILE *out); /* an <svg> element */

#endif
