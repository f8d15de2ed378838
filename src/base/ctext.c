/* ctext.c - texts and names of a model in generated C. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/ctext.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

/* ---- literals ---- */

/* A character after an octal escape of three digits cannot be taken for its
 * fourth; an escaped question mark is never part of a trigraph. */
const char *c_string(const char *text, Arena *arena)
{
    char *out = arena_alloc(arena, 4 * strlen(text) + 3), *to = out;
    *to++ = '"';
    for (const char *s = text; *s; s++) {
        unsigned char c = (unsigned char)*s;
        bool is_second = c == '?' && s > text && s[-1] == '?';
        if (c == '"' || c == '\\' || is_second) {
            *to++ = '\\';
            *to++ = (char)c;
        } else if (c < 32 || c > 126) {
            to += snprintf(to, 5, "\\%03o", c);
        } else {
            *to++ = (char)c;
        }
    }
    *to++ = '"';
    *to = '\0';
    return out;
}

/* ---- comments ---- */

/* Marks that turn the direction of writing make a reader see other code than
 * the compiler does; U+2028 and U+2029 may be shown as line ends. */
static bool is_misleading(unsigned c)
{
    return c < 32 || (c >= 127 && c < 160) || c == UTF8_WRONG || c == 0x061C ||
           (c >= 0x200E && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* Do two characters mean something to C when they stand side by side? */
static bool is_pair(char a, char b)
{
    return (a == '*' && b == '/') || (a == '/' && b == '*') ||
           (a == '?' && b == '?');
}

const char *c_comment(const char *text, Arena *arena)
{
    text = text ? text : "";
    char *out = arena_alloc(arena, 2 * strlen(text) + 2), *to = out;
    for (int n; *text; text += n) {
        unsigned c;
        n = utf8_next(text, &c);
        bool is_plain = !is_misleading(c);
        const char *piece = is_plain ? text : c < 32 ? " " : "?";
        size_t size = is_plain ? (size_t)n : 1;
        if (to > out && is_pair(to[-1], *piece))
            *to++ = ' ';
        memcpy(to, piece, size);
        to += size;
    }
    if (to > out && (to[-1] == '\\' || to[-1] == '*' || to[-1] == '/'))
        *to++ = ' '; /* what follows is not ours */
    *to = '\0';
    return out;
}

/* ---- names ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* FNV-1a. */
static uint32_t hash_text(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

const char *c_identifier(const char *name, Arena *arena)
{
    char *out = arena_alloc(arena, strlen(name) + C_IDENTIFIER_MOST);
    size_t n = 0;
    for (const char *s = name; *s; s++) {
        if (is_letter(*s) || is_digit(*s)) {
            if (n == 0 && is_digit(*s))
                out[n++] = 'v';
            out[n++] = *s;
        } else if (n > 0 && out[n - 1] != '_') {
            out[n++] = '_';
        }
    }
    while (n > 0 && out[n - 1] == '_')
        n--;
    if (n == 0)
        out[n++] = 'v';
    out[n] = '\0';
    if (n > C_IDENTIFIER_MOST)
        snprintf(out + C_IDENTIFIER_MOST - 10, 11, "_x%08" PRIx32,
                 hash_text(name));
    return out;
}

static const char *const words[] = {
#define WORD(x) #x,
#define MATH(x)
#include "base/reserved.def"
#undef WORD
#undef MATH
};

static const char *const functions[] = {
#define WORD(x)
#define MATH(x) #x,
#include "base/reserved.def"
#undef WORD
#undef MATH
};

static int by_text(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

static bool is_word(const char *s)
{
    return bsearch(s, words, sizeof words / sizeof *words, sizeof *words,
                   by_text) != NULL;
}

static bool is_function(const char *s)
{
    return bsearch(s, functions, sizeof functions / sizeof *functions,
                   sizeof *functions, by_text) != NULL;
}

static bool begins_with(const char *s, const char *start)
{
    return strncmp(s, start, strlen(start)) == 0;
}

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* Families of macros in <stdint.h> and <inttypes.h>: INT8_MAX, PRId64. */
static bool is_integer_macro(const char *s)
{
    if (begins_with(s, "PRI") || begins_with(s, "SCN"))
        return s[3] != '\0' && strchr("diouxX", s[3]) != NULL;
    if (!begins_with(s, "INT") && !begins_with(s, "UINT"))
        return false;
    return ends_in(s, "_MAX") || ends_in(s, "_MIN") || ends_in(s, "_C") ||
           ends_in(s, "_WIDTH");
}

bool c_is_reserved(const char *s)
{
    if (s[0] == '_' || begins_with(s, "takt_") || begins_with(s, "TAKT_") ||
        is_word(s) || is_function(s) || is_integer_macro(s))
        return true;
    size_t n = strlen(s);
    char stem[16];
    if (n < 2 || n > sizeof stem || (s[n - 1] != 'f' && s[n - 1] != 'l'))
        return false;
    memcpy(stem, s, n - 1);
    stem[n - 1] = '\0';
    return is_function(stem); /* sinf, sinl */
}

/* NAME.h must not be found where a header of the system is meant. */
static bool is_header(const char *name)
{
    static const char *const header[] = {
        "assert", "complex", "ctype",  "errno",  "fenv",     "float",
        "limits", "locale",  "math",   "setjmp", "signal",   "stdarg",
        "stdint", "stdbool", "stddef", "stdio",  "stdlib",   "string",
        "tgmath", "time",    "wchar",  "wctype", "inttypes", "features"};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        if (strcmp(name, header[i]) == 0)
            return true;
    return false;
}

const char *c_prefix(const char *name, Arena *arena)
{
    const char *s = c_identifier(name, arena);
    bool taken = c_is_reserved(s) || is_header(s) || strcmp(s, "m") == 0;
    return taken ? arena_printf(arena, "%s_", s) : s;
}

bool c_is_identifier(const char *s)
{
    if (!is_letter(*s) && *s != '_')
        return false;
    for (const char *c = s; *c; c++)
        if (!is_letter(*c) && !is_digit(*c) && *c != '_')
            return false;
    return !is_word(s);
}

const char *c_number(double x, bool is_float, Arena *arena)
{
    if (is_float)
        x = (double)(float)x;
    if (isnan(x) || isinf(x)) {
        uint64_t w;
        float s = (float)x;
        uint32_t w32;
        memcpy(&w, &x, sizeof w);
        memcpy(&w32, &s, sizeof w32);
        return is_float
                   ? arena_printf(arena, "takt_numberf(0x%08xu)", w32)
                   : arena_printf(arena, "takt_number(UINT64_C(0x%016llx))",
                                  (unsigned long long)w);
    }
    char text[40];
    number_shortest(x, is_float, text);
    if (!strpbrk(text, ".e"))
        strcat(text, ".0");
    return arena_printf(arena, "%s%s", text, is_float ? "f" : "");
}
