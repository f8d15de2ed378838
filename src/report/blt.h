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
 * Pointing at a row shows the equation and its line in the source. The page
 * also shows each loop as a graph of unknowns and equations (figures 17 to 20,
 * 23): a click removes an edge, as a delay of information does, and
 * Proposition 1 peels the graph: an equation with one unknown left defines it.
 * Both files need nothing else.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REPORT_BLT_H
#define TAKT_REPORT_BLT_H

#include "schedule/schedule.h"

void blt_draw_svg(const Schedule *s, const Sources *sources, FILE *out);
void blt_draw_html(const Schedule *s, const Sources *sources, FILE *out);

#endif
