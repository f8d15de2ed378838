/* factors.c - how the matrices of blocks are factorised: one decision for a
 * block, or for all ("*"). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "plan/parts.h"

static const char *const factor_word[] = {"auto", "lu", "qr", "dense"};

/* "lu", or {"kind": "lu", "unroll": true, "refine": true, "monitor": false} */
static void read_block(Json *j, const cJSON *item, PlanBlockFactor *f)
{
    static const char *const known[] = {"kind", "unroll", "refine", "monitor"};
    int kind = PF_AUTO;
    bool monitor = true;
    f->block = arena_strdup(j->arena, item->string);
    f->span = json_span(j, item);
    if (!cJSON_IsObject(item)) {
        json_word(j, item, factor_word, 4, &kind);
    } else {
        for (const cJSON *x = item->child; x; x = x->next) {
            if (strcmp(x->string, "kind") == 0)
                json_word(j, x, factor_word, 4, &kind);
            else if (strcmp(x->string, "unroll") == 0)
                f->has_unroll = json_bool(j, x, &f->unroll);
            else if (strcmp(x->string, "refine") == 0)
                json_bool(j, x, &f->refine);
            else if (strcmp(x->string, "monitor") == 0)
                json_bool(j, x, &monitor);
            else
                json_unknown(j, x, known, 4);
        }
    }
    f->no_monitor = !monitor;
    f->factor = (PlanFactor)kind;
}

static void read_factor(Json *j, const cJSON *item, Plan *p)
{
    if (!json_object(j, item))
        return;
    p->nfactor = cJSON_GetArraySize(item);
    p->factor = NEW_ARRAY(j->arena, PlanBlockFactor, p->nfactor);
    PlanBlockFactor *f = p->factor;
    for (const cJSON *x = item->child; x; x = x->next)
        read_block(j, x, f++);
}

static void write_factor(const Plan *p, const char *key, JsonOut *out)
{
    json_begin_object(out, key);
    for (int i = 0; i < p->nfactor; i++) {
        const PlanBlockFactor *f = &p->factor[i];
        json_begin_object(out, f->block);
        json_put_text(out, "kind", factor_word[f->factor]);
        if (f->has_unroll)
            json_put_bool(out, "unroll", f->unroll);
        if (f->refine)
            json_put_bool(out, "refine", true);
        if (f->no_monitor)
            json_put_bool(out, "monitor", false);
        json_end(out);
    }
    json_end(out);
}

static bool always(const Plan *p)
{
    (void)p;
    return true;
}

static void list_factor(const Plan *p, PlanItems *to, Arena *arena)
{
    for (int i = 0; i < p->nfactor; i++) {
        const PlanBlockFactor *f = &p->factor[i];
        plan_add_item(to, f->block,
                      arena_printf(arena, "%s%s%s%s", factor_word[f->factor],
                                   !f->has_unroll ? ""
                                   : f->unroll    ? " unrolled"
                                                  : " by tables",
                                   f->refine ? " refined" : "",
                                   f->no_monitor ? " not watched" : ""),
                      arena);
    }
}

const PlanPart plan_part_factor = {
    read_factor, write_factor, always, list_factor, "factors", "auto", false};

/* ---- edits ---- */

/* The list of the plan with an entry for all blocks in it, as a copy. */
static void own_list(Plan *p, Arena *arena)
{
    PlanBlockFactor *list = NEW_ARRAY(arena, PlanBlockFactor, p->nfactor + 1);
    bool has_all = false;
    for (int i = 0; i < p->nfactor; i++) {
        list[i] = p->factor[i];
        has_all |= strcmp(list[i].block, "*") == 0;
    }
    if (!has_all)
        list[p->nfactor++] = (PlanBlockFactor){.block = "*", .span = NO_SPAN};
    p->factor = list;
}

void plan_edit_factor(Plan *p, const char *text, Arena *arena)
{
    bool unroll = strcmp(text, "unroll") == 0;
    bool is_lu = unroll || strcmp(text, "table") == 0;
    own_list(p, arena);
    for (int i = 0; i < p->nfactor; i++) {
        PlanBlockFactor *f = &p->factor[i];
        f->factor = is_lu                        ? PF_LU
                    : strcmp(text, "qr") == 0    ? PF_QR
                    : strcmp(text, "dense") == 0 ? PF_DENSE
                                                 : PF_AUTO;
        f->has_unroll = is_lu;
        f->unroll = unroll;
    }
}

void plan_edit_refine(Plan *p, const char *text, Arena *arena)
{
    (void)text;
    own_list(p, arena);
    for (int i = 0; i < p->nfactor; i++)
        p->factor[i].refine = true;
}

void plan_edit_no_monitor(Plan *p, const char *text, Arena *arena)
{
    (void)text;
    own_list(p, arena);
    for (int i = 0; i < p->nfactor; i++)
        p->factor[i].no_monitor = true;
}
