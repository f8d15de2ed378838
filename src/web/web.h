/* web.h - pages that need nothing else: one look, one way to draw.
 *
 *     web_begin("Motor", out);
 *     web_section("states", "States", out);
 *     fputs("<p>...</p>", out);
 *     web_figure_begin("plot", "angles", out);  JSON of the figure
 *     web_figure_end(out);
 *     web_end(out);
 *
 * Styles and scripts are files of web/files/, which CMake puts into the
 * program: look.css (light, dark, narrow, print), plot.js (lines and points
 * over axes with units), grid.js (matrices), loops.js (graphs of loops),
 * figures.js (finds the figures of a page and draws them). A page has no links
 * to other hosts and fetches nothing.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_WEB_WEB_H
#define TAKT_WEB_WEB_H

#include <stdio.h>

#include "base/arena.h"

/* A file of web/files; it must exist. */
const char *web_file(const char *name);

/* The head of a page with its title as a heading. */
void web_begin(const char *title, FILE *out);
/* Scripts, and the end. */
void web_end(FILE *out);
/* <section> with a heading; the next one, or web_end(), closes it. */
void web_section(const char *id, const char *title, FILE *out);
void web_section_end(FILE *out);

/* A figure of a kind that figures.js knows; what is written between the two is
 * its data as JSON. */
void web_figure_begin(const char *kind, const char *title, FILE *out);
void web_figure_end(FILE *out);

/* Colours of a page by number: the same plan has the same one throughout. */
enum { WEB_NCOLOUR = 10 };

#endif
