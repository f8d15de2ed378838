/* cells.h - the numbers of a value, one after the other: scalars of Real,
 * Integer, Boolean and enumerations, those of members of records in between.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_VALUE_CELLS_H
#define TAKT_VALUE_CELLS_H

#include "value/value.h"

int cells_count(const Value *v);
/* Both return how many there are. */
int cells_read(const Value *v, Expr *cell);
int cells_types(const Value *v, ExprType *type);
/* `v` with the numbers that *cell points to, which moves on. */
Value *cells_with(const Context *in, const Value *v, const Expr **cell,
                  FlatVariability variability);
/* Is there nothing but numbers in it? */
bool cells_are_all(const Value *v);
/* The same of all results of a call, which may be several. */
int cells_count_results(const Value *v);
void cells_read_results(const Value *v, Expr *out);
bool cells_are_all_results(const Value *v);

/* A call executed with ARG nodes for the numbers that only the run knows. */
typedef struct FormalCall {
    Value **arg;        /* of each variable of the function; NULL: none */
    const Expr *formal; /* all numbers of the arguments, */
    const Expr *cell;   /* EXPR_NONE: an ARG node is in its place */
    int ncell;
    const Expr *result; /* size nresult */
    int nresult;
} FormalCall;

#endif
