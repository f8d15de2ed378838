/* target.c - the table of targets. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/target.h"

#include <ctype.h>
#include <string.h>

const Target *const targets[] = {
#define TARGET(name) &target_##name,
#include "target/targets.def"
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

const char *target_upper(const char *name, Arena *arena)
{
    char *out = arena_strdup(arena, name);
    for (char *s = out; *s; s++)
        *s = (char)toupper((unsigned char)*s);
    return out;
}

const char *target_replaced(const char *text, const char *word, const char *by,
                            Arena *arena)
{
    size_t nword = strlen(word), nby = strlen(by), n = 0;
    for (const char *s = text; (s = strstr(s, word)); s += nword)
        n++;
    char *out = NEW_ARRAY(arena, char, strlen(text) + n * nby + 1), *to = out;
    for (const char *hit; (hit = strstr(text, word)); text = hit + nword) {
        memcpy(to, text, (size_t)(hit - text));
        to += hit - text;
        memcpy(to, by, nby);
        to += nby;
    }
    memcpy(to, text, strlen(text) + 1);
    return out;
}

TargetFile target_text(const char *name, const char *text)
{
    return (TargetFile){name, text, strlen(text)};
}

const char *target_words(Arena *arena)
{
    const char *text = "";
    for (const Target *const *t = targets; *t; t++)
        text = arena_printf(arena, "%s%s%s", text, t == targets ? "" : "|",
                            (*t)->name);
    return text;
}

const char *target_help(Arena *arena)
{
    const char *text = "";
    for (const Target *const *t = targets; *t; t++)
        text = arena_printf(arena, "%s%s%s (%s)", text,
                            t == targets ? "" : ", ", (*t)->name, (*t)->help);
    return text;
}
