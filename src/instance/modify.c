/* modify.c - modifiers: trees of names with values, outer over inner (7.2).
 *
 * A modification (a(b = 1, final c = x) = y) becomes a tree of Mods. A dotted
 * name a.b = 1 is the same as a(b = 1). Merging two trees keeps the outer value
 * where both have one; a redeclaration from outside replaces the inner one and
 * its modifiers. Each value remembers the scope it was written in.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

static Mod *node_new(const Context *in, const char *name, Span span, int depth,
                     int stop)
{
    Mod *m = NEW(in->arena, Mod);
    m->name = name;
    m->span = span;
    m->depth = depth;
    m->stop = stop;
    m->anchor = NONE;
    return m;
}

static void add_kid(const Context *in, Mod *m, Mod *kid)
{
    if ((m->nkid & (m->nkid - 1)) == 0)
        m->kid =
            arena_grow(in->arena, m->kid, (size_t)m->nkid * sizeof *m->kid,
                       (size_t)(m->nkid ? m->nkid * 2 : 1) * sizeof *m->kid);
    m->kid[m->nkid++] = kid;
}

static void fill(const Context *in, Mod *m, const AstMod *ast, ModScope scope);

/* Two modifiers of the same name in one list are an error (7.2.2), unless
 * they modify different things: a.x = 1, a.y = 2. */
static void add_checked(const Context *in, Mod *m, Mod *kid)
{
    Mod *old = mod_kid(m, kid->name);
    if (!old) {
        add_kid(in, m, kid);
        return;
    }
    if ((old->value && kid->value) || (old->redeclare && kid->redeclare)) {
        diag_report(in->diag, kid->span, DIAG_E0702,
                    "'%s' is modified twice in the same modification",
                    kid->name);
        diag_note(in->diag, old->span, "it is modified here already");
        return;
    }
    if (kid->value) {
        old->value = kid->value;
        old->scope = kid->scope;
        old->stop = kid->stop;
    }
    for (int i = 0; i < kid->nkid; i++)
        add_checked(in, old, kid->kid[i]);
    old->final |= kid->final;
}

/* a.b.c(...) = v: nested nodes; the last one gets the rest. */
static void add_value(const Context *in, Mod *m, const AstArg *arg,
                      ModScope scope)
{
    Mod *top = NULL, *at = NULL;
    int depth = m->depth, stop = m->stop;
    for (int i = 0; i < arg->name->npart; i++) {
        depth++;
        if (arg->each && i == 0)
            stop = depth;
        Mod *next =
            node_new(in, arg->name->part[i].name, arg->span, depth, stop);
        if (at)
            add_kid(in, at, next);
        else
            top = next;
        at = next;
    }
    if (!at)
        return;
    top->each = arg->each;
    at->final = arg->final;
    fill(in, at, arg->mod, scope);
    add_checked(in, m, top);
}

static Mod *redeclare_new(const Context *in, const AstElem *e, ModScope scope,
                          int depth, int stop)
{
    bool is_class = e->kind == EL_CLASS;
    const char *name = is_class ? e->cls->name : e->component->name;
    Mod *m = node_new(in, name, e->span, depth, stop);
    if (!is_class)
        fill(in, m, e->component->mod, scope);
    if (!is_class && e->constraint_mod) {
        Mod *constraint = node_new(in, name, e->span, depth, stop);
        fill(in, constraint, e->constraint_mod, scope);
        Mod *both = NEW(in->arena, Mod);
        *both = *mod_merge(in, m, constraint);
        both->constraint = constraint;
        m = both;
    }
    m->redeclare = e;
    m->redeclare_scope = scope;
    m->final = e->final;
    return m;
}

static void add_redeclare(const Context *in, Mod *m, const AstArg *arg,
                          ModScope scope)
{
    const AstElem *e = arg->elem;
    int depth = m->depth + 1, stop = m->stop;
    if (arg->each)
        stop = depth;
    Mod *kid = redeclare_new(in, e, scope, depth, stop);
    kid->span = arg->span;
    kid->final = arg->final || e->final;
    kid->each = arg->each;
    add_checked(in, m, kid);
}

static void fill(const Context *in, Mod *m, const AstMod *ast, ModScope scope)
{
    if (!ast)
        return;
    m->value = ast->value;
    m->is_break = ast->is_break;
    m->scope = scope;
    for (int i = 0; i < ast->narg; i++) {
        const AstArg *arg = &ast->arg[i];
        if (arg->kind == MOD_VALUE)
            add_value(in, m, arg, scope);
        else
            add_redeclare(in, m, arg, scope);
    }
}

Mod *mod_new(const Context *in, const AstMod *ast, ModScope scope, int depth)
{
    if (!ast)
        return NULL;
    Mod *m = node_new(in, NULL, ast->span, depth, 0);
    fill(in, m, ast, scope);
    return m;
}

Mod *mod_new_redeclare(const Context *in, const AstElem *e, ModScope scope,
                       int depth)
{
    return redeclare_new(in, e, scope, depth, 0);
}

Mod *mod_wrap(const Context *in, Mod *kid)
{
    Mod *m = node_new(in, NULL, kid->span, 0, 0);
    add_kid(in, m, kid);
    return m;
}

Mod *mod_kid(const Mod *m, const char *name)
{
    if (!m)
        return NULL;
    for (int i = 0; i < m->nkid; i++)
        if (m->kid[i]->name == name)
            return m->kid[i];
    return NULL;
}

bool mod_is_empty(const Mod *m)
{
    return !m || (m->nkid == 0 && !m->value && !m->redeclare && !m->is_break);
}

/* Does the tree say anything but names? */
static const Mod *says_something(const Mod *m)
{
    if (m->value || m->redeclare || m->is_break)
        return m;
    for (int i = 0; i < m->nkid; i++) {
        const Mod *s = says_something(m->kid[i]);
        if (s)
            return s;
    }
    return NULL;
}

static void check_final(const Context *in, const Mod *outer, const Mod *inner)
{
    const Mod *what = inner->final ? says_something(outer) : NULL;
    if (!what)
        return;
    diag_report(in->diag, what->span, DIAG_E0703,
                "'%s' is final and cannot be modified", inner->name);
    diag_note(in->diag, inner->span, "it is made final here");
}

static void take_value(Mod *to, const Mod *from)
{
    to->value = from->value;
    to->is_break = from->is_break;
    to->scope = from->scope;
    to->depth = from->depth;
    to->stop = from->stop;
    to->anchor = from->anchor;
}

/* A redeclaration over `inner`: what it says counts, but modifiers between the
 * declaration of a component and its redeclaration stay, and of a constraining
 * clause that another redeclaration has. */
static Mod *merge_redeclare(const Context *in, Mod *outer, Mod *inner)
{
    Mod *m = NEW(in->arena, Mod);
    *m = *outer;
    m->final |= inner->final;
    if (inner->redeclare)
        m->under =
            outer->under ? merge_redeclare(in, outer->under, inner) : inner;
    if (!m->constraint)
        m->constraint = inner->constraint;
    if (inner->redeclare)
        inner = inner->constraint;
    if (outer->redeclare->kind == EL_CLASS || !inner)
        return m;
    bool copied = false;
    for (int i = 0; i < inner->nkid; i++) {
        if (mod_kid(outer, inner->kid[i]->name))
            continue;
        if (!copied) {
            m->kid = NULL;
            m->nkid = 0;
            for (int k = 0; k < outer->nkid; k++)
                add_kid(in, m, outer->kid[k]);
        }
        copied = true;
        add_kid(in, m, inner->kid[i]);
    }
    return m;
}

static Mod *weak_copy(const Context *in, const Mod *m)
{
    Mod *copy = NEW(in->arena, Mod);
    *copy = *m;
    copy->weak = true;
    return copy;
}

/* What is inside both, in the order of `inner`. */
static void merge_kids(const Context *in, Mod *m, Mod *outer, Mod *inner)
{
    bool weak = (outer->value || outer->is_break) && !inner->value;
    for (int i = 0; i < inner->nkid; i++) {
        Mod *o = mod_kid(outer, inner->kid[i]->name);
        Mod *k = mod_merge(in, o, inner->kid[i]);
        if ((weak || inner->kid[i]->weak || (outer->value && inner->value)) &&
            !o)
            k = weak_copy(in, k);
        add_kid(in, m, k);
    }
    for (int i = 0; i < outer->nkid; i++)
        if (!mod_kid(inner, outer->kid[i]->name))
            add_kid(in, m, outer->kid[i]);
}

Mod *mod_merge(const Context *in, Mod *outer, Mod *inner)
{
    if (mod_is_empty(inner) && !(inner && inner->final))
        return outer ? outer : inner;
    if (!outer || (mod_is_empty(outer) && !outer->final))
        return inner;
    check_final(in, outer, inner);
    if (outer->redeclare)
        return merge_redeclare(in, outer, inner);
    Mod *m = NEW(in->arena, Mod);
    *m = *outer;
    m->cached = NULL;
    m->kid = NULL;
    m->nkid = 0;
    m->final = outer->final || inner->final;
    m->redeclare = inner->redeclare;
    m->redeclare_scope = inner->redeclare_scope;
    m->under = inner->under;
    m->constraint = inner->constraint;
    if (!outer->value && !outer->is_break)
        take_value(m, inner);
    merge_kids(in, m, outer, inner);
    return m;
}

static bool is_bound(const Mod *m)
{
    if (((m->value || m->is_break) && (m->scope.self || m->anchor == NONE)) ||
        (m->redeclare && m->redeclare_scope.self))
        return false;
    if ((m->under && !is_bound(m->under)) ||
        (m->constraint && !is_bound(m->constraint)))
        return false;
    for (int i = 0; i < m->nkid; i++)
        if (!is_bound(m->kid[i]))
            return false;
    return true;
}

Mod *mod_bind(const Context *in, Mod *m, Instance *inst)
{
    if (!m || is_bound(m))
        return m;
    Mod *b = NEW(in->arena, Mod);
    *b = *m;
    b->cached = NULL;
    if (b->scope.self) {
        b->scope.self = false;
        b->scope.inst = inst;
    }
    if (b->anchor == NONE)
        b->anchor = inst->depth;
    if (b->redeclare && b->redeclare_scope.self) {
        b->redeclare_scope.self = false;
        b->redeclare_scope.inst = inst;
    }
    b->under = mod_bind(in, b->under, inst);
    b->constraint = mod_bind(in, b->constraint, inst);
    b->kid = NEW_ARRAY(in->arena, Mod *, m->nkid);
    for (int i = 0; i < m->nkid; i++)
        b->kid[i] = mod_bind(in, m->kid[i], inst);
    return b;
}

Mod *mod_without(const Context *in, Mod *m, const Mod *own)
{
    if (!m || !own)
        return m;
    Mod *b = NEW(in->arena, Mod);
    *b = *m;
    b->kid = NEW_ARRAY(in->arena, Mod *, m->nkid + 1);
    b->nkid = 0;
    if (own->value)
        b->value = NULL;
    if (own->redeclare)
        b->redeclare = NULL;
    for (int i = 0; i < m->nkid; i++) {
        Mod *k = mod_without(in, m->kid[i], mod_kid(own, m->kid[i]->name));
        if (!mod_is_empty(k))
            b->kid[b->nkid++] = k;
    }
    return b;
}

Mod *mod_without_value(const Context *in, Mod *m)
{
    if (!m || !m->value)
        return m;
    Mod *b = NEW(in->arena, Mod);
    *b = *m;
    b->value = NULL;
    return b;
}
