/* bdf.h - backward differences of orders 1 to 5 in steps of any length.
 *
 *   in    Lowered   the equations of backward Euler, and where states stand
 *   out   Bdf       the past of a run, and what a step makes of it
 *   used by sim/control.c, which makes the steps
 *
 * bdf.c has the formulas.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BDF_BDF_H
#define TAKT_BDF_BDF_H

#include "lower/lower.h"

enum { BDF_MOST_ORDER = 5 };

typedef struct Bdf Bdf;

/* Lives in `arena`. */
Bdf *bdf_new(const Lowered *l, double rtol, Arena *arena);
double bdf_share(double rtol); /* of the tolerance, for one step */
void bdf_break(Bdf *o);        /* nothing before this point counts */
/* Sets the past and first values for a part in the slots `r`; returns the h of
 * its formula. */
double bdf_prepare(Bdf *o, double from, double to, double *r);
/* The ratio of the error of the part that was solved to what it may be. Chooses
 * the next order, and the next length, or that of another attempt. */
double bdf_judge(Bdf *o, double to, const double *r, const double *atol,
                 double *length);
int bdf_order(const Bdf *o); /* of the part that was judged */
void bdf_fail(Bdf *o);       /* it has no solution */
/* The same part is made once more, to another end. */
void bdf_again(Bdf *o);
/* The slots `r` are those of the newest past point. */
void bdf_push(Bdf *o, const double *r, double time);
void bdf_keep(Bdf *o);   /* the past points, */
void bdf_return(Bdf *o); /* and back to them */
/* The states within the last part. */
void bdf_show(const Bdf *o, double time, double *r);

#endif
