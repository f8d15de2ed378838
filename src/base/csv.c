/* csv.c - fields of a CSV file (RFC 4180). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/csv.h"

#include "base/number.h"

void csv_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc((unsigned char)*text < 32 ? ' ' : *text, out);
    }
    fputc('"', out);
}

void csv_number(double x, FILE *out)
{
    char text[32];
    fputs(number_text(x, text), out);
}
