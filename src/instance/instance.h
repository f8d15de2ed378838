/* instance.h - from classes to a flat model.
 *
 *   in    Library    loaded classes (load/load.h)
 *   out   Flat       scalar variables and equations
 *   next  simplify/  removes constants and aliases
 *
 * Lookup, inheritance, modification, redeclaration, conditional components,
 * arrays of anything, equations and connections of the Modelica Language
 * Specification 3.6 (chapters 4 to 9). What it does not know it reports as
 * unsupported with its name and place, never silently.
 *
 * Nothing is built in order: classes, components, sizes and values are made
 * when somebody asks (structure.h lists the files). Expressions, functions and
 * algorithms are evaluated by eval/eval.h, which asks back here, through a
 * table of functions (eval/lookup.h), what a name stands for and which value a
 * parameter has.
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
