/* class_base.c - the base classes of a class (7.1). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/selective.h"

/* The modifiers of `m` that name an element of `base`, without a value. */
static Mod *mods_for_base(const Context *in, Class *base, const Mod *m)
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
static Mod *text_redeclares(const Context *in, Class *cls)
{
    Mod *all = NULL;
    for (int i = 0; i < cls->ast->nelem; i++) {
        const AstElem *a = cls->ast->elem[i];
        if (!is_redeclare(a))
            continue;
        Mod *redeclare =
            mod_new_redeclare(in, a, (ModScope){cls, NULL, true}, 1);
        redeclare->in_text = true;
        Mod *one = mod_wrap(in, redeclare);
        all = mod_merge(in, one, all);
    }
    return all;
}

typedef struct Chain {
    const AstClass *ast;
    const char *name;
    struct Chain *up;
} Chain;

static bool elaborate(const Context *in, Class *cls, Chain *up);

static bool in_cycle(const Context *in, Class *base, const Chain *chain,
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

static void add_base(const Context *in, Class *cls, Class *base,
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

/* A package of annotations alone: a class is no less a class for it. */
static bool is_icon(const Class *base)
{
    if (!base->ast)
        return false;
    for (int i = 0; i < base->ast->nelem; i++)
        if (base->ast->elem[i]->kind != EL_EXTENDS)
            return false;
    for (int i = 0; i < base->nbase; i++)
        if (!is_icon(base->base[i].cls))
            return false;
    return true;
}

/* 7.1.3: base classes must be there whatever the class inherits, and may not
 * be replaceable. */
static void check_base(const Context *in, Class *cls, Class *base,
                       const AstElem *a)
{
    if (base->is_builtin || cls->is_builtin)
        return;
    AstClassKind k = class_kind(cls), b = class_kind(base);
    bool fine =
        k == b || b == CK_CLASS || b == CK_RECORD ||
        (b == CK_TYPE && k != CK_MODEL && k != CK_BLOCK && k != CK_RECORD);
    switch (k) {
    case CK_MODEL: fine |= b == CK_BLOCK || b == CK_MODEL; break;
    case CK_CLASS:
        fine |= b != CK_FUNCTION && (b != CK_PACKAGE || is_icon(base));
        break;
    case CK_PACKAGE: fine = b == CK_PACKAGE || b == CK_CLASS; break;
    case CK_FUNCTION:
        fine = b == CK_FUNCTION || b == CK_CLASS || b == CK_OPERATOR_FUNCTION;
        break;
    case CK_CONNECTOR: fine |= b == CK_EXPANDABLE_CONNECTOR; break;
    case CK_EXPANDABLE_CONNECTOR: fine |= b == CK_CONNECTOR; break;
    case CK_OPERATOR_FUNCTION: fine |= b == CK_FUNCTION; break;
    case CK_OPERATOR_RECORD: fine = false; break; /* 14.6: short ones only */
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

/* 7.1.4: what is extended must not be exchanged; 14.6: operator records stay
 * where they are. */
static void check_extended(const Context *in, Class *cls, Class *base,
                           const AstElem *a)
{
    const AstRef *r = a->extends->base;
    Element *e = NULL;
    for (Class *c = cls; c && r->npart == 1 && !r->global && !e; c = c->parent)
        e = c->state == CS_NEW ? NULL : class_find(in, c, r->part[0].name);
    if (e && !e->is_component && e->ast && e->ast->replaceable) {
        diag_report(in->diag, r->span, DIAG_E0936,
                    "'%s' is replaceable, so it cannot be extended", e->name);
        diag_note(in->diag, e->ast->span, "it is declared here");
    }
    for (int i = 0; base->ast && i < base->ast->nelem; i++) {
        const AstElem *x = base->ast->elem[i];
        if (x->kind != EL_CLASS || x->cls->kind != CK_OPERATOR_RECORD ||
            x->cls->form == CF_SHORT)
            continue;
        diag_report(in->diag, r->span, DIAG_E0936,
                    "'%s' holds the operator record '%s', so it cannot be "
                    "extended",
                    base->full_name, x->cls->name);
        diag_note(in->diag, x->span, "it is declared here");
    }
}

/* 7.1.3: a class made of Real, of an array or with a prefix has nothing else.
 */
static void check_alone(const Context *in, const Class *cls)
{
    bool more = cls->nbase > 1;
    for (int i = 0; i < cls->nown && !more; i++)
        more = cls->own[i]->is_component;
    for (int i = 0; more && i < cls->nbase; i++) {
        const Base *b = &cls->base[i];
        if (!b->ast || b->cls->state != CS_DONE)
            continue;
        const TypeInfo *info = class_info(in, b->cls);
        if (!info->is_simple && !info->nlevel && !info->direction &&
            !info->flow)
            continue;
        diag_report(in->diag, b->ast->span, DIAG_E0936,
                    "'%s' is %s, so '%s' cannot extend it and have other "
                    "elements",
                    b->cls->full_name,
                    info->nlevel      ? "an array"
                    : info->is_simple ? "a simple type"
                                      : "declared with a prefix",
                    cls->name);
        return;
    }
}

/* 7.1: a class and an inherited one of the same name must be the same. Two
 * short ones are not compared: the first counts. */
static void check_classes(const Context *in, const Class *cls)
{
    for (int i = 0; i < cls->nown; i++) {
        const Element *e = cls->own[i];
        if (e->is_component || !e->ast || e->ast->redeclare ||
            e->ast->cls->form != CF_LONG)
            continue;
        for (int b = 0; b < cls->nbase; b++) {
            const Element *x = class_find(in, cls->base[b].cls, e->name);
            if (!x || x->is_component || !x->ast || x->ast == e->ast ||
                x->ast->cls->form != CF_LONG ||
                ast_equal_class(e->ast->cls, x->ast->cls))
                continue;
            diag_report(in->diag, e->ast->span, DIAG_E0905,
                        "'%s' is inherited too, and the two classes differ",
                        e->name);
            diag_note(in->diag, x->ast->span, "the other one is declared here");
        }
    }
}

static void add_extends(const Context *in, Class *cls, const AstElem *a,
                        Mod *redeclares, Chain *chain)
{
    Scope scope = {.cls = cls};
    Class *base = find_class(in, &scope, a->extends->base, false);
    if (!base) {
        cls->failed = true;
        return;
    }
    check_base(in, cls, base, a);
    check_extended(in, cls, base, a);
    Mod *own = mod_new(in, a->extends->mod, (ModScope){cls, NULL, true}, 0);
    class_check_mods(in, base, own, "extends");
    selective_check(in, base, a);
    Mod *mods = mod_merge(in, cls->mods, mod_merge(in, redeclares, own));
    add_base(in, cls, base, a, mods, chain, a->extends->base->span);
}

static void add_short_base(const Context *in, Class *cls, Chain *chain)
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

static void check_redeclares_found(const Context *in, Class *cls, const Mod *m)
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
static void check_class_form(const Context *in, Class *cls)
{
    if (cls->plain == cls)
        restrict_class(in, cls);
    if (cls->ast->form == CF_DER) {
        diag_report(in->diag, cls->ast->span, DIAG_U0901,
                    "not supported yet: functions defined by der(...)");
        cls->failed = true;
    }
}

static bool elaborate(const Context *in, Class *cls, Chain *up)
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
    if (cls->plain == cls && cls->ast->form == CF_LONG && cls->nbase) {
        check_alone(in, cls);
        check_classes(in, cls);
    }
    ST(in)->depth--;
    return !cls->failed;
}

bool class_elaborate(const Context *in, Class *cls)
{
    /* what is wrong with a text is wrong for everybody */
    return elaborate(in->run->root, cls, NULL);
}
