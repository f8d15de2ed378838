/* integers.c - an Integer that leaves 32 bits is an error, not a number.
 *
 * Integers are computed as floating-point numbers, which are exact far beyond
 * the range that an Integer has (Modelica 3.6, 4.8.2: at least 32 bits). A
 * counter that runs on would therefore be right here and wrong on every other
 * machine, and a product may lose its last digits without a sign. So each
 * Integer that arithmetic can take out of the range has an assertion of its
 * own, checked where those of the model are: at the desk and in generated code.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "simplify/simplify_internal.h"

/* Selections, old values and numbers stay among values that are checked. */
static void find_arithmetic(void *context, const Dag *d, Expr e)
{
    const ExprNode *n = expr_node(d, e);
    bool *found = context;
    if (n->type != ET_INTEGER)
        return;
    switch (n->op) {
    case EX_CONST:
    case EX_VAR:
    case EX_PRE:
    case EX_IF:
    case EX_TOINT:
    case EX_SIGN:
    case EX_NOEVENT: break;
    default: *found = true;
    }
}

static bool has_arithmetic(const Work *w, Expr e)
{
    bool found = false;
    expr_walk(w->dag, &e, 1, find_arithmetic, &found);
    return found;
}

/* value >= -2147483648 and value <= 2147483647 */
static Expr in_range(Dag *d, Expr value)
{
    Expr middle = expr_make(d, EX_ADD, value, expr_real(d, 0.5), EXPR_NONE);
    Expr size = expr_make(d, EX_ABS, middle, EXPR_NONE, EXPR_NONE);
    Expr fits =
        expr_make(d, EX_LE, size, expr_real(d, 2147483647.5), EXPR_NONE);
    return expr_make(d, EX_NOEVENT, fits, EXPR_NONE, EXPR_NONE);
}

static FlatAssert range_assert(Work *w, const SysVar *v, Expr value)
{
    const char *text = arena_printf(
        w->arena, "the Integer '%s' leaves the range of 32 bits", v->name);
    return (FlatAssert){.condition = in_range(w->dag, value),
                        .message = expr_string(w->dag, text),
                        .is_integer = true,
                        .component = v->component,
                        .span = v->span};
}

/* Of variable v: can an equation of its own take it out of its range? */
static bool *find_growing(Work *w)
{
    Sys *s = w->sys;
    bool *grows = NEW_ARRAY(w->arena, bool, s->nvar + 1);
    bool *is_given = NEW_ARRAY(w->arena, bool, s->nvar + 1);
    for (int i = 0; i < s->neqn; i++) {
        int v, order;
        if (!expr_is_var(w->dag, s->eqn[i].lhs, &v, &order) || order != 0 ||
            s->var[v].type != FT_INTEGER)
            continue;
        is_given[v] = true;
        grows[v] |= has_arithmetic(w, s->eqn[i].rhs);
    }
    for (int v = 0; v < s->nvar; v++) {
        const SysVar *x = &s->var[v];
        if (x->role == SR_COMPUTED || x->role == SR_PARAMETER)
            grows[v] = x->expr != EXPR_NONE && has_arithmetic(w, x->expr);
        else if (!is_given[v])
            grows[v] = x->role == SR_UNKNOWN || x->role == SR_DISCRETE;
    }
    return grows;
}

void simplify_guard_integers(Work *w)
{
    Sys *s = w->sys;
    const bool *grows = find_growing(w);
    int more = 0;
    for (int v = 0; v < s->nvar; v++)
        more += grows[v] && s->var[v].type == FT_INTEGER;
    if (more == 0)
        return;
    FlatAssert *all = NEW_ARRAY(w->arena, FlatAssert, s->nassertion + more);
    if (s->nassertion > 0)
        memcpy(all, s->assertion, (size_t)s->nassertion * sizeof *all);
    s->assertion = all;
    for (int v = 0; v < s->nvar; v++) {
        const SysVar *x = &s->var[v];
        if (!grows[v] || x->type != FT_INTEGER)
            continue;
        Expr value = x->role == SR_COMPUTED
                         ? x->expr
                         : expr_var(w->dag, v, 0, ET_INTEGER);
        s->assertion[s->nassertion++] = range_assert(w, x, value);
    }
}
