/* xml.c - XML that is written from top to bottom. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/xml.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/markup.h"
#include "base/number.h"
#include "base/utf8.h"

void xml_start(XmlOut *x)
{
    *x = (XmlOut){0};
    x->out = open_memstream(&x->buffer, &x->size);
    if (!x->out)
        die("out of memory");
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", x->out);
}

const char *xml_finish(XmlOut *x, Arena *arena)
{
    assert(x->depth == 0);
    fputc('\n', x->out);
    bool failed = ferror(x->out) != 0;
    if (fclose(x->out) != 0 || failed)
        die("out of memory");
    const char *text = arena_strndup(arena, x->buffer, x->size);
    free(x->buffer);
    return text;
}

static void new_line(XmlOut *x)
{
    fprintf(x->out, "\n%*s", 2 * x->depth, "");
}

void xml_begin(XmlOut *x, const char *element)
{
    assert(x->depth < XML_DEPTH);
    if (x->in_tag)
        fputc('>', x->out);
    new_line(x);
    fprintf(x->out, "<%s", element);
    x->open[x->depth++] = element;
    x->in_tag = true;
}

void xml_end(XmlOut *x)
{
    const char *element = x->open[--x->depth];
    if (x->in_tag) {
        fputs("/>", x->out);
    } else {
        new_line(x);
        fprintf(x->out, "</%s>", element);
    }
    x->in_tag = false;
}

void xml_text(XmlOut *x, const char *attribute, const char *text)
{
    assert(x->in_tag);
    fprintf(x->out, " %s=\"", attribute);
    for (int n; *text; text += n) {
        unsigned c;
        char one[5] = "";
        n = utf8_next(text, &c);
        memcpy(one, text, (size_t)n);
        if (c == '\n' || c == '\t') /* readers take others for spaces */
            fprintf(x->out, "&#%u;", c);
        else
            markup_text(one, x->out);
    }
    fputc('"', x->out);
}

void xml_number(XmlOut *x, const char *attribute, double value)
{
    char text[40];
    number_shortest(value, false, text);
    xml_text(x, attribute, text);
}

void xml_count(XmlOut *x, const char *attribute, int64_t value)
{
    assert(x->in_tag);
    fprintf(x->out, " %s=\"%" PRId64 "\"", attribute, value);
}

void xml_bool(XmlOut *x, const char *attribute, bool yes)
{
    xml_text(x, attribute, yes ? "true" : "false");
}
