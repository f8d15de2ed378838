/* utf8.h - characters of a text that may be anything. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_UTF8_H
#define TAKT_BASE_UTF8_H

/* Decodes the character at `s`, which is not at its end. Returns its bytes, 1
 * to 4, and the character in *code; for a byte that is no part of valid UTF-8
 * (Unicode 15, table 3-7) 1 and UTF8_WRONG. */
int utf8_next(const char *s, unsigned *code);

#define UTF8_WRONG 0xFFFDu /* the replacement character */

#endif
