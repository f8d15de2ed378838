/* find.h - what a name or a reference stands for (5.3). */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_FIND_H
#define TAKT_INSTANCE_FIND_H

#include "instance/component.h"

typedef enum FoundKind {
    FOUND_NONE,
    FOUND_CLASS,
    FOUND_INSTANCE,
    FOUND_LOCAL,
    FOUND_ERROR,
} FoundKind;

/* What a name stands for. */
typedef struct Found {
    FoundKind kind;
    Class *cls;
    Instance *inst;
    Value *value;
    bool is_outer; /* found in an enclosing class, not in the class itself */
} Found;

/* The first identifier of a reference. */
Found find_simple(const Context *in, Scope *scope, const char *name, Span span);
/* A class by its full reference; reports unless quiet. */
Class *find_class(const Context *in, Scope *scope, const AstRef *ref,
                  bool quiet);
/* The same for the name of a call: functions can be found through components
 * (5.3.2). */
Class *find_callee(const Context *in, Scope *scope, const AstRef *ref,
                   bool quiet);
/* The value of a reference, subscripts applied; TYPE_ANY after a report. */
Value *find_value(const Context *in, Scope *scope, const AstRef *ref);
/* The path of the instance whose text is around (3.7.4.4). */
const char *find_instance_name(const Context *in, const Scope *scope);
/* Notes "did you mean ...?" to the last report. */
void find_suggest(const Context *in, Scope *scope, const char *name);
void find_suggest_member(const Context *in, Class *cls, const char *name);

/* Instances a reference names: an array of them with dimensions. */
typedef struct InstanceSet {
    Instance **at;
    int n;
    int ndim;
    int dim[16];
    bool absent; /* leads through a component whose condition is false */
    bool ok;
} InstanceSet;
InstanceSet find_instances(const Context *in, Scope *scope, const AstRef *ref);

/* ---- references whose part i is known (reference.c) ---- */

Value *reference_value(const Context *in, Scope *scope, Instance *inst,
                       const AstRef *ref, int i);
Value *reference_rest(const Context *in, Scope *scope, Instance *inst,
                      const AstRef *ref, int i);
Value *reference_empty(const Context *in, Instance *array, const AstRef *ref,
                       int i, const InstanceSet *set);
/* The values of the elements of an array as one. */
Value *reference_gather(const Context *in, Instance *array, Value *const *v,
                        Span span);
/* A value without its first dimensions: v[index[0], ...]. */
Value *value_pick(const Context *in, Value *v, int n, const int *index);
Value *reference_local(const Context *in, Scope *scope, Value *v,
                       const AstRef *ref, int i);
InstanceSet reference_instances(const Context *in, Scope *scope,
                                Instance *first, const AstRef *ref, int i);

#endif
