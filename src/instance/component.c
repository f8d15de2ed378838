/* component.c - instances: components with their classes, sizes and variables.
 *
 * A child of an instance is made when somebody asks for it. Its class is the
 * declared type with the modifiers of the declaration and of everything around
 * it; an array of models has one Instance for each element, an array of a
 * simple type is one Instance with many variables. Sizes and conditions are
 * evaluated at the first question, with a check for cycles.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/die.h"
#include "instance/structure.h"

/* ---- names and places ---- */

const char *instance_path(const Context *in, Instance *inst)
{
    if (inst->path)
        return inst->path;
    const char *up = inst->parent ? instance_path(in, inst->parent) : "";
    inst->path =
        *up ? arena_printf(in->arena, "%s.%s", up, inst->name) : inst->name;
    return inst->path;
}

int instance_component(const Instance *inst)
{
    while (inst && inst->component == NONE)
        inst = inst->parent;
    return inst ? inst->component : 0;
}

static bool is_record_class(const Class *cls)
{
    AstClassKind k = cls ? class_kind(cls) : CK_MODEL;
    return k == CK_RECORD || k == CK_OPERATOR_RECORD;
}

static void make_component(const Context *in, Instance *inst)
{
    if (inst->component != NONE || inst->is_static)
        return;
    if (inst->parent)
        make_component(in, inst->parent);
    Span span = inst->elem ? inst->elem->ast->span : in->flat->span;
    inst->component = emit_component(
        in, (FlatComponent){
                .name = inst->name,
                .parent = inst->parent ? inst->parent->component : NONE,
                .class_name = inst->cls ? inst->cls->full_name : "",
                .span = span,
                .is_part = inst->parent &&
                           (inst->is_connector || is_record_class(inst->cls))});
}

static Instance *instance_new(const Context *in, const char *name,
                              Instance *parent)
{
    Instance *inst = NEW(in->arena, Instance);
    inst->name = name;
    inst->parent = parent;
    inst->component = NONE;
    inst->var = NONE;
    inst->variability = FV_CONTINUOUS;
    inst->depth = parent ? parent->depth + 1 : 0;
    inst->nelement = 1;
    return inst;
}

void instance_make_object(const Context *in, Instance *inst, Class *cls)
{
    inst->kind = IK_OBJECT;
    inst->cls = cls;
    class_components(in, cls);
    inst->child = NEW_ARRAY(in->arena, Instance *, cls->ncomp);
}

Instance *instance_root(const Context *in, Class *cls)
{
    Instance *inst = instance_new(in, "", NULL);
    inst->path = "";
    inst->info = class_info(in, cls);
    instance_make_object(in, inst, cls);
    make_component(in, inst);
    return inst;
}

Instance *instance_of_constants(const Context *in, Class *cls)
{
    if (!cls->constants) {
        Instance *inst = instance_new(in, cls->full_name, NULL);
        cls->constants = inst;
        inst->is_static = true;
        inst->info = class_info(in, cls);
        instance_make_object(in, inst, cls);
    }
    return cls->constants;
}

/* ---- making a child ---- */

static FlatVariability declared_variability(const AstComponent *c)
{
    switch (c->variability) {
    case VAR_CONSTANT: return FV_CONSTANT;
    case VAR_PARAMETER: return FV_PARAMETER;
    case VAR_DISCRETE: return FV_DISCRETE;
    case VAR_NONE: return FV_CONTINUOUS;
    }
    unreachable();
}

/* Prefixes: own, of the redeclared original, of the type, of what is around. */
static void set_prefixes(Instance *inst, const Element *e)
{
    const AstComponent *c = e->ast->component;
    const AstComponent *o = e->original->component;
    const Instance *p = inst->parent;
    FlatVariability v = declared_variability(c);
    if (c->variability == VAR_NONE)
        v = declared_variability(o);
    if (p->variability < v)
        v = p->variability;
    inst->variability = v;
    inst->flow = c->flow ? c->flow : o->flow;
    inst->direction = c->direction ? c->direction : o->direction;
    if (!inst->direction)
        inst->direction = inst->info ? inst->info->direction : DIR_NONE;
    if (!inst->flow && inst->info)
        inst->flow = inst->info->flow;
    bool passes = p->cls && p->parent &&
                  (class_kind(p->cls) == CK_RECORD ||
                   class_kind(p->cls) == CK_OPERATOR_RECORD || p->is_connector);
    if (!inst->direction && passes)
        inst->direction = p->direction;
    if (!inst->flow && passes)
        inst->flow = p->flow;
    inst->is_protected = e->is_protected || p->is_protected;
    inst->is_final = e->is_final || e->original->final ||
                     (inst->mod && inst->mod->final) || (passes && p->is_final);
    inst->is_inner = e->ast->inner || e->original->inner;
    inst->is_outer = e->ast->outer || e->original->outer;
    inst->is_static = p->is_static;
    inst->in_connector = p->in_connector;
}

static bool annotation_true(const AstMod *a, const char *name)
{
    const AstArg *arg = ast_mod_find(a, name);
    return arg && arg->mod && arg->mod->value &&
           arg->mod->value->kind == AE_BOOLEAN && arg->mod->value->value != 0;
}

/* A class that contains itself has no end (5.3). */
static bool is_endless(const Context *in, const Instance *inst, Span span)
{
    if (!inst->cls || !inst->cls->ast)
        return false;
    int same = 0;
    const char *cycle = inst->cls->name;
    for (const Instance *p = inst->parent; p; p = p->parent) {
        if (!p->cls)
            continue;
        if (same == 0)
            cycle =
                arena_printf(in->arena, "%s contains %s", p->cls->name, cycle);
        same += p->cls->ast == inst->cls->ast;
    }
    if (same < 12 && inst->depth < LIMIT_DEPTH)
        return false;
    diag_report(in->diag, span, DIAG_E0906,
                "components are nested without end: %s", cycle);
    return true;
}

static bool is_connector_class(const Class *cls)
{
    AstClassKind k = class_kind(cls);
    return k == CK_CONNECTOR || k == CK_EXPANDABLE_CONNECTOR;
}

/* Is the class a connector by one of the classes it is made of? */
static bool is_connector(const Context *in, Class *cls)
{
    for (; cls; cls = cls->base[0].cls) {
        if (cls->is_builtin)
            return false;
        if (is_connector_class(cls))
            return true;
        class_elaborate(in, cls);
        if (cls->nbase != 1 || !cls->ast || cls->ast->form != CF_SHORT)
            return false;
    }
    return false;
}

static bool has_dims(const Element *e, const TypeInfo *info)
{
    const AstComponent *c = e->ast->component, *o = e->original->component;
    return c->nsub || c->ntype_sub || o->nsub || o->ntype_sub || info->nlevel;
}

static void check_partial(const Context *in, const Instance *inst, Span span)
{
    const Class *c = inst->cls;
    if (c->ast && c->ast->partial && !inst->is_outer &&
        class_kind(c) != CK_PACKAGE) {
        diag_report(in->diag, span, DIAG_E0907,
                    "'%s' is partial, so '%s' cannot be made of it",
                    c->full_name, inst->name);
        diag_note(in->diag, c->ast->span, "'%s' is declared here", c->name);
    }
}

static void check_component_class(const Context *in, Class *cls, Span span,
                                  const char *name)
{
    AstClassKind k = class_kind(cls);
    if (k == CK_PACKAGE || k == CK_FUNCTION || k == CK_OPERATOR ||
        k == CK_OPERATOR_FUNCTION)
        diag_report(in->diag, span, DIAG_E0908,
                    "'%s' is a %s, so '%s' cannot be declared with it",
                    cls->full_name, ast_class_kind_name(k), name);
}

/* Sets class and kind of a new child. */
static void set_class(const Context *in, Instance *inst, Element *e)
{
    Span span = e->ast->span;
    Class *type = element_type(in, e, inst->parent);
    if (!type || (!type->is_builtin && !class_elaborate(in, type))) {
        inst->kind = IK_ERROR;
        return;
    }
    inst->is_connector = is_connector(in, type);
    inst->info = class_info(in, type);
    class_check_mods(in, type, inst->mod, "component");
    if (inst->info->is_simple || inst->info->is_object) {
        inst->kind = IK_PRIM;
        inst->cls = type;
        inst->type = inst->info->type;
        inst->mod = mod_merge(in, inst->mod, inst->info->mods);
        return;
    }
    check_component_class(in, type, span, e->name);
    Class *cls = class_modify(in, inst->info->underlying, inst->mod);
    inst->cls = cls;
    if (is_endless(in, inst, span) || !class_elaborate(in, cls)) {
        inst->kind = IK_ERROR;
        return;
    }
    check_partial(in, inst, span);
    if (has_dims(e, inst->info))
        inst->kind = IK_ARRAY;
    else
        instance_make_object(in, inst, cls);
}

bool instance_is_conditional(const Instance *inst)
{
    return inst->elem && (inst->elem->ast->component->condition ||
                          inst->elem->original->component->condition);
}

static bool is_absent(const Context *in, Instance *inst, const Element *e)
{
    const AstExpr *cond = e->ast->component->condition;
    const Element *o = e;
    ModScope scope = e->scope;
    if (!cond) {
        cond = o->original->component->condition;
        scope = (ModScope){e->part, NULL, true};
    }
    if (!cond)
        return false;
    if (scope.self)
        scope.inst = inst->parent;
    bool there = true;
    if (!eval_bool(in, mod_scope(in, scope), cond,
                   arena_printf(in->arena, "the condition of '%s'", e->name),
                   &there))
        return false;
    return !there;
}

static Instance *find_inner(const Context *in, Instance *inst)
{
    for (Instance *p = inst->parent ? inst->parent->parent : NULL; p;
         p = p->parent) {
        if (!p->cls || p->kind != IK_OBJECT)
            continue;
        int k = class_component(in, p->cls, inst->name);
        if (k == NONE)
            continue;
        const Element *e = p->cls->comp[k];
        if (!e->ast->inner && !e->original->inner)
            continue;
        Instance *x = instance_child(in, p, k);
        return p->child[k] && p->child[k]->twin ? p->child[k] : x;
    }
    return NULL;
}

/* Dimensions of the outer declaration, and of the inner component. */
static bool same_shape(const Context *in, Class *wanted, const Element *e,
                       Instance *inner)
{
    const AstComponent *c = e->ast->component;
    const TypeInfo *info = class_info(in, wanted);
    int n = c->nsub + c->ntype_sub;
    for (int i = 0; i < info->nlevel; i++)
        n += info->nsub[i];
    if (!instance_size(in, inner))
        return true;
    if (n != inner->ndim)
        return false;
    for (int i = 0; i < c->nsub; i++)
        if (c->sub[i]->kind == AE_INTEGER &&
            (int)c->sub[i]->value != inner->dim[i])
            return false;
    return true;
}

/* 5.4: the inner component must be a subtype of the outer one. */
static void check_inner(const Context *in, Instance *inst, Instance *inner,
                        const Element *e)
{
    Class *wanted = element_type(in, (Element *)e, inst->parent);
    const char *why = "";
    bool shape = !wanted || same_shape(in, wanted, e, inner);
    if (!wanted || !inner->cls ||
        (shape && class_is_subtype(in, inner->cls, wanted, &why)))
        return;
    diag_report(in->diag, e->ast->span, DIAG_E0710,
                "the inner '%s' does not fit the outer one: %s", e->name,
                shape ? why : "the dimensions differ");
    diag_note(in->diag, inner->elem->ast->span,
              "the inner component is declared here");
}

/* 5.4: where nobody declares the inner component, one without modifiers is made
 * in the model. NULL: its class is none to make components of. */
static Instance *automatic_inner(const Context *in, Instance *inst,
                                 const Element *e)
{
    Instance *root = ST(in)->root;
    Class *type = element_type(in, (Element *)e, inst->parent);
    if (!root || inst->is_static || !type || type->is_builtin ||
        !class_elaborate(in, type) || class_info(in, type)->is_simple ||
        !type->ast || type->ast->partial ||
        class_component(in, root->cls, e->name) != NONE)
        return NULL;
    AstElem *ast = NEW(in->arena, AstElem);
    *ast = *e->ast;
    ast->outer = false;
    ast->inner = true;
    Element *x = NEW(in->arena, Element);
    *x = (Element){.name = e->name,
                   .ast = ast,
                   .original = ast,
                   .part = e->part,
                   .scope = e->scope,
                   .is_component = true,
                   .cls = type};
    int k = class_add_component(in, root->cls, x);
    root->child =
        arena_grow(in->arena, root->child, (size_t)k * sizeof *root->child,
                   (size_t)(k + 1) * sizeof *root->child);
    const AstArg *text =
        ast_mod_find(type->ast->annotation, "missingInnerMessage");
    bool has = text && text->mod && text->mod->value &&
               text->mod->value->kind == AE_STRING;
    diag_report(in->run->root->diag, e->ast->span, DIAG_W0903,
                "there is no inner '%s' around '%s': one of class '%s' is made "
                "in '%s'%s%s",
                e->name, instance_path(in, inst), type->full_name,
                in->flat->model, has ? "; " : "",
                has ? text->mod->value->text : "");
    return instance_child(in, root, k);
}

/* 5.4: an outer component stands for the inner one of the same name above. */
static void resolve_outer(const Context *in, Instance *inst, const Element *e)
{
    Instance *inner = find_inner(in, inst);
    if (!inner)
        inner = automatic_inner(in, inst, e);
    if (inner) {
        check_inner(in, inst, inner, e);
        inst->outer_of = inner->outer_of ? inner->outer_of : inner;
        return;
    }
    diag_report(in->diag, e->ast->span, DIAG_E0310,
                "'%s' is outer, but there is no inner '%s' around it",
                instance_path(in, inst), e->name);
    diag_note(in->diag, in->flat->span, "declare 'inner ... %s' in '%s'",
              e->name, in->flat->model);
    inst->kind = IK_ERROR;
}

static Instance *blank_child(const Context *in, Instance *inst, int i)
{
    Element *e = inst->cls->comp[i];
    Instance *c = instance_new(in, e->name, inst);
    inst->child[i] = c;
    c->elem = e;
    c->kind = IK_ERROR;
    c->mod = mod_bind(in, e->mod, inst);
    return c;
}

static bool is_inner(const Element *e)
{
    return e->ast->inner || e->original->inner;
}

/* 17.3.5: `inner outer output v` hands the variable around it to the states
 * below, which give it values. */
static bool passes_on(const Element *e)
{
    const AstComponent *c = e->ast->component;
    return is_inner(e) && c && c->direction == DIR_OUTPUT && !e->mod;
}

static Instance *new_child(const Context *in, Instance *inst, int i)
{
    Instance *c = blank_child(in, inst, i);
    Element *e = c->elem;
    c->is_outer = e->ast->outer || e->original->outer;
    if (c->is_outer && (!is_inner(e) || passes_on(e))) {
        if (e->mod && (e->mod->value || e->mod->nkid))
            diag_report(in->diag, e->mod->span, DIAG_E0711,
                        "'%s' is outer: it is another component and cannot be "
                        "modified here",
                        e->name);
        resolve_outer(in, c, e);
        return c;
    }
    if (c->is_outer) /* inner outer: for those below it is another one */
        c->twin = find_inner(in, c);
    if (is_absent(in, c, e))
        c->kind = IK_ABSENT;
    else
        set_class(in, c, e);
    set_prefixes(c, e);
    if (c->is_connector)
        c->in_connector = true;
    c->evaluate = annotation_true(e->ast->annotation, "Evaluate");
    prefix_check(in, c, e);
    return c;
}

/* What the name of a component stands for in the class that declares it. */
static Instance *seen_as(Instance *c)
{
    return c->outer_of ? c->outer_of : c->twin ? c->twin : c;
}

Instance *instance_child(const Context *in, Instance *inst, int i)
{
    Instance *c = inst->child[i];
    if (c)
        return seen_as(c);
    if (in->run->depth > LIMIT_RECURSION || ST(in)->depth > LIMIT_RECURSION)
        return blank_child(in, inst, i);
    Trial fact;
    fact_begin(&fact, in, instance_component(inst));
    ST(in)->depth++;
    c = new_child(&fact.in, inst, i);
    ST(in)->depth--;
    if (!fact_end(&fact))
        inst->child[i] = NULL;
    return seen_as(c);
}

Instance *instance_child_by_name(const Context *in, Instance *inst,
                                 const char *name)
{
    if (inst->kind == IK_ARRAY && instance_size(in, inst) && inst->nelement > 0)
        inst = inst->element[0];
    if (inst->kind == IK_OBJECT) {
        int k = class_component(in, inst->cls, name);
        if (k != NONE)
            return instance_child(in, inst, k);
        Instance *added = instance_added(inst, name);
        if (added)
            return added;
    }
    Instance *none = instance_new(in, name, inst);
    none->kind = inst->kind == IK_ABSENT ? IK_ABSENT : IK_ERROR;
    return none;
}

/* ---- members of expandable connectors ---- */

Instance *instance_added(const Instance *inst, const char *name)
{
    for (int i = 0; i < inst->nadded; i++)
        if (inst->added[i]->name == name)
            return inst->added[i];
    return NULL;
}

void instance_add(const Context *in, Instance *inst, Instance *member)
{
    inst->added = arena_grow(in->arena, inst->added,
                             (size_t)inst->nadded * sizeof *inst->added,
                             (size_t)(inst->nadded + 1) * sizeof *inst->added);
    inst->added[inst->nadded++] = member;
}

/* Does it exist only if something is connected to it? */
static bool is_only_possible(const Instance *inst)
{
    const Instance *p = inst->parent;
    return p && p->cls && !inst->present &&
           class_kind(p->cls) == CK_EXPANDABLE_CONNECTOR &&
           !(inst->cls && inst->kind == IK_OBJECT &&
             class_kind(inst->cls) == CK_EXPANDABLE_CONNECTOR) &&
           inst->variability > FV_PARAMETER;
}

/* ---- elements and the whole tree ---- */

void instance_make_elements(const Context *in, Instance *inst)
{
    inst->element = NEW_ARRAY(in->arena, Instance *, inst->nelement);
    for (int k = 0; k < inst->nelement; k++) {
        Instance *x =
            instance_new(in,
                         arena_printf(in->arena, "%s%s", inst->name,
                                      index_text(in, inst->ndim, inst->dim, k)),
                         inst->parent);
        x->array = inst;
        x->index = k;
        x->elem = inst->elem;
        x->mod = inst->mod;
        x->info = inst->info;
        x->variability = inst->variability;
        x->flow = inst->flow;
        x->direction = inst->direction;
        x->is_protected = inst->is_protected;
        x->is_final = inst->is_final;
        x->is_static = inst->is_static;
        x->is_connector = inst->is_connector;
        x->in_connector = inst->in_connector;
        x->evaluate = inst->evaluate;
        instance_make_object(in, x, inst->cls);
        inst->element[k] = x;
    }
}

void instance_expand(const Context *in, Instance *inst)
{
    if (inst->expanded || inst->outer_of || is_only_possible(inst))
        return;
    inst->expanded = true;
    if (!instance_size(in, inst))
        return;
    switch (inst->kind) {
    case IK_PRIM: instance_variables(in, inst); break;
    case IK_ARRAY:
        for (int i = 0; i < inst->nelement; i++)
            instance_expand(in, inst->element[i]);
        break;
    case IK_OBJECT:
        make_component(in, inst);
        for (int i = 0; i < inst->cls->ncomp; i++) {
            Instance *c = instance_child(in, inst, i);
            if (inst->child[i] && inst->child[i]->twin)
                c = inst->child[i];
            if (c->parent == inst)
                instance_expand(in, c);
        }
        prefix_check_connector(in, inst);
        break;
    default: break;
    }
}
