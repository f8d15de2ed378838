/* freeze.c - parameters that become numbers before anything is simplified.
 *
 * Zeros and ones in vectors and rotation axes are structure rather than data:
 * with e = {0, 0, 1} nine tenths of a rotation disappear, and equations become
 * aliases, but only if e is known before the system is simplified. So, unless
 * it is named as tunable,
 *
 *     an element of an array whose value is 0, 1 or -1      becomes a number,
 *     an Integer or enumeration that a condition reads      becomes a number,
 *
 * together with the parameters that make it, provided that these are 0, 1 or
 * -1 or no Reals themselves: what follows from a mass stays a function of it.
 * Values are those after --set. All others stay settable.
 *
 * Whatever --tunable says, parameters that are 0 where the structure would be
 * another one if they were not (reduce/zeros.c) become numbers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "simplify/simplify_internal.h"

typedef struct Freeze {
    bool all;
    bool *is_small; /* it and what makes it: 0, 1, -1, or no Real */
    bool *selects;  /* read by a condition */
    bool *is_zero;  /* structure needs it as a number */
    Vec(int) order; /* parameters, those that others need first */
} Freeze;

/* ---- names ---- */

/* Is it, or what it is part of, in the list of --tunable? */
static bool is_named(const Work *w, int v)
{
    const char *name = w->sys->var[v].name;
    for (const char *p = w->options.tunable; p && *p;) {
        size_t n = strcspn(p, ",");
        if (n > 0 && !strncmp(p, name, n) &&
            (!name[n] || name[n] == '.' || name[n] == '['))
            return true;
        p += n + (p[n] == ',');
    }
    return false;
}

static bool is_unit(double x)
{
    return x == 0 || fabs(x) == 1;
}

/* "joint.n[3]", not "body[3].m" */
static bool is_element(const char *name)
{
    size_t n = strlen(name);
    return n > 0 && name[n - 1] == ']';
}

static bool is_off(const Work *w)
{
    return !w->options.tunable || !strcmp(w->options.tunable, "all");
}

bool simplify_is_plain(const Work *w, int v, double value)
{
    return !is_off(w) && is_unit(value) && is_element(w->sys->var[v].name) &&
           !is_named(w, v);
}

/* ---- values ---- */

static double leaf_value(void *context, const Dag *d, Expr e)
{
    const Work *w = context;
    int v, order;
    if (!expr_is_var(d, e, &v, &order) || v >= w->flat->nvar)
        return NAN;
    return order > 0 ? 0 : w->number[v];
}

static Expr value_of(const Work *w, int v)
{
    const SysVar *x = &w->sys->var[v];
    return x->expr != EXPR_NONE ? x->expr : x->start;
}

/* Its number, and whether everything that makes it is small. */
static void look_at(Work *w, int v, void *context)
{
    Freeze *f = context;
    const FlatVar *flat = &w->flat->var[v];
    Expr e = value_of(w, v), *leaf;
    bool is_free =
        flat->variability == FV_PARAMETER && flat->has_fixed && !flat->fixed;
    if (!is_free) /* without a value 0 is taken: simplify.c says so */
        w->number[v] = e != EXPR_NONE ? expr_eval(w->dag, e, leaf_value, w) : 0;
    f->is_small[v] = e != EXPR_NONE && isfinite(w->number[v]) &&
                     !is_named(w, v) &&
                     (flat->type != FT_REAL || is_unit(w->number[v]));
    int n = e == EXPR_NONE ? 0 : expr_leaves(w->dag, e, &leaf, w->tmp);
    for (int k = 0; k < n; k++) {
        int u, order;
        expr_is_var(w->dag, leaf[k], &u, &order);
        f->is_small[v] &= f->is_small[u];
    }
    vec_push(w->tmp, &f->order, v);
}

/* Values given by the user come first. */
static void obey_set(Work *w, const char *text)
{
    const char *equal = strrchr(text, '=');
    char *rest = NULL;
    if (!equal)
        return;
    double x = number_read(equal + 1, &rest);
    if (!strcmp(equal + 1, "true") || !strcmp(equal + 1, "false"))
        x = equal[1] == 't';
    else if (rest == equal + 1 || *rest || !isfinite(x))
        return; /* reported later */
    const char *name = arena_strndup(w->tmp, text, (size_t)(equal - text));
    int v = sys_find_var(w->sys, name);
    const FlatVar *f = v == NONE ? NULL : &w->flat->var[v];
    if (!f || w->sys->var[v].role != SR_PARAMETER || f->is_structural ||
        f->variability != FV_PARAMETER || (f->has_fixed && !f->fixed))
        return;
    w->sys->var[v].expr = simplify_constant_of(w->dag, f->type, x);
}

/* ---- conditions ---- */

typedef struct Conditions {
    Work *w;
    Freeze *f;
} Conditions;

static void see_condition(void *context, const Dag *d, Expr e)
{
    Conditions *c = context;
    if (expr_op(d, e) != EX_IF)
        return;
    Expr *leaf;
    int n = expr_leaves(d, expr_arg(d, e, 0), &leaf, c->w->tmp);
    for (int k = 0; k < n; k++) {
        int v, order;
        expr_is_var(d, leaf[k], &v, &order);
        FlatType type = c->w->flat->var[v].type;
        if (type != FT_REAL && type != FT_BOOLEAN && type != FT_STRING)
            c->f->selects[v] = true;
    }
}

static void find_conditions(Work *w, Freeze *f)
{
    const Flat *flat = w->flat;
    Conditions c = {w, f};
    Expr *root = NEW_ARRAY(w->tmp, Expr, 2 * flat->neqn + flat->nvar + 1);
    int n = 0;
    for (int i = 0; i < flat->neqn; i++) {
        root[n++] = flat->eqn[i].lhs;
        root[n++] = flat->eqn[i].rhs;
    }
    for (int v = 0; v < flat->nvar; v++)
        if (w->sys->var[v].role == SR_PARAMETER &&
            w->sys->var[v].expr != EXPR_NONE)
            root[n++] = w->sys->var[v].expr;
    expr_walk(w->dag, root, n, see_condition, &c);
}

/* ---- the choice ---- */

/* From those that depend on others to those that others need. */
static void choose(Work *w, Freeze *f)
{
    for (int i = f->order.n - 1; i >= 0; i--) {
        int v = f->order.at[i];
        bool is_element_or_choice =
            is_element(w->sys->var[v].name) || f->selects[v];
        if (f->all || f->is_zero[v])
            w->is_frozen[v] = isfinite(w->number[v]) &&
                              (value_of(w, v) != EXPR_NONE || f->is_zero[v]);
        else if (!is_off(w))
            w->is_frozen[v] |= f->is_small[v] && is_element_or_choice;
        Expr e = value_of(w, v), *leaf;
        if (!w->is_frozen[v] || e == EXPR_NONE)
            continue;
        int n = expr_leaves(w->dag, e, &leaf, w->tmp);
        for (int k = 0; k < n; k++) {
            int u, order;
            expr_is_var(w->dag, leaf[k], &u, &order);
            w->is_frozen[u] = true;
        }
    }
}

void simplify_freeze(Work *w)
{
    int n = w->flat->nvar;
    if ((is_off(w) && w->options.nzero == 0) || n == 0)
        return;
    Freeze f = {.all = !is_off(w) && !strcmp(w->options.tunable, "none"),
                .is_small = NEW_ARRAY(w->tmp, bool, n),
                .selects = NEW_ARRAY(w->tmp, bool, n),
                .is_zero = NEW_ARRAY(w->tmp, bool, n)};
    int *zero = NEW_ARRAY(w->tmp, int, w->options.nzero + 1);
    sys_find_vars(w->sys, w->options.zero, w->options.nzero, zero);
    for (int i = 0; i < w->options.nzero; i++)
        f.is_zero[zero[i]] = true;
    w->number = NEW_ARRAY(w->tmp, double, n);
    for (int v = 0; v < n; v++)
        w->number[v] = NAN;
    for (int i = 0; i < w->options.nset; i++)
        obey_set(w, w->options.set[i]);
    simplify_visit_parameters(w, look_at, &f, false);
    find_conditions(w, &f);
    choose(w, &f);
}
