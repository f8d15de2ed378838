/* tune_text.h - what a tuning found: a table, and JSON. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PAGES_TUNE_TEXT_H
#define TAKT_PAGES_TUNE_TEXT_H

#include <stdio.h>

#include "tuning/tuning.h"

void tune_print_spectrum(const Tuning *t, FILE *out);
void tune_print_table(const Tuning *t, FILE *out);
void tune_print_json(const Tuning *t, FILE *out);
/* Lines that name the entries which some plan keeps for the outputs' sake,
 * those first that would add most; NULL if there are none. */
const char *tune_held(const Tuning *t, Arena *arena);
/* The evidence of a candidate, for its plan; JSON text in `arena`. */
const char *tune_evidence(const Tuning *t, const TuneCandidate *k,
                          Arena *arena);
/* The plan of the chosen candidate, with its evidence. True. */
bool tune_write_plan(const Tuning *t, FILE *out);

#endif
