/* emit.h - adding to the flat model.
 *
 * Tables of Flat double when their count reaches a power of two; each function
 * returns the index of the new entry, which is a copy. What an expression
 * leaves behind does not come here directly but through its trial (trial.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_VALUE_EMIT_H
#define TAKT_VALUE_EMIT_H

#include "value/context.h"

int emit_component(const Context *in, FlatComponent c);
int emit_var(const Context *in, FlatVar v);
int emit_eqn(const Context *in, FlatEqn e);
int emit_initial(const Context *in, FlatEqn e);
int emit_clock(const Context *in, Expr clock);
int emit_transition(const Context *in, FlatTransition t);
int emit_initial_state(const Context *in, FlatInitialState s);
int emit_when(const Context *in, FlatWhen w);
int emit_assert(const Context *in, FlatAssert a, bool initial);
int emit_enumeration(const Context *in, FlatEnumeration e);

#endif
