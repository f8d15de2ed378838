/* parse.c - takt parse PATH...: reads files or whole libraries. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "cli/walk.h"
#include "parse/parse.h"

typedef struct Run {
    bool ast, print, json, roundtrip;
    int files, classes, differ;
    long long bytes;
    double begin; /* when it began, seconds */
    Arena *arena;
    Sources *sources;
    Intern *names;
    Diag *diag;
} Run;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int count_classes(const AstClass *c)
{
    int n = 1;
    for (int i = 0; i < c->nelem; i++)
        if (c->elem[i]->kind == EL_CLASS)
            n += count_classes(c->elem[i]->cls);
    return n;
}

/* Prints the tree, parses what was printed, and compares. */
static void check_roundtrip(Run *r, const AstFile *file, const char *path,
                            Arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        die("out of memory");
    ast_print_file(file, out);
    if (fclose(out) != 0)
        die("out of memory");
    int source = sources_add(
        r->sources, arena_printf(r->arena, "%s, printed", path), text, size);
    free(text);
    AstFile *again = parse_file(r->sources, source, r->names, arena, r->diag);
    if (again->nerror == 0 && ast_equal_file(file, again))
        return;
    r->differ++;
    fprintf(stderr, "takt: %s: the printed tree parses to another one\n", path);
}

static void parse_one(Run *r, const char *path)
{
    int source = sources_read(r->sources, path);
    if (source == NONE) {
        diag_report(r->diag, NO_SPAN, DIAG_E0201, "%s: %s", path,
                    strerror(errno));
        return;
    }
    Arena *arena = arena_new();
    AstFile *file = parse_file(r->sources, source, r->names, arena, r->diag);
    r->files++;
    r->bytes += sources_get(r->sources, source)->size;
    for (int i = 0; i < file->ncls; i++)
        r->classes += count_classes(file->cls[i]);
    if (r->ast)
        ast_dump_file(file, stdout);
    if (r->print)
        ast_print_file(file, stdout);
    if (r->roundtrip && file->nerror == 0)
        check_roundtrip(r, file, path, arena);
    arena_free(arena);
}

static void show_progress(const Run *r, int k, int n)
{
    static const char *const clear = "\r\033[K";
    if (k % 64 || !isatty(STDERR_FILENO) || now() - r->begin < 1)
        return;
    fprintf(stderr, k < n ? "%s%d of %d files" : "%s", clear, k, n);
}

static void print_counts(const Run *r)
{
    double seconds = now() - r->begin;
    int errors = diag_count(r->diag, DIAG_ERROR);
    if (r->json)
        printf("{\"files\": %d, \"bytes\": %lld, \"classes\": %d, "
               "\"errors\": %d, \"warnings\": %d, \"seconds\": %.3f}\n",
               r->files, r->bytes, r->classes, errors,
               diag_count(r->diag, DIAG_WARNING), seconds);
    else if (!r->ast && !r->print)
        printf("%d files, %lld bytes, %d classes, %d errors, %.3f s\n",
               r->files, r->bytes, r->classes, errors, seconds);
    if (r->roundtrip && !r->json)
        printf("%d of %d files are the same after printing and parsing\n",
               r->files - r->differ, r->files);
}

static int run(Run *r, const TextList *paths)
{
    TextList files = {0};
    for (int i = 0; i < paths->n; i++)
        walk_files(paths->at[i], &files, r->arena, r->diag);
    for (int i = 0; i < files.n; i++) {
        parse_one(r, files.at[i]);
        show_progress(r, i, files.n);
    }
    if (isatty(STDERR_FILENO) && now() - r->begin > 1)
        fputs("\r\033[K", stderr);
    diag_print(r->diag, stderr);
    print_counts(r);
    return r->differ ? EXIT_TAKT : diag_exit_code(r->diag);
}

int cmd_parse(int argc, char **argv)
{
    Run r = {.arena = arena_new(), .begin = now()};
    const Option option[] = {
        {"ast", NULL, "print the syntax tree", OPT_FLAG, &r.ast},
        {"print", NULL, "print the tree as Modelica text", OPT_FLAG, &r.print},
        {"roundtrip", NULL, "check that the printed tree parses to itself",
         OPT_FLAG, &r.roundtrip},
        {"json", NULL, "files, bytes, classes, errors, seconds as JSON",
         OPT_FLAG, &r.json},
        {0},
    };
    const Command command = {
        "parse", "PATH...",
        "Reads Modelica files, or all files below directories, and reports\n"
        "every mistake in their grammar. No library is needed for that.",
        "takt parse tank.mo\ntakt parse --json Modelica", option};
    TextList paths = {0};
    int code;
    if (options_read(&command, argc, argv, &paths, r.arena, &code)) {
        r.sources = sources_new(r.arena);
        r.names = intern_new(r.arena);
        r.diag = diag_new(r.sources, r.arena);
        code = paths.n ? run(&r, &paths)
                       : options_wrong(&command, "a file or directory is "
                                                 "expected");
    }
    arena_free(r.arena);
    return code;
}
