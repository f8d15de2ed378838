/* settings.c - command line over plan over annotation over default. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* --factor, --refine and --no-monitor speak of all blocks. */
static bool choose_factor(Compilation *c, const DriverOptions *o)
{
    static const struct {
        const char *word;
        PlanFactor kind;
        bool has_unroll, unroll;
    } known[] = {{"auto", PF_AUTO, false, false},
                 {"unroll", PF_LU, true, true},
                 {"table", PF_LU, true, false},
                 {"qr", PF_QR, false, false},
                 {"dense", PF_DENSE, false, false}};
    Plan *p = c->plan;
    if (!o->factor && !o->refine && !o->no_monitor)
        return true;
    PlanBlockFactor all = {
        .block = "*", .refine = o->refine, .no_monitor = o->no_monitor};
    bool found = !o->factor;
    for (int i = 0; o->factor && i < 5; i++)
        if (!strcmp(known[i].word, o->factor)) {
            all.factor = known[i].kind;
            all.has_unroll = known[i].has_unroll;
            all.unroll = known[i].unroll;
            found = true;
        }
    if (!found) {
        diag_report(c->diag, NO_SPAN, DIAG_E1204,
                    "--factor takes auto, unroll, table, qr or dense, not "
                    "'%s'",
                    o->factor);
        return false;
    }
    PlanBlockFactor *list =
        NEW_ARRAY(c->arena, PlanBlockFactor, p->nfactor + 1);
    for (int i = 0; i < p->nfactor; i++)
        list[i] = p->factor[i];
    list[p->nfactor++] = all;
    p->factor = list;
    return true;
}

bool settings_plan(Compilation *c, const DriverOptions *o)
{
    c->plan = o->plan ? plan_read_file(c->sources, o->plan, c->arena, c->diag)
                      : plan_default(c->arena);
    if (!c->plan)
        return false;
    if (o->method)
        c->plan->method = o->method;
    if (o->direct)
        c->plan->direct = true;
    if (o->newton > 0)
        c->plan->newton = o->newton;
    if (o->newton_tolerance > 0)
        c->plan->newton_tol = o->newton_tolerance;
    if (o->growth_bound > 0)
        c->plan->growth_bound = o->growth_bound;
    if (o->tearer)
        c->plan->tearer = !strcmp(o->tearer, "cellier") ? PT_CELLIER
                          : !strcmp(o->tearer, "exact") ? PT_EXACT
                                                        : PT_MODIFIED;
    if (o->algebraic &&
        !plan_find_algebraic(o->algebraic, &c->plan->algebraic)) {
        diag_report(
            c->diag, NO_SPAN, DIAG_E1204,
            "--algebraic takes auto, solve, keep-small, keep or tear, not "
            "'%s'",
            o->algebraic);
        return false;
    }
    if (!choose_factor(c, o))
        return false;
    c->method = method_read(c->plan->method, c->sources, c->arena, c->diag);
    return c->method != NULL;
}

/* DESIGN: without an annotation StopTime is 1 and the step StopTime / 500. */
void settings_times(Compilation *c, const DriverOptions *o)
{
    const FlatExperiment *e = &c->flat->experiment;
    c->start = e->has_start ? e->start : 0;
    c->stop = !isnan(o->stop) ? o->stop : e->has_stop ? e->stop : c->start + 1;
    c->step = !isnan(o->step)       ? o->step
              : c->plan->step > 0   ? c->plan->step
              : e->has_interval     ? e->interval
              : c->stop == c->start ? 1 /* there is no step to make */
                                    : (c->stop - c->start) / 500;
    c->plan->step = c->step;
}

/* What is no parameter gets the value as its start value. */
static void set_start(Compilation *c, const SysSet *set)
{
    int sign;
    SysVar *v = &c->sys->var[sys_resolve(c->sys, set->var, &sign)];
    if (v->role != SR_UNKNOWN && v->role != SR_DISCRETE && v->role != SR_FREE)
        return;
    double value = sign > 0                ? set->value
                   : v->type == FT_BOOLEAN ? set->value == 0
                                           : -set->value;
    if (v->type == FT_REAL)
        v->start = expr_real(c->sys->dag, value);
    else if (v->type == FT_BOOLEAN)
        v->start = expr_bool(c->sys->dag, value != 0);
    else if (v->type == FT_INTEGER && fabs(value) < 1e9)
        v->start = expr_int(c->sys->dag, (int)value);
}

/* "name=value" of --set. */
static bool read_set(Compilation *c, const char *text, SysSet *set)
{
    const char *equal = strchr(text, '=');
    const char *name =
        equal ? arena_strndup(c->arena, text, (size_t)(equal - text)) : text;
    char *rest = NULL;
    set->value = equal ? number_read(equal + 1, &rest) : 0;
    if (equal && !strcmp(equal + 1, "true"))
        set->value = 1, rest = "";
    if (equal && !strcmp(equal + 1, "false"))
        set->value = 0, rest = "";
    if (!equal || rest == equal + 1 || *rest) {
        diag_report(c->diag, NO_SPAN, DIAG_E1305,
                    "--set takes name=value with a number, not '%s'", text);
        return false;
    }
    set->var = sys_find_var(c->sys, name);
    if (set->var == NONE) {
        diag_report(c->diag, NO_SPAN, DIAG_E1306,
                    "--set: the model has no variable '%s'", name);
        const char **all = NEW_ARRAY(c->arena, const char *, c->sys->nvar);
        for (int i = 0; i < c->sys->nvar; i++)
            all[i] = c->sys->var[i].name;
        diag_suggest(c->diag, name, all, c->sys->nvar);
        return false;
    }
    const SysVar *v = &c->sys->var[set->var];
    if (v->flat != NONE && c->flat->var[v->flat].is_structural) {
        diag_report(c->diag, v->span, DIAG_E1307,
                    "--set: '%s' shaped the model (a size, a branch) and "
                    "cannot be changed afterwards; change the model",
                    name);
        return false;
    }
    if (v->role == SR_CONSTANT) {
        diag_report(c->diag, v->span, DIAG_E1307,
                    "--set: '%s' is a constant of the model", name);
        return false;
    }
    set_start(c, set);
    return true;
}

bool settings_sets(Compilation *c, const DriverOptions *o)
{
    c->set = NEW_ARRAY(c->arena, SysSet, o->nset + 1);
    for (int i = 0; i < o->nset; i++)
        if (!read_set(c, o->set[i], &c->set[c->nset++]))
            return false;
    return true;
}

/* Start values of continuous unknowns as parameters of their own, so that
 * generated code can change them. */
void settings_free_starts(Compilation *c)
{
    Sys *s = c->sys;
    int n = s->nvar;
    int *order = NEW_ARRAY(c->arena, int, s->nparam + n + 1);
    if (s->nparam > 0)
        memcpy(order, s->param_order, (size_t)s->nparam * sizeof(int));
    s->param_order = order;
    for (int i = 0; i < n; i++) {
        if (s->var[i].role != SR_UNKNOWN || s->var[i].type != FT_REAL ||
            s->var[i].start == EXPR_NONE)
            continue;
        const char *name = arena_printf(c->arena, "start(%s)", s->var[i].name);
        int p = sys_add_var(s, name, SR_PARAMETER, FT_REAL, s->var[i].component,
                            s->var[i].span, c->arena);
        s->var[p].expr = s->var[i].start;
        s->var[p].is_tunable = true;
        s->var[i].start = expr_var(s->dag, p, 0, ET_REAL);
        s->param_order[s->nparam++] = p;
    }
}
