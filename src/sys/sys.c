/* sys.c - asking a Sys: names, aliases, values at the start point. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "sys/sys.h"

#include <math.h>
#include <stdlib.h>

#include "base/die.h"

bool sys_is_unknown(const Sys *s, int v)
{
    return s->var[v].role == SR_UNKNOWN || s->var[v].role == SR_DISCRETE;
}

const char *sys_var_name(void *sys, int var)
{
    const Sys *s = sys;
    return var >= 0 && var < s->nvar ? s->var[var].name : "?";
}

int sys_find_var(const Sys *s, const char *name)
{
    for (int v = 0; v < s->nvar; v++) {
        if (strcmp(s->var[v].name, name) == 0)
            return v;
    }
    return NONE;
}

typedef struct Named {
    const char *name;
    int place;
} Named;

static int by_name(const void *a, const void *b)
{
    const Named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* The first of the sorted names that is not less than `name`. */
static int lower_bound(const Named *sorted, int n, const char *name)
{
    int low = 0;
    for (int high = n; low < high;) {
        int mid = low + (high - low) / 2;
        if (strcmp(sorted[mid].name, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

void sys_find_vars(const Sys *s, const char *const *name, int n, int *out)
{
    Arena *local = arena_new();
    Named *sorted = NEW_ARRAY(local, Named, n + 1);
    for (int i = 0; i < n; i++) {
        sorted[i] = (Named){name[i], i};
        out[i] = NONE;
    }
    qsort(sorted, (size_t)n, sizeof *sorted, by_name);
    for (int v = s->nvar - 1; v >= 0; v--) {
        int k = lower_bound(sorted, n, s->var[v].name);
        for (; k < n && strcmp(sorted[k].name, s->var[v].name) == 0; k++)
            out[sorted[k].place] = v;
    }
    arena_free(local);
}

int sys_find_quantity(const Sys *s, const char *name, int *order)
{
    size_t n = strlen(name);
    *order = 0;
    while (n > 5 && strncmp(name, "der(", 4) == 0 && name[n - 1] == ')') {
        name += 4;
        n -= 5;
        ++*order;
    }
    for (int v = 0; v < s->nvar; v++)
        if (strncmp(s->var[v].name, name, n) == 0 && !s->var[v].name[n])
            return v;
    return NONE;
}

int sys_resolve(const Sys *s, int var, int *sign)
{
    if (s->var[var].role != SR_ALIAS) {
        *sign = 1;
        return var;
    }
    *sign = s->var[var].sign;
    return s->var[var].target;
}

const char *sys_eqn_text(const Sys *s, const SysEqn *e, int limit, Arena *arena)
{
    const char *l =
        expr_text(s->dag, e->lhs, sys_var_name, (void *)s, limit, arena);
    const char *r =
        expr_text(s->dag, e->rhs, sys_var_name, (void *)s, limit, arena);
    return arena_printf(arena, "%s = %s", l, r);
}

const char *sys_eqn_name(const Sys *s, const SysEqn *e, Arena *arena)
{
    const char *path = flat_component_path(s->flat, e->component, arena);
    return arena_printf(arena, "%s#%d", path, e->ordinal);
}

Span sys_component_place(const Sys *s, int component, Span otherwise)
{
    const FlatComponent *c = s->flat->component;
    if (component <= 0)
        return otherwise;
    while (c[component].parent > 0)
        component = c[component].parent;
    return c[component].span.source == NONE ? otherwise : c[component].span;
}

Span sys_var_place(const Sys *s, int var)
{
    const SysVar *x = &s->var[var];
    return sys_component_place(s, x->component, x->span);
}

static void find_order(void *context, const Dag *d, Expr e)
{
    Sys *s = context;
    int v, order;
    if (expr_is_var(d, e, &v, &order) && order > s->var[v].derivatives)
        s->var[v].derivatives = order;
}

void sys_find_derivatives(Sys *s)
{
    Arena *local = arena_new();
    Expr *root = NEW_ARRAY(local, Expr, 2 * s->neqn);
    for (int v = 0; v < s->nvar; v++)
        s->var[v].derivatives = 0;
    for (int i = 0; i < s->neqn; i++) {
        root[2 * i] = s->eqn[i].lhs;
        root[2 * i + 1] = s->eqn[i].rhs;
    }
    expr_walk(s->dag, root, 2 * s->neqn, find_order, s);
    arena_free(local);
}

int sys_add_var(Sys *s, const char *name, SysRole role, FlatType type,
                int component, Span span, Arena *arena)
{
    if (s->nvar == s->cap_var) {
        int cap = s->cap_var + s->cap_var / 2 + 16;
        s->var = arena_grow(arena, s->var, (size_t)s->cap_var * sizeof *s->var,
                            (size_t)cap * sizeof *s->var);
        s->cap_var = cap;
    }
    s->var[s->nvar] = (SysVar){
        .role = role,
        .name = name,
        .flat = NONE,
        .component = component,
        .span = span,
        .type = type,
        .target = NONE,
        .sign = 1,
        .expr = EXPR_NONE,
        .start = EXPR_NONE,
        .min = EXPR_NONE,
        .max = EXPR_NONE,
        .nominal = EXPR_NONE,
        .start_from = s->nvar,
        .state_select = SS_DEFAULT,
    };
    return s->nvar++;
}

/* ---- values ---- */
double sys_leaf_value(void *point, const Dag *d, Expr leaf)
{
    const SysPoint *p = point;
    int v, order;
    switch (expr_op(d, leaf)) {
    case EX_VAR:
        expr_is_var(d, leaf, &v, &order);
        return order == 0 ? p->value[v] : 0;
    case EX_PRE: return sys_leaf_value(point, d, expr_arg(d, leaf, 0));
    case EX_TIME: return p->time;
    case EX_INITIAL: return p->is_initial;
    case EX_TERMINAL:
    case EX_SAMPLE: return 0;
    default: return NAN;
    }
}

static double start_time(const Sys *s)
{
    const FlatExperiment *x = &s->flat->experiment;
    return x->has_start ? x->start : 0;
}

/* The value of an attribute or binding, NaN and a report where it fails. */
static double value_of(const Sys *s, int v, Expr e, SysPoint *point, Diag *diag)
{
    double x = expr_eval(s->dag, e, sys_leaf_value, point);
    if (isnan(x) && diag)
        diag_report(diag, s->var[v].span, DIAG_W1106,
                    "the value of '%s' at the start point cannot be computed",
                    s->var[v].name);
    return x;
}

static void set_by_user(const Sys *s, const SysSet *set, int nset,
                        double *value, bool *is_set)
{
    for (int k = 0; k < nset; k++) {
        int sign, v = sys_resolve(s, set[k].var, &sign);
        double x = set[k].value;
        if (sign < 0)
            x = s->var[v].type == FT_BOOLEAN ? !x : -x;
        value[v] = x;
        is_set[v] = true;
    }
}

static bool set_parameters(const Sys *s, double *value, const bool *is_set,
                           SysPoint *point, Diag *diag)
{
    bool fine = true;
    for (int k = 0; k < s->nparam; k++) {
        int v = s->param_order[k];
        if (is_set[v])
            continue;
        Expr e = s->var[v].expr;
        if (e == EXPR_NONE)
            value[v] = 0;
        else
            value[v] = value_of(s, v, e, point, diag);
        if (isnan(value[v]))
            fine = false;
    }
    return fine;
}

static void set_aliases(const Sys *s, double *value, SysPoint *point)
{
    for (int v = 0; v < s->nvar; v++) {
        const SysVar *x = &s->var[v];
        if (x->role == SR_ALIAS) {
            double a = value[x->target];
            value[v] = x->sign > 0 ? a : x->type == FT_BOOLEAN ? !a : -a;
        }
        if (x->role == SR_COMPUTED && x->expr != EXPR_NONE)
            value[v] = expr_eval(s->dag, x->expr, sys_leaf_value, point);
    }
}

bool sys_start_values(const Sys *s, const SysSet *set, int nset, double *value,
                      Diag *diag)
{
    Arena *tmp = arena_new();
    bool *is_set = NEW_ARRAY(tmp, bool, s->nvar);
    SysPoint point = {value, start_time(s), true};
    for (int v = 0; v < s->nvar; v++)
        value[v] = s->var[v].role == SR_CONSTANT ? s->var[v].value : 0;
    set_by_user(s, set, nset, value, is_set);
    bool fine = set_parameters(s, value, is_set, &point, diag);
    for (int v = 0; v < s->nvar; v++) {
        const SysVar *x = &s->var[v];
        bool takes_start = x->role == SR_UNKNOWN || x->role == SR_DISCRETE ||
                           x->role == SR_INPUT || x->role == SR_FREE;
        if (!takes_start || is_set[v] || x->start == EXPR_NONE)
            continue;
        value[v] = value_of(s, v, x->start, &point, diag);
        if (isnan(value[v]))
            fine = false;
    }
    set_aliases(s, value, &point);
    arena_free(tmp);
    return fine;
}

/* ---- checking ---- */
typedef struct Checker {
    const Sys *s;
} Checker;

static void check_node(void *context, const Dag *d, Expr e)
{
    const Sys *s = ((Checker *)context)->s;
    int v, order;
    if (!expr_is_var(d, e, &v, &order))
        return;
    assert(v >= 0 && v < s->nvar && order >= 0);
    SysRole role = s->var[v].role;
    assert(role != SR_ALIAS && role != SR_CONSTANT && role != SR_COMPUTED);
    (void)role;
}

void sys_check(const Sys *s)
{
    Checker c = {s};
    for (int v = 0; v < s->nvar; v++) {
        const SysVar *x = &s->var[v];
        assert(x->name);
        if (x->role == SR_ALIAS) {
            assert(x->target >= 0 && x->target < s->nvar);
            assert(s->var[x->target].role != SR_ALIAS);
            assert(s->var[x->target].role != SR_CONSTANT);
            assert(x->sign == 1 || x->sign == -1);
        }
    }
    for (int i = 0; i < s->neqn; i++) {
        Expr root[2] = {s->eqn[i].lhs, s->eqn[i].rhs};
        expr_walk(s->dag, root, 2, check_node, &c);
    }
    for (int i = 0; i < s->ninitial; i++) {
        Expr root[2] = {s->initial[i].lhs, s->initial[i].rhs};
        expr_walk(s->dag, root, 2, check_node, &c);
    }
}
