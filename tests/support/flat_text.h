/* flat_text.h - flat models for tests, read from a few lines of text.
 *
 *     Flat *f = flat_text("Real x(start=1, fixed=true); parameter Real a = 2;"
 *                         "equation der(x) = -a*x;", arena);
 *
 * Scalar variables, equations, initial equations and when clauses; names may
 * hold dots and subscripts. A member of component "a.b" is declared by its
 * full name. A text that does not follow this stops the test.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_FLAT_TEXT_H
#define TAKT_TESTS_FLAT_TEXT_H

#include <ctype.h>
#include <stdlib.h>

#include "base/vec.h"
#include "flat/flat.h"

typedef struct FlatText {
    const char *at, *begin;
    Arena *arena;
    Flat *flat;
    Vec(FlatVar) var;
    Vec(FlatEqn) eqn, initial;
    Vec(FlatWhen) when;
} FlatText;

static inline void ft_fail(FlatText *t, const char *what)
{
    fprintf(stderr, "flat_text: %s at \"%.40s\"\n", what, t->at);
    abort();
}

static inline void ft_space(FlatText *t)
{
    while (isspace((unsigned char)*t->at))
        t->at++;
}

static inline bool ft_take(FlatText *t, const char *s)
{
    size_t n = strlen(s);
    ft_space(t);
    if (strncmp(t->at, s, n) != 0)
        return false;
    bool is_word = isalpha((unsigned char)s[n - 1]);
    if (is_word && (isalnum((unsigned char)t->at[n]) || t->at[n] == '_'))
        return false;
    t->at += n;
    return true;
}

static inline void ft_need(FlatText *t, const char *s)
{
    if (!ft_take(t, s))
        ft_fail(t, s);
}

static inline const char *ft_name(FlatText *t)
{
    ft_space(t);
    const char *p = t->at;
    while (isalnum((unsigned char)*p) || *p == '_' || *p == '.' || *p == '[')
        p += *p == '[' ? strcspn(p, "]") + 1 : 1;
    if (p == t->at)
        ft_fail(t, "name");
    const char *name = arena_strndup(t->arena, t->at, (size_t)(p - t->at));
    t->at = p;
    return name;
}

static inline int ft_find(FlatText *t, const char *name)
{
    for (int v = 0; v < t->var.n; v++) {
        if (strcmp(t->var.at[v].name, name) == 0)
            return v;
    }
    ft_fail(t, name);
    return NONE;
}

static inline Expr ft_expr(FlatText *t, int level);

static inline Expr ft_leaf(FlatText *t, const char *name, int order)
{
    int v = ft_find(t, name);
    FlatType type = t->var.at[v].type;
    return expr_var(t->flat->dag, v, order,
                    type == FT_REAL      ? ET_REAL
                    : type == FT_BOOLEAN ? ET_BOOLEAN
                                         : ET_INTEGER);
}

static inline Expr ft_call(FlatText *t)
{
    static const struct {
        const char *name;
        ExprOp op;
    } fn[] = {
        {"sin", EX_SIN},         {"cos", EX_COS},         {"exp", EX_EXP},
        {"sqrt", EX_SQRT},       {"log", EX_LOG},         {"abs", EX_ABS},
        {"pre", EX_PRE},         {"edge", EX_EDGE},       {"change", EX_CHANGE},
        {"noEvent", EX_NOEVENT}, {"integer", EX_INTEGER}, {"tan", EX_TAN},
        {"tanh", EX_TANH},       {"atan", EX_ATAN},       {"asin", EX_ASIN}};
    Dag *d = t->flat->dag;
    if (ft_take(t, "initial()"))
        return expr_make(d, EX_INITIAL, EXPR_NONE, EXPR_NONE, EXPR_NONE);
    if (ft_take(t, "der")) {
        ft_need(t, "(");
        Expr e = ft_expr(t, 0);
        ft_need(t, ")");
        int v, order;
        if (expr_is_var(d, e, &v, &order))
            return expr_var(d, v, order + 1, ET_REAL);
        return expr_unary(d, EX_DER, e);
    }
    for (size_t k = 0; k < sizeof fn / sizeof *fn; k++) {
        if (!ft_take(t, fn[k].name))
            continue;
        ft_need(t, "(");
        Expr e = ft_expr(t, 0);
        ft_need(t, ")");
        return expr_unary(d, fn[k].op, e);
    }
    return EXPR_NONE;
}

static inline Expr ft_primary(FlatText *t)
{
    Dag *d = t->flat->dag;
    ft_space(t);
    if (ft_take(t, "(")) {
        Expr e = ft_expr(t, 0);
        ft_need(t, ")");
        return e;
    }
    if (ft_take(t, "-"))
        return expr_neg(d, ft_expr(t, 5));
    if (ft_take(t, "not"))
        return expr_unary(d, EX_NOT, ft_expr(t, 3));
    if (ft_take(t, "true"))
        return expr_bool(d, true);
    if (ft_take(t, "false"))
        return expr_bool(d, false);
    if (ft_take(t, "time"))
        return expr_time(d);
    if (ft_take(t, "if")) {
        Expr c = ft_expr(t, 0);
        ft_need(t, "then");
        Expr a = ft_expr(t, 0);
        ft_need(t, "else");
        return expr_if(d, c, a, ft_expr(t, 0));
    }
    if (isdigit((unsigned char)*t->at)) {
        char *end;
        double x = strtod(t->at, &end);
        bool real = memchr(t->at, '.', (size_t)(end - t->at)) ||
                    memchr(t->at, 'e', (size_t)(end - t->at));
        t->at = end;
        return real ? expr_real(d, x) : expr_int(d, x);
    }
    Expr e = ft_call(t);
    return e != EXPR_NONE ? e : ft_leaf(t, ft_name(t), 0);
}

static inline Expr ft_expr(FlatText *t, int level)
{
    static const struct {
        const char *text;
        int level;
        ExprOp op;
    } ops[] = {{"or", 1, EX_OR}, {"and", 2, EX_AND}, {"<=", 4, EX_LE},
               {">=", 4, EX_GE}, {"<>", 4, EX_NE},   {"==", 4, EX_EQ},
               {"<", 4, EX_LT},  {">", 4, EX_GT},    {"+", 5, EX_ADD},
               {"-", 5, EX_SUB}, {"*", 6, EX_MUL},   {"/", 6, EX_DIV},
               {"^", 7, EX_POW}};
    Expr a = ft_primary(t);
    for (;;) {
        size_t k = 0, n = sizeof ops / sizeof *ops;
        while (k < n && (ops[k].level <= level || !ft_take(t, ops[k].text)))
            k++;
        if (k == n)
            return a;
        a = expr_binary(t->flat->dag, ops[k].op, a, ft_expr(t, ops[k].level));
    }
}

static inline void ft_modifier(FlatText *t, FlatVar *v)
{
    do {
        if (ft_take(t, "fixed")) {
            ft_need(t, "=");
            v->has_fixed = true;
            v->fixed = ft_take(t, "true");
            if (!v->fixed)
                ft_need(t, "false");
            continue;
        }
        if (ft_take(t, "stateSelect")) {
            static const char *const name[] = {"never", "avoid", "default",
                                               "prefer", "always"};
            ft_need(t, "=");
            for (int k = 0; k < 5; k++) {
                if (ft_take(t, name[k]))
                    v->state_select = (FlatStateSelect)(SS_NEVER + k);
            }
            continue;
        }
        Expr *to = ft_take(t, "start")     ? &v->start
                   : ft_take(t, "min")     ? &v->min
                   : ft_take(t, "max")     ? &v->max
                   : ft_take(t, "nominal") ? &v->nominal
                                           : NULL;
        if (!to)
            ft_fail(t, "attribute");
        ft_need(t, "=");
        *to = ft_expr(t, 0);
    } while (ft_take(t, ","));
    ft_need(t, ")");
}

/* Where the text between `from` and here stands, for messages. */
static inline Span ft_span(FlatText *t, const char *from)
{
    return (Span){0, (uint32_t)(from - t->begin), (uint32_t)(t->at - t->begin)};
}

static inline bool ft_declaration(FlatText *t)
{
    FlatVar v = flat_plain_var(NULL, NO_SPAN);
    ft_space(t);
    const char *from = t->at;
    if (ft_take(t, "final"))
        v.is_final = true;
    if (ft_take(t, "flow"))
        v.is_flow = true;
    if (ft_take(t, "parameter"))
        v.variability = FV_PARAMETER;
    else if (ft_take(t, "constant"))
        v.variability = FV_CONSTANT;
    else if (ft_take(t, "discrete"))
        v.variability = FV_DISCRETE;
    else if (ft_take(t, "input"))
        v.causality = FC_INPUT;
    else if (ft_take(t, "output"))
        v.causality = FC_OUTPUT;
    if (ft_take(t, "Real"))
        v.type = FT_REAL;
    else if (ft_take(t, "Integer"))
        v.type = FT_INTEGER;
    else if (ft_take(t, "Boolean"))
        v.type = FT_BOOLEAN;
    else
        return false;
    v.fixed = v.variability <= FV_PARAMETER;
    v.name = ft_name(t);
    if (ft_take(t, "("))
        ft_modifier(t, &v);
    if (ft_take(t, "="))
        v.binding = ft_expr(t, 0);
    v.span = ft_span(t, from);
    ft_need(t, ";");
    vec_push(t->arena, &t->var, v);
    return true;
}

static inline void ft_when(FlatText *t)
{
    FlatWhen w = {0};
    Vec(FlatWhenBranch) branch = {0};
    const char *from = t->at;
    do {
        FlatWhenBranch b = {.condition = NEW_ARRAY(t->arena, Expr, 4)};
        bool many = ft_take(t, "{");
        do {
            b.condition[b.ncondition++] = ft_expr(t, 0);
        } while (many && ft_take(t, ","));
        if (many)
            ft_need(t, "}");
        ft_need(t, "then");
        b.action = NEW_ARRAY(t->arena, FlatAction, 8);
        b.span = ft_span(t, from);
        while (ft_space(t), strncmp(t->at, "end", 3) != 0 &&
                                strncmp(t->at, "elsewhen", 8) != 0) {
            FlatAction a = {.kind = FA_ASSIGN, .message = EXPR_NONE};
            const char *begin = t->at;
            bool reinit = ft_take(t, "reinit(");
            a.var = ft_find(t, ft_name(t));
            ft_need(t, reinit ? "," : "=");
            a.value = ft_expr(t, 0);
            if (reinit) {
                a.kind = FA_REINIT;
                ft_need(t, ")");
            }
            a.span = ft_span(t, begin);
            ft_need(t, ";");
            b.action[b.naction++] = a;
        }
        vec_push(t->arena, &branch, b);
    } while (ft_take(t, "elsewhen"));
    ft_need(t, "end when;");
    w.branch = branch.at;
    w.nbranch = branch.n;
    w.span = ft_span(t, from);
    vec_push(t->arena, &t->when, w);
}

static inline void ft_equation(FlatText *t, bool initial)
{
    FlatEqn e = {.origin = FO_EQUATION, .component = 0};
    ft_space(t);
    const char *from = t->at;
    e.lhs = ft_expr(t, 0);
    ft_need(t, "=");
    e.rhs = ft_expr(t, 0);
    e.span = ft_span(t, from);
    ft_need(t, ";");
    if (initial) {
        e.ordinal = t->initial.n + 1;
        vec_push(t->arena, &t->initial, e);
    } else {
        e.ordinal = t->eqn.n + 1;
        vec_push(t->arena, &t->eqn, e);
    }
}

static inline Flat *flat_text(const char *text, Arena *arena)
{
    FlatText t = {.at = text, .begin = text, .arena = arena};
    t.flat = NEW(arena, Flat);
    t.flat->dag = dag_new(arena);
    t.flat->model = "Test";
    t.flat->comment = "";
    t.flat->span = NO_SPAN;
    t.flat->component = NEW(arena, FlatComponent);
    *t.flat->component = (FlatComponent){
        .name = "", .parent = NONE, .class_name = "Test", .span = NO_SPAN};
    t.flat->ncomponent = 1;
    while (ft_declaration(&t))
        ;
    bool initial = false;
    while (ft_space(&t), *t.at) {
        if (ft_take(&t, "initial equation"))
            initial = true;
        else if (ft_take(&t, "equation"))
            initial = false;
        else if (ft_take(&t, "when"))
            ft_when(&t);
        else
            ft_equation(&t, initial);
    }
    t.flat->var = t.var.at;
    t.flat->nvar = t.var.n;
    t.flat->eqn = t.eqn.at;
    t.flat->neqn = t.eqn.n;
    t.flat->initial = t.initial.at;
    t.flat->ninitial = t.initial.n;
    t.flat->when = t.when.at;
    t.flat->nwhen = t.when.n;
    return t.flat;
}

#endif
