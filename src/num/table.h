/* table.h - static factorisations as tables for constant loops.
 *
 *   in    StaticLu, or a pattern for QR
 *   out   FactorTable   what runtime/takt_rt_factor.h walks through
 *   next  tape/exec.h runs them here, emit/factor.c prints them as C
 *
 * QR is Schiela's (Sparsing in Real Time Simulation, 2002, section 5.4; George
 * and Heath, Linear Algebra Appl. 34, 1980): block triangular form; the columns
 * of each diagonal block in a minimum degree order of A'A (COLAMD); its rows by
 * their first, then their last column; one row after the other is rotated into
 * R. It needs no pivots and is stable for all values, at several times the
 * work: the safe mode.
 *
 * Where a number stands is said by places in two arrays, w (nfactor numbers)
 * and v (nvector numbers): entry k of the matrix is put in w[place[k]], the
 * right-hand side in v[0 .. nrow-1]; the solution is in the n places after it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_TABLE_H
#define TAKT_NUM_TABLE_H

#include "num/static_lu.h"
#include "takt_rt_factor.h"

typedef struct TableOptions {
    bool watch;    /* tell by w[excess] > 0 when the factors are bad */
    bool refine;   /* one step of iterative refinement */
    bool is_float; /* numbers are of single precision */
} TableOptions;

typedef struct TableCount {
    long add, mul, div, call;
} TableCount;

/* One of the tables of a FactorTable, for those who print them. */
typedef struct TableList {
    const char *name;
    const uint32_t *at;
    int n;
} TableList;

typedef struct FactorTable {
    bool is_qr;
    int nrow, n, nnz;     /* nrow > n: QR, least squares */
    int nfactor, nvector; /* numbers in w and v */
    const int *place;     /* of each entry, in w */
    int excess;           /* place in w, NONE: not watched */
    double cancelled; /* a pivot over what it is left of that raises alarm */
    double growth;    /* 1 over the largest factor that does not */
    bool refine;
    takt_lu32 lu;
    takt_qr32 qr;
    takt_rows32 rows; /* if refine */
    TableList list[8];
    int nlist;
    uint32_t largest;         /* of all indices */
    TableCount factor, solve; /* operations */
} FactorTable;

/* How alarms are raised: a pivot below this part of the terms it is the
 * difference of; a factor beyond this many times the largest in the samples. */
double table_cancelled(bool is_float);
double table_growth(double largest, bool is_float);

/* NULL if no pivot has an entry below it (a triangular matrix): there is
 * nothing to be done in loops. Lives in `arena`. */
const FactorTable *table_lu(const StaticLu *lu, const int *row, const int *col,
                            const TableOptions *options, Arena *arena);
/* NULL if the pattern is singular for all values. With nrow > n it solves in
 * the sense of least squares; there is no refinement then. */
const FactorTable *table_qr(int nrow, int n, int nnz, const int *row,
                            const int *col, const TableOptions *options,
                            Arena *arena);

/* From the matrix in w to its factors, and from the right-hand side in v to
 * the solution. */
void table_factor(const FactorTable *t, double *w);
void table_solve(const FactorTable *t, const double *w, double *v);
/* Bytes of the tables in generated code. */
long table_bytes(const FactorTable *t);

#endif
