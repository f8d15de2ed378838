/* region.h - sums and products as they would be written in one line; for
 * src/expr only. See region.c. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXPR_REGION_H
#define TAKT_EXPR_REGION_H

#include "expr/expr_internal.h"

typedef struct Rank {
    Expr e;
    int uses;   /* by nodes and roots of the ranking */
    bool inner; /* part of the sum or product that uses it */
} Rank;

/* All nodes reached from some roots, arguments first. */
typedef struct Ranking {
    Walk walk; /* walk_value of a node: its rank */
    Rank *at;
    int n;
} Ranking;

/* Ranks what is reached without entering the operations `stop`. The Ranking
 * holds a walk: end it with ranking_end(). */
Ranking ranking_new(const Dag *d, const Expr *root, int nroot, uint64_t stop,
                    Arena *arena);
void ranking_end(Ranking *r);

/* The rank of a node of the ranking. */
static inline Rank *ranking_of(Ranking *r, Expr e)
{
    return &r->at[*walk_value(&r->walk, e)];
}

/* Is the node a sum (a+b, a-b, -a, 2*a, a/2), or a product of another kind? */
bool region_is_sum(const Dag *d, const ExprNode *n);
bool region_is_product(const Dag *d, const ExprNode *n);

typedef struct Term {
    Expr e;
    double factor; /* sums: its factor; products: +1 or -1, its exponent */
} Term;
typedef Vec(Term) TermVec;

/* The terms (or factors) of the region whose root has rank k, in their order
 * from left to right. `todo` is working memory. */
void region_terms(Ranking *r, int k, TermVec *todo, TermVec *term,
                  Arena *arena);

#endif
