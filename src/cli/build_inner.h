/* build_inner.h - an FMU with sources as a part of generated code. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_BUILD_INNER_H
#define TAKT_CLI_BUILD_INNER_H

#include "driver/driver.h"
#include "target/target.h"

/* The code of a compilation of an FMU with its sources beside it, which are
 * *inner. NULL after a report: the FMU has none (U0224). */
const DriverCode *build_inner(const Compilation *c, const TargetInner **inner,
                              int *ninner);

#endif
