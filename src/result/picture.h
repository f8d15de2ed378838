/* picture.h - a picture goes to a file: as the SVG it is, or as PNG.
 *
 * PNG is drawn by librsvg, which is loaded when a PNG is asked for: takt runs
 * without it, and starts no slower for it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RESULT_PICTURE_H
#define TAKT_RESULT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

/* NULL, or what PNG needs and this machine does not have. */
const char *picture_png_wants(void);

/* Draws `svg` of n bytes as PNG, twice its size. False: librsvg cannot. */
bool picture_png(const char *svg, size_t n, FILE *out);

typedef struct Picture {
    FILE *svg; /* the writer of the picture writes here */
    char *text;
    size_t size;
} Picture;

void picture_open(Picture *p);
/* Writes it to `path`: PNG if it ends in .png. False with errno set. */
bool picture_save(Picture *p, const char *path, Arena *arena);

#endif
