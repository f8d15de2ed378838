/* selective.h - what `extends S(break ...)` leaves out (7.4). */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_SELECTIVE_H
#define TAKT_INSTANCE_SELECTIVE_H

#include "instance/structure.h"

/* The extends clauses between an instance's class and the text of a base. */
typedef struct Without {
    const Base *base;
    const struct Without *up;
} Without;

/* Does the extends clause leave out the component `name`; any? */
bool selective_drops(const Base *base, const char *name);
bool selective_drops_any(const Base *base);
/* Does one of the clauses leave out the connection? */
bool selective_drops_connect(const Without *without, const AstEqn *q);
/* Reports what `a`, an extends clause, leaves out but `base` does not have. */
void selective_check(const Context *in, Class *base, const AstElem *a);

#endif
