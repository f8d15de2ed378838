/* fuzz_parse.c - any bytes to the lexer and the parser.
 *
 * Besides "no crash": a tree without errors is printed, parsed and compared;
 * a tree with errors is dumped, so that every node that is left is looked at.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "parse/parse.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

typedef struct Text {
    char *at;
    size_t size;
} Text;

static Text printed(const AstFile *file, void (*print)(const AstFile *, FILE *))
{
    Text t = {NULL, 0};
    FILE *out = open_memstream(&t.at, &t.size);
    print(file, out);
    fclose(out);
    return t;
}

static void must(int yes, const char *what)
{
    if (yes)
        return;
    fprintf(stderr, "fuzz_parse: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    Intern *names = intern_new(arena);
    Diag *diag = diag_new(sources, arena);
    int k = sources_add(sources, "fuzz.mo", (const char *)data, size);
    AstFile *file = parse_file(sources, k, names, arena, diag);
    must((file->nerror > 0) == (diag_count(diag, DIAG_ERROR) > 0),
         "errors are counted wrongly");
    Text dump = printed(file, ast_dump_file);
    free(dump.at);
    Text text = printed(file, ast_print_file);
    if (file->nerror == 0) {
        k = sources_add(sources, "printed.mo", text.at, text.size);
        AstFile *again = parse_file(sources, k, names, arena, diag);
        must(again->nerror == 0, "the printed tree has errors");
        must(ast_equal_file(file, again), "the printed tree is another one");
    }
    free(text.at);
    char *messages = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&messages, &n);
    diag_print(diag, out);
    fclose(out);
    free(messages);
    arena_free(arena);
    return 0;
}
