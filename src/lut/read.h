/* read.h - tables from files.
 *
 * Three formats (Modelica.Blocks.Tables): a text file that begins with "#1" and
 * holds tables by name,
 *
 *     #1
 *     double tab1(6,2)   # comment
 *       0   0
 *       ...
 *
 * MAT files of MATLAB, versions 4 to 7.3, by libmatio; and CSV files, which are
 * one table without a name.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LUT_READ_H
#define TAKT_LUT_READ_H

#include <stddef.h>

#include "base/arena.h"

enum { LUT_MOST_NUMBERS = 4000000 }; /* of a table */

typedef struct LutData {
    int nrow, ncol;
    const double *at; /* row by row */
} LutData;

/* How a CSV file is to be read. */
typedef struct LutCsv {
    char delimiter; /* between numbers */
    int nheader;    /* lines to be skipped */
} LutCsv;

/* The table `name` of the file; its format follows from the end of the path.
 * Returns NULL, or why it cannot be read. All live in `arena`. */
const char *lut_read(const char *path, const char *name, LutCsv csv,
                     LutData *out, Arena *arena);

/* The same from text in memory, `text` ends with a NUL at text[size]. */
const char *lut_parse_text(const char *text, size_t size, const char *name,
                           LutData *out, Arena *arena);
const char *lut_parse_csv(const char *text, size_t size, LutCsv csv,
                          LutData *out, Arena *arena);

#endif
