/* xml.h - XML that is written from top to bottom.
 *
 *     XmlOut x;
 *     xml_start(&x);
 *     xml_begin(&x, "Unit");
 *     xml_text(&x, "name", unit);
 *     xml_end(&x);
 *     const char *text = xml_finish(&x, arena);
 *
 * Attributes come before the elements inside. A text may hold any bytes
 * (base/markup.h); a number reads back as the same number, in every locale.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_XML_H
#define TAKT_BASE_XML_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum { XML_DEPTH = 16 };

typedef struct XmlOut {
    FILE *out;
    const char *open[XML_DEPTH]; /* elements */
    int depth;
    bool in_tag; /* attributes may follow */
    char *buffer;
    size_t size;
} XmlOut;

void xml_start(XmlOut *x);
const char *xml_finish(XmlOut *x, Arena *arena); /* all is closed */

void xml_begin(XmlOut *x, const char *element); /* a name of the caller's */
void xml_end(XmlOut *x);
void xml_text(XmlOut *x, const char *attribute, const char *text);
void xml_number(XmlOut *x, const char *attribute, double value);
void xml_count(XmlOut *x, const char *attribute, int64_t value);
void xml_bool(XmlOut *x, const char *attribute, bool yes);

#endif
