/* script.h - texts in files that other programs read as commands: CMake,
 * Octave.
 *
 * Results live in the arena.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_SCRIPT_H
#define TAKT_BASE_SCRIPT_H

#include "base/arena.h"

/* The identifier `name` as the name of a target: those that CMake keeps to
 * itself get an underscore. */
const char *cmake_target(const char *name, Arena *arena);

/* A path or word as an argument in double quotes. */
const char *cmake_string(const char *text, Arena *arena);

/* A text of Octave and Matlab in single quotes, those inside doubled. It ends
 * with its line: control characters become spaces. */
const char *octave_string(const char *text, Arena *arena);
/* What may follow % in the same languages: one line that opens no block. */
const char *octave_comment(const char *text, Arena *arena);

#endif
