/* walk.c - the Modelica files below a directory, with a stack of its own. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/die.h"

#include "base/die.h"

typedef struct Visited {
    dev_t dev;
    ino_t ino;
} Visited;

typedef struct Walk {
    TextList stack; /* directories to visit, the next one last */
    Vec(Visited) visited;
    TextList *out;
    Arena *arena;
    Diag *diag;
} Walk;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void unreadable(Walk *w, const char *path)
{
    diag_report(w->diag, NO_SPAN, DIAG_E0201, "%s: %s", path, strerror(errno));
}

static bool was_visited(Walk *w, const struct stat *st)
{
    for (int i = 0; i < w->visited.n; i++)
        if (w->visited.at[i].dev == st->st_dev &&
            w->visited.at[i].ino == st->st_ino)
            return true;
    Visited v = {st->st_dev, st->st_ino};
    vec_push(w->arena, &w->visited, v);
    return false;
}

static bool ends_with_mo(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".mo") == 0;
}

/* The names in a directory, sorted; false if it cannot be read. */
static bool list_names(Walk *w, const char *path, TextList *names)
{
    DIR *dir = opendir(path);
    if (!dir && errno == ENOMEM)
        die("out of memory while opening %s", path);
    if (!dir)
        return false;
    for (struct dirent *e; (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
            strcmp(e->d_name, ".git"))
            vec_push(w->arena, names, arena_strdup(w->arena, e->d_name));
    closedir(dir);
    if (names->n)
        qsort(names->at, (size_t)names->n, sizeof *names->at, by_name);
    return true;
}

/* Files are added, directories are stacked so that the first comes next. */
static void visit(Walk *w, const char *path)
{
    TextList names = {0}, dirs = {0};
    if (!list_names(w, path, &names)) {
        unreadable(w, path);
        return;
    }
    for (int i = 0; i < names.n; i++) {
        struct stat st;
        const char *full = arena_printf(w->arena, "%s/%s", path, names.at[i]);
        bool is_mo = ends_with_mo(names.at[i]);
        if (stat(full, &st) != 0) {
            if (is_mo)
                unreadable(w, full);
        } else if (S_ISDIR(st.st_mode)) {
            if (!was_visited(w, &st))
                vec_push(w->arena, &dirs, full);
        } else if (is_mo) {
            vec_push(w->arena, w->out, full);
        }
    }
    for (int i = dirs.n - 1; i >= 0; i--)
        vec_push(w->arena, &w->stack, dirs.at[i]);
}

void walk_files(const char *path, TextList *out, Arena *arena, Diag *diag)
{
    Walk w = {.out = out, .arena = arena, .diag = diag};
    struct stat st;
    if (stat(path, &st) != 0) {
        unreadable(&w, path);
        return;
    }
    if (!S_ISDIR(st.st_mode)) {
        vec_push(arena, out, path);
        return;
    }
    was_visited(&w, &st);
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    vec_push(arena, &w.stack, arena_strndup(arena, path, n));
    while (w.stack.n)
        visit(&w, vec_pop(&w.stack));
}
