/* csv.h - fields of a CSV file (RFC 4180). */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_CSV_H
#define TAKT_BASE_CSV_H

#include <stdio.h>

/* A text with its quotes, those inside doubled. A line end, which most readers
 * of the head of a table do not expect in a name, becomes a space, as does
 * every other control character. */
void csv_text(const char *text, FILE *out);
/* A number; what is not finite is written as number_text() does. */
void csv_number(double x, FILE *out);

#endif
