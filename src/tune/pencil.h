/* pencil.h - the linearised step of a model in many points.
 *
 *   in    Schedule of a step, Samples   (extract.h)
 *   out   PencilSet   L z' = Df z in each sample, over the iteration variables
 *   next  spectrum.h, criterion.h, choice.h, drift.h, mixed.h, lag.h
 *
 * Linearly implicit Euler with the step tau and the exact matrix makes
 *
 *     (L - tau Df) dz = tau f(z),     z_{n+1} = (L - tau Df)^-1 L z_n,
 *
 * so that the eigenvalues of the pencil (L, L - tau Df) are the factors by
 * which a step changes the modes of the model (Schiela 2002, 4.1); an algebraic
 * variable adds an eigenvalue 0. With another iteration matrix L - tau J a step
 * is z_{n+1} = (I + (L - tau J)^-1 tau Df) z_n.
 *
 * Rows are named as equations in a plan ("int(x)", "path#k"), columns as
 * variables. The iteration variables are those of the plan's choice
 * `algebraic`: the states alone (solve), with torn variables (keep-small), or
 * with all algebraic variables (keep). Rows and columns of states come first,
 * in the same order: row i is the integration formula of column i for i < nx;
 * the others have L = 0.
 *
 * Matrices stand by columns: L(i, j) is l[i + j * n].
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_PENCIL_H
#define TAKT_TUNE_PENCIL_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct Pencil {
    const double *l, *df; /* n * n */
    double time;
    int scenario;
    int point;      /* of the Samples it was made from, if it was */
    bool kept_back; /* not for choosing, only for the final check */
    int same;       /* the first sample with these very matrices */
} Pencil;

typedef struct PencilSet {
    int n;            /* iteration variables */
    int nx;           /* the first nx are states; L is 0 outside of their rows
                         and columns */
    const char **eqn; /* size n: names of the rows */
    const char **var; /* size n: names of the columns */
    const double *nominal; /* size n: of the columns, > 0 */
    /* Places of L - tau Df that can be non-zero, by columns: place k stands in
     * column j for start[j] <= k < start[j+1], row[k] ascending. Diagonal
     * places of states are always there. */
    int nnz;
    const int *start, *row;
    const bool *is_constant; /* size nnz: equal in all points by the symbols */
    int nsample;
    const Pencil *sample;
} PencilSet;

/* A set over matrices made by hand: `l` and `df` hold nsample matrices one
 * after the other (copied), nothing is kept back, names are x1, x2, ... and
 * y1, ... for the algebraic ones; the pattern is what is non-zero in some
 * sample. */
PencilSet *pencil_from_dense(int n, int nx, int nsample, const double *l,
                             const double *df, Arena *arena);
/* Place of (i, j) in the pattern, or NONE. O(log). */
int pencil_place(const PencilSet *p, int i, int j);
/* m = L - tau Df of a sample at the places with keep[k] (all if NULL), and L
 * itself everywhere: a place that is not kept loses its part -tau Df; frozen[k]
 * (NULL: none; NaN: not frozen) replaces Df there. Size n * n, caller's. */
void pencil_iteration_matrix(const PencilSet *p, int sample, double tau,
                             const bool *keep, const double *frozen, double *m);
/* Has an earlier sample, not kept back either, the same matrices? Then what is
 * found there holds here: of a linear model one sample says all. */
bool pencil_is_repeated(const PencilSet *p, int sample);
/* Evaluations of the model from which differences could make the matrix Df at
 * the places with keep[k] (NULL: all): one for each group of columns that have
 * no row in common (Curtis, Powell and Reid 1974), and one at the point
 * itself. */
int pencil_evaluations(const PencilSet *p, const bool *keep);
/* Fills `same` of all samples, whose matrices are n * n. */
void pencil_find_same(Pencil *sample, int nsample, int n);
void pencil_check(const PencilSet *p);

#endif
