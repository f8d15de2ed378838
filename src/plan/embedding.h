/* embedding.h - a second formula for the end of a step, through values and
 * slopes of several steps of equal length.
 *
 *   in    Method      coefficients of the method that goes on
 *   out   Embedding   weights of what its last steps have left
 *   next  estimator.h   the difference as an estimate of the error
 *         theory/embedding.h  order on all trees, stability, the search
 *
 * Cellier and Kofman, 8.7 and 8.8:
 *
 *     x^ = sum value_i X_i + h sum slope_j F_j
 *
 * X_0 is x where the first of the steps begins, X_1 ... X_ns the values of the
 * stages, first step first; the last stage of a step is its end. F_j are the
 * slopes of the stages. As stage values are sums of slopes, with sum value_i =
 * 1 this is x^ = X_0 + h sum weight_j F_j: a Runge-Kutta formula over n steps.
 *
 *   (8.105)  Radau IIA(3)     (8.95)  BDF3 beside it, over three steps
 *   (8.108)  Radau IIA(5), with the decimals of (8.109)
 *   (8.110)  Lobatto IIIC(4)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_EMBEDDING_H
#define TAKT_PLAN_EMBEDDING_H

#include "plan/method.h"

enum { EMBEDDING_STEPS = 3 }; /* at most */

typedef enum EmbeddingKind {
    EK_BLENDED, /* (8.105), (8.108), (8.110) */
    EK_BDF3,    /* (8.95) */
} EmbeddingKind;

typedef struct Embedding {
    const char *name; /* "(8.105)" */
    int nstep;
    int order;          /* that is claimed */
    const Exact *value; /* nstep * nstage + 1 */
    const Exact *slope; /* nstep * nstage */
} Embedding;

/* The one that belongs to the method, in `arena`; NULL: there is none. */
const Embedding *embedding_find(const Method *m, EmbeddingKind kind,
                                Arena *arena);
/* The tableau of nstep steps as one: nstep * nstage rows and columns. */
Exact *embedding_tableau(const Method *m, int nstep, Arena *arena);
/* x^ = X_0 + h sum weight_j F_j, nstep * nstage of them. */
Exact *embedding_weights(const Method *m, const Embedding *e, Arena *arena);
/* x - x^ = h sum d_j F_j: the same for the error that is told. */
Exact *embedding_difference(const Method *m, const Embedding *e, Arena *arena);

#endif
