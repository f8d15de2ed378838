/* parse_elem.c - the elements of a class: imports, extends clauses, nested
 * classes and components (A.2.3, A.2.4). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "parse/parse_elem.h"

static AstElem *new_elem(Parser *p, AstElemKind kind, bool is_protected)
{
    AstElem *e = NEW(p->arena, AstElem);
    e->kind = kind;
    e->is_protected = is_protected;
    e->span = parse_span(p);
    return e;
}

/* ---- import and extends ---- */

/* "{" IDENT { "," IDENT } "}" */
static void import_list(Parser *p, AstImport *im)
{
    im->kind = IM_LIST;
    int list = parse_list_begin(p);
    do {
        const char *name = parse_name(p, "a name to import");
        parse_list_add(p, &name, sizeof name);
    } while (parse_accept(p, TK_COMMA));
    im->list = parse_list_end(p, list, sizeof(const char *), &im->nlist);
    parse_expect(p, TK_RBRACE, "after the names to import");
}

/* name [ ".*" | "." "*" | "." "{" import-list "}" ] */
static void import_name(Parser *p, AstImport *im)
{
    AstRef *r = im->name = NEW(p->arena, AstRef);
    uint32_t begin = p->tok.begin;
    int list = parse_list_begin(p);
    r->global = parse_accept(p, TK_DOT);
    for (;;) {
        AstPart part = {.span = parse_span(p)};
        part.name = parse_name(p, "the name of a class to import");
        parse_list_add(p, &part, sizeof part);
        r->span = parse_span_from(p, begin);
        if (parse_accept(p, TK_DOT_STAR)) {
            im->kind = IM_ALL;
            break;
        }
        if (!parse_accept(p, TK_DOT))
            break;
        if (parse_accept(p, TK_MUL)) {
            im->kind = IM_ALL;
            break;
        }
        if (parse_accept(p, TK_LBRACE)) {
            import_list(p, im);
            break;
        }
    }
    r->part = parse_list_end(p, list, sizeof(AstPart), &r->npart);
}

/* import-clause : import ( IDENT "=" name | name ... ) comment */
static AstElem *import_clause(Parser *p, bool is_protected)
{
    AstElem *e = new_elem(p, EL_IMPORT, is_protected);
    AstImport *im = e->import = NEW(p->arena, AstImport);
    parse_advance(p);
    if (p->tok.kind == TK_IDENT && parse_peek(p) == TK_EQUAL) {
        im->kind = IM_RENAME;
        im->alias = p->tok.text;
        parse_advance(p);
        parse_advance(p);
        im->name = parse_type_name(p);
    } else {
        import_name(p, im);
    }
    e->span = parse_span_from(p, e->span.begin);
    parse_comment(p, &e->comment, &e->annotation);
    return e;
}

/* extends-clause : extends type-specifier
 *                  [ class-or-inheritance-modification ] [ annotation ] */
static AstElem *extends_clause(Parser *p, bool is_protected)
{
    AstElem *e = new_elem(p, EL_EXTENDS, is_protected);
    e->extends = NEW(p->arena, AstExtends);
    parse_advance(p);
    e->extends->base = parse_type_name(p);
    if (p->tok.kind == TK_LPAREN && !p->panic)
        e->extends->mod = parse_class_modification(p, e->extends);
    e->span = parse_span_from(p, e->span.begin);
    e->annotation = parse_annotation(p);
    return e;
}

/* constraining-clause comment */
void parse_constraint(Parser *p, AstElem *e)
{
    if (parse_accept(p, TK_CONSTRAINEDBY)) {
        e->constrained_by = parse_type_name(p);
        if (p->tok.kind == TK_LPAREN && !p->panic)
            e->constraint_mod = parse_class_modification(p, NULL);
    }
    parse_comment(p, &e->constraint_comment, &e->constraint_annotation);
}

/* ---- components ---- */

/* type-prefix : [ flow | stream ] [ discrete | parameter | constant ]
 *               [ input | output ]. The place in this order is the rank. */
void parse_type_prefix(Parser *p, AstComponent *c)
{
    int last = 0;
    while (!p->panic) {
        int rank;
        switch (p->tok.kind) {
        case TK_FLOW:
            c->flow = FLOW_FLOW;
            rank = 1;
            break;
        case TK_STREAM:
            c->flow = FLOW_STREAM;
            rank = 1;
            break;
        case TK_DISCRETE:
            c->variability = VAR_DISCRETE;
            rank = 2;
            break;
        case TK_PARAMETER:
            c->variability = VAR_PARAMETER;
            rank = 2;
            break;
        case TK_CONSTANT:
            c->variability = VAR_CONSTANT;
            rank = 2;
            break;
        case TK_INPUT:
            c->direction = DIR_INPUT;
            rank = 3;
            break;
        case TK_OUTPUT:
            c->direction = DIR_OUTPUT;
            rank = 3;
            break;
        default: return;
        }
        if (rank <= last)
            parse_complain(p, parse_span(p), DIAG_E0101,
                           "'%s' cannot stand here; the order is flow or "
                           "stream, then discrete, parameter or constant, then "
                           "input or output, one of each",
                           lex_kind_text(p->tok.kind));
        last = rank;
        parse_advance(p);
    }
}

void parse_type(Parser *p, AstComponent *c)
{
    if (p->tok.kind != TK_IDENT && p->tok.kind != TK_DOT && !p->panic) {
        parse_expected(p, "a type");
        return;
    }
    c->type = parse_type_name(p);
    c->type_sub = parse_subscripts(p, &c->ntype_sub);
}

/* declaration : IDENT [ array-subscripts ] [ modification ] */
void parse_declaration(Parser *p, AstComponent *c, Span *span)
{
    *span = parse_span(p);
    if (!p->panic && (p->tok.kind == TK_EQUAL || p->tok.kind == TK_ASSIGN ||
                      p->tok.kind == TK_LPAREN)) {
        parse_fail(p, DIAG_E0112,
                   "expected the name of a component, found '%s'; equations "
                   "stand after 'equation', statements after 'algorithm'",
                   lex_kind_text(p->tok.kind));
        return;
    }
    c->name = parse_name(p, "the name of a component");
    c->sub = parse_subscripts(p, &c->nsub);
    c->mod = parse_modification(p);
}

/* component-clause : type-prefix type-specifier [ array-subscripts ]
 *   declaration [ if expression ] comment { "," ... }
 * One element each; what they share is copied. */
static void component_clause(Parser *p, const AstElem *shared, ElemList *out)
{
    AstComponent common = {0};
    parse_type_prefix(p, &common);
    parse_type(p, &common);
    do {
        AstElem *e = NEW(p->arena, AstElem);
        *e = *shared;
        e->kind = EL_COMPONENT;
        e->component = NEW(p->arena, AstComponent);
        *e->component = common;
        parse_declaration(p, e->component, &e->span);
        if (parse_accept(p, TK_IF))
            e->component->condition = parse_expression(p);
        parse_comment(p, &e->comment, &e->annotation);
        vec_push(p->scratch, out, e);
    } while (parse_accept(p, TK_COMMA));
}

/* ---- elements ---- */

/* [ redeclare ] [ final ] [ inner ] [ outer ] [ replaceable ] */
static void element_prefixes(Parser *p, AstElem *e)
{
    static const TokenKind order[] = {TK_REDECLARE, TK_FINAL, TK_INNER,
                                      TK_OUTER, TK_REPLACEABLE};
    bool *flag[] = {&e->redeclare, &e->final, &e->inner, &e->outer,
                    &e->replaceable};
    int last = -1;
    for (int i = 0; i < 5; i++) {
        if (p->tok.kind != order[i])
            continue;
        if (i <= last)
            parse_complain(p, parse_span(p), DIAG_E0101,
                           "'%s' cannot stand here; the order is redeclare, "
                           "final, inner, outer, replaceable",
                           lex_kind_text(p->tok.kind));
        *flag[i] = true;
        last = i;
        parse_advance(p);
        i = -1; /* look at all of them again */
    }
}

static void declaration_element(Parser *p, bool is_protected, ElemList *out)
{
    AstElem shared = {.is_protected = is_protected};
    int first = out->n;
    element_prefixes(p, &shared);
    if (parse_class_begins(p)) {
        AstElem *e = NEW(p->arena, AstElem);
        *e = shared;
        e->kind = EL_CLASS;
        e->cls = parse_class(p);
        e->span = e->cls->span;
        vec_push(p->scratch, out, e);
    } else {
        component_clause(p, &shared, out);
    }
    if (!shared.replaceable)
        return;
    AstElem constraint = {0};
    parse_constraint(p, &constraint);
    for (int i = p->panic ? out->n : first; i < out->n; i++) {
        out->at[i]->constrained_by = constraint.constrained_by;
        out->at[i]->constraint_mod = constraint.constraint_mod;
        out->at[i]->constraint_comment = constraint.constraint_comment;
        out->at[i]->constraint_annotation = constraint.constraint_annotation;
    }
}

/* What a message calls the element. */
static const char *element_name(Parser *p, const AstElem *e)
{
    if (e->kind == EL_IMPORT)
        return "the 'import' clause";
    if (e->kind == EL_EXTENDS)
        return "the 'extends' clause";
    if (e->kind == EL_CLASS)
        return arena_printf(p->scratch, "the class '%s'", e->cls->name);
    return arena_printf(p->scratch, "the declaration of '%s'",
                        e->component->name ? e->component->name : "");
}

void parse_element(Parser *p, bool is_protected, ElemList *out)
{
    int first = out->n;
    if (p->tok.kind == TK_IMPORT)
        vec_push(p->scratch, out, import_clause(p, is_protected));
    else if (p->tok.kind == TK_EXTENDS)
        vec_push(p->scratch, out, extends_clause(p, is_protected));
    else
        declaration_element(p, is_protected, out);
    if (!parse_accept(p, TK_SEMICOLON) && !p->panic)
        parse_semicolon(p, element_name(p, vec_last(out)));
    if (p->panic && out->n > first &&
        (vec_last(out)->kind != EL_CLASS ||
         !parse_class_is_whole(p, vec_last(out)->cls)))
        out->n = first;
    parse_sync(p);
}
