/* message.h - what assertions of a model say. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOWER_MESSAGE_H
#define TAKT_LOWER_MESSAGE_H

#include "lower/lower.h"

/* The text of `message` with the values in the slots r; `mapped` is the same
 * over the table. Where that is not to be had, what stands in the model. */
const char *lower_message(const Lowered *low, Expr message, Expr mapped,
                          const double *r, Arena *arena);

#endif
