/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "tree.h"

int tree_set_up(void **state)
{
    Tree *t = calloc(1, sizeof *t);
    strcpy(t->dir, "/tmp/takt_load_XXXXXX");
    if (!mkdtemp(t->dir))
        return -1;
    t->arena = arena_new();
    t->sources = sources_new(t->arena);
    t->names = intern_new(t->arena);
    t->diag = diag_new(t->sources, t->arena);
    unsetenv("MODELICAPATH");
    setenv("TAKT_MODELS", tree_path(t, "own"), 1);
    mkdir(tree_path(t, "own"), 0777);
    *state = t;
    return 0;
}

static void remove_all(Tree *t, const char *path)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        chmod(path, 0777);
        DIR *dir = opendir(path);
        for (struct dirent *e; dir && (e = readdir(dir));)
            if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
                remove_all(t, arena_printf(t->arena, "%s/%s", path, e->d_name));
        if (dir)
            closedir(dir);
    }
    remove(path);
}

int tree_tear_down(void **state)
{
    Tree *t = *state;
    remove_all(t, t->dir);
    arena_free(t->arena);
    free(t);
    return 0;
}

const char *tree_path(Tree *t, const char *path)
{
    return arena_printf(t->arena, "%s/%s", t->dir, path);
}

void tree_write(Tree *t, const char *path, const char *text)
{
    char *full = arena_strdup(t->arena, tree_path(t, path));
    for (char *s = full + strlen(t->dir) + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = 0;
        mkdir(full, 0777);
        *s = '/';
    }
    FILE *out = fopen(full, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

void tree_load(Tree *t, const char *dir, ...)
{
    Vec(const char *) dirs = {0};
    va_list ap;
    va_start(ap, dir);
    for (; dir; dir = va_arg(ap, const char *))
        vec_push(t->arena, &dirs, tree_path(t, dir));
    va_end(ap);
    LoadOptions opt = {.dir = dirs.at, .ndir = dirs.n};
    t->lib = load_new(&opt, t->sources, t->names, t->arena, t->diag);
}

const char *tree_messages(Tree *t)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diag_print(t->diag, out);
    fclose(out);
    Vec(char) kept = {0};
    size_t n = strlen(t->dir);
    for (const char *s = text; *s;) {
        if (strncmp(s, t->dir, n) == 0 && s[n] == '/')
            s += n + 1;
        else
            vec_push(t->arena, &kept, *s++);
    }
    vec_push(t->arena, &kept, 0);
    free(text);
    return kept.at;
}
