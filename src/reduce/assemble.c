/* assemble.c - the equations and unknowns of the Dae.
 *
 * Equation i comes with its derivatives up to order c_i. Of variable j, with
 * derivatives up to order d_j of which s_j were chosen as dummies, the orders
 * d_j - s_j .. d_j are unknowns and those below are states. The discrete
 * equations follow.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

/* ---- equations ---- */
static void report_undifferentiable(Reduce *r, const SysEqn *e)
{
    diag_report(r->diag, e->span, DIAG_E1008,
                "this equation must be differentiated because it constrains "
                "states, but it holds a function without a derivative: %s",
                sys_eqn_text(r->sys, e, 100, r->tmp));
}

static bool add_derivative(Reduce *r, SysEqn e, int from)
{
    SysEqn f = e;
    f.lhs = expr_total_diff(r->dag, e.lhs, r->varies, r->sys->nvar);
    f.rhs = expr_total_diff(r->dag, e.rhs, r->varies, r->sys->nvar);
    if (f.lhs == EXPR_NONE || f.rhs == EXPR_NONE) {
        report_undifferentiable(r, &e);
        return false;
    }
    f.origin = (SysOrigin){RULE_DIFFERENTIATED, from};
    r->dae->eqn[r->dae->neqn++] = f;
    return true;
}

static bool add_equations(Reduce *r)
{
    const Part *p = &r->part;
    Dae *d = r->dae;
    int n = r->eqn.n;
    for (int i = 0; i < p->n; i++)
        n += p->offsets->c[i];
    d->eqn = NEW_ARRAY(r->arena, SysEqn, n);
    d->differentiated = NEW_ARRAY(r->arena, int, r->eqn.n);
    bool fine = true;
    int *last = NEW_ARRAY(r->tmp, int, p->n); /* newest form of a row */
    for (int i = 0; i < p->n; i++) {
        last[i] = d->neqn;
        d->eqn[d->neqn++] = r->eqn.at[p->eqn[i]];
        d->differentiated[p->eqn[i]] = p->offsets->c[i];
    }
    for (int k = 1, any = 1; any; k++) {
        any = 0;
        for (int i = 0; i < p->n; i++) {
            if (p->offsets->c[i] < k)
                continue;
            any = 1;
            if (!add_derivative(r, d->eqn[last[i]], last[i])) {
                fine = false;
                continue;
            }
            last[i] = d->neqn - 1;
        }
        if (!fine)
            return false;
    }
    for (int i = 0; i < r->eqn.n; i++) {
        if (r->is_discrete_eqn[i])
            d->eqn[d->neqn++] = r->eqn.at[i];
    }
    return true;
}

/* ---- unknowns and states ---- */
static DaeKind kind_of(const Reduce *r, int col, int order)
{
    int d = r->part.offsets->d[col], first = d - r->selected[col];
    if (order == first && order > 0)
        return DK_DERIVATIVE;
    if (order > 0)
        return DK_DUMMY;
    return r->sys->var[r->part.var[col]].derivatives > 0 ? DK_DUMMY
                                                         : DK_ALGEBRAIC;
}

static void add_unknown(Reduce *r, int var, int order, DaeKind kind)
{
    Dae *d = r->dae;
    DaeUnknown *u = &d->unknown[d->nunknown++];
    *u = (DaeUnknown){var, order, reduce_leaf_of(r, var, order), kind, NONE};
}

static void add_state(Reduce *r, int var, int order)
{
    Dae *d = r->dae;
    int u = d->nunknown - 1; /* its derivative was just added */
    d->unknown[u].state = d->nstate;
    d->state[d->nstate++] = (DaeState){
        .var = var,
        .order = order,
        .leaf = reduce_leaf_of(r, var, order),
        .der = reduce_leaf_of(r, var, order + 1),
        .unknown = u,
        .set = NONE,
    };
}

static void add_unknowns(Reduce *r)
{
    const Part *p = &r->part;
    Dae *d = r->dae;
    int n = d->neqn, nstate = 0;
    for (int j = 0; j < p->n; j++)
        nstate += p->offsets->d[j] - r->selected[j];
    d->unknown = NEW_ARRAY(r->arena, DaeUnknown, n);
    d->state = NEW_ARRAY(r->arena, DaeState, nstate);
    d->dummy = NEW_ARRAY(r->arena, Expr, n);
    for (int v = 0; v < r->sys->nvar; v++) {
        int j = p->column[v];
        if (r->sys->var[v].role == SR_DISCRETE)
            add_unknown(r, v, 0, DK_DISCRETE);
        if (j == NONE)
            continue;
        int top = p->offsets->d[j], first = top - r->selected[j];
        for (int o = first; o <= top; o++) {
            DaeKind kind = kind_of(r, j, o);
            add_unknown(r, v, o, kind);
            if (kind == DK_DERIVATIVE)
                add_state(r, v, o - 1);
            if (kind == DK_DUMMY)
                d->dummy[d->ndummy++] = reduce_leaf_of(r, v, o);
        }
    }
}

/* ---- states that are derivatives ---- */
typedef struct Naming {
    Reduce *r;
    int *name; /* of a variable: the one that stands for its derivative */
} Naming;

static Expr replace_derivative(void *context, Dag *d, Expr leaf)
{
    Naming *n = context;
    int v, order;
    if (!expr_is_var(d, leaf, &v, &order) || order == 0 || n->name[v] == NONE)
        return EXPR_NONE;
    return expr_var(d, n->name[v], order - 1, ET_REAL);
}

/* The equation VAR(v, 1) = w for a new variable w. */
static int add_name(Reduce *r, int v)
{
    SysVar x = r->sys->var[v];
    const char *name = arena_printf(r->arena, "$der(%s)", x.name);
    int w = sys_add_var(r->sys, name, SR_UNKNOWN, FT_REAL, x.component, x.span,
                        r->arena);
    SysEqn e = {
        .lhs = expr_var(r->dag, v, 1, ET_REAL),
        .rhs = expr_var(r->dag, w, 0, ET_REAL),
        .origin = {RULE_AUXILIARY, w},
        .component = x.component,
        .span = x.span,
    };
    vec_push(r->tmp, &r->eqn, e);
    return w;
}

void reduce_add_derivative(Reduce *r, int v)
{
    add_name(r, v);
    r->sys->var[v].derivatives = 1;
}

void reduce_differentiate_always(Reduce *r)
{
    for (int v = 0, n = r->sys->nvar; v < n; v++) {
        const SysVar *x = &r->sys->var[v];
        if (x->role == SR_UNKNOWN && x->state_select == SS_ALWAYS &&
            x->derivatives == 0)
            reduce_add_derivative(r, v);
    }
}

/* The variable that stands for der(v) already, or NONE. */
static int find_name(const Reduce *r, int v)
{
    for (int k = 0; k < r->named.n; k++) {
        if (r->named.at[k].var == v)
            return r->named.at[k].name;
    }
    return NONE;
}

static void replace_everywhere(Reduce *r, int n, const int *name)
{
    Naming naming = {r, (int *)name};
    ExprMap *m = expr_map_new(r->dag, replace_derivative, &naming, r->tmp);
    for (int i = 0; i < n; i++) {
        r->eqn.at[i].lhs = expr_map(m, r->eqn.at[i].lhs);
        r->eqn.at[i].rhs = expr_map(m, r->eqn.at[i].rhs);
    }
}

/* Where x and der(x) are both states, der(x) becomes an auxiliary variable w,
 * and the analysis must repeat. If that does not make w a state because
 * nothing differentiates it, an unknown is added for der(w). Returns true if
 * there was one. */
bool reduce_name_derivative_states(Reduce *r)
{
    const Part *p = &r->part;
    int n = r->eqn.n, nvar = r->sys->nvar;
    int *name = NEW_ARRAY(r->tmp, int, nvar);
    bool any = false;
    for (int v = 0; v < nvar; v++)
        name[v] = NONE;
    for (int j = 0; j < p->n; j++) {
        int v = p->var[j];
        if (p->offsets->d[j] - r->selected[j] < 2)
            continue;
        int w = find_name(r, v);
        if (w != NONE && r->sys->var[w].derivatives > 0)
            continue; /* nothing more can be done */
        any = true;
        if (w != NONE) {
            add_name(r, w);
            r->sys->var[w].derivatives = 1;
            continue;
        }
        int more = r->sys->var[v].derivatives;
        name[v] = add_name(r, v);
        r->sys->var[name[v]].derivatives = more > 1 ? more - 1 : 0;
        r->sys->var[v].derivatives = 1;
        Named x = {v, name[v]};
        vec_push(r->tmp, &r->named, x);
    }
    if (any)
        replace_everywhere(r, n, name);
    return any;
}

bool reduce_assemble(Reduce *r)
{
    if (!add_equations(r))
        return false;
    add_unknowns(r);
    return true;
}
