/* inputs.c - derivatives of inputs become further inputs.
 *
 * A model that an input drives backwards (a prescribed angle, an inverse model)
 * needs derivatives of the input: where an equation is differentiated, or where
 * the model says der(u). Nothing in the model gives them. They are inputs of
 * their own, named der(u), der(der(u)), ...: a table is differentiated where it
 * has no column for them, and generated code refuses to start until they are
 * set, which is better than to take them as 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "reduce/reduce_internal.h"

/* Who gives an input has to give its derivatives, too: an assertion fails while
 * input u is not a number, as it is in generated code until it is set. */
static void require(Reduce *r, int u)
{
    Sys *s = r->sys;
    Dag *d = r->dag;
    const SysVar *x = &s->var[u];
    Expr size =
        expr_make(d, EX_ABS, expr_var(d, u, 0, ET_REAL), EXPR_NONE, EXPR_NONE);
    Expr given = expr_make(d, EX_LE, size, expr_real(d, 1e300), EXPR_NONE);
    FlatAssert *all = NEW_ARRAY(r->arena, FlatAssert, s->nassertion + 1);
    if (s->nassertion > 0)
        memcpy(all, s->assertion, (size_t)s->nassertion * sizeof *all);
    const char *text = arena_printf(
        r->arena, "the derivative of an input is not given: set '%s'", x->name);
    all[s->nassertion++] = (FlatAssert){
        .condition = expr_make(d, EX_NOEVENT, given, EXPR_NONE, EXPR_NONE),
        .message = expr_string(d, text),
        .component = x->component,
        .span = x->span};
    s->assertion = all;
}

/* The further input der(u), der(der(u)), ... of input v. */
static int derived_input(Reduce *r, int v, int order)
{
    Sys *s = r->sys;
    for (int i = 0; i < s->nvar; i++)
        if (s->var[i].role == SR_INPUT && s->var[i].input_order == order &&
            s->var[i].target == v)
            return i;
    const SysVar x = s->var[v];
    const char *name = x.name;
    for (int k = 0; k < order; k++)
        name = arena_printf(r->arena, "der(%s)", name);
    int u =
        sys_add_var(s, name, SR_INPUT, FT_REAL, x.component, x.span, r->arena);
    s->var[u].target = v;
    s->var[u].input_order = order;
    diag_report(r->diag, x.span, DIAG_W1006,
                "the %s derivative of input '%s' is needed, because it "
                "constrains states: '%s' is a further input",
                order == 1   ? "first"
                : order == 2 ? "second"
                             : "higher",
                x.name, name);
    require(r, u);
    return u;
}

/* A differentiated equation can mention the derivative of an input. */
static Expr without_input(void *context, Dag *d, Expr leaf)
{
    Reduce *r = context;
    int v, order;
    if (!expr_is_var(d, leaf, &v, &order) || order == 0 ||
        r->sys->var[v].role != SR_INPUT)
        return EXPR_NONE;
    return expr_var(d, derived_input(r, v, order), 0, ET_REAL);
}

void reduce_close_inputs(Reduce *r)
{
    Sys *s = r->sys;
    ExprMap *m = expr_map_new(r->dag, without_input, r, r->tmp);
    for (int i = 0; i < r->dae->neqn + s->ninitial; i++) {
        SysEqn *e =
            i < r->dae->neqn ? &r->dae->eqn[i] : &s->initial[i - r->dae->neqn];
        e->lhs = expr_map(m, e->lhs);
        e->rhs = expr_map(m, e->rhs);
    }
    for (int i = 0; i < s->naction; i++) {
        Expr value = s->action[i].value;
        s->action[i].active = expr_map(m, s->action[i].active);
        s->action[i].value = value == EXPR_NONE ? value : expr_map(m, value);
    }
    /* variables and assertions are added while they are gone through */
    for (int i = 0; i < s->nassertion; i++) {
        Expr condition = expr_map(m, s->assertion[i].condition);
        s->assertion[i].condition = condition;
    }
    for (int i = 0; i < s->nvar; i++) {
        if (s->var[i].role != SR_COMPUTED)
            continue;
        Expr e = expr_map(m, s->var[i].expr);
        s->var[i].expr = e;
    }
}
