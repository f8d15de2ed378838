/* blt.h - a picture of the blocks of a schedule.
 *
 * Rows are equations and columns unknowns, both in the order of solution, as
 * in figures 14 to 16 and 22 of Gustafsson 2021:
 *
 *   o    the equation can be solved for the unknown, the others being known
 *   x    it cannot
 *   green      a solved equation and its unknown
 *   pink       a loop; dark pink its iteration variables and residuals
 *
 * Pointing at a row shows the equation and its line in the source. In a page
 * the matrix can be searched and zoomed, and each loop is also a graph of
 * unknowns and equations (figures 17 to 20, 23): a click removes an edge, as a
 * delay of information does, and Proposition 1 peels the graph: an equation
 * with one unknown left defines it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REPORT_BLT_H
#define TAKT_REPORT_BLT_H

#include "report/book.h"
#include "schedule/schedule.h"

void blt_draw_svg(const Schedule *s, const Sources *sources, FILE *out);
/* A table of blocks, matrix and graphs in a page that is being written; */
void blt_section(const Schedule *s, SourceBook *book, const Sources *sources,
                 FILE *out);
/* the same as a page of its own. */
void blt_draw_html(const Schedule *s, const Sources *sources, FILE *out);

#endif
