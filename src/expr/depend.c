/* depend.c - how an expression depends on a leaf: not, linearly, otherwise.
 *
 * Each node that contains x is split into slope*x + rest by a walk with the
 * arguments first; both parts are free of x. What cannot be split is
 * nonlinear.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

typedef struct Line {
    bool bent; /* nonlinear: the rest says nothing */
    Expr slope, rest;
} Line;

typedef Vec(Line) LineVec;

typedef struct Splitting {
    Dag *d;
    Expr x;
    Expr zero, one;
    Walk walk; /* walk_value of a node: its line */
    Arena *local;
    LineVec line;
} Splitting;

static const Line bent = {true, EXPR_NONE, EXPR_NONE};

static Line line_of(Splitting *s, Expr e)
{
    if (e == s->x)
        return (Line){false, s->one, s->zero};
    if (e < s->x)
        return (Line){false, s->zero, e};
    return s->line.at[*walk_value(&s->walk, e)];
}

static bool is_free(const Splitting *s, Line a)
{
    return !a.bent && expr_is_zero(s->d, a.slope);
}

/* The operation applied to slopes and to rests. */
static Line both(Splitting *s, ExprOp op, Line a, Line b)
{
    return (Line){false, expr_binary(s->d, op, a.slope, b.slope),
                  expr_binary(s->d, op, a.rest, b.rest)};
}

static Line scaled(Splitting *s, Expr factor, Line a)
{
    return (Line){false, expr_mul(s->d, factor, a.slope),
                  expr_mul(s->d, factor, a.rest)};
}

static Line chosen(Splitting *s, ExprOp op, Expr by, Line a, Line b)
{
    return (Line){false, expr_make(s->d, op, by, a.slope, b.slope),
                  expr_make(s->d, op, by, a.rest, b.rest)};
}

static Line quiet(Splitting *s, Line a)
{
    return (Line){false, expr_unary(s->d, EX_NOEVENT, a.slope),
                  expr_unary(s->d, EX_NOEVENT, a.rest)};
}

static Line split(Splitting *s, const ExprNode *n)
{
    Line a = line_of(s, n->arg[0]);
    Line b = n->narg > 1 ? line_of(s, n->arg[1]) : bent;
    Line c = n->narg > 2 ? line_of(s, n->arg[2]) : bent;
    switch (n->op) {
    case EX_ADD:
    case EX_SUB:
    case EX_HOMOTOPY:
        return a.bent || b.bent ? bent : both(s, (ExprOp)n->op, a, b);
    case EX_NEG:
        return a.bent ? bent
                      : (Line){false, expr_neg(s->d, a.slope),
                               expr_neg(s->d, a.rest)};
    case EX_MUL:
        if (a.bent || b.bent || (!is_free(s, a) && !is_free(s, b)))
            return bent;
        return is_free(s, a) ? scaled(s, a.rest, b) : scaled(s, b.rest, a);
    case EX_DIV:
        if (a.bent || !is_free(s, b))
            return bent;
        return (Line){false, expr_div(s->d, a.slope, b.rest),
                      expr_div(s->d, a.rest, b.rest)};
    case EX_IF:
    case EX_SEMILINEAR:
        if (!is_free(s, a) || b.bent || c.bent)
            return bent;
        return chosen(s, (ExprOp)n->op, a.rest, b, c);
    case EX_NOEVENT: return a.bent ? bent : quiet(s, a);
    case EX_SMOOTH: return b.bent ? bent : quiet(s, b);
    default: return bent;
    }
}

/* Nodes without x in them stay as they are, and are rebuilt where x has
 * cancelled further down. */
static Line split_node(Splitting *s, Expr e)
{
    const ExprNode *n = node_of(s->d, e);
    bool free = true, same = true;
    if (s->walk.stop & OP_BIT(n->op))
        return (Line){false, s->zero, e};
    ExprVec *rest = &s->walk.s->list;
    vec_clear(rest);
    for (int i = 0; i < n->narg; i++) {
        Expr arg = args_of(n)[i];
        Line a = line_of(s, arg);
        free = free && is_free(s, a);
        same = same && a.rest == arg;
        vec_push(s->d->arena, rest, a.rest);
    }
    if (free)
        return (Line){false, s->zero,
                      same ? e : expr_rebuild(s->d, e, rest->at)};
    return n->op == EX_CALL ? bent : split(s, n);
}

ExprDependence expr_dependence(Dag *d, Expr e, Expr x, Expr *slope, Expr *rest)
{
    ExprType type = (ExprType)node_of(d, x)->type;
    if (type != ET_INTEGER)
        type = ET_REAL;
    Splitting s = {.d = d, .x = x, .walk = walk_begin(d)};
    s.zero = expr_constant(d, type, 0);
    s.one = expr_constant(d, type, 1);
    s.local = arena_new();
    s.walk.least = x + 1;
    s.walk.stop = OP_BIT(EX_PRE);
    walk_push(&s.walk, e);
    for (Expr f; (f = walk_next(&s.walk)) != EXPR_NONE;) {
        Line l = split_node(&s, f);
        *walk_value(&s.walk, f) = s.line.n;
        vec_push(s.local, &s.line, l);
    }
    Line l = line_of(&s, e);
    walk_end(&s.walk);
    arena_free(s.local);
    if (l.bent)
        return DEP_NONLINEAR;
    if (slope)
        *slope = l.slope;
    if (rest)
        *rest = l.rest;
    return expr_is_zero(d, l.slope) ? DEP_NONE : DEP_LINEAR;
}
