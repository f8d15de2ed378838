/* outputs.c - endings and places of files to be written. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/outputs.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "result/picture.h"

/* "run.csv" -> "csv"; NULL if the name has no ending. */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : NULL;
}

static const char *wrong_png(const char *option, const char *ending,
                             Arena *arena)
{
    const char *wants = strcmp(ending, "png") ? NULL : picture_png_wants();
    return wants ? arena_printf(arena,
                                "%s: PNG needs %s, which is not installed; "
                                "take .svg",
                                option, wants)
                 : NULL;
}

const char *output_wrong(const char *option, const char *path,
                         const char *endings, Arena *arena)
{
    const char *ending = path ? ending_of(path) : NULL;
    const char *list = "";
    for (size_t n; ending && *endings; endings += n + (endings[n] == '|')) {
        n = strcspn(endings, "|");
        if (strlen(ending) == n && !strncmp(ending, endings, n))
            return wrong_png(option, ending, arena);
        list = arena_printf(arena, "%s%s.%.*s", list, *list ? " or " : "",
                            (int)n, endings);
    }
    return ending ? arena_printf(arena,
                                 "%s takes a file that ends in %s, "
                                 "not '%s'",
                                 option, list, path)
                  : NULL;
}

bool output_possible(const char *path, Arena *arena, Diag *diag)
{
    if (!path || outfile_possible(path, arena))
        return true;
    diag_report(diag, NO_SPAN, DIAG_E1308, "%s: %s", path, strerror(errno));
    return false;
}
