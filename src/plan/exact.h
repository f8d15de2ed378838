/* exact.h - coefficients of methods as what they are: (p + q sqrt(d)) / r.
 *
 * The tables of methods.c are written in such numbers, and so may be those of
 * a user: "5/12", "0.25", "(88-7*sqrt6)/360". Order conditions and stability
 * functions are computed with them (theory/theory.h); the steps of a model use
 * their values rounded to double.
 *
 * Whole numbers have 128 bits. What does not fit, mixes two roots, or was
 * written with more than 10 digits (and so was rounded by its author) is
 * carried on as a long double only, and says so: is_exact.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_EXACT_H
#define TAKT_PLAN_EXACT_H

#include <stdbool.h>

#include "base/arena.h"

__extension__ typedef __int128 ExactInt;

typedef struct Exact {
    ExactInt p, q, r; /* r > 0, without common divisor; q = 0: rational */
    int d;            /* under the root, without square factors; 0: q = 0 */
    bool is_exact;    /* else only x counts */
    long double x;    /* the value, to rounding */
} Exact;

Exact exact_of(long p, long r); /* p / r, r != 0 */
Exact exact_near(long double x);
/* Reads a number from `text`; *end is what follows it. False: there is none. */
bool exact_read(const char *text, const char **end, Exact *out);

Exact exact_add(Exact a, Exact b);
Exact exact_sub(Exact a, Exact b);
Exact exact_mul(Exact a, Exact b);
Exact exact_div(Exact a, Exact b); /* b is not zero */
Exact exact_neg(Exact a);
/* -1, 0, 1; values that are not exact count as zero below 1e-12. */
int exact_sign(Exact a);

double exact_double(Exact a);
/* "-7/234", "(2 - 3 sqrt6)/225"; "0.43586652150846" if it is not exact. */
const char *exact_text(Exact a, Arena *arena);

#endif
