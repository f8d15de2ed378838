/* file.h - output files that are written whole or not at all.
 *
 * A file is written under a temporary name beside its place and renamed when
 * it was closed without an error: a failed run leaves no partial file and an
 * older file is not lost. "-" is standard output.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_FILE_H
#define TAKT_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/number.h"

typedef struct OutFile {
    FILE *file;
    const char *path; /* where it goes */
    const char *temp; /* where it is now, NULL for standard output */
} OutFile;

/* Opens `path` for writing. Returns false with errno set when that fails. */
bool outfile_open(OutFile *f, const char *path, Arena *arena);
/* Could `path` be opened? Nothing is left behind. False with errno set. */
bool outfile_possible(const char *path, Arena *arena);
/* Flushes, checks, renames. Returns false with errno set and removes the
 * temporary file when any write failed. */
bool outfile_close(OutFile *f);
/* Gives up: removes the temporary file. */
void outfile_drop(OutFile *f);

/* `text`, such as the name of a model, as the beginning of the name of a file
 * in the present directory: letters, digits, points, underscores and what is
 * not ASCII stay, the rest becomes underscores; it is cut at 200 bytes. */
const char *outfile_name(const char *text, Arena *arena);

#endif
