/* check_structure.h - what `takt check` says of index, states and blocks. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_CHECK_STRUCTURE_H
#define TAKT_CLI_CHECK_STRUCTURE_H

#include "base/json.h"
#include "driver/driver.h"

/* The structure of a compilation up to PHASE_SCHEDULE. `inlined`: a method was
 * asked for, so the difference equations of a step are shown too. */
void check_structure_print(const Compilation *c, bool inlined);
/* The same as members of the object that is open. */
void check_structure_json(const Compilation *c, bool inlined, JsonOut *j);
/* Draws the blocks of the step (of the model as it is, if not inlined) to a
 * file .svg or .html. Returns false after saying what is wrong. */
bool check_structure_draw(const Compilation *c, bool inlined, const char *path);

#endif
