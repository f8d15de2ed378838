/* book.h - the lines of source that a page speaks of.
 *
 *     SourceBook *book = book_new(sources, arena);
 *     book_put_link(book, span, out);     "tank.mo:14", a link
 *     book_write(book, out);              at the end: the lines themselves
 *
 * Only lines that were asked for are shown, with a few around them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REPORT_BOOK_H
#define TAKT_REPORT_BOOK_H

#include <stdio.h>

#include "base/source.h"

typedef struct SourceBook SourceBook;

SourceBook *book_new(const Sources *sources, Arena *arena);
/* "#s2-14": where the line of a span stands in the page; NULL: it has no
 * place. */
const char *book_anchor(SourceBook *b, Span span);
/* A link to the line of a span, or nothing. */
void book_put_link(SourceBook *b, Span span, FILE *out);
/* All lines that were asked for. */
void book_write(const SourceBook *b, FILE *out);

#endif
