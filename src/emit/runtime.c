/* runtime.c - the files of runtime/, as they were when takt was built. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emit/emit.h"

const char *emit_runtime(const char *name)
{
#define EMBEDDED(file, ...)                                                    \
    if (!strcmp(name, file)) {                                                 \
        static const char text[] = {__VA_ARGS__};                              \
        return text;                                                           \
    }
#include "runtime_files.inc"
#undef EMBEDDED
    return NULL;
}
