/* foreign.c - C of others that a model calls: sources, headers, names. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/foreign.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "target/binary.h"
#include "target/resources.h"

typedef Vec(const char *) Words;

typedef struct Work {
    const TargetInput *in;
    const ExprForeign *what;
    Arena *arena;
    Diag *diag;
    Words unit, text; /* names and texts of what is compiled */
    Words root;       /* folders that names in quotes begin from */
    Vec(TargetInner) inner;
    bool failed;
} Work;

static bool refuse(Work *w, const char *fmt, const char *text)
{
    diag_report(w->diag, w->in->flat->span, DIAG_U1403,
                "not supported: an FMU of a model that calls external C: %s",
                arena_printf(w->arena, fmt, text));
    w->failed = true;
    return false;
}

/* ---- libraries ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && !strcmp(text + n - k, end);
}

/* libNAME.a, or libNAME.so if there is no other, in one of the folders. */
static const char *find_library(const ExprForeign *f, const char *name,
                                const char *ending, Arena *arena)
{
    for (const char *const *s = f->search; *s; s++) {
        const char *path = arena_printf(arena, "%s/lib%s%s", *s, name, ending);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* Every C program has them. */
static bool is_usual(const char *name)
{
    return !strcmp(name, "m") || !strcmp(name, "c");
}

const char *const *foreign_archives(const TargetInput *in, const char *what,
                                    Arena *arena, Diag *diag)
{
    const ExprForeign *f = in->out->foreign;
    Words out = {0};
    for (const char *const *l = f->library; *l; l++) {
        bool is_file = strchr(*l, '/') != NULL;
        const char *path = is_file ? *l : find_library(f, *l, ".a", arena),
                   *why = NULL;
        if (!is_file && !path && is_usual(*l))
            continue;
        if (!path)
            why = find_library(f, *l, ".so", arena)
                      ? "is there as a shared library only, which does not go "
                        "into it; give its sources or a static library"
                      : "has no sources and is no static library of the "
                        "model's LibraryDirectory";
        else if (!ends_with(path, ".a") && !ends_with(path, ".o"))
            why = "is no static library";
        if (why) {
            diag_report(diag, in->flat->span, DIAG_U1403,
                        "not supported: %s of a model that calls external C: "
                        "the library '%s' %s",
                        what, *l, why);
            return NULL;
        }
        vec_push(arena, &out, path);
    }
    vec_push(arena, &out, NULL);
    return out.at;
}

/* ---- paths ---- */

/* "/a/b/../c/./d" -> "/a/c/d" */
static const char *straight(const char *path, Arena *arena)
{
    char *out = arena_strdup(arena, path);
    size_t n = 0;
    for (const char *s = path; *s;) {
        size_t k = strcspn(s + 1, "/");
        bool up = k == 2 && s[1] == '.' && s[2] == '.';
        if (up)
            while (n > 0 && out[--n] != '/') {
            }
        else if (k > 0 && !(k == 1 && s[1] == '.')) {
            memmove(out + n, s, k + 1);
            n += k + 1;
        }
        s += k + 1;
    }
    out[n] = '\0';
    return out;
}

static const char *folder_of(const char *path, Arena *arena)
{
    const char *slash = strrchr(path, '/');
    return arena_strndup(arena, path, slash ? (size_t)(slash - path) : 0);
}

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- units ---- */

static const char *header_name(const Work *w)
{
    return arena_printf(w->arena, "%s_external.h", w->in->name);
}

static void add_unit(Work *w, const char *name, const char *text)
{
    vec_push(w->arena, &w->unit, name);
    vec_push(
        w->arena, &w->text,
        arena_printf(w->arena, "#include \"%s\"\n%s", header_name(w), text));
}

static bool add_units(Work *w)
{
    const char *name = w->in->name;
    add_unit(w, arena_printf(w->arena, "%s_external.c", name),
             arena_printf(w->arena,
                          "/* %s_external.c - calls of external functions. "
                          "Made by takt. */\n"
                          "#define TAKT_INSTANCES\n"
                          "#define TAKT_X(k) %s_x##k\n%s",
                          name, name, w->what->wrapper));
    int n = 0;
    for (const char *const *s = w->what->source; *s; s++) {
        if (!ends_with(*s, ".c"))
            return refuse(w, "'%s' is not in C", last_of(*s));
        add_unit(w, arena_printf(w->arena, "%s_external%d.c", name, ++n),
                 arena_printf(w->arena, "#include \"%s\"\n", last_of(*s)));
        vec_push(w->arena, &w->root, folder_of(*s, w->arena));
    }
    for (const char *const *f = w->what->folder; *f; f++)
        vec_push(w->arena, &w->root, *f);
    return true;
}

/* ---- what they include ---- */

static bool is_own(const Work *w, const char *name)
{
    return !strcmp(name, "ModelicaUtilities.h") ||
           !strcmp(name, "takt_rt_external.h") || !strcmp(name, header_name(w));
}

/* `path` under `name`; what is there already has to be the same. */
static bool add_part(Work *w, const char *name, const char *path)
{
    TargetFile f = {0};
    if (is_own(w, name))
        return true;
    if (!binary_read(path, &f, w->arena))
        return refuse(w, "'%s' cannot be read", path);
    const char *text = arena_strndup(w->arena, f.data, f.size);
    if (strlen(text) != f.size)
        return refuse(w, "'%s' is no text", path);
    for (int i = 0; i < w->inner.n; i++)
        if (!strcmp(w->inner.at[i].name, name))
            return !strcmp(w->inner.at[i].text, text) ||
                   refuse(w, "two different files are called '%s'", name);
    vec_push(w->arena, &w->inner, ((TargetInner){name, text, false}));
    return true;
}

/* Beneath every folder that it may have been found from. */
static bool add_included(Work *w, const char *written)
{
    const char *path = straight(written, w->arena);
    bool found = false;
    if (access(path, R_OK) != 0) /* takt's own, which are gone again */
        return true;
    for (int i = 0; i < w->root.n; i++) {
        size_t n = strlen(w->root.at[i]);
        if (strncmp(path, w->root.at[i], n) != 0 || path[n] != '/')
            continue;
        found = true;
        if (!add_part(w, arena_strdup(w->arena, path + n + 1), path))
            return false;
    }
    return found ||
           refuse(w,
                  "'%s' is included from outside of the folders of its headers "
                  "and sources",
                  path);
}

/* The next word of a rule of make: "\ " is a space, "$$" a "$". */
static const char *next_word(const char **at, Arena *arena)
{
    const char *s = *at;
    while (isspace((unsigned char)*s) || (*s == '\\' && s[1] == '\n'))
        s++;
    char *word = arena_alloc(arena, strlen(s) + 1), *to = word;
    while (*s && !isspace((unsigned char)*s)) {
        if ((*s == '\\' && (s[1] == ' ' || s[1] == '#')) ||
            (*s == '$' && s[1] == '$'))
            s++;
        *to++ = *s++;
    }
    *to = '\0';
    *at = s;
    return to > word ? word : NULL;
}

static const char *const *options(Work *w, const char *const *first)
{
    Words out = {0};
    for (; *first; first++)
        vec_push(w->arena, &out, *first);
    for (int i = 0; i < w->root.n; i++)
        vec_push(w->arena, &out, arena_printf(w->arena, "-I%s", w->root.at[i]));
    vec_push(w->arena, &out, NULL);
    return out.at;
}

/* Unit i and the headers of takt. */
static int own_files(Work *w, int i, CompileFile *file)
{
    static const char *const header[] = {"ModelicaUtilities.h",
                                         "takt_rt_external.h"};
    file[0] = (CompileFile){w->unit.at[i], w->text.at[i]};
    for (int k = 0; k < 2; k++)
        file[1 + k] = (CompileFile){header[k], emit_runtime(header[k])};
    file[3] = (CompileFile){header_name(w), ""};
    return 4;
}

/* The compiler's list of what unit i includes, system headers apart. */
static bool add_includes(Work *w, int i)
{
    static const char *const words[] = {"-std=gnu99", "-w", "-MM", NULL};
    CompileFile file[4];
    CompileJob job = {.option = options(w, words),
                      .file = file,
                      .nfile = own_files(w, i, file),
                      .output = "rule"};
    TargetFile rule = {0};
    if (!binary_make(&job, &rule, w->arena, w->diag)) {
        w->failed = true;
        return false;
    }
    const char *at = arena_strndup(w->arena, rule.data, rule.size);
    at = strchr(at, ':') ? strchr(at, ':') + 1 : "";
    for (const char *s; (s = next_word(&at, w->arena));)
        if (s[0] == '/' && !add_included(w, s))
            return false;
    return true;
}

/* ---- names ---- */

static bool is_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_')
            return false;
    return n > 0 && !isdigit((unsigned char)s[0]);
}

/* Lines of nm: a name, and more. */
static const char *prefixes(const Work *w, const char *names)
{
    const char *own = w->in->name;
    Vec(char) out = {0};
    for (const char *s = names; *s;) {
        size_t n = strcspn(s, " \n");
        const char *line =
            is_name(s, n) && strncmp(s, own, strlen(own)) != 0
                ? arena_printf(w->arena, "#define %.*s %s_%.*s\n", (int)n, s,
                               own, (int)n, s)
                : "";
        for (; *line; line++)
            vec_push(w->arena, &out, *line);
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
    vec_push(w->arena, &out, '\0');
    return out.at;
}

/* All units in one object say which names are global. */
static bool add_names(Work *w, bool is_whole)
{
    static const char *const words[] = {"-std=gnu99", "-w",        "-r",
                                        "-fPIC",      "-nostdlib", NULL};
    const char *text = "";
    if (is_whole) {
        CompileFile *file = NEW_ARRAY(w->arena, CompileFile, w->unit.n + 4);
        int n = own_files(w, 0, file);
        for (int i = 1; i < w->unit.n; i++)
            file[n++] = (CompileFile){w->unit.at[i], w->text.at[i]};
        CompileJob job = {.option = options(w, words),
                          .file = file,
                          .nfile = n,
                          .output = "all.o"};
        char *names = compile_symbols(&job, w->arena, w->diag);
        if (!names) {
            w->failed = true;
            return false;
        }
        text = prefixes(w, names);
        free(names);
    }
    const char *head = arena_printf(
        w->arena,
        "/* %s - names of external C, which get the prefix of the FMU. Made by "
        "takt. */\n%s",
        header_name(w), text);
    vec_push(w->arena, &w->inner, ((TargetInner){header_name(w), head, false}));
    return true;
}

/* ---- all ---- */

static void add_own(Work *w)
{
    static const char *const header[] = {"ModelicaUtilities.h",
                                         "takt_rt_external.h"};
    for (int i = 0; i < 2; i++)
        vec_push(w->arena, &w->inner,
                 ((TargetInner){header[i], emit_runtime(header[i]), false}));
    for (int i = 0; i < w->unit.n; i++)
        vec_push(w->arena, &w->inner,
                 ((TargetInner){w->unit.at[i], w->text.at[i], true}));
}

const TargetForeign *target_foreign(const TargetInput *in, Arena *arena,
                                    Diag *diag)
{
    Work w = {.in = in, .what = in->out->foreign, .arena = arena, .diag = diag};
    TargetForeign *out = NEW(arena, TargetForeign);
    out->what = w.what;
    out->archive = foreign_archives(in, "an FMU", arena, diag);
    if (!out->archive || !add_units(&w))
        return NULL;
    for (int i = 0; i < w.unit.n && !w.failed; i++)
        add_includes(&w, i);
    if (w.failed || !add_names(&w, !out->archive[0]))
        return NULL;
    add_own(&w);
    out->inner = w.inner.at;
    out->ninner = w.inner.n;
    return resources_collect(in, out, arena, diag) ? out : NULL;
}
