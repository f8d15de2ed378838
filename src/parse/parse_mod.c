/* parse_mod.c - modifications, comments and annotations (A.2.5). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "parse/parse_internal.h"

/* string-comment : [ STRING { "+" STRING } ] */
const char *parse_string_comment(Parser *p)
{
    if (p->tok.kind != TK_STRING || p->panic)
        return NULL;
    const char *text = p->tok.text;
    parse_advance(p);
    if (p->tok.kind != TK_ADD)
        return text;
    Vec(char) all = {0};
    while (text) {
        int n = (int)strlen(text);
        vec_reserve(p->scratch, &all, all.n + n + 1);
        memcpy(all.at + all.n, text, (size_t)n);
        all.n += n;
        text = NULL;
        if (!parse_accept(p, TK_ADD))
            break;
        if (p->tok.kind != TK_STRING) {
            parse_expected(p, "a string after '+' in a comment");
            break;
        }
        text = p->tok.text;
        parse_advance(p);
    }
    return intern(p->names, all.at, (size_t)all.n);
}

/* annotation-clause : annotation class-modification */
AstMod *parse_annotation(Parser *p)
{
    if (!parse_accept(p, TK_ANNOTATION))
        return NULL;
    if (p->tok.kind == TK_LPAREN)
        return parse_class_modification(p, NULL);
    parse_expected(p, "'(' after 'annotation'");
    return NULL;
}

/* comment : string-comment [ annotation-clause ] */
void parse_comment(Parser *p, const char **comment, AstMod **annotation)
{
    *comment = parse_string_comment(p);
    *annotation = parse_annotation(p);
}

/* component-clause1 : base-prefix type-specifier declaration comment */
static void component_argument(Parser *p, AstElem *e)
{
    AstComponent *c = e->component = NEW(p->arena, AstComponent);
    e->kind = EL_COMPONENT;
    parse_type_prefix(p, c);
    parse_type(p, c);
    parse_declaration(p, c, &e->span);
    parse_comment(p, &e->comment, &e->annotation);
}

/* What follows `redeclare` or `replaceable`: a short class definition or a
 * component, and the constraining clause of a replaceable one. */
static void element_argument(Parser *p, AstArg *a)
{
    AstElem *e = a->elem = NEW(p->arena, AstElem);
    a->replaceable = parse_accept(p, TK_REPLACEABLE);
    e->redeclare = a->redeclare;
    e->final = a->final;
    e->replaceable = a->replaceable;
    if (parse_class_begins(p)) {
        a->kind = MOD_CLASS;
        e->kind = EL_CLASS;
        e->cls = parse_short_class(p);
        e->span = e->cls->span;
    } else {
        a->kind = MOD_COMPONENT;
        component_argument(p, e);
    }
    if (a->replaceable)
        parse_constraint(p, e);
}

/* argument : [ redeclare ] [ each ] [ final ] element
 *          | [ each ] [ final ] name [ modification ] string-comment */
static AstArg argument(Parser *p)
{
    AstArg a = {0};
    uint32_t begin = p->tok.begin;
    a.redeclare = parse_accept(p, TK_REDECLARE);
    a.each = parse_accept(p, TK_EACH);
    a.final = parse_accept(p, TK_FINAL);
    if (a.redeclare || p->tok.kind == TK_REPLACEABLE) {
        element_argument(p, &a);
    } else {
        a.kind = MOD_VALUE;
        if (p->tok.kind == TK_IDENT || p->panic)
            a.name = parse_type_name(p);
        else if (p->tok.kind == TK_EACH || p->tok.kind == TK_REDECLARE)
            parse_fail(p, DIAG_E0101, "the order is 'redeclare each final'");
        else
            parse_name(p, "the name of what is modified");
        a.mod = parse_modification(p);
        a.comment = parse_string_comment(p);
    }
    a.span = parse_span_from(p, begin);
    return a;
}

/* inheritance-modification : break ( connect-equation | IDENT ) */
static void broken(Parser *p, AstExtends *ext)
{
    parse_advance(p);
    if (p->tok.kind == TK_CONNECT) {
        AstEqn *c = parse_connect(p);
        AstEqn **list = NEW_ARRAY(p->arena, AstEqn *, ext->nbroken_connect + 1);
        if (ext->nbroken_connect)
            memcpy(list, ext->broken_connect,
                   (size_t)ext->nbroken_connect * sizeof *list);
        list[ext->nbroken_connect++] = c;
        ext->broken_connect = list;
        return;
    }
    const char *name = parse_name(p, "the name of a component after 'break'");
    const char **list = NEW_ARRAY(p->arena, const char *, ext->nbroken + 1);
    if (ext->nbroken)
        memcpy(list, ext->broken, (size_t)ext->nbroken * sizeof *list);
    list[ext->nbroken++] = name;
    ext->broken = list;
}

/* class-modification : "(" [ argument { "," argument } ] ")" */
static void arguments(Parser *p, AstMod *m, AstExtends *breaks)
{
    int list = parse_list_begin(p);
    parse_advance(p);
    m->has_args = true;
    if (p->tok.kind != TK_RPAREN) {
        do {
            if (p->tok.kind == TK_BREAK && breaks) {
                broken(p, breaks);
                continue;
            }
            AstArg a = argument(p);
            parse_list_add(p, &a, sizeof a);
        } while (parse_accept(p, TK_COMMA));
    }
    m->arg = parse_list_end(p, list, sizeof(AstArg), &m->narg);
    parse_expect(p, TK_RPAREN, "after a modification");
}

AstMod *parse_class_modification(Parser *p, AstExtends *breaks)
{
    AstMod *m = NEW(p->arena, AstMod);
    uint32_t begin = p->tok.begin;
    if (parse_enter(p))
        arguments(p, m, breaks);
    parse_leave(p);
    m->span = parse_span_from(p, begin);
    return m;
}

/* modification : class-modification [ "=" modification-expression ]
 *              | "=" modification-expression
 * modification-expression : expression | break
 * The old form ":=" is read as "=". */
AstMod *parse_modification(Parser *p)
{
    TokenKind kind = p->tok.kind;
    if (p->panic ||
        (kind != TK_LPAREN && kind != TK_EQUAL && kind != TK_ASSIGN))
        return NULL;
    uint32_t begin = p->tok.begin;
    AstMod *m = kind == TK_LPAREN ? parse_class_modification(p, NULL)
                                  : NEW(p->arena, AstMod);
    if (p->tok.kind == TK_ASSIGN) {
        parse_complain(p, parse_span(p), DIAG_W0102,
                       "a modification is written with '=', not ':='");
        m->assign = true;
    }
    if (parse_accept(p, TK_EQUAL) || parse_accept(p, TK_ASSIGN)) {
        if (parse_accept(p, TK_BREAK))
            m->is_break = true;
        else
            m->value = parse_expression(p);
    }
    m->span = parse_span_from(p, begin);
    return m;
}
