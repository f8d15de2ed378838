/* told.h - results whose derivative is told and not found by differentiation.
 *
 *   in    a result of a function call, and the function that an annotation
 *         names as its derivative (Modelica 12.7.1), executed with ARG nodes
 *   out   a CALL with the value of the result, differentiated as told
 *   next  reduce/ takes the value alone once everything is differentiated
 *
 * The arguments of the CALL are the result itself and then the numbers that the
 * function was called with, which the derivative may read. Three kinds:
 *
 *   TOLD_OVER_TIME  the derivative over time is told. By its arguments the
 *                   result is differentiated as it is written. For functions
 *                   that leave Reals out (noDerivative): a position whose speed
 *                   is given, though it is not its derivative.
 *   TOLD_OF_RECORD  the same for functions that leave records out: a rotation
 *                   with its angular velocity, properties of a medium. Mostly
 *                   these agree, and what is told is the derivative of what is
 *                   written: who cannot be told may take that.
 *   TOLD_ALWAYS     partial derivatives are told too. For functions whose
 *                   algorithm has another derivative than its result: a search
 *                   by bisection has 0 almost everywhere. Where nobody tells
 *                   it, differences of values do.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TOLD_TOLD_H
#define TAKT_TOLD_TOLD_H

#include "expr/expr.h"

typedef enum ToldKind { TOLD_OVER_TIME, TOLD_OF_RECORD, TOLD_ALWAYS } ToldKind;

/* The derivatives of the results of a kind of call. All live as long as the
 * DAG. */
typedef struct Told {
    ToldKind kind;
    const char *name;   /* of the function, for readers */
    int narg;           /* numbers that it is called with */
    const Expr *formal; /* size narg: the ARG node of each */
    Expr *rate;         /* of its derivative; EXPR_NONE: none is asked for */
    const Expr *out;    /* of each result, by these; EXPR_NONE: it is no Real;
                           NULL: nobody told it */
} Told;

/* Result k, whose value is `value`, of the function called with arg[]. */
Expr told_result(Dag *d, const Told *t, int k, Expr value, const Expr *arg);

/* Is value[], differentiated as it is written, what differences of values say,
 * at points that have all of them? */
typedef enum ToldVerdict {
    TOLD_AS_WRITTEN, /* it is, or nobody can say */
    TOLD_RIGHT,      /* it is not, but what is told is */
    TOLD_NOT_AT_ALL  /* neither is; or nothing is told */
} ToldVerdict;
/* Where not, one example. */
typedef struct ToldPoint {
    int k; /* result */
    double slope, written;
} ToldPoint;
ToldVerdict told_judge(Dag *d, const Told *t, const Expr *value, int nvalue,
                       ToldPoint *p);
/* out[]: differences of value[] over the arguments, for those with a rate. */
const Expr *told_differences(Dag *d, const Told *t, const Expr *value,
                             int nvalue);

/* Is one of the first two kinds in `e`? */
bool told_has(const Dag *d, Expr e);
/* `e` with the values of those: nothing in it is told over time any more. */
Expr told_values(Dag *d, Expr e);
/* The same of records alone. */
Expr told_values_of_records(Dag *d, Expr e);

#endif
