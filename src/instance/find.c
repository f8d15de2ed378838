/* find.c - what a name stands for (5.3).
 *
 * A simple name is looked for in the frames of local names, then in the class
 * the text stands in (own and inherited elements, then imports), then in the
 * classes around it, up to an `encapsulated` one, and at last among the
 * built-in types and the top-level classes. The further parts of a composite
 * name are members of what the first part stands for.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

Scope *class_scope(const Context *in, Class *cls)
{
    if (!cls->scope) {
        cls->scope = NEW(in->arena, Scope);
        cls->scope->cls = cls;
    }
    return cls->scope;
}

Scope *instance_scope(const Context *in, Instance *inst, Class *part)
{
    for (int i = 0; i < inst->nscope; i++)
        if (inst->scope[i]->cls == part)
            return inst->scope[i];
    Scope *s = NEW(in->arena, Scope);
    s->cls = part;
    s->inst = inst;
    if ((inst->nscope & (inst->nscope - 1)) == 0)
        inst->scope = arena_grow(in->arena, inst->scope,
                                 (size_t)inst->nscope * sizeof *inst->scope,
                                 (size_t)(inst->nscope ? inst->nscope * 2 : 1) *
                                     sizeof *inst->scope);
    return inst->scope[inst->nscope++] = s;
}

Scope *mod_scope(const Context *in, ModScope s)
{
    if (s.inst)
        return instance_scope(in, s.inst, s.part);
    if (s.part)
        return class_scope(in, s.part);
    return NEW(in->arena, Scope); /* top level */
}

static const Scope *class_around(const Scope *scope)
{
    while (scope && scope->frame)
        scope = scope->parent;
    return scope;
}

/* ---- members ---- */

static Found error_found(void)
{
    return (Found){.kind = FOUND_ERROR};
}

/* 5.4: an outer class stands for the inner one of that name around; NULL: it is
 * not outer, or there is none. */
static Class *inner_class(const Context *in, const Element *e,
                          const Instance *inst)
{
    if (!e->ast || !e->ast->outer || !inst)
        return NULL;
    for (Instance *p = inst->parent; p; p = p->parent) {
        Element *x = p->cls && p->kind == IK_OBJECT
                         ? class_find(in, p->cls, e->name)
                         : NULL;
        if (x && !x->is_component && x->ast && x->ast->inner)
            return element_class(in, x, p);
    }
    return NULL;
}

/* The element `e` found in class `cls`, which is (a part of) instance `inst`
 * or none. */
static Found found_element(const Context *in, Class *cls, Instance *inst,
                           Element *e, bool outer, Span span)
{
    if (!e->is_component) {
        Class *c = inner_class(in, e, inst);
        if (!c)
            c = element_class(in, e, inst);
        return c ? (Found){.kind = FOUND_CLASS, .cls = c} : error_found();
    }
    bool is_constant = e->ast->component->variability == VAR_CONSTANT;
    if ((!inst || outer) && !is_constant &&
        !(inst && e->ast->component->variability == VAR_PARAMETER &&
          inst->is_static)) {
        diag_report(in->diag, span, DIAG_E0304,
                    "'%s' is no constant, so it cannot be used outside of an "
                    "instance of '%s'",
                    e->name, cls->name);
        diag_note(in->diag, e->ast->span, "it is declared here");
        return error_found();
    }
    if (!inst)
        inst = instance_of_constants(in, cls);
    bool is_there = inst->kind != IK_OBJECT || inst->cls->failed ||
                    class_component(in, inst->cls, e->name) != NONE ||
                    class_find(in, inst->cls, e->name) == e;
    if (!is_there && is_constant && !class_derives(in, inst->cls, cls)) {
        /* a modifier of the base of a package names a constant of its own */
        inst = instance_of_constants(in, cls);
    } else if (!is_there && class_derives(in, inst->cls, cls)) {
        diag_report(in->diag, span, DIAG_E0302,
                    "'%s' is left out of '%s' by 'break', but it is used here",
                    e->name, inst->cls->full_name);
        return error_found();
    }
    return (Found){.kind = FOUND_INSTANCE,
                   .inst = instance_child_by_name(in, inst, e->name)};
}

static void report_member(const Context *in, Class *cls, const char *name,
                          Span span)
{
    diag_report(in->diag, span, DIAG_E0302, "'%s' has no element '%s'",
                cls->full_name, name);
    find_suggest_member(in, cls, name);
}

/* 5.3.2: a class with constants and classes only. */
static bool is_package_like(const Context *in, Class *cls)
{
    AstClassKind k = class_kind(cls);
    if (k == CK_PACKAGE || k == CK_OPERATOR_RECORD || k == CK_OPERATOR)
        return true;
    class_components(in, cls);
    for (int i = 0; i < cls->ncomp; i++)
        if (cls->comp[i]->ast->component->variability != VAR_CONSTANT)
            return false;
    return true;
}

static bool is_encapsulated(const Element *e)
{
    const AstClass *a = e->load ? e->load->ast : e->ast->cls;
    return a->encapsulated;
}

/* The member `name` of a class, for a composite name. */
static Found class_member(const Context *in, Class *cls, const char *name,
                          Span span, bool quiet)
{
    if (!cls->is_builtin && !class_elaborate(in, cls))
        return error_found();
    Element *e = class_find(in, cls, name);
    if (!e) {
        if (!quiet)
            report_member(in, cls, name, span);
        return (Found){.kind = FOUND_NONE};
    }
    if (e->is_protected && quiet)
        return (Found){.kind = FOUND_NONE};
    if (e->is_protected) {
        diag_report(in->diag, span, DIAG_E0305,
                    "'%s' is protected in '%s' and cannot be used from "
                    "outside",
                    name, cls->full_name);
        if (e->ast)
            diag_note(in->diag, e->ast->span, "it is declared here");
    }
    if (!quiet && e->is_component && cls->ast && cls->ast->partial) {
        diag_report(in->diag, span, DIAG_E0907,
                    "'%s' is partial, so '%s' in it cannot be used",
                    cls->full_name, name);
        diag_note(in->diag, cls->ast->span, "'%s' is declared here", cls->name);
    }
    if (!quiet && !e->is_component && !is_encapsulated(e) &&
        !is_package_like(in, cls)) {
        diag_report(in->diag, span, DIAG_E0315,
                    "'%s' cannot be looked up in the %s '%s', because that is "
                    "no package and '%s' is not encapsulated",
                    name, ast_class_kind_name(class_kind(cls)), cls->full_name,
                    name);
    }
    return found_element(in, cls, NULL, e, false, span);
}

/* The member `name` of an instance: a component, or a class of it. */
static Found instance_member(const Context *in, Instance *inst,
                             const char *name, Span span, bool quiet)
{
    /* with the modifiers of the component: they may redeclare functions */
    bool modified = inst->kind == IK_OBJECT || inst->kind == IK_ARRAY;
    Class *cls = !modified && inst->info && inst->info->underlying
                     ? inst->info->underlying
                     : inst->cls;
    if (!cls)
        return error_found();
    Element *e = class_find(in, cls, name);
    if (!e || !e->is_component) {
        if (e && e->is_protected && quiet)
            return (Found){.kind = FOUND_NONE};
        if (e && e->is_protected) {
            diag_report(in->diag, span, DIAG_E0305,
                        "'%s' is protected in '%s' and cannot be used from "
                        "outside",
                        name, cls->full_name);
        } else if (e && !quiet && inst->kind == IK_ARRAY) {
            diag_report(in->diag, span, DIAG_E0316,
                        "'%s' cannot be looked up in '%s', which is an array "
                        "of components",
                        name, inst->name);
        }
        if (e) {
            Class *c =
                element_class(in, e, inst->kind == IK_ARRAY ? NULL : inst);
            return c ? (Found){.kind = FOUND_CLASS, .cls = c} : error_found();
        }
        if (!quiet)
            report_member(in, cls, name, span);
        return (Found){.kind = FOUND_NONE};
    }
    return (Found){.kind = FOUND_INSTANCE,
                   .inst = instance_child_by_name(in, inst, name)};
}

/* ---- imports (13.2) ---- */

static Found global_path(const Context *in, const AstRef *ref, int npart,
                         bool quiet)
{
    LoadClass *top = load_find_top(ST(in)->library, ref->part[0].name);
    Class *built = top ? NULL : class_builtin_by_name(in, ref->part[0].name);
    if (!top && !built) {
        if (!quiet) {
            diag_report(in->diag, ref->part[0].span, DIAG_E0303,
                        "there is no top-level class '%s'", ref->part[0].name);
            find_suggest(in, NULL, ref->part[0].name);
        }
        return (Found){.kind = FOUND_NONE};
    }
    Found f = {.kind = FOUND_CLASS,
               .cls = top ? class_of_load(in, top) : built};
    for (int i = 1; i < npart; i++) {
        if (f.kind == FOUND_CLASS)
            f = class_member(in, f.cls, ref->part[i].name, ref->part[i].span,
                             quiet);
        else if (f.kind == FOUND_INSTANCE)
            f = instance_member(in, f.inst, ref->part[i].name,
                                ref->part[i].span, quiet);
        if (f.kind != FOUND_CLASS && f.kind != FOUND_INSTANCE)
            return f;
    }
    return f;
}

/* import A.B.c: A.B must be a package (13.2.1). */
static Found import_path(const Context *in, const AstRef *r)
{
    if (r->npart > 1) {
        Found p = global_path(in, r, r->npart - 1, true);
        if (p.kind == FOUND_CLASS && !p.cls->is_builtin &&
            class_kind(p.cls) != CK_PACKAGE)
            diag_report(in->diag, r->span, DIAG_E0318,
                        "'%s' is a %s; only packages can be imported from",
                        p.cls->full_name,
                        ast_class_kind_name(class_kind(p.cls)));
    }
    return global_path(in, r, r->npart, false);
}

static Found import_one(const Context *in, const AstImport *im,
                        const char *name)
{
    const AstRef *r = im->name;
    switch (im->kind) {
    case IM_NAME:
        if (r->part[r->npart - 1].name == name)
            return import_path(in, r);
        break;
    case IM_RENAME:
        if (im->alias == name)
            return import_path(in, r);
        break;
    case IM_LIST:
        for (int i = 0; i < im->nlist; i++) {
            if (im->list[i] != name)
                continue;
            Found f = global_path(in, r, r->npart, false);
            return f.kind == FOUND_CLASS
                       ? class_member(in, f.cls, name, r->span, false)
                       : f;
        }
        break;
    case IM_ALL: break;
    }
    return (Found){.kind = FOUND_NONE};
}

static Found import_all(const Context *in, const AstImport *im,
                        const char *name)
{
    Found f = global_path(in, im->name, im->name->npart, false);
    if (f.kind != FOUND_CLASS)
        return f;
    if (!f.cls->is_builtin && class_kind(f.cls) != CK_PACKAGE)
        diag_report(in->diag, im->name->span, DIAG_E0318,
                    "'%s' is a %s; only packages can be imported from",
                    f.cls->full_name, ast_class_kind_name(class_kind(f.cls)));
    Element *e = class_find(in, f.cls, name);
    if (!e || e->is_protected)
        return (Found){.kind = FOUND_NONE};
    return class_member(in, f.cls, name, im->name->span, true);
}

static Found find_import(const Context *in, Class *cls, const char *name)
{
    Found f = {.kind = FOUND_NONE};
    const AstClass *ast = cls->ast;
    for (int i = 0; ast && i < ast->nelem && f.kind == FOUND_NONE; i++)
        if (ast->elem[i]->kind == EL_IMPORT)
            f = import_one(in, ast->elem[i]->import, name);
    if (f.kind != FOUND_NONE)
        return f;
    for (int i = 0; ast && i < ast->nelem; i++) {
        if (ast->elem[i]->kind != EL_IMPORT ||
            ast->elem[i]->import->kind != IM_ALL)
            continue;
        Found g = import_all(in, ast->elem[i]->import, name);
        if (f.kind == FOUND_NONE) {
            f = g;
        } else if (g.kind == FOUND_CLASS || g.kind == FOUND_INSTANCE) {
            if (g.cls != f.cls || g.inst != f.inst)
                diag_report(in->diag, ast->elem[i]->import->name->span,
                            DIAG_E0317,
                            "'%s' is imported from two packages by 'import "
                            "...*'",
                            name);
        }
    }
    return f;
}

/* ---- simple and composite names ---- */

static Found find_lexical(const Context *in, Class *cls, Instance *inst,
                          const char *name, Span span)
{
    bool outer = false;
    for (; cls; outer = true) {
        Element *e = class_find(in, cls, name);
        Found f = {.kind = FOUND_NONE};
        if (e)
            f = found_element(in, cls, inst, e, outer, span);
        else
            f = find_import(in, cls, name);
        if (f.kind != FOUND_NONE) {
            f.is_outer = outer;
            return f;
        }
        if (cls->ast && cls->ast->encapsulated) {
            Class *b = class_builtin_by_name(in, name);
            return b ? (Found){.kind = FOUND_CLASS, .cls = b}
                     : (Found){.kind = FOUND_NONE};
        }
        inst = cls->owner;
        cls = cls->parent;
    }
    Class *b = class_builtin_by_name(in, name);
    if (b)
        return (Found){.kind = FOUND_CLASS, .cls = b};
    LoadClass *top = load_find_top(ST(in)->library, name);
    if (top)
        return (Found){.kind = FOUND_CLASS, .cls = class_of_load(in, top)};
    return (Found){.kind = FOUND_NONE};
}

Found find_simple(const Context *in, Scope *scope, const char *name, Span span)
{
    Value *v = scope_local(scope, name);
    if (v)
        return (Found){.kind = FOUND_LOCAL, .value = v};
    const Scope *c = class_around(scope);
    if (ST(in)->depth > LIMIT_RECURSION) {
        if (!ST(in)->too_deep)
            diag_report(in->diag, span, DIAG_E0904,
                        "names refer to each other too deeply at '%s'", name);
        ST(in)->too_deep = true;
        return error_found();
    }
    ST(in)->depth++;
    Found f =
        find_lexical(in, c ? c->cls : NULL, c ? c->inst : NULL, name, span);
    ST(in)->depth--;
    return f;
}

/* 5.3.2: through a component only functions can be found, to be called. */
static bool may_look_through(const Context *in, const Found *from,
                             const Found *to, bool call, const AstPart *p,
                             bool last, bool quiet)
{
    if (to->kind != FOUND_CLASS || from->kind != FOUND_INSTANCE)
        return true;
    AstClassKind k = class_kind(to->cls);
    bool is_function = k == CK_FUNCTION ||
                       (!last && k != CK_OPERATOR && k != CK_OPERATOR_FUNCTION);
    bool is_array = from->inst->kind == IK_ARRAY || from->inst->array;
    if (call && is_function && !is_array &&
        !instance_is_conditional(from->inst))
        return true;
    if (!quiet)
        diag_report(in->diag, p->span, DIAG_E0316,
                    "'%s' cannot be looked up through the component '%s': "
                    "only functions can, to be called, and not through arrays "
                    "or conditional components",
                    p->name, from->inst->name);
    return false;
}

static void report_no_class(const Context *in, Scope *scope, const AstPart *p)
{
    diag_report(in->diag, p->span, DIAG_E0301, "the class '%s' is not declared",
                p->name);
    find_suggest(in, scope, p->name);
}

static Class *class_by_ref(const Context *in, Scope *scope, const AstRef *ref,
                           bool quiet, bool call)
{
    Found f;
    int i = 1;
    if (ref->npart == 0)
        return NULL;
    if (ref->global) {
        f = global_path(in, ref, ref->npart, quiet);
        i = ref->npart;
    } else {
        f = find_simple(in, scope, ref->part[0].name, ref->part[0].span);
        if (f.kind == FOUND_NONE && !quiet)
            report_no_class(in, scope, &ref->part[0]);
    }
    bool through = false; /* a component was passed */
    for (; i < ref->npart; i++) {
        const AstPart *p = &ref->part[i];
        if (f.kind == FOUND_CLASS) {
            f = class_member(in, f.cls, p->name, p->span, quiet);
            if (f.kind == FOUND_INSTANCE && through) {
                if (!quiet)
                    diag_report(in->diag, p->span, DIAG_E0316,
                                "'%s' is a component of a class that was "
                                "found through a component: only classes can "
                                "follow there",
                                p->name);
                return NULL;
            }
        } else if (f.kind == FOUND_INSTANCE) {
            through = true;
            Found from = f;
            f = instance_member(in, f.inst, p->name, p->span, quiet);
            if (!may_look_through(in, &from, &f, call, p, i + 1 == ref->npart,
                                  quiet))
                return NULL;
        } else {
            break;
        }
    }
    if (f.kind == FOUND_CLASS)
        return f.cls;
    if (!quiet && (f.kind == FOUND_INSTANCE || f.kind == FOUND_LOCAL))
        diag_report(in->diag, ref->span, DIAG_E0306,
                    "'%s' is a component, but a class is expected here",
                    ast_ref_text(ref, in->arena));
    return NULL;
}

Class *find_class(const Context *in, Scope *scope, const AstRef *ref,
                  bool quiet)
{
    return class_by_ref(in, scope, ref, quiet, false);
}

Class *find_callee(const Context *in, Scope *scope, const AstRef *ref,
                   bool quiet)
{
    return class_by_ref(in, scope, ref, quiet, true);
}

/* ---- the values of names ---- */

static Value *enum_literal(const Context *in, Class *cls, const char *name)
{
    const TypeInfo *info = class_info(in, cls);
    if (!info->is_simple || info->kind != TYPE_ENUM)
        return NULL;
    const FlatEnumeration *e = &in->flat->enumeration[info->type->enumeration];
    for (int i = 0; i < e->nliteral; i++) {
        if (strcmp(e->literal[i], name) != 0)
            continue;
        Expr k = expr_int(in->dag, i + 1);
        return value_new(in, info->type, 0, NULL, &k, FV_CONSTANT);
    }
    return NULL;
}

static Found ref_start(const Context *in, Scope *scope, const AstRef *ref)
{
    const AstPart *p = &ref->part[0];
    if (ref->global) {
        AstRef one = {.global = true, .part = ref->part, .npart = 1};
        return global_path(in, &one, 1, false);
    }
    Found f = find_simple(in, scope, p->name, p->span);
    if (f.kind == FOUND_NONE) {
        diag_report(in->diag, p->span, DIAG_E0301, "'%s' is not declared",
                    p->name);
        find_suggest(in, scope, p->name);
        return error_found();
    }
    return f;
}

/* Follows class parts; *i is the part that was used last. */
static Found through_classes(const Context *in, Found f, const AstRef *ref,
                             int *i)
{
    while (f.kind == FOUND_CLASS && *i + 1 < ref->npart) {
        const AstPart *p = &ref->part[++*i];
        Value *literal = enum_literal(in, f.cls, p->name);
        if (literal)
            f = (Found){.kind = FOUND_LOCAL, .value = literal};
        else
            f = class_member(in, f.cls, p->name, p->span, false);
    }
    return f;
}

/* 3.6.7: time belongs to models, not to what they are described by. */
static bool may_use_time(const Context *in, const Scope *scope, Span span)
{
    const Scope *c = class_around(scope);
    AstClassKind k = c && c->cls ? class_kind(c->cls) : CK_MODEL;
    if (k == CK_MODEL || k == CK_BLOCK || k == CK_CLASS || k == CK_TYPE)
        return true;
    diag_report(in->diag, span, DIAG_E0937,
                "'time' cannot be used in the %s '%s'", ast_class_kind_name(k),
                c->cls->full_name);
    return false;
}

Value *find_value(const Context *in, Scope *scope, const AstRef *ref)
{
    if (ref->npart == 0)
        return value_error(in);
    if (ref->npart == 1 && !ref->part[0].nsub &&
        strcmp(ref->part[0].name, "time") == 0) {
        if (!may_use_time(in, scope, ref->span))
            return value_error(in);
        Expr t = expr_time(in->dag);
        Value *v =
            value_new(in, type_builtin(TYPE_REAL), 0, NULL, &t, FV_CONTINUOUS);
        v->unit = "s";
        return v;
    }
    int i = 0;
    Found f = through_classes(in, ref_start(in, scope, ref), ref, &i);
    switch (f.kind) {
    case FOUND_LOCAL: return reference_local(in, scope, f.value, ref, i);
    case FOUND_INSTANCE: return reference_value(in, scope, f.inst, ref, i);
    case FOUND_CLASS:
        diag_report(in->diag, ref->span, DIAG_E0307,
                    "'%s' is a class, but a value is expected here",
                    ast_ref_text(ref, in->arena));
        return value_error(in);
    default: return value_error(in);
    }
}

InstanceSet find_instances(const Context *in, Scope *scope, const AstRef *ref)
{
    int i = 0;
    Found f = ref->npart
                  ? through_classes(in, ref_start(in, scope, ref), ref, &i)
                  : error_found();
    if (f.kind != FOUND_INSTANCE) {
        if (f.kind == FOUND_CLASS || f.kind == FOUND_LOCAL)
            diag_report(in->diag, ref->span, DIAG_E0308, "'%s' is no component",
                        ast_ref_text(ref, in->arena));
        return (InstanceSet){.ok = false};
    }
    return reference_instances(in, scope, f.inst, ref, i);
}

const char *find_instance_name(const Context *in, const Scope *scope)
{
    const Scope *c = class_around(scope);
    const char *model = in->flat->model;
    const char *dot = strrchr(model, '.');
    if (dot)
        model = dot + 1;
    if (!c || !c->inst)
        return model;
    const char *path = instance_path(in, c->inst);
    return *path ? arena_printf(in->arena, "%s.%s", model, path) : model;
}

/* ---- did you mean ---- */

typedef Vec(const char *) Names;

static void class_names(const Context *in, Class *cls, Names *names, int depth)
{
    if (depth > 10)
        return;
    for (int i = 0; i < cls->nown; i++)
        vec_push(in->arena, names, cls->own[i]->name);
    if (cls->load && cls->load->directory)
        for (int i = 0; i < load_child_count(ST(in)->library, cls->load); i++)
            vec_push(in->arena, names,
                     load_child_name(ST(in)->library, cls->load, i));
    for (int i = 0; i < cls->nbase; i++)
        class_names(in, cls->base[i].cls, names, depth + 1);
}

static void suggest(const Context *in, const char *name, const Names *names)
{
    diag_suggest(in->diag, name, names->at, names->n);
}

void find_suggest_member(const Context *in, Class *cls, const char *name)
{
    Names names = {0};
    class_names(in, cls, &names, 0);
    suggest(in, name, &names);
}

void find_suggest(const Context *in, Scope *scope, const char *name)
{
    Names names = {0};
    const Scope *c = class_around(scope);
    for (Class *k = c ? c->cls : NULL; k; k = k->parent)
        class_names(in, k, &names, 0);
    static const char *const builtin[] = {"Real", "Integer", "Boolean",
                                          "String", "time"};
    for (int i = 0; i < 5; i++)
        vec_push(in->arena, &names, builtin[i]);
    for (int i = 0; i < load_child_count(ST(in)->library, NULL); i++)
        vec_push(in->arena, &names, load_child_name(ST(in)->library, NULL, i));
    suggest(in, name, &names);
}
