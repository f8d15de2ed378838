/* plan.c - the default, and reading a plan from JSON, row by row of keys.def.
 *
 * What is wrong with a value is reported and the rest is read all the same, so
 * that one run shows all mistakes of a file.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/plan.h"

#include <string.h>

#include "plan/json.h"
#include "plan/keys.h"
#include "plan/parts.h"

Plan *plan_default(Arena *arena)
{
    Plan *p = NEW(arena, Plan);
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        p->where[f] = NO_SPAN;
        if (!k->key || k->kind == KEY_OWN)
            continue;
        if (k->kind == KEY_TEXT)
            plan_set_text(p, k, k->text ? k->text : "");
        else
            plan_set_number(p, k, k->standard);
    }
    return p;
}

bool plan_find_algebraic(const char *word, PlanAlgebraic *out)
{
    int found = plan_find_word(&plan_keys[PLAN_ALGEBRAIC], word);
    if (found != NONE)
        *out = (PlanAlgebraic)found;
    return found != NONE;
}

const char *plan_algebraic_name(PlanAlgebraic a)
{
    return plan_keys[PLAN_ALGEBRAIC].word[a];
}

int plan_newton(const Plan *p)
{
    return p->newton > 0 ? p->newton : PLAN_NEWTON_ITERATIONS;
}

const PlanCutRule plan_cut_rule[CUT_NKIND] = {
#define CUT(name, word, place, leaves, iterated, help)                         \
    {word, CUT_IN_##place, CUT_LEAVES_##leaves, iterated, help},
#include "plan/cuts.def"
#undef CUT
};

bool plan_cuts(const Plan *p, PlanCutPlace place)
{
    for (int i = 0; i < p->ncut; i++)
        if (plan_cut_rule[p->cut[i].kind].place == place)
            return true;
    return false;
}

bool plan_iterates(const Plan *p)
{
    for (int i = 0; i < p->ncut; i++)
        if (plan_cut_rule[p->cut[i].kind].is_iterated)
            return true;
    return false;
}

PlanMode plan_mode(const Plan *p, const char *state)
{
    for (int i = 0; i < p->nmode; i++)
        if (strcmp(p->mode[i].var, state) == 0)
            return p->mode[i].mode;
    return MODE_IMPLICIT;
}

/* ---- reading ---- */

static void read_word(Json *j, const cJSON *item, const PlanKey *k, Plan *p)
{
    int found =
        cJSON_IsString(item) ? plan_find_word(k, item->valuestring) : NONE;
    if (found != NONE)
        plan_set_number(p, k, found);
    else /* reports, as no word is right */
        json_word(j, item, k->word, plan_count_words(k), &found);
}

static void read_value(Json *j, const cJSON *item, const PlanKey *k, Plan *p)
{
    double x = 0;
    int n = 0;
    bool b = false;
    const char *text;
    switch (k->kind) {
    case KEY_BOOL:
        if (json_bool(j, item, &b))
            plan_set_number(p, k, b);
        break;
    case KEY_COUNT:
        if (json_count(j, item, k->least, &n))
            plan_set_number(p, k, n);
        break;
    case KEY_POSITIVE:
    case KEY_TIME:
        if (json_positive(j, item, &x))
            plan_set_number(p, k, x);
        break;
    case KEY_WORD: read_word(j, item, k, p); break;
    case KEY_TEXT:
        if (json_text(j, item, &text))
            plan_set_text(p, k, text);
        break;
    case KEY_OWN: k->part->read(j, item, p); break;
    }
}

static void take(Json *j, const cJSON *item, PlanField f, Plan *p)
{
    if (p->has[f]) {
        json_wrong(j, item, "given only once");
        return;
    }
    p->has[f] = true;
    p->where[f] = json_span(j, item);
    read_value(j, item, &plan_keys[f], p);
}

/* Members of an object or the keys of the file, for suggestions: those of
 * `key`, or with NULL all keys. */
static int list_known(const char *key, const char **known)
{
    int n = 0;
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        if (key && k->key && k->sub && strcmp(k->key, key) == 0)
            known[n++] = k->sub;
        else if (!key && k->key)
            known[n++] = k->key;
    }
    return n;
}

/* {"max": 3}: rows of their own stand for the members. */
static void read_members(Json *j, const cJSON *item, const char *const *known,
                         int nknown, Plan *p)
{
    if (!item->child)
        json_wrong(j, item, "an object that is not empty");
    for (const cJSON *x = item->child; x; x = x->next) {
        PlanField f = plan_find_key(item->string, x->string);
        if (f == PLAN_NFIELD)
            json_unknown(j, x, known, nknown);
        else
            take(j, x, f, p);
    }
}

static void read_keys(Json *j, Plan *p)
{
    const char *known[PLAN_NFIELD];
    for (const cJSON *x = j->root->child; x; x = x->next) {
        PlanField plain = plan_find_key(x->string, NULL);
        int nmember = list_known(x->string, known);
        if (nmember > 0 && (plain == PLAN_NFIELD || cJSON_IsObject(x))) {
            if (json_object(j, x))
                read_members(j, x, known, nmember, p);
        } else if (plain != PLAN_NFIELD) {
            take(j, x, plain, p);
        } else {
            json_unknown(j, x, known, list_known(NULL, known));
        }
    }
}

Plan *plan_read(const Sources *sources, int source, Arena *arena, Diag *diag)
{
    Json j;
    if (!json_open(&j, sources, source, arena, diag))
        return NULL;
    Plan *p = plan_default(arena);
    if (json_object(&j, j.root))
        read_keys(&j, p);
    if (!j.failed && !p->has[PLAN_VERSION])
        json_wrong(&j, j.root, "a plan: it begins with \"takt_plan\": 1");
    json_close(&j);
    return j.failed ? NULL : p;
}

Plan *plan_read_file(Sources *sources, const char *path, Arena *arena,
                     Diag *diag)
{
    int source = sources_read(sources, path);
    if (source != NONE)
        return plan_read(sources, source, arena, diag);
    diag_report(diag, NO_SPAN, DIAG_E1202, "the plan '%s' cannot be read",
                path);
    return NULL;
}
