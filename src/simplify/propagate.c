/* propagate.c - the work list that finds constants, dependent parameters and
 * aliases.
 *
 * An equation comes on the list at the start and whenever one of its variables
 * was found to be known or the alias of another. It is rebuilt with what is
 * known then, and
 *
 *     no unknown left      it holds, or it contradicts the others
 *     one unknown x        x = e with parameters only: x is known
 *     two unknowns x, y    x = y or x = -y: one class (union-find with sign)
 *
 * The list is first in, first out, so that an equation with many variables is
 * rebuilt only a few times. What contains pre(), time, calls of functions and
 * the like keeps its equation: such a value is no parameter.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

#include <math.h>

int simplify_find_root(Work *w, int v, int *sign)
{
    int root = v, s = 1;
    while (w->parent[root] != root) {
        s *= w->sign[root];
        root = w->parent[root];
    }
    *sign = s;
    while (w->parent[v] != root && v != root) {
        int next = w->parent[v], step = w->sign[v];
        w->parent[v] = root;
        w->sign[v] = (signed char)s;
        s *= step;
        v = next;
    }
    return root;
}

Expr simplify_signed_expr(Dag *d, FlatType type, int sign, Expr e)
{
    if (sign > 0)
        return e;
    return type == FT_BOOLEAN ? expr_unary(d, EX_NOT, e) : expr_neg(d, e);
}

/* For expr_map: the value of a leaf by what is known now. */
static Expr replace_leaf(void *context, Dag *d, Expr leaf)
{
    Work *w = context;
    bool is_pre = expr_op(d, leaf) == EX_PRE;
    int v, order, sign;
    if (!expr_is_var(d, is_pre ? expr_arg(d, leaf, 0) : leaf, &v, &order))
        return EXPR_NONE;
    int root = simplify_find_root(w, v, &sign);
    FlatType type = w->sys->var[v].type;
    if (w->known[root] != EXPR_NONE)
        return order > 0 ? expr_real(d, 0)
                         : simplify_signed_expr(d, type, sign, w->known[root]);
    if (root == v)
        return EXPR_NONE;
    Expr to = expr_var(d, root, order, simplify_type_of(type));
    if (is_pre)
        to = expr_unary(d, EX_PRE, to);
    return simplify_signed_expr(d, type, sign, to);
}

/* ---- the list ---- */
typedef struct List {
    int *start, *eqn; /* equations by variable, compressed */
    int *queue;       /* ring of neqn entries */
    int head, count, neqn;
    bool *is_queued;
    int *next, *last, *size; /* members of a class: chain from its root */
} List;

static void push(List *l, int i)
{
    if (l->is_queued[i])
        return;
    l->is_queued[i] = true;
    l->queue[(l->head + l->count++) % l->neqn] = i;
}

static int pop(List *l)
{
    int i = l->queue[l->head];
    l->head = (l->head + 1) % l->neqn;
    l->count--;
    l->is_queued[i] = false;
    return i;
}

static int leaves_of(Work *w, const SysEqn *e, Expr **leaf, Arena *arena)
{
    /* SUB would simplify; a raw node only holds both sides */
    Expr both = expr_make_raw(w->dag, EX_EQ, e->lhs, e->rhs, EXPR_NONE);
    return expr_leaves(w->dag, both, leaf, arena);
}

static List *new_list(Work *w)
{
    List *l = NEW(w->tmp, List);
    int nvar = w->sys->nvar, n = w->eqn.n;
    Expr **leaf = NEW_ARRAY(w->tmp, Expr *, n);
    int *nleaf = NEW_ARRAY(w->tmp, int, n);
    l->neqn = n;
    l->start = NEW_ARRAY(w->tmp, int, nvar + 2);
    for (int i = 0; i < n; i++) {
        nleaf[i] = leaves_of(w, &w->eqn.at[i], &leaf[i], w->tmp);
        for (int k = 0; k < nleaf[i]; k++) {
            int v, order;
            expr_is_var(w->dag, leaf[i][k], &v, &order);
            l->start[v + 2]++;
        }
    }
    for (int v = 0; v < nvar; v++)
        l->start[v + 2] += l->start[v + 1];
    l->eqn = NEW_ARRAY(w->tmp, int, l->start[nvar + 1]);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < nleaf[i]; k++) {
            int v, order;
            expr_is_var(w->dag, leaf[i][k], &v, &order);
            l->eqn[l->start[v + 1]++] = i;
        }
    }
    l->next = NEW_ARRAY(w->tmp, int, nvar);
    l->last = NEW_ARRAY(w->tmp, int, nvar);
    l->size = NEW_ARRAY(w->tmp, int, nvar);
    for (int v = 0; v < nvar; v++) {
        l->next[v] = NONE;
        l->last[v] = v;
        l->size[v] = 1;
    }
    l->queue = NEW_ARRAY(w->tmp, int, n);
    l->is_queued = NEW_ARRAY(w->tmp, bool, n);
    return l;
}

static void push_users(Work *w, List *l, int v)
{
    for (int k = l->start[v]; k < l->start[v + 1]; k++) {
        if (!w->is_gone[l->eqn[k]])
            push(l, l->eqn[k]);
    }
}

/* ---- one equation ---- */
/* An equation rebuilt with what is known. */
typedef struct Rebuilt {
    int eqn;
    Expr lhs, rhs;
    Expr leaf[3]; /* leaves that are no parameters, the first three */
    int nleaf;
} Rebuilt;

static Rebuilt rebuild(Work *w, int i, Arena *scratch)
{
    ExprMap *map = expr_map_new(w->dag, replace_leaf, w, scratch);
    const SysEqn *e = &w->eqn.at[i];
    Rebuilt r = {.eqn = i};
    r.lhs = expr_map(map, e->lhs);
    r.rhs = expr_map(map, e->rhs);
    SysEqn both = {.lhs = r.lhs, .rhs = r.rhs};
    Expr *leaf;
    int n = leaves_of(w, &both, &leaf, scratch);
    for (int k = 0; k < n; k++) {
        int v, order;
        expr_is_var(w->dag, leaf[k], &v, &order);
        SysRole role = w->sys->var[v].role;
        if (role == SR_PARAMETER || role == SR_FREE)
            continue;
        if (r.nleaf < 3)
            r.leaf[r.nleaf] = leaf[k];
        r.nleaf++;
    }
    return r;
}

static void find_unsafe(void *context, const Dag *d, Expr e)
{
    switch (expr_op(d, e)) {
    case EX_TIME:
    case EX_PRE:
    case EX_INITIAL:
    case EX_TERMINAL:
    case EX_SAMPLE:
    case EX_DELAY:
    case EX_DER: *(bool *)context = true; break;
    default: break;
    }
}

/* Is the value of e known before the start, once and for all? */
static bool is_parametric(Work *w, Expr e)
{
    bool unsafe = false;
    expr_walk(w->dag, &e, 1, find_unsafe, &unsafe);
    if (unsafe)
        return false;
    Expr *leaf;
    int n = expr_leaves(w->dag, e, &leaf, w->tmp);
    for (int k = 0; k < n; k++) {
        int v, order;
        expr_is_var(w->dag, leaf[k], &v, &order);
        if (w->sys->var[v].role != SR_PARAMETER)
            return false;
    }
    return true;
}

static void set_known(Work *w, List *l, int v, Expr value, int eqn)
{
    w->known[v] = value;
    w->known_by[v] = eqn;
    w->is_gone[eqn] = true;
    for (int m = v; m != NONE; m = l->next[m])
        push_users(w, l, m);
}

/* lhs = rhs has the one unknown r->leaf[0]: is it known by this? */
static void try_known(Work *w, List *l, const Rebuilt *r)
{
    int v, order;
    expr_is_var(w->dag, r->leaf[0], &v, &order);
    if (order != 0 || w->sys->var[v].role == SR_INPUT)
        return;
    Expr x = r->leaf[0], value = EXPR_NONE;
    if (r->lhs == x && !expr_contains(w->dag, r->rhs, x))
        value = r->rhs;
    else if (r->rhs == x && !expr_contains(w->dag, r->lhs, x))
        value = r->lhs;
    else if (w->sys->var[v].type == FT_REAL)
        value = expr_solve(w->dag, r->lhs, r->rhs, x, NULL, NULL);
    if (value != EXPR_NONE && is_parametric(w, value))
        set_known(w, l, v, value, r->eqn);
}

/* +1 if the equation says x = y, -1 if x = -y (or x = not y), 0 else. */
static int alias_sign(Work *w, const Rebuilt *r, Expr x, Expr y)
{
    Dag *d = w->dag;
    if ((r->lhs == x && r->rhs == y) || (r->lhs == y && r->rhs == x))
        return 1;
    if (expr_type(d, x) == ET_BOOLEAN) {
        Expr nx = expr_unary(d, EX_NOT, x), ny = expr_unary(d, EX_NOT, y);
        bool negated =
            (r->lhs == x && r->rhs == ny) || (r->lhs == y && r->rhs == nx) ||
            (r->lhs == nx && r->rhs == y) || (r->lhs == ny && r->rhs == x);
        return negated ? -1 : 0;
    }
    Expr slope, rest, slope_y, rest_y;
    double a, b;
    Expr residual = expr_sub(d, r->lhs, r->rhs);
    if (expr_dependence(d, residual, x, &slope, &rest) != DEP_LINEAR ||
        !expr_is_const(d, slope, &a) || a == 0)
        return 0;
    if (expr_dependence(d, rest, y, &slope_y, &rest_y) != DEP_LINEAR ||
        !expr_is_const(d, slope_y, &b) || !expr_is_zero(d, rest_y))
        return 0;
    return a == -b ? 1 : a == b ? -1 : 0;
}

static bool may_alias(const SysVar *x, const SysVar *y)
{
    if (x->role == SR_INPUT && y->role == SR_INPUT)
        return false;
    bool discrete = x->role == SR_DISCRETE || y->role == SR_DISCRETE;
    if (discrete && x->role != y->role && x->type == FT_REAL)
        return false; /* a held value is not the same as a continuous one */
    return x->type == y->type;
}

/* Joins the classes of the roots a and b: a = sign * b. An input stays root,
 * else the larger class. */
static void join(Work *w, List *l, int a, int b, int sign)
{
    if (w->sys->var[a].role == SR_INPUT ||
        (w->sys->var[b].role != SR_INPUT && l->size[a] > l->size[b])) {
        int t = a;
        a = b;
        b = t;
    }
    w->parent[a] = b;
    w->sign[a] = (signed char)sign;
    for (int m = a; m != NONE; m = l->next[m])
        push_users(w, l, m);
    l->next[l->last[b]] = a;
    l->last[b] = l->last[a];
    l->size[b] += l->size[a];
}

static void try_alias(Work *w, List *l, const Rebuilt *r)
{
    int a, b, order_a, order_b;
    expr_is_var(w->dag, r->leaf[0], &a, &order_a);
    expr_is_var(w->dag, r->leaf[1], &b, &order_b);
    if (order_a || order_b || !may_alias(&w->sys->var[a], &w->sys->var[b]))
        return;
    int sign = alias_sign(w, r, r->leaf[0], r->leaf[1]);
    if (sign == 0)
        return;
    w->is_gone[r->eqn] = true;
    join(w, l, a, b, sign);
}

/* ---- equations without unknowns ---- */
void simplify_note_causes(Work *w, int i)
{
    Expr *leaf;
    int n = leaves_of(w, &w->eqn.at[i], &leaf, w->tmp), said = 0;
    for (int k = 0; k < n && said < 4; k++) {
        int v, order, sign;
        expr_is_var(w->dag, leaf[k], &v, &order);
        int root = simplify_find_root(w, v, &sign);
        if (w->known[root] == EXPR_NONE)
            continue;
        Expr value = simplify_signed_expr(w->dag, w->sys->var[v].type, sign,
                                          w->known[root]);
        diag_note(w->diag, w->eqn.at[w->known_by[root]].span,
                  "'%s' is already determined as %s here", w->sys->var[v].name,
                  expr_text(w->dag, value, sys_var_name, w->sys, 60, w->tmp));
        said++;
    }
}

static bool about_equal(double a, double b)
{
    double scale = fmax(fabs(a), fabs(b));
    return a == b || fabs(a - b) <= 1e-9 * scale;
}

/* The equation has no unknown left. Numbers are compared now; parameters when
 * their values are known, at the end. */
static void close_equation(Work *w, const Rebuilt *r)
{
    SysEqn e = w->eqn.at[r->eqn];
    w->is_gone[r->eqn] = true;
    double a, b;
    bool numbers =
        expr_is_const(w->dag, r->lhs, &a) && expr_is_const(w->dag, r->rhs, &b);
    if (numbers && !about_equal(a, b)) {
        diag_report(
            w->diag, e.span, DIAG_E1001,
            "this equation cannot hold: it says %s = %s",
            expr_text(w->dag, r->lhs, sys_var_name, w->sys, 60, w->tmp),
            expr_text(w->dag, r->rhs, sys_var_name, w->sys, 60, w->tmp));
        simplify_note_causes(w, r->eqn);
        return;
    }
    vec_push(w->tmp, &w->redundant, e);
    vec_push(w->tmp, &w->redundant_eqn, r->eqn);
}

/* Is it an equation of a network, whose unknowns stay apart? */
static bool is_kept(const Work *w, int i)
{
    SysOrigin o = w->eqn.at[i].origin;
    return w->options.keep_aliases ||
           (w->options.network && o.rule == RULE_FLAT &&
            w->options.network->is_kept[o.from]);
}

static void examine(Work *w, List *l, int i, Arena *scratch)
{
    if (w->eqn.at[i].origin.rule == RULE_WHEN)
        return;
    Rebuilt r = rebuild(w, i, scratch);
    if (r.lhs == r.rhs)
        close_equation(w, &r);
    else if (r.nleaf == 0 && is_parametric(w, r.lhs) && is_parametric(w, r.rhs))
        close_equation(w, &r);
    else if (r.nleaf == 1)
        try_known(w, l, &r);
    else if (r.nleaf == 2 && !is_kept(w, i))
        try_alias(w, l, &r);
}

static void set_up_classes(Work *w)
{
    int n = w->sys->nvar;
    w->parent = NEW_ARRAY(w->tmp, int, n);
    w->sign = NEW_ARRAY(w->tmp, signed char, n);
    w->known = NEW_ARRAY(w->tmp, Expr, n);
    w->known_by = NEW_ARRAY(w->tmp, int, n);
    for (int v = 0; v < n; v++) {
        w->parent[v] = v;
        w->sign[v] = 1;
        w->known[v] = EXPR_NONE;
        w->known_by[v] = NONE;
    }
    w->is_gone = NEW_ARRAY(w->tmp, bool, w->eqn.n);
}

void simplify_propagate(Work *w)
{
    set_up_classes(w);
    if (w->eqn.n == 0)
        return;
    List *l = new_list(w);
    for (int i = 0; i < w->eqn.n; i++)
        push(l, i);
    Arena *scratch = arena_new();
    for (int done = 0; l->count > 0; done++) {
        if (done % 4096 == 4095) {
            arena_free(scratch);
            scratch = arena_new();
        }
        int i = pop(l);
        if (!w->is_gone[i])
            examine(w, l, i, scratch);
    }
    arena_free(scratch);
}
