/* hidden.h - variables that no model declares: what impure functions need to be
 * called as often as written (12.3).
 *
 * An event may be looked at several times until it has come to rest. So what a
 * call in a when clause does is an action of that clause as others are: it
 * gives a hidden discrete variable its next value, once each time the clause
 * becomes active. That is the state of a random number generator, or a number
 * that tells calls apart. external/hidden.c makes them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_VALUE_HIDDEN_H
#define TAKT_VALUE_HIDDEN_H

#include "base/vec.h"
#include "flat/flat.h"

enum { HIDDEN_RANDOM = 33 }; /* Integers of the state of xorshift1024* */

/* What the calls in a branch of a when clause leave there. */
typedef struct Hidden {
    Vec(FlatAction) action;
    int nrandom; /* 0: no random number yet; else its stream, from 1 */
    Expr random[HIDDEN_RANDOM]; /* the state after the calls so far */
} Hidden;

#endif
