/* fuzz_plan.c - any bytes as a plan, as a tableau, and as a table of numbers.
 *
 * Besides "no crash": a plan that is taken can be written, read again, and
 * written to the same bytes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/method_internal.h"
#include "plan/plan.h"
#include "result/table.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char *written(const Plan *p, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    plan_write(p, false, out);
    fclose(out);
    return text;
}

static void round_trip(const Plan *p, Sources *sources, Arena *arena,
                       Diag *diag)
{
    size_t n = 0, m = 0;
    char *text = written(p, &n);
    int k = sources_add(sources, "again.json", text, n);
    const Plan *again = plan_read(sources, k, arena, diag);
    char *second = again ? written(again, &m) : NULL;
    if (!again || n != m || memcmp(text, second, n)) {
        fprintf(stderr, "fuzz_plan: a plan does not survive writing\n%s", text);
        abort();
    }
    free(text);
    free(second);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    Diag *diag = diag_new(sources, arena);
    int k = sources_add(sources, "fuzz", (const char *)data, size);
    const Plan *p = plan_read(sources, k, arena, diag);
    if (p)
        round_trip(p, sources, arena, diag);
    method_read_json(sources, k, arena, diag);
    table_read(sources, k, arena, diag);
    char *messages = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&messages, &n);
    diag_print(diag, out);
    fclose(out);
    free(messages);
    arena_free(arena);
    return 0;
}
