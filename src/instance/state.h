/* state.h - statements and operators of state machines (chapter 17). */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_STATE_H
#define TAKT_INSTANCE_STATE_H

#include "instance/structure.h"

/* Is it a call of transition() or initialState()? */
bool state_is_call(const AstRef *r);
/* Adds what the call says to the model. */
void state_call(const Context *in, Scope *scope, Instance *owner,
                const AstExpr *call);
/* activeState(), ticksInState(), timeInState(). */
Value *state_operator(const Context *in, Scope *scope, const AstExpr *call);

#endif
