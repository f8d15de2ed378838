/* parts.h - decisions that have a form of their own: lists and objects.
 *
 * What a row of keys.def cannot say in general is here a set of functions, all
 * of one decision in one place (parts.c, factors.c, sections.c).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_PARTS_H
#define TAKT_PLAN_PARTS_H

#include "base/json.h"
#include "base/vec.h"
#include "plan/json.h"
#include "plan/plan.h"

/* A line of a comparison. */
typedef struct PlanItem {
    const char *name, *value;
    double number; /* NaN: the value is no number */
} PlanItem;

typedef Vec(PlanItem) PlanItems;

typedef struct PlanPart {
    void (*read)(Json *j, const cJSON *item, Plan *p);
    void (*write)(const Plan *p, const char *key, JsonOut *out);
    bool (*has)(const Plan *p); /* anything to be written */
    /* What is compared, under a title of its own; NULL: nothing. */
    void (*list)(const Plan *p, PlanItems *to, Arena *arena);
    const char *title;
    const char *absent; /* value of an item that one plan does not have */
    bool is_no_decision;
} PlanPart;

extern const PlanPart plan_part_version, plan_part_states, plan_part_tearing,
    plan_part_modes, plan_part_cuts, plan_part_force, plan_part_factor,
    plan_part_domain, plan_part_samples, plan_part_evidence;

/* Edits of all blocks: --factor KIND, --refine, --no-monitor. */
void plan_edit_factor(Plan *p, const char *text, Arena *arena);
void plan_edit_refine(Plan *p, const char *text, Arena *arena);
void plan_edit_no_monitor(Plan *p, const char *text, Arena *arena);

void plan_edit_no_domain(Plan *p, const char *text, Arena *arena);

/* For the functions of a part. */
void plan_add_item(PlanItems *to, const char *name, const char *value,
                   Arena *arena);
void plan_add_item_number(PlanItems *to, const char *name, double x,
                          Arena *arena);
void plan_put_texts(JsonOut *out, const char *key, const char *const *text,
                    int n);
const char *plan_join(const char *const *text, int n, Arena *arena);

#endif
