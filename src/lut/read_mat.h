/* read_mat.h - a table of a MAT file, versions 4 to 7.3, by libmatio. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LUT_READ_MAT_H
#define TAKT_LUT_READ_MAT_H

#include "lut/read.h"

/* The real matrix `name`. Returns NULL, or why it cannot be read. */
const char *lut_read_mat(const char *path, const char *name, LutData *out,
                         Arena *arena);

#endif
