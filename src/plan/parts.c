/* parts.c - version, states, tearing, modes, cuts and force. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/parts.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

void plan_add_item(PlanItems *to, const char *name, const char *value,
                   Arena *arena)
{
    vec_push(arena, to, ((PlanItem){name, value, NAN}));
}

void plan_add_item_number(PlanItems *to, const char *name, double x,
                          Arena *arena)
{
    char text[32];
    vec_push(arena, to,
             ((PlanItem){name, arena_strdup(arena, number_text(x, text)), x}));
}

const char *plan_join(const char *const *text, int n, Arena *arena)
{
    const char *all = "";
    for (int i = 0; i < n; i++)
        all = arena_printf(arena, "%s%s%s", all, i ? " " : "", text[i]);
    return n ? all : "-";
}

void plan_put_texts(JsonOut *out, const char *key, const char *const *text,
                    int n)
{
    json_begin_array(out, key);
    for (int i = 0; i < n; i++)
        json_put_text(out, NULL, text[i]);
    json_end(out);
}

/* ---- version ---- */

static void read_version(Json *j, const cJSON *item, Plan *p)
{
    int version = 0;
    (void)p;
    if (json_count(j, item, 1, &version) && version != 1)
        json_wrong(j, item, "1: this takt knows version 1 only");
}

static void write_version(const Plan *p, const char *key, JsonOut *out)
{
    (void)p;
    json_put_count(out, key, 1);
}

static bool has_version(const Plan *p)
{
    (void)p;
    return true;
}

const PlanPart plan_part_version = {
    read_version, write_version, has_version, NULL, NULL, NULL, true};

/* ---- states ---- */

static void read_states(Json *j, const cJSON *item, Plan *p)
{
    json_texts(j, item, &p->state, &p->nstate);
}

static void write_states(const Plan *p, const char *key, JsonOut *out)
{
    plan_put_texts(out, key, p->state, p->nstate);
}

static bool has_states(const Plan *p)
{
    return p->nstate > 0;
}

static void list_states(const Plan *p, PlanItems *to, Arena *arena)
{
    plan_add_item(to, "states", plan_join(p->state, p->nstate, arena), arena);
}

const PlanPart plan_part_states = {
    read_states, write_states, has_states, list_states, "states", "-", false};

/* ---- tearing ---- */

static void read_tearing(Json *j, const cJSON *item, Plan *p)
{
    if (!json_object(j, item))
        return;
    p->ntearing = cJSON_GetArraySize(item);
    p->tearing = NEW_ARRAY(j->arena, PlanTearing, p->ntearing);
    PlanTearing *t = p->tearing;
    for (const cJSON *x = item->child; x; x = x->next, t++) {
        t->block = arena_strdup(j->arena, x->string);
        t->span = json_span(j, x);
        json_texts(j, x, &t->var, &t->nvar);
    }
}

static void write_tearing(const Plan *p, const char *key, JsonOut *out)
{
    json_begin_object(out, key);
    for (int i = 0; i < p->ntearing; i++) {
        json_break(out, 4);
        plan_put_texts(out, p->tearing[i].block, p->tearing[i].var,
                       p->tearing[i].nvar);
    }
    json_end(out);
}

static bool always(const Plan *p)
{
    (void)p;
    return true;
}

static void list_tearing(const Plan *p, PlanItems *to, Arena *arena)
{
    for (int i = 0; i < p->ntearing; i++)
        plan_add_item(to, p->tearing[i].block,
                      plan_join(p->tearing[i].var, p->tearing[i].nvar, arena),
                      arena);
}

const PlanPart plan_part_tearing = {
    read_tearing, write_tearing, always, list_tearing, "tearing", "-", false};

/* ---- modes ---- */

static const char *const mode_word[] = {
    "implicit", "explicit", "explicit-column", "explicit-both", "trapezoid"};

static void read_modes(Json *j, const cJSON *item, Plan *p)
{
    if (!json_object(j, item))
        return;
    p->nmode = cJSON_GetArraySize(item);
    p->mode = NEW_ARRAY(j->arena, PlanStateMode, p->nmode);
    PlanStateMode *m = p->mode;
    for (const cJSON *x = item->child; x; x = x->next, m++) {
        int mode = MODE_IMPLICIT;
        m->var = arena_strdup(j->arena, x->string);
        m->span = json_span(j, x);
        json_word(j, x, mode_word, (int)(sizeof mode_word / sizeof *mode_word),
                  &mode);
        m->mode = (PlanMode)mode;
    }
}

static void write_modes(const Plan *p, const char *key, JsonOut *out)
{
    json_begin_object(out, key);
    for (int i = 0; i < p->nmode; i++)
        json_put_text(out, p->mode[i].var, mode_word[p->mode[i].mode]);
    json_end(out);
}

static void list_modes(const Plan *p, PlanItems *to, Arena *arena)
{
    for (int i = 0; i < p->nmode; i++)
        plan_add_item(to, p->mode[i].var, mode_word[p->mode[i].mode], arena);
}

const PlanPart plan_part_modes = {read_modes, write_modes, always, list_modes,
                                  "modes",    "implicit",  false};

/* ---- cuts ---- */

static const char *const cut_word[CUT_NKIND] = {
#define CUT(name, word, place, leaves, iterated, help) word,
#include "plan/cuts.def"
#undef CUT
};

static void read_cut(Json *j, const cJSON *item, PlanCut *c)
{
    static const char *const known[] = {"kind", "eq", "var", "value"};
    int kind = NONE;
    c->span = json_span(j, item);
    c->value = NAN;
    for (const cJSON *x = item->child; x; x = x->next) {
        if (strcmp(x->string, "kind") == 0)
            json_word(j, x, cut_word, CUT_NKIND, &kind);
        else if (strcmp(x->string, "eq") == 0)
            json_text(j, x, &c->eqn);
        else if (strcmp(x->string, "var") == 0)
            json_text(j, x, &c->var);
        else if (strcmp(x->string, "value") == 0)
            json_number(j, x, &c->value);
        else
            json_unknown(j, x, known, 4);
    }
    if (j->failed)
        return;
    if (kind == NONE || !c->eqn || !c->var)
        json_wrong(j, item, "a cut with 'kind', 'eq' and 'var'");
    else if (!isnan(c->value) &&
             plan_cut_rule[kind].leaves != CUT_LEAVES_CONSTANT)
        json_wrong(j, item, "a cut without 'value': only \"frozen\" has one");
    c->kind = (PlanCutKind)kind;
}

static void read_cuts(Json *j, const cJSON *item, Plan *p)
{
    if (!json_array(j, item))
        return;
    p->ncut = cJSON_GetArraySize(item);
    p->cut = NEW_ARRAY(j->arena, PlanCut, p->ncut);
    PlanCut *c = p->cut;
    for (const cJSON *x = item->child; x; x = x->next, c++)
        if (json_object(j, x))
            read_cut(j, x, c);
}

static void write_cuts(const Plan *p, const char *key, JsonOut *out)
{
    json_begin_array(out, key);
    for (int i = 0; i < p->ncut; i++) {
        const PlanCut *c = &p->cut[i];
        json_break(out, 4);
        json_begin_object(out, NULL);
        json_put_text(out, "kind", cut_word[c->kind]);
        json_put_text(out, "eq", c->eqn);
        json_put_text(out, "var", c->var);
        if (!isnan(c->value))
            json_put_number(out, "value", c->value);
        json_end(out);
    }
    json_end(out);
}

static void list_cuts(const Plan *p, PlanItems *to, Arena *arena)
{
    for (int i = 0; i < p->ncut; i++) {
        const PlanCut *c = &p->cut[i];
        const char *value = cut_word[c->kind];
        if (!isnan(c->value))
            value = arena_printf(arena, "%s %g", value, c->value);
        plan_add_item(to, arena_printf(arena, "%s in %s", c->var, c->eqn),
                      value, arena);
    }
}

const PlanPart plan_part_cuts = {read_cuts, write_cuts, always, list_cuts,
                                 "cuts",    "-",        false};

/* ---- force ---- */

static void read_force(Json *j, const cJSON *item, Plan *p)
{
    if (!json_array(j, item))
        return;
    p->nforce = cJSON_GetArraySize(item);
    p->force = NEW_ARRAY(j->arena, PlanPair, p->nforce);
    PlanPair *f = p->force;
    for (const cJSON *x = item->child; x; x = x->next, f++) {
        const char **text = NULL;
        int n = 0;
        f->span = json_span(j, x);
        if (!json_texts(j, x, &text, &n))
            continue;
        if (n != 2) {
            json_wrong(j, x, "a pair [\"equation\", \"variable\"]");
            continue;
        }
        f->eqn = text[0];
        f->var = text[1];
    }
}

static void write_force(const Plan *p, const char *key, JsonOut *out)
{
    json_begin_array(out, key);
    for (int i = 0; i < p->nforce; i++) {
        const char *pair[] = {p->force[i].eqn, p->force[i].var};
        plan_put_texts(out, NULL, pair, 2);
    }
    json_end(out);
}

static void list_force(const Plan *p, PlanItems *to, Arena *arena)
{
    for (int i = 0; i < p->nforce; i++)
        plan_add_item(to, p->force[i].eqn, p->force[i].var, arena);
}

const PlanPart plan_part_force = {read_force, write_force, always, list_force,
                                  "forced",   "-",         false};
