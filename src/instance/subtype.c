/* subtype.c - can one class stand for another (6.4, 6.5)?
 *
 * Simple types must be of the same kind. A class with components must have
 * every public component of the other, of a type that fits in turn. Classes
 * derived from one another fit at once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

enum { DEEPEST = 4 }; /* levels of components that are compared */

static bool fits(const Context *in, Class *sub, Class *super, int depth,
                 const char **why);

static int dim_count(const Element *e, const TypeInfo *info)
{
    int n = e->ast->component->nsub + e->ast->component->ntype_sub;
    for (int i = 0; i < info->nlevel; i++)
        n += info->nsub[i];
    return n;
}

static bool component_fits(const Context *in, Element *a, Element *b, int depth,
                           const char **why)
{
    Trial t;
    trial_begin(&t, in);
    Class *sub = element_type(&t.in, a, NULL);
    Class *super = element_type(&t.in, b, NULL);
    trial_drop(&t);
    if (!sub || !super)
        return true; /* found through an instance: not compared */
    if (dim_count(a, class_info(in, sub)) !=
        dim_count(b, class_info(in, super))) {
        *why = arena_printf(in->arena, "'%s' has other dimensions", a->name);
        return false;
    }
    return depth >= DEEPEST || fits(in, sub, super, depth + 1, why);
}

static bool simple_fits(const Context *in, const TypeInfo *a, const TypeInfo *b,
                        const char **why)
{
    if (a->is_simple && b->is_simple && a->kind == b->kind &&
        (a->kind != TYPE_ENUM || a->type->enumeration == b->type->enumeration ||
         in->flat->enumeration[b->type->enumeration].nliteral == 0))
        return true;
    *why = arena_printf(in->arena, "%s is no %s",
                        a->is_simple ? type_text(in, a->type, 0, NULL)
                                     : a->underlying->full_name,
                        b->is_simple ? type_text(in, b->type, 0, NULL)
                                     : b->underlying->full_name);
    return false;
}

static bool fits(const Context *in, Class *sub, Class *super, int depth,
                 const char **why)
{
    if (sub->ast && sub->ast == super->ast)
        return true;
    const TypeInfo *a = class_info(in, sub), *b = class_info(in, super);
    if (a->is_object || b->is_object)
        return true;
    if (a->is_simple || b->is_simple)
        return simple_fits(in, a, b, why);
    Class *x = a->underlying, *y = b->underlying;
    if (class_derives(in, x, y))
        return true;
    class_components(in, x);
    class_components(in, y);
    for (int i = 0; i < y->ncomp; i++) {
        Element *e = y->comp[i];
        if (e->is_protected)
            continue;
        int k = class_component(in, x, e->name);
        if (k == NONE || x->comp[k]->is_protected) {
            *why = arena_printf(in->arena, "'%s' has no public component '%s'",
                                x->full_name, e->name);
            return false;
        }
        if (!component_fits(in, x->comp[k], e, depth, why))
            return false;
    }
    return true;
}

bool class_is_subtype(const Context *in, Class *sub, Class *super,
                      const char **why)
{
    *why = "";
    return fits(in, sub, super, 0, why);
}

/* The class a replaceable element is bound to fit. */
static Class *constraint(const Context *in, const Element *e, Instance *inst)
{
    const AstElem *o = e->original;
    Scope *scope =
        inst ? instance_scope(in, inst, e->part) : class_scope(in, e->part);
    const AstRef *r = o->constrained_by;
    if (!r && o->kind == EL_COMPONENT)
        r = o->component->type;
    if (!r && o->kind == EL_CLASS && o->cls->form == CF_SHORT)
        r = o->cls->base;
    if (!r)
        return NULL;
    Trial t;
    trial_begin(&t, in);
    Class *c = find_class(&t.in, scope, r, true);
    trial_drop(&t);
    return c;
}

void subtype_check_element(const Context *in, Element *e, Class *cls,
                           Instance *inst)
{
    if (e->checked || !e->original || !e->original->replaceable ||
        (!e->redeclared_by && !e->original->constrained_by) || cls->is_builtin)
        return;
    e->checked = true;
    in = in->run->root;
    if (class_kind(cls) == CK_PACKAGE || class_kind(cls) == CK_FUNCTION)
        return;
    Class *super = constraint(in, e, inst);
    const char *why;
    if (!super || super->state == CS_BUSY || cls->state == CS_BUSY ||
        class_is_subtype(in, cls, super, &why))
        return;
    diag_report(in->diag, e->ast ? e->ast->span : e->original->span, DIAG_E0710,
                "'%s' cannot be a '%s': it must fit '%s', but %s", e->name,
                cls->full_name, super->full_name, why);
    diag_note(in->diag, e->original->span, "it is declared here");
}
