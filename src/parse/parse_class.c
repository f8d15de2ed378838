/* parse_class.c - class definitions (A.2.2).
 *
 * A class is a head, elements, sections and an end. Elements, equations and
 * algorithms may alternate; the tree keeps elements and sections in two
 * lists, each in the order of the text.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "parse/parse_elem.h"

bool parse_class_begins(Parser *p)
{
    switch (p->tok.kind) {
    case TK_ENCAPSULATED:
    case TK_PARTIAL:
    case TK_CLASS:
    case TK_MODEL:
    case TK_RECORD:
    case TK_BLOCK:
    case TK_EXPANDABLE:
    case TK_CONNECTOR:
    case TK_TYPE:
    case TK_PACKAGE:
    case TK_PURE:
    case TK_IMPURE:
    case TK_OPERATOR:
    case TK_FUNCTION: return true;
    default: return false;
    }
}

/* [ operator ] record, [ operator ] function, operator */
static AstClassKind operator_kind(Parser *p)
{
    if (parse_accept(p, TK_RECORD))
        return CK_OPERATOR_RECORD;
    if (parse_accept(p, TK_FUNCTION))
        return CK_OPERATOR_FUNCTION;
    return CK_OPERATOR;
}

static AstClassKind class_kind(Parser *p)
{
    static const struct {
        TokenKind token;
        AstClassKind kind;
    } kinds[] = {
        {TK_MODEL, CK_MODEL},     {TK_CLASS, CK_CLASS},
        {TK_RECORD, CK_RECORD},   {TK_BLOCK, CK_BLOCK},
        {TK_TYPE, CK_TYPE},       {TK_CONNECTOR, CK_CONNECTOR},
        {TK_PACKAGE, CK_PACKAGE}, {TK_FUNCTION, CK_FUNCTION},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (parse_accept(p, kinds[i].token))
            return kinds[i].kind;
    if (parse_accept(p, TK_OPERATOR))
        return operator_kind(p);
    if (parse_accept(p, TK_EXPANDABLE)) {
        if (parse_accept(p, TK_CONNECTOR))
            return CK_EXPANDABLE_CONNECTOR;
        parse_complain(p, parse_span(p), DIAG_E0101,
                       "expected 'connector' after 'expandable'");
        if (p->tok.kind != TK_EXPANDABLE)
            return class_kind(p);
    }
    parse_expected(p,
                   "'model', 'package', 'function' or another kind of class");
    return CK_CLASS;
}

/* class-prefixes : [ partial ] ( class | model | ... ) */
static void class_prefixes(Parser *p, AstClass *cls)
{
    cls->encapsulated = parse_accept(p, TK_ENCAPSULATED);
    cls->partial = parse_accept(p, TK_PARTIAL);
    uint32_t begin = p->tok.begin;
    cls->is_pure = parse_accept(p, TK_PURE);
    cls->is_impure = !cls->is_pure && parse_accept(p, TK_IMPURE);
    cls->kind = class_kind(p);
    if ((cls->is_pure || cls->is_impure) && cls->kind != CK_FUNCTION &&
        cls->kind != CK_OPERATOR_FUNCTION)
        parse_complain(p, parse_span_from(p, begin), DIAG_E0112,
                       "only a function can be 'pure' or 'impure'");
}

/* ---- short forms ---- */

/* enum-list : enumeration-literal { "," enumeration-literal } */
static void enum_literals(Parser *p, AstClass *cls)
{
    int list = parse_list_begin(p);
    do {
        AstEnumLiteral lit = {.span = parse_span(p)};
        lit.name = parse_name(p, "the name of an enumeration literal");
        parse_comment(p, &lit.comment, &lit.annotation);
        parse_list_add(p, &lit, sizeof lit);
    } while (parse_accept(p, TK_COMMA));
    cls->literal =
        parse_list_end(p, list, sizeof(AstEnumLiteral), &cls->nliteral);
}

/* enumeration "(" ( [ enum-list ] | ":" ) ")" */
static void enumeration(Parser *p, AstClass *cls)
{
    cls->form = CF_ENUM;
    parse_expect(p, TK_LPAREN, "after 'enumeration'");
    if (parse_accept(p, TK_COLON))
        cls->enum_colon = true;
    else if (p->tok.kind != TK_RPAREN)
        enum_literals(p, cls);
    parse_expect(p, TK_RPAREN, "after the enumeration literals");
}

/* der "(" type-specifier "," IDENT { "," IDENT } ")" */
static void derivative(Parser *p, AstClass *cls)
{
    cls->form = CF_DER;
    parse_expect(p, TK_LPAREN, "after 'der'");
    cls->base = parse_type_name(p);
    int list = parse_list_begin(p);
    while (parse_accept(p, TK_COMMA)) {
        const char *name = parse_name(p, "the name of an input");
        parse_list_add(p, &name, sizeof name);
    }
    cls->der_name =
        parse_list_end(p, list, sizeof(const char *), &cls->nder_name);
    if (cls->nder_name == 0)
        parse_expected(p, "',' and the name of an input");
    parse_expect(p, TK_RPAREN, "after the inputs of 'der'");
}

/* base-prefix type-specifier [ array-subscripts ] [ class-modification ] */
static void short_base(Parser *p, AstClass *cls)
{
    AstComponent prefix = {0};
    cls->form = CF_SHORT;
    parse_type_prefix(p, &prefix);
    cls->direction = prefix.direction;
    cls->flow = prefix.flow;
    if (prefix.variability != VAR_NONE)
        parse_complain(p, parse_span(p), DIAG_E0112,
                       "'parameter', 'constant' or 'discrete' cannot stand in "
                       "a short class definition");
    cls->base = parse_type_name(p);
    cls->sub = parse_subscripts(p, &cls->nsub);
    if (p->tok.kind == TK_LPAREN && !p->panic)
        cls->mod = parse_class_modification(p, NULL);
}

/* What follows `IDENT =`. */
static void short_specifier(Parser *p, AstClass *cls)
{
    if (parse_accept(p, TK_ENUMERATION))
        enumeration(p, cls);
    else if (parse_accept(p, TK_DER))
        derivative(p, cls);
    else
        short_base(p, cls);
    parse_comment(p, &cls->comment, &cls->annotation);
}

AstClass *parse_short_class(Parser *p)
{
    AstClass *cls = NEW(p->arena, AstClass);
    uint32_t begin = p->tok.begin;
    class_prefixes(p, cls);
    cls->span = parse_span(p);
    cls->name = parse_name(p, "the name of a class");
    parse_expect(p, TK_EQUAL, "in the redeclaration of a class");
    short_specifier(p, cls);
    cls->full_span = parse_span_from(p, begin);
    return cls;
}

/* ---- long forms ---- */

/* [ initial ] equation { equation ";" }, [ initial ] algorithm { statement ";"
 * } */
static void section(Parser *p, AstClass *cls, SectionList *sections)
{
    AstSection s = {0};
    (void)cls;
    s.initial = parse_accept(p, TK_INITIAL);
    s.is_algorithm = p->tok.kind == TK_ALGORITHM;
    if (p->tok.kind == TK_EQUATION || p->tok.kind == TK_ALGORITHM)
        parse_advance(p);
    if (s.is_algorithm)
        s.stmt = parse_statements(p, &s.nstmt);
    else
        s.eqn = parse_equations(p, &s.neqn);
    vec_push(p->scratch, sections, s);
}

/* external [ STRING ] [ [ component-reference "=" ] IDENT "(" [ list ] ")" ]
 * [ annotation-clause ] ";" */
static void external(Parser *p, AstClass *cls)
{
    AstExternal *x = NEW(p->arena, AstExternal);
    uint32_t begin = p->tok.begin;
    parse_advance(p);
    if (p->tok.kind == TK_STRING) {
        x->language = p->tok.text;
        parse_advance(p);
    }
    if (p->tok.kind == TK_IDENT && parse_peek(p) != TK_LPAREN) {
        x->result = parse_reference(p);
        parse_expect(p, TK_EQUAL, "after the result of an external function");
    }
    if (x->result || p->tok.kind == TK_IDENT) {
        x->function = parse_name(p, "the name of the external function");
        parse_expect(p, TK_LPAREN, "after the name of the external function");
        if (p->tok.kind != TK_RPAREN)
            x->arg = parse_expression_list(p, &x->narg);
        parse_expect(p, TK_RPAREN, "after the arguments");
    }
    x->annotation = parse_annotation(p);
    x->span = parse_span_from(p, begin);
    parse_semicolon(p, "the 'external' clause");
    if (cls->external && !p->panic)
        parse_complain(p, x->span, DIAG_E0112,
                       "a function has one 'external' clause");
    else if (!p->panic)
        cls->external = x;
    parse_sync(p);
}

static void class_annotation(Parser *p, AstClass *cls)
{
    Span place = parse_span(p);
    AstMod *m = parse_annotation(p);
    parse_semicolon(p, "the annotation");
    if (cls->annotation)
        parse_complain(p, place, DIAG_E0112, "a class has one annotation");
    else if (!p->panic)
        cls->annotation = m;
    if (!p->panic && p->tok.kind != TK_END && p->tok.kind != TK_EOF)
        parse_complain(p, place, DIAG_W0102,
                       "the annotation of a class stands at its end");
    parse_sync(p);
}

/* A word that belongs to a construct that is not open: takes it off. */
static void stray(Parser *p)
{
    if (p->tok.kind == TK_END) {
        TokenKind word = parse_peek(p);
        Span place = {p->source, p->tok.begin, p->next.end};
        parse_complain(p, place, DIAG_E0102,
                       "no '%s' is open that this could "
                       "end",
                       lex_kind_text(word));
        parse_advance(p);
    } else {
        parse_fail(p, DIAG_E0102, "'%s' stands outside of 'if' and 'when'",
                   lex_kind_text(p->tok.kind));
    }
    parse_advance(p);
    if (p->tok.kind == TK_THEN) /* elseif ... then was skipped in part */
        parse_advance(p);
    p->panic = p->stopped;
    parse_accept(p, TK_SEMICOLON);
}

/* Is tok `end` of an if, for, when or while? */
static bool is_stray_end(Parser *p)
{
    if (p->tok.kind != TK_END)
        return false;
    TokenKind word = parse_peek(p);
    return word == TK_IF || word == TK_FOR || word == TK_WHEN ||
           word == TK_WHILE;
}

/* Equations, in a place where only declarations may stand. */
static void misplaced_equations(Parser *p, AstClass *cls, SectionList *sections)
{
    parse_complain(p, parse_span(p), DIAG_E0112,
                   "an equation or statement cannot stand among declarations; "
                   "write 'equation' or 'algorithm' before it");
    section(p, cls, sections);
}

/* composition: element-list { public element-list | protected element-list
 * | equation-section | algorithm-section } [ external ... ";" ]
 * [ annotation-clause ";" ] */
static void composition(Parser *p, AstClass *cls)
{
    SectionList sections = {0};
    ElemList elems = {0};
    bool is_protected = false;
    for (;;) {
        switch (p->tok.kind) {
        case TK_EOF: break;
        case TK_END:
            if (!is_stray_end(p))
                break;
            stray(p);
            if (sections.n)
                section(p, cls, &sections);
            continue;
        case TK_ELSE:
        case TK_ELSEIF:
        case TK_ELSEWHEN:
            stray(p);
            if (sections.n)
                section(p, cls, &sections);
            continue;
        case TK_PUBLIC:
        case TK_PROTECTED:
            is_protected = p->tok.kind == TK_PROTECTED;
            parse_advance(p);
            continue;
        case TK_EQUATION:
        case TK_ALGORITHM:
        case TK_INITIAL: section(p, cls, &sections); continue;
        case TK_IF:
        case TK_FOR:
        case TK_WHEN:
        case TK_WHILE:
        case TK_CONNECT:
        case TK_DER:
        case TK_LPAREN: misplaced_equations(p, cls, &sections); continue;
        case TK_EXTERNAL: external(p, cls); continue;
        case TK_ANNOTATION: class_annotation(p, cls); continue;
        default: parse_element(p, is_protected, &elems); continue;
        }
        break;
    }
    cls->nelem = elems.n;
    cls->elem = NEW_ARRAY(p->arena, AstElem *, elems.n ? elems.n : 1);
    if (elems.n)
        memcpy(cls->elem, elems.at, (size_t)elems.n * sizeof *elems.at);
    cls->nsection = sections.n;
    cls->section = NEW_ARRAY(p->arena, AstSection, sections.n ? sections.n : 1);
    if (sections.n)
        memcpy(cls->section, sections.at,
               (size_t)sections.n * sizeof *sections.at);
}

/* IDENT string-comment composition end IDENT */
static void long_specifier(Parser *p, AstClass *cls)
{
    Open o = {ast_class_kind_name(cls->kind), cls->name, cls->span};
    p->panic = p->stopped; /* a mistake in the head does not end the class */
    vec_push(p->scratch, &p->open, o);
    cls->comment = parse_string_comment(p);
    p->panic = p->stopped;
    composition(p, cls);
    parse_close(p, TK_IDENT);
}

/* class-specifier : long | extends IDENT [ class-modification ] long | short */
static void class_specifier(Parser *p, AstClass *cls)
{
    bool extends = parse_accept(p, TK_EXTENDS);
    cls->span = parse_span(p);
    cls->name = parse_name(p, "the name of a class");
    if (p->panic) { /* a class without a name is still a class */
        if (!p->tok.first_on_line && p->tok.kind != TK_EQUAL &&
            p->tok.kind != TK_SEMICOLON)
            parse_advance(p);
        p->panic = p->stopped;
    }
    if (extends) {
        cls->form = CF_EXTENDS;
        if (p->tok.kind == TK_LPAREN && !p->panic)
            cls->mod = parse_class_modification(p, NULL);
        if (p->panic)
            cls->mod = NULL;
        long_specifier(p, cls);
    } else if (parse_accept(p, TK_EQUAL)) {
        short_specifier(p, cls);
    } else {
        long_specifier(p, cls);
    }
}

bool parse_class_is_whole(const Parser *p, const AstClass *cls)
{
    return !p->panic ||
           (*cls->name && (cls->form == CF_LONG || cls->form == CF_EXTENDS));
}

AstClass *parse_class(Parser *p)
{
    AstClass *cls = NEW(p->arena, AstClass);
    uint32_t begin = p->tok.begin;
    cls->name = "";
    if (parse_enter(p)) {
        class_prefixes(p, cls);
        if (!p->panic)
            class_specifier(p, cls);
    }
    parse_leave(p);
    cls->full_span = parse_span_from(p, begin);
    return cls;
}
