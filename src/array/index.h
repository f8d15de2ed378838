/* index.h - the index of a system by the ranks of its derivative array.
 *
 *   in    Array
 *   out   ArrayIndex
 *
 * Of J = [G_x' G_w G_x], G = F_k (Campbell, Zhong 1994, section 3):
 *
 *   1-full   rank [G_x' G_w] = n + rank G_w: x' is determined
 *   (A2)     G = 0 has a solution: a consistent point was found
 *   (A3)     [G_x' G_w] is 1-full and of constant rank near the point
 *   (A4)     J has full row rank there
 *   (A5)     the range of [G_x' G_w] depends on (x, t) only
 *
 * The differentiation index is the smallest k with 1-fullness at a consistent
 * point, the uniform one the smallest k with (A2) to (A4) at it and at points
 * around, where x, x' and w are moved independently of each other.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_INDEX_H
#define TAKT_ARRAY_INDEX_H

#include "array/complete.h"
#include "array/rank.h"

enum { INDEX_POINTS = 4 }; /* around the consistent one */

typedef struct IndexLevel {
    int k;
    Rank all;         /* [G_x' G_w] at the consistent point */
    Rank higher;      /* G_w */
    Rank full;        /* [G_x' G_w G_x] */
    bool is_full;     /* 1-full there */
    bool is_uniform;  /* (A3) and (A4) there and around */
    bool has_a4;      /* at all of these points */
    bool is_constant; /* rank of [G_x' G_w] */
} IndexLevel;

typedef struct ArrayIndex {
    int structural_index;      /* NONE: structure is singular */
    int structural_states;     /* degrees of freedom it sees */
    int differentiation_index; /* NONE: not found up to most */
    int uniform_index;
    int states;  /* degrees of freedom by ranks; NONE */
    bool has_a5; /* at k = uniform_index */
    Consistent start;
    int nlevel; /* levels looked at, k = 0 .. nlevel-1 */
    IndexLevel level[ARRAY_MOST + 1];
    bool undecided;    /* a rank that decided was not clear */
    int index_without; /* then: the index if what is small were zero; NONE:
                          that is the one given */
    int k;             /* of `z` */
    double time;
    double *z;       /* the consistent point */
    int free_row;    /* without (A4): an equation that depends on others,
                        NONE */
    int free_column; /* and a variable that stays open; NONE */
} ArrayIndex;

/* Looks at the array at time t of a run of this length. Ranks do not depend on
 * the scale of time, but how clear they are does: that of the equations is
 * tried first, then those of the run; the array keeps the clearest. Lives in
 * `arena`.
 */
ArrayIndex *array_index(Array *a, double t, double length, Arena *arena);

/* The same with the scale of time that the array has, from these values of x
 * on. */
ArrayIndex *array_index_from(Array *a, double t, const double *x, Arena *arena);
/* Are the ranks of F_k at (t, z) those of the index, k its uniform index? */
bool index_still_holds(const ArrayIndex *x, Array *a, double t,
                       const double *z);

/* Is that so too if parameter v of the Sys is a little larger or smaller? */
bool index_holds_beside(const ArrayIndex *x, Array *a, int v);

/* A point beside the consistent one in z, (k + 2) n numbers: derivatives moved
 * by `part` of their size, and x by some per cent if asked. */
void index_move_point(const Array *a, const ArrayIndex *x, bool moves_x,
                      double part, unsigned *seed, double *z);

/* Does structure give the same index and degrees of freedom? */
bool index_agrees(const ArrayIndex *x);

#endif
