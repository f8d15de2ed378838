/* types.c - classes as types and as functions: what evaluation needs to know.
 *
 * A chain of short classes ends in a built-in type, an enumeration, or a class
 * with components; on the way it collects dimensions and prefixes (4.5.1). The
 * attributes given on the way have already been passed down to the built-in
 * type as modifiers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "instance/structure.h"

/* ---- built-in classes ---- */

static Class *builtin_new(const Context *in, const char *name, TypeKind kind)
{
    Class *c = NEW(in->arena, Class);
    c->name = c->full_name = intern_str(in->names, name);
    c->is_builtin = true;
    c->builtin = kind;
    c->plain = c;
    c->state = CS_DONE;
    return c;
}

Class *class_builtin(const Context *in, TypeKind kind)
{
    static const char *const name[] = {[TYPE_REAL] = "Real",
                                       [TYPE_INTEGER] = "Integer",
                                       [TYPE_BOOLEAN] = "Boolean",
                                       [TYPE_STRING] = "String",
                                       [TYPE_CLOCK] = "Clock"};
    Class **c = &ST(in)->builtin[kind];
    if (!*c)
        *c = builtin_new(in, name[kind], kind);
    return *c;
}

static Class *builtin_enum(const Context *in, const char *name,
                           const char *const *literal, int n)
{
    AstClass *ast = NEW(in->arena, AstClass);
    ast->kind = CK_TYPE;
    ast->form = CF_ENUM;
    ast->name = intern_str(in->names, name);
    ast->span = ast->full_span = NO_SPAN;
    ast->literal = NEW_ARRAY(in->arena, AstEnumLiteral, n);
    ast->nliteral = n;
    for (int i = 0; i < n; i++)
        ast->literal[i].name = intern_str(in->names, literal[i]);
    Class *c = NEW(in->arena, Class);
    c->name = c->full_name = ast->name;
    c->ast = ast;
    c->plain = c;
    return c;
}

Class *class_builtin_by_name(const Context *in, const char *name)
{
    Structure *st = ST(in);
    if (!st->state_select) {
        static const char *const select[] = {"never", "avoid", "default",
                                             "prefer", "always"};
        static const char *const level[] = {"error", "warning"};
        st->state_select = builtin_enum(in, "StateSelect", select, 5);
        st->assertion_level = builtin_enum(in, "AssertionLevel", level, 2);
        st->external_object = builtin_new(in, "ExternalObject", TYPE_OBJECT);
    }
    for (TypeKind k = TYPE_REAL; k <= TYPE_CLOCK; k++)
        if (class_builtin(in, k)->name == name ||
            strcmp(class_builtin(in, k)->name, name) == 0)
            return class_builtin(in, k);
    if (strcmp(name, "StateSelect") == 0)
        return st->state_select;
    if (strcmp(name, "AssertionLevel") == 0)
        return st->assertion_level;
    if (strcmp(name, "ExternalObject") == 0)
        return st->external_object;
    return NULL;
}

/* ---- what a class is in the end ---- */

static const Type *enum_type(const Context *in, Class *cls)
{
    in = in->run->root; /* what is wrong with a text is wrong for everybody */
    Structure *st = ST(in);
    for (int i = 0; i < st->enum_class.n; i++)
        if (st->enum_class.at[i]->ast == cls->ast)
            return type_enum(in, i);
    const AstClass *ast = cls->ast;
    const char **literal = NEW_ARRAY(in->arena, const char *, ast->nliteral);
    for (int i = 0; i < ast->nliteral; i++) {
        literal[i] = ast->literal[i].name;
        if (class_is_attribute(literal[i]))
            diag_report(in->diag, ast->literal[i].span, DIAG_E0931,
                        "'%s' is an attribute of enumerations and cannot be a "
                        "literal",
                        literal[i]);
        for (int k = 0; k < i; k++)
            if (literal[k] == literal[i]) {
                diag_report(in->diag, ast->literal[i].span, DIAG_E0901,
                            "'%s' is declared twice in '%s'", literal[i],
                            cls->name);
                diag_note(in->diag, ast->literal[k].span,
                          "it is declared here already");
            }
    }
    vec_push(in->arena, &st->enum_class, cls);
    int k = emit_enumeration(in, (FlatEnumeration){.name = cls->full_name,
                                                   .literal = literal,
                                                   .nliteral = ast->nliteral});
    return type_enum(in, k);
}

static void add_level(const Context *in, TypeInfo *info, Class *cls,
                      const TypeInfo *base)
{
    int own = cls->ast->nsub ? 1 : 0;
    int n = own + base->nlevel;
    info->nlevel = n;
    info->sub = NEW_ARRAY(in->arena, AstExpr *const *, n);
    info->nsub = NEW_ARRAY(in->arena, int, n);
    info->sub_scope = NEW_ARRAY(in->arena, ModScope, n);
    if (own) {
        info->sub[0] = cls->ast->sub;
        info->nsub[0] = cls->ast->nsub;
        info->sub_scope[0] = (ModScope){cls->parent, cls->owner, false};
    }
    for (int i = 0; i < base->nlevel; i++) {
        info->sub[own + i] = base->sub[i];
        info->nsub[own + i] = base->nsub[i];
        info->sub_scope[own + i] = base->sub_scope[i];
    }
}

static bool derives_object(Class *cls)
{
    for (int i = 0; i < cls->nbase; i++)
        if (cls->base[i].cls->is_builtin &&
            cls->base[i].cls->builtin == TYPE_OBJECT)
            return true;
    return false;
}

/* 12.9.7: an external object has a constructor and a destructor, nothing else.
 */
static void check_object(const Context *in, const Class *cls)
{
    for (int i = 0; i < cls->ast->nelem; i++) {
        const AstElem *e = cls->ast->elem[i];
        if (e->kind == EL_EXTENDS ||
            (e->kind == EL_CLASS && (strcmp(e->cls->name, "constructor") == 0 ||
                                     strcmp(e->cls->name, "destructor") == 0)))
            continue;
        if (e->kind == EL_COMPONENT || e->kind == EL_CLASS)
            diag_report(in->diag, e->span, DIAG_E0937,
                        "the external object '%s' can have a constructor and a "
                        "destructor, and nothing else",
                        cls->name);
    }
}

static void info_from_base(const Context *in, TypeInfo *info, Class *cls)
{
    const TypeInfo *base = class_info(in, cls->base[0].cls);
    if (cls->ast->form == CF_SHORT || base->is_simple) {
        info->is_simple = base->is_simple;
        info->is_object = base->is_object;
        info->kind = base->kind;
        info->type = base->type;
        info->mods = base->mods;
        info->direction =
            cls->ast->direction ? cls->ast->direction : base->direction;
        info->flow = cls->ast->flow ? cls->ast->flow : base->flow;
        add_level(in, info, cls, base);
        if (info->nlevel)
            info->underlying = base->underlying;
    }
}

const TypeInfo *class_info(const Context *in, Class *cls)
{
    if (cls->info)
        return cls->info;
    TypeInfo *info = NEW(in->arena, TypeInfo);
    info->underlying = cls;
    if (cls->is_builtin) {
        info->is_simple = cls->builtin <= TYPE_CLOCK;
        info->is_object = cls->builtin == TYPE_OBJECT;
        info->kind = cls->builtin;
        info->type = info->is_simple ? type_builtin(cls->builtin) : NULL;
        info->mods = cls->mods;
        return cls->info = info;
    }
    class_elaborate(in, cls);
    if (cls->state == CS_BUSY)
        return info; /* not remembered: more is known later */
    if (cls->ast->form == CF_ENUM) {
        info->is_simple = true;
        info->kind = TYPE_ENUM;
        info->type = enum_type(in, cls);
        info->mods = cls->mods;
    } else if (derives_object(cls)) {
        check_object(in->run->root, cls);
        info->is_object = true;
        info->kind = TYPE_OBJECT;
        Type *t = NEW(in->arena, Type);
        *t = (Type){.kind = TYPE_OBJECT, .cls = cls, .name = cls->full_name};
        info->type = t;
    } else if (cls->nbase == 1) {
        info_from_base(in, info, cls);
    }
    return cls->info = info;
}

/* ---- types of records ---- */

static bool has_redeclare(const Mod *m)
{
    for (int i = 0; m && i < m->nkid; i++)
        if (m->kid[i]->redeclare || has_redeclare(m->kid[i]))
            return true;
    return false;
}

static int literal_size(const AstExpr *e)
{
    return e->kind == AE_INTEGER ? (int)e->value : NONE;
}

static void set_member(const Context *in, TypeMember *m, Element *e)
{
    m->name = e->name;
    m->type = type_builtin(TYPE_ANY);
    Class *t = element_type(in, e, NULL);
    if (!t)
        return;
    const TypeInfo *info = class_info(in, t);
    const Type *type =
        info->type ? info->type : class_type(in, info->underlying);
    if (type)
        m->type = type;
    const AstComponent *c = e->ast->component;
    int n = c->nsub + c->ntype_sub;
    for (int i = 0; i < info->nlevel; i++)
        n += info->nsub[i];
    int *dim = NEW_ARRAY(in->arena, int, n);
    int k = 0;
    for (int i = 0; i < c->nsub; i++)
        dim[k++] = literal_size(c->sub[i]);
    for (int i = 0; i < c->ntype_sub; i++)
        dim[k++] = literal_size(c->type_sub[i]);
    for (int l = 0; l < info->nlevel; l++)
        for (int i = 0; i < info->nsub[l]; i++)
            dim[k++] = literal_size(info->sub[l][i]);
    m->ndim = n;
    m->dim = dim;
}

const Type *class_type(const Context *in, const Class *of)
{
    Class *cls = (Class *)of;
    if (cls->mods && !has_redeclare(cls->mods))
        cls = cls->plain;
    if (cls->type)
        return cls->type;
    const TypeInfo *info = class_info(in, cls);
    if (info->type)
        return cls->type = info->type;
    AstClassKind kind = class_kind(info->underlying);
    if (kind != CK_RECORD && kind != CK_OPERATOR_RECORD &&
        kind != CK_CONNECTOR && kind != CK_CLASS)
        return NULL;
    Type *t = NEW(in->arena, Type);
    t->kind = TYPE_RECORD;
    t->cls = cls;
    t->name = cls->full_name;
    cls->type = t;
    Trial fact;
    fact_begin(&fact, in, 0);
    Class *u = info->underlying;
    class_components(in, u);
    t->member = NEW_ARRAY(in->arena, TypeMember, u->ncomp);
    t->nmember = u->ncomp;
    for (int i = 0; i < u->ncomp; i++)
        set_member(&fact.in, &t->member[i], u->comp[i]);
    if (!fact_end(&fact))
        cls->type = NULL;
    return t;
}

bool class_is_wrong(const Class *cls)
{
    return cls->failed;
}

bool class_is_range(const Context *in, const Class *cls, int *count,
                    const Type **type)
{
    const TypeInfo *info = class_info(in, (Class *)cls);
    if (!info->is_simple)
        return false;
    *type = info->type;
    if (info->kind == TYPE_BOOLEAN)
        *count = 2;
    else if (info->kind == TYPE_ENUM)
        *count = in->flat->enumeration[info->type->enumeration].nliteral;
    else
        return false;
    return true;
}

/* ---- functions ---- */

/* The size a type gives, as a literal: its names are not those of the
 * function. */
static AstExpr *size_literal(const Context *in, AstExpr *e, ModScope scope)
{
    if (e->kind == AE_INTEGER || e->kind == AE_COLON)
        return e;
    AstExpr *k = NEW(in->arena, AstExpr);
    *k = (AstExpr){.kind = AE_INTEGER, .span = e->span};
    int size = 0;
    if (eval_int(in, mod_scope(in, scope), e, "the size of a type", &size))
        k->value = size;
    return k;
}

static void set_dims(const Context *in, FunctionVar *v, const Element *e,
                     const TypeInfo *info)
{
    const AstComponent *c = e->ast->component;
    int n = c->nsub + c->ntype_sub;
    for (int i = 0; i < info->nlevel; i++)
        n += info->nsub[i];
    AstExpr **dim = NEW_ARRAY(in->arena, AstExpr *, n);
    int k = 0;
    for (int i = 0; i < c->nsub; i++)
        dim[k++] = c->sub[i];
    for (int i = 0; i < c->ntype_sub; i++)
        dim[k++] = c->type_sub[i];
    for (int l = 0; l < info->nlevel; l++)
        for (int i = 0; i < info->nsub[l]; i++)
            dim[k++] = size_literal(in, info->sub[l][i], info->sub_scope[l]);
    v->ndim = n;
    v->dim = dim;
}

static bool is_part(const Class *cls, const Class *part)
{
    if (cls == part)
        return true;
    for (int i = 0; i < cls->nbase; i++)
        if (is_part(cls->base[i].cls, part))
            return true;
    return false;
}

/* Where a modifier of a function's variable is looked up; NULL: in the frame
 * of the call. */
static Scope *binding_scope(const Context *in, const Class *cls, const Mod *m)
{
    return m->scope.self && is_part(cls, m->scope.part)
               ? NULL
               : mod_scope(in, m->scope);
}

static void set_members(const Context *in, FunctionVar *v, const Mod *mod,
                        const Class *cls)
{
    v->member = NULL;
    MemberBinding *b = NEW_ARRAY(in->arena, MemberBinding, mod->nkid);
    for (int i = 0; i < mod->nkid; i++) {
        const Mod *m = mod->kid[i];
        if (m->value && m->name)
            b[v->nmember++] =
                (MemberBinding){m->name, m->value, binding_scope(in, cls, m)};
    }
    v->member = b;
}

static void set_function_var(const Context *in, FunctionVar *v, Element *e,
                             const Class *cls)
{
    const AstComponent *c = e->ast->component;
    v->name = e->name;
    v->span = e->ast->span;
    const AstComponent *o = e->original->component;
    v->direction = c->direction ? c->direction : o->direction;
    v->type = type_builtin(TYPE_ANY);
    switch (c->variability ? c->variability : o->variability) {
    case VAR_CONSTANT: v->variability = FV_CONSTANT; break;
    case VAR_PARAMETER: v->variability = FV_PARAMETER; break;
    default: v->variability = FV_CONTINUOUS; break;
    }
    if (e->mod && e->mod->value) {
        v->binding = e->mod->value;
        v->binding_scope = binding_scope(in, cls, e->mod);
    }
    Class *t = element_type(in, e, NULL);
    if (!t || (!t->is_builtin && !class_elaborate(in, t)))
        return;
    const TypeInfo *info = class_info(in, t);
    Class *u = info->underlying;
    const Type *type = info->type ? info->type : class_type(in, u);
    if (class_kind(u) == CK_FUNCTION || class_kind(u) == CK_OPERATOR_FUNCTION) {
        Type *f = NEW(in->arena, Type);
        *f = (Type){.kind = TYPE_FUNCTION, .cls = u, .name = u->full_name};
        type = f;
    }
    if (!type) {
        diag_report(in->diag, v->span, DIAG_E0918,
                    "'%s' is a %s and cannot be a variable of a function",
                    u->full_name, ast_class_kind_name(class_kind(u)));
        return;
    }
    v->type = type;
    if (type->kind == TYPE_RECORD && e->mod && e->mod->nkid)
        set_members(in, v, e->mod, cls);
    if (info->direction && !v->direction)
        v->direction = info->direction;
    set_dims(in, v, e, info);
}

typedef struct Sections {
    AstSection **at;
    Scope **scope;
    int n;
} Sections;

static void collect_sections(const Context *in, Class *cls, Sections *s,
                             const AstExternal **external,
                             const AstMod **annotation)
{
    for (int i = 0; i < cls->nbase; i++)
        collect_sections(in, cls->base[i].cls, s, external, annotation);
    if (!cls->ast)
        return;
    if (cls->ast->external)
        *external = cls->ast->external;
    if (cls->ast->annotation)
        *annotation = cls->ast->annotation;
    for (int i = 0; i < cls->ast->nsection; i++) {
        s->at = arena_grow(in->arena, s->at, (size_t)s->n * sizeof *s->at,
                           (size_t)(s->n + 1) * sizeof *s->at);
        s->scope =
            arena_grow(in->arena, s->scope, (size_t)s->n * sizeof *s->scope,
                       (size_t)(s->n + 1) * sizeof *s->scope);
        s->at[s->n] = &cls->ast->section[i];
        s->scope[s->n++] = class_scope(in, cls);
    }
}

static Function *function_of(const Context *in, Class *cls, bool constructor)
{
    class_components(in, cls);
    Function *f = NEW(in->arena, Function);
    cls->function = f;
    cls->function_done = true;
    f->cls = cls;
    f->name = cls->full_name;
    f->scope = class_scope(in, cls);
    f->span = cls->ast->span;
    f->is_partial = cls->ast->partial;
    f->is_pure = cls->ast->is_pure;
    f->is_impure = cls->ast->is_impure;
    f->is_record_constructor = constructor;
    f->var = NEW_ARRAY(in->arena, FunctionVar, cls->ncomp);
    f->nvar = cls->ncomp;
    for (int i = 0; i < cls->ncomp; i++) {
        Element *e = cls->comp[i];
        set_function_var(in, &f->var[i], e, cls);
        if (!constructor && !f->var[i].direction && !e->is_protected &&
            f->var[i].variability == FV_CONTINUOUS)
            diag_report(in->diag, e->ast->span, DIAG_E0933,
                        "'%s' is public in the function '%s', so it must be "
                        "an input or output",
                        e->name, cls->name);
        if (constructor)
            f->var[i].direction = e->is_protected || e->is_final ||
                                          (e->mod && e->mod->final) ||
                                          f->var[i].variability == FV_CONSTANT
                                      ? DIR_NONE
                                      : DIR_INPUT;
    }
    Sections s = {0};
    collect_sections(in, cls, &s, &f->external, &f->annotation);
    if (!constructor) {
        f->section = s.at;
        f->nsection = s.n;
        if (s.n == 1) /* inherited: its names are those of the base class */
            f->scope = s.scope[0];
    }
    return f;
}

const Function *class_function(const Context *in, const Class *of)
{
    Class *cls = (Class *)of;
    if (cls->function_done)
        return cls->function;
    if (cls->is_builtin || !class_elaborate(in, cls))
        return NULL;
    const TypeInfo *info = class_info(in, cls);
    if (info->is_object) {
        Element *e = class_find(in, cls, intern_str(in->names, "constructor"));
        Class *c = e && !e->is_component ? element_class(in, e, NULL) : NULL;
        return c ? class_function(in, c) : NULL;
    }
    AstClassKind k = class_kind(cls);
    bool constructor = k == CK_RECORD || k == CK_OPERATOR_RECORD;
    if (k != CK_FUNCTION && k != CK_OPERATOR_FUNCTION && !constructor)
        return NULL;
    Trial fact;
    fact_begin(&fact, in, 0);
    const Function *f = function_of(&fact.in, cls, constructor);
    if (!fact_end(&fact)) {
        cls->function = NULL;
        cls->function_done = false;
    }
    return f;
}
