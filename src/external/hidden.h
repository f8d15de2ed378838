/* hidden.h - calls of impure functions in when clauses (value/hidden.h), and
 * random numbers whose state no model sees.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXTERNAL_HIDDEN_H
#define TAKT_EXTERNAL_HIDDEN_H

#include "eval/eval_internal.h"
#include "value/hidden.h"

/* A call in a when clause: a number that is another one each time the clause is
 * active, 0 before. EXPR_NONE: not here. */
Expr hidden_count(const Context *in, Span span);
/* The state that random numbers begin with, and the next one, in a when clause
 * or before the run. Of the latter EXPR_NONE: not here. */
void hidden_set_random(const Context *in, const Expr *state);
Expr hidden_next_random(const Context *in, Span span);

#endif
