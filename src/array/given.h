/* given.h - how the rows of an array depend on what is given in it.
 *
 * Unknowns of other parts and inputs are functions of time in an array. Rows of
 * F_k have their derivatives; with E_l, the Taylor coefficients of the
 * derivative of f by u^(s), that of row i by u^(q) is i!/(q - s)! E_(i-q+s).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_GIVEN_H
#define TAKT_ARRAY_GIVEN_H

#include "array/array.h"

typedef struct GivenEntry {
    int row, which; /* var[which] */
    int order;      /* s */
} GivenEntry;

typedef struct ArrayGiven {
    Array *a;
    int n;
    int *var;  /* of the Sys */
    int *most; /* highest derivative of each in f */
    GivenEntry *entry;
    int nentry;
    Taylor *taylor; /* root e: E of entry e */
} ArrayGiven;

/* What is given in the array. NULL: f has no derivative by it. */
ArrayGiven *array_given(Array *a, Arena *arena);
/* Evaluates at (t, z); then the derivative of F_k by derivative q of var[which]
 * in column[(k+1) n]. */
void given_values(ArrayGiven *g, int k, double t, const double *z);
void given_column(const ArrayGiven *g, int k, int which, int q, double *column);

#endif
