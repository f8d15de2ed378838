/* sections.c - parts of a plan that belong to others (sample, tune): kept as
 * JSON, compared value by value. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/parts.h"

static void read_section(Json *j, const cJSON *item, const char **out)
{
    if (!json_object(j, item))
        return;
    char *text = cJSON_PrintUnformatted(item);
    if (!text)
        return;
    *out = arena_strdup(j->arena, text);
    cJSON_free(text);
}

static const char *member(const char *path, const cJSON *item, int index,
                          Arena *arena)
{
    if (item->string)
        return arena_printf(arena, "%s%s%s", path, path[0] ? "." : "",
                            item->string);
    return arena_printf(arena, "%s[%d]", path, index);
}

static void add_value(PlanItems *to, const char *path, const cJSON *item,
                      Arena *arena)
{
    if (cJSON_IsNumber(item)) {
        plan_add_item_number(to, path, item->valuedouble, arena);
    } else if (cJSON_IsString(item)) {
        plan_add_item(to, path, arena_strdup(arena, item->valuestring), arena);
    } else {
        plan_add_item(to, path,
                      cJSON_IsTrue(item)    ? "true"
                      : cJSON_IsFalse(item) ? "false"
                                            : "null",
                      arena);
    }
}

/* All values below, depth first, with their paths. */
static void list_section(const char *text, PlanItems *to, Arena *arena)
{
    typedef struct Level {
        const cJSON *next;
        const char *path;
        int index;
    } Level;
    cJSON *root = text ? cJSON_Parse(text) : NULL;
    Vec(Level) stack = {0};
    if (root)
        vec_push(arena, &stack, ((Level){root->child, "", 0}));
    while (stack.n > 0) {
        Level *top = &vec_last(&stack);
        const cJSON *item = top->next;
        if (!item) {
            stack.n--;
            continue;
        }
        const char *path = member(top->path, item, top->index, arena);
        top->index++;
        top->next = item->next;
        if (item->child)
            vec_push(arena, &stack, ((Level){item->child, path, 0}));
        else if (!cJSON_IsArray(item) && !cJSON_IsObject(item))
            add_value(to, path, item, arena);
    }
    cJSON_Delete(root);
}

#define SECTION(name, no_decision)                                             \
    static void read_##name(Json *j, const cJSON *item, Plan *p)               \
    {                                                                          \
        read_section(j, item, &p->name);                                       \
    }                                                                          \
    static void write_##name(const Plan *p, const char *key, JsonOut *out)     \
    {                                                                          \
        json_put_json(out, key, p->name);                                      \
    }                                                                          \
    static bool has_##name(const Plan *p)                                      \
    {                                                                          \
        return p->name != NULL;                                                \
    }                                                                          \
    static void list_##name(const Plan *p, PlanItems *to, Arena *arena)        \
    {                                                                          \
        list_section(p->name, to, arena);                                      \
    }                                                                          \
    const PlanPart plan_part_##name = {read_##name, write_##name, has_##name,  \
                                       list_##name, #name,        "-",         \
                                       no_decision};

SECTION(samples, false)
SECTION(evidence, true)
