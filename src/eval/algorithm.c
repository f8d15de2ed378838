/* algorithm.c - algorithm sections of models (11.1), as equations.
 *
 * A section is executed symbolically from the values its variables have before
 * it (11.1.2): pre(v) for a discrete one, the start value for a continuous one.
 * Each variable it assigns then gets the equation v = its value at the end.
 *
 * It is executed twice: first in silence, to learn which variables it assigns
 * and by which clauses, then to build. A when-statement becomes a FlatWhen if
 * its variables are assigned nowhere else in the section; after it they are
 * themselves. A variable that several clauses assign becomes an equation, with
 * a helper variable for each condition: v = if edge(c1) then a else ...
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "value/emit.h"
#include "value/hidden.h"
#include "eval/exec.h"

Exec *exec_section(const Context *in)
{
    Exec *x = in->exec;
    while (x && x->fn)
        x = x->up;
    return x;
}

static Expr leaf_of(const Context *in, int var)
{
    const FlatVar *v = &in->flat->var[var];
    ExprType t = v->type == FT_REAL                             ? ET_REAL
                 : v->type == FT_BOOLEAN || v->type == FT_CLOCK ? ET_BOOLEAN
                 : v->type == FT_STRING                         ? ET_STRING
                                                                : ET_INTEGER;
    return expr_var(in->dag, var, 0, t);
}

static bool is_discrete(const FlatVar *v, const Slot *s)
{
    return v->type != FT_REAL || v->variability == FV_DISCRETE || s->in_when;
}

Expr section_default(const Context *in, Exec *x, int slot)
{
    int var = x->var.at[slot].var;
    const FlatVar *v = &in->flat->var[var];
    if (v->variability >= FV_DISCRETE && v->type != FT_STRING &&
        is_discrete(v, &x->var.at[slot]))
        return expr_unary(in->dag, EX_PRE, leaf_of(in, var));
    if (v->start != EXPR_NONE)
        return v->start;
    switch (v->type) {
    case FT_REAL: return expr_real(in->dag, 0);
    case FT_BOOLEAN: return expr_bool(in->dag, false);
    case FT_STRING: return expr_string(in->dag, "");
    case FT_ENUM: return expr_int(in->dag, 1);
    default: return expr_int(in->dag, 0);
    }
}

Expr section_read(const Context *in, Exec *x, int slot)
{
    Expr e = x->now.at[slot];
    return e == EXPR_UNSET ? section_default(in, x, slot) : e;
}

/* ---- branches ---- */

void section_set(const Context *in, Exec *x, int slot, Expr value)
{
    if (x->now.at[slot] == value)
        return;
    SlotWrite w = {slot, x->now.at[slot]};
    vec_push(in->arena, &x->log, w);
    x->now.at[slot] = value;
}

/* The slots written since `mark`, each once, with their values now. */
static Branch written(const Context *in, Exec *x, int mark)
{
    int most = x->log.n - mark;
    Branch b = {.slot = NEW_ARRAY(in->arena, int, most + 1),
                .value = NEW_ARRAY(in->arena, Expr, most + 1)};
    while (x->touched.n < x->now.n)
        vec_push(in->arena, &x->touched, NONE);
    for (int i = mark; i < x->log.n; i++) {
        int slot = x->log.at[i].slot;
        if (x->touched.at[slot] != NONE)
            continue;
        x->touched.at[slot] = b.n;
        b.slot[b.n] = slot;
        b.value[b.n++] = x->now.at[slot];
    }
    for (int i = 0; i < b.n; i++)
        x->touched.at[b.slot[i]] = NONE;
    return b;
}

Branch section_take_back(const Context *in, Exec *x, int mark)
{
    Branch b = written(in, x, mark);
    for (int i = x->log.n - 1; i >= mark; i--)
        x->now.at[x->log.at[i].slot] = x->log.at[i].old;
    x->log.n = mark;
    return b;
}

void section_redo(const Context *in, Exec *x, Branch b)
{
    for (int i = 0; i < b.n; i++)
        section_set(in, x, b.slot[i], b.value[i]);
}

static Expr value_or_default(const Context *in, Exec *x, int slot, Expr e)
{
    return e == EXPR_UNSET ? section_default(in, x, slot) : e;
}

void section_join(const Context *in, Exec *x, Expr c, Branch one, Branch two)
{
    for (int i = 0; i < two.n; i++)
        x->touched.at[two.slot[i]] = i;
    for (int i = 0; i < one.n; i++) {
        int slot = one.slot[i], k = x->touched.at[slot];
        Expr other = k == NONE ? x->now.at[slot] : two.value[k];
        Expr v = one.value[i];
        if (v != other)
            v = expr_if(in->dag, c, value_or_default(in, x, slot, v),
                        value_or_default(in, x, slot, other));
        section_set(in, x, slot, v);
        x->touched.at[slot] = NONE;
    }
    for (int i = 0; i < two.n; i++) {
        int slot = two.slot[i];
        if (x->touched.at[slot] == NONE)
            continue; /* was in both */
        x->touched.at[slot] = NONE;
        Expr v = two.value[i], before = x->now.at[slot];
        if (v != before)
            v = expr_if(in->dag, c, value_or_default(in, x, slot, before),
                        value_or_default(in, x, slot, v));
        section_set(in, x, slot, v);
    }
}

/* ---- when ---- */

typedef struct WhenBranch {
    Expr *cond;
    int ncond;
    Expr *before, *after; /* by slot, before and at the end of the branch */
    int nafter;
    ActionList actions;
} WhenBranch;

static bool branch_conditions(const Context *in, Scope *scope, const AstExpr *e,
                              WhenBranch *b)
{
    Value *v = eval_value(in, scope, e);
    if (is_error(v))
        return false;
    if (is_kind(v, TYPE_CLOCK)) {
        context_report(in, e->span, DIAG_U0602,
                       "not supported yet: a clock as the condition of a "
                       "when-statement; use a when-equation");
        return false;
    }
    if (!is_kind(v, TYPE_BOOLEAN) || v->ndim > 1) {
        context_report(in, e->span, DIAG_E0408,
                       "the condition of a when-statement must be a Boolean or "
                       "a vector of them, but it is %s",
                       value_text(in, v));
        return false;
    }
    b->cond = v->scalar;
    b->ncond = v->nscalar;
    return true;
}

static bool run_branch(const Context *in, Exec *x, const Body *at,
                       const AstStmtBranch *br, WhenBranch *b)
{
    if (!branch_conditions(in, at->scope, br->cond, b))
        return false;
    int nassign = x->now.n;
    b->before = NEW_ARRAY(in->arena, Expr, nassign + 1);
    if (nassign)
        memcpy(b->before, x->now.at, (size_t)nassign * sizeof(Expr));
    void *state = state_save(in, x);
    Body body = *at;
    body.actions = &b->actions;
    Context inside = *in;
    inside.in_when = true;
    inside.forbids_impure = false;
    struct Hidden hidden = {0};
    inside.hidden = &hidden;
    ExecStatus s = exec_list(&inside, x, &body, br->stmt, br->nstmt);
    for (int i = 0; i < hidden.action.n; i++)
        vec_push(in->arena, &b->actions, hidden.action.at[i]);
    b->nafter = x->now.n;
    b->after = NEW_ARRAY(in->arena, Expr, x->now.n + 1);
    for (int i = 0; i < x->now.n; i++) {
        Expr old = i < nassign ? b->before[i] : EXPR_UNSET;
        b->after[i] = x->now.at[i] == old ? EXPR_UNSET : x->now.at[i];
    }
    state_load(in, x, state);
    return s == EXEC_NORMAL;
}

/* c becomes true, as an expression: an edge of a Boolean variable. A trial
 * makes no variables: it only learns what is assigned. */
static Expr edge_of(const Context *in, Expr c, Span span)
{
    int var, order;
    if (in->ledger || expr_op(in->dag, c) == EX_INITIAL ||
        expr_op(in->dag, c) == EX_SAMPLE)
        return c;
    if (!expr_is_var(in->dag, c, &var, &order)) {
        FlatVar v = flat_plain_var(NULL, span);
        v.component = in->component;
        v.type = FT_BOOLEAN;
        v.enumeration = NONE;
        v.variability = FV_DISCRETE;
        const char *path =
            flat_component_path(in->flat, in->component, in->arena);
        v.name = arena_printf(in->arena, "%s%s$when%d", path, *path ? "." : "",
                              ++in->memo->nwhen);
        var = emit_var(in, v);
        FlatEqn e = {.lhs = expr_var(in->dag, var, 0, ET_BOOLEAN),
                     .rhs = c,
                     .origin = FO_WHEN,
                     .component = in->component,
                     .span = span};
        emit_eqn(in, e);
    }
    return expr_unary(in->dag, EX_EDGE, expr_var(in->dag, var, 0, ET_BOOLEAN));
}

/* Variables with several clauses: the value is chosen here. */
static void merge_mixed(const Context *in, Exec *x, const WhenBranch *b, int n,
                        Span span)
{
    Expr *active = NULL;
    for (int i = 0; i < x->var.n; i++) {
        bool set = false;
        for (int k = 0; k < n; k++)
            set |= i < b[k].nafter && b[k].after[i] != EXPR_UNSET;
        if (!set || !x->var.at[i].mixed)
            continue;
        if (!active) {
            active = NEW_ARRAY(in->arena, Expr, n);
            for (int k = 0; k < n; k++) {
                active[k] = expr_bool(in->dag, false);
                for (int j = 0; j < b[k].ncond; j++)
                    active[k] = expr_binary(in->dag, EX_OR, active[k],
                                            edge_of(in, b[k].cond[j], span));
            }
        }
        Expr v = section_read(in, x, i);
        for (int k = n - 1; k >= 0; k--) {
            bool here = i < b[k].nafter && b[k].after[i] != EXPR_UNSET;
            /* a branch that leaves it alone hides those after it */
            Expr then = here ? b[k].after[i] : section_read(in, x, i);
            v = expr_if(in->dag, active[k], then, v);
        }
        section_set(in, x, i, v);
    }
}

static void add_action(const Context *in, ActionList *list, FlatAction a)
{
    vec_push(in->arena, list, a);
}

/* What is left: a FlatWhen; its variables are themselves after it. */
static void emit_plain_when(const Context *in, Exec *x, const AstStmt *s,
                            WhenBranch *b, int n)
{
    FlatWhen w = {.nbranch = n,
                  .component = in->component,
                  .is_algorithm = true,
                  .span = s->span};
    w.branch = NEW_ARRAY(in->arena, FlatWhenBranch, n);
    int total = 0;
    for (int k = 0; k < n; k++) {
        ActionList list = {0};
        Span span = s->branch[k].cond->span;
        for (int i = 0; i < b[k].nafter; i++) {
            if (b[k].after[i] == EXPR_UNSET || x->var.at[i].mixed)
                continue;
            FlatAction a = {.kind = FA_ASSIGN,
                            .var = x->var.at[i].var,
                            .value = b[k].after[i],
                            .message = EXPR_NONE,
                            .span = s->span};
            add_action(in, &list, a);
        }
        for (int i = 0; i < b[k].actions.n; i++)
            add_action(in, &list, b[k].actions.at[i]);
        w.branch[k] = (FlatWhenBranch){.condition = b[k].cond,
                                       .ncondition = b[k].ncond,
                                       .action = list.at,
                                       .naction = list.n,
                                       .span = span};
        total += list.n;
    }
    if (total)
        left_when(in, w);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < b[k].nafter; i++)
            if (b[k].after[i] != EXPR_UNSET && !x->var.at[i].mixed)
                section_set(in, x, i, leaf_of(in, x->var.at[i].var));
}

ExecStatus exec_when(const Context *in, Exec *x, const Body *at,
                     const AstStmt *s)
{
    const char *where = x->fn            ? "a function"
                        : in->is_initial ? "an initial algorithm"
                        : at->clause     ? "another when-statement"
                        : at->nested     ? "an if, for or while"
                                         : NULL;
    if (where) {
        context_report(in, s->span, DIAG_E0615,
                       "a when-statement may not stand inside %s", where);
        return EXEC_FAIL;
    }
    Body inside = *at;
    inside.clause = s;
    WhenBranch *b = NEW_ARRAY(in->arena, WhenBranch, s->nbranch);
    bool ok = true;
    for (int k = 0; k < s->nbranch && ok; k++)
        ok = s->branch[k].cond &&
             run_branch(in, x, &inside, &s->branch[k], &b[k]);
    if (!ok)
        return EXEC_FAIL;
    merge_mixed(in, x, b, s->nbranch, s->span);
    emit_plain_when(in, x, s, b, s->nbranch);
    return EXEC_NORMAL;
}

/* ---- the section ---- */

static void emit_values(const Context *in, Exec *x, Span span)
{
    for (int i = 0; i < x->var.n; i++) {
        const Slot *s = &x->var.at[i];
        if (s->clause && !s->mixed)
            continue; /* a FlatWhen sets it */
        FlatEqn e = {.lhs = leaf_of(in, s->var),
                     .rhs = section_read(in, x, i),
                     .origin = FO_ALGORITHM,
                     .component = in->component,
                     .span = span};
        if (in->is_initial)
            emit_initial(in, e);
        else
            emit_eqn(in, e);
    }
}

/* The first run, which only finds out what is assigned. */
static void discover(const Context *in, Exec *x, const Body *at,
                     AstStmt *const *stmt, int nstmt)
{
    Trial t;
    trial_begin(&t, in);
    exec_list(&t.in, x, at, stmt, nstmt);
    trial_drop(&t);
    x->path = in->path;
    x->log.n = 0;
    for (int i = 0; i < x->now.n; i++)
        x->now.at[i] = EXPR_UNSET;
}

void eval_section(const Context *in, Scope *scope, AstStmt *const *stmt,
                  int nstmt)
{
    if (nstmt == 0)
        return;
    Exec *x = NEW(in->arena, Exec);
    *x = (Exec){.up = in->exec, .path = in->path};
    Context inside = exec_context(in, x);
    Body at = {.scope = scope};
    discover(&inside, x, &at, stmt, nstmt);
    bool ok = exec_list(&inside, x, &at, stmt, nstmt) == EXEC_NORMAL;
    Span span = span_join(stmt[0]->span, stmt[nstmt - 1]->span);
    if (ok)
        emit_values(&inside, x, span);
    for (int i = 0; i < x->var.n; i++)
        in->memo->slot[x->var.at[i].var] = NONE;
}
