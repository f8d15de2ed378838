/* fuzz_lut.c - any bytes as a table in a text file and in a CSV file.
 *
 * Besides "no crash": a table that is taken has as many finite numbers as it
 * says.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lut/read.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void look_at(const char *why, const LutData *t)
{
    if (why)
        return;
    if (t->nrow < 0 || t->ncol < 0 || (t->nrow > 0 && !t->at))
        abort();
    for (int i = 0; i < t->nrow * t->ncol; i++)
        if (!isfinite(t->at[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    Arena *arena = arena_new();
    char *text = arena_alloc(arena, size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    LutData t = {0};
    look_at(lut_parse_text(text, size, "tab", &t, arena), &t);
    for (int nheader = 0; nheader < 2; nheader++) {
        t = (LutData){0};
        look_at(lut_parse_csv(text, size, (LutCsv){',', nheader}, &t, arena),
                &t);
        t = (LutData){0};
        look_at(lut_parse_csv(text, size, (LutCsv){';', nheader}, &t, arena),
                &t);
    }
    arena_free(arena);
    return 0;
}
