/* load.h - libraries as users have them on disk, as one tree of classes.
 *
 *   in    directories and files    -L, MODELICAPATH, takt's own models, user
 * files out   Library, LoadClass       every class by its full name, read on
 * demand next  instance/                gives the names in the classes their
 * meaning
 *
 * A library is a directory `Name` or `Name 1.2.3` with a `package.mo`, or one
 * file `Name.mo`. A directory package holds the classes inside its
 * `package.mo`, one class in each other `X.mo` and one package in each
 * directory with a `package.mo` of its own (section 13.4 of the language
 * specification). A file is read when a class of it is asked for, so that a
 * model pays for what it uses.
 *
 * Where a top-level name is found, first to last:
 *   1. the files the user named
 *   2. ModelicaServices: takt's own, always (the package is made by each tool)
 *   3. the -L directories in their order
 *   4. the directories of MODELICAPATH in their order
 *   5. takt's own models (models_dir())
 * Among `Name` and `Name 1.2.3` the version a `uses` annotation asks for is
 * taken, from the first place that has it, else the highest version of the
 * first place that has any.
 *
 * A file that cannot be read or parsed is reported once, to the Diag the
 * library was made with; its class then counts as not there, unless the parser
 * could make out the class in spite of the errors.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOAD_LOAD_H
#define TAKT_LOAD_LOAD_H

#include <stdbool.h>

#include "ast/ast.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"

typedef struct Library Library;
typedef struct LoadClass LoadClass;
typedef struct LoadKids LoadKids; /* load_internal.h */

/* A class with its place in the tree. There is one LoadClass for a class: the
 * same class has the same address. */
struct LoadClass {
    const char *name;      /* interned */
    const char *full_name; /* interned: "Modelica.Blocks.Sources" */
    const AstClass *ast;
    const AstElem *elem;   /* the element that declares it in the enclosing
                              class; NULL if it is the class of a file */
    LoadClass *parent;     /* the enclosing class, NULL at top level */
    int source;            /* the text it is in */
    const char *directory; /* of a directory package; else NULL */
    LoadKids *kids;        /* NULL until somebody asks for a child */
};

typedef struct LoadOptions {
    const char *const *dir; /* -L: directories of libraries; a directory with a
                               package.mo is a library itself, and so is a
                               file X.mo */
    int ndir;
    bool no_path;  /* do not read MODELICAPATH */
    bool external; /* foreign code may run, wherever it is declared */
} LoadOptions;

/* A library with no file read so far. A directory that cannot be read is
 * reported. Everything lives in `arena`; `names`, `sources` and `diag` must
 * outlive the library. */
Library *load_new(const LoadOptions *opt, Sources *sources, Intern *names,
                  Arena *arena, Diag *diag);

/* Reads a file of the user: its classes come before those of libraries. A file
 * with `within A.B;` puts its class into A.B; if the file lies in a directory
 * package, that library is found without -L. Returns the number of classes,
 * NONE if the file could not be read (reported). *cls has them, in the order
 * of the file. */
int load_add_file(Library *lib, const char *path, LoadClass ***cls);

/* ---- finding classes ---- */

/* A class by its simple name, interned or not: a top-level class, or a class
 * declared in `cls` (nested in the text, or a file or directory of a directory
 * package). Inherited and imported names are not looked at. NULL if there is
 * none. The children of a short class definition are none. */
LoadClass *load_find_top(Library *lib, const char *name);
LoadClass *load_find_child(Library *lib, LoadClass *cls, const char *name);
/* By its full name "A.B.C" (quoted identifiers may hold dots). */
LoadClass *load_find(Library *lib, const char *full_name);

/* The number of classes declared in `cls`, and the name of the i-th. The order
 * is that of package.order, then of the text, then of the file names. No
 * further file is read. cls == NULL: the top-level classes that can be seen,
 * for did-you-mean. */
int load_child_count(Library *lib, LoadClass *cls);
const char *load_child_name(Library *lib, LoadClass *cls, int i);

/* ---- models and resources ---- */

/* The model that a command line names: `file.mo`, `file.mo:Class`, or a dotted
 * class name. A lone file means its only class, else its last class that is a
 * model or block and not partial; a package is entered if it is the only
 * class. Returns NULL with a report to `diag` if there is no such model. The
 * command shows the full_name of the result. */
LoadClass *load_resolve_model(Library *lib, const char *arg, Diag *diag);

/* The path of a resource: `modelica://Modelica/Resources/x.txt` and
 * `file:///x` are resolved, other texts are returned as they are. `place` is
 * where the URI stands. Returns NULL with a report if the package does not
 * exist or has no directory. Whether the file exists is not asked. */
const char *load_uri_path(Library *lib, const char *uri, Span place);

/* May foreign code (external functions) declared at `place` run? It may if the
 * options say so, or if the file is in a folder that TAKT_TRUST names: folders
 * joined by ':'. */
bool load_trusts(const Library *lib, Span place);

/* The version of a top-level class by its annotation, or NULL. */
const char *load_version(const LoadClass *top);

/* The number of files read so far and their bytes. */
int load_file_count(const Library *lib);

#endif
