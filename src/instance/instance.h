/* instance.h - from classes to a flat model.
 *
 *   in    Library    loaded classes (load/load.h)
 *   out   Flat       scalar variables and equations
 *   next  simplify/  removes constants and aliases
 *
 * Lookup, inheritance, modification, redeclaration, conditional components,
 * arrays of anything, connections, functions and algorithms of the Modelica
 * Language Specification 3.6 (chapters 4 to 12). What it does not know it
 * reports as unsupported with its name and place, never silently.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_INSTANCE_H
#define TAKT_INSTANCE_INSTANCE_H

#include "flat/flat.h"
#include "load/load.h"

/* Flattens `model`. The result and its DAG live in `arena`. Returns NULL if an
 * error or an unsupported feature was reported. Nesting of classes, size of
 * arrays and compile-time work have limits that are reported as errors. */
Flat *instance_flatten(Library *library, LoadClass *model, Intern *names,
                       Arena *arena, Diag *diag);

#endif
