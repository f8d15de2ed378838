/* markup.h - texts in HTML, SVG and XML. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_MARKUP_H
#define TAKT_BASE_MARKUP_H

#include <stdio.h>

/* A text as the content of an element or as the value of an attribute in
 * single or double quotes. Characters that XML 1.0 does not have, and bytes
 * that are no UTF-8, come out as U+FFFD. For scripts inside a page there is
 * JSON (base/json.h). */
void markup_text(const char *text, FILE *out);

#endif
