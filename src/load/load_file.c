/* load_file.c - reads a file and checks that it fits its place (13.4).
 *
 * The class of X.mo, and of the directory X with a package.mo, is X; the file
 * holds nothing else and begins with the `within` of the enclosing package.
 * Where that is not so it is reported, and the class is used all the same: one
 * message is enough for one mistake.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "base/die.h"
#include "load/load_internal.h"
#include "parse/parse.h"

/* ---- paths ---- */

bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool is_package_directory(const char *path)
{
    struct stat st;
    size_t n = strlen(path);
    char *file = malloc(n + sizeof "/package.mo");
    if (!file)
        die("out of memory");
    memcpy(file, path, n);
    strcpy(file + n, "/package.mo");
    bool there = stat(file, &st) == 0 && !S_ISDIR(st.st_mode);
    free(file);
    return there;
}

bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

const char *path_join(Library *lib, const char *dir, const char *name)
{
    size_t n = strlen(dir);
    if (strcmp(dir, ".") == 0)
        return arena_strdup(lib->arena, name);
    return arena_printf(lib->arena, "%s%s%s", dir,
                        n && dir[n - 1] == '/' ? "" : "/", name);
}

const char *path_dir(Library *lib, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return arena_strndup(lib->arena, path,
                         slash == path ? 1 : (size_t)(slash - path));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool path_list(Library *lib, const char *path, NameList *names)
{
    DIR *dir = opendir(path);
    if (!dir && errno == ENOMEM)
        die("out of memory while opening %s", path);
    if (!dir) {
        diag_report(lib->diag, NO_SPAN, DIAG_E0201, "%s: %s", path,
                    strerror(errno));
        return false;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        if (names->n == MAX_ENTRIES) {
            diag_report(lib->diag, NO_SPAN, DIAG_E0211,
                        "%s: this directory has more than %d entries; takt "
                        "reads no more",
                        path, MAX_ENTRIES);
            break;
        }
        vec_push(lib->arena, names, arena_strdup(lib->arena, e->d_name));
    }
    closedir(dir);
    if (names->n)
        qsort(names->at, (size_t)names->n, sizeof *names->at, by_name);
    return true;
}

bool is_identifier(const char *s, size_t n)
{
    if (n >= 3 && s[0] == '\'' && s[n - 1] == '\'')
        return true;
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        bool letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return n > 0;
}

/* ---- reading ---- */

const AstFile *file_read(Library *lib, const char *path)
{
    struct stat st;
    bool known = stat(path, &st) == 0;
    for (int i = 0; known && i < lib->read.n; i++)
        if (lib->read.at[i].ino == st.st_ino &&
            lib->read.at[i].dev == st.st_dev)
            return lib->read.at[i].file;
    int source = sources_read(lib->sources, path);
    if (source == NONE) {
        diag_report(lib->diag, NO_SPAN, DIAG_E0201, "%s: %s", path,
                    strerror(errno));
        return NULL;
    }
    AstFile *file =
        parse_file(lib->sources, source, lib->names, lib->arena, lib->diag);
    if (known) {
        ReadFile r = {st.st_dev, st.st_ino, file};
        vec_push(lib->arena, &lib->read, r);
    }
    return file;
}

LoadClass *class_new(Library *lib, LoadClass *parent, const AstClass *ast,
                     const AstElem *elem, int source)
{
    LoadClass *c = NEW(lib->arena, LoadClass);
    c->name = c->full_name = ast->name;
    if (parent)
        c->full_name =
            intern_str(lib->names, arena_printf(lib->arena, "%s.%s",
                                                parent->full_name, ast->name));
    c->ast = ast;
    c->elem = elem;
    c->parent = parent;
    c->source = source;
    return c;
}

/* ---- checks ---- */

/* Where a message about the whole file points to. */
static Span file_span(const AstFile *file)
{
    if (file->within)
        return file->within->span;
    if (file->ncls)
        return file->cls[0]->span;
    return (Span){file->source, 0, 0};
}

static void check_within(Library *lib, const AstFile *file,
                         const LoadClass *parent)
{
    const char *have =
        file->within ? ast_ref_text(file->within, lib->arena) : NULL;
    const char *want = parent ? parent->full_name : NULL;
    if (have == want || (have && want && strcmp(have, want) == 0))
        return;
    if (!want)
        diag_report(lib->diag, file_span(file), DIAG_E0203,
                    "this file is a library of its own, but says 'within %s;'; "
                    "write 'within ;' or move it into that package",
                    have);
    else if (!have)
        diag_report(lib->diag, file_span(file), DIAG_E0203,
                    "this file lies in the package '%s' and must begin with "
                    "'within %s;'",
                    want, want);
    else
        diag_report(lib->diag, file_span(file), DIAG_E0203,
                    "this file lies in the package '%s', but says 'within %s;'",
                    want, have);
}

/* The one class of a file, NULL if there is none (reported). */
static const AstClass *only_class(Library *lib, const AstFile *file,
                                  const char *path)
{
    if (file->ncls == 0) {
        if (file->nerror == 0)
            diag_report(lib->diag, NO_SPAN, DIAG_E0205,
                        "%s: this file of a package has no class", path);
        return NULL;
    }
    if (file->ncls > 1) {
        diag_report(lib->diag, file->cls[1]->span, DIAG_E0205,
                    "a file of a library holds one class; '%s' is one too many",
                    file->cls[1]->name);
        diag_note(lib->diag, file->cls[0]->span,
                  "the class of this file is "
                  "'%s'",
                  file->cls[0]->name);
    }
    return file->cls[0];
}

/* Is `path` one of the directories around it? Then a link leads back. */
static bool leads_to_itself(const LoadClass *parent, const char *path)
{
    for (const LoadClass *c = parent; c; c = c->parent)
        if (c->directory && same_file(c->directory, path))
            return true;
    return false;
}

static int level_of(const LoadClass *c)
{
    int n = 0;
    for (; c; c = c->parent)
        n++;
    return n;
}

LoadClass *file_load(Library *lib, LoadClass *parent, const char *name,
                     const char *path, bool is_dir)
{
    if (is_dir &&
        (leads_to_itself(parent, path) || level_of(parent) > MAX_LEVELS)) {
        diag_report(lib->diag, NO_SPAN, DIAG_E0211,
                    "%s: this directory leads to one that it lies in", path);
        return NULL;
    }
    const char *text = is_dir ? path_join(lib, path, "package.mo") : path;
    const AstFile *file = file_read(lib, text);
    if (!file)
        return NULL;
    const AstClass *ast = only_class(lib, file, text);
    if (!ast)
        return NULL;
    if (file->nerror == 0)
        check_within(lib, file, parent);
    if (ast->name != name) {
        if (file->nerror == 0)
            diag_report(lib->diag, ast->span, DIAG_E0204,
                        "the %s is named '%s', so this class must be named "
                        "'%s', found '%s'",
                        is_dir ? "directory" : "file", name, name, ast->name);
        AstClass *renamed = NEW(lib->arena, AstClass);
        *renamed = *ast;
        renamed->name = name;
        ast = renamed;
    }
    LoadClass *cls = class_new(lib, parent, ast, NULL, file->source);
    if (is_dir)
        cls->directory = path;
    return cls;
}
