/* intern.h - one copy of each name: equal strings have equal addresses. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_INTERN_H
#define TAKT_BASE_INTERN_H

#include "base/arena.h"

typedef struct Intern Intern;

/* A table whose strings live in `arena`. */
Intern *intern_new(Arena *arena);
/* The one copy of the string s[0..n). May hold any byte but NUL. */
const char *intern(Intern *t, const char *s, size_t n);
const char *intern_str(Intern *t, const char *s);
/* The one copy if the string was interned before, else NULL. */
const char *intern_find(const Intern *t, const char *s, size_t n);

#endif
