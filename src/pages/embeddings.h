/* embeddings.h - takt method --embeddings: formulas that tell a step's error.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PAGES_EMBEDDINGS_H
#define TAKT_PAGES_EMBEDDINGS_H

#include "plan/method.h"

/* Prints the estimates of a method by steps, the embeddings of Cellier and
 * Kofman among them, with their orders, and the search for embeddings with its
 * counts. False: the method has none. */
bool embeddings_print(const Method *m, Arena *arena);

#endif
