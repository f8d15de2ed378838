/* number.h - numbers as text, the same in every locale.
 *
 * A host of the library may have set a locale with a decimal comma. Numbers
 * that go into a file or come from one pass through number_text() and
 * number_read(), which know the point only. For everything else that prints or
 * reads numbers, the entries of the library and the threads that it starts
 * work in the locale "C" (plain_begin).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_NUMBER_H
#define TAKT_BASE_NUMBER_H

/* %.17g shortened where fewer digits give the same double back; "1e400" and
 * NaN come out as 1e999 and nan. `out` holds at least 32 bytes. */
const char *number_text(double x, char *out);
/* The same with as few digits as possible, of x rounded to float if `single`:
 * at most 9 of them are needed then. x is finite. */
const char *number_shortest(double x, int single, char *out);
/* x to a number of decimal digits, 1 to 17, as the nearest double: what is
 * printed of it does not depend on its last bits. */
double number_round(double x, int digits);
/* Hexadecimal: every bit, and no rounding on the way back. */
const char *number_hex(double x, char *out);
/* strtod() with a decimal point; reads what the others write. */
double number_read(const char *text, char **end);

/* From here to plain_end() the calling thread is in the locale "C"; other
 * threads keep theirs. Calls may be nested. */
typedef struct Plain {
    void *before; /* the locale of the thread */
} Plain;

Plain plain_begin(void);
void plain_end(Plain p);

#endif
