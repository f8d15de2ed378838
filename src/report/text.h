/* text.h - text as it must be written in JSON and in XML. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REPORT_TEXT_H
#define TAKT_REPORT_TEXT_H

#include <stdio.h>

void text_json(const char *s, FILE *out); /* with its quotes */
void text_xml(const char *s, FILE *out);  /* for elements and attributes */

#endif
