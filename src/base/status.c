/* status.c - the table of status.def. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"

#include <stddef.h>

const StatusRow status_row[STATUS_NCAUSE] = {
#define STATUS(name, code, severity, fmi, of, word, text, hint)                \
    {                                                                          \
        #name,                                                                 \
        (Status)(code),                                                        \
        SEVERITY_##severity,                                                   \
        FMI_##fmi,                                                             \
        OF_##of,                                                               \
        word,                                                                  \
        text,                                                                  \
        hint},
#include "base/status.def"
};

const StatusRow *status_find(int code)
{
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if ((int)status_row[i].code == code)
            return &status_row[i];
    return NULL;
}

const char *status_count_text(const StatusRow *row, long long nstep,
                              const char *where, Arena *arena)
{
    const char *text = arena_printf(arena, "in %lld step%s %s", nstep,
                                    nstep == 1 ? "" : "s", row->text);
    if (*where)
        text = arena_printf(arena, "%s: %s", text, where);
    return *row->hint ? arena_printf(arena, "%s (%s)", text, row->hint) : text;
}
