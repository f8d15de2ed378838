/* script.c - texts in CMake files and Octave scripts. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/script.h"

#include <stdbool.h>

/* Does ] followed by n times = and ] occur in the text or at its end? */
static bool has_closing(const char *text, size_t n)
{
    for (const char *s = strchr(text, ']'); s; s = strchr(s + 1, ']')) {
        size_t k = strspn(s + 1, "=");
        if (k == n && (s[1 + k] == ']' || s[1 + k] == '\0'))
            return true;
    }
    return false;
}

/* A line end at the beginning would be dropped: one more is put in front. */
const char *cmake_string(const char *text, Arena *arena)
{
    size_t n = 0;
    while (has_closing(text, n))
        n++;
    char *bar = arena_alloc(arena, n + 1);
    memset(bar, '=', n);
    const char *skipped = text[0] == '\n' || text[0] == '\r' ? "\n" : "";
    return arena_printf(arena, "[%s[%s%s]%s]", bar, skipped, text, bar);
}

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
