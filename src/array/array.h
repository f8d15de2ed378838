/* array.h - derivative arrays of a system of any index.
 *
 *   in    Sys      F(x', x, y, u, p, t) = 0 before its index is reduced
 *   out   Array    f and its derivatives by time up to order k, with Jacobians
 *   next  index.h      what the ranks of the Jacobian say
 *         complete.h   x' by least squares; consistent points
 *
 * All continuous unknowns of the system are x, one column each; a variable that
 * occurs with derivatives up to order s has columns x, der(x), ... of orders
 * 0 .. s-1 and rows der(x) = x' between them, so that the system is
 * f(x', x, t) = 0 with n rows and columns. Differentiated k times it is the
 * derivative array
 *
 *     F_k(x', w, x, t) = (f, df/dt, ..., d^k f/dt^k) = 0,   w = (x'', ...,
 * x^(k+1))
 *
 * (Campbell, Zhong 1994, (2)). With the Taylor coefficients A_l of f_x and B_l
 * of f_x' along the point, coefficient i of f has the derivative
 * A_{i-j} + j B_{i-j+1} by coefficient j of x: two sequences determine the
 * whole Jacobian. Rows and columns here are those of the derivatives
 * themselves, i! and j! times the coefficients: the least-squares solution
 * depends on the scaling of the rows.
 *
 * Discrete variables and parameters keep their values, and so do inputs unless
 * somebody gives their derivatives. Relations are those of the point, or held
 * (taylor_hold).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_ARRAY_H
#define TAKT_ARRAY_ARRAY_H

#include "array/taylor.h"
#include "base/diag.h"
#include "graph/signature.h"
#include "sys/sys.h"

enum { ARRAY_MOST = 9 }; /* k at most: index 8, and one more to be sure */

typedef struct ArrayColumn {
    int var, order; /* VAR(var, order) of the Sys */
    double nominal;
} ArrayColumn;

typedef struct ArrayRow {
    int eqn;    /* of the Sys; NONE: x' = next */
    int column; /* NONE, or of these rows: column' = next */
    int next;
} ArrayRow;

/* Entry k of f_x or f_x'. */
typedef struct ArrayEntry {
    int row, col;
    bool is_der; /* of f_x' */
    int root;    /* of the Taylor program; NONE: constant */
    double value;
} ArrayEntry;

/* The Taylor coefficients of input `var` at time t, to `degree`. */
typedef void ArrayInput(void *context, int var, double t, int degree,
                        double *coef);

/* Rows of F_k, row r of f differentiated up to limit[r] times (reduced.h). */
typedef struct ArrayRows {
    int k;
    int *limit; /* n, each at most k */
    int nrow;
    int *row;   /* nrow: order * n + r, ascending */
    int *place; /* (k+1) n: where a row stands, NONE */
} ArrayRows;

/* Some of the equations and as many of the unknowns: the others are given
 * functions of time there, as inputs are. */
typedef struct ArrayPart {
    int n;
    int *eqn, *var; /* of the Sys, ascending */
} ArrayPart;

typedef struct Array {
    Sys *sys;
    const SysEqn *eqn; /* of the Sys when the array was made */
    int nsys;          /* of these */
    int nvar;          /* variables of the Sys then */
    Dag *dag;
    int n; /* rows and columns of f */
    ArrayRow *row;
    ArrayColumn *col;
    Expr *residual; /* lhs - rhs of each row, EXPR_NONE: x' = next */
    ArrayEntry *entry;
    int nentry;
    int most;           /* k up to which it is made */
    double *value;      /* of the variables of the Sys that are no columns */
    bool *is_own;       /* of these: an unknown of the part; NULL: all are */
    int *column;        /* column of (var, order): column[first[var] + order] */
    int *first, *width; /* of each variable; width 0: no column */
    double span;        /* a time in which things happen: scale of t, > 0 */
    Taylor *taylor;
    ArrayInput *input; /* NULL: what is given keeps its values */
    void *input_context;
    const Incidence *sigma; /* structure: rows with an equation by variables, */
    int *unknown;           /* which are these */
    const Offsets *offsets; /* of it; NULL: it is singular */
    int neqn;               /* rows with an equation of the Sys come first */
    const ArrayRows *rows;  /* those that the Taylor program is limited to */
    long coefficients;      /* that were evaluated, of all points */
} Array;

/* The array of `sys`, which starts at t, up to k = most. Returns NULL after a
 * report: a discrete part that cannot be set apart, a function without
 * derivative, delay(). Adds expressions to the DAG. Lives in `arena`. */
Array *array_new(Sys *sys, double t, int most, Arena *arena, Diag *diag);
/* The same of a part. */
Array *array_new_part(Sys *sys, const ArrayPart *part, double t, int most,
                      Arena *arena, Diag *diag);

/* F_k at z: z[q * n + j] is derivative q of x_j, q = 0 .. k+1. f gets (k+1) n
 * numbers, row i * n + r: derivative i of row r. */
void array_residual(Array *a, int k, double t, const double *z, double *f);
/* The same, and the Jacobian by all of z: (k+1) n rows by (k+2) n columns, by
 * columns. `f` may be NULL. */
void array_jacobian(Array *a, int k, double t, const double *z, double *f,
                    double *jacobian);
/* The same for some of the rows: nrow numbers, nrow rows by (k+2) n columns. */
void array_residual_rows(Array *a, const ArrayRows *rows, double t,
                         const double *z, double *f);
void array_jacobian_rows(Array *a, const ArrayRows *rows, double t,
                         const double *z, double *f, double *jacobian);
/* Rows and columns of the Jacobian of F_k by nominal values and the span: those
 * of Taylor coefficients. */
void array_scale(const Array *a, int k, double *jacobian);
/* The largest row of F_k at (t, z) over the largest of its terms, in which a
 * derivative counts with at least a thousandth of nominal value over time
 * scale; *worst is its number in f, without its order. */
double array_defect(Array *a, int k, double t, const double *z, int *worst);
double array_defect_rows(Array *a, const ArrayRows *rows, double t,
                         const double *z, int *worst);
/* Evaluates f, f_x, f_x' at z (x and x'), and an entry of these. */
void array_values(Array *a, double t, const double *z);
double array_entry(const Array *a, int entry);
/* Evaluates another program over the same variables to degree k. */
void array_run(const Array *a, Taylor *taylor, int k, double t,
               const double *z);
/* The start values as x, derivatives 0: z of (k+2) n numbers. */
void array_start(const Array *a, int k, double t, double *z);
/* A time in which x moves as far as x itself, by f_x' and f_x at the point: the
 * median over the rows that have both. */
void array_find_span(Array *a, double t, const double *z);
/* "x", "der(x)": of column j and derivative q. */
const char *array_name(const Array *a, int j, int q, Arena *arena);
/* The equation of a row in words: its text, for messages. */
const char *array_row_text(const Array *a, int row, Arena *arena);
Span array_row_span(const Array *a, int row);

#endif
