/* script.c - texts in CMake files and Octave scripts. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/script.h"

#include <string.h>

const char *cmake_target(const char *name, Arena *arena)
{
    static const char *const kept[] = {"all",
                                       "clean",
                                       "depend",
                                       "edit_cache",
                                       "help",
                                       "install",
                                       "list_install_components",
                                       "package",
                                       "package_source",
                                       "preinstall",
                                       "rebuild_cache",
                                       "test",
                                       "ALL_BUILD",
                                       "INSTALL",
                                       "PACKAGE",
                                       "RUN_TESTS",
                                       "ZERO_CHECK"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(name, kept[i]) == 0)
            return arena_printf(arena, "%s_", name);
    return name;
}

static char *plain_line(const char *text, Arena *arena)
{
    char *out = arena_strdup(arena, text);
    for (char *s = out; *s; s++)
        if ((unsigned char)*s < 32)
            *s = ' ';
    return out;
}

const char *octave_string(const char *text, Arena *arena)
{
    char *out = arena_alloc(arena, 2 * strlen(text) + 3), *to = out;
    *to++ = '\'';
    for (const char *s = plain_line(text, arena); *s; s++) {
        if (*s == '\'')
            *to++ = '\'';
        *to++ = *s;
    }
    *to++ = '\'';
    *to = '\0';
    return out;
}

const char *octave_comment(const char *text, Arena *arena)
{
    char *out = plain_line(text, arena);
    return out[0] == '{' || out[0] == '}' ? arena_printf(arena, " %s", out)
                                          : out;
}

const char *cmake_string(const char *text, Arena *arena)
{
    char *out = arena_alloc(arena, 2 * strlen(text) + 3), *p = out;
    *p++ = '"';
    for (; *text; text++) {
        if (strchr("\\\"$;", *text))
            *p++ = '\\';
        *p++ = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    *p++ = '"';
    *p = '\0';
    return out;
}
