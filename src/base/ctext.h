/* ctext.h - texts and names of a model in generated C.
 *
 * Whatever stands in a model, in a file name or in an option reaches C only
 * through these functions. What they return is the same for every dialect: C99
 * has trigraphs, which end a literal by ??/" and continue a line by ??/ at its
 * end; C++ has more keywords; compilers guess the encoding of a file.
 *
 * All results live in the arena.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_CTEXT_H
#define TAKT_BASE_CTEXT_H

#include <stdbool.h>

#include "base/arena.h"

/* Longer identifiers are cut; a file of this name has room for its endings. */
enum { C_IDENTIFIER_MOST = 200 };

/* A string literal with its quotes, in ASCII: its value has the bytes of
 * `text`. */
const char *c_string(const char *text, Arena *arena);

/* A number as a constant of type double or float, the same to the last bit;
 * takt_number() of the runtime makes those that are not finite. */
const char *c_number(double x, bool is_float, Arena *arena);

/* The text of a comment of the form slash-star, on one line: neither ends the
 * comment nor begins another, and holds no trigraph, no control character, no
 * character that turns the direction of writing. NULL is taken for "". */
const char *c_comment(const char *text, Arena *arena);

/* `name` as an identifier: letters, digits and single underscores, which stand
 * for everything else, none of them first or last. A name that begins with a
 * digit or has no letter gets a v. May be reserved, and different names may
 * give the same. */
const char *c_identifier(const char *name, Arena *arena);

/* Keyword, macro, type or function of C, C++ and of takt's runtime, which
 * cannot be or had better not be the name of something else. */
bool c_is_reserved(const char *identifier);

/* c_identifier(), with an underscore at its end if it is reserved or the name
 * of a header that the code itself includes: the prefix of a model's symbols
 * and files. */
const char *c_prefix(const char *name, Arena *arena);

/* Is it an identifier of C as it stands, and not reserved? */
bool c_is_identifier(const char *text);

#endif
