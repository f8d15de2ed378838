/* alias.c - take out equations that only give a quantity a second name.
 *
 * der(x) = v says that two unknowns are one. The less telling of the two, a
 * derivative or a stage, is replaced in all other equations, and its value is
 * computed after the system. Unknowns that are equal form trees (union-find
 * with signs); an equation that would close a circle stays.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inline/inline_internal.h"

typedef struct Union {
    Inliner *in;
    const bool *is_unknown; /* of the system, by entry */
    int *parent;            /* by entry, itself: a root */
    int *sign;              /* against the parent */
    bool any;
} Union;

/* The root of `var` and the sign against it; every second parent on the way is
 * skipped from now on, which keeps the trees flat. */
static int find_root(const Union *u, int var, int *sign)
{
    *sign = 1;
    while (u->parent[var] != var) {
        int up = u->parent[var];
        u->sign[var] *= u->parent[up] == up ? 1 : u->sign[up];
        u->parent[var] = u->parent[up];
        *sign *= u->sign[var];
        var = u->parent[var];
    }
    return var;
}

/* Is `e` plus or minus an unknown of the system? */
static bool is_unknown(const Union *u, Expr e, int *var, int *sign)
{
    const Dag *d = u->in->d->dag;
    int order = 0;
    *sign = 1;
    if (expr_op(d, e) == EX_NEG) {
        *sign = -1;
        e = expr_arg(d, e, 0);
    }
    return expr_is_var(d, e, var, &order) && u->is_unknown[*var] &&
           expr_type(d, e) == ET_REAL;
}

/* The more telling entry: at the end of the step, of a low derivative, a
 * state, early in the table. */
static bool is_better(const Inliner *in, int a, int b)
{
    const InlinedVar *x = &in->var.at[a], *y = &in->var.at[b];
    if ((x->stage == DIFF_END) != (y->stage == DIFF_END))
        return x->stage == DIFF_END;
    if (x->is_state != y->is_state)
        return x->is_state;
    if (x->order != y->order)
        return x->order < y->order;
    return a < b;
}

/* Is it an equation of a network, whose unknowns stay apart? */
static bool is_kept(const Union *u, const InlinedEqn *e)
{
    const Inlined *d = u->in->d;
    if (!d->sys->network || e->kind != IE_MODEL)
        return false;
    SysOrigin o = (d->dae ? d->dae->eqn : d->sys->eqn)[e->from].origin;
    return o.rule == RULE_FLAT && d->sys->network->is_kept[o.from];
}

/* Joins the two sides of the equation; false if it is no alias. */
static bool join(Union *u, const InlinedEqn *e)
{
    int a = NONE, b = NONE, sa = 1, sb = 1, ra, rb;
    if (e->is_discrete || is_kept(u, e) || !is_unknown(u, e->lhs, &a, &sa) ||
        !is_unknown(u, e->rhs, &b, &sb))
        return false;
    int root_a = find_root(u, a, &ra), root_b = find_root(u, b, &rb);
    if (root_a == root_b)
        return false;
    int sign = sa * sb * ra * rb;
    int from = is_better(u->in, root_a, root_b) ? root_b : root_a;
    int to = from == root_a ? root_b : root_a;
    u->parent[from] = to;
    u->sign[from] = sign;
    u->any = true;
    return true;
}

static Expr replace_alias(void *context, Dag *d, Expr leaf)
{
    Union *u = context;
    int var = NONE, order = 0, sign;
    if (!expr_is_var(d, leaf, &var, &order) || u->parent[var] == var)
        return EXPR_NONE;
    Expr root = u->in->var.at[find_root(u, var, &sign)].leaf;
    return sign > 0 ? root : expr_neg(d, root);
}

static void keep_others(Inliner *in, const Union *u, InlinedSystem *s,
                        const bool *is_alias)
{
    ExprMap *map = expr_map_new(in->d->dag, replace_alias, (void *)u, in->work);
    Vec(InlinedAlias) alias = {0};
    int neqn = 0, nunknown = 0;
    for (int i = 0; i < s->neqn; i++) {
        InlinedEqn e = s->eqn[i];
        e.lhs = expr_map(map, e.lhs);
        e.rhs = expr_map(map, e.rhs);
        if (!is_alias[i])
            s->eqn[neqn++] = e;
    }
    for (int i = 0; i < s->nunknown; i++) {
        int var = s->unknown[i], sign;
        int root = find_root(u, var, &sign);
        if (root == var)
            s->unknown[nunknown++] = var;
        else
            vec_push(in->arena, &alias, ((InlinedAlias){var, root, sign}));
    }
    s->neqn = neqn;
    s->nunknown = nunknown;
    s->alias = alias.at;
    s->nalias = alias.n;
}

void alias_remove(Inliner *in, InlinedSystem *s)
{
    int n = in->var.n;
    bool *unknown = NEW_ARRAY(in->work, bool, n);
    bool *is_alias = NEW_ARRAY(in->work, bool, s->neqn + 1);
    Union u = {in, unknown, NEW_ARRAY(in->work, int, n),
               NEW_ARRAY(in->work, int, n), false};
    for (int i = 0; i < n; i++)
        u.parent[i] = i;
    for (int i = 0; i < s->nunknown; i++)
        unknown[s->unknown[i]] = true;
    for (int i = 0; i < s->neqn; i++)
        is_alias[i] = join(&u, &s->eqn[i]);
    if (u.any)
        keep_others(in, &u, s, is_alias);
}
