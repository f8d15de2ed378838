/* plot.h - trajectories as an SVG picture: axes with round numbers, one
 * coloured line a signal, a legend. Self-contained, readable in any browser. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RESULT_PLOT_H
#define TAKT_RESULT_PLOT_H

#include <stdio.h>

#include "result/compare.h"

typedef struct PlotLine {
    const char *name;
    Curve curve;
} PlotLine;

/* Draws the lines over a common time axis. Values that are not finite are left
 * out. */
void plot_svg(const char *title, const PlotLine *line, int nline, FILE *out);

#endif
