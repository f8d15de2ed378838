/* fuzz_check.c - any text to the whole front end: parse, flatten, print.
 *
 * Inputs are changed token by token, so that many of them still parse and reach
 * types, arrays, functions and algorithms. What must hold: no crash, no hang,
 * less than 700 MB, and a flat model whenever there is no error.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flat/flat.h"
#include "instance/instance.h"
#include "load/load.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t most,
                               unsigned seed);
size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t most);

static void must(int yes, const char *what)
{
    if (yes)
        return;
    fprintf(stderr, "fuzz_check: %s\n", what);
    abort();
}

static void flatten_last(Library *lib, LoadClass *model, Intern *names,
                         Arena *arena, Diag *diag)
{
    Flat *flat = instance_flatten(lib, model, names, arena, diag);
    must((flat != NULL) == !diag_failed(diag),
         "a model without error and no flat model, or the reverse");
    if (!flat)
        return;
    flat_check(flat);
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    flat_print(flat, out);
    fclose(out);
    free(text);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    arena_limit((size_t)700 << 20);
    char path[] = "/tmp/takt-fuzz-XXXXXX.mo";
    int fd = mkstemps(path, 3);
    if (fd < 0)
        return 0;
    FILE *f = fdopen(fd, "w");
    fwrite(data, 1, size, f);
    fclose(f);
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    Intern *names = intern_new(arena);
    Diag *diag = diag_new(sources, arena);
    LoadOptions opt = {.no_path = true};
    Library *lib = load_new(&opt, sources, names, arena, diag);
    LoadClass **cls;
    load_add_file(lib, path, &cls);
    unlink(path);
    LoadClass *model =
        diag_failed(diag) ? NULL : load_resolve_model(lib, path, diag);
    if (model)
        flatten_last(lib, model, names, arena, diag);
    arena_free(arena);
    return 0;
}

/* ---- changing tokens ---- */

typedef struct Token {
    size_t begin, end;
} Token;

enum { MOST_TOKENS = 4096 };

static size_t token_end(const unsigned char *s, size_t i, size_t n)
{
    if (s[i] == '"') {
        for (i++; i < n && s[i] != '"'; i++)
            i += s[i] == '\\' && i + 1 < n;
        return i < n ? i + 1 : n;
    }
    if (!isalnum(s[i]) && s[i] != '_')
        return i + 1;
    while (i < n && (isalnum(s[i]) || s[i] == '_'))
        i++;
    return i;
}

static int split(const unsigned char *s, size_t n, Token *t)
{
    int count = 0;
    for (size_t i = 0; i < n && count < MOST_TOKENS;) {
        if (isspace(s[i])) {
            i++;
            continue;
        }
        size_t end = token_end(s, i, n);
        t[count++] = (Token){i, end};
        i = end;
    }
    return count;
}

static const char *const word[] = {
    "0",
    "1",
    "2",
    "3",
    "-1",
    "1.5",
    "1e30",
    "2147483647",
    "true",
    "false",
    "time",
    "\"s\"",
    "{}",
    "{1, 2}",
    "[1, 2; 3, 4]",
    "zeros(2)",
    "end",
    ":",
    "size(x, 1)",
    "sum(x)",
    "der(x)",
    "pre(x)",
    "x",
    "y",
    "n",
    "i",
    "f(x)",
    "if x > 0 then 1 else 2",
    "1:3",
    "+",
    "-",
    "*",
    "/",
    "^",
    ".*",
    "and",
    "not",
    "==",
    "<",
    ":=",
    "=",
    "[",
    "]",
    "(",
    ")",
    ",",
    "each",
    "final",
    "parameter",
    "constant",
    "discrete",
    "input",
    "output",
    "Real",
    "Integer",
    "Boolean",
    "String",
    "fill(1, n)",
    "{i for i in 1:n}",
    "break",
    "return",
    "noEvent(x)",
    "initial()",
    "x[end]",
    "x[i]",
    "x[n + 1]",
};

/* Replaces the bytes from..to by a text. */
static size_t put(unsigned char *s, size_t n, size_t most, Token at,
                  const char *text, size_t len)
{
    size_t rest = n - at.end;
    if (at.begin + len + rest + 1 > most)
        return n;
    memmove(s + at.begin + len, s + at.end, rest);
    memcpy(s + at.begin, text, len);
    return at.begin + len + rest;
}

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t most,
                               unsigned seed)
{
    static Token t[MOST_TOKENS];
    unsigned r = seed * 2654435761u;
    int n = split(data, size, t);
    if (n < 3 || r % 32 == 0)
        return LLVMFuzzerMutate(data, size, most);
    char text[256];
    for (unsigned k = 0; k <= r % 3 && n > 2; k++) {
        r = r * 1664525u + 1013904223u;
        Token at = t[(r >> 8) % (unsigned)n], from = t[(r >> 16) % (unsigned)n];
        size_t len = from.end - from.begin;
        switch ((r >> 4) % 4) {
        case 0: /* a word of the list */
            len = (size_t)snprintf(
                text, sizeof text, " %s ",
                word[(r >> 12) % (sizeof word / sizeof word[0])]);
            break;
        case 1: /* another token of the text */
            len = len > 200 ? 200 : len;
            memcpy(text, data + from.begin, len);
            break;
        case 2: /* nothing */ len = 0; break;
        default: /* a whole stretch again, up to 200 bytes */
            len = from.end > at.begin ? from.end - at.begin : len;
            len = len > 200 ? 200 : len;
            memcpy(text, data + (from.end > at.begin ? at.begin : from.begin),
                   len);
            at.begin = at.end;
        }
        size = put(data, size, most, at, text, len);
        n = split(data, size, t);
    }
    return size;
}
