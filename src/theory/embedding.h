/* embedding.h - what an embedding is worth, and the search for embeddings.
 *
 *   in    Method, Embedding   plan/embedding.h
 *   out   EmbeddingTheory     order for x' = lambda x and on all trees, F(z)
 *         EmbeddingSearch     all polynomials through values of two steps
 *
 * F of (8.98): x^_{k+1} = F(z) x_{k-1} for x' = lambda x, where the method
 * itself made the steps. Its order conditions are those of a Runge-Kutta
 * formula over all of the steps; a formula that was fitted to the series of F
 * meets those of tall trees only.
 *
 * The search (8.7): a step of s stages leaves 2 s values: where it began, the
 * values of its stages but the last, and all slopes. Of the 4 s of two steps
 * every choice of 2 s + 1 has one polynomial of degree 2 s or none, whose value
 * at the end of the second step is a candidate.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_THEORY_EMBEDDING_H
#define TAKT_THEORY_EMBEDDING_H

#include "plan/embedding.h"
#include "theory/theory.h"

typedef struct EmbeddingTheory {
    int order_linear; /* for x' = lambda x */
    int order;        /* on all trees */
    double defect;    /* by which the conditions of the next order fail */
    Exact series[THEORY_ORDER + 2]; /* F(z) = sum series_k z^k */
    Poly up, down;                  /* F = up / down */
    double infinity;                /* |F| far to the left */
    double most;                    /* largest |F(iy)| seen on a grid */
    Verdict a;
} EmbeddingTheory;

/* Of x^ = x_first + h sum weight_j F_j over nstep steps. */
EmbeddingTheory embedding_theory(const Method *m, int nstep,
                                 const Exact *weight, Arena *arena);

typedef struct EmbeddingCandidate {
    Embedding e; /* without a name */
    Exact *weight;
    EmbeddingTheory theory; /* orders: of A-stable ones only */
    int same_as; /* the first candidate with the same weights, or itself */
} EmbeddingCandidate;

typedef struct EmbeddingSearch {
    int npiece, nchoice;    /* values there are, values that are taken */
    int tried;              /* choices */
    int without;            /* that have no polynomial, or many */
    EmbeddingCandidate *at; /* the others */
    int n;
    int far;        /* |F| <= 1 far to the left */
    int far_strict; /* < 1 */
    int a;          /* A-stable */
    int a_nearly;   /* |F(iy)| < 1 + 1e-6 on a grid */
    int a_distinct;
    int l; /* and F = 0 far out */
} EmbeddingSearch;

/* For stiffly accurate Runge-Kutta methods of 2 or 3 stages; NULL: another. */
const EmbeddingSearch *embedding_search(const Method *m, Arena *arena);

/* "-25/279 x[-1] + 6/31 x[-2/3] + ... + 25/31 h x'[1/3]", times in steps; X is
 * a first stage at the time where its step begins. */
const char *embedding_text(const Method *m, const Embedding *e, Arena *arena);

#endif
