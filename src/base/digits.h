/* digits.h - the fewest decimal digits of a double, by integers alone.
 *
 * x is multiplied by a power of ten of 128 bits, so that it has 17 digits
 * before the point. What is left of them where fewer give x back is found by
 * distances: a decimal gives x back when it is nearer than half of the distance
 * to the next double (Steele and White, "How to print floating-point numbers
 * accurately", 1990). Products are cut off, and who is too near to a limit to
 * be judged is left to printf.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_DIGITS_H
#define TAKT_BASE_DIGITS_H

#include <stdbool.h>

enum { DIGITS = 17 };

typedef struct Decimal {
    bool is_negative;
    char digit[DIGITS + 1]; /* the first one is not 0, but of 0 */
    int exponent;           /* of the first digit */
} Decimal;

/* The fewest digits, at least `least`, that give x back, x rounded to so many;
 * their number, or 0 if this cannot be told: 0, beyond 1e-40 to 1e40, or too
 * near to a limit. */
int digits_of(double x, int least, Decimal *d);

#endif
