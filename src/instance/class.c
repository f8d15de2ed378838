/* class.c - the elements of a class in its environment (4.5, 7.1, 7.3).
 *
 * Elaboration has two steps. class_own() reads the text of the class and pairs
 * each declared element with the modifiers that reach it. class_elaborate()
 * then finds the base classes; while it does so, only the own elements can be
 * found in the class, as 5.6.1 asks. A base class gets those modifiers that
 * name one of its elements; if there are none it is the shared, unmodified
 * class, so that a thousand resistors share what they inherit.
 *
 * `redeclare` elements in the text of a class are modifiers of its base
 * classes; so an inherited part sees the redeclared elements (7.3).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

/* --- tables of names
 * ---------------------------------------------------------- */

static unsigned hash_pointer(const void *p)
{
    uintptr_t x = (uintptr_t)p >> 3;
    return (unsigned)((x * 0x9E3779B97F4A7C15ull) >> 32);
}

int namemap_find(const NameMap *m, const char *name)
{
    if (m->cap == 0)
        return NONE;
    for (unsigned h = hash_pointer(name);; h++) {
        unsigned k = h & (unsigned)(m->cap - 1);
        if (!m->key[k])
            return NONE;
        if (m->key[k] == name)
            return m->value[k];
    }
}

static void map_put(NameMap *m, const char *name, int value)
{
    unsigned h = hash_pointer(name);
    while (m->key[h & (unsigned)(m->cap - 1)])
        h++;
    m->key[h & (unsigned)(m->cap - 1)] = name;
    m->value[h & (unsigned)(m->cap - 1)] = value;
    m->n++;
}

void namemap_add(Instantiator *in, NameMap *m, const char *name, int value)
{
    if ((m->n + 1) * 2 > m->cap) {
        NameMap old = *m;
        m->cap = old.cap ? old.cap * 2 : 4;
        m->n = 0;
        m->key = NEW_ARRAY(in->arena, const char *, m->cap);
        m->value = NEW_ARRAY(in->arena, int, m->cap);
        for (int i = 0; i < old.cap; i++)
            if (old.key[i])
                map_put(m, old.key[i], old.value[i]);
    }
    map_put(m, name, value);
}

/* --- making classes
 * -------------------------------------------------------------- */

typedef struct ClassMap {
    LoadClass **key;
    Class **value;
    int cap, n;
} ClassMap;

static Class **loaded_slot(Instantiator *in, LoadClass *load)
{
    ClassMap *m = ST(in)->loaded;
    if (!m)
        m = ST(in)->loaded = NEW(in->arena, ClassMap);
    if ((m->n + 1) * 2 > m->cap) {
        ClassMap old = *m;
        m->cap = old.cap ? old.cap * 2 : 256;
        m->key = NEW_ARRAY(in->arena, LoadClass *, m->cap);
        m->value = NEW_ARRAY(in->arena, Class *, m->cap);
        for (int i = 0; i < old.cap; i++) {
            unsigned h = hash_pointer(old.key[i]);
            if (!old.key[i])
                continue;
            while (m->key[h & (unsigned)(m->cap - 1)])
                h++;
            m->key[h & (unsigned)(m->cap - 1)] = old.key[i];
            m->value[h & (unsigned)(m->cap - 1)] = old.value[i];
        }
    }
    unsigned h = hash_pointer(load);
    unsigned mask = (unsigned)(m->cap - 1);
    while (m->key[h & mask] && m->key[h & mask] != load)
        h++;
    if (!m->key[h & mask]) {
        m->key[h & mask] = load;
        m->n++;
    }
    return &m->value[h & mask];
}

static Class *class_new(Instantiator *in, const AstClass *ast, Class *parent,
                        LoadClass *load)
{
    Class *c = NEW(in->arena, Class);
    c->name = ast->name;
    c->ast = ast;
    c->parent = parent;
    c->load = load;
    c->plain = c;
    if (load)
        c->full_name = load->full_name;
    else if (parent)
        c->full_name =
            intern_str(in->names, arena_printf(in->arena, "%s.%s",
                                               parent->full_name, ast->name));
    else
        c->full_name = ast->name;
    return c;
}

Class *class_of_load(Instantiator *in, LoadClass *load)
{
    Class **slot = loaded_slot(in, load);
    if (*slot)
        return *slot;
    Class *parent = NULL;
    if (load->parent) {
        parent = class_of_load(in, load->parent);
        Element *e = class_find(in, parent, load->name);
        if (e && !e->is_component && e->part == parent && e->load == load) {
            Class *c = element_class(in, e, NULL);
            slot = loaded_slot(in, load);
            if (c && c->load == load && !c->mods)
                return *slot = c;
        }
    }
    Class *c = class_new(in, load->ast, parent, load);
    slot = loaded_slot(in, load);
    return *slot = c;
}

Class *class_modify(Instantiator *in, Class *cls, Mod *mods)
{
    if (!cls || mod_is_empty(mods) || mods->nkid == 0)
        return cls;
    Class *c = NEW(in->arena, Class);
    c->name = cls->name;
    c->full_name = cls->full_name;
    c->ast = cls->ast;
    c->load = cls->load;
    c->parent = cls->parent;
    c->owner = cls->owner;
    c->is_local = cls->is_local;
    c->replaced = cls->replaced;
    c->is_builtin = cls->is_builtin;
    c->builtin = cls->builtin;
    c->plain = cls->plain;
    c->mods = mod_merge(in, mods, cls->mods);
    return c;
}

/* --- own elements
 * --------------------------------------------------------------------- */

static const char *elem_name(const AstElem *e)
{
    return e->kind == EL_CLASS ? e->cls->name : e->component->name;
}

static void add_own(Instantiator *in, Class *cls, Element *e)
{
    if ((cls->nown & (cls->nown - 1)) == 0)
        cls->own = arena_grow(
            in->arena, cls->own, (size_t)cls->nown * sizeof *cls->own,
            (size_t)(cls->nown ? cls->nown * 2 : 1) * sizeof *cls->own);
    namemap_add(in, &cls->own_map, e->name, cls->nown);
    cls->own[cls->nown++] = e;
}

/* What a redeclaration may not change (7.3). */
static void check_redeclare(Instantiator *in, const Element *e, const Mod *m)
{
    const AstElem *old = e->original, *new = m->redeclare;
    if (!old)
        return;
    if (old->kind != new->kind) {
        diag_report(in->diag, m->span, DIAG_E0705,
                    "'%s' is a %s and cannot be redeclared as a %s", e->name,
                    old->kind == EL_CLASS ? "class" : "component",
                    new->kind == EL_CLASS ? "class" : "component");
        diag_note(in->diag, old->span, "it is declared here");
        return;
    }
    if (e->is_final) {
        diag_report(in->diag, m->span, DIAG_E0703,
                    "'%s' is final and cannot be redeclared", e->name);
        diag_note(in->diag, old->span, "it is declared here");
    } else if (!old->replaceable) {
        diag_report(in->diag, m->span, DIAG_E0704,
                    "'%s' is not replaceable and cannot be redeclared",
                    e->name);
        diag_note(in->diag, old->span,
                  "it is declared here without 'replaceable'");
    }
}

static void own_component(Instantiator *in, Class *cls, Element *e, Mod *outer)
{
    const AstElem *a = e->original;
    ModScope self = {cls, NULL, true};
    Mod *decl = mod_new(in, a->component->mod, self, 1);
    Mod *constraint = mod_new(in, a->constraint_mod, self, 1);
    if (decl)
        decl->name = e->name;
    if (constraint)
        constraint->name = e->name;
    if (outer && outer->redeclare) {
        check_redeclare(in, e, outer);
        if (outer->redeclare->kind == EL_COMPONENT) {
            e->ast = outer->redeclare;
            e->scope = outer->redeclare_scope;
            e->redeclared_by = outer;
        }
        Mod *inner =
            a->constrained_by ? constraint : mod_without_value(in, decl);
        e->mod = mod_merge(in, outer, inner);
        if (inner && outer->redeclare->kind == EL_COMPONENT) {
            /* mod_merge drops what is below a redeclaration: put it back */
            Mod *only = NEW(in->arena, Mod);
            *only = *outer;
            only->redeclare = NULL;
            e->mod = mod_merge(in, only, inner);
        }
        return;
    }
    e->mod = mod_merge(in, outer, mod_merge(in, decl, constraint));
    if (e->is_final && outer && !mod_is_empty(outer)) {
        diag_report(in->diag, outer->span, DIAG_E0703,
                    "'%s' is final and cannot be modified", e->name);
        diag_note(in->diag, a->span, "it is declared here");
    }
}

static void own_class(Instantiator *in, Element *e, Mod *outer)
{
    const AstElem *a = e->original;
    ModScope self = {e->part, NULL, true};
    Mod *constraint = a ? mod_new(in, a->constraint_mod, self, 0) : NULL;
    if (constraint)
        constraint->name = e->name;
    if (outer && outer->redeclare && outer->redeclare->kind == EL_CLASS) {
        check_redeclare(in, e, outer);
        e->redeclared_by = outer;
        e->ast = outer->redeclare;
        e->scope = outer->redeclare_scope;
        e->load = NULL;
        Mod *only = NEW(in->arena, Mod);
        *only = *outer;
        only->redeclare = NULL;
        e->mod = mod_merge(in, only, constraint);
        return;
    }
    if (outer && outer->redeclare) {
        check_redeclare(in, e, outer);
        return;
    }
    e->mod = mod_merge(in, outer, constraint);
}

static void own_element(Instantiator *in, Class *cls, const AstElem *a)
{
    const char *name = elem_name(a);
    int old = namemap_find(&cls->own_map, name);
    if (old != NONE) {
        diag_report(in->diag, a->span, DIAG_E0901,
                    "'%s' is declared twice in '%s'", name, cls->name);
        if (cls->own[old]->ast)
            diag_note(in->diag, cls->own[old]->ast->span,
                      "it is declared here already");
        return;
    }
    Class *builtin = class_builtin_by_name(in, name);
    if (builtin && builtin->is_builtin && builtin->builtin <= TYPE_STRING &&
        cls->plain == cls)
        diag_report(in->diag, a->span, DIAG_E0932,
                    "'%s' is the name of a built-in type and cannot be "
                    "declared anew",
                    name);
    Element *e = NEW(in->arena, Element);
    e->name = name;
    e->ast = e->original = a;
    e->part = cls;
    e->scope = (ModScope){cls, NULL, true};
    e->is_component = a->kind == EL_COMPONENT;
    e->is_protected = a->is_protected;
    e->is_final = a->final;
    if (!e->is_component && cls->load)
        e->load = load_find_child(in->library, cls->load, name);
    Mod *outer = mod_kid(cls->mods, name);
    if (e->is_component)
        own_component(in, cls, e, outer);
    else
        own_class(in, e, outer);
    add_own(in, cls, e);
}

void class_own(Instantiator *in, Class *cls)
{
    if (cls->state != CS_NEW)
        return;
    cls->state = CS_OWN;
    if (!cls->ast)
        return;
    for (int i = 0; i < cls->ast->nelem; i++) {
        const AstElem *a = cls->ast->elem[i];
        if ((a->kind == EL_CLASS || a->kind == EL_COMPONENT) && !a->redeclare &&
            !(a->kind == EL_CLASS && a->cls->form == CF_EXTENDS))
            own_element(in, cls, a);
    }
}

/* A class of a directory package that has a file of its own. */
static Element *own_file(Instantiator *in, Class *cls, const char *name)
{
    if (!cls->load || !cls->load->directory)
        return NULL;
    LoadClass *load = load_find_child(in->library, cls->load, name);
    if (!load)
        return NULL;
    Element *e = NEW(in->arena, Element);
    e->name = load->name;
    e->load = load;
    e->part = cls;
    e->scope = (ModScope){cls, NULL, true};
    own_class(in, e, mod_kid(cls->mods, e->name));
    add_own(in, cls, e);
    return e;
}

/* --- base classes
 * ------------------------------------------------------------------------ */

/* The modifiers of `m` that name an element of `base`, without a value. */
static Mod *mods_for_base(Instantiator *in, Class *base, const Mod *m)
{
    if (!m)
        return NULL;
    Mod *f = NEW(in->arena, Mod);
    *f = (Mod){.span = m->span, .anchor = NONE};
    f->kid = NEW_ARRAY(in->arena, Mod *, m->nkid);
    for (int i = 0; i < m->nkid; i++)
        if (base->is_builtin || base->ast->form == CF_ENUM ||
            class_info(in, base)->is_simple ||
            class_find(in, base, m->kid[i]->name))
            f->kid[f->nkid++] = m->kid[i];
    return f->nkid ? f : NULL;
}

static bool is_redeclare(const AstElem *a)
{
    return (a->kind == EL_CLASS || a->kind == EL_COMPONENT) &&
           (a->redeclare ||
            (a->kind == EL_CLASS && a->cls->form == CF_EXTENDS));
}

/* The redeclare elements of the text as one modification. */
static Mod *text_redeclares(Instantiator *in, Class *cls)
{
    Mod *all = NULL;
    for (int i = 0; i < cls->ast->nelem; i++) {
        const AstElem *a = cls->ast->elem[i];
        if (!is_redeclare(a))
            continue;
        Mod *one = mod_wrap(
            in, mod_new_redeclare(in, a, (ModScope){cls, NULL, true}, 1));
        all = mod_merge(in, one, all);
    }
    return all;
}

typedef struct Chain {
    const AstClass *ast;
    const char *name;
    struct Chain *up;
} Chain;

static bool elaborate(Instantiator *in, Class *cls, Chain *up);

static bool in_cycle(Instantiator *in, Class *base, const Chain *chain,
                     Span span)
{
    const Chain *c = chain;
    while (c && c->ast != base->ast)
        c = c->up;
    if (!c || !base->ast)
        return false;
    const char *text = base->name;
    for (const Chain *k = chain; k != c; k = k->up)
        text = arena_printf(in->arena, "%s -> %s", k->name, text);
    diag_report(in->diag, span, DIAG_E0902, "'%s' extends itself: %s -> %s",
                base->full_name, base->name, text);
    return true;
}

static void add_base(Instantiator *in, Class *cls, Class *base,
                     const AstElem *ast, Mod *mods, Chain *chain, Span span)
{
    if (in_cycle(in, base, chain, span) || !elaborate(in, base, chain)) {
        cls->failed = true;
        return;
    }
    Mod *f = mods_for_base(in, base, mods);
    Class *b = f ? class_modify(in, base, f) : base;
    if (!elaborate(in, b, chain)) {
        cls->failed = true;
        return;
    }
    cls->base =
        arena_grow(in->arena, cls->base, (size_t)cls->nbase * sizeof *cls->base,
                   (size_t)(cls->nbase + 1) * sizeof *cls->base);
    cls->base[cls->nbase++] = (Base){b, ast, ast && ast->is_protected};
}

/* 7.1.3: base classes must be there whatever the class inherits, and may not
 * be replaceable. */
static void check_base(Instantiator *in, Class *cls, Class *base,
                       const AstElem *a)
{
    if (base->is_builtin || cls->is_builtin)
        return;
    AstClassKind k = class_kind(cls), b = class_kind(base);
    bool fine = k == b || b == CK_CLASS || b == CK_RECORD || b == CK_TYPE;
    switch (k) {
    case CK_MODEL: fine |= b == CK_BLOCK || b == CK_MODEL; break;
    case CK_CLASS: fine |= b != CK_PACKAGE && b != CK_FUNCTION; break;
    case CK_PACKAGE: fine = b == CK_PACKAGE || b == CK_CLASS; break;
    case CK_FUNCTION:
        fine = b == CK_FUNCTION || b == CK_CLASS || b == CK_RECORD ||
               b == CK_OPERATOR_FUNCTION;
        break;
    case CK_CONNECTOR: fine |= b == CK_EXPANDABLE_CONNECTOR; break;
    case CK_EXPANDABLE_CONNECTOR: fine |= b == CK_CONNECTOR; break;
    case CK_OPERATOR_FUNCTION: fine |= b == CK_FUNCTION; break;
    case CK_OPERATOR_RECORD: fine |= b == CK_OPERATOR_RECORD; break;
    case CK_OPERATOR: fine |= b == CK_PACKAGE; break;
    default: break;
    }
    if (!fine) {
        diag_report(in->diag, a->span, DIAG_E0903,
                    "the %s '%s' cannot extend the %s '%s'",
                    ast_class_kind_name(k), cls->name, ast_class_kind_name(b),
                    base->full_name);
        diag_note(in->diag, base->ast->span, "'%s' is declared here",
                  base->name);
    }
}

static void add_extends(Instantiator *in, Class *cls, const AstElem *a,
                        Mod *redeclares, Chain *chain)
{
    Scope scope = {.cls = cls};
    Class *base = find_class(in, &scope, a->extends->base, false);
    if (!base) {
        cls->failed = true;
        return;
    }
    check_base(in, cls, base, a);
    Mod *own = mod_new(in, a->extends->mod, (ModScope){cls, NULL, true}, 0);
    class_check_mods(in, base, own, "extends");
    Mod *mods = mod_merge(in, cls->mods, mod_merge(in, redeclares, own));
    add_base(in, cls, base, a, mods, chain, a->extends->base->span);
}

static void add_short_base(Instantiator *in, Class *cls, Chain *chain)
{
    const AstClass *ast = cls->ast;
    if (cls->parent && cls->parent->state == CS_NEW)
        class_own(in, cls->parent);
    Scope top = {.cls = cls->parent, .inst = cls->owner};
    Class *base = find_class(in, &top, ast->base, false);
    if (!base) {
        cls->failed = true;
        return;
    }
    ModScope around = {cls->parent, cls->owner, false};
    Mod *own = mod_new(in, ast->mod, around, 0);
    class_check_mods(in, base, own, "class");
    add_base(in, cls, base, NULL, mod_merge(in, cls->mods, own), chain,
             ast->base->span);
}

static void check_redeclares_found(Instantiator *in, Class *cls, const Mod *m)
{
    for (int i = 0; m && i < m->nkid; i++) {
        bool found = false;
        for (int b = 0; b < cls->nbase && !found; b++)
            found = class_find(in, cls->base[b].cls, m->kid[i]->name) != NULL;
        if (!found && !cls->failed)
            diag_report(in->diag, m->kid[i]->redeclare->span, DIAG_E0706,
                        "'%s' is redeclared, but '%s' inherits no such element",
                        m->kid[i]->name, cls->name);
    }
}

/* An inherited component and one of the same name must be the same (7.1). */
static void check_class_form(Instantiator *in, Class *cls)
{
    if (cls->plain == cls)
        restrict_class(in, cls);
    if (cls->ast->form == CF_DER)
        diag_report(in->diag, cls->ast->span, DIAG_U0901,
                    "not supported yet: functions defined by der(...)");
}

static bool elaborate(Instantiator *in, Class *cls, Chain *up)
{
    if (cls->state == CS_DONE)
        return !cls->failed;
    if (cls->state == CS_BUSY)
        return true;
    class_own(in, cls);
    if (!cls->ast) {
        cls->state = CS_DONE;
        return true;
    }
    if (ST(in)->depth > LIMIT_RECURSION) {
        if (!ST(in)->too_deep)
            diag_report(in->diag, cls->ast->span, DIAG_E0904,
                        "classes are nested too deeply at '%s'",
                        cls->full_name);
        ST(in)->too_deep = true;
        cls->failed = true;
        cls->state = CS_DONE;
        return false;
    }
    ST(in)->depth++;
    cls->state = CS_BUSY;
    Chain chain = {cls->ast, cls->name, up};
    check_class_form(in, cls);
    if (cls->ast->form == CF_SHORT) {
        add_short_base(in, cls, &chain);
    } else {
        Mod *redeclares = text_redeclares(in, cls);
        if (cls->ast->form == CF_EXTENDS && cls->replaced) {
            Mod *own =
                mod_new(in, cls->ast->mod, (ModScope){cls, NULL, true}, 0);
            add_base(in, cls, cls->replaced, NULL,
                     mod_merge(in, cls->mods, mod_merge(in, redeclares, own)),
                     up, cls->ast->span);
        }
        for (int i = 0; i < cls->ast->nelem; i++)
            if (cls->ast->elem[i]->kind == EL_EXTENDS)
                add_extends(in, cls, cls->ast->elem[i], redeclares, &chain);
        check_redeclares_found(in, cls, redeclares);
    }
    cls->state = CS_DONE;
    ST(in)->depth--;
    return !cls->failed;
}

bool class_elaborate(Instantiator *in, Class *cls)
{
    return elaborate(in, cls, NULL);
}

Element *class_find(Instantiator *in, Class *cls, const char *name)
{
    class_own(in, cls);
    int k = namemap_find(&cls->own_map, name);
    if (k != NONE)
        return cls->own[k];
    Element *e = own_file(in, cls, name);
    if (e || cls->state == CS_BUSY)
        return e;
    elaborate(in, cls, NULL);
    for (int b = 0; b < cls->nbase; b++) {
        e = class_find(in, cls->base[b].cls, name);
        if (e)
            return e;
    }
    return NULL;
}

/* --- components
 * ---------------------------------------------------------------------------
 */

static bool same_exprs(AstExpr *const *a, int na, AstExpr *const *b, int nb)
{
    for (int i = 0; na == nb && i < na; i++)
        if (!ast_equal_expr(a[i], b[i]))
            return false;
    return na == nb;
}

static bool same_mod(const AstMod *a, const AstMod *b)
{
    if (!a || !b)
        return a == b;
    if (a->narg != b->narg || !a->value != !b->value ||
        (a->value && !ast_equal_expr(a->value, b->value)))
        return false;
    for (int i = 0; i < a->narg; i++) {
        const AstArg *x = &a->arg[i], *y = &b->arg[i];
        if (x->kind != MOD_VALUE || y->kind != MOD_VALUE ||
            x->name->npart != 1 || y->name->npart != 1 ||
            x->name->part[0].name != y->name->part[0].name ||
            !same_mod(x->mod, y->mod))
            return false;
    }
    return true;
}

/* Do two components say the same (7.1: then they count once)? */
static bool same_declaration(Instantiator *in, const AstElem *a,
                             const AstElem *b)
{
    if (a == b)
        return true;
    const AstComponent *x = a->component, *y = b->component;
    return x->variability == y->variability && x->flow == y->flow &&
           x->direction == y->direction && !x->condition == !y->condition &&
           strcmp(ast_ref_text(x->type, in->arena),
                  ast_ref_text(y->type, in->arena)) == 0 &&
           same_exprs(x->sub, x->nsub, y->sub, y->nsub) &&
           same_exprs(x->type_sub, x->ntype_sub, y->type_sub, y->ntype_sub) &&
           same_mod(x->mod, y->mod);
}

static void add_component(Instantiator *in, Class *cls, Element *e,
                          bool is_protected)
{
    int old = namemap_find(&cls->comp_map, e->name);
    if (old != NONE) {
        Element *o = cls->comp[old];
        if (!same_declaration(in, o->original, e->original)) {
            diag_report(in->diag, e->original->span, DIAG_E0905,
                        "'%s' is inherited or declared twice in '%s', and the "
                        "two declarations differ",
                        e->name, cls->name);
            diag_note(in->diag, o->original->span,
                      "the other declaration is here");
        }
        return;
    }
    if (is_protected && !e->is_protected) {
        Element *copy = NEW(in->arena, Element);
        *copy = *e;
        copy->is_protected = true;
        e = copy;
    }
    if ((cls->ncomp & (cls->ncomp - 1)) == 0)
        cls->comp = arena_grow(
            in->arena, cls->comp, (size_t)cls->ncomp * sizeof *cls->comp,
            (size_t)(cls->ncomp ? cls->ncomp * 2 : 1) * sizeof *cls->comp);
    namemap_add(in, &cls->comp_map, e->name, cls->ncomp);
    cls->comp[cls->ncomp++] = e;
}

static void add_base_components(Instantiator *in, Class *cls, const Base *b)
{
    class_components(in, b->cls);
    for (int i = 0; i < b->cls->ncomp; i++)
        add_component(in, cls, b->cls->comp[i], b->is_protected);
}

void class_components(Instantiator *in, Class *cls)
{
    if (cls->comp_ready)
        return;
    class_elaborate(in, cls);
    if (cls->state == CS_BUSY)
        return;
    cls->comp_ready = true;
    if (cls->nbase == 1 && cls->nown == 0) { /* share the table of the base */
        Class *b = cls->base[0].cls;
        class_components(in, b);
        if (!cls->base[0].is_protected) {
            cls->comp = b->comp;
            cls->ncomp = b->ncomp;
            cls->comp_map = b->comp_map;
            return;
        }
    }
    int next = 0;
    while (next < cls->nbase && !cls->base[next].ast)
        add_base_components(in, cls, &cls->base[next++]);
    for (int i = 0; cls->ast && i < cls->ast->nelem; i++) {
        const AstElem *a = cls->ast->elem[i];
        if (a->kind == EL_EXTENDS && next < cls->nbase &&
            cls->base[next].ast == a)
            add_base_components(in, cls, &cls->base[next++]);
        if (a->kind == EL_COMPONENT && !a->redeclare) {
            int k = namemap_find(&cls->own_map, a->component->name);
            if (k != NONE && cls->own[k]->original == a)
                add_component(in, cls, cls->own[k], false);
        }
    }
}

int class_component(Instantiator *in, Class *cls, const char *name)
{
    class_components(in, cls);
    return namemap_find(&cls->comp_map, name);
}

/* --- classes and types of elements
 * ---------------------------------------------------------- */

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
static Class *replaced_class(Instantiator *in, Element *e, const Mod *by,
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
            inner.load = load_find_child(in->library, e->part->load, e->name);
    }
    Element *copy = NEW(in->arena, Element);
    *copy = inner;
    return element_class(in, copy, inst);
}

static Class *make_class(Instantiator *in, Element *e, Instance *inst)
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
        c = class_new(in, ast, e->scope.part, e->load);
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

Class *element_class(Instantiator *in, Element *e, Instance *inst)
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

Class *element_type(Instantiator *in, Element *e, Instance *inst)
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

/* --- checks and questions
 * ------------------------------------------------------------------------ */

/* 4.8: the attributes of Real; the other types have fewer. */
static bool has_attribute(TypeKind kind, const char *name)
{
    static const struct {
        const char *name;
        bool has[5]; /* Real, Integer, Boolean, String, enumeration */
    } known[] = {
        {"quantity", {true, true, true, true, true}},
        {"start", {true, true, true, true, true}},
        {"fixed", {true, true, true, true, true}},
        {"min", {true, true, false, false, true}},
        {"max", {true, true, false, false, true}},
        {"unit", {true, false, false, false, false}},
        {"displayUnit", {true, false, false, false, false}},
        {"nominal", {true, false, false, false, false}},
        {"stateSelect", {true, false, false, false, false}},
        {"unbounded", {true, false, false, false, false}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i].name) == 0)
            return kind <= TYPE_ENUM && known[i].has[kind];
    return false;
}

bool class_is_attribute(const char *name)
{
    return has_attribute(TYPE_ENUM, name);
}

void class_check_mods(Instantiator *in, Class *cls, const Mod *mods,
                      const char *what)
{
    bool from_outside = strcmp(what, "component") == 0;
    if (!mods || !class_elaborate(in, cls))
        return;
    const TypeInfo *info = class_info(in, cls);
    for (int i = 0; i < mods->nkid; i++) {
        const Mod *k = mods->kid[i];
        if (info->is_simple) {
            if (!has_attribute(info->kind, k->name)) {
                diag_report(in->diag, k->span, DIAG_E0701,
                            "'%s' has no attribute '%s'", cls->name, k->name);
                static const char *const all[] = {
                    "quantity", "unit",  "displayUnit", "min",        "max",
                    "start",    "fixed", "nominal",     "stateSelect"};
                diag_suggest(in->diag, k->name, all, 9);
            }
            continue;
        }
        Element *e = class_find(in, cls, k->name);
        if (!e) {
            diag_report(in->diag, k->span, DIAG_E0701,
                        "'%s' has no element '%s' to modify", cls->full_name,
                        k->name);
            find_suggest_member(in, cls, k->name);
        } else if (e->is_protected && from_outside) {
            diag_report(in->diag, k->span, DIAG_E0305,
                        "'%s' is protected in '%s' and cannot be modified "
                        "from outside",
                        k->name, cls->full_name);
            if (e->ast)
                diag_note(in->diag, e->ast->span, "it is declared here");
        }
    }
}

AstClassKind class_kind(const Class *cls)
{
    return cls->ast ? cls->ast->kind : CK_TYPE;
}

bool class_is_kind(Instantiator *in, Class *cls, AstClassKind kind)
{
    if (class_kind(cls) == kind)
        return true;
    (void)in;
    return false;
}

bool class_derives(Instantiator *in, Class *cls, const Class *base)
{
    if (cls->ast == base->ast)
        return true;
    class_elaborate(in, cls);
    for (int i = 0; i < cls->nbase; i++)
        if (class_derives(in, cls->base[i].cls, base))
            return true;
    return false;
}
