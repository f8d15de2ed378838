/* crhs.h - what takt can know of a model that is a C function.
 *
 *   in    TaktRtModel, TaktRtSetup   include/takt/takt_rt.h
 *   out   words of a table           for takt_rt_step.h
 *
 * The function cannot be looked into, so it is asked: at x0, at states of the
 * user and at states scattered around x0 (crhs_sample), one unknown after the
 * other is moved, by much to see which rows move, and by little for the
 * derivative (crhs_detect). The columns are then put in groups that one
 * evaluation serves (crhs_group), pivots are chosen over all samples
 * (num/static_lu.h), and all of it is packed (crhs_pack). takt_rt_analyse
 * strings these together.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CRHS_OPAQUE_H
#define TAKT_CRHS_OPAQUE_H

#include <stdbool.h>

#include "base/arena.h"
#include "num/static_lu.h"
#include "takt/takt_rt.h"

/* States where f and its derivatives are finite; sample s is x + s * n. */
typedef struct Points {
    int n, count;
    int ndropped;          /* states that were not finite */
    const double *x;       /* count * n */
    const double *t;       /* count */
    const double *f;       /* count * n: f(x, t) */
    const double *nominal; /* n */
} Points;

/* The Jacobian in these points. Without a pattern of the user, entries are
 * sorted by column, then by row. */
typedef struct Jacobian {
    int n, nnz, nsample;
    const int *row, *col;
    const double *value; /* nsample * nnz */
    const double *large; /* nnz: largest |entry| * increment of its column */
} Jacobian;

/* Which entries stay and how columns are grouped. Group g has the columns
 * column[cstart[g]] .., and the kept entries entry[gstart[g]] .. */
typedef struct Groups {
    int ngroup;
    int ngroup_pattern; /* without sparsing: the groups of the whole pattern */
    int nkept, ncolumn;
    const int *gstart, *entry;
    const int *cstart, *column;
} Groups;

/* The matrix L - h J: first the kept entries of J in the order of Groups, then
 * those that only L has. */
typedef struct Iteration {
    int nj, na;
    const int *row, *col;
    const double *lvalue; /* na */
} Iteration;

TaktRtStatus crhs_sample(const TaktRtModel *m, const TaktRtSetup *s, Points *p,
                         TaktRtReport *r, Arena *arena);
TaktRtStatus crhs_detect(const TaktRtModel *m, const TaktRtSetup *s, Points *p,
                         Jacobian *j, TaktRtReport *r, Arena *arena);
TaktRtStatus crhs_group(const TaktRtSetup *s, const Jacobian *j, Groups *g,
                        TaktRtReport *r, Arena *arena);
/* The words, malloc'd. */
uint32_t *crhs_pack(const TaktRtModel *m, const TaktRtSetup *s, const Groups *g,
                    const Iteration *it, const StaticLu *f,
                    const double *nominal, Arena *arena);

/* How far unknown i is moved for a derivative, as rounding leaves it. */
double crhs_increment(double x, double nominal);
/* Notes status, place and text in the report; returns the status. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
TaktRtStatus
crhs_say(TaktRtReport *r, TaktRtStatus status, int row, int col,
         const char *format, ...);

#endif
