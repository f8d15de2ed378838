/* target_c.c - C for any computer: the files of emit.h and nothing else. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/target.h"

const Target target_c = {.name = "c", .help = "C for any computer"};
