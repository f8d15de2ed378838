/* finish.c - what can be checked only when the flat model is complete.
 *
 * Assertions whose conditions are decided by constants and parameters are
 * evaluated here: a model that violates its own assertion is wrong.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "foreign/foreign.h"
#include "eval/eval_internal.h"

/* Which variables are assigned by a when clause: those are discrete. */
static bool *assigned_in_when(const Context *in)
{
    const Flat *f = in->flat;
    bool *is = NEW_ARRAY(in->arena, bool, f->nvar + 1);
    for (int i = 0; i < f->nwhen; i++)
        for (int b = 0; b < f->when[i].nbranch; b++) {
            const FlatWhenBranch *br = &f->when[i].branch[b];
            for (int k = 0; k < br->naction; k++)
                if (br->action[k].kind == FA_ASSIGN)
                    is[br->action[k].var] = true;
        }
    return is;
}

static void check_pre(const Context *in)
{
    Memo *memo = in->memo;
    if (memo->pre_use.n == 0)
        return;
    bool *discrete = assigned_in_when(in);
    for (int i = 0; i < memo->pre_use.n; i++) {
        const PreUse *u = &memo->pre_use.at[i];
        const FlatVar *v = &in->flat->var[u->var];
        if (discrete[u->var] || v->variability <= FV_DISCRETE)
            continue;
        diag_report(in->diag, u->span, DIAG_E0406,
                    "%s() of '%s', which varies continuously: outside of a "
                    "when clause its argument must be discrete",
                    u->op, v->name);
        diag_note(in->diag, v->span, "'%s' is declared here", v->name);
    }
}

/* Equations of the form v = expression: an assertion on a variable that has a
 * constant value is decided, too. */
static void find_definitions(const Context *in)
{
    Memo *memo = in->memo;
    const Flat *f = in->flat;
    memo->defined = NEW_ARRAY(in->arena, Expr, f->nvar + 1);
    for (int i = 0; i < f->nvar; i++)
        memo->defined[i] = EXPR_NONE;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < f->neqn; i++) {
            int var, order;
            Expr l = side ? f->eqn[i].rhs : f->eqn[i].lhs;
            if (expr_is_var(in->dag, l, &var, &order) && order == 0 &&
                memo->defined[var] == EXPR_NONE)
                memo->defined[var] = side ? f->eqn[i].lhs : f->eqn[i].rhs;
        }
}

static const char *message_text(const Context *in, Expr e)
{
    Expr k = fold_expr(in, e);
    if (k != EXPR_NONE && expr_op(in->dag, k) == EX_STR)
        return expr_node(in->dag, k)->text;
    return expr_text(in->dag, e, flat_var_name, in->flat, 200, in->arena);
}

static void check_assertions(const Context *in, const FlatAssert *a, int n)
{
    for (int i = 0; i < n; i++) {
        bool holds;
        Expr k = fold_expr(in, a[i].condition);
        if (k == EXPR_NONE || !expr_const_bool(in, k, &holds) || holds)
            continue;
        diag_report(in->diag, a[i].span,
                    a[i].is_warning ? DIAG_W0612 : DIAG_E0612,
                    "an assertion fails for the values given: %s",
                    message_text(in, a[i].message));
    }
}

/* A limit that a trial passed in silence ended all evaluation after it. */
static void check_limit(const Context *in)
{
    if (in->run->exhausted && !diag_failed(in->diag))
        diag_report(in->diag, in->run->exhausted_at, DIAG_E0608,
                    "compile-time evaluation takes too long here");
}

static void decide_assertions(const Context *in)
{
    Context decide = *in;
    decide.keeps_tunable = true;
    if (in->flat->nassertion)
        find_definitions(in);
    check_assertions(&decide, in->flat->assertion, in->flat->nassertion);
    check_assertions(&decide, in->flat->initial_assertion,
                     in->flat->ninitial_assertion);
    in->memo->defined = NULL;
}

/* Foreign code that does not compile is reported as that, and not as the
 * assertions that calls of it would fail. */
void eval_finish(const Context *in)
{
    Foreign *foreign = in->memo->foreign;
    check_limit(in);
    check_pre(in);
    in->flat->foreign = foreign;
    bool wanted =
        foreign && (foreign_has_failed(foreign) || !diag_failed(in->diag));
    if (!wanted || foreign_load(foreign, in->diag))
        decide_assertions(in);
    flat_check_units(in->flat, in->arena, in->diag);
}
