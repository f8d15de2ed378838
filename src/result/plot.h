/* plot.h - trajectories as a picture: axes with round numbers and units, one
 * axis for each unit, one coloured line a signal, a legend.
 *
 * As SVG it is self-contained, and readable in any browser; in a page it has
 * the same lines, and can be zoomed and asked for values (web/files/plot.js).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RESULT_PLOT_H
#define TAKT_RESULT_PLOT_H

#include <stdio.h>

#include "base/json.h"
#include "result/compare.h"

typedef struct PlotLine {
    const char *name;
    Curve curve;
    const char *unit;  /* NULL, "": none */
    int colour;        /* number of web.h from 1; 0: by its place */
    bool is_reference; /* dashed */
} PlotLine;

/* Draws the lines over a common time axis, those of a unit in a panel of their
 * own. Values that are not finite are left out. */
void plot_svg(const char *title, const PlotLine *line, int nline, FILE *out);
/* The same as a figure of a page that is being written (web/web.h), */
void plot_figure(const char *title, const PlotLine *line, int nline, FILE *out);
/* and as a page of its own. */
void plot_page(const char *title, const PlotLine *line, int nline, FILE *out);
/* Members x and panels of a figure, in the object that is open. */
void plot_json(const PlotLine *line, int nline, JsonOut *j);

/* Lines by their units, for those who draw: panel[i] is that of line i, unit[k]
 * that of panel k. Returns the number of panels. */
int plot_panels(const PlotLine *line, int nline, int *panel, const char **unit);

#endif
