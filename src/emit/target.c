/* target.c - the table of targets. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "emit/target.h"

#include <string.h>

const Target *const targets[] = {
#define TARGET(name) &target_##name,
#include "emit/targets.def"
#undef TARGET
    NULL,
};

const Target *target_find(const char *name)
{
    for (const Target *const *t = targets; *t; t++)
        if (!strcmp((*t)->name, name))
            return *t;
    return NULL;
}

const char *target_names(bool with_help, Arena *arena)
{
    const char *text = "";
    for (const Target *const *t = targets; *t; t++) {
        const char *comma = t == targets ? "" : ", ";
        if (with_help)
            text = arena_printf(arena, "%s%s%s (%s)", text, comma, (*t)->name,
                                (*t)->help);
        else
            text = arena_printf(arena, "%s%s%s", text, comma, (*t)->name);
    }
    return text;
}
