/* cache.h - compiled models are kept, so that a second start is quick.
 *
 * In $TAKT_CACHE, else $XDG_CACHE_HOME/takt, else ~/.cache/takt, a model is two
 * files: what the compiler made, and the key it was made from: the words of the
 * command, the compiler's own file (size, time), all texts. A model is taken
 * only if its key is the same to the last byte, and only from a folder and
 * files that belong to the user and nobody else can write. TAKT_CACHE= (empty)
 * keeps nothing. The oldest of more than CACHE_MOST are removed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_CACHE_H
#define TAKT_RUN_CACHE_H

#include "compile/compile.h"

enum { CACHE_MOST = 64 };

typedef struct Cache {
    const char *dir; /* NULL: there is none */
    const char *key;
    const char *made, *kept; /* paths of the library and of its key */
} Cache;

/* The place of what `job` makes. */
Cache cache_of(const CompileJob *job, Arena *arena);
/* Is it there? c->made can be loaded then. */
bool cache_has(const Cache *c);
/* Keeps a copy of the file `made`; that it cannot is no failure. */
void cache_keep(const Cache *c, const char *made);

#endif
