/* json.h - JSON that is written from top to bottom.
 *
 *     JsonOut j = json_start(stdout, JSON_INDENTED);
 *     json_begin_object(&j, NULL);
 *     json_put_text(&j, "model", name);
 *     json_begin_array(&j, "eigenvalues");
 *     json_put_number(&j, NULL, -1.5);
 *     json_end(&j);
 *     json_end(&j);
 *     json_finish(&j);
 *
 * Members of an object have a key; in an array, and outermost, it is NULL. A
 * text may hold any bytes: what is no UTF-8 comes out as U+FFFD. The character
 * < is written as \u003c, so that a text can stand in a page. A number that is
 * not finite is null; others read back as the same number, in every locale.
 *
 * Reading is done by cJSON (plan/json.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_JSON_H
#define TAKT_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

typedef enum JsonLayout {
    JSON_INDENTED, /* members on lines of their own, arrays on one */
    JSON_SPACED,   /* a space after each comma and colon; see json_break() */
    JSON_COMPACT,  /* no white space */
} JsonLayout;

enum { JSON_DEPTH = 32 };

typedef struct JsonOut {
    FILE *out;
    JsonLayout layout;
    int depth;                 /* objects and arrays that are open */
    bool is_array[JSON_DEPTH]; /* of each depth */
    bool has_item[JSON_DEPTH];
    int gap;      /* spaces on a new line before the next item, or NONE */
    char *buffer; /* of a text in memory, else NULL */
    size_t size;
} JsonOut;

JsonOut json_start(FILE *out, JsonLayout layout);
/* Ends the text with a newline. Everything must be closed. */
void json_finish(JsonOut *j);

/* The same for a text in memory, without the newline: it is handed out in
 * `arena`. */
void json_start_text(JsonOut *j, JsonLayout layout);
const char *json_finish_text(JsonOut *j, Arena *arena);

void json_begin_object(JsonOut *j, const char *key);
void json_begin_array(JsonOut *j, const char *key);
void json_end(JsonOut *j); /* what was opened last */

void json_put_text(JsonOut *j, const char *key, const char *text);
void json_put_texts(JsonOut *j, const char *key, const char *const *text,
                    int n);
void json_put_number(JsonOut *j, const char *key, double x);
void json_put_count(JsonOut *j, const char *key, int64_t n);
void json_put_bool(JsonOut *j, const char *key, bool yes);
void json_put_null(JsonOut *j, const char *key);
/* A value that is JSON already: of this writer, or printed by cJSON. */
void json_put_json(JsonOut *j, const char *key, const char *json);

/* The next item stands on a new line after n spaces; not for JSON_INDENTED. */
void json_break(JsonOut *j, int n);

#endif
