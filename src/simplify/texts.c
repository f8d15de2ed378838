/* texts.c - comparisons of Strings that change during a run.
 *
 * A run has numbers only. But a String that changes by equations takes one of
 * a few texts that stand in the model, and which one is a matter of
 * conditions:
 *
 *     s = if c then "late" else "early";     s + "r" == "later"
 *
 * is the Boolean `if c then true else false`. So a compared String is put in
 * by its definition, concatenations go into the branches, and a comparison of
 * two known texts is true or false. What is left (texts of numbers, Strings of
 * when clauses) is refused by name later.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "simplify/simplify_internal.h"

enum { MOST_CASES = 1000 }; /* of the texts of one comparison */

struct Texts {
    Work *w;
    Expr *value;   /* by variable: what its equation says, or EXPR_NONE */
    bool *is_busy; /* by variable: its value is being looked at */
    TextsExpand *expand;
    void *context;
    int cases; /* so far, of one comparison */
};

/* A text by its equation: s = e or e = s. */
static void define(Texts *t, Expr side, Expr value)
{
    int v, order;
    if (expr_is_var(t->w->dag, side, &v, &order) && t->value[v] == EXPR_NONE)
        t->value[v] = value;
}

Texts *simplify_texts_new(Work *w, TextsExpand *expand, void *context)
{
    Texts *t = NEW(w->tmp, Texts);
    *t = (Texts){.w = w, .expand = expand, .context = context};
    t->value = NEW_ARRAY(w->tmp, Expr, w->flat->nvar + 1);
    t->is_busy = NEW_ARRAY(w->tmp, bool, w->flat->nvar + 1);
    for (int v = 0; v < w->flat->nvar; v++)
        t->value[v] = EXPR_NONE;
    for (int i = 0; i < w->flat->neqn; i++) {
        const FlatEqn *e = &w->flat->eqn[i];
        int v, order;
        if (expr_type(w->dag, e->lhs) != ET_STRING)
            continue;
        if (expr_is_var(w->dag, e->lhs, &v, &order) && t->value[v] == EXPR_NONE)
            define(t, e->lhs, e->rhs);
        else
            define(t, e->rhs, e->lhs);
    }
    return t;
}

static bool holds(ExprOp op, int order)
{
    switch (op) {
    case EX_LT: return order < 0;
    case EX_LE: return order <= 0;
    case EX_GT: return order > 0;
    case EX_GE: return order >= 0;
    case EX_EQ: return order == 0;
    default: return order != 0;
    }
}

/* a + b or a relation of a and b, where both are texts by cases. */
static Expr combine(Texts *t, ExprOp op, Expr a, Expr b)
{
    Dag *d = t->w->dag;
    if (a == EXPR_NONE || b == EXPR_NONE || t->cases++ > MOST_CASES)
        return EXPR_NONE;
    bool first = expr_op(d, a) == EX_IF;
    Expr by = first ? a : b;
    if (expr_op(d, by) != EX_IF) {
        const char *x = expr_node(d, a)->text, *y = expr_node(d, b)->text;
        return op == EX_CONCAT
                   ? expr_string(d, arena_printf(t->w->arena, "%s%s", x, y))
                   : expr_bool(d, holds(op, strcmp(x, y)));
    }
    Expr yes = expr_arg(d, by, 1), no = expr_arg(d, by, 2);
    yes = first ? combine(t, op, yes, b) : combine(t, op, a, yes);
    no = first ? combine(t, op, no, b) : combine(t, op, a, no);
    return yes == EXPR_NONE || no == EXPR_NONE
               ? EXPR_NONE
               : expr_make(d, EX_IF, expr_arg(d, by, 0), yes, no);
}

static Expr cases_of(Texts *t, Expr e);

static Expr cases_of_variable(Texts *t, int v)
{
    if (t->is_busy[v] || t->value[v] == EXPR_NONE)
        return EXPR_NONE;
    t->is_busy[v] = true;
    Expr r = cases_of(t, t->expand(t->context, t->value[v]));
    t->is_busy[v] = false;
    return r;
}

/* The text as `if` of known texts; EXPR_NONE: it is something else. */
static Expr cases_of(Texts *t, Expr e)
{
    Dag *d = t->w->dag;
    int v, order;
    if (t->cases++ > MOST_CASES)
        return EXPR_NONE;
    if (expr_is_var(d, e, &v, &order))
        return cases_of_variable(t, v);
    switch (expr_op(d, e)) {
    case EX_STR: return e;
    case EX_CONCAT:
        return combine(t, EX_CONCAT, cases_of(t, expr_arg(d, e, 0)),
                       cases_of(t, expr_arg(d, e, 1)));
    case EX_IF: {
        Expr yes = cases_of(t, expr_arg(d, e, 1));
        Expr no = cases_of(t, expr_arg(d, e, 2));
        return yes == EXPR_NONE || no == EXPR_NONE
                   ? EXPR_NONE
                   : expr_make(d, EX_IF, expr_arg(d, e, 0), yes, no);
    }
    default: return EXPR_NONE;
    }
}

Expr simplify_texts_compare(Texts *t, ExprOp op, Expr a, Expr b)
{
    t->cases = 0;
    return combine(t, op, cases_of(t, a), cases_of(t, b));
}
