/* markup.c - texts in HTML, SVG and XML. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/markup.h"

#include <stdbool.h>

#include "base/utf8.h"

/* XML 1.0, production 2. */
static bool is_xml(unsigned c)
{
    return c == '\t' || c == '\n' || (c >= 32 && c != 0xFFFE && c != 0xFFFF);
}

void markup_text(const char *text, FILE *out)
{
    for (int n; *text; text += n) {
        unsigned c;
        n = utf8_next(text, &c);
        switch (c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default:
            if (is_xml(c) && c != UTF8_WRONG)
                fwrite(text, 1, (size_t)n, out);
            else
                fputs("\xEF\xBF\xBD", out);
        }
    }
}
