/* text.c - text as it must be written in JSON and in XML. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/text.h"

void text_json(const char *s, FILE *out)
{
    fputc('"', out);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '<') /* JSON may stand inside of HTML */
            fputs("\\u003c", out);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void text_xml(const char *s, FILE *out)
{
    for (; *s; s++) {
        switch (*s) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            if ((unsigned char)*s >= 0x20 || *s == '\n')
                fputc(*s, out);
        }
    }
}
