/* dynamic.c - dlopen and dlsym. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/dynamic.h"

#include <dlfcn.h>
#include <string.h>

void *dynamic_open(const char *file)
{
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

/* ISO C has no cast from an object to a function. */
bool dynamic_take(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    memcpy(pointer, &symbol, sizeof symbol);
    return symbol != NULL;
}
