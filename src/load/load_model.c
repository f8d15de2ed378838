/* load_model.c - files of the user, the model a command line names, and the
 * addresses of resources. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "load/load_internal.h"

/* ---- files of the user ---- */

/* The directory around `dir`. */
static const char *path_up(Library *lib, const char *dir)
{
    const char *slash = strrchr(dir, '/');
    const char *last = slash ? slash + 1 : dir;
    if (strcmp(last, ".") == 0 || strcmp(last, "..") == 0 || !*last)
        return arena_printf(lib->arena, "%s/..", dir);
    return path_dir(lib, dir);
}

/* If `path` lies in a directory package, makes that library known. */
static void find_around(Library *lib, const char *path)
{
    const char *dir = path_dir(lib, path);
    const char *top = NULL;
    for (int i = 0; i < MAX_LEVELS && is_package_directory(dir); i++) {
        top = dir;
        dir = path_up(lib, dir);
    }
    if (top)
        library_put_root(lib, top);
}

/* The package that `within` names, NULL if it is not found (reported). */
static LoadClass *enclosing(Library *lib, const AstFile *file, const char *path)
{
    const char *name = ast_ref_text(file->within, lib->arena);
    find_around(lib, path);
    LoadClass *parent = load_find(lib, name);
    if (!parent)
        diag_report(lib->diag, file->within->span, DIAG_E0203,
                    "this file is within '%s', which is not found; name the "
                    "directory of that library with -L",
                    name);
    return parent;
}

/* A class of the user that takes the place of an earlier one of the user. */
static void check_earlier(Library *lib, const LoadClass *earlier,
                          const AstClass *ast)
{
    if (!earlier || earlier->ast == ast)
        return;
    diag_report(lib->diag, ast->span, DIAG_E0206,
                "the class '%s' is declared twice", ast->name);
    diag_note(lib->diag, earlier->ast->span, "it is declared here, too");
}

static LoadClass *put_class(Library *lib, LoadClass *parent,
                            const AstFile *file, const AstClass *ast)
{
    if (!parent) {
        LoadClass *earlier = map_find(&lib->top, ast->name);
        check_earlier(lib, earlier, ast);
        if (earlier)
            return earlier;
        LoadClass *cls = class_new(lib, NULL, ast, NULL, file->source);
        library_put_top(lib, cls);
        return cls;
    }
    LoadClass *there = load_find_child(lib, parent, ast->name);
    if (there && there->ast == ast)
        return there; /* the file is a part of the library */
    LoadClass *cls = class_new(lib, parent, ast, NULL, file->source);
    tree_put(lib, parent, cls);
    return cls;
}

/* The package.mo of a directory: the package, by its place. */
static LoadClass *put_package(Library *lib, const AstFile *file,
                              const char *path)
{
    const char *name = file->cls[0]->name;
    find_around(lib, path);
    if (file->within)
        name = arena_printf(lib->arena, "%s.%s",
                            ast_ref_text(file->within, lib->arena), name);
    return load_find(lib, name);
}

static bool is_package_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, "package.mo") == 0;
}

int load_add_file(Library *lib, const char *path, LoadClass ***out)
{
    if (is_directory(path))
        path = path_join(lib, path, "package.mo");
    const AstFile *file = file_read(lib, path);
    *out = NULL;
    if (!file)
        return NONE;
    if (file->ncls == 0) {
        if (file->nerror == 0)
            diag_report(lib->diag, NO_SPAN, DIAG_E0210,
                        "%s: there is no class in this file", path);
        return NONE;
    }
    *out = NEW_ARRAY(lib->arena, LoadClass *, file->ncls);
    if (is_package_file(path) && file->ncls == 1) {
        LoadClass *cls = put_package(lib, file, path);
        if (cls) {
            (*out)[0] = cls;
            return 1;
        }
    }
    LoadClass *parent = file->within ? enclosing(lib, file, path) : NULL;
    for (int i = 0; i < file->ncls; i++)
        (*out)[i] = put_class(lib, parent, file, file->cls[i]);
    return file->ncls;
}

/* ---- the model of a command line ---- */

static bool is_model(const AstClass *c)
{
    return !c->partial &&
           (c->kind == CK_MODEL || c->kind == CK_BLOCK || c->kind == CK_CLASS);
}

/* The last model declared in `cls`, NULL if there is none. */
static LoadClass *last_model_in(Library *lib, LoadClass *cls)
{
    for (int i = load_child_count(lib, cls) - 1; i >= 0; i--) {
        LoadClass *c = load_find_child(lib, cls, load_child_name(lib, cls, i));
        if (c && is_model(c->ast))
            return c;
    }
    return NULL;
}

static LoadClass *model_of_file(Library *lib, const char *path,
                                LoadClass *const *cls, int n, Diag *diag)
{
    LoadClass *found = NULL;
    if (n == 1 && cls[0]->ast->kind == CK_PACKAGE)
        found = last_model_in(lib, cls[0]);
    else if (n == 1)
        found = cls[0];
    for (int i = n - 1; i >= 0 && !found; i--)
        if (is_model(cls[i]->ast))
            found = cls[i];
    if (!found)
        diag_report(diag, cls[0]->ast->span, DIAG_E0210,
                    "%s has no model that is not partial; name one: %s:CLASS",
                    path, path);
    return found;
}

/* Names of the classes in `cls` for did-you-mean. */
static void suggest(Library *lib, LoadClass *cls, const char *name, Diag *diag)
{
    int n = load_child_count(lib, cls);
    const char **all = NEW_ARRAY(lib->arena, const char *, n ? n : 1);
    for (int i = 0; i < n; i++)
        all[i] = load_child_name(lib, cls, i);
    diag_suggest(diag, name, all, n);
}

/* Reports how far the dotted name could be followed. */
static void report_missing(Library *lib, const char *name, Diag *diag)
{
    int failed = diag_count(diag, DIAG_ERROR);
    for (size_t n = strlen(name); n > 0; n--) {
        if (name[n] != '.')
            continue;
        LoadClass *cls = load_find(lib, arena_strndup(lib->arena, name, n));
        if (!cls)
            continue;
        const char *rest = name + n + 1;
        const char *part = arena_strndup(lib->arena, rest, strcspn(rest, "."));
        diag_report(diag, NO_SPAN, DIAG_E0202, "there is no class '%s' in '%s'",
                    part, cls->full_name);
        suggest(lib, cls, part, diag);
        return;
    }
    const char *part = arena_strndup(lib->arena, name, strcspn(name, "."));
    if (diag_count(diag, DIAG_ERROR) > failed)
        return; /* it is there, but could not be read */
    diag_report(diag, NO_SPAN, DIAG_E0202,
                "there is no class '%s'; name the directory of its library "
                "with -L DIR or in MODELICAPATH",
                part);
    suggest(lib, NULL, part, diag);
}

/* `Class` of `file.mo:Class`: by full name, or below a class of the file. */
static LoadClass *class_of_file(Library *lib, const char *path,
                                const char *name, LoadClass *const *cls, int n,
                                Diag *diag)
{
    for (int i = 0; i < n; i++) {
        size_t size = strlen(cls[i]->name);
        LoadClass *c = cls[i];
        if (strcmp(c->name, name) == 0)
            return c;
        if (strncmp(c->name, name, size) == 0 && name[size] == '.')
            c = load_find(lib, arena_printf(lib->arena, "%s%s", c->full_name,
                                            name + size));
        else
            c = load_find(
                lib, arena_printf(lib->arena, "%s.%s", c->full_name, name));
        if (c)
            return c;
    }
    LoadClass *c = load_find(lib, name);
    if (c)
        return c;
    diag_report(diag, NO_SPAN, DIAG_E0202, "%s has no class '%s'", path, name);
    const char **all = NEW_ARRAY(lib->arena, const char *, n);
    for (int i = 0; i < n; i++)
        all[i] = cls[i]->name;
    diag_suggest(diag, name, all, n);
    return NULL;
}

/* The end of the file name in `file.mo` or `file.mo:Class`, NULL if `arg` is
 * neither. */
static const char *file_end(const char *arg)
{
    const char *end = NULL;
    for (const char *s = arg; (s = strstr(s, ".mo")); s++)
        if (s[3] == 0 || s[3] == ':')
            end = s + 3;
    return end;
}

LoadClass *load_resolve_model(Library *lib, const char *arg, Diag *diag)
{
    const char *end = file_end(arg);
    if (!end && strchr(arg, '/') && is_package_directory(arg))
        end = arg + strlen(arg);
    if (!end) {
        int failed = diag_count(diag, DIAG_ERROR);
        LoadClass *cls = load_find(lib, arg);
        if (!cls && diag_count(diag, DIAG_ERROR) == failed)
            report_missing(lib, arg, diag);
        return cls;
    }
    const char *path = arena_strndup(lib->arena, arg, (size_t)(end - arg));
    LoadClass **cls;
    int n = load_add_file(lib, path, &cls);
    if (n == NONE)
        return NULL;
    if (*end == ':' && end[1])
        return class_of_file(lib, path, end + 1, cls, n, diag);
    return model_of_file(lib, path, cls, n, diag);
}

/* ---- resources ---- */

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* %20 and the like resolved. */
static char *unescaped(Library *lib, const char *s, size_t n)
{
    char *text = arena_alloc(lib->arena, n + 1), *at = text;
    for (size_t i = 0; i < n; i++) {
        bool code = s[i] == '%' && i + 2 < n && hex(s[i + 1]) >= 0 &&
                    hex(s[i + 2]) >= 0;
        *at++ = code ? (char)(16 * hex(s[i + 1]) + hex(s[i + 2])) : s[i];
        i += code ? 2 : 0;
    }
    *at = 0;
    return text;
}

/* The directory of the nearest directory package around `cls`, or that of its
 * file. */
static const char *directory_of(Library *lib, const LoadClass *cls)
{
    for (const LoadClass *c = cls; c; c = c->parent)
        if (c->directory)
            return c->directory;
    return path_dir(lib, sources_get(lib->sources, cls->source)->path);
}

const char *load_uri_path(Library *lib, const char *uri, Span place)
{
    if (strncasecmp(uri, "file://", 7) == 0)
        return unescaped(lib, uri + 7, strlen(uri + 7));
    if (strncasecmp(uri, "modelica:/", 10) != 0)
        return uri;
    const char *name = uri + 10 + (uri[10] == '/');
    size_t n = strcspn(name, "/");
    LoadClass *cls = n ? load_find(lib, unescaped(lib, name, n)) : NULL;
    if (!cls) {
        diag_report(lib->diag, place, DIAG_E0209,
                    "'%s' names the package '%.*s', which is not found", uri,
                    (int)n, name);
        return NULL;
    }
    const char *rest = name + n;
    const char *dir = directory_of(lib, cls);
    if (!rest[0] || !rest[1])
        return dir;
    return path_join(lib, dir, unescaped(lib, rest + 1, strlen(rest + 1)));
}
