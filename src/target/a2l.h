/* a2l.h - the table of variables of generated code as an ASAP2 description,
 * for masters of XCP (run/xcp.h): quantity i is a double at address 8 i. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_A2L_H
#define TAKT_TARGET_A2L_H

#include "target/target.h"

/* Lives in `arena`. Ports are those of `takt run --xcp 5555`. */
const char *target_a2l(const TargetInput *in, Arena *arena);

#endif
