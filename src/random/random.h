/* random.h - random number generators as opaque functions of the DAG.
 *
 * They are those of Modelica.Math.Random: the next state and a number follow
 * from the state, so that a run gives the same numbers again. The values are
 * computed by runtime/takt_rt_random.h, here and in generated code.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RANDOM_RANDOM_H
#define TAKT_RANDOM_RANDOM_H

#include "expr/expr.h"

typedef enum RandomKind {
    RANDOM_XORSHIFT64,   /* state of 2 Integers */
    RANDOM_XORSHIFT128,  /* 4 */
    RANDOM_XORSHIFT1024, /* 33 */
} RandomKind;

int random_size(RandomKind kind); /* of the state */
/* The state after `state`; returns the random number, in (0, 1]. */
Expr random_next(Dag *d, RandomKind kind, const Expr *state, Expr *next);

#endif
