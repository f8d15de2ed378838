/* tear_price.h - tear a block so that an iteration needs few operations.
 *
 *   in    TearProblem, TearPrices   a block, what its derivatives and its
 *                                   equations cost
 *   out   Tear                      torn unknowns of a low price
 *
 * The fewest torn unknowns are not the cheapest: every solved unknown that
 * depends on many of them has as many derivatives, each a product and a sum a
 * use, and those that stand in the states' way make the whole chain needed once
 * more after the iteration. The price of a choice is counted on the pattern,
 * as the operations of
 *
 *     rows of L⁻¹B and of D - C L⁻¹B    products and sums, but those of
 *                                       constants, which fold
 *     LU of that matrix, and solution   by Markowitz' rule (1957)
 *     what is evaluated again after     equations behind the unknowns that
 *     the iteration                     somebody needs
 *
 * and a choice is improved as long as that helps: an unknown is torn no more,
 * torn too, or exchanged for a neighbour. The growth bound is obeyed on the
 * way, as everywhere. The price leaves out what all choices have in common; it
 * is for comparing.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_TEAR_PRICE_H
#define TAKT_GRAPH_TEAR_PRICE_H

#include "graph/tear.h"

/* What is known of a derivative when code is made. */
typedef enum PriceKind {
    PRICE_NONE = 0, /* there is none */
    PRICE_ONE,      /* 1 or -1: a product with it is free */
    PRICE_CONSTANT, /* known before the first step */
    PRICE_VARYING,
} PriceKind;

typedef struct TearPrices {
    const unsigned char *edge; /* size nedge: PriceKind of its derivative */
    const int *eqn;            /* size n: instructions of the equation */
    const bool *needed; /* size n: is the unknown looked at afterwards? */
    int iterations;     /* of a step */
    int torn;  /* instructions of a torn unknown: corrected, watched, kept */
    int watch; /* instructions of an entry of L that is watched */
} TearPrices;

/* The price of a tearing of `p`, in operations. */
double tear_price(const TearProblem *p, const TearPrices *prices,
                  const Tear *t);

/* The cheapest tearing found from the one that the given torn unknowns lead to:
 * what does not follow from them is torn too. o->work limits the search (0: by
 * the size). Never fails. */
const Tear *tear_cheapest(const TearProblem *p, const TearOptions *o,
                          const TearPrices *prices, const int *torn, int ntorn,
                          Arena *out);

#endif
