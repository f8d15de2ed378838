/* json.c - JSON that is written from top to bottom. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/number.h"
#include "base/utf8.h"

JsonOut json_start(FILE *out, JsonLayout layout)
{
    return (JsonOut){.out = out, .layout = layout, .gap = NONE};
}

void json_finish(JsonOut *j)
{
    assert(j->depth == 0);
    fputc('\n', j->out);
}

void json_start_text(JsonOut *j, JsonLayout layout)
{
    *j = json_start(NULL, layout);
    j->out = open_memstream(&j->buffer, &j->size);
    if (!j->out)
        die("out of memory");
}

const char *json_finish_text(JsonOut *j, Arena *arena)
{
    assert(j->depth == 0);
    bool failed = ferror(j->out) != 0;
    if (fclose(j->out) != 0 || failed)
        die("out of memory");
    const char *text = arena_strndup(arena, j->buffer, j->size);
    free(j->buffer);
    return text;
}

/* ---- texts ---- */

static void put_control(unsigned c, FILE *out)
{
    static const char letter[] = "btn?fr"; /* 8 .. 13, but not 11 */
    if (c >= 8 && c <= 13 && c != 11)
        fprintf(out, "\\%c", letter[c - 8]);
    else
        fprintf(out, "\\u%04x", c);
}

static void put_quoted(const char *text, FILE *out)
{
    fputc('"', out);
    for (int n; *text; text += n) {
        unsigned c;
        n = utf8_next(text, &c);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", (int)c);
        else if (c < 32)
            put_control(c, out);
        else if (c == '<' || c == UTF8_WRONG || c == 0x2028 || c == 0x2029)
            fprintf(out, "\\u%04x", c); /* a page may hold it, or a script */
        else
            fwrite(text, 1, (size_t)n, out);
    }
    fputc('"', out);
}

/* ---- items ---- */

static void put_tabs(int n, FILE *out)
{
    for (int i = 0; i < n; i++)
        fputc('\t', out);
}

/* What stands before an item: comma, white space, key. */
static void begin_item(JsonOut *j, const char *key)
{
    if (j->depth > 0) {
        int at = j->depth - 1;
        bool lines = j->layout == JSON_INDENTED && !j->is_array[at];
        assert((key == NULL) == j->is_array[at]);
        if (j->has_item[at])
            fputc(',', j->out);
        if (lines) {
            fputc('\n', j->out);
            put_tabs(j->depth, j->out);
        } else if (j->gap != NONE) {
            fprintf(j->out, "\n%*s", j->gap, "");
        } else if (j->has_item[at] && j->layout != JSON_COMPACT) {
            fputc(' ', j->out);
        }
        j->has_item[at] = true;
    }
    j->gap = NONE;
    if (!key)
        return;
    put_quoted(key, j->out);
    fputs(j->layout == JSON_INDENTED ? ":\t"
          : j->layout == JSON_SPACED ? ": "
                                     : ":",
          j->out);
}

static void open_item(JsonOut *j, const char *key, bool is_array)
{
    begin_item(j, key);
    assert(j->depth < JSON_DEPTH);
    j->is_array[j->depth] = is_array;
    j->has_item[j->depth++] = false;
    fputc(is_array ? '[' : '{', j->out);
}

void json_begin_object(JsonOut *j, const char *key)
{
    open_item(j, key, false);
}

void json_begin_array(JsonOut *j, const char *key)
{
    open_item(j, key, true);
}

void json_end(JsonOut *j)
{
    bool is_array = j->is_array[--j->depth];
    if (!is_array && j->layout == JSON_INDENTED) {
        fputc('\n', j->out);
        put_tabs(j->depth, j->out);
    }
    fputc(is_array ? ']' : '}', j->out);
}

void json_put_text(JsonOut *j, const char *key, const char *text)
{
    begin_item(j, key);
    put_quoted(text, j->out);
}

void json_put_texts(JsonOut *j, const char *key, const char *const *text, int n)
{
    json_begin_array(j, key);
    for (int i = 0; i < n; i++)
        json_put_text(j, NULL, text[i]);
    json_end(j);
}

void json_put_number(JsonOut *j, const char *key, double x)
{
    char text[32];
    begin_item(j, key);
    fputs(isfinite(x) ? number_text(x, text) : "null", j->out);
}

void json_put_count(JsonOut *j, const char *key, int64_t n)
{
    begin_item(j, key);
    fprintf(j->out, "%" PRId64, n);
}

void json_put_bool(JsonOut *j, const char *key, bool yes)
{
    begin_item(j, key);
    fputs(yes ? "true" : "false", j->out);
}

void json_put_null(JsonOut *j, const char *key)
{
    begin_item(j, key);
    fputs("null", j->out);
}

void json_put_json(JsonOut *j, const char *key, const char *json)
{
    begin_item(j, key);
    fputs(json, j->out);
}

void json_break(JsonOut *j, int n)
{
    j->gap = n;
}
