/* map.c - an expression with some of its leaves replaced. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

struct ExprMap {
    Dag *d;
    ExprReplace *replace;
    void *context;
    Memo memo;
};

ExprMap *expr_map_new(Dag *d, ExprReplace *replace, void *context, Arena *arena)
{
    ExprMap *m = NEW(arena, ExprMap);
    m->d = d;
    m->replace = replace;
    m->context = context;
    memo_init(&m->memo, arena);
    return m;
}

void expr_map_fix(ExprMap *m, Expr from, Expr to)
{
    memo_set(&m->memo, from, to);
}

static Expr replaced(ExprMap *m, Expr leaf)
{
    if (!m->replace)
        return leaf;
    Expr to = m->replace(m->context, m->d, leaf);
    return to == EXPR_NONE ? leaf : to;
}

Expr expr_rebuild(Dag *d, Expr e, const Expr *arg)
{
    const ExprNode *n = node_of(d, e);
    const Expr *old = args_of(n);
    bool same = true;
    for (int i = 0; i < n->narg; i++) {
        if (arg[i] == EXPR_NONE)
            return EXPR_NONE;
        same = same && arg[i] == old[i];
    }
    if (n->narg == 0)
        return e;
    if (n->op == EX_CALL)
        return same ? e
                    : expr_call(d, n->fn, n->order, (ExprType)n->type, arg,
                                n->narg);
    return expr_make(d, (ExprOp)n->op, arg[0], n->narg > 1 ? arg[1] : EXPR_NONE,
                     n->narg > 2 ? arg[2] : EXPR_NONE);
}

/* edge(b) is b and not pre(b), change(v) is v <> pre(v); `now` is what became
 * of the argument, and pre() of it is a leaf of its own. */
static Expr map_edge(ExprMap *m, Expr e, Expr now)
{
    Dag *d = m->d;
    ExprOp op = op_of(d, e);
    Expr before = replaced(m, expr_unary(d, EX_PRE, node_of(d, e)->arg[0]));
    if (op == EX_CHANGE)
        return expr_binary(d, EX_NE, now, before);
    return expr_binary(d, EX_AND, now, expr_unary(d, EX_NOT, before));
}

Expr expr_map(ExprMap *m, Expr root)
{
    Dag *d = m->d;
    if (root == EXPR_NONE)
        return root;
    Walk w = walk_begin(d);
    w.stop = OP_BIT(EX_PRE);
    w.memo = &m->memo;
    walk_push(&w, root);
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;) {
        const ExprNode *n = node_of(d, e);
        Expr to = e;
        if (n->op == EX_VAR || n->op == EX_PRE) {
            to = replaced(m, e);
        } else if (n->op == EX_EDGE || n->op == EX_CHANGE) {
            to = map_edge(m, e, *walk_value(&w, n->arg[0]));
        } else if (n->narg > 0) {
            ExprVec *arg = &w.s->list;
            vec_clear(arg);
            for (int i = 0; i < n->narg; i++)
                vec_push(d->pool->arena, arg, *walk_value(&w, args_of(n)[i]));
            to = expr_rebuild(d, e, arg->at);
        }
        *walk_value(&w, e) = to;
        memo_set(&m->memo, e, to);
    }
    Expr result = *walk_value(&w, root);
    walk_end(&w);
    return result;
}

Expr expr_substitute(Dag *d, Expr e, Expr leaf, Expr value)
{
    if (!expr_contains(d, e, leaf))
        return e;
    Arena *local = arena_new();
    ExprMap *m = expr_map_new(d, NULL, NULL, local);
    expr_map_fix(m, leaf, value);
    Expr result = expr_map(m, e);
    arena_free(local);
    return result;
}
