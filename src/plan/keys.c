/* keys.c - the table of decisions, and access to a Plan by its rows. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/keys.h"

#include <string.h>

#include "plan/parts.h"

#define AT(member) .at = offsetof(Plan, member)
#define WORDS(...)                                                             \
    (const char *const[])                                                      \
    {                                                                          \
        __VA_ARGS__, NULL                                                      \
    }

const PlanKey plan_keys[PLAN_NFIELD] = {
#define KEY(name, ...) [PLAN_##name] = {__VA_ARGS__},
#include "plan/keys.def"
#undef KEY
};

PlanField plan_find_key(const char *key, const char *sub)
{
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        if (!k->key || strcmp(k->key, key) != 0 || !k->sub != !sub)
            continue;
        if (!sub || strcmp(k->sub, sub) == 0)
            return (PlanField)f;
    }
    return PLAN_NFIELD;
}

PlanField plan_find_option(const char *option)
{
    for (int f = 0; f < PLAN_NFIELD; f++)
        if (plan_keys[f].option && !strcmp(plan_keys[f].option, option))
            return (PlanField)f;
    return PLAN_NFIELD;
}

int plan_count_words(const PlanKey *k)
{
    int n = 0;
    while (k->word && k->word[n])
        n++;
    return n;
}

int plan_find_word(const PlanKey *k, const char *text)
{
    int n = plan_count_words(k);
    for (int i = 0; i < n; i++)
        if (strcmp(k->word[i], text) == 0)
            return i;
    return k->old_word && strcmp(k->old_word, text) == 0 ? n - 1 : NONE;
}

const char *plan_word_list(const PlanKey *k, const char *last, Arena *arena)
{
    int n = plan_count_words(k);
    const char *list = "";
    for (int i = 0; i < n; i++)
        list = arena_printf(arena, "%s%s%s", list,
                            i == 0       ? ""
                            : i == n - 1 ? last
                                         : ", ",
                            k->word[i]);
    return list;
}

/* ---- values ---- */

/* Enums and int have the same size and, as no value is negative, the same
 * bytes. */
static int get_int(const void *at)
{
    int x;
    memcpy(&x, at, sizeof x);
    return x;
}

static void set_int(void *at, double x)
{
    int value = (int)x;
    memcpy(at, &value, sizeof value);
}

double plan_get_number(const Plan *p, const PlanKey *k)
{
    const char *at = (const char *)p + k->at;
    switch (k->kind) {
    case KEY_BOOL: return *(const bool *)at;
    case KEY_COUNT:
    case KEY_WORD: return get_int(at);
    case KEY_POSITIVE:
    case KEY_TIME: return *(const double *)(const void *)at;
    case KEY_TEXT:
    case KEY_OWN: break;
    }
    return 0;
}

void plan_set_number(Plan *p, const PlanKey *k, double x)
{
    void *at = (char *)p + k->at;
    switch (k->kind) {
    case KEY_BOOL: *(bool *)at = x != 0; break;
    case KEY_COUNT:
    case KEY_WORD: set_int(at, x); break;
    case KEY_POSITIVE:
    case KEY_TIME: *(double *)at = x; break;
    case KEY_TEXT:
    case KEY_OWN: break;
    }
}

const char *plan_get_text(const Plan *p, const PlanKey *k)
{
    return *(const char *const *)(const void *)((const char *)p + k->at);
}

void plan_set_text(Plan *p, const PlanKey *k, const char *text)
{
    *(const char **)(void *)((char *)p + k->at) = text;
}

bool plan_has_value(const Plan *p, const PlanKey *k)
{
    if (!k->key)
        return false;
    switch (k->kind) {
    case KEY_BOOL:
    case KEY_WORD: return true;
    case KEY_COUNT:
    case KEY_POSITIVE:
    case KEY_TIME: return plan_get_number(p, k) > 0;
    case KEY_TEXT: return plan_get_text(p, k)[0] != '\0';
    case KEY_OWN: return k->part->has(p);
    }
    return false;
}
