/* json.h - JSON by cJSON, with places for messages.
 *
 * cJSON forgets where a value stood. As it keeps the order of the file, the
 * k-th value of the tree (parents before children) is the k-th value of the
 * text: that is how a place is found, when a message needs one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_JSON_H
#define TAKT_PLAN_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include <cJSON.h>

#include "base/diag.h"
#include "plan/exact.h"

typedef struct Json {
    const Sources *sources;
    int source;
    cJSON *root; /* json_close() frees it */
    Arena *arena;
    Diag *diag;
    bool failed; /* something was reported */
} Json;

/* Parses text number `source`. False after a report (E1202). */
bool json_open(Json *j, const Sources *sources, int source, Arena *arena,
               Diag *diag);
void json_close(Json *j);

/* Place of a value, with its key where it has one. */
Span json_span(const Json *j, const cJSON *item);

/* Reports a value of the wrong kind (E1204): "'step' must be a positive
 * number". */
void json_wrong(Json *j, const cJSON *item, const char *what);
/* Reports an unknown key (E1203) and suggests one of `known`. */
void json_unknown(Json *j, const cJSON *item, const char *const *known,
                  int nknown);

/* Each reads a value into *out, or reports what it must be. */
bool json_number(Json *j, const cJSON *item, double *out);
bool json_positive(Json *j, const cJSON *item, double *out);
bool json_count(Json *j, const cJSON *item, int least, int *out);
/* No member twice. */
bool json_object(Json *j, const cJSON *item);
bool json_array(Json *j, const cJSON *item);
bool json_bool(Json *j, const cJSON *item, bool *out);
bool json_text(Json *j, const cJSON *item, const char **out);
/* The place of a text in a list of words. */
bool json_word(Json *j, const cJSON *item, const char *const *word, int nword,
               int *out);
/* An array of texts, of numbers; *n is its size. */
bool json_texts(Json *j, const cJSON *item, const char ***out, int *n);
bool json_numbers(Json *j, const cJSON *item, const double **out, int *n);
/* An array of numbers, or of texts with a number, a fraction or a root: 0.5,
 * "1/2", "(88-7*sqrt6)/360". */
bool json_exacts(Json *j, const cJSON *item, const Exact **out, int *n);

#endif
