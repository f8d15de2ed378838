/* plan_write.c - a plan as JSON: one key a line, the same bytes for the same
 * plan. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "plan/json.h"
#include "plan/keys.h"
#include "plan/parts.h"

static void put_value(const Plan *p, const PlanKey *k, const char *name,
                      JsonOut *out)
{
    double x = plan_get_number(p, k);
    switch (k->kind) {
    case KEY_BOOL: json_put_bool(out, name, x != 0); break;
    case KEY_COUNT: json_put_count(out, name, (int)x); break;
    case KEY_POSITIVE:
    case KEY_TIME: json_put_number(out, name, x); break;
    case KEY_WORD: json_put_text(out, name, k->word[(int)x]); break;
    case KEY_TEXT: json_put_text(out, name, plan_get_text(p, k)); break;
    case KEY_OWN: k->part->write(p, name, out); break;
    }
}

static bool is_wanted(const Plan *p, int f, bool all)
{
    return (all || p->has[f] || f == PLAN_VERSION) &&
           plan_has_value(p, &plan_keys[f]);
}

static bool has_members(const Plan *p, const char *key, bool all)
{
    for (int f = 0; f < PLAN_NFIELD; f++)
        if (plan_keys[f].sub && strcmp(plan_keys[f].key, key) == 0 &&
            is_wanted(p, f, all))
            return true;
    return false;
}

/* The members of `key` that are wanted, as an object. */
static void put_members(const Plan *p, const char *key, bool all, JsonOut *out)
{
    json_begin_object(out, key);
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        if (k->sub && strcmp(k->key, key) == 0 && is_wanted(p, f, all))
            put_value(p, k, k->sub, out);
    }
    json_end(out);
}

/* Is this the first wanted row of its key? */
static bool is_first(const Plan *p, int f, bool all)
{
    for (int i = 0; i < f; i++)
        if (plan_keys[i].key &&
            strcmp(plan_keys[i].key, plan_keys[f].key) == 0 &&
            is_wanted(p, i, all))
            return false;
    return true;
}

void plan_write(const Plan *p, bool all, FILE *out)
{
    JsonOut j = json_start(out, JSON_SPACED);
    json_begin_object(&j, NULL);
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        if (!is_wanted(p, f, all) || !is_first(p, f, all))
            continue;
        json_break(&j, 2);
        if (has_members(p, k->key, all))
            put_members(p, k->key, all, &j);
        else
            put_value(p, k, k->key, &j);
    }
    fputc('\n', out);
    json_end(&j);
    json_finish(&j);
}
