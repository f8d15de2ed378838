/* resources.c - files and folders, read whole. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/resources.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "target/binary.h"

enum { MOST_FILES = 10000, MOST_DEPTH = 32 };
static const size_t MOST_BYTES = (size_t)1 << 30;

typedef struct Shelf {
    const TargetInput *in;
    Arena *arena;
    Diag *diag;
    Vec(TargetFile) file;
    size_t bytes;
} Shelf;

static bool refuse(Shelf *s, const char *path, const char *why)
{
    diag_report(s->diag, s->in->flat->span, DIAG_E1405,
                "the resource '%s', which external functions read: %s", path,
                why);
    return false;
}

static bool add_file(Shelf *s, const char *path, const char *name)
{
    TargetFile f = {.name = arena_printf(s->arena, "resources/%s", name)};
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return refuse(s, path, "is no file");
    if (s->file.n >= MOST_FILES || s->bytes + (size_t)st.st_size > MOST_BYTES)
        return refuse(s, path,
                      "with it the FMU would have more than 10,000 files or 1 "
                      "GB of them");
    if (!binary_read(path, &f, s->arena))
        return refuse(s, path, "cannot be read");
    s->bytes += f.size;
    vec_push(s->arena, &s->file, f);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool add_any(Shelf *s, const char *path, const char *name, int depth);

/* In the order of names: the same model gives the same bytes. */
static bool add_folder(Shelf *s, const char *path, const char *name, int depth)
{
    Vec(const char *) found = {0};
    DIR *d = opendir(path);
    if (!d)
        return refuse(s, path, "cannot be read");
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.')
            vec_push(s->arena, &found, arena_strdup(s->arena, e->d_name));
    closedir(d);
    if (found.n > 0)
        qsort(found.at, (size_t)found.n, sizeof *found.at, by_name);
    for (int i = 0; i < found.n; i++)
        if (!add_any(s, arena_printf(s->arena, "%s/%s", path, found.at[i]),
                     arena_printf(s->arena, "%s/%s", name, found.at[i]),
                     depth + 1))
            return false;
    return true;
}

static bool add_any(Shelf *s, const char *path, const char *name, int depth)
{
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return depth < MOST_DEPTH ? add_folder(s, path, name, depth)
                                  : refuse(s, path, "is nested too deeply");
    return add_file(s, path, name);
}

/* The last part of the path, with a number if another one has it. */
static const char *name_for(const char *path, const char *const *taken, int n,
                            Arena *arena)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t from = end;
    while (from > 0 && path[from - 1] != '/')
        from--;
    const char *name = arena_strndup(arena, path + from, end - from);
    for (int i = 0; i < n; i++)
        if (!strcmp(taken[i], name))
            return arena_printf(arena, "%d/%s", n, name);
    return name;
}

bool resources_collect(const TargetInput *in, TargetForeign *out, Arena *arena,
                       Diag *diag)
{
    Shelf s = {.in = in, .arena = arena, .diag = diag};
    int n = 0;
    while (out->what->file[n])
        n++;
    const char **name = NEW_ARRAY(arena, const char *, n + 1);
    for (int i = 0; i < n; i++) {
        name[i] = name_for(out->what->file[i], name, i, arena);
        if (!add_any(&s, out->what->file[i], name[i], 0))
            return false;
    }
    out->file = name;
    out->resource = s.file.at;
    out->nresource = s.file.n;
    return true;
}
