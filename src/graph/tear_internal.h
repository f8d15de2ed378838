/* tear_internal.h - what the parts of tear share: a machine that knows what
 * follows from what.
 *
 * One tears unknowns with engine_tear(); engine_run() then solves every
 * equation that has a single open unknown left, as far as class, penalty and
 * growth allow. Both can be undone: engine_undo() goes back to an earlier
 * length of the trail. All searches are made of these three.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_TEAR_INTERNAL_H
#define TAKT_GRAPH_TEAR_INTERNAL_H

#include "graph/tear.h"

enum { OPEN = -1, TORN = -2, GIVEN = -3 }; /* in Engine.by */
typedef enum Use { USE_FREE, USE_SOLVED, USE_RESERVED } Use;

/* What is allowed in a search. */
typedef struct Rules {
    EdgeClass least;
    bool penalties;
    double bound; /* INFINITY: growth is not looked at */
} Rules;

/* Rows of W = -L⁻¹B, one per unknown: how it depends on the torn ones. */
typedef struct Rows {
    const Incidence *inc;
    int nsample;
    const double *value; /* value[edge*nsample + s] */
    bool has_rows;       /* whole rows; else only bounds of their sums */
    int *at, *n;  /* size n: entries of the row of an unknown, k from at[j] */
    Vec(int) col; /* entry k is in column col[k], with the values */
    Vec(double) val; /* val[k*nsample + s] */
    double *sum;     /* size n*nsample or nsample: the row being made */
    int *seen;       /* size n: stamp of the last row that has this column */
    int stamp;
    Vec(int) touched; /* columns of the row being made */
    double *size;     /* size n*nsample without whole rows: the bounds */
    long work;        /* numbers looked at */
    Arena *arena;
} Rows;

Rows rows_new(const TearProblem *p, Arena *arena);
void rows_clear(Rows *r);
/* The row of a torn unknown, the one of column `col`. */
void rows_unit(Rows *r, int var, int col);
/* Makes the row of the unknown of edge `pivot` of equation i, whose other
 * unknowns have rows. Returns its largest entry (or the bound); INFINITY if
 * that is no number. */
double rows_make(Rows *r, int i, int pivot);
/* The column of the largest entry of the row made last, and its point. */
void rows_largest(const Rows *r, int *col, int *sample);
/* Keeps the row made last as that of `var`. */
void rows_keep(Rows *r, int var);
/* Drops the row of `var` and all kept after it. */
void rows_drop(Rows *r, int var);

typedef struct Engine {
    const TearProblem *p;
    const Incidence *inc;
    const Transpose *t;
    int n;
    Rules rules;
    long work;  /* edges looked at since the start */
    long limit; /* when to become brief */

    int *nopen;         /* size n: open unknowns of an equation */
    int *last;          /* size n: their numbers xor'ed: the last one left */
    unsigned char *use; /* size n: Use of an equation */
    int *by;          /* size n: equation that solves an unknown, or OPEN... */
    int *trail;       /* size n: unknowns in the order they became known */
    int ntrail, head; /* head: those whose equations were told */
    int ntorn, npenalty;
    int nsurplus;     /* free equations without an open unknown */
    Vec(int) ready;   /* equations with one open unknown */
    Vec(int) refused; /* unknowns that grow too much, so far */

    double *row_sum; /* size n*nsample: sum of |a| of an equation at s */
    Rows rows;
    Arena *arena;
} Engine;

typedef struct EngineMark {
    int ntrail, nrefused;
} EngineMark;

Engine *engine_new(const TearProblem *p, long limit, Arena *arena);
/* Everything open again, under other rules. */
void engine_reset(Engine *e, Rules rules);
void engine_tear(Engine *e, int var);
/* Makes `var` known without a reason, as exact's search does. */
void engine_give(Engine *e, int var);
void engine_run(Engine *e);
EngineMark engine_mark(const Engine *e); /* after engine_run() */
void engine_undo(Engine *e, EngineMark m);
/* May the equation of this edge be solved for its unknown? */
bool engine_may_solve(const Engine *e, int edge);
/* How bad a pivot is: the sum of its equation in units of the pivot, at the
 * worst point; 0 without numbers. */
double engine_row_ratio(const Engine *e, int eqn, int edge);
int engine_preference(const Engine *e, int var); /* 0 if none was given */

/* A finished search. */
typedef struct TearPick {
    TearAlternative is;
    int *eqn, *var; /* size n - is.ntorn */
    int *torn;      /* size is.ntorn, in the order they were torn */
    int growth_var;
} TearPick;

/* What the engine has found; everything must be known. */
TearPick choice_new(const Engine *e, Arena *out);

/* The searches. Each starts with engine_reset() and ends with all known. */
void search_cellier(Engine *e, Rules r, bool modified, bool paired);
void search_front(Engine *e, Rules r);
/* Follows `torn`, tears more where the rules refuse. */
void search_repair(Engine *e, Rules r, const int *torn, int ntorn);
/* Tears fewer unknowns if that is possible by dropping one, or two for one;
 * `loose` is a second engine of the same problem. */
void tear_improve(Engine *e, Engine *loose, Rules r);
/* The smallest number of torn unknowns below `ntorn`, which is known to be
 * possible. Returns true if it was found and is in the engine. *least: no
 * choice has fewer; the result (or ntorn), where the search came to its end. */
bool search_exact(Engine *e, Rules r, int ntorn, int *least);

/* The tearing that follows from `torn` within the bound: what does not follow
 * is torn too. */
const Tear *tear_followed(const TearProblem *p, const TearOptions *o,
                          const int *torn, int ntorn, Arena *out);

#endif
