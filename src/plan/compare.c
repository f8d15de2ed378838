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

#include <cJSON.h>

#include "base/file.h"
#include "base/vec.h"
#include "plan/words.h"

enum { MOST_LINES = 40 }; /* of one section */

typedef struct Item {
    const char *name, *value;
    double number; /* NaN: the value is no number */
} Item;

typedef Vec(Item) ItemVec;

typedef struct Section {
    const char *title;
    const char *absent; /* value of an item that one plan does not have */
    ItemVec a, b;
} Section;

static void add(ItemVec *to, const char *name, const char *value, Arena *arena)
{
    vec_push(arena, to, ((Item){name, value, NAN}));
}

static void add_number(ItemVec *to, const char *name, double x, Arena *arena)
{
    char text[32];
    vec_push(arena, to,
             ((Item){name, arena_strdup(arena, number_text(x, text)), x}));
}

/* ---- decisions with one value ---- */

static const char *texts(const char *const *text, int n, Arena *arena)
{
    const char *all = "";
    for (int i = 0; i < n; i++)
        all = arena_printf(arena, "%s%s%s", all, i ? " " : "", text[i]);
    return n ? all : "-";
}

static void list_plain(const Plan *p, ItemVec *to, Arena *arena)
{
    add(to, "model", p->model[0] ? p->model : "-", arena);
    add(to, "method", p->method, arena);
    if (p->step > 0)
        add_number(to, "step", p->step, arena);
    if (p->newton_tol > 0)
        add(to, "newton", arena_printf(arena, "to %g", p->newton_tol), arena);
    else if (p->newton > 0)
        add_number(to, "newton", p->newton, arena);
    add(to, "direct", p->direct ? "true" : "false", arena);
    add(to, "algebraic", plan_algebraic_word[p->algebraic], arena);
    add(to, "tearer", plan_tearer_word[p->tearer], arena);
    add_number(to, "growth_bound", p->growth_bound, arena);
    add(to, "states", texts(p->state, p->nstate, arena), arena);
    add_number(to, "damping", p->damping, arena);
    add(to, "scalar", plan_scalar_word[p->scalar], arena);
    add(to, "math", plan_math_word[p->math], arena);
    add_number(to, "events.max", p->events_max, arena);
}

/* ---- decisions with names ---- */

static void list_modes(const Plan *p, ItemVec *to, Arena *arena)
{
    for (int i = 0; i < p->nmode; i++)
        add(to, p->mode[i].var, plan_mode_word[p->mode[i].mode], arena);
}

static void list_tearing(const Plan *p, ItemVec *to, Arena *arena)
{
    for (int i = 0; i < p->ntearing; i++)
        add(to, p->tearing[i].block,
            texts(p->tearing[i].var, p->tearing[i].nvar, arena), arena);
}

static void list_cuts(const Plan *p, ItemVec *to, Arena *arena)
{
    for (int i = 0; i < p->ncut; i++) {
        const PlanCut *c = &p->cut[i];
        const char *value = plan_cut_word[c->kind];
        if (!isnan(c->value))
            value = arena_printf(arena, "%s %g", value, c->value);
        add(to, arena_printf(arena, "%s in %s", c->var, c->eqn), value, arena);
    }
}

static void list_force(const Plan *p, ItemVec *to, Arena *arena)
{
    for (int i = 0; i < p->nforce; i++)
        add(to, p->force[i].eqn, p->force[i].var, arena);
}

static void list_factor(const Plan *p, ItemVec *to, Arena *arena)
{
    for (int i = 0; i < p->nfactor; i++)
        add(to, p->factor[i].block,
            arena_printf(arena, "%s%s", plan_factor_word[p->factor[i].factor],
                         p->factor[i].unroll ? " unrolled" : ""),
            arena);
}

/* ---- JSON ---- */

static const char *member(const char *path, const cJSON *item, int index,
                          Arena *arena)
{
    if (item->string)
        return arena_printf(arena, "%s%s%s", path, path[0] ? "." : "",
                            item->string);
    return arena_printf(arena, "%s[%d]", path, index);
}

static void add_json(ItemVec *to, const char *path, const cJSON *item,
                     Arena *arena)
{
    if (cJSON_IsNumber(item)) {
        add_number(to, path, item->valuedouble, arena);
    } else if (cJSON_IsString(item)) {
        add(to, path, arena_strdup(arena, item->valuestring), arena);
    } else {
        add(to, path,
            cJSON_IsTrue(item)    ? "true"
            : cJSON_IsFalse(item) ? "false"
                                  : "null",
            arena);
    }
}

/* All values below, depth first, with their paths. */
static void list_json(const char *text, ItemVec *to, Arena *arena)
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
            add_json(to, path, item, arena);
    }
    cJSON_Delete(root);
}

static void list_pivots(const Plan *p, ItemVec *to, Arena *arena)
{
    list_json(p->pivots, to, arena);
}

static void list_samples(const Plan *p, ItemVec *to, Arena *arena)
{
    list_json(p->samples, to, arena);
}

static void list_evidence(const Plan *p, ItemVec *to, Arena *arena)
{
    list_json(p->evidence, to, arena);
}

/* ---- side by side ---- */

static int by_name(const void *x, const void *y)
{
    return strcmp((*(const Item *const *)x)->name,
                  (*(const Item *const *)y)->name);
}

typedef struct Index {
    const Item **sorted;
    int n;
} Index;

static Index index_of(const ItemVec *list, Arena *arena)
{
    Index x = {NEW_ARRAY(arena, const Item *, list->n + 1), list->n};
    for (int i = 0; i < list->n; i++)
        x.sorted[i] = &list->at[i];
    if (x.n > 1)
        qsort(x.sorted, (size_t)x.n, sizeof *x.sorted, by_name);
    return x;
}

static const Item *find(Index x, const char *name)
{
    Item key = {name, NULL, NAN};
    const Item *at = &key;
    const Item **hit =
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
static double ratio_of(const Item *a, const Item *b)
{
    if (!a || !b || isnan(a->number) || isnan(b->number) || a->number == 0)
        return NAN;
    return b->number / a->number;
}

static int width_of(const Section *s)
{
    size_t width = 12;
    const ItemVec *list[] = {&s->a, &s->b};
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
        const Item *x = &s->a.at[i], *y = find(b, x->name);
        const char *value = y ? y->value : s->absent;
        if (strcmp(x->value, value) != 0)
            print_pair(&p, x->name, x->value, value, ratio_of(x, y));
    }
    for (int i = 0; i < s->b.n; i++) {
        const Item *y = &s->b.at[i];
        if (!find(a, y->name) && strcmp(y->value, s->absent) != 0)
            print_pair(&p, y->name, s->absent, y->value, NAN);
    }
    if (p.nline > MOST_LINES)
        fprintf(out, "  ... and %d more\n", p.nline - MOST_LINES);
    return p.nline;
}

typedef void Lister(const Plan *p, ItemVec *to, Arena *arena);

int plan_compare(const Plan *a, const Plan *b, const char *name_a,
                 const char *name_b, FILE *out)
{
    static const struct {
        const char *title, *absent;
        Lister *list;
        bool counts;
    } part[] = {
        {"decisions", "-", list_plain, true},
        {"modes", "implicit", list_modes, true},
        {"cuts", "-", list_cuts, true},
        {"tearing", "-", list_tearing, true},
        {"forced", "-", list_force, true},
        {"factors", "auto", list_factor, true},
        {"pivots", "-", list_pivots, true},
        {"samples", "-", list_samples, true},
        {"evidence", "-", list_evidence, false},
    };
    Arena *arena = arena_new();
    int total = 0;
    fprintf(out, "a: %s\nb: %s\n", name_a, name_b);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        Section s = {.title = part[i].title, .absent = part[i].absent};
        part[i].list(a, &s.a, arena);
        part[i].list(b, &s.b, arena);
        int n = print_section(&s, out, arena);
        total += part[i].counts ? n : 0;
    }
    if (total == 0)
        fputs("the plans decide the same\n", out);
    else
        fprintf(out, "%d decisions differ; %d cuts in a, %d in b\n", total,
                a->ncut, b->ncut);
    arena_free(arena);
    return total;
}
