/* partition.c - which variables and equations have one clock (16.7).
 *
 * All variables of an equation have one clock, except inside an operator: the
 * argument of sample() has none, that of hold(), subSample() and the like has
 * its own, and the operator says how the two are related. Clocks themselves are
 * nodes too: sample(u, c) joins the place where it stands with c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "clocks/clocks_internal.h"

typedef struct Todo {
    Expr e;
    int cur;
} Todo;

typedef struct Scan {
    Clocks *c;
    Vec(Todo) todo;
    Vec(Expr) stack;
    int *seen; /* by handle: number of the last visit */
    int visit;
    Span span;
} Scan;

static int new_node(Clocks *c, Span span)
{
    Node n = {.up = c->node.n, .span = span};
    vec_push(c->local, &c->node, n);
    return c->node.n - 1;
}

int clocks_find(Clocks *c, int k)
{
    Node *n = c->node.at;
    while (n[k].up != k) {
        n[k].up = n[n[k].up].up;
        k = n[k].up;
    }
    return k;
}

static void join(Clocks *c, int a, int b)
{
    a = clocks_find(c, a);
    b = clocks_find(c, b);
    if (a == b)
        return;
    int keep = a < b ? a : b, drop = a < b ? b : a;
    Node *k = &c->node.at[keep], *d = &c->node.at[drop];
    d->up = keep;
    k->clocked |= d->clocked;
    k->continuous |= d->continuous;
    if (!k->solver)
        k->solver = d->solver;
}

static void set_clocked(Clocks *c, int k, Span span)
{
    Node *n = &c->node.at[clocks_find(c, k)];
    if (!n->clocked)
        n->span = span;
    n->clocked = true;
}

static void later(Scan *s, Expr e, int cur)
{
    vec_push(s->c->local, &s->todo, ((Todo){e, cur}));
}

/* ---- operators ---- */

static void relate(Scan *s, int a, int b, ExprClocked kind, Expr amount)
{
    Clocks *c = s->c;
    double num = 1, den = 1;
    if (kind == EC_SUB || kind == EC_SUPER) {
        expr_is_const(c->dag, amount, &num);
    } else {
        expr_is_const(c->dag, expr_arg(c->dag, amount, 0), &num);
        expr_is_const(c->dag, expr_arg(c->dag, amount, 1), &den);
    }
    Relation r = {a, b, kind, (int64_t)num, (int64_t)den, s->span};
    vec_push(c->local, &c->relation, r);
}

static bool is_var(const Clocks *c, Expr e, int *var)
{
    int order;
    return expr_is_var(c->dag, e, var, &order);
}

/* The node of an expression of type Clock. */
static int clock_node(Scan *s, Expr e)
{
    Clocks *c = s->c;
    int var, kind = expr_clocked_kind(c->dag, e);
    if (is_var(c, e, &var)) {
        set_clocked(c, var, s->span);
        return var;
    }
    int n = new_node(c, s->span);
    set_clocked(c, n, s->span);
    if (kind < 0) {
        diag_report(c->diag, s->span, DIAG_U1901,
                    "not supported yet: a clock that is chosen while the model "
                    "runs");
        c->failed = true;
        return n;
    }
    Expr a = expr_arg(c->dag, e, 1), b = expr_arg(c->dag, e, 2);
    if (kind == EC_SOLVER) {
        c->node.at[n].solver = expr_node(c->dag, b)->text;
        relate(s, n, clock_node(s, a), EC_SUB, expr_int(c->dag, 1));
    } else if (kind >= EC_SUB && kind <= EC_BACK) {
        relate(s, n, clock_node(s, a), (ExprClocked)kind, b);
    } else if (kind >= EC_PERIOD && kind <= EC_EVENT) {
        Definition d = {n, (ExprClocked)kind, a, b, s->span};
        vec_push(c->local, &c->definition, d);
        if (kind == EC_EVENT)
            later(s, a, c->continuous);
        if (kind == EC_COUNT)
            later(s, expr_arg(c->dag, b, 0), n);
    }
    return n;
}

static void add_site(Scan *s, Expr op, int cur, int inner)
{
    vec_push(s->c->local, &s->c->site, ((Site){op, cur, inner}));
}

static void observe(Clocks *c, Expr e)
{
    int var;
    if (is_var(c, e, &var))
        c->observed[var] = true;
}

static void scan_operator(Scan *s, Expr op, int cur)
{
    Clocks *c = s->c;
    ExprClocked kind = (ExprClocked)expr_clocked_kind(c->dag, op);
    Expr a = expr_arg(c->dag, op, 1), b = expr_arg(c->dag, op, 2);
    double known;
    int inner;
    switch (kind) {
    case EC_SAMPLE:
        set_clocked(c, cur, s->span);
        if (expr_clocked_kind(c->dag, b) != EC_INFER)
            join(c, cur, clock_node(s, b));
        later(s, a, c->continuous);
        return;
    case EC_PREVIOUS:
        set_clocked(c, cur, s->span);
        observe(c, a);
        later(s, a, cur);
        return;
    case EC_FIRST:
    case EC_INTERVAL:
        set_clocked(c, cur, s->span);
        if (!expr_is_const(c->dag, b, &known))
            later(s, b, cur);
        return;
    case EC_HOLD:
    case EC_NOCLOCK:
    case EC_SUB:
    case EC_SUPER:
    case EC_SHIFT:
    case EC_BACK:
        if (expr_is_const(c->dag, a, &known))
            return;
        inner = new_node(c, s->span);
        set_clocked(c, inner, s->span);
        if (kind == EC_HOLD)
            join(c, cur, c->continuous);
        else
            set_clocked(c, cur, s->span);
        if (kind >= EC_SUB && kind <= EC_BACK)
            relate(s, cur, inner, kind, b);
        add_site(s, op, cur, inner);
        observe(c, a);
        later(s, a, inner);
        return;
    case EC_ACTIVE:
    case EC_TICKS:
    case EC_TIME_IN:
        set_clocked(c, cur, s->span);
        expr_is_const(c->dag, b, &known);
        inner = clocks_state(c, (int)known);
        if (inner != NONE)
            join(c, cur, c->machine.at[c->state.at[inner].machine].node);
        return;
    default: join(c, cur, clock_node(s, op)); return;
    }
}

int clocks_inner(Clocks *c, Expr op, int cur)
{
    cur = clocks_find(c, cur);
    for (int i = 0; i < c->site.n; i++)
        if (c->site.at[i].op == op && clocks_find(c, c->site.at[i].cur) == cur)
            return c->site.at[i].inner;
    return NONE;
}

/* ---- expressions ---- */

static bool has_clock(const Clocks *c, int var)
{
    return c->in->var[var].variability > FV_PARAMETER;
}

static void scan_one(Scan *s, Todo t)
{
    Clocks *c = s->c;
    s->visit++;
    vec_push(c->local, &s->stack, t.e);
    while (s->stack.n > 0) {
        Expr e = s->stack.at[--s->stack.n];
        const ExprNode *n = expr_node(c->dag, e);
        if (s->seen[e] == s->visit)
            continue;
        s->seen[e] = s->visit;
        if (n->op == EX_CLOCKED) {
            scan_operator(s, e, t.cur);
        } else if (n->op == EX_VAR) {
            if (has_clock(c, n->var))
                join(c, n->var, t.cur);
        } else {
            for (int i = 0; i < n->narg; i++)
                vec_push(c->local, &s->stack, expr_arg(c->dag, e, i));
        }
    }
}

static void scan(Scan *s, Expr e, int cur)
{
    if (e == EXPR_NONE)
        return;
    later(s, e, cur);
    while (s->todo.n > 0)
        scan_one(s, s->todo.at[--s->todo.n]);
}

/* ---- the model ---- */

static bool is_clock(const Clocks *c, Expr e)
{
    int var, kind = expr_clocked_kind(c->dag, e);
    return is_var(c, e, &var) ? c->in->var[var].type == FT_CLOCK
                              : kind >= EC_INFER && kind <= EC_SOLVER;
}

/* What stands in a state has the clock of its machine. */
static void join_state(Clocks *c, int node, int component)
{
    int s = clocks_state(c, component);
    if (s != NONE)
        join(c, node, c->machine.at[c->state.at[s].machine].node);
}

static void machine_nodes(Clocks *c)
{
    for (int i = 0; i < c->machine.n; i++) {
        Machine *m = &c->machine.at[i];
        m->node = new_node(c, m->span);
        set_clocked(c, m->node, m->span);
    }
    for (int i = 0; i < c->machine.n; i++) {
        const Machine *m = &c->machine.at[i];
        if (m->parent != NONE)
            join(c, m->node,
                 c->machine.at[c->state.at[m->parent].machine].node);
    }
}

static void scan_transitions(Scan *s)
{
    const Flat *f = s->c->in;
    for (int i = 0; i < f->ntransition; i++) {
        int from = s->c->state_of[f->transition[i].from];
        s->span = f->transition[i].span;
        scan(s, f->transition[i].condition,
             s->c->machine.at[s->c->state.at[from].machine].node);
    }
}

static void scan_equation(Scan *s, const FlatEqn *q, int *owner)
{
    Clocks *c = s->c;
    s->span = q->span;
    *owner = new_node(c, q->span);
    if (q->clock)
        join(c, *owner, c->first_when + q->clock - 1);
    join_state(c, *owner, q->component);
    if (is_clock(c, q->lhs) || is_clock(c, q->rhs)) {
        int a = clock_node(s, q->lhs), b = clock_node(s, q->rhs);
        join(c, a, b);
        join(c, *owner, a);
        while (s->todo.n > 0)
            scan_one(s, s->todo.at[--s->todo.n]);
        return;
    }
    scan(s, q->lhs, *owner);
    scan(s, q->rhs, *owner);
}

/* Has the variable a clock with a solverMethod? */
static bool is_discretized(Clocks *c, int var)
{
    const Node *n = &c->node.at[clocks_find(c, var)];
    return n->clocked && n->solver && *n->solver;
}

/* The same of any variable of `e`, those inside operators apart; `seen` are
 * nodes that have none. */
static bool asks_discretized(Clocks *c, Expr e, bool *seen)
{
    Vec(Expr) stack = {0};
    vec_push(c->local, &stack, e);
    while (stack.n > 0) {
        Expr x = stack.at[--stack.n];
        int var, order;
        if (expr_is_var(c->dag, x, &var, &order) && is_discretized(c, var))
            return true;
        const ExprNode *n = expr_node(c->dag, x);
        for (int i = 0; n->op != EX_CLOCKED && !seen[x] && i < n->narg; i++)
            vec_push(c->local, &stack, expr_arg(c->dag, x, i));
        seen[x] = true;
    }
    return false;
}

/* 16.8.1: what stands in a partition that is integrated at ticks may have when
 * clauses. True after a report: this one is in such a partition. */
static bool is_in_discretized(Clocks *c, const FlatWhenBranch *br, bool *seen)
{
    bool found = false;
    for (int i = 0; i < br->ncondition && !found; i++)
        found = asks_discretized(c, br->condition[i], seen);
    for (int i = 0; i < br->naction && !found; i++) {
        const FlatAction *a = &br->action[i];
        found = (a->kind == FA_ASSIGN || a->kind == FA_REINIT) &&
                is_discretized(c, a->var);
    }
    if (!found)
        return false;
    diag_report(c->diag, br->span, DIAG_U1901,
                "not supported yet: a when clause with a condition in a "
                "partition with a solverMethod; compare with previous() in "
                "an equation");
    c->failed = true;
    return true;
}

static void scan_whens(Scan *s)
{
    Clocks *c = s->c;
    bool *seen = NEW_ARRAY(c->local, bool, dag_count(c->dag));
    for (int w = 0; w < c->in->nwhen; w++)
        for (int b = 0; b < c->in->when[w].nbranch; b++) {
            const FlatWhenBranch *br = &c->in->when[w].branch[b];
            s->span = br->span;
            if (is_in_discretized(c, br, seen))
                return;
            for (int i = 0; i < br->ncondition; i++)
                scan(s, br->condition[i], c->continuous);
            for (int i = 0; i < br->naction; i++) {
                const FlatAction *a = &br->action[i];
                scan(s, a->value, c->continuous);
                if (a->kind == FA_ASSIGN || a->kind == FA_REINIT)
                    join(c, a->var, c->continuous);
            }
        }
}

static void first_nodes(Scan *s)
{
    Clocks *c = s->c;
    for (int i = 0; i < c->in->nvar; i++)
        new_node(c, c->in->var[i].span);
    c->continuous = new_node(c, c->in->span);
    c->node.at[c->continuous].continuous = true;
    c->first_when = c->node.n;
    for (int i = 0; i < c->in->nclock; i++)
        new_node(c, c->in->span);
    for (int i = 0; i < c->in->nclock; i++) {
        set_clocked(c, c->first_when + i, s->span);
        if (expr_clocked_kind(c->dag, c->in->clock[i]) != EC_INFER)
            join(c, c->first_when + i, clock_node(s, c->in->clock[i]));
    }
}

static void check_mixed(Clocks *c)
{
    int k = clocks_find(c, c->continuous);
    if (!c->node.at[k].clocked || c->failed)
        return;
    diag_report(c->diag, c->node.at[k].span, DIAG_E1901,
                "what has a clock and what has none are used together here: "
                "sample() and hold() lead from one to the other");
    c->failed = true;
}

void clocks_partition(Clocks *c)
{
    Scan s = {.c = c, .span = c->in->span};
    s.seen = NEW_ARRAY(c->local, int, dag_count(c->dag));
    first_nodes(&s);
    machine_nodes(c);
    c->owner = NEW_ARRAY(c->local, int, c->in->neqn + 1);
    c->assert_owner = NEW_ARRAY(c->local, int, c->in->nassertion + 1);
    for (int i = 0; i < c->in->neqn; i++)
        scan_equation(&s, &c->in->eqn[i], &c->owner[i]);
    for (int i = 0; i < c->in->nassertion; i++) {
        const FlatAssert *a = &c->in->assertion[i];
        s.span = a->span;
        c->assert_owner[i] = new_node(c, a->span);
        if (a->clock)
            join(c, c->assert_owner[i], c->first_when + a->clock - 1);
        join_state(c, c->assert_owner[i], a->component);
        scan(&s, a->condition, c->assert_owner[i]);
    }
    scan_transitions(&s);
    scan_whens(&s);
    check_mixed(c);
}
