/* flat.c - questions to a flat model. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "flat/flat.h"

#include <assert.h>
#include <string.h>

FlatVar flat_plain_var(const char *name, Span span)
{
    return (FlatVar){.name = name,
                     .span = span,
                     .variability = FV_CONTINUOUS,
                     .state_select = SS_DEFAULT,
                     .start = EXPR_NONE,
                     .min = EXPR_NONE,
                     .max = EXPR_NONE,
                     .nominal = EXPR_NONE,
                     .binding = EXPR_NONE,
                     .binding_span = NO_SPAN,
                     .unit = "",
                     .display_unit = "",
                     .quantity = "",
                     .comment = ""};
}

bool flat_is_unknown(const Flat *f, int v)
{
    const FlatVar *x = &f->var[v];
    return x->variability > FV_PARAMETER && x->causality != FC_INPUT;
}

int flat_count_unknowns(const Flat *f)
{
    int n = 0;
    for (int v = 0; v < f->nvar; v++)
        n += flat_is_unknown(f, v);
    return n;
}

/* The variables assigned in any branch of a when, each counted once. */
static int count_assigned(const FlatWhen *w, int *seen, int mark)
{
    int n = 0;
    for (int b = 0; b < w->nbranch; b++) {
        for (int i = 0; i < w->branch[b].naction; i++) {
            const FlatAction *a = &w->branch[b].action[i];
            if (a->kind != FA_ASSIGN || seen[a->var] == mark)
                continue;
            seen[a->var] = mark;
            n++;
        }
    }
    return n;
}

int flat_count_equations(const Flat *f)
{
    Arena *temp = arena_new();
    int *seen = NEW_ARRAY(temp, int, f->nvar + 1);
    int n = f->neqn;
    for (int i = 0; i < f->nwhen; i++)
        n += count_assigned(&f->when[i], seen, i + 1);
    arena_free(temp);
    return n;
}

int flat_count_parameters(const Flat *f)
{
    int n = 0;
    for (int v = 0; v < f->nvar; v++)
        n += f->var[v].variability == FV_PARAMETER;
    return n;
}

const char *flat_component_path(const Flat *f, int component, Arena *arena)
{
    const FlatComponent *c = &f->component[component];
    const char *path = c->name;
    for (int p = c->parent; p != NONE && f->component[p].parent != NONE;
         p = f->component[p].parent)
        path = arena_printf(arena, "%s.%s", f->component[p].name, path);
    return path;
}

int flat_find(const Flat *f, const char *name)
{
    for (int i = 0; i < f->nvar; i++)
        if (!strcmp(f->var[i].name, name))
            return i;
    return NONE;
}

const char *flat_unit_derived(const char *unit, int order, Arena *arena)
{
    if (!*unit || order == 0)
        return unit;
    bool wrap = strpbrk(unit, "/.") != NULL;
    return arena_printf(arena, "%s%s%s/s%s", wrap ? "(" : "", unit,
                        wrap ? ")" : "",
                        order == 1 ? "" : arena_printf(arena, "%d", order));
}

const char *flat_unit(const Flat *f, const char *name, Arena *arena)
{
    size_t n = strlen(name);
    int order = 0;
    for (; n > 5 && !strncmp(name, "der(", 4) && name[n - 1] == ')'; order++) {
        name += 4;
        n -= 5;
    }
    int v = flat_find(f, order ? arena_strndup(arena, name, n) : name);
    return v == NONE ? "" : flat_unit_derived(f->var[v].unit, order, arena);
}

const char *flat_var_name(void *flat, int var)
{
    const Flat *f = flat;
    return f->var[var].name;
}

const char *flat_eqn_text(const Flat *f, const FlatEqn *e, int limit,
                          Arena *arena)
{
    const char *lhs =
        expr_text(f->dag, e->lhs, flat_var_name, (void *)f, limit, arena);
    const char *rhs =
        expr_text(f->dag, e->rhs, flat_var_name, (void *)f, limit, arena);
    char *text = arena_printf(arena, "%s = %s", lhs, rhs);
    size_t n = strlen(text);
    if (limit > 3 && n > (size_t)limit)
        memcpy(text + limit - 3, "...", 4);
    return text;
}

/* ---- check ---- */

static void check_expr(const Flat *f, Expr e, bool optional)
{
    (void)f, (void)e, (void)optional;
    assert((optional && e == EXPR_NONE) || (e >= 0 && e < dag_count(f->dag)));
}

static void check_leaf(void *context, const Dag *d, Expr e)
{
    const Flat *f = context;
    int var, order;
    if (expr_is_var(d, e, &var, &order))
        assert(var >= 0 && var < f->nvar && order >= 0);
}

static void check_when(const Flat *f, const FlatWhen *w)
{
    for (int b = 0; b < w->nbranch; b++) {
        for (int i = 0; i < w->branch[b].ncondition; i++)
            check_expr(f, w->branch[b].condition[i], false);
        for (int i = 0; i < w->branch[b].naction; i++) {
            const FlatAction *a = &w->branch[b].action[i];
            if (a->kind == FA_ASSIGN || a->kind == FA_REINIT)
                assert(a->var >= 0 && a->var < f->nvar);
            check_expr(f, a->value, a->kind == FA_TERMINATE);
        }
    }
}

void flat_check(const Flat *f)
{
    for (int i = 0; i < f->ncomponent; i++)
        assert(f->component[i].parent < i);
    for (int v = 0; v < f->nvar; v++) {
        const FlatVar *x = &f->var[v];
        assert(x->component >= 0 && x->component < f->ncomponent);
        assert(x->name && x->unit && x->quantity && x->display_unit);
        check_expr(f, x->start, true);
        check_expr(f, x->min, true);
        check_expr(f, x->max, true);
        check_expr(f, x->nominal, true);
        check_expr(f, x->binding, true);
        (void)x;
    }
    for (int k = 0; k < 2; k++) {
        const FlatEqn *e = k ? f->initial : f->eqn;
        int n = k ? f->ninitial : f->neqn;
        for (int i = 0; i < n; i++) {
            check_expr(f, e[i].lhs, false);
            check_expr(f, e[i].rhs, false);
            assert(e[i].component >= 0 && e[i].component < f->ncomponent);
            Expr root[2] = {e[i].lhs, e[i].rhs};
            if (i < 1000)
                expr_walk(f->dag, root, 2, check_leaf, (void *)f);
        }
    }
    for (int i = 0; i < f->nwhen; i++)
        check_when(f, &f->when[i]);
    for (int i = 0; i < f->nassertion; i++)
        check_expr(f, f->assertion[i].condition, false);
}
