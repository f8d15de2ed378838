/* figures.h - points, eigenvalues and matrices as figures of a page.
 *
 * What is drawn is data (JSON); web/files/plot.js and grid.js draw it. Colours
 * are numbers of web/web.h, NONE is that of the text.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REPORT_FIGURES_H
#define TAKT_REPORT_FIGURES_H

#include <complex.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct FigureAxis {
    const char *label, *unit;
    bool log;
} FigureAxis;

/* Points of one kind, or a line through them. */
typedef struct FigureSeries {
    const char *name;
    int colour, n;
    const double *x, *y;
    const char *const *label; /* where the mouse stands; or NULL */
    bool is_line, is_hollow, is_cross;
} FigureSeries;

void figure_points(const char *title, FigureAxis x, FigureAxis y,
                   const FigureSeries *series, int n, FILE *out);

/* Eigenvalues of several plans at a point, over the unit circle. */
typedef struct FigureSpectrum {
    const char *name; /* of the plan */
    int colour, n;
    const double complex *value;
} FigureSpectrum;

typedef struct FigurePoint {
    const char *name; /* "t = 0.1 s" */
    const FigureSpectrum *spectrum;
    int n;
} FigurePoint;

/* One point at a time, to be chosen. */
void figure_spectra(const char *title, const FigurePoint *point, int n,
                    FILE *out);

/* What stands at a place of a matrix. */
typedef enum FigureMark {
    MARK_ENTRY,   /* an entry */
    MARK_DROPPED, /* there is one, but it is not used */
    MARK_FROZEN,  /* a constant in its place */
    MARK_FILL,    /* comes into being with the factors */
} FigureMark;

typedef struct FigurePlace {
    int row, col;
    FigureMark mark;
} FigurePlace;

/* A square matrix of n rows; names may be NULL. */
void figure_matrix(const char *title, int n, const FigurePlace *place,
                   int nplace, const char *const *row_name,
                   const char *const *col_name, FILE *out);

#endif
