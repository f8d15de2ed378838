/* simplify.c - the steps from Flat to Sys. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

static void report_valueless_one(Work *w, const SysVar *x)
{
    diag_report(w->diag, x->span, DIAG_W1004,
                "parameter '%s' has no value; 0 is taken", x->name);
}

/* Parameters that are read need a value: their own or a start value. Those that
 * others needed as numbers are parameters no more. */
static void report_valueless(Work *w)
{
    for (int k = 0; k < w->sys->nparam; k++) {
        const SysVar *x = &w->sys->var[w->sys->param_order[k]];
        if (x->expr == EXPR_NONE)
            report_valueless_one(w, x);
    }
    for (int v = 0; v < w->flat->nvar; v++) {
        const SysVar *x = &w->sys->var[v];
        if (w->is_frozen[v] && x->expr == EXPR_NONE && x->start == EXPR_NONE)
            report_valueless_one(w, x);
    }
}

static void see_text(void *context, const Dag *d, Expr e)
{
    for (int i = 0; i < expr_node(d, e)->narg; i++)
        *(bool *)context |= expr_op(d, e) != EX_CONCAT &&
                            expr_type(d, e) != ET_STRING &&
                            expr_type(d, expr_arg(d, e, i)) == ET_STRING;
}

/* A number that depends on a text: those that are known are gone by now. */
static void report_text(Work *w, Expr lhs, Expr rhs, Span span,
                        const char *what)
{
    Expr side[2] = {lhs, rhs};
    bool found = false;
    expr_walk(w->sys->dag, side, rhs == EXPR_NONE ? 1 : 2, see_text, &found);
    if (found)
        diag_report(w->diag, span, DIAG_U1011,
                    "not supported yet: %s depends on a String that changes "
                    "during a run",
                    what);
}

static void report_texts(Work *w)
{
    const Sys *s = w->sys;
    for (int i = 0; i < s->neqn; i++)
        if (expr_type(s->dag, s->eqn[i].lhs) != ET_STRING)
            report_text(w, s->eqn[i].lhs, s->eqn[i].rhs, s->eqn[i].span,
                        "this equation");
    for (int i = 0; i < s->ninitial; i++)
        report_text(w, s->initial[i].lhs, s->initial[i].rhs, s->initial[i].span,
                    "this initial equation");
    for (int i = 0; i < s->nassertion; i++)
        report_text(w, s->assertion[i].condition, EXPR_NONE,
                    s->assertion[i].span, "this assertion");
    for (int i = 0; i < s->ninitial_assertion; i++)
        report_text(w, s->initial_assertion[i].condition, EXPR_NONE,
                    s->initial_assertion[i].span, "this assertion");
}

/* What a when clause gives its values is discrete. */
static void report_discrete(const Work *w)
{
    const Flat *f = w->flat;
    for (int i = 0; i < f->nwhen; i++)
        for (int b = 0; b < f->when[i].nbranch; b++) {
            const FlatWhenBranch *br = &f->when[i].branch[b];
            for (int k = 0; k < br->naction; k++) {
                const FlatAction *a = &br->action[k];
                if (a->kind == FA_ASSIGN && w->sys->var[a->var].derivatives > 0)
                    diag_report(w->diag, a->span, DIAG_E0405,
                                "a when clause gives '%s' its values, so it is "
                                "discrete and has no derivative; reinit() "
                                "changes a state",
                                f->var[a->var].name);
            }
        }
}

/* What makes a model impossible to go on with. */
static int count_refusals(const Diag *diag)
{
    return diag_count(diag, DIAG_ERROR) + diag_count(diag, DIAG_UNSUPPORTED);
}

Sys *simplify(const Flat *flat, SimplifyOptions options, Arena *arena,
              Diag *diag)
{
    int errors = count_refusals(diag);
    Sys *s = NEW(arena, Sys);
    s->flat = flat;
    s->dag = flat->dag;
    s->network = options.network;
    Work w = {
        .flat = flat,
        .dag = flat->dag,
        .sys = s,
        .options = options,
        .arena = arena,
        .tmp = arena_new(),
        .diag = diag,
    };
    simplify_declare_variables(&w);
    simplify_expand_expressions(&w);
    simplify_propagate(&w);
    simplify_merge_aliases(&w);
    simplify_join_semilinear(&w);
    if (options.remove_unread)
        simplify_remove_unread(&w);
    simplify_guard_integers(&w);
    simplify_quiet_whens(&w);
    simplify_find_felt(&w);
    sys_find_derivatives(w.sys);
    report_discrete(&w);
    report_valueless(&w);
    report_texts(&w);
    bool is_good = count_refusals(diag) <= errors && simplify_set_values(&w);
    arena_free(w.tmp);
    if (!is_good)
        return NULL;
    if (options.free_starts)
        simplify_free_starts(&w);
#ifndef NDEBUG
    sys_check(s);
#endif
    return s;
}
