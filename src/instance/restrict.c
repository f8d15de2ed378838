/* restrict.c - what the specialised classes may hold (4.6).
 *
 * A record or connector has no equations, no protected part, no inner or outer
 * components; a function has one algorithm and only inputs and outputs in its
 * public part; and so on. Checked once for each class of the text.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

static void report(const Context *in, const Class *cls, Span span,
                   const char *what)
{
    diag_report(in->diag, span, DIAG_E0933, "the %s '%s' cannot have %s",
                ast_class_kind_name(class_kind(cls)), cls->name, what);
}

static Span section_span(const Class *cls, const AstSection *s)
{
    if (s->is_algorithm && s->nstmt)
        return s->stmt[0]->span;
    if (!s->is_algorithm && s->neqn)
        return s->eqn[0]->span;
    return cls->ast->span;
}

static void restrict_sections(const Context *in, const Class *cls)
{
    AstClassKind k = class_kind(cls);
    const AstClass *ast = cls->ast;
    bool none = k == CK_RECORD || k == CK_OPERATOR_RECORD ||
                k == CK_CONNECTOR || k == CK_EXPANDABLE_CONNECTOR ||
                k == CK_PACKAGE || k == CK_TYPE || k == CK_OPERATOR;
    bool function = k == CK_FUNCTION || k == CK_OPERATOR_FUNCTION;
    int algorithms = 0;
    for (int i = 0; i < ast->nsection; i++) {
        const AstSection *s = &ast->section[i];
        Span span = section_span(cls, s);
        if (none)
            report(in, cls, span,
                   s->is_algorithm ? "an algorithm" : "equations");
        else if (function && !s->is_algorithm)
            report(in, cls, span, "equations");
        else if (function && s->initial)
            report(in, cls, span, "an initial algorithm");
        else if (function && algorithms++)
            report(in, cls, span, "more than one algorithm section");
    }
}

static void restrict_component(const Context *in, const Class *cls,
                               const AstElem *e)
{
    AstClassKind k = class_kind(cls);
    const AstComponent *c = e->component;
    bool record = k == CK_RECORD || k == CK_OPERATOR_RECORD;
    bool connector = k == CK_CONNECTOR || k == CK_EXPANDABLE_CONNECTOR;
    bool function = k == CK_FUNCTION || k == CK_OPERATOR_FUNCTION;
    if ((record || connector) && e->is_protected)
        report(in, cls, e->span, "protected components");
    if ((record || connector || function) && (e->inner || e->outer))
        report(in, cls, e->span, "inner or outer components");
    if (k == CK_EXPANDABLE_CONNECTOR && c->flow != FLOW_NONE)
        report(in, cls, e->span, "flow or stream components");
    if (record && c->flow != FLOW_NONE)
        report(in, cls, e->span, "flow or stream components");
    if (record && c->direction != DIR_NONE)
        report(in, cls, e->span, "input or output components");
    if (k == CK_PACKAGE && c->variability != VAR_CONSTANT)
        report(in, cls, e->span, "components that are not constant");
    if (k == CK_OPERATOR)
        report(in, cls, e->span, "components");
}

/* import A.x and import B.x in one class. */
static void restrict_imports(const Context *in, const AstClass *ast)
{
    for (int i = 0; i < ast->nelem; i++) {
        const AstElem *e = ast->elem[i];
        if (e->kind != EL_IMPORT || e->import->kind == IM_ALL ||
            e->import->kind == IM_LIST)
            continue;
        const AstRef *r = e->import->name;
        const char *name = e->import->kind == IM_RENAME
                               ? e->import->alias
                               : r->part[r->npart - 1].name;
        for (int k = 0; k < i; k++) {
            const AstElem *o = ast->elem[k];
            if (o->kind != EL_IMPORT || o->import->kind == IM_ALL ||
                o->import->kind == IM_LIST)
                continue;
            const AstRef *p = o->import->name;
            const char *other = o->import->kind == IM_RENAME
                                    ? o->import->alias
                                    : p->part[p->npart - 1].name;
            if (other != name)
                continue;
            diag_report(in->diag, r->span, DIAG_E0317, "'%s' is imported twice",
                        name);
            diag_note(in->diag, p->span, "it is imported here already");
        }
    }
}

void restrict_class(const Context *in, Class *cls)
{
    const AstClass *ast = cls->ast;
    if (ast->form != CF_LONG && ast->form != CF_EXTENDS)
        return;
    restrict_sections(in, cls);
    for (int i = 0; i < ast->nelem; i++)
        if (ast->elem[i]->kind == EL_COMPONENT)
            restrict_component(in, cls, ast->elem[i]);
        else if (ast->elem[i]->kind == EL_CLASS &&
                 class_kind(cls) == CK_OPERATOR &&
                 ast->elem[i]->cls->kind != CK_FUNCTION &&
                 ast->elem[i]->cls->kind != CK_OPERATOR_FUNCTION)
            report(in, cls, ast->elem[i]->span, "classes but functions");
    restrict_imports(in, ast);
}
