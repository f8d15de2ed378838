/* clocks.c - the entry: partitions, times, then the model without clocks. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "clocks/clocks_internal.h"

static bool has_clocks(const Flat *f)
{
    if (f->ntransition || f->ninitial_state)
        return true;
    for (int i = 0; i < f->nvar; i++)
        if (f->var[i].type == FT_CLOCK)
            return true;
    for (Expr e = 0; e < dag_count(f->dag); e++)
        if (expr_op(f->dag, e) == EX_CLOCKED)
            return true;
    return false;
}

/* Tables of `out` grow: those of `in` stay as they are. */
static void copy_model(Clocks *c)
{
    const Flat *f = c->in;
    c->out = NEW(c->arena, Flat);
    *c->out = *f;
    int cap = 1;
    while (cap < f->nvar)
        cap *= 2;
    c->out->var = NEW_ARRAY(c->arena, FlatVar, cap);
    if (f->nvar)
        memcpy(c->out->var, f->var, (size_t)f->nvar * sizeof *f->var);
    c->out->eqn = NULL;
    c->out->neqn = 0;
    c->out->clock = NULL;
    c->out->nclock = 0;
    c->out->ntransition = c->out->ninitial_state = 0;
}

static void translate_whens(Clocks *c)
{
    const Flat *f = c->in;
    c->out->when = NEW_ARRAY(c->arena, FlatWhen, f->nwhen + 1);
    for (int w = 0; w < f->nwhen; w++) {
        FlatWhen *to = &c->out->when[w];
        *to = f->when[w];
        to->branch = NEW_ARRAY(c->arena, FlatWhenBranch, to->nbranch + 1);
        for (int b = 0; b < to->nbranch; b++) {
            FlatWhenBranch br = f->when[w].branch[b];
            Expr *condition = NEW_ARRAY(c->arena, Expr, br.ncondition + 1);
            FlatAction *action =
                NEW_ARRAY(c->arena, FlatAction, br.naction + 1);
            c->span = br.span;
            for (int i = 0; i < br.ncondition; i++)
                condition[i] =
                    clocks_rewrite(c, br.condition[i], c->continuous);
            for (int i = 0; i < br.naction; i++) {
                action[i] = br.action[i];
                if (action[i].value != EXPR_NONE)
                    action[i].value =
                        clocks_rewrite(c, action[i].value, c->continuous);
            }
            br.condition = condition;
            br.action = action;
            to->branch[b] = br;
        }
    }
}

static void translate_asserts(Clocks *c)
{
    const Flat *f = c->in;
    Dag *d = c->dag;
    c->out->assertion = NEW_ARRAY(c->arena, FlatAssert, f->nassertion + 1);
    for (int i = 0; i < f->nassertion; i++) {
        FlatAssert a = f->assertion[i];
        int node = clocks_find(c, c->assert_owner[i]);
        c->span = a.span;
        a.condition = clocks_rewrite(c, a.condition, node);
        int state = clocks_state(c, a.component);
        if (c->node.at[node].clocked)
            a.condition = expr_binary(
                d, EX_OR, expr_unary(d, EX_NOT, clocks_when(c, node, state)),
                a.condition);
        a.clock = 0;
        c->out->assertion[i] = a;
    }
}

/* The partition of an initial equation that has a clock, NONE. */
int clocks_initial(Clocks *c, const FlatEqn *q)
{
    const Expr side[2] = {q->lhs, q->rhs};
    for (int s = 0; s < 2; s++) {
        Expr *leaf;
        int n = expr_leaves(c->dag, side[s], &leaf, c->local);
        for (int i = 0; i < n; i++) {
            int var = expr_node(c->dag, leaf[i])->var;
            if (var < c->in->nvar && c->node.at[clocks_find(c, var)].clocked)
                return clocks_find(c, var);
        }
    }
    return NONE;
}

/* Initial equations of a partition belong to its first tick (solver.c). */
static void keep_initial(Clocks *c)
{
    const Flat *f = c->in;
    c->out->initial = NEW_ARRAY(c->arena, FlatEqn, f->ninitial + 1);
    c->out->ninitial = 0;
    for (int i = 0; i < f->ninitial; i++) {
        const FlatEqn *q = &f->initial[i];
        int node = clocks_initial(c, q);
        if (node == NONE) {
            c->out->initial[c->out->ninitial++] = *q;
        } else if (!c->rewrite[node].state.n) {
            diag_report(c->diag, q->span, DIAG_E1905,
                        "an initial equation cannot be about variables with a "
                        "clock; give them start values");
            c->failed = true;
        }
    }
}

static void run(Clocks *c)
{
    if (!clocks_machines(c))
        return;
    clocks_partition(c);
    if (!c->failed)
        clocks_time(c);
    if (c->failed)
        return;
    copy_model(c);
    c->rewrite = NEW_ARRAY(c->local, Rewrite, c->node.n);
    for (int i = 0; i < c->node.n; i++)
        c->rewrite[i].tick = NONE;
    clocks_equations(c);
    if (c->failed)
        return;
    translate_whens(c);
    translate_asserts(c);
    keep_initial(c);
    clocks_add_rates(c);
}

Flat *clocks_translate(Flat *f, Arena *arena, Diag *diag)
{
    if (!has_clocks(f))
        return f;
    Arena *local = arena_new();
    Clocks c = {.in = f,
                .dag = f->dag,
                .arena = arena,
                .local = local,
                .diag = diag,
                .span = f->span};
    c.observed = NEW_ARRAY(local, bool, f->nvar + 1);
    run(&c);
    Flat *out = c.failed ? NULL : c.out;
    arena_free(local);
    return out;
}
