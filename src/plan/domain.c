/* domain.c - where a plan was tried out: a range for each quantity, and the end
 * of the longest run.
 *
 *     "domain": {"stop": 4, "step": 0.001, "equations": 12,
 *                "range": {"F": [0, 1], "x": [-0.1, 0.2]}}
 *
 * The step is that with which cuts were proven. The number of equations tells
 * whether those that are named by their numbers are still the same.
 *
 * It decides nothing. A step that leaves a range says so (status OUTSIDE),
 * which does not make it doubtful: ranges alone cry wolf.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "plan/parts.h"

static void read_range(Json *j, const cJSON *item, PlanRange *r)
{
    const double *x = NULL;
    int n = 0;
    r->name = arena_strdup(j->arena, item->string);
    if (!json_numbers(j, item, &x, &n))
        return;
    if (n != 2 || !(x[0] <= x[1])) {
        json_wrong(j, item, "two numbers, the smaller one first");
        return;
    }
    r->low = x[0];
    r->high = x[1];
}

static void read_ranges(Json *j, const cJSON *item, PlanDomain *d)
{
    if (!json_object(j, item))
        return;
    d->range = NEW_ARRAY(j->arena, PlanRange, cJSON_GetArraySize(item) + 1);
    for (const cJSON *x = item->child; x; x = x->next)
        read_range(j, x, &d->range[d->nrange++]);
}

static void read_domain(Json *j, const cJSON *item, Plan *p)
{
    static const char *const known[] = {"stop", "step", "equations", "check",
                                        "range"};
    PlanDomain *d = &p->domain;
    bool check = true;
    *d = (PlanDomain){.stop = NAN};
    if (!json_object(j, item))
        return;
    for (const cJSON *x = item->child; x; x = x->next) {
        if (strcmp(x->string, "stop") == 0)
            json_number(j, x, &d->stop);
        else if (strcmp(x->string, "step") == 0)
            json_number(j, x, &d->step);
        else if (strcmp(x->string, "equations") == 0)
            json_count(j, x, 0, &d->equations);
        else if (strcmp(x->string, "check") == 0)
            json_bool(j, x, &check);
        else if (strcmp(x->string, "range") == 0)
            read_ranges(j, x, d);
        else
            json_unknown(j, x, known, 5);
    }
    d->no_check = !check;
}

static void write_domain(const Plan *p, const char *key, JsonOut *out)
{
    const PlanDomain *d = &p->domain;
    json_begin_object(out, key);
    if (!isnan(d->stop))
        json_put_number(out, "stop", d->stop);
    if (d->step > 0)
        json_put_number(out, "step", d->step);
    if (d->equations > 0)
        json_put_count(out, "equations", d->equations);
    if (d->no_check)
        json_put_bool(out, "check", false);
    json_begin_object(out, "range");
    for (int i = 0; i < d->nrange; i++) {
        json_break(out, 4);
        json_begin_array(out, d->range[i].name);
        json_put_number(out, NULL, d->range[i].low);
        json_put_number(out, NULL, d->range[i].high);
        json_end(out);
    }
    json_end(out);
    json_end(out);
}

static bool has_domain(const Plan *p)
{
    return p->domain.nrange > 0;
}

static void list_domain(const Plan *p, PlanItems *to, Arena *arena)
{
    for (int i = 0; i < p->domain.nrange; i++) {
        const PlanRange *r = &p->domain.range[i];
        plan_add_item(to, r->name,
                      arena_printf(arena, "%.6g to %.6g", r->low, r->high),
                      arena);
    }
}

const PlanPart plan_part_domain = {
    read_domain, write_domain, has_domain, list_domain, "domain", "-", true};

void plan_edit_no_domain(Plan *p, const char *text, Arena *arena)
{
    (void)text;
    (void)arena;
    p->domain.no_check = true;
}

const PlanRange *plan_find_range(const Plan *p, const char *name)
{
    for (int i = 0; i < p->domain.nrange; i++)
        if (strcmp(p->domain.range[i].name, name) == 0)
            return &p->domain.range[i];
    return NULL;
}
