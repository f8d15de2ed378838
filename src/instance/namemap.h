/* namemap.h - tables from names to numbers. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_NAMEMAP_H
#define TAKT_INSTANCE_NAMEMAP_H

#include "eval/eval.h"

/* A table from names to numbers. */
typedef struct NameMap {
    const char **key;
    int *value;
    int cap, n;
} NameMap;
/* Of what is found by its address. */
unsigned namemap_hash(const void *address);
int namemap_find(const NameMap *m, const char *name); /* NONE: not there */
void namemap_add(const Context *in, NameMap *m, const char *name, int value);

#endif
