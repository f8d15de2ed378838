/* values.c - values given by the user, and start values as parameters. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "simplify/simplify_internal.h"

/* ---- NAME=VALUE ---- */

/* What is no parameter gets the value as its start value. */
static void set_start(Work *w, const SysSet *set)
{
    int sign;
    SysVar *v = &w->sys->var[sys_resolve(w->sys, set->var, &sign)];
    if (v->role != SR_UNKNOWN && v->role != SR_DISCRETE && v->role != SR_FREE)
        return;
    double value = sign > 0                ? set->value
                   : v->type == FT_BOOLEAN ? set->value == 0
                                           : -set->value;
    if (v->type == FT_REAL)
        v->start = expr_real(w->sys->dag, value);
    else if (v->type == FT_BOOLEAN)
        v->start = expr_bool(w->sys->dag, value != 0);
    else if (v->type == FT_INTEGER)
        v->start = expr_int(w->sys->dag, value);
}

/* Can a variable of this type have the value? Reports if not. */
static bool is_of_type(Work *w, const SysVar *v, const char *text, double x)
{
    bool is_whole = x == floor(x) && x >= -2147483648.0 && x <= 2147483647.0;
    bool is_word = !strcmp(strrchr(text, '=') + 1, "true") ||
                   !strcmp(strrchr(text, '=') + 1, "false");
    int most = INT_MAX;
    if (v->type == FT_ENUM && v->flat != NONE)
        most = w->flat->enumeration[w->flat->var[v->flat].enumeration].nliteral;
    if (v->type == FT_BOOLEAN   ? x == 0 || x == 1
        : v->type == FT_REAL    ? !is_word
        : v->type == FT_INTEGER ? is_whole && !is_word
                                : is_whole && !is_word && x >= 1 && x <= most)
        return true;
    diag_report(w->diag, v->span, DIAG_E1305,
                v->type == FT_BOOLEAN ? "--set %s: '%s' is a Boolean, which is "
                                        "true, false, 1 or 0"
                : v->type == FT_REAL  ? "--set %s: '%s' takes a number"
                : v->type == FT_INTEGER
                    ? "--set %s: '%s' takes a whole number of 32 bits"
                    : "--set %s: '%s' takes the number of an element of its "
                      "enumeration, from 1 to %d",
                text, v->name, most);
    return false;
}

/* Is a value from outside possible at all? Reports if not. */
static bool is_open(Work *w, const SysVar *v)
{
    const FlatVar *f = v->flat != NONE ? &w->flat->var[v->flat] : NULL;
    if (!f || (!f->is_structural && !f->is_final))
        return true;
    diag_report(w->diag, v->span, DIAG_E1307,
                f->is_structural
                    ? "--set: '%s' shaped the model (a size, a branch) and "
                      "cannot be changed afterwards; change the model"
                    : "--set: '%s' is final: the model alone gives it a value",
                v->name);
    return false;
}

/* A parameter that became a number has the value already (freeze.c). */
static bool is_frozen(const Work *w, int v)
{
    return v < w->flat->nvar && w->is_frozen[v];
}

/* "name=value" of --set. */
static bool read_set(Work *w, const char *text, SysSet *set)
{
    const char *equal = strrchr(text, '=');
    const char *name =
        equal ? arena_strndup(w->arena, text, (size_t)(equal - text)) : text;
    char *rest = NULL;
    set->value = equal ? number_read(equal + 1, &rest) : 0;
    if (equal && !strcmp(equal + 1, "true"))
        set->value = 1, rest = "";
    if (equal && !strcmp(equal + 1, "false"))
        set->value = 0, rest = "";
    if (!equal || rest == equal + 1 || *rest || !isfinite(set->value)) {
        diag_report(w->diag, NO_SPAN, DIAG_E1305,
                    "--set takes name=value with a %snumber, not '%s'",
                    isfinite(set->value) ? "" : "finite ", text);
        return false;
    }
    set->var = sys_find_var(w->sys, name);
    if (set->var == NONE) {
        diag_report(w->diag, NO_SPAN, DIAG_E1306,
                    "--set: the model has no variable '%s'", name);
        const char **all = NEW_ARRAY(w->arena, const char *, w->sys->nvar);
        for (int i = 0; i < w->sys->nvar; i++)
            all[i] = w->sys->var[i].name;
        diag_suggest(w->diag, name, all, w->sys->nvar);
        return false;
    }
    const SysVar *v = &w->sys->var[set->var];
    if (!is_open(w, v) || !is_of_type(w, v, text, set->value))
        return false;
    if (v->role == SR_CONSTANT && !is_frozen(w, set->var)) {
        diag_report(w->diag, v->span, DIAG_E1307,
                    "--set: '%s' is a constant of the model", name);
        return false;
    }
    set_start(w, set);
    return true;
}

bool simplify_set_values(Work *w)
{
    Sys *s = w->sys;
    s->set = NEW_ARRAY(w->arena, SysSet, w->options.nset + 1);
    for (int i = 0; i < w->options.nset; i++) {
        if (!read_set(w, w->options.set[i], &s->set[s->nset]))
            return false;
        s->nset += !is_frozen(w, s->set[s->nset].var);
    }
    return true;
}

/* ---- start values ---- */

void simplify_free_starts(Work *w)
{
    Sys *s = w->sys;
    int n = s->nvar;
    int *order = NEW_ARRAY(w->arena, int, s->nparam + n + 1);
    if (s->nparam > 0)
        memcpy(order, s->param_order, (size_t)s->nparam * sizeof(int));
    s->param_order = order;
    for (int i = 0; i < n; i++) {
        if (s->var[i].role != SR_UNKNOWN || s->var[i].type != FT_REAL ||
            s->var[i].start == EXPR_NONE)
            continue;
        const char *name = arena_printf(w->arena, "start(%s)", s->var[i].name);
        int p = sys_add_var(s, name, SR_PARAMETER, FT_REAL, s->var[i].component,
                            s->var[i].span, w->arena);
        s->var[p].expr = s->var[i].start;
        s->var[p].is_tunable = true;
        s->var[i].start = expr_var(s->dag, p, 0, ET_REAL);
        s->param_order[s->nparam++] = p;
    }
}
