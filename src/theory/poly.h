/* poly.h - polynomials with exact coefficients. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_THEORY_POLY_H
#define TAKT_THEORY_POLY_H

#include "plan/exact.h"

typedef struct Poly {
    int n;    /* degree, -1: zero */
    Exact *c; /* c[0] + c[1] z + ... */
} Poly;

/* Zero with room for degree n. */
Poly poly_new(int n, Arena *arena);
Poly poly_one(Arena *arena);
Poly poly_mul(Poly a, Poly b, Arena *arena);
Poly poly_sub(Poly a, Poly b, Arena *arena);
/* The degree without zeros at the top. */
Poly poly_trim(Poly a);
bool poly_is_exact(Poly a);
Exact poly_value(Poly a, Exact x);
/* Is a(x) >= 0 for all x > 0? is_exact: the answer is proven. `low` is a place
 * where it is negative, if there is one. */
bool poly_is_positive(Poly a, bool *is_exact, double *low, Arena *arena);
/* Have all zeros a negative real part? Routh's scheme; *is_exact as above. */
bool poly_is_stable(Poly a, bool *is_exact, Arena *arena);
/* a((x + 1) / ... ): the polynomial (1 + x)^n a(c), c = (1 - x) / (1 + x),
 * which for x > 0 has the signs of a in -1 < c < 1. */
Poly poly_unfold(Poly a, Arena *arena);
/* "1 - 2/3 z + 1/6 z^2" */
const char *poly_text(Poly a, const char *z, Arena *arena);

#endif
