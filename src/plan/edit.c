/* edit.c - decisions of the command line, applied over those of a file. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/number.h"
#include "base/quantity.h"
#include "base/vec.h"
#include "plan/keys.h"

void plan_add_edit(PlanEdits *edits, PlanField key, const char *text,
                   Arena *arena)
{
    vec_push(arena, edits, ((PlanEdit){key, text}));
}

void plan_add_number(PlanEdits *edits, PlanField key, double x, Arena *arena)
{
    char text[32];
    plan_add_edit(edits, key, arena_strdup(arena, number_text(x, text)), arena);
}

bool plan_has_edit(const PlanEdits *edits, PlanField key)
{
    for (int i = 0; i < edits->n; i++)
        if (edits->at[i].key == key)
            return true;
    return false;
}

void plan_drop_edits(PlanEdits *edits, PlanField key)
{
    int n = 0;
    for (int i = 0; i < edits->n; i++)
        if (edits->at[i].key != key)
            edits->at[n++] = edits->at[i];
    edits->n = n;
}

const char *plan_find_edit(const PlanEdits *edits, PlanField key)
{
    for (int i = edits->n - 1; i >= 0; i--)
        if (edits->at[i].key == key)
            return edits->at[i].text;
    return NULL;
}

/* ---- one edit ---- */

/* The number of an edit; false if the text is none in the range of the row. */
static bool read_number(const PlanKey *k, const char *text, double *x)
{
    int n = 0;
    switch (k->kind) {
    case KEY_BOOL: *x = 1; return true;
    case KEY_COUNT:
        if (!quantity_count(text, &n) || n < k->least || n > 1000000)
            return false;
        *x = n;
        return true;
    case KEY_POSITIVE: return quantity_number(text, x) && *x > 0;
    case KEY_TIME: return quantity_time(text, x) && *x > 0;
    case KEY_WORD:
        n = plan_find_word(k, text);
        *x = n;
        return n != NONE;
    case KEY_TEXT:
    case KEY_OWN: break;
    }
    return true;
}

/* "a whole number from 1" */
static const char *expected(const PlanKey *k, Arena *arena)
{
    switch (k->kind) {
    case KEY_COUNT:
        return arena_printf(arena, "a whole number from %d to 1000000",
                            k->least);
    case KEY_POSITIVE: return "a positive number";
    case KEY_TIME: return "a positive time such as 1ms, 50us or 0.2";
    case KEY_TEXT: return "a text";
    case KEY_BOOL:
    case KEY_WORD:
    case KEY_OWN: break;
    }
    return plan_word_list(k, " or ", arena);
}

const char *plan_edit_wrong(const PlanEdit *edit, Arena *arena)
{
    const PlanKey *k = &plan_keys[edit->key];
    double x;
    bool fine = k->kind == KEY_TEXT  ? edit->text[0] != '\0'
                : k->kind == KEY_OWN ? plan_find_word(k, edit->text) != NONE
                                     : read_number(k, edit->text, &x);
    if (fine)
        return NULL;
    return arena_printf(arena, "--%s takes %s, not '%s'", k->option,
                        expected(k, arena), edit->text);
}

/* One of the two is given: the later one. */
static void drop_excluded(Plan *p, const PlanKey *k)
{
    if (k->excludes == 0)
        return;
    int other = k->excludes - 1;
    p->has[other] = false;
    plan_set_number(p, &plan_keys[other], plan_keys[other].standard);
}

bool plan_apply(Plan *p, const PlanEdits *edits, Arena *arena, Diag *diag)
{
    for (int i = 0; i < edits->n; i++) {
        const PlanEdit *e = &edits->at[i];
        const PlanKey *k = &plan_keys[e->key];
        const char *wrong = plan_edit_wrong(e, arena);
        double x = 0;
        if (wrong) {
            diag_report(diag, NO_SPAN, DIAG_E1204, "%s", wrong);
            return false;
        }
        PlanField f = k->key ? e->key : k->of;
        p->has[f] = true;
        p->where[f] = NO_SPAN;
        drop_excluded(p, k);
        if (k->edit)
            k->edit(p, e->text, arena);
        else if (k->kind == KEY_TEXT)
            plan_set_text(p, k, e->text);
        else if (read_number(k, e->text, &x))
            plan_set_number(p, k, x);
    }
    return true;
}

/* ---- what holds together ---- */

static bool is_obeyed(const PlanKey *k, PlanGoal goal)
{
    return k->goals == 0 || (k->goals & 1U << goal);
}

const char *plan_edits_wrong(const PlanEdits *edits, PlanGoal goal,
                             Arena *arena)
{
    for (int i = 0; i < edits->n; i++) {
        const PlanKey *k = &plan_keys[edits->at[i].key];
        if (!is_obeyed(k, goal))
            return arena_printf(
                arena,
                goal == PLAN_DESK
                    ? "--%s is for generated code: it needs --static"
                    : "--%s is for the desk: generated code does not have it",
                k->option);
        if (k->excludes && plan_has_edit(edits, (PlanField)(k->excludes - 1)))
            return arena_printf(arena, "--%s and --%s exclude each other",
                                plan_keys[k->excludes - 1].option, k->option);
    }
    if (plan_has_edit(edits, PLAN_FIXED) && plan_has_edit(edits, PLAN_INIT) &&
        strcmp(plan_find_edit(edits, PLAN_INIT), "solve") == 0)
        return "--fixed leaves nothing to --init solve: with numbers for "
               "parameters the initial values are numbers";
    return NULL;
}

/* A plan is used by many verbs: what concerns the code alone is no matter at
 * the desk. The other way round something would be missing from the code. */
static bool check_goal(const Plan *p, PlanGoal goal, Diag *diag)
{
    bool fine = true;
    for (int f = 0; f < PLAN_NFIELD && goal == PLAN_REALTIME; f++) {
        const PlanKey *k = &plan_keys[f];
        if (!p->has[f] || is_obeyed(k, goal) ||
            (k->kind == KEY_BOOL && plan_get_number(p, k) == 0))
            continue;
        fine = false;
        diag_report(diag, p->where[f], DIAG_E1208,
                    "'%s%s%s' is for the desk: generated code does not have it",
                    k->key, k->sub ? "." : "", k->sub ? k->sub : "");
    }
    return fine;
}

static bool check_pairs(const Plan *p, Diag *diag)
{
    bool fixed = p->fixed || !strcmp(p->tunable, "none");
    if (fixed && p->has[PLAN_INIT] && p->init == PI_SOLVE) {
        diag_report(diag, p->where[PLAN_INIT], DIAG_E1208,
                    "'fixed' leaves nothing to 'init': with numbers for "
                    "parameters the initial values are numbers");
        return false;
    }
    if (p->direct && p->nstate > 0) {
        diag_report(diag, p->where[PLAN_STATES], DIAG_E1208,
                    "'direct' has no choice of 'states': it keeps all that "
                    "are differentiated");
        return false;
    }
    return true;
}

/* Defaults of a real-time step where they differ. */
static void set_realtime(Plan *p)
{
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        if (p->has[f] || !k->realtime_text)
            continue;
        if (k->kind == KEY_TEXT)
            plan_set_text(p, k, k->realtime_text);
        else
            plan_set_number(p, k, plan_find_word(k, k->realtime_text));
    }
}

bool plan_settle(Plan *p, PlanGoal goal, Diag *diag)
{
    if (goal == PLAN_REALTIME)
        set_realtime(p);
    if (!check_goal(p, goal, diag) || !check_pairs(p, diag))
        return false;
    p->fixed |= !strcmp(p->tunable, "none");
    if (p->fixed)
        p->tunable = "none";
    if (p->fixed)
        p->init = PI_VALUES;
    return true;
}
