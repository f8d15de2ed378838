/* plan_options.c - options from the rows of a plan. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plan_options.h"

#include "plan/keys.h"

static bool has_option(const Option *table, const char *name)
{
    for (; table->name; table++)
        if (!strcmp(table->name, name))
            return true;
    return false;
}

static OptionKind kind_of(PlanField f)
{
    const PlanKey *k = &plan_keys[f];
    if (f == PLAN_METHOD)
        return OPT_METHOD;
    if (!k->metavar)
        return OPT_FLAG;
    return k->word ? OPT_WORD : k->kind == KEY_TIME ? OPT_TIME : OPT_TEXT;
}

/* "auto|solve|keep" for words, else what the row says. */
static const char *metavar_of(const PlanKey *k, Arena *arena)
{
    const char *all = k->word && k->metavar ? k->word[0] : k->metavar;
    for (int i = 1; k->metavar && k->word && k->word[i]; i++)
        all = arena_printf(arena, "%s|%s", all, k->word[i]);
    return all;
}

/* What the option does, and what holds without it. */
static const char *help_of(const PlanKey *k, Arena *arena)
{
    if (k->standard_text || !k->metavar || k->kind == KEY_TEXT)
        return k->help;
    if (k->word)
        return arena_printf(
            arena,
            k->realtime_text ? "%s (default %s at the desk, %s in real time)"
                             : "%s (default %s)",
            k->help, k->word[(int)k->standard], k->realtime_text);
    return arena_printf(arena, "%s (default %g)", k->help, k->standard);
}

const Option *plan_options(const Option *own, unsigned verb, PlanEdits *edits,
                           Arena *arena)
{
    int n = 0;
    while (own[n].name)
        n++;
    Option *table = NEW_ARRAY(arena, Option, n + PLAN_NFIELD + 1);
    for (int i = 0; i < n; i++)
        table[i] = own[i];
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        if (k->option && (k->verbs & verb) && !has_option(own, k->option))
            table[n++] =
                (Option){k->option, metavar_of(k, arena), help_of(k, arena),
                         kind_of((PlanField)f) | OPT_DECISION, edits};
    }
    return table;
}
