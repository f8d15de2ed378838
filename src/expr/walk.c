/* walk.c - visiting what is reachable from an expression.
 *
 * A walk keeps its own stack and marks nodes in a Scratch taken from a pool of
 * the Dag, so walks may nest and none clears an array: a mark counts only if
 * it carries the epoch of the walk. The cost is that of the nodes visited,
 * whatever the size of the DAG.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <stdlib.h>

/* ---- scratch ---- */
Cell *scratch_grow(Scratch *s, Expr e)
{
    int k = e >> CHUNK_BITS;
    if (k >= s->nchunk) {
        int n = 2 * s->nchunk > k + 16 ? 2 * s->nchunk : k + 16;
        s->chunk = arena_grow(s->pool->arena, s->chunk,
                              (size_t)s->nchunk * sizeof *s->chunk,
                              (size_t)n * sizeof *s->chunk);
        s->nchunk = n;
    }
    if (!s->chunk[k])
        s->chunk[k] = NEW_ARRAY(s->pool->arena, Cell, CHUNK_SIZE);
    return &s->chunk[k][e & CHUNK_MASK];
}

static Scratch *scratch_take(const Dag *d)
{
    Scratch *s = d->pool->free;
    if (s) {
        d->pool->free = s->next;
    } else {
        s = NEW(d->arena, Scratch);
        s->pool = d->pool;
    }
    if (s->epoch >= UINT32_MAX - 4) { /* the stamps are used up */
        for (int k = 0; k < s->nchunk; k++) {
            if (s->chunk[k])
                memset(s->chunk[k], 0, CHUNK_SIZE * sizeof(Cell));
        }
        s->epoch = 0;
    }
    s->epoch += 2;
    vec_clear(&s->stack);
    vec_clear(&s->list);
    vec_clear(&s->number);
    return s;
}

static void scratch_give(Scratch *s)
{
    s->next = s->pool->free;
    s->pool->free = s;
}

/* ---- walks ---- */
Walk walk_begin(const Dag *d)
{
    return (Walk){.d = d, .s = scratch_take(d)};
}

void walk_end(Walk *w)
{
    scratch_give(w->s);
    w->s = NULL;
}

void walk_push(Walk *w, Expr root)
{
    if (root >= w->least)
        vec_push(w->s->pool->arena, &w->s->stack, root);
}

static void push_args(Walk *w, const ExprNode *n)
{
    const Expr *arg = args_of(n);
    for (int i = n->narg - 1; i >= 0; i--)
        walk_push(w, arg[i]);
}

Expr walk_next(Walk *w)
{
    Scratch *s = w->s;
    while (s->stack.n > 0) {
        Expr e = vec_last(&s->stack);
        Cell *c = scratch_cell(s, e);
        if (c->stamp == s->epoch + 1) {
            s->stack.n--;
            continue;
        }
        const ExprNode *n = node_of(w->d, e);
        bool open = c->stamp == s->epoch;
        if (!open && w->memo && memo_find(w->memo, e, &c->value)) {
            c->stamp = s->epoch + 1;
            s->stack.n--;
            continue;
        }
        if (open || n->narg == 0 || w->stop & OP_BIT(n->op)) {
            c->stamp = s->epoch + 1;
            s->stack.n--;
            return e;
        }
        c->stamp = s->epoch;
        push_args(w, n);
    }
    return EXPR_NONE;
}

void expr_walk(const Dag *d, const Expr *root, int nroot, ExprVisit *visit,
               void *context)
{
    Walk w = walk_begin(d);
    for (int i = nroot - 1; i >= 0; i--) {
        if (root[i] != EXPR_NONE)
            walk_push(&w, root[i]);
    }
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;)
        visit(context, d, e);
    walk_end(&w);
}

/* ---- questions answered by one walk ---- */
static int by_handle(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return (x > y) - (x < y);
}

int expr_leaves(const Dag *d, Expr e, Expr **leaf, Arena *arena)
{
    Walk w = walk_begin(d);
    w.stop = OP_BIT(EX_PRE);
    ExprVec *found = &w.s->list;
    walk_push(&w, e);
    for (Expr f; (f = walk_next(&w)) != EXPR_NONE;) {
        if (op_of(d, f) == EX_VAR)
            vec_push(d->pool->arena, found, f);
    }
    int n = found->n;
    *leaf = NEW_ARRAY(arena, Expr, n);
    if (n) {
        memcpy(*leaf, found->at, (size_t)n * sizeof(Expr));
        qsort(*leaf, (size_t)n, sizeof(Expr), by_handle);
    }
    walk_end(&w);
    return n;
}

bool expr_contains(const Dag *d, Expr e, Expr leaf)
{
    if (e <= leaf)
        return e == leaf;
    Walk w = walk_begin(d);
    w.stop = OP_BIT(EX_PRE);
    w.least = leaf; /* arguments have smaller handles */
    walk_push(&w, e);
    Expr f = walk_next(&w);
    while (f != EXPR_NONE && f != leaf)
        f = walk_next(&w);
    walk_end(&w);
    return f == leaf;
}

bool expr_has_op(const Dag *d, Expr e, ExprOp op)
{
    Walk w = walk_begin(d);
    walk_push(&w, e);
    Expr f = walk_next(&w);
    while (f != EXPR_NONE && op_of(d, f) != op)
        f = walk_next(&w);
    walk_end(&w);
    return f != EXPR_NONE;
}

int expr_events(const Dag *d, const Expr *root, int nroot, Expr **event,
                Arena *arena)
{
    Walk w = walk_begin(d);
    w.stop = OP_BIT(EX_NOEVENT) | OP_BIT(EX_PRE);
    for (int i = 0; i < nroot; i++) {
        if (root[i] != EXPR_NONE)
            walk_push(&w, root[i]);
    }
    ExprVec *found = &w.s->list;
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;) {
        if (op_has(op_of(d, e), OP_EVENT))
            vec_push(d->pool->arena, found, e);
    }
    int n = found->n;
    *event = NEW_ARRAY(arena, Expr, n);
    if (n) {
        memcpy(*event, found->at, (size_t)n * sizeof(Expr));
        qsort(*event, (size_t)n, sizeof(Expr), by_handle);
    }
    walk_end(&w);
    return n;
}
