/* scope.h - where a name is looked up.
 *
 * A scope is a class or instance, or a frame of local names (loop iterators,
 * the variables of a function) before another scope. Frames are made here,
 * class scopes by whoever elaborates classes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EVAL_SCOPE_H
#define TAKT_EVAL_SCOPE_H

#include "value/value.h"

typedef struct Instance Instance; /* a component or an array of them */
typedef struct Scope Scope;

struct Scope {
    struct Frame *frame; /* local names, NULL: a class scope */
    Scope *parent;       /* of a frame: where to look next */
    Class *cls;          /* of a class scope: whose text the names stand in */
    Instance *inst;      /* the instance this class is (a part of); NULL: only
                            classes and constants can be found */
};

Scope *scope_frame(const Context *in, Scope *parent);
void scope_bind(const Context *in, Scope *frame, const char *name, Value *v);
/* The bound value of the nearest frame, NULL if the name is not local. */
Value *scope_local(const Scope *scope, const char *name);
/* Sets the value of a local name that is bound already. */
void scope_assign(Scope *scope, const char *name, Value *v);

#endif
