/* load_internal.h - what the files of the loader share.
 *
 *   load.c          the library: where top-level classes are found
 *   load_file.c     reading a file and checking that it fits its place
 *   load_tree.c     the classes inside a class
 *   load_version.c  versions, `uses` annotations
 *   load_model.c    what a command line or a resource address means
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOAD_LOAD_INTERNAL_H
#define TAKT_LOAD_LOAD_INTERNAL_H

#include <sys/types.h>

#include "base/vec.h"
#include "load/load.h"

enum {
    MAX_ENTRIES = 100000, /* of a directory */
    MAX_LEVELS = 200,     /* of packages in packages on disk */
};

/* From interned names to pointers; NULL where there is none. */
typedef struct NameMap {
    const char **key;
    void **value;
    int cap; /* a power of two, or 0 */
    int n;
} NameMap;

void *map_find(const NameMap *m, const char *key);
void map_put(NameMap *m, const char *key, void *value, Arena *arena);

/* A class declared in another one, perhaps not read yet. */
typedef struct LoadKid {
    const char *name;    /* interned */
    const AstElem *elem; /* nested in the text, or */
    const char *path;    /* X.mo, or the directory X */
    bool is_directory;
    bool tried; /* reading was tried: cls is final */
    LoadClass *cls;
} LoadKid;

struct LoadKids {
    Vec(LoadKid *) list; /* in order */
    NameMap by_name;
};

/* A library that a search directory offers. */
typedef struct Offer {
    const char *name;    /* interned: "Modelica" */
    const char *version; /* "4.0.0" of `Modelica 4.0.0`, or NULL */
    const char *path;
    bool is_directory;
    bool tried;
    LoadClass *cls; /* once read */
} Offer;

/* A place with libraries, or one library. */
typedef struct Root {
    const char *path;
    bool is_library; /* the path is a library itself */
    bool listed;
    Vec(Offer) offer;
} Root;

/* uses(NAME(version = "VERSION")) */
typedef struct Use {
    const char *name; /* interned */
    const char *version;
    const char *by; /* full name of the class with the annotation */
    Span span;
} Use;

/* A file that was read, so that no file is read twice. */
typedef struct ReadFile {
    dev_t dev;
    ino_t ino;
    const AstFile *file;
} ReadFile;

struct Library {
    bool external;               /* foreign code may run */
    Vec(Root) root;              /* in the order of search */
    const char *own;             /* takt's models, or NULL */
    NameMap top;                 /* name -> LoadClass */
    NameMap no_top;              /* names that were looked for in vain */
    Vec(const char *) top_name;  /* found so far, in order */
    Vec(const char *) seen_name; /* all that can be found; made on demand */
    bool seen_listed;
    Vec(Use) use;
    Vec(ReadFile) read;
    const char *services; /* "ModelicaServices" */
    Sources *sources;
    Intern *names;
    Arena *arena;
    Diag *diag;
};

/* ---- load_file.c ---- */

/* Parses a file, once. NULL if it cannot be read (reported). */
const AstFile *file_read(Library *lib, const char *path);
/* The class `name` in `parent` from a file or directory package, with the
 * checks of section 13.4. NULL if there is none (reported). */
LoadClass *file_load(Library *lib, LoadClass *parent, const char *name,
                     const char *path, bool is_directory);
LoadClass *class_new(Library *lib, LoadClass *parent, const AstClass *ast,
                     const AstElem *elem, int source);
bool is_directory(const char *path);
bool is_package_directory(const char *path); /* has a package.mo */
bool same_file(const char *a, const char *b);
const char *path_join(Library *lib, const char *dir, const char *name);
const char *path_dir(Library *lib, const char *path); /* "." if it has none */
/* Sorted names in a directory; false if it cannot be read (reported). */
typedef Vec(const char *) NameList;
bool path_list(Library *lib, const char *dir, NameList *names);
bool is_identifier(const char *s, size_t n);

/* ---- load_tree.c ---- */

LoadKids *tree_kids(Library *lib, LoadClass *cls);
/* Puts a class of the user into `parent`, in place of one of this name. */
void tree_put(Library *lib, LoadClass *parent, LoadClass *cls);

/* ---- load.c ---- */

void library_put_top(Library *lib, LoadClass *cls);
/* A library in this directory is found first. */
void library_put_root(Library *lib, const char *path);

/* ---- load_version.c ---- */

/* < 0, 0, > 0: a is older, equal, newer. */
int version_compare(const char *a, const char *b);
/* Collects the `uses` of a class just read, and reports those that what is
 * read already cannot satisfy. */
void version_add_uses(Library *lib, const LoadClass *cls);
/* Reports the uses of `cls`, just read, that its version does not satisfy. */
void version_check(Library *lib, const LoadClass *cls);
/* The first version asked for, NULL: none. */
const char *version_wanted(const Library *lib, const char *name);
/* Does version `have` of cls do where `want` is asked for? 2: it is that or
 * is declared to fit, 1: it may, 0: no. */
int version_fits(const LoadClass *cls, const char *want);

#endif
