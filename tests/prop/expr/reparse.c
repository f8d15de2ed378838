/* SPDX-License-Identifier: BSD-3-Clause */
#include "prop/expr/reparse.h"

#include <string.h>

#include "parse/parse.h"

static const char *const op_text[EX_NOP] = {
#define OP(name, text, narg, properties, instructions, c) text,
#include "expr/ops.def"
};

static Expr convert(Dag *d, const AstExpr *a);

static Expr raw(Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    return expr_make_raw(d, op, a, b, c);
}

static Expr binary(Dag *d, const AstExpr *a)
{
    static const ExprOp op[] = {
        [OP_ADD] = EX_ADD, [OP_SUB] = EX_SUB, [OP_MUL] = EX_MUL,
        [OP_DIV] = EX_DIV, [OP_POW] = EX_POW, [OP_LT] = EX_LT,
        [OP_LE] = EX_LE,   [OP_GT] = EX_GT,   [OP_GE] = EX_GE,
        [OP_EQ] = EX_EQ,   [OP_NE] = EX_NE,   [OP_AND] = EX_AND,
        [OP_OR] = EX_OR};
    Expr left = convert(d, a->arg[0]), right = convert(d, a->arg[1]);
    if (left == EXPR_NONE || right == EXPR_NONE)
        return EXPR_NONE;
    return raw(d, op[a->op], left, right, EXPR_NONE);
}

static Expr unary(Dag *d, const AstExpr *a)
{
    Expr inner = convert(d, a->arg[0]);
    if (inner == EXPR_NONE || a->op == OP_POS)
        return inner;
    ExprOp op = a->op == OP_NOT ? EX_NOT : EX_NEG;
    return raw(d, op, inner, EXPR_NONE, EXPR_NONE);
}

static Expr if_else(Dag *d, const AstExpr *a)
{
    Expr e = convert(d, a->arg[a->narg - 1]);
    for (int i = a->narg - 3; i >= 0 && e != EXPR_NONE; i -= 2) {
        Expr condition = convert(d, a->arg[i]),
             value = convert(d, a->arg[i + 1]);
        if (condition == EXPR_NONE || value == EXPR_NONE)
            return EXPR_NONE;
        e = raw(d, EX_IF, condition, value, e);
    }
    return e;
}

static Expr reference(Dag *d, const AstExpr *a)
{
    const char *name = a->ref->part[0].name;
    if (strcmp(name, "time") == 0)
        return expr_time(d);
    int v = point_var(name);
    return v < 0 ? EXPR_NONE : expr_var(d, v, 0, point_type(v));
}

/* der(x), der(der(x)), and every operation printed as a call. */
static Expr call(Dag *d, const AstExpr *a)
{
    const char *name = a->ref->part[0].name;
    Expr arg[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
    if (a->narg > 3)
        return EXPR_NONE;
    for (int i = 0; i < a->narg; i++) {
        arg[i] = convert(d, a->arg[i]);
        if (arg[i] == EXPR_NONE)
            return EXPR_NONE;
    }
    int var, order;
    if (strcmp(name, "der") == 0)
        return expr_is_var(d, arg[0], &var, &order)
                   ? expr_var(d, var, order + 1, ET_REAL)
                   : EXPR_NONE;
    for (int op = EX_SIN; op < EX_NOP; op++) {
        if (strcmp(op_text[op], name) == 0)
            return raw(d, (ExprOp)op, arg[0], arg[1], arg[2]);
    }
    return EXPR_NONE;
}

/* By recursion: the texts of the test are short. */
static Expr convert(Dag *d, const AstExpr *a)
{
    switch (a->kind) {
    case AE_INTEGER: return expr_int(d, a->value);
    case AE_REAL: return expr_real(d, a->value);
    case AE_BOOLEAN: return expr_bool(d, a->value != 0);
    case AE_REF: return reference(d, a);
    case AE_UNARY: return unary(d, a);
    case AE_BINARY: return binary(d, a);
    case AE_IF: return if_else(d, a);
    case AE_CALL: return call(d, a);
    case AE_TUPLE: return a->narg == 1 ? convert(d, a->arg[0]) : EXPR_NONE;
    default: return EXPR_NONE;
    }
}

Expr reparse(Dag *d, const char *text)
{
    Arena *local = arena_new();
    Sources *sources = sources_new(local);
    int source = sources_add(sources, "printed", text, strlen(text));
    Diag *diag = diag_new(sources, local);
    AstExpr *a = parse_expr(sources, source, intern_new(local), local, diag);
    Expr e = a && !diag_failed(diag) ? convert(d, a) : EXPR_NONE;
    if (e == EXPR_NONE)
        diag_print(diag, stdout);
    arena_free(local);
    return e;
}
