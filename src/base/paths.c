/* paths.c - where takt's own files are, and where others may be made. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/paths.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* share/takt/models beside the bin directory of the running program: an
 * installation that was moved still finds its models. */
static const char *beside_program(void)
{
    static char path[4096];
    static const char tail[] = "/share/takt/models";
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof tail);
    if (n <= 0)
        return NULL;
    path[n] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return NULL;
        *slash = '\0';
    }
    strcat(path, tail);
    return is_directory(path) ? path : NULL;
}

const char *temp_dir(void)
{
    const char *given = getenv("TMPDIR");
    return given && *given ? given : "/tmp";
}

const char *models_dir(void)
{
    const char *given = getenv("TAKT_MODELS");
    if (given && *given && is_directory(given))
        return given;
    const char *beside = beside_program();
    if (beside)
        return beside;
    static const char *const fixed[] = {TAKT_SOURCE_MODELS,
                                        TAKT_INSTALLED_MODELS};
    for (int i = 0; i < 2; i++)
        if (is_directory(fixed[i]))
            return fixed[i];
    return NULL;
}
