/* load.c - the library: where top-level classes are found.
 *
 * Search directories are listed when the first top-level name is looked for.
 * An entry `Modelica`, `Modelica 4.0.0`, `Modelica.mo` offers the library
 * Modelica; which of several offers is taken is said in load.h.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "load/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "base/paths.h"
#include "load/load_internal.h"

/* ---- offers ---- */

/* Adds what the entry `entry` at `path` offers, if anything. */
static void add_offer(Library *lib, Root *root, const char *entry,
                      const char *path)
{
    size_t n = strlen(entry);
    bool is_mo = n > 3 && strcmp(entry + n - 3, ".mo") == 0;
    if (is_mo)
        n -= 3;
    const char *space = memchr(entry, ' ', n);
    size_t name_size = space ? (size_t)(space - entry) : n;
    if (!is_identifier(entry, name_size))
        return;
    if (is_mo ? strcmp(entry, "package.mo") == 0 || is_directory(path)
              : !is_package_directory(path))
        return;
    Offer o = {.name = intern(lib->names, entry, name_size),
               .path = path,
               .is_directory = !is_mo};
    if (space)
        o.version = arena_strndup(lib->arena, space + 1, n - name_size - 1);
    vec_push(lib->arena, &root->offer, o);
}

/* The last part of a path, without slashes at its end. */
static const char *last_part(Library *lib, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t begin = n;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    const char *part = arena_strndup(lib->arena, path + begin, n - begin);
    if (strcmp(part, ".") && strcmp(part, ".."))
        return part;
    char *real = realpath(path, NULL);
    if (!real && errno == ENOMEM)
        die("out of memory");
    if (!real)
        return part;
    part = arena_strdup(lib->arena, strrchr(real, '/') + 1);
    free(real);
    return part;
}

static void list_root(Library *lib, Root *root)
{
    root->listed = true;
    if (root->is_library) {
        add_offer(lib, root, last_part(lib, root->path), root->path);
        return;
    }
    NameList names = {0};
    path_list(lib, root->path, &names);
    for (int i = 0; i < names.n; i++)
        add_offer(lib, root, names.at[i],
                  path_join(lib, root->path, names.at[i]));
}

/* Two offers of the same name and version in one directory: X and X.mo. */
static void check_twice(Library *lib, const Root *root, const char *name)
{
    const Offer *first = NULL;
    for (int i = 0; i < root->offer.n; i++) {
        const Offer *o = &root->offer.at[i];
        if (o->name != name || o->version)
            continue;
        if (first)
            diag_report(lib->diag, NO_SPAN, DIAG_E0206,
                        "the class '%s' is declared twice: %s and %s", name,
                        first->path, o->path);
        first = o;
    }
}

static LoadClass *offer_class(Library *lib, Offer *o)
{
    if (!o->tried) {
        o->tried = true;
        o->cls = file_load(lib, NULL, o->name, o->path, o->is_directory);
    }
    return o->cls;
}

/* The version of an offer: of its directory, else from its annotation. */
static const char *offer_version(Library *lib, Offer *o)
{
    if (o->version)
        return o->version;
    const LoadClass *cls = offer_class(lib, o);
    const char *version = cls ? load_version(cls) : NULL;
    return version ? version : "";
}

/* The best offer of `name`: with the version that is wanted, else the highest
 * of the first directory with any. */
static Offer *choose(Library *lib, const char *name)
{
    const char *wanted = version_wanted(lib, name);
    Offer *best = NULL;
    int noffer = 0;
    Root *best_root = NULL;
    for (int r = 0; r < lib->root.n; r++) {
        Root *root = &lib->root.at[r];
        if (!root->listed)
            list_root(lib, root);
        check_twice(lib, root, name);
        for (int i = 0; i < root->offer.n; i++) {
            Offer *o = &root->offer.at[i];
            if (o->name != name)
                continue;
            if (noffer++ == 0) {
                best = o;
                best_root = root;
                continue; /* alone, its version is not asked for */
            }
            if (wanted && strcmp(offer_version(lib, best), wanted) == 0)
                return best;
            bool is_wanted = wanted && !strcmp(offer_version(lib, o), wanted);
            bool newer = root == best_root &&
                         version_compare(offer_version(lib, o),
                                         offer_version(lib, best)) > 0;
            if (is_wanted || newer) {
                best = o;
                best_root = root;
            }
        }
    }
    return best;
}

/* ---- top-level classes ---- */

void library_put_top(Library *lib, LoadClass *cls)
{
    if (!map_find(&lib->top, cls->name))
        vec_push(lib->arena, &lib->top_name, cls->name);
    map_put(&lib->top, cls->name, cls, lib->arena);
    version_add_uses(lib, cls);
    version_check(lib, cls);
}

/* takt's own ModelicaServices, or NULL. */
static LoadClass *own_services(Library *lib)
{
    if (!lib->own)
        return NULL;
    const char *path = path_join(lib, lib->own, lib->services);
    if (!is_package_directory(path))
        return NULL;
    return file_load(lib, NULL, lib->services, path, true);
}

LoadClass *load_find_top(Library *lib, const char *text)
{
    const char *name = intern_str(lib->names, text);
    LoadClass *cls = map_find(&lib->top, name);
    if (cls || map_find(&lib->no_top, name))
        return cls;
    if (name == lib->services)
        cls = own_services(lib);
    if (!cls) {
        Offer *o = choose(lib, name);
        cls = o ? offer_class(lib, o) : NULL;
    }
    if (cls)
        library_put_top(lib, cls);
    else
        map_put(&lib->no_top, name, lib, lib->arena);
    return cls;
}

/* The end of the first part of a dotted name. */
static size_t part_size(const char *s)
{
    if (*s != '\'')
        return strcspn(s, ".");
    size_t n = 1;
    while (s[n] && s[n] != '\'')
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return s[n] ? n + 1 : n;
}

LoadClass *load_find(Library *lib, const char *full_name)
{
    LoadClass *cls = NULL;
    const char *s = full_name;
    for (;;) {
        size_t n = part_size(s);
        const char *name = intern(lib->names, s, n);
        cls = cls ? load_find_child(lib, cls, name) : load_find_top(lib, name);
        if (!cls || !s[n])
            return cls;
        if (s[n] != '.')
            return NULL;
        s += n + 1;
    }
}

/* ---- listing ---- */

static void list_seen(Library *lib)
{
    NameMap done = {0};
    lib->seen_listed = true;
    for (int i = 0; i < lib->top_name.n; i++) {
        vec_push(lib->arena, &lib->seen_name, lib->top_name.at[i]);
        map_put(&done, lib->top_name.at[i], lib, lib->arena);
    }
    for (int r = 0; r < lib->root.n; r++) {
        Root *root = &lib->root.at[r];
        if (!root->listed)
            list_root(lib, root);
        for (int i = 0; i < root->offer.n; i++) {
            const char *name = root->offer.at[i].name;
            if (map_find(&done, name))
                continue;
            vec_push(lib->arena, &lib->seen_name, name);
            map_put(&done, name, lib, lib->arena);
        }
    }
}

int load_child_count(Library *lib, LoadClass *cls)
{
    if (cls)
        return tree_kids(lib, cls)->list.n;
    if (!lib->seen_listed)
        list_seen(lib);
    return lib->seen_name.n;
}

const char *load_child_name(Library *lib, LoadClass *cls, int i)
{
    return cls ? tree_kids(lib, cls)->list.at[i]->name : lib->seen_name.at[i];
}

int load_file_count(const Library *lib)
{
    return lib->read.n;
}

/* ---- the library ---- */

static void add_root(Library *lib, const char *path, bool must_exist)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        if (must_exist)
            diag_report(lib->diag, NO_SPAN, DIAG_E0201, "%s: %s", path,
                        strerror(errno));
        return;
    }
    Root root = {.path = path,
                 .is_library =
                     !S_ISDIR(st.st_mode) || is_package_directory(path)};
    vec_push(lib->arena, &lib->root, root);
}

void library_put_root(Library *lib, const char *path)
{
    add_root(lib, path, false);
    Root root = vec_last(&lib->root);
    for (int i = lib->root.n - 1; i > 0; i--)
        lib->root.at[i] = lib->root.at[i - 1];
    lib->root.at[0] = root;
    lib->seen_listed = false;
    vec_clear(&lib->seen_name);
    lib->no_top = (NameMap){0};
}

/* The directories of MODELICAPATH; empty parts are passed over. */
static void add_path(Library *lib, const char *path)
{
    while (path && *path) {
        size_t n = strcspn(path, ":");
        if (n)
            add_root(lib, arena_strndup(lib->arena, path, n), false);
        path += n + (path[n] == ':');
    }
}

/* Is the file in the folder, of `n` characters? */
static bool is_below(const char *file, const char *folder, size_t n)
{
    while (n > 1 && folder[n - 1] == '/')
        n--;
    return n > 0 && strncmp(file, folder, n) == 0 && file[n] == '/';
}

bool load_trusts(const Library *lib, Span place)
{
    if (lib->external)
        return true;
    const char *trust = getenv("TAKT_TRUST");
    const char *named = sources_place(lib->sources, place).path;
    char *file = named ? realpath(named, NULL) : NULL;
    bool trusted = false;
    while (file && trust && *trust && !trusted) {
        size_t n = strcspn(trust, ":");
        char *folder = realpath(arena_strndup(lib->arena, trust, n), NULL);
        trusted = folder && is_below(file, folder, strlen(folder));
        free(folder);
        trust += n + (trust[n] == ':');
    }
    free(file);
    return trusted;
}

Library *load_new(const LoadOptions *opt, Sources *sources, Intern *names,
                  Arena *arena, Diag *diag)
{
    Library *lib = NEW(arena, Library);
    lib->sources = sources;
    lib->names = names;
    lib->arena = arena;
    lib->diag = diag;
    lib->external = opt->external;
    lib->own = models_dir();
    lib->services = intern_str(names, "ModelicaServices");
    for (int i = 0; i < opt->ndir; i++)
        add_root(lib, opt->dir[i], true);
    if (!opt->no_path)
        add_path(lib, getenv("MODELICAPATH"));
    if (lib->own)
        add_root(lib, lib->own, false);
    return lib;
}
