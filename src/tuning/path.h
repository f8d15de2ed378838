/* path.h - the way of the reference, for what sparsing does to it.
 *
 *   in    Reference, the block whose matrix is sparsed, its pencils
 *   out   DriftPath   see tune/drift.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_PATH_H
#define TAKT_TUNING_PATH_H

#include "tuning/reference.h"
#include "tune/drift.h"

/* Outputs that the reference does not have are left out. NULL if no output
 * depends on states in a way that can be evaluated. Lives in c->arena. */
const DriftPath *tuning_path(const Compilation *c, const Reference *reference,
                             const Schedule *s, const SchedBlock *b,
                             const PencilSet *p);

#endif
