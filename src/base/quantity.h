/* quantity.h - numbers and times as people write them on a command line. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_QUANTITY_H
#define TAKT_BASE_QUANTITY_H

#include <stdbool.h>

/* Each takes the whole text or nothing: false, and *out is left alone, if it is
 * no such quantity or does not fit. */
bool quantity_count(const char *text, int *out);
bool quantity_number(const char *text, double *out); /* finite */
/* "1ms", "50us", "0.2", "2 min": seconds. */
bool quantity_time(const char *text, double *seconds);

#endif
