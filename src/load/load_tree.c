/* load_tree.c - the classes declared in a class: nested in its text, and for a
 * directory package the files and directories beside its package.mo.
 *
 * The list of children is made when the first child is asked for; a file is
 * read when its class is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <sys/stat.h>

#include "load/load_internal.h"

/* ---- names to pointers ---- */

static int slot_of(const NameMap *m, const char *key)
{
    uint64_t h = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
    int i = (int)(h >> 33) & (m->cap - 1);
    while (m->key[i] && m->key[i] != key)
        i = (i + 1) & (m->cap - 1);
    return i;
}

void *map_find(const NameMap *m, const char *key)
{
    return m->cap && key ? m->value[slot_of(m, key)] : NULL;
}

void map_put(NameMap *m, const char *key, void *value, Arena *arena)
{
    if (2 * (m->n + 1) > m->cap) {
        NameMap old = *m;
        m->cap = old.cap ? 2 * old.cap : 16;
        m->key = NEW_ARRAY(arena, const char *, m->cap);
        m->value = NEW_ARRAY(arena, void *, m->cap);
        for (int i = 0; i < old.cap; i++)
            if (old.key[i]) {
                int k = slot_of(m, old.key[i]);
                m->key[k] = old.key[i];
                m->value[k] = old.value[i];
            }
    }
    int i = slot_of(m, key);
    m->n += !m->key[i];
    m->key[i] = key;
    m->value[i] = value;
}

/* ---- children ---- */

static LoadKid *add_kid(Library *lib, LoadKids *kids, const char *name)
{
    LoadKid *kid = NEW(lib->arena, LoadKid);
    kid->name = name;
    vec_push(lib->arena, &kids->list, kid);
    map_put(&kids->by_name, name, kid, lib->arena);
    return kid;
}

static void add_nested(Library *lib, const LoadClass *cls, LoadKids *kids)
{
    for (int i = 0; i < cls->ast->nelem; i++) {
        const AstElem *e = cls->ast->elem[i];
        if (e->kind == EL_CLASS && !map_find(&kids->by_name, e->cls->name))
            add_kid(lib, kids, e->cls->name)->elem = e;
    }
}

/* A name found twice: X.mo and X/, or X.mo and a class X in package.mo. */
static void report_twice(Library *lib, const LoadKid *kid, const char *path)
{
    diag_report(lib->diag, kid->elem ? kid->elem->span : NO_SPAN, DIAG_E0206,
                "the class '%s' is declared twice: %s and %s", kid->name,
                kid->elem ? "here" : kid->path, path);
}

static void add_entry(Library *lib, const LoadClass *cls, LoadKids *kids,
                      const char *entry)
{
    size_t n = strlen(entry);
    bool is_mo = n > 3 && strcmp(entry + n - 3, ".mo") == 0;
    if (is_mo)
        n -= 3;
    if (strcmp(entry, "package.mo") == 0 || !is_identifier(entry, n))
        return;
    const char *path = path_join(lib, cls->directory, entry);
    bool is_dir = !is_mo && is_package_directory(path);
    if (!is_mo && !is_dir)
        return;
    const char *name = intern(lib->names, entry, n);
    LoadKid *kid = map_find(&kids->by_name, name);
    if (kid) {
        report_twice(lib, kid, path);
        return;
    }
    kid = add_kid(lib, kids, name);
    kid->path = path;
    kid->is_directory = is_dir;
}

static bool has_component(const AstClass *ast, const char *name)
{
    for (int i = 0; i < ast->nelem; i++)
        if (ast->elem[i]->kind == EL_COMPONENT &&
            ast->elem[i]->component->name == name)
            return true;
    return false;
}

/* Puts the children into the order of package.order (13.4.1); names that it
 * does not list follow. */
static void sort_by(Library *lib, const LoadClass *cls, LoadKids *kids,
                    int source)
{
    const Source *order = sources_get(lib->sources, source);
    Vec(LoadKid *) sorted = {0};
    NameMap done = {0};
    for (uint32_t i = 0; i < order->size;) {
        uint32_t begin = i;
        while (i < order->size && order->text[i] != '\n')
            i++;
        uint32_t end = i++;
        while (end > begin && strchr(" \t\r", order->text[end - 1]))
            end--;
        if (end == begin)
            continue;
        const char *name = intern(lib->names, order->text + begin, end - begin);
        LoadKid *kid = map_find(&kids->by_name, name);
        if (kid && !map_find(&done, name)) {
            vec_push(lib->arena, &sorted, kid);
            map_put(&done, name, kid, lib->arena);
        } else if (!kid && !has_component(cls->ast, name)) {
            diag_report(lib->diag, (Span){source, begin, end}, DIAG_W0201,
                        "package.order lists '%s', but '%s' has no such class "
                        "or constant",
                        name, cls->full_name);
        }
    }
    for (int i = 0; i < kids->list.n; i++)
        if (!map_find(&done, kids->list.at[i]->name))
            vec_push(lib->arena, &sorted, kids->list.at[i]);
    for (int i = 0; i < sorted.n; i++)
        kids->list.at[i] = sorted.at[i];
}

LoadKids *tree_kids(Library *lib, LoadClass *cls)
{
    if (cls->kids)
        return cls->kids;
    LoadKids *kids = cls->kids = NEW(lib->arena, LoadKids);
    add_nested(lib, cls, kids);
    if (!cls->directory)
        return kids;
    NameList entries = {0};
    bool ordered = false;
    path_list(lib, cls->directory, &entries);
    for (int i = 0; i < entries.n; i++) {
        ordered = ordered || strcmp(entries.at[i], "package.order") == 0;
        add_entry(lib, cls, kids, entries.at[i]);
    }
    if (ordered) {
        const char *path = path_join(lib, cls->directory, "package.order");
        int source = sources_read(lib->sources, path);
        if (source != NONE)
            sort_by(lib, cls, kids, source);
    }
    return kids;
}

void tree_put(Library *lib, LoadClass *parent, LoadClass *cls)
{
    LoadKids *kids = tree_kids(lib, parent);
    LoadKid *kid = map_find(&kids->by_name, cls->name);
    if (!kid)
        kid = add_kid(lib, kids, cls->name);
    kid->tried = true;
    kid->cls = cls;
}

/* Reads the class of a child, once. */
static LoadClass *kid_class(Library *lib, LoadClass *cls, LoadKid *kid)
{
    if (kid->tried)
        return kid->cls;
    kid->tried = true;
    if (kid->elem)
        kid->cls = class_new(lib, cls, kid->elem->cls, kid->elem,
                             kid->elem->cls->span.source);
    else
        kid->cls = file_load(lib, cls, kid->name, kid->path, kid->is_directory);
    return kid->cls;
}

LoadClass *load_find_child(Library *lib, LoadClass *cls, const char *name)
{
    LoadKids *kids = tree_kids(lib, cls);
    LoadKid *kid = map_find(&kids->by_name, name);
    if (!kid) /* the name may not be interned */
        kid = map_find(&kids->by_name,
                       intern_find(lib->names, name, strlen(name)));
    return kid ? kid_class(lib, cls, kid) : NULL;
}
