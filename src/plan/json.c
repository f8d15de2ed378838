/* json.c - typed reading of JSON values, and where they stand. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/die.h"
#include "base/vec.h"

static Span text_span(const Json *j, const char *begin, const char *end)
{
    const char *text = sources_get(j->sources, j->source)->text;
    return (Span){j->source, (uint32_t)(begin - text), (uint32_t)(end - text)};
}

bool json_open(Json *j, const Sources *sources, int source, Arena *arena,
               Diag *diag)
{
    *j = (Json){sources, source, NULL, arena, diag, false};
    const Source *s = sources_get(sources, source);
    const char *end = NULL;
    j->root = cJSON_ParseWithOpts(s->text, &end, 1);
    if (j->root)
        return true;
    const char *last = s->text + s->size;
    if (!end || end > last)
        end = last;
    diag_report(diag, text_span(j, end, end < last ? end + 1 : end), DIAG_E1202,
                "this is not valid JSON from here on");
    j->failed = true;
    return false;
}

void json_close(Json *j)
{
    cJSON_Delete(j->root);
    j->root = NULL;
}

/* The number of `item` among the values of the tree, parents first. */
static int ordinal_of(const Json *j, const cJSON *item)
{
    Arena *work = arena_new();
    Vec(const cJSON *) up = {0};
    const cJSON *at = j->root;
    int k = 0;
    while (at != item) {
        k++;
        if (at->child) {
            vec_push(work, &up, at);
            at = at->child;
            continue;
        }
        while (!at->next)
            at = vec_pop(&up); /* the item is in the tree */
        at = at->next;
    }
    arena_free(work);
    return k;
}

static const char *skip_string(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1])
            p++;
    return *p ? p + 1 : p;
}

static const char *skip_blank(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

/* One value starts at every token that is neither a key nor punctuation. */
Span json_span(const Json *j, const cJSON *item)
{
    int want = ordinal_of(j, item), k = 0;
    const char *p = sources_get(j->sources, j->source)->text;
    const char *key = NULL;
    for (p = skip_blank(p); *p; p = skip_blank(p)) {
        const char *begin = p;
        if (*p == '}' || *p == ']' || *p == ',' || *p == ':') {
            p++;
            continue;
        }
        if (*p == '"') {
            p = skip_string(p);
            if (*skip_blank(p) == ':') {
                key = begin;
                continue;
            }
        } else if (*p == '{' || *p == '[') {
            p++;
        } else {
            p += strcspn(p, " \t\r\n,]}");
        }
        if (k++ == want)
            return text_span(j, key ? key : begin, p);
        key = NULL;
    }
    return NO_SPAN;
}

static const char *label(const cJSON *item)
{
    return item->string ? item->string : "this value";
}

void json_wrong(Json *j, const cJSON *item, const char *what)
{
    j->failed = true;
    if (item->string)
        diag_report(j->diag, json_span(j, item), DIAG_E1204, "'%s' must be %s",
                    label(item), what);
    else
        diag_report(j->diag, json_span(j, item), DIAG_E1204,
                    "this value must be %s", what);
}

void json_unknown(Json *j, const cJSON *item, const char *const *known,
                  int nknown)
{
    j->failed = true;
    diag_report(j->diag, json_span(j, item), DIAG_E1203,
                "there is no key '%s' here", label(item));
    diag_suggest(j->diag, label(item), known, nknown);
}

bool json_number(Json *j, const cJSON *item, double *out)
{
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) {
        json_wrong(j, item, "a number");
        return false;
    }
    *out = item->valuedouble;
    return true;
}

bool json_positive(Json *j, const cJSON *item, double *out)
{
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) ||
        item->valuedouble <= 0) {
        json_wrong(j, item, "a positive number");
        return false;
    }
    *out = item->valuedouble;
    return true;
}

static int by_name(const void *a, const void *b)
{
    const cJSON *const *x = a, *const *y = b;
    return strcmp((*x)->string, (*y)->string);
}

/* A member that stands there twice says two things. */
static const cJSON *find_double(Json *j, const cJSON *item)
{
    int n = cJSON_GetArraySize(item), i = 0;
    const cJSON **list = NEW_ARRAY(j->arena, const cJSON *, n + 1);
    for (const cJSON *x = item->child; x; x = x->next)
        list[i++] = x;
    if (n > 1)
        qsort(list, (size_t)n, sizeof *list, by_name);
    for (i = 0; i + 1 < n; i++)
        if (by_name(&list[i], &list[i + 1]) == 0)
            return list[i];
    return NULL;
}

bool json_object(Json *j, const cJSON *item)
{
    if (!cJSON_IsObject(item)) {
        json_wrong(j, item, "an object {...}");
        return false;
    }
    const cJSON *twice = find_double(j, item);
    if (twice)
        json_wrong(j, twice, "given only once");
    return !twice;
}

bool json_array(Json *j, const cJSON *item)
{
    if (cJSON_IsArray(item))
        return true;
    json_wrong(j, item, "an array [...]");
    return false;
}

bool json_count(Json *j, const cJSON *item, int least, int *out)
{
    double x = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (x != floor(x) || x < least || x > 1e6) {
        json_wrong(j, item,
                   arena_printf(j->arena, "an integer of at least %d", least));
        return false;
    }
    *out = (int)x;
    return true;
}

bool json_bool(Json *j, const cJSON *item, bool *out)
{
    if (!cJSON_IsBool(item)) {
        json_wrong(j, item, "true or false");
        return false;
    }
    *out = cJSON_IsTrue(item);
    return true;
}

bool json_text(Json *j, const cJSON *item, const char **out)
{
    if (!cJSON_IsString(item)) {
        json_wrong(j, item, "a text");
        return false;
    }
    *out = arena_strdup(j->arena, item->valuestring);
    return true;
}

bool json_word(Json *j, const cJSON *item, const char *const *word, int nword,
               int *out)
{
    if (cJSON_IsString(item))
        for (int i = 0; i < nword; i++)
            if (strcmp(item->valuestring, word[i]) == 0) {
                *out = i;
                return true;
            }
    char *list = "";
    for (int i = 0; i < nword; i++)
        list =
            arena_printf(j->arena, "%s%s\"%s\"", list, i ? ", " : "", word[i]);
    json_wrong(j, item, arena_printf(j->arena, "one of %s", list));
    return false;
}

bool json_texts(Json *j, const cJSON *item, const char ***out, int *n)
{
    if (!cJSON_IsArray(item)) {
        json_wrong(j, item, "an array of texts");
        return false;
    }
    *n = cJSON_GetArraySize(item);
    *out = NEW_ARRAY(j->arena, const char *, *n);
    int i = 0;
    for (const cJSON *x = item->child; x; x = x->next, i++)
        if (!json_text(j, x, &(*out)[i]))
            return false;
    return true;
}

static bool read_exact(Json *j, const cJSON *item, Exact *out)
{
    char text[32];
    double x;
    const char *from = item->valuestring, *end = "";
    if (cJSON_IsNumber(item)) {
        if (!json_number(j, item, &x))
            return false;
        from = number_text(x, text);
    } else if (!cJSON_IsString(item)) {
        from = "";
    }
    if (exact_read(from, &end, out) && *end == '\0')
        return true;
    json_wrong(j, item, "a number or a fraction like \"5/12\"");
    return false;
}

bool json_exacts(Json *j, const cJSON *item, const Exact **out, int *n)
{
    if (!cJSON_IsArray(item) || !item->child) {
        json_wrong(j, item, "an array of numbers");
        return false;
    }
    *n = cJSON_GetArraySize(item);
    Exact *x = NEW_ARRAY(j->arena, Exact, *n);
    int i = 0;
    for (const cJSON *at = item->child; at; at = at->next, i++)
        if (!read_exact(j, at, &x[i]))
            return false;
    *out = x;
    return true;
}

bool json_numbers(Json *j, const cJSON *item, const double **out, int *n)
{
    const Exact *exact;
    if (!json_exacts(j, item, &exact, n))
        return false;
    double *x = NEW_ARRAY(j->arena, double, *n);
    for (int i = 0; i < *n; i++)
        x[i] = exact_double(exact[i]);
    *out = x;
    return true;
}
