/* select_internal.h - what the files of select.h share.
 *
 *   select.c          points, rows, and whether what was chosen is good
 *   select_basis.c    what is independent at all points
 *   select_states.c   x1, x2, and candidates that are now one, now the other
 *   select_matrix.c   the matrices that choose among these
 *   select_given.c    what is felt of derivatives that are given
 *   select_mix.c      derivatives that stand for others too
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_SELECT_INTERNAL_H
#define TAKT_ARRAY_SELECT_INTERNAL_H

#include "array/given.h"
#include "array/select.h"
#include "base/vec.h"

enum { POINTS = 33 }; /* at most; 17 over the run, more where it must be */
static const double INDEPENDENT = 1e-7; /* rest of a row or column, of 1 */
static const double SUPPORT = 1e-8;     /* share of a row in a circuit */

typedef struct Choice {
    Array *a;
    int k, n, nrow, ncol;
    int order; /* derivatives of all x that are found */
    int npoint;
    double *time;           /* npoint */
    double *z[POINTS];      /* (k+2) n */
    double *matrix[POINTS]; /* scaled Jacobians, nrow * ncol */
    double *row_scale, *col_scale;
    Arena *arena;
    /* rows */
    Vec(int) basis;
    Vec(int) circuit;       /* dependent rows */
    double *lambda[POINTS]; /* of each circuit: nrow numbers */
    bool *in_system;        /* rows */
    /* columns */
    bool *is_first;         /* j: x1 */
    bool *first_at[POINTS]; /* the same at each point, with sets */
    int *set_of;            /* j: the set it is a candidate of, NONE */
    Vec(SelectSet) set;
    double *mix;          /* ncol * ncol, in scaled columns: factor of a column
                             that is taken in one that is not; NULL: all 0 */
    double minor[POINTS]; /* of the constraints of all sets by x1 in them */
} Choice;

static inline double *select_entry(const Choice *c, int p, int i, int j)
{
    return c->matrix[p] + (size_t)j * (size_t)c->nrow + (size_t)i;
}

/* ---- select.c ---- */

/* The system at a point: columns that are found, x1 of sets last; those that
 * were dropped. */
typedef struct System {
    double *full, *drop; /* m rows */
    int *col, n, nd;
} System;

void select_system(const Choice *c, const Selection *s, int p, System *y);
/* Is it x1, x2', x' of a candidate, or asked for? */
bool select_counts(const Choice *c, int col);

typedef enum ColumnChoice {
    COLUMNS_ANY, /* the most independent ones */
    COLUMNS_LOW, /* of low orders first */
    COLUMNS_MIX  /* combinations (select_mix.c) */
} ColumnChoice;

/* ---- select_given.c ---- */

/* Fills in what the selection feels. False: that cannot be found out. */
bool select_given(const Choice *c, Selection *s, Arena *arena);

/* ---- select_basis.c ---- */

/* An orthonormal basis at each point, grown by one vector at a time. */
typedef struct Basis {
    int dim, n;
    double *q[POINTS]; /* dim * (number of vectors) */
    const int *row;    /* of columns: the rows that count; NULL: in_system */
    bool by_size;      /* what is small at a point is not independent there */
} Basis;

/* Row or column `which` at point p, as a vector. */
typedef void Take(const Choice *c, const Basis *b, int p, int which, double *v);
Take select_row, select_column;
Basis select_basis_new(const Choice *c, int dim);
/* How independent of the basis is it, at the worst point? */
double select_independence(const Choice *c, const Basis *b, Take *take,
                           int which, double *v);
void select_extend(const Choice *c, Basis *b, Take *take, int which, double *v);
/* The same with another column at each point. Returns false if one of them is
 * not independent. */
bool select_extend_each(const Choice *c, Basis *b, const int *column,
                        double *v);
/* Takes what is most independent out of list[n], one after the other, until
 * nothing is (by `least`) or `limit` vectors are in; taken ones become NONE. */
void select_take_best(Choice *c, Basis *b, Take *take, int *list, int n,
                      int limit, double least, int *out, int *nout);

/* What is left of v beside the basis at point p. */
double select_project(const Basis *b, int p, double *v);
/* Columns of x' and w that are not taken yet until `limit` vectors are in:
 * those that are most independent at all points, of any order or of low orders
 * first.
 */
void select_take_columns(Choice *c, Basis *b, int limit, bool any_order,
                         bool *taken, int *out, int *nout);

/* ---- select_states.c ---- */

/* The constraints, in what is left of them beside pivots. */
typedef struct Constraints {
    int a;             /* rows: circuits */
    double *g[POINTS]; /* a * n by rows */
    bool *occurs;      /* a * n: x_j in the constraint as it was */
    bool *done;        /* rows */
    int *pivot;        /* column of a row that is done by it; NONE */
    int *level;        /* order of each */
    int *first;        /* order at which a variable occurs first, of each j */
    bool *moves;       /* j: its derivative occurs in f */
} Constraints;

/* x1 at all points; with sets those that change. False: there is none. */
bool select_first(Choice *c, bool sets);
/* Columns of the system of m rows. */
bool select_columns(Choice *c, int m, ColumnChoice choice, bool *taken);

/* ---- select_mix.c ---- */
/* Takes columns beside those of the basis, and fills in c->mix. False: there
 * are none. */
bool select_mix(Choice *c, const Basis *b, bool *taken);

/* ---- select_matrix.c ---- */
/* The rows and columns that decide in set `s`, which has the rows[n] of the
 * constraints. False: there are none that serve at all points. */
bool select_matrix(Choice *c, const Constraints *k, const int *rows, int n,
                   SelectSet *s);

#endif
