/* pictures.h - matrices and eigenvalues as SVG, to be put into a page. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REPORT_PICTURES_H
#define TAKT_REPORT_PICTURES_H

#include <complex.h>
#include <stdio.h>

/* What stands at a place of a matrix. */
typedef enum PictureMark {
    MARK_ENTRY,   /* an entry */
    MARK_DROPPED, /* there is one, but it is not used */
    MARK_FROZEN,  /* a constant in its place */
    MARK_FILL,    /* comes into being with the factors */
} PictureMark;

typedef struct PicturePlace {
    int row, col;
    PictureMark mark;
} PicturePlace;

/* A square matrix of n rows; names may be NULL, else they are shown where the
 * mouse stands. */
void picture_matrix(const char *title, int n, const PicturePlace *place,
                    int nplace, const char *const *row_name,
                    const char *const *col_name, FILE *out);

/* Eigenvalues in the unit disc; those of `after` are drawn above those of
 * `before` (n = 0: none). Values outside are drawn at the rim and counted. */
void picture_disc(const char *title, const double complex *before, int nbefore,
                  const double complex *after, int nafter, FILE *out);

#endif
