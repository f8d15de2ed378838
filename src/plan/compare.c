/* compare.c - two plans as lists of items, side by side.
 *
 * Each plan becomes a list of (section, name, value); what is absent has the
 * value of its default. Items of both lists are paired by section and name, in
 * the order of the first plan, then of the second.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/keys.h"
#include "plan/parts.h"

enum { MOST_LINES = 40 }; /* of one section */

typedef struct Section {
    const char *title;
    const char *absent; /* value of an item that one plan does not have */
    PlanItems a, b;
} Section;

/* "events.max" */
static const char *name_of(const PlanKey *k, Arena *arena)
{
    return k->sub ? arena_printf(arena, "%s.%s", k->key, k->sub) : k->key;
}

/* Decisions with one value; what is not given has its default. */
static void list_plain(const Plan *p, PlanItems *to, Arena *arena)
{
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanKey *k = &plan_keys[f];
        if (!k->key || k->kind == KEY_OWN || !plan_has_value(p, k))
            continue;
        const char *name = name_of(k, arena);
        double x = plan_get_number(p, k);
        if (k->kind == KEY_TEXT)
            plan_add_item(to, name, plan_get_text(p, k), arena);
        else if (k->kind == KEY_WORD)
            plan_add_item(to, name, k->word[(int)x], arena);
        else if (k->kind == KEY_BOOL)
            plan_add_item(to, name, x != 0 ? "true" : "false", arena);
        else
            plan_add_item_number(to, name, x, arena);
    }
}

/* ---- side by side ---- */

static int by_name(const void *x, const void *y)
{
    return strcmp((*(const PlanItem *const *)x)->name,
                  (*(const PlanItem *const *)y)->name);
}

typedef struct Index {
    const PlanItem **sorted;
    int n;
} Index;

static Index index_of(const PlanItems *list, Arena *arena)
{
    Index x = {NEW_ARRAY(arena, const PlanItem *, list->n + 1), list->n};
    for (int i = 0; i < list->n; i++)
        x.sorted[i] = &list->at[i];
    if (x.n > 1)
        qsort(x.sorted, (size_t)x.n, sizeof *x.sorted, by_name);
    return x;
}

static const PlanItem *find(Index x, const char *name)
{
    PlanItem key = {name, NULL, NAN};
    const PlanItem *at = &key;
    const PlanItem **hit =
        x.n ? bsearch(&at, x.sorted, (size_t)x.n, sizeof *x.sorted, by_name)
            : NULL;
    return hit ? *hit : NULL;
}

typedef struct Printer {
    FILE *out;
    const char *title;
    int nline; /* differences of the section */
    int width;
} Printer;

static void print_pair(Printer *p, const char *name, const char *a,
                       const char *b, double ratio)
{
    if (p->nline == 0)
        fprintf(p->out, "%s\n", p->title);
    if (p->nline++ >= MOST_LINES)
        return;
    fprintf(p->out, "  %-*s  %-14s  ", p->width, name, a);
    if (isfinite(ratio))
        fprintf(p->out, "%-14s  x %.3g\n", b, ratio);
    else
        fprintf(p->out, "%s\n", b);
}

/* b / a where both are numbers. */
static double ratio_of(const PlanItem *a, const PlanItem *b)
{
    if (!a || !b || isnan(a->number) || isnan(b->number) || a->number == 0)
        return NAN;
    return b->number / a->number;
}

static int width_of(const Section *s)
{
    size_t width = 12;
    const PlanItems *list[] = {&s->a, &s->b};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < list[k]->n; i++) {
            size_t n = strlen(list[k]->at[i].name);
            width = n > width && n <= 40 ? n : width;
        }
    return (int)width;
}

/* Prints the differences of a section and returns their number. */
static int print_section(const Section *s, FILE *out, Arena *arena)
{
    Index a = index_of(&s->a, arena), b = index_of(&s->b, arena);
    Printer p = {out, s->title, 0, width_of(s)};
    for (int i = 0; i < s->a.n; i++) {
        const PlanItem *x = &s->a.at[i], *y = find(b, x->name);
        const char *value = y ? y->value : s->absent;
        if (strcmp(x->value, value) != 0)
            print_pair(&p, x->name, x->value, value, ratio_of(x, y));
    }
    for (int i = 0; i < s->b.n; i++) {
        const PlanItem *y = &s->b.at[i];
        if (!find(a, y->name) && strcmp(y->value, s->absent) != 0)
            print_pair(&p, y->name, s->absent, y->value, NAN);
    }
    if (p.nline > MOST_LINES)
        fprintf(out, "  ... and %d more\n", p.nline - MOST_LINES);
    return p.nline;
}

/* Prints what the plans differ in of one kind. Returns how many differ. */
static int print_list(const Plan *a, const Plan *b, const char *title,
                      const char *absent,
                      void (*list)(const Plan *, PlanItems *, Arena *),
                      FILE *out, Arena *arena)
{
    Section s = {.title = title, .absent = absent};
    list(a, &s.a, arena);
    list(b, &s.b, arena);
    return print_section(&s, out, arena);
}

int plan_compare(const Plan *a, const Plan *b, const char *name_a,
                 const char *name_b, FILE *out)
{
    Arena *arena = arena_new();
    fprintf(out, "a: %s\nb: %s\n", name_a, name_b);
    int total = print_list(a, b, "decisions", "-", list_plain, out, arena);
    for (int f = 0; f < PLAN_NFIELD; f++) {
        const PlanPart *part = plan_keys[f].part;
        if (!part || !part->list)
            continue;
        int n =
            print_list(a, b, part->title, part->absent, part->list, out, arena);
        total += part->is_no_decision ? 0 : n;
    }
    if (total == 0)
        fputs("the plans decide the same\n", out);
    else
        fprintf(out, "%d decisions differ; %d cuts in a, %d in b\n", total,
                a->ncut, b->ncut);
    arena_free(arena);
    return total;
}
