/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "fixture.h"

int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->arena = arena_new();
    f->sources = sources_new(f->arena);
    f->names = intern_new(f->arena);
    f->diag = diag_new(f->sources, f->arena);
    *state = f;
    return 0;
}

int tear_down(void **state)
{
    Fixture *f = *state;
    arena_free(f->arena);
    free(f);
    return 0;
}

AstFile *parse_text(Fixture *f, const char *text)
{
    int k = sources_add(f->sources, "m.mo", text, strlen(text));
    return parse_file(f->sources, k, f->names, f->arena, f->diag);
}

AstExpr *parse_expr_text(Fixture *f, const char *text)
{
    int k = sources_add(f->sources, "m.mo", text, strlen(text));
    return parse_expr(f->sources, k, f->names, f->arena, f->diag);
}

const char *repeated(Fixture *f, const char *head, const char *part, int n,
                     const char *tail)
{
    size_t h = strlen(head), p = strlen(part);
    char *text = arena_alloc(f->arena, h + (size_t)n * p + strlen(tail) + 1);
    memcpy(text, head, h);
    for (int i = 0; i < n; i++)
        memcpy(text + h + (size_t)i * p, part, p);
    strcpy(text + h + (size_t)n * p, tail);
    return text;
}

const char *printed(Fixture *f, const AstFile *file)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ast_print_file(file, out);
    fclose(out);
    const char *copy = arena_strdup(f->arena, text);
    free(text);
    return copy;
}
