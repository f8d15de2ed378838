/* print.c - expressions as Modelica text.
 *
 * Each operation has a level of the grammar (Modelica 3.6, B.2.7); an argument
 * gets parentheses if its level is below the one its place asks for. The
 * parentheses keep the order of operations, so that text read back has the
 * same value to the last bit.
 *
 *   level      place where it may stand without parentheses
 *   EXPRESSION if ... then ... else ...: arguments of functions, parentheses
 *   OR, AND, NOT, RELATION
 *   SUM        a + b, a - b, and -a: a sign may only begin a sum
 *   PRODUCT    a*b, a/b
 *   POWER      a^b, with primaries on both sides
 *   PRIMARY    numbers, names, calls, (...)
 *
 * What is still to be printed is a stack of texts and expressions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "expr/expr_internal.h"

#include <math.h>
#include <stdlib.h>

#define MOST_TEXT (1 << 24) /* characters, where no limit is given */

typedef enum Level {
    EXPRESSION,
    OR,
    AND,
    NOT,
    RELATION,
    SUM,
    PRODUCT,
    POWER,
    PRIMARY
} Level;

typedef struct Item {
    const char *text; /* NULL: an expression */
    Expr e;
    Level level; /* the least level allowed here */
} Item;

typedef struct Printer {
    const Dag *d;
    ExprName *name;
    void *context;
    Arena *local;
    Vec(Item) todo;
    char *text; /* what is printed so far */
    int n, cap;
    int limit;
    bool full;
} Printer;

static void put(Printer *p, const char *s)
{
    int len = (int)strlen(s);
    if (p->n + len > p->limit) {
        p->full = true;
        return;
    }
    if (p->n + len + 4 > p->cap) {
        int cap = vec_capacity(p->cap, p->n + len + 4);
        p->text = arena_grow(p->local, p->text, (size_t)p->cap, (size_t)cap);
        p->cap = cap;
    }
    memcpy(p->text + p->n, s, (size_t)len + 1);
    p->n += len;
}

static void later_text(Printer *p, const char *text)
{
    vec_push(p->local, &p->todo, ((Item){text, EXPR_NONE, EXPRESSION}));
}

static void later(Printer *p, Expr e, Level level)
{
    vec_push(p->local, &p->todo, ((Item){NULL, e, level}));
}

/* ---- leaves ---- */
/* The shortest text that reads back as the same number. */
static void put_real(Printer *p, double v)
{
    char s[40];
    if (!isfinite(v)) { /* Modelica has no word for them */
        put(p, isnan(v) ? "(0.0/0.0)" : v > 0 ? "(1.0/0.0)" : "(-1.0/0.0)");
        return;
    }
    put(p, number_text(v, s));
    if (!strpbrk(s, ".e"))
        put(p, ".0");
}

static void put_const(Printer *p, const ExprNode *n)
{
    char s[40];
    switch (n->type) {
    case ET_BOOLEAN: put(p, n->value != 0 ? "true" : "false"); return;
    case ET_INTEGER:
        snprintf(s, sizeof s, "%.0f", n->value);
        put(p, s);
        return;
    default: put_real(p, n->value);
    }
}

/* A string literal with its escapes (Modelica 3.6, 2.4.6). */
static void put_string(Printer *p, const char *text)
{
    put(p, "\"");
    for (; *text && !p->full; text++) {
        char s[3] = {*text, 0, 0};
        const char *from = "\"\\\n\r\t\a\b\f\v", *to = "\"\\nrtabfv";
        const char *at = strchr(from, *text);
        if (at) {
            s[0] = '\\';
            s[1] = to[at - from];
        }
        put(p, s);
    }
    put(p, "\"");
}

static void put_var(Printer *p, const ExprNode *n)
{
    char s[24];
    for (int i = 0; i < n->order && !p->full; i++)
        put(p, "der(");
    const char *name = p->name ? p->name(p->context, n->var) : NULL;
    if (!name) {
        snprintf(s, sizeof s, "v%d", n->var);
        name = s;
    }
    put(p, name);
    for (int i = 0; i < n->order && !p->full; i++)
        put(p, ")");
}

/* ---- operations ---- */
/* Is `e` a negative constant or a product that begins with one? A sign further
 * to the left than `far` gets parentheses. */
static bool begins_with_sign(const Dag *d, Expr e)
{
    const ExprNode *n = node_of(d, e);
    int far = 8;
    while ((n->op == EX_MUL || n->op == EX_DIV) && far-- > 0)
        n = node_of(d, n->arg[0]);
    return n->op == EX_CONST && n->type != ET_BOOLEAN && isfinite(n->value) &&
           n->value < 0;
}

/* edge(b) as it is built: b and not pre(b), in either order. */
static bool is_edge(const Dag *d, const ExprNode *n, Expr *b)
{
    for (int i = 0; i < 2; i++) {
        const ExprNode *not = node_of(d, n->arg[1 - i]);
        *b = n->arg[i];
        if (n->op != EX_AND || not ->op != EX_NOT || op_of(d, *b) != EX_VAR)
            continue;
        const ExprNode *pre = node_of(d, not ->arg[0]);
        if (pre->op == EX_PRE && pre->arg[0] == *b)
            return true;
    }
    return false;
}

static bool is_change(const Dag *d, const ExprNode *n, Expr *v)
{
    for (int i = 0; i < 2; i++) {
        const ExprNode *pre = node_of(d, n->arg[1 - i]);
        *v = n->arg[i];
        if (n->op == EX_NE && pre->op == EX_PRE && pre->arg[0] == *v)
            return true;
    }
    return false;
}

static Level level_of(const Dag *d, Expr e)
{
    const ExprNode *n = node_of(d, e);
    Expr v;
    switch (n->op) {
    case EX_CONST: return begins_with_sign(d, e) ? SUM : PRIMARY;
    case EX_ADD:
    case EX_SUB:
    case EX_NEG:
    case EX_CONCAT: return SUM;
    case EX_MUL:
    case EX_DIV: return begins_with_sign(d, e) ? SUM : PRODUCT;
    case EX_POW: return POWER;
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_EQ: return RELATION;
    case EX_NE: return is_change(d, n, &v) ? PRIMARY : RELATION;
    case EX_AND: return is_edge(d, n, &v) ? PRIMARY : AND;
    case EX_OR: return OR;
    case EX_NOT: return NOT;
    case EX_IF: return EXPRESSION;
    default: return PRIMARY;
    }
}

/* left `text` right, where each side must have at least the level given. */
static void infix(Printer *p, const ExprNode *n, const char *text, Level left,
                  Level right)
{
    later(p, n->arg[1], right);
    later_text(p, text);
    later(p, n->arg[0], left);
}

/* text(a, b, c) */
static void call(Printer *p, const char *text, const Expr *arg, int narg)
{
    put(p, text);
    put(p, "(");
    later_text(p, ")");
    for (int i = narg - 1; i >= 0; i--) {
        later(p, arg[i], EXPRESSION);
        if (i > 0)
            later_text(p, ", ");
    }
}

static void call_function(Printer *p, const ExprNode *n)
{
    char s[40];
    const ExprFunction *f = dag_function(p->d, n->fn);
    const char *name = f ? f->name : NULL;
    if (!name) {
        snprintf(s, sizeof s, "function%d", n->fn);
        name = s;
    }
    put(p, name);
    if (n->order > 0) {
        snprintf(s, sizeof s, "#%d", n->order + 1);
        put(p, s);
    }
    bool has_list = f && f->nlist > 0 && !f->list; /* it may be long */
    call(p, "", n->args, has_list ? f->nplain : n->narg);
}

static void if_expression(Printer *p, const ExprNode *n, const char *word)
{
    const ExprNode *other = node_of(p->d, n->arg[2]);
    put(p, word);
    if (other->op == EX_IF) {
        vec_push(p->local, &p->todo,
                 ((Item){" elseif ", n->arg[2], EXPRESSION}));
    } else {
        later(p, n->arg[2], EXPRESSION);
        later_text(p, " else ");
    }
    later(p, n->arg[1], EXPRESSION);
    later_text(p, " then ");
    later(p, n->arg[0], EXPRESSION);
}

/* Clock(0.1), subSample(u, 3): arguments as they were written. */
static void call_clocked(Printer *p, const ExprNode *n)
{
    static const struct {
        const char *text;
        int first, count; /* of the arguments after the kind, printed */
    } form[] = {[EC_INFER] = {"Clock", 1, 0},
                [EC_PERIOD] = {"Clock", 2, 1},
                [EC_COUNT] = {"Clock", 2, 1},
                [EC_EVENT] = {"Clock", 1, 2},
                [EC_SOLVER] = {"Clock", 1, 2},
                [EC_SAMPLE] = {"sample", 1, 2},
                [EC_HOLD] = {"hold", 1, 1},
                [EC_PREVIOUS] = {"previous", 1, 1},
                [EC_SUB] = {"subSample", 1, 2},
                [EC_SUPER] = {"superSample", 1, 2},
                [EC_SHIFT] = {"shiftSample", 1, 2},
                [EC_BACK] = {"backSample", 1, 2},
                [EC_NOCLOCK] = {"noClock", 1, 1},
                [EC_FIRST] = {"firstTick", 2, 1},
                [EC_INTERVAL] = {"interval", 2, 1},
                [EC_ACTIVE] = {"activeState", 2, 1},
                [EC_TICKS] = {"ticksInState", 2, 1},
                [EC_TIME_IN] = {"timeInState", 2, 1}};
    int kind = (int)node_of(p->d, n->arg[0])->value;
    Expr arg[4];
    int narg = 0;
    for (int i = form[kind].first; i < form[kind].first + form[kind].count;
         i++) {
        const ExprNode *a = node_of(p->d, n->arg[i]);
        bool is_ratio = kind == EC_COUNT || kind == EC_SHIFT || kind == EC_BACK;
        if (form[kind].first == 2 && a->op == EX_CONST && a->type == ET_BOOLEAN)
            continue; /* of no variable */
        arg[narg++] = i == 2 && is_ratio ? a->arg[0] : n->arg[i];
        if (i == 2 && is_ratio)
            arg[narg++] = a->arg[1];
    }
    call(p, form[kind].text, arg, narg);
}

static void put_formal(Printer *p, int number)
{
    char s[32];
    snprintf(s, sizeof s, "argument%d", number);
    put(p, s);
}

static void operation(Printer *p, const ExprNode *n)
{
    Expr v;
    switch (n->op) {
    case EX_CONST: put_const(p, n); return;
    case EX_STR: put_string(p, n->text); return;
    case EX_VAR: put_var(p, n); return;
    case EX_TIME: put(p, "time"); return;
    case EX_CLOCKED: call_clocked(p, n); return;
    case EX_ARG: put_formal(p, n->order); return;
    case EX_ADD:
    case EX_CONCAT: infix(p, n, " + ", SUM, PRODUCT); return;
    case EX_SUB: infix(p, n, " - ", SUM, PRODUCT); return;
    case EX_MUL: infix(p, n, "*", PRODUCT, POWER); return;
    case EX_DIV: infix(p, n, "/", PRODUCT, POWER); return;
    case EX_POW: infix(p, n, "^", PRIMARY, PRIMARY); return;
    case EX_NEG:
        put(p, "-");
        later(p, n->arg[0], PRODUCT);
        return;
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_EQ:
    case EX_NE:
        if (is_change(p->d, n, &v)) {
            call(p, "change", &v, 1);
            return;
        }
        later(p, n->arg[1], SUM);
        later_text(p, " ");
        later_text(p, expr_op_info[n->op].text);
        later_text(p, " ");
        later(p, n->arg[0], SUM);
        return;
    case EX_AND:
        if (is_edge(p->d, n, &v))
            call(p, "edge", &v, 1);
        else
            infix(p, n, " and ", AND, NOT);
        return;
    case EX_OR: infix(p, n, " or ", OR, AND); return;
    case EX_NOT:
        put(p, "not ");
        later(p, n->arg[0], RELATION);
        return;
    case EX_IF: if_expression(p, n, "if "); return;
    case EX_CALL: call_function(p, n); return;
    default: call(p, expr_op_info[n->op].text, n->arg, n->narg);
    }
}

/* The factor at the front of a product may carry the sign that begins the
 * sum: -2.0*x needs no parentheses where a sum may stand. */
static Level front_level(const Dag *d, const ExprNode *n, Level given)
{
    bool product = n->op == EX_MUL || n->op == EX_DIV;
    return product && begins_with_sign(d, n->arg[0]) && given <= SUM ? SUM
                                                                     : PRODUCT;
}

static void step(Printer *p)
{
    Item item = vec_pop(&p->todo);
    if (item.text && item.e != EXPR_NONE) {
        if_expression(p, node_of(p->d, item.e), item.text);
        return;
    }
    if (item.text) {
        put(p, item.text);
        return;
    }
    const ExprNode *n = node_of(p->d, item.e);
    if (level_of(p->d, item.e) < item.level) {
        put(p, "(");
        later_text(p, ")");
        item.level = EXPRESSION;
    }
    if (front_level(p->d, n, item.level) == SUM) {
        later(p, n->arg[1], POWER);
        later_text(p, n->op == EX_MUL ? "*" : "/");
        later(p, n->arg[0], SUM);
        return;
    }
    operation(p, n);
}

static const char *text_of(const Dag *d, Expr e, ExprName *name, void *context,
                           int limit, Arena *local)
{
    Printer p = {.d = d, .name = name, .context = context, .local = local};
    p.limit = limit > 0 ? limit : MOST_TEXT;
    later(&p, e, EXPRESSION);
    while (p.todo.n > 0 && !p.full)
        step(&p);
    if (!p.text)
        return "...";
    if (p.full)
        memcpy(p.text + p.n, "...", 4);
    return p.text;
}

const char *expr_text(const Dag *d, Expr e, ExprName *name, void *context,
                      int limit, Arena *arena)
{
    if (e == EXPR_NONE)
        return "?";
    Arena *local = arena_new();
    const char *s =
        arena_strdup(arena, text_of(d, e, name, context, limit, local));
    arena_free(local);
    return s;
}

void expr_print(const Dag *d, Expr e, ExprName *name, void *context, int limit,
                FILE *out)
{
    Arena *local = arena_new();
    fputs(e == EXPR_NONE ? "?" : text_of(d, e, name, context, limit, local),
          out);
    arena_free(local);
}
