/* parse_eqn.c - equations and statements (A.2.6). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "parse/parse_internal.h"

/* Is tok what ends a list of equations or statements? */
static bool list_ends(Parser *p)
{
    switch (p->tok.kind) {
    case TK_EOF:
    case TK_END:
    case TK_EQUATION:
    case TK_ALGORITHM:
    case TK_PUBLIC:
    case TK_PROTECTED:
    case TK_EXTERNAL:
    case TK_ANNOTATION:
    case TK_ELSE:
    case TK_ELSEIF:
    case TK_ELSEWHEN: return true;
    case TK_INITIAL: {
        TokenKind next = parse_peek(p);
        return next == TK_EQUATION || next == TK_ALGORITHM;
    }
    default: return false;
    }
}

static void open(Parser *p, const char *what)
{
    Open o = {what, NULL, parse_span(p)};
    vec_push(p->scratch, &p->open, o);
}

/* A token that begins a declaration, where an equation or statement should
 * stand. */
static bool declaration_begins(Parser *p)
{
    switch (p->tok.kind) {
    case TK_PARAMETER:
    case TK_CONSTANT:
    case TK_DISCRETE:
    case TK_INPUT:
    case TK_OUTPUT:
    case TK_FLOW:
    case TK_STREAM:
    case TK_EXTENDS:
    case TK_IMPORT:
    case TK_REPLACEABLE:
    case TK_REDECLARE:
    case TK_INNER:
    case TK_OUTER: return true;
    case TK_IDENT: return parse_peek(p) == TK_IDENT;
    case TK_PURE: return parse_peek(p) != TK_LPAREN;
    default: return parse_class_begins(p);
    }
}

static void misplaced_declaration(Parser *p, const char *section)
{
    static const char *const text =
        "a declaration cannot stand in the %s section; put it before that "
        "section, or write 'public' or 'protected' first";
    if (!parse_class_begins(p)) {
        parse_fail(p, DIAG_E0112, text, section);
        return;
    }
    parse_complain(p, parse_span(p), DIAG_E0112, text, section);
    parse_class(p); /* as a whole: its `end` belongs to it */
    parse_semicolon(p, "the class");
}

/* ---- equations ---- */

/* connect-clause : connect "(" component-reference "," component-reference ")"
 */
AstEqn *parse_connect(Parser *p)
{
    AstEqn *q = NEW(p->arena, AstEqn);
    uint32_t begin = p->tok.begin;
    q->kind = AQ_CONNECT;
    parse_advance(p);
    parse_expect(p, TK_LPAREN, "after 'connect'");
    q->from = parse_reference(p);
    parse_expect(p, TK_COMMA, "between the two connectors");
    q->to = parse_reference(p);
    parse_expect(p, TK_RPAREN, "after the two connectors");
    q->span = parse_span_from(p, begin);
    return q;
}

/* if-equation, when-equation: { word expression then { equation ";" } }
 * [ else { equation ";" } ] end word */
static void eqn_branches(Parser *p, AstEqn *q, TokenKind word, TokenKind again,
                         const char *where)
{
    int list = parse_list_begin(p);
    open(p, lex_kind_text(word));
    do {
        AstEqnBranch b = {0};
        parse_advance(p);
        b.cond = parse_expression(p);
        parse_head_end(p, TK_THEN, where);
        b.eqn = parse_equations(p, &b.neqn);
        parse_list_add(p, &b, sizeof b);
    } while (p->tok.kind == again && !p->panic);
    if (word == TK_IF && parse_accept(p, TK_ELSE)) {
        AstEqnBranch b = {0};
        b.eqn = parse_equations(p, &b.neqn);
        parse_list_add(p, &b, sizeof b);
    }
    q->branch = parse_list_end(p, list, sizeof(AstEqnBranch), &q->nbranch);
    parse_close(p, word);
}

/* for-equation : for for-indices loop { equation ";" } end for */
static void eqn_for(Parser *p, AstEqn *q)
{
    open(p, "for");
    parse_advance(p);
    q->iter = parse_iterators(p, &q->niter);
    parse_head_end(p, TK_LOOP, "in a for-equation");
    q->branch = NEW(p->arena, AstEqnBranch);
    q->nbranch = 1;
    q->branch->eqn = parse_equations(p, &q->branch->neqn);
    parse_close(p, TK_FOR);
}

/* simple-expression "=" expression, or a call */
static void eqn_simple(Parser *p, AstEqn *q)
{
    q->lhs = parse_simple_expression(p);
    q->kind = AQ_EQUAL;
    if (p->tok.kind == TK_ASSIGN && !p->panic) {
        parse_complain(p, parse_span(p), DIAG_E0101,
                       "an equation is written with '='; ':=' belongs to "
                       "algorithms");
        parse_advance(p);
        q->rhs = parse_expression(p);
    } else if (parse_accept(p, TK_EQUAL)) {
        q->rhs = parse_expression(p);
    } else if (q->lhs->kind == AE_CALL) {
        q->kind = AQ_CALL;
    } else {
        parse_expected(p, "'=' in an equation");
    }
}

static AstEqn *equation(Parser *p)
{
    if (p->tok.kind == TK_CONNECT)
        return parse_connect(p);
    AstEqn *q = NEW(p->arena, AstEqn);
    uint32_t begin = p->tok.begin;
    switch (p->tok.kind) {
    case TK_IF:
        q->kind = AQ_IF;
        eqn_branches(p, q, TK_IF, TK_ELSEIF, "in an if-equation");
        break;
    case TK_WHEN:
        q->kind = AQ_WHEN;
        eqn_branches(p, q, TK_WHEN, TK_ELSEWHEN, "in a when-equation");
        break;
    case TK_FOR:
        q->kind = AQ_FOR;
        eqn_for(p, q);
        break;
    default: eqn_simple(p, q);
    }
    q->span = parse_span_from(p, begin);
    return q;
}

AstEqn **parse_equations(Parser *p, int *n)
{
    int list = parse_list_begin(p);
    if (parse_enter(p)) {
        while (!list_ends(p)) {
            if (declaration_begins(p)) {
                misplaced_declaration(p, "equation");
                parse_sync(p);
                continue;
            }
            AstEqn *q = equation(p);
            parse_comment(p, &q->comment, &q->annotation);
            parse_semicolon(p, "the equation");
            if (!p->panic)
                parse_list_add(p, &q, sizeof q);
            parse_sync(p);
        }
    }
    parse_leave(p);
    return parse_list_end(p, list, sizeof(AstEqn *), n);
}

/* ---- statements ---- */

static void stmt_branches(Parser *p, AstStmt *s, TokenKind word,
                          TokenKind again, TokenKind head_end,
                          const char *where)
{
    int list = parse_list_begin(p);
    open(p, lex_kind_text(word));
    do {
        AstStmtBranch b = {0};
        parse_advance(p);
        b.cond = parse_expression(p);
        parse_head_end(p, head_end, where);
        b.stmt = parse_statements(p, &b.nstmt);
        parse_list_add(p, &b, sizeof b);
    } while (p->tok.kind == again && !p->panic);
    if (word == TK_IF && parse_accept(p, TK_ELSE)) {
        AstStmtBranch b = {0};
        b.stmt = parse_statements(p, &b.nstmt);
        parse_list_add(p, &b, sizeof b);
    }
    s->branch = parse_list_end(p, list, sizeof(AstStmtBranch), &s->nbranch);
    parse_close(p, word);
}

static void stmt_for(Parser *p, AstStmt *s)
{
    open(p, "for");
    parse_advance(p);
    s->iter = parse_iterators(p, &s->niter);
    parse_head_end(p, TK_LOOP, "in a for-statement");
    s->branch = NEW(p->arena, AstStmtBranch);
    s->nbranch = 1;
    s->branch->stmt = parse_statements(p, &s->branch->nstmt);
    parse_close(p, TK_FOR);
}

/* component-reference ( ":=" expression | function-call-args )
 * | "(" output-expression-list ")" ":=" component-reference
 *   function-call-args */
static void stmt_simple(Parser *p, AstStmt *s)
{
    s->lhs = parse_primary(p);
    if (p->panic)
        return;
    if (s->lhs->kind == AE_CALL) {
        s->kind = AS_CALL;
        if (p->tok.kind == TK_ASSIGN || p->tok.kind == TK_EQUAL)
            parse_fail(p, DIAG_E0101, "a call cannot be assigned to");
        return;
    }
    if (s->lhs->kind != AE_REF && s->lhs->kind != AE_TUPLE) {
        parse_complain(p, s->lhs->span, DIAG_E0101,
                       "expected a variable to assign to");
        p->panic = true;
        return;
    }
    s->kind = s->lhs->kind == AE_REF ? AS_ASSIGN : AS_TUPLE;
    if (p->tok.kind == TK_EQUAL) {
        parse_complain(p, parse_span(p), DIAG_E0101,
                       "an assignment is written with ':='; '=' belongs to "
                       "equations");
        parse_advance(p);
    } else {
        parse_expect(p, TK_ASSIGN, "in a statement");
    }
    s->rhs = parse_expression(p);
    if (s->kind == AS_TUPLE && s->rhs->kind != AE_CALL && !p->panic)
        parse_complain(p, s->rhs->span, DIAG_E0101,
                       "only the call of a function has several results to "
                       "assign");
}

static AstStmt *statement(Parser *p)
{
    AstStmt *s = NEW(p->arena, AstStmt);
    uint32_t begin = p->tok.begin;
    switch (p->tok.kind) {
    case TK_IF:
        s->kind = AS_IF;
        stmt_branches(p, s, TK_IF, TK_ELSEIF, TK_THEN, "in an if-statement");
        break;
    case TK_WHEN:
        s->kind = AS_WHEN;
        stmt_branches(p, s, TK_WHEN, TK_ELSEWHEN, TK_THEN,
                      "in a when-statement");
        break;
    case TK_WHILE:
        s->kind = AS_WHILE;
        stmt_branches(p, s, TK_WHILE, TK_BAD, TK_LOOP, "in a while-statement");
        break;
    case TK_FOR:
        s->kind = AS_FOR;
        stmt_for(p, s);
        break;
    case TK_BREAK:
        s->kind = AS_BREAK;
        parse_advance(p);
        break;
    case TK_RETURN:
        s->kind = AS_RETURN;
        parse_advance(p);
        break;
    case TK_CONNECT:
        parse_fail(p, DIAG_E0112,
                   "'connect' cannot stand in the algorithm "
                   "section; put it after 'equation'");
        break;
    default: stmt_simple(p, s);
    }
    s->span = parse_span_from(p, begin);
    return s;
}

AstStmt **parse_statements(Parser *p, int *n)
{
    int list = parse_list_begin(p);
    if (parse_enter(p)) {
        while (!list_ends(p)) {
            if (declaration_begins(p)) {
                misplaced_declaration(p, "algorithm");
                parse_sync(p);
                continue;
            }
            AstStmt *s = statement(p);
            parse_comment(p, &s->comment, &s->annotation);
            parse_semicolon(p, "the statement");
            if (!p->panic)
                parse_list_add(p, &s, sizeof s);
            parse_sync(p);
        }
    }
    parse_leave(p);
    return parse_list_end(p, list, sizeof(AstStmt *), n);
}
