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
#include "instance/selective.h"

/* ---- making classes ---- */

typedef struct ClassMap {
    LoadClass **key;
    Class **value;
    int cap, n;
} ClassMap;

static Class **loaded_slot(const Context *in, LoadClass *load)
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
            unsigned h = namemap_hash(old.key[i]);
            if (!old.key[i])
                continue;
            while (m->key[h & (unsigned)(m->cap - 1)])
                h++;
            m->key[h & (unsigned)(m->cap - 1)] = old.key[i];
            m->value[h & (unsigned)(m->cap - 1)] = old.value[i];
        }
    }
    unsigned h = namemap_hash(load);
    unsigned mask = (unsigned)(m->cap - 1);
    while (m->key[h & mask] && m->key[h & mask] != load)
        h++;
    if (!m->key[h & mask]) {
        m->key[h & mask] = load;
        m->n++;
    }
    return &m->value[h & mask];
}

Class *class_of_text(const Context *in, const AstClass *ast, Class *parent,
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

Class *class_of_load(const Context *in, LoadClass *load)
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
    Class *c = class_of_text(in, load->ast, parent, load);
    slot = loaded_slot(in, load);
    return *slot = c;
}

Class *class_modify(const Context *in, Class *cls, Mod *mods)
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

/* ---- own elements ---- */

static const char *elem_name(const AstElem *e)
{
    return e->kind == EL_CLASS ? e->cls->name : e->component->name;
}

static void add_own(const Context *in, Class *cls, Element *e)
{
    if ((cls->nown & (cls->nown - 1)) == 0)
        cls->own = arena_grow(
            in->arena, cls->own, (size_t)cls->nown * sizeof *cls->own,
            (size_t)(cls->nown ? cls->nown * 2 : 1) * sizeof *cls->own);
    namemap_add(in, &cls->own_map, e->name, cls->nown);
    cls->own[cls->nown++] = e;
}

/* 7.3: a redeclaration below another one must say `replaceable` again; a
 * constant stays one; public stays public. */
static void check_redeclared(const Context *in, const Element *e, const Mod *m)
{
    const AstElem *old = e->original, *new = m->redeclare;
    for (const Mod *u = m->under; u && u->redeclare; u = u->under)
        if (!u->redeclare->replaceable && old->replaceable) {
            diag_report(in->diag, m->span, DIAG_E0704,
                        "'%s' is redeclared without 'replaceable', so it "
                        "cannot be redeclared again",
                        e->name);
            diag_note(in->diag, u->redeclare->span, "it is redeclared here");
            break;
        }
    if (old->kind == EL_COMPONENT &&
        old->component->variability == VAR_CONSTANT &&
        new->component->variability != VAR_CONSTANT) {
        diag_report(in->diag, m->span, DIAG_E0705,
                    "'%s' is constant, so it must be redeclared as constant",
                    e->name);
        diag_note(in->diag, old->span, "it is declared here");
    }
    if (new->redeclare && m->in_text &&
        old->is_protected != new->is_protected) {
        diag_report(in->diag, m->span, DIAG_E0705,
                    "'%s' is %s and cannot be redeclared as %s", e->name,
                    old->is_protected ? "protected" : "public",
                    old->is_protected ? "public" : "protected");
        diag_note(in->diag, old->span, "it is declared here");
    }
}

/* Does the redeclaration only say how long dimensions are that are open? That
 * is allowed of what is not replaceable too. */
static bool gives_sizes(const AstElem *old, const AstElem *new)
{
    const AstComponent *a = old->component, *b = new->component;
    if (old->kind != EL_COMPONENT || new->kind != EL_COMPONENT ||
        a->nsub != b->nsub || a->ntype_sub || b->ntype_sub ||
        !ast_equal_ref(a->type, b->type))
        return false;
    int nopen = 0;
    for (int i = 0; i < a->nsub; i++) {
        if (a->sub[i]->kind == AE_COLON)
            nopen++;
        else if (!ast_equal_expr(a->sub[i], b->sub[i]))
            return false;
    }
    return nopen > 0;
}

/* What a redeclaration may not change (7.3). */
static void check_redeclare(const Context *in, const Element *e, const Mod *m)
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
    } else if (!old->replaceable && !gives_sizes(old, new)) {
        diag_report(in->diag, m->span, DIAG_E0704,
                    "'%s' is not replaceable and cannot be redeclared",
                    e->name);
        diag_note(in->diag, old->span,
                  "it is declared here without 'replaceable'");
    }
    check_redeclared(in, e, m);
}

static void own_component(const Context *in, Class *cls, Element *e, Mod *outer)
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
        Mod *inner = a->constrained_by ? constraint
                     : a->replaceable  ? mod_without_value(in, decl)
                                       : decl;
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

/* 7.3.2: the modifiers of the constraining type, where the short class that
 * stands there has none of its own. */
static Mod *constraint_of(const Context *in, const Element *e)
{
    const AstElem *a = e->original;
    const AstClass *text = e->load ? e->load->ast : e->ast ? e->ast->cls : NULL;
    ModScope self = {e->part, NULL, true};
    Mod *constraint = a ? mod_new(in, a->constraint_mod, self, 0) : NULL;
    if (!constraint)
        return NULL;
    constraint->name = e->name;
    return text && text->form == CF_SHORT
               ? mod_without(in, constraint,
                             mod_new(in, text->mod, e->scope, 0))
               : constraint;
}

static void own_class(const Context *in, Element *e, Mod *outer)
{
    if (outer && outer->redeclare && outer->redeclare->kind == EL_CLASS) {
        check_redeclare(in, e, outer);
        e->redeclared_by = outer;
        e->ast = outer->redeclare;
        e->scope = outer->redeclare_scope;
        e->load = NULL;
        Mod *only = NEW(in->arena, Mod);
        *only = *outer;
        only->redeclare = NULL;
        e->mod = mod_merge(in, only, constraint_of(in, e));
        return;
    }
    if (outer && outer->redeclare) {
        check_redeclare(in, e, outer);
        return;
    }
    e->mod = mod_merge(in, outer, constraint_of(in, e));
}

static void own_element(const Context *in, Class *cls, const AstElem *a)
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
    if (builtin && builtin->is_builtin && builtin->builtin <= TYPE_CLOCK &&
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
        e->load = load_find_child(ST(in)->library, cls->load, name);
    Mod *outer = mod_kid(cls->mods, name);
    if (e->is_component)
        own_component(in, cls, e, outer);
    else
        own_class(in, e, outer);
    add_own(in, cls, e);
}

void class_own(const Context *in, Class *cls)
{
    if (cls->state != CS_NEW)
        return;
    cls->state = CS_OWN;
    if (!cls->ast)
        return;
    in = in->run->root; /* what is wrong with a text is wrong for everybody */
    for (int i = 0; i < cls->ast->nelem; i++) {
        const AstElem *a = cls->ast->elem[i];
        if ((a->kind == EL_CLASS || a->kind == EL_COMPONENT) && !a->redeclare &&
            !(a->kind == EL_CLASS && a->cls->form == CF_EXTENDS))
            own_element(in, cls, a);
    }
}

/* A class of a directory package that has a file of its own. */
static Element *own_file(const Context *in, Class *cls, const char *name)
{
    if (!cls->load || !cls->load->directory)
        return NULL;
    LoadClass *load = load_find_child(ST(in)->library, cls->load, name);
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

Element *class_find(const Context *in, Class *cls, const char *name)
{
    class_own(in, cls);
    int k = namemap_find(&cls->own_map, name);
    if (k != NONE)
        return cls->own[k];
    Element *e = own_file(in, cls, name);
    if (e || cls->state == CS_BUSY)
        return e;
    class_elaborate(in, cls);
    for (int b = 0; b < cls->nbase; b++) {
        e = class_find(in, cls->base[b].cls, name);
        if (e && !selective_drops(&cls->base[b], name))
            return e;
    }
    return NULL;
}

/* ---- components ---- */

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

/* Do two components say the same, but for their attributes? */
static bool same_kind(const Context *in, const AstElem *a, const AstElem *b)
{
    const AstComponent *x = a->component, *y = b->component;
    const AstExpr *v = x->mod ? x->mod->value : NULL;
    const AstExpr *w = y->mod ? y->mod->value : NULL;
    if (!v != !w || (v && !ast_equal_expr(v, w)))
        return false;
    return x->variability == y->variability && x->flow == y->flow &&
           x->direction == y->direction && !x->condition == !y->condition &&
           strcmp(ast_ref_text(x->type, in->arena),
                  ast_ref_text(y->type, in->arena)) == 0 &&
           same_exprs(x->sub, x->nsub, y->sub, y->nsub) &&
           same_exprs(x->type_sub, x->ntype_sub, y->type_sub, y->ntype_sub);
}

/* Two declarations of one name count once if they say the same (7.1). If they
 * only differ in what they modify, the first one counts, with a warning. */
static void check_same(const Context *in, const Class *cls, const Element *o,
                       const Element *e)
{
    const AstElem *a = o->original, *b = e->original;
    if (a == b ||
        (same_kind(in, a, b) && same_mod(a->component->mod, b->component->mod)))
        return;
    if (same_kind(in, a, b))
        diag_report(in->diag, b->span, DIAG_W0904,
                    "'%s' is inherited twice in '%s', with other attributes; "
                    "those of the first declaration count",
                    e->name, cls->name);
    else
        diag_report(in->diag, b->span, DIAG_E0905,
                    "'%s' is inherited or declared twice in '%s', and the two "
                    "declarations differ",
                    e->name, cls->name);
    diag_note(in->diag, a->span, "the other declaration is here");
}

int class_add_component(const Context *in, Class *cls, Element *e)
{
    if ((cls->ncomp & (cls->ncomp - 1)) == 0)
        cls->comp = arena_grow(
            in->arena, cls->comp, (size_t)cls->ncomp * sizeof *cls->comp,
            (size_t)(cls->ncomp ? cls->ncomp * 2 : 1) * sizeof *cls->comp);
    namemap_add(in, &cls->comp_map, e->name, cls->ncomp);
    cls->comp[cls->ncomp] = e;
    return cls->ncomp++;
}

static void add_component(const Context *in, Class *cls, Element *e,
                          bool is_protected)
{
    int old = namemap_find(&cls->comp_map, e->name);
    if (old != NONE) {
        check_same(in, cls, cls->comp[old], e);
        return;
    }
    if (is_protected && !e->is_protected) {
        Element *copy = NEW(in->arena, Element);
        *copy = *e;
        copy->is_protected = true;
        e = copy;
    }
    class_add_component(in, cls, e);
}

static void add_base_components(const Context *in, Class *cls, const Base *b)
{
    class_components(in, b->cls);
    for (int i = 0; i < b->cls->ncomp; i++)
        if (!selective_drops(b, b->cls->comp[i]->name))
            add_component(in, cls, b->cls->comp[i], b->is_protected);
}

void class_components(const Context *in, Class *cls)
{
    if (cls->comp_ready)
        return;
    class_elaborate(in, cls);
    if (cls->state == CS_BUSY)
        return;
    cls->comp_ready = true;
    in = in->run->root;
    if (cls->nbase == 1 && cls->nown == 0) { /* share the table of the base */
        Class *b = cls->base[0].cls;
        class_components(in, b);
        if (!cls->base[0].is_protected && !selective_drops_any(&cls->base[0])) {
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

int class_component(const Context *in, Class *cls, const char *name)
{
    class_components(in, cls);
    return namemap_find(&cls->comp_map, name);
}

/* ---- checks and questions ---- */

/* 4.8: the attributes of Real; the other types have fewer. */
static bool has_attribute(TypeKind kind, const char *name)
{
    static const struct {
        const char *name;
        bool has[6]; /* Real, Integer, Boolean, String, Clock, enumeration */
    } known[] = {
        {"quantity", {true, true, true, true, false, true}},
        {"start", {true, true, true, true, false, true}},
        {"fixed", {true, true, true, true, false, true}},
        {"min", {true, true, false, false, false, true}},
        {"max", {true, true, false, false, false, true}},
        {"unit", {true, false, false, false, false, false}},
        {"displayUnit", {true, false, false, false, false, false}},
        {"nominal", {true, false, false, false, false, false}},
        {"stateSelect", {true, false, false, false, false, false}},
        {"unbounded", {true, false, false, false, false, false}},
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

void class_check_mods(const Context *in, Class *cls, const Mod *mods,
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

bool class_derives(const Context *in, Class *cls, const Class *base)
{
    if (cls->ast == base->ast)
        return true;
    class_elaborate(in, cls);
    for (int i = 0; i < cls->nbase; i++)
        if (class_derives(in, cls->base[i].cls, base))
            return true;
    return false;
}
