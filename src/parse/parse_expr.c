/* parse_expr.c - expressions (A.2.7).
 *
 * Binary operators are read by precedence climbing: one loop, one level of
 * recursion for each level of precedence, so that a chain of any length with
 * the same operator stays in the loop.
 *
 *   1 or    2 and    3 not    4 < <= > >= == <>    5 + -    6 * /    7 ^
 *
 * Relations and powers do not chain, and a sign or `not` stands only where the
 * grammar has it: `a * -b` is wrong in Modelica, and the message says so.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "parse/parse_internal.h"

enum { P_OR = 1, P_AND, P_NOT, P_RELATION, P_ADD, P_MUL, P_POW };

/* Operator and precedence of a token as a binary operator; 0 if it is none. */
static int binary_op(TokenKind kind, AstOp *op)
{
    switch (kind) {
#define CASE(token, operator, level)                                           \
    case token: *op = operator; return level
        CASE(TK_OR, OP_OR, P_OR);
        CASE(TK_AND, OP_AND, P_AND);
        CASE(TK_LT, OP_LT, P_RELATION);
        CASE(TK_LE, OP_LE, P_RELATION);
        CASE(TK_GT, OP_GT, P_RELATION);
        CASE(TK_GE, OP_GE, P_RELATION);
        CASE(TK_EQ, OP_EQ, P_RELATION);
        CASE(TK_NE, OP_NE, P_RELATION);
        CASE(TK_ADD, OP_ADD, P_ADD);
        CASE(TK_SUB, OP_SUB, P_ADD);
        CASE(TK_EADD, OP_EADD, P_ADD);
        CASE(TK_ESUB, OP_ESUB, P_ADD);
        CASE(TK_MUL, OP_MUL, P_MUL);
        CASE(TK_DIV, OP_DIV, P_MUL);
        CASE(TK_DOT_STAR, OP_EMUL, P_MUL);
        CASE(TK_EDIV, OP_EDIV, P_MUL);
        CASE(TK_POW, OP_POW, P_POW);
        CASE(TK_EPOW, OP_EPOW, P_POW);
#undef CASE
    default: return 0;
    }
}

/* The same as a prefix. */
static int unary_op(TokenKind kind, AstOp *op)
{
    switch (kind) {
    case TK_ADD: *op = OP_POS; return P_ADD;
    case TK_SUB: *op = OP_NEG; return P_ADD;
    case TK_EADD: *op = OP_EPOS; return P_ADD;
    case TK_ESUB: *op = OP_ENEG; return P_ADD;
    case TK_NOT: *op = OP_NOT; return P_NOT;
    default: return 0;
    }
}

static AstExpr *new_expr(Parser *p, AstExprKind kind)
{
    AstExpr *e = NEW(p->arena, AstExpr);
    e->kind = kind;
    e->span = parse_span(p);
    return e;
}

static void set_args(Parser *p, AstExpr *e, int n, AstExpr *a, AstExpr *b)
{
    e->arg = NEW_ARRAY(p->arena, AstExpr *, n);
    e->narg = n;
    e->arg[0] = a;
    if (n > 1)
        e->arg[1] = b;
}

static AstExpr *operand(Parser *p, int least);

/* A sign or `not`, with what it applies to. */
static AstExpr *prefixed(Parser *p, AstOp op, int level, int least)
{
    AstExpr *e = new_expr(p, AE_UNARY);
    Span place = e->span;
    e->op = op;
    if (!parse_enter(p)) {
        parse_leave(p);
        return p->nothing;
    }
    parse_advance(p);
    /* the operand of a sign is a term, that of `not` a relation */
    AstExpr *arg = operand(p, level + 1);
    parse_leave(p);
    set_args(p, e, 1, arg, NULL);
    e->span = parse_span_from(p, place.begin);
    if (least > level && !p->panic) {
        const char *text = ast_expr_text(e, p->scratch);
        parse_complain(p, place, DIAG_E0110,
                       "'%s' after another operator needs parentheses: write "
                       "(%s)",
                       ast_op_text(op), strlen(text) < 40 ? text : "...");
    }
    return e;
}

/* Operators of at least this precedence. */
static AstExpr *operand(Parser *p, int least)
{
    AstOp op;
    int level = unary_op(p->tok.kind, &op);
    uint32_t begin = p->tok.begin;
    AstExpr *left = level ? prefixed(p, op, level, least) : parse_primary(p);
    int before = 0; /* level of the operator before, if it does not chain */
    while (!p->panic) {
        level = binary_op(p->tok.kind, &op);
        if (level == 0 || level < least)
            break;
        if (level == before)
            parse_complain(p, parse_span(p), DIAG_E0110,
                           "'%s' cannot follow an operator of its kind without "
                           "parentheses: write (a %s b) %s c",
                           lex_kind_text(p->tok.kind),
                           lex_kind_text(p->tok.kind),
                           lex_kind_text(p->tok.kind));
        before = level == P_RELATION || level == P_POW ? level : 0;
        parse_advance(p);
        AstExpr *right = operand(p, level + 1);
        AstExpr *e = new_expr(p, AE_BINARY);
        e->op = op;
        set_args(p, e, 2, left, right);
        e->span = parse_span_from(p, begin);
        left = e;
    }
    return left;
}

/* simple-expression : logical-expression [ ":" logical-expression
 *                     [ ":" logical-expression ] ] */
AstExpr *parse_simple_expression(Parser *p)
{
    if (!parse_enter(p)) {
        parse_leave(p);
        return p->nothing;
    }
    AstExpr *first = operand(p, P_OR);
    if (p->tok.kind == TK_COLON && !p->panic) {
        AstExpr *e = new_expr(p, AE_RANGE);
        AstExpr *part[3] = {first};
        int n = 1;
        while (n < 3 && parse_accept(p, TK_COLON))
            part[n++] = operand(p, P_OR);
        e->arg = NEW_ARRAY(p->arena, AstExpr *, n);
        memcpy(e->arg, part, (size_t)n * sizeof *part);
        e->narg = n;
        e->span = parse_span_from(p, first->span.begin);
        first = e;
    }
    parse_leave(p);
    return p->panic ? p->nothing : first;
}

/* if expression then expression { elseif expression then expression }
 * else expression */
static AstExpr *if_expression(Parser *p)
{
    AstExpr *e = new_expr(p, AE_IF);
    int list = parse_list_begin(p);
    do {
        parse_advance(p); /* if, elseif */
        AstExpr *cond = parse_expression(p);
        parse_expect(p, TK_THEN, "in an if-expression");
        AstExpr *value = parse_expression(p);
        parse_list_add(p, &cond, sizeof cond);
        parse_list_add(p, &value, sizeof value);
    } while (p->tok.kind == TK_ELSEIF && !p->panic);
    parse_expect(p, TK_ELSE, "(an if-expression needs one)");
    AstExpr *value = parse_expression(p);
    parse_list_add(p, &value, sizeof value);
    e->arg = parse_list_end(p, list, sizeof(AstExpr *), &e->narg);
    e->span = parse_span_from(p, e->span.begin);
    return e;
}

AstExpr *parse_expression(Parser *p)
{
    if (p->panic)
        return p->nothing;
    if (p->tok.kind != TK_IF)
        return parse_simple_expression(p);
    AstExpr *e = p->nothing;
    if (parse_enter(p))
        e = if_expression(p);
    parse_leave(p);
    return p->panic ? p->nothing : e;
}

/* ---- references ---- */

/* array-subscripts : "[" subscript { "," subscript } "]" */
AstExpr **parse_subscripts(Parser *p, int *n)
{
    *n = 0;
    if (!parse_accept(p, TK_LBRACKET))
        return NULL;
    int list = parse_list_begin(p);
    p->subscripts++;
    do {
        AstExpr *e;
        if (p->tok.kind == TK_COLON) {
            e = new_expr(p, AE_COLON);
            parse_advance(p);
        } else {
            e = parse_expression(p);
        }
        parse_list_add(p, &e, sizeof e);
    } while (parse_accept(p, TK_COMMA));
    AstExpr **sub = parse_list_end(p, list, sizeof(AstExpr *), n);
    p->subscripts--;
    parse_expect(p, TK_RBRACKET, "after the subscripts");
    return sub;
}

/* [ "." ] IDENT [ array-subscripts ] { "." IDENT [ array-subscripts ] } */
static AstRef *reference(Parser *p, bool subscripts, const char *what)
{
    AstRef *r = NEW(p->arena, AstRef);
    uint32_t begin = p->tok.begin;
    int list = parse_list_begin(p);
    r->global = parse_accept(p, TK_DOT);
    do {
        AstPart part = {.span = parse_span(p)};
        part.name = parse_name(p, what);
        if (subscripts && p->tok.kind == TK_LBRACKET)
            part.sub = parse_subscripts(p, &part.nsub);
        parse_list_add(p, &part, sizeof part);
    } while (parse_accept(p, TK_DOT));
    r->part = parse_list_end(p, list, sizeof(AstPart), &r->npart);
    r->span = parse_span_from(p, begin);
    return r;
}

AstRef *parse_reference(Parser *p)
{
    return reference(p, true, "the name of a component");
}

AstRef *parse_type_name(Parser *p)
{
    return reference(p, false, "the name of a class");
}

/* The keywords der, initial and pure as a reference of one part. */
static AstRef *keyword_reference(Parser *p, const char *name)
{
    AstRef *r = NEW(p->arena, AstRef);
    r->part = NEW(p->arena, AstPart);
    r->npart = 1;
    r->span = r->part->span = parse_span(p);
    r->part->name = name;
    parse_advance(p);
    return r;
}

/* ---- calls ---- */

/* for-indices : IDENT [ in expression ] { "," IDENT [ in expression ] } */
AstIter *parse_iterators(Parser *p, int *n)
{
    int list = parse_list_begin(p);
    do {
        AstIter it = {.span = parse_span(p)};
        it.name = parse_name(p, "the name of an iterator");
        if (parse_accept(p, TK_IN))
            it.range = parse_expression(p);
        parse_list_add(p, &it, sizeof it);
    } while (parse_accept(p, TK_COMMA));
    return parse_list_end(p, list, sizeof(AstIter), n);
}

/* After the first argument: `for i in 1:n` makes it a reduction. */
static AstExpr *reduction(Parser *p, AstExpr *body)
{
    AstExpr *e = new_expr(p, AE_FOR);
    parse_advance(p);
    set_args(p, e, 1, body, NULL);
    e->iter = parse_iterators(p, &e->niter);
    e->span = parse_span_from(p, body->span.begin);
    return e;
}

/* function-partial-application : function type-specifier "(" [ named ] ")" */
static AstExpr *partial_application(Parser *p)
{
    AstExpr *e = new_expr(p, AE_PARTIAL);
    parse_advance(p);
    AstRef *name = parse_type_name(p);
    AstExpr *call = parse_call(p, name);
    e->ref = name;
    e->named = call->named;
    e->nnamed = call->nnamed;
    if (call->narg)
        parse_complain(p, call->arg[0]->span, DIAG_E0101,
                       "the arguments after 'function' need names: a = 1");
    e->span = parse_span_from(p, e->span.begin);
    return e;
}

static AstExpr *argument(Parser *p)
{
    if (p->tok.kind == TK_FUNCTION && !p->panic)
        return partial_application(p);
    return parse_expression(p);
}

static bool is_named(Parser *p)
{
    return p->tok.kind == TK_IDENT && parse_peek(p) == TK_EQUAL;
}

static AstNamed *named_arguments(Parser *p, int *n)
{
    int list = parse_list_begin(p);
    do {
        AstNamed a = {.span = parse_span(p), .name = p->tok.text};
        if (!is_named(p)) {
            parse_fail(p, DIAG_E0101,
                       "an argument without a name cannot follow one with a "
                       "name");
            break;
        }
        parse_advance(p);
        parse_advance(p);
        a.value = argument(p);
        parse_list_add(p, &a, sizeof a);
    } while (parse_accept(p, TK_COMMA));
    return parse_list_end(p, list, sizeof(AstNamed), n);
}

/* Positional arguments up to the closing bracket or the first named one; a
 * `for` after the first makes it a reduction. */
static AstExpr **positional(Parser *p, bool named_may_follow, int *n)
{
    int list = parse_list_begin(p);
    do {
        if (named_may_follow && is_named(p))
            break;
        AstExpr *e = argument(p);
        if (p->tok.kind == TK_FOR && !p->panic) {
            if (parse_list_begin(p) != list)
                parse_fail(p, DIAG_E0101,
                           "'for' can only follow a single argument");
            else
                e = reduction(p, e);
        }
        parse_list_add(p, &e, sizeof e);
    } while (parse_accept(p, TK_COMMA));
    return parse_list_end(p, list, sizeof(AstExpr *), n);
}

/* function-call-args : "(" [ function-arguments ] ")" */
AstExpr *parse_call(Parser *p, AstRef *name)
{
    AstExpr *e = new_expr(p, AE_CALL);
    e->ref = name;
    if (!parse_expect(p, TK_LPAREN, "for the arguments of a call"))
        return p->nothing;
    if (p->tok.kind != TK_RPAREN) {
        e->arg = positional(p, true, &e->narg);
        if (!p->panic && is_named(p))
            e->named = named_arguments(p, &e->nnamed);
    }
    parse_expect(p, TK_RPAREN, "after the arguments of a call");
    e->span = parse_span_from(p, name->span.begin);
    return p->panic ? p->nothing : e;
}

/* ---- primaries ---- */

/* expression-list : expression { "," expression } */
AstExpr **parse_expression_list(Parser *p, int *n)
{
    int list = parse_list_begin(p);
    do {
        AstExpr *e = parse_expression(p);
        parse_list_add(p, &e, sizeof e);
    } while (parse_accept(p, TK_COMMA));
    return parse_list_end(p, list, sizeof(AstExpr *), n);
}

/* "[" expression-list { ";" expression-list } "]" */
static AstExpr *matrix(Parser *p)
{
    AstExpr *e = new_expr(p, AE_MATRIX);
    int list = parse_list_begin(p);
    do {
        parse_advance(p); /* [ or ; */
        AstExpr *row = new_expr(p, AE_ROW);
        row->arg = parse_expression_list(p, &row->narg);
        row->span = parse_span_from(p, row->span.begin);
        parse_list_add(p, &row, sizeof row);
    } while (p->tok.kind == TK_SEMICOLON && !p->panic);
    e->arg = parse_list_end(p, list, sizeof(AstExpr *), &e->narg);
    parse_expect(p, TK_RBRACKET, "after the elements of a matrix");
    e->span = parse_span_from(p, e->span.begin);
    return e;
}

/* "{" array-arguments "}" */
static AstExpr *array(Parser *p)
{
    AstExpr *e = new_expr(p, AE_ARRAY);
    parse_advance(p);
    if (p->tok.kind == TK_RBRACE)
        parse_fail(p, DIAG_E0101,
                   "an array constructor needs an element; "
                   "write fill(0, 0) for an empty vector");
    e->arg = positional(p, false, &e->narg);
    parse_expect(p, TK_RBRACE, "after the elements of an array");
    e->span = parse_span_from(p, e->span.begin);
    return e;
}

/* output-expression-list : [ expression ] { "," [ expression ] } */
static AstExpr *tuple(Parser *p)
{
    AstExpr *e = new_expr(p, AE_TUPLE);
    int list = parse_list_begin(p);
    parse_advance(p);
    if (p->tok.kind != TK_RPAREN) {
        do {
            AstExpr *part = NULL;
            if (p->tok.kind != TK_COMMA && p->tok.kind != TK_RPAREN)
                part = parse_expression(p);
            parse_list_add(p, &part, sizeof part);
        } while (parse_accept(p, TK_COMMA));
    }
    e->arg = parse_list_end(p, list, sizeof(AstExpr *), &e->narg);
    parse_expect(p, TK_RPAREN, "to close the parenthesis");
    e->span = parse_span_from(p, e->span.begin);
    if (p->tok.kind != TK_LBRACKET || p->panic)
        return e;
    AstExpr *indexed = new_expr(p, AE_INDEXED);
    int nsub;
    AstExpr **sub = parse_subscripts(p, &nsub);
    indexed->narg = nsub + 1;
    indexed->arg = NEW_ARRAY(p->arena, AstExpr *, nsub + 1);
    indexed->arg[0] = e;
    if (nsub)
        memcpy(indexed->arg + 1, sub, (size_t)nsub * sizeof *sub);
    indexed->span = parse_span_from(p, e->span.begin);
    return indexed;
}

static AstExpr *literal(Parser *p, AstExprKind kind)
{
    AstExpr *e = new_expr(p, kind);
    e->value = p->tok.value;
    if (kind == AE_REAL || kind == AE_STRING)
        e->text = p->tok.text;
    if (kind == AE_BOOLEAN)
        e->value = p->tok.kind == TK_TRUE;
    parse_advance(p);
    return e;
}

static AstExpr *reference_or_call(Parser *p)
{
    AstRef *r = parse_reference(p);
    if (p->tok.kind == TK_LPAREN && !p->panic)
        return parse_call(p, r);
    AstExpr *e = new_expr(p, AE_REF);
    e->ref = r;
    e->span = r->span;
    return e;
}

AstExpr *parse_primary(Parser *p)
{
    if (p->panic)
        return p->nothing;
    switch (p->tok.kind) {
    case TK_INTEGER: return literal(p, AE_INTEGER);
    case TK_REAL: return literal(p, AE_REAL);
    case TK_STRING: return literal(p, AE_STRING);
    case TK_TRUE:
    case TK_FALSE: return literal(p, AE_BOOLEAN);
    case TK_IDENT:
    case TK_DOT: return reference_or_call(p);
    case TK_DER: return parse_call(p, keyword_reference(p, p->der));
    case TK_INITIAL: return parse_call(p, keyword_reference(p, p->initial));
    case TK_PURE: return parse_call(p, keyword_reference(p, p->pure));
    case TK_LPAREN: return tuple(p);
    case TK_LBRACKET: return matrix(p);
    case TK_LBRACE: return array(p);
    case TK_END:
        if (p->subscripts > 0)
            return literal(p, AE_END);
        parse_expected(p, "an expression");
        return p->nothing;
    case TK_IF:
        parse_fail(p, DIAG_E0110,
                   "an if-expression inside another expression "
                   "needs parentheses: (if a then b else c)");
        return p->nothing;
    default: parse_expected(p, "an expression"); return p->nothing;
    }
}
