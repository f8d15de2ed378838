/* libzip.c - libzip by dlopen. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/libzip.h"

#include <stdbool.h>

#include "base/die.h"
#include "base/dynamic.h"

static bool take_all(Libzip *l)
{
    void *library = dynamic_open(TAKT_LATER_zip);
#define TAKE(name) &&dynamic_take(library, "zip_" #name, &l->name)
    return library LIBZIP_FUNCTIONS(TAKE);
#undef TAKE
}

/* Of a thread each, as lapack() is. */
const Libzip *libzip(void)
{
    static _Thread_local Libzip l;
    static _Thread_local bool is_there;
    if (!is_there)
        is_there = take_all(&l);
    if (!is_there)
        die("libzip is needed: %s cannot be loaded", TAKT_LATER_zip);
    return &l;
}
