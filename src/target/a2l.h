/* a2l.h - the table of variables of generated code as an ASAP2 description,
 * for masters of XCP (run/xcp.h): quantity i is a double at address 8 i. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_A2L_H
#define TAKT_TARGET_A2L_H

#include "target/target.h"

/* A model, and what stands before the names of its quantities. */
typedef struct A2lModel {
    const Flat *flat;
    const Emitted *out;
    const char *prefix; /* "Controller.", or "" */
} A2lModel;

/* Of `n` models that run together, numbered in this order; `name` is that of
 * the project. Lives in `arena`. Ports are those of `takt run --xcp 5555`. */
const char *target_a2l(const char *name, const char *version,
                       const A2lModel *model, int n, Arena *arena);

#endif
