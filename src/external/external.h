/* external.h - external functions (12.9): those that takt knows, and foreign
 * code.
 *
 *   in    Exec   a function whose inputs are in its frame (eval/exec.h)
 *   out   its outputs there: numbers, or calls of opaque functions
 *
 * Evaluation asks for it through its Lookup (eval/lookup.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXTERNAL_EXTERNAL_H
#define TAKT_EXTERNAL_EXTERNAL_H

#include "eval/exec.h"

/* False after a report. */
bool external_call(const Context *in, struct Exec *x, Span span);
/* Does the function print and nothing else? */
bool external_only_prints(const Function *fn);
/* Are inputs and outputs of the function that an annotation names as the
 * derivative of `fn` those of one (12.7.1)? False after a report at `span`. */
bool external_derivative_fits(const Context *in, const Function *fn,
                              Value **arg, Span span);
/* How calls of this kind are differentiated, by the numbers that the run knows;
 * NULL: as they are written. Set before the derivative is executed, which may
 * call the function in turn. */
void external_tell(const Context *in, const Function *fn, const FormalCall *c,
                   const Told **told);
/* When the flat model is complete, before eval_finish(). */
void external_finish(const Context *in);

#endif
