/* element_class.c - which class an element is, or is of (7.3). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

/* Does a modification hold anything but literals, so that it needs to know the
 * instance it stands in? */
static bool has_reference(const AstMod *m)
{
    if (!m)
        return false;
    if (m->value && m->value->kind != AE_INTEGER && m->value->kind != AE_REAL &&
        m->value->kind != AE_STRING && m->value->kind != AE_BOOLEAN)
        return true;
    for (int i = 0; i < m->narg; i++) {
        const AstArg *a = &m->arg[i];
        if (a->kind == MOD_VALUE && has_reference(a->mod))
            return true;
        if (a->kind == MOD_COMPONENT && has_reference(a->elem->component->mod))
            return true;
        if (a->kind == MOD_CLASS && a->elem->cls->form == CF_SHORT)
            return true;
        if (a->kind == MOD_COMPONENT)
            return true;
    }
    return false;
}

static bool needs_owner(const AstClass *ast)
{
    if (ast->form == CF_SHORT) {
        for (int i = 0; i < ast->nsub; i++)
            if (ast->sub[i]->kind != AE_INTEGER)
                return true;
        return has_reference(ast->mod);
    }
    return false;
}

/* Is it only another name of a class: package Medium = Water? */
static bool is_alias(const AstClass *ast)
{
    return ast->form == CF_SHORT && ast->nsub == 0 &&
           ast->direction == DIR_NONE && ast->flow == FLOW_NONE &&
           !ast->partial && (!ast->mod || ast->mod->narg == 0) &&
           (ast->kind == CK_PACKAGE || ast->kind == CK_MODEL ||
            ast->kind == CK_BLOCK || ast->kind == CK_FUNCTION);
}

/* The class the original declaration or an inner redeclaration gives: what a
 * `redeclare model extends` extends. */
static Class *replaced_class(const Context *in, Element *e, const Mod *by,
                             Instance *inst)
{
    Element inner = {.name = e->name, .part = e->part, .is_protected = false};
    if (by->under) {
        inner.ast = by->under->redeclare;
        inner.scope = by->under->redeclare_scope;
        inner.redeclared_by = by->under;
        inner.original = e->original;
    } else {
        inner.ast = inner.original = e->original;
        inner.scope = (ModScope){e->part, NULL, true};
        if (e->part->load)
            inner.load =
                load_find_child(ST(in)->library, e->part->load, e->name);
    }
    Element *copy = NEW(in->arena, Element);
    *copy = inner;
    return element_class(in, copy, inst);
}

static Class *make_class(const Context *in, Element *e, Instance *inst)
{
    const AstClass *ast = e->load ? e->load->ast : e->ast->cls;
    Instance *around = e->scope.self ? inst : e->scope.inst;
    Class *c;
    if (is_alias(ast)) {
        Scope scope = {.cls = e->scope.part, .inst = around};
        c = find_class(in, &scope, ast->base, false);
        if (!c)
            return NULL;
    } else {
        c = class_of_text(in, ast, e->scope.part, e->load);
        if (around && needs_owner(ast)) {
            c->owner = around;
            c->is_local = e->scope.self;
        }
        if (ast->form == CF_EXTENDS && e->redeclared_by)
            c->replaced = replaced_class(in, e, e->redeclared_by, inst);
    }
    Mod *mods = e->mod;
    if (mods && inst) {
        Mod *bound = mod_bind(in, mods, inst);
        Class *m = class_modify(in, c, bound);
        if (bound != mods)
            m->is_local = true;
        return m;
    }
    return class_modify(in, c, mods);
}

Class *element_class(const Context *in, Element *e, Instance *inst)
{
    if (e->cls)
        return e->cls;
    if (e->busy || ST(in)->depth > LIMIT_RECURSION) {
        if (e->busy)
            diag_report(in->diag, e->ast ? e->ast->span : e->load->ast->span,
                        DIAG_E0902, "'%s' is defined by itself", e->name);
        return NULL;
    }
    e->busy = true;
    ST(in)->depth++;
    Class *c = make_class(in, e, inst);
    ST(in)->depth--;
    e->busy = false;
    if (c && !c->is_local)
        e->cls = c;
    if (c)
        subtype_check_element(in, e, c, inst);
    return c;
}

Class *element_type(const Context *in, Element *e, Instance *inst)
{
    if (e->cls)
        return e->cls;
    Instance *around = e->scope.self ? inst : e->scope.inst;
    Scope *scope = around ? instance_scope(in, around, e->scope.part)
                          : class_scope(in, e->scope.part);
    Class *c = find_class(in, scope, e->ast->component->type, false);
    bool local = !c;
    for (Class *k = c; k && !local; k = k->parent)
        local = k->is_local;
    if (!local)
        e->cls = c;
    if (c)
        subtype_check_element(in, e, c, inst);
    return c;
}
