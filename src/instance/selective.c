/* selective.c - extends S(break g, break connect(a, b)): inheritance without
 * some components and connections (7.4).
 *
 * A deselected component is not there for the class that extends, nor are the
 * connections of S that name it; what else in S names it is wrong then. A
 * connection is found by what is written, its sides in either order.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/selective.h"

bool selective_drops(const Base *base, const char *name)
{
    const AstExtends *x = base->ast ? base->ast->extends : NULL;
    for (int i = 0; x && i < x->nbroken; i++)
        if (x->broken[i] == name)
            return true;
    return false;
}

bool selective_drops_any(const Base *base)
{
    return base->ast && base->ast->extends->nbroken;
}

static bool is_connect_of(const AstEqn *a, const AstEqn *b)
{
    return (ast_equal_ref(a->from, b->from) && ast_equal_ref(a->to, b->to)) ||
           (ast_equal_ref(a->from, b->to) && ast_equal_ref(a->to, b->from));
}

static bool starts_with(const AstRef *side, const Base *base)
{
    return side->npart > 0 && selective_drops(base, side->part[0].name);
}

static bool drops(const Base *base, const AstEqn *q)
{
    const AstExtends *x = base->ast ? base->ast->extends : NULL;
    if (!x)
        return false;
    for (int i = 0; i < x->nbroken_connect; i++)
        if (is_connect_of(x->broken_connect[i], q))
            return true;
    return starts_with(q->from, base) || starts_with(q->to, base);
}

bool selective_drops_connect(const Without *without, const AstEqn *q)
{
    for (; without; without = without->up)
        if (q->kind == AQ_CONNECT && drops(without->base, q))
            return true;
    return false;
}

/* ---- what is deselected must be there ---- */

static bool has_connect(AstEqn *const *eqn, int neqn, const AstEqn *q)
{
    for (int i = 0; i < neqn; i++) {
        if (eqn[i]->kind == AQ_CONNECT && is_connect_of(eqn[i], q))
            return true;
        for (int b = 0; b < eqn[i]->nbranch; b++)
            if (has_connect(eqn[i]->branch[b].eqn, eqn[i]->branch[b].neqn, q))
                return true;
    }
    return false;
}

static bool inherits_connect(const Class *cls, const AstEqn *q, int depth)
{
    if (!cls->ast || depth > LIMIT_DEPTH)
        return false;
    for (int i = 0; i < cls->ast->nsection; i++) {
        const AstSection *s = &cls->ast->section[i];
        if (!s->is_algorithm && has_connect(s->eqn, s->neqn, q))
            return true;
    }
    for (int i = 0; i < cls->nbase; i++)
        if (!drops(&cls->base[i], q) &&
            inherits_connect(cls->base[i].cls, q, depth + 1))
            return true;
    return false;
}

static void check_component(const Context *in, Class *base, const AstElem *a,
                            const char *name)
{
    const Element *e = class_find(in, base, name);
    if (e && e->is_component)
        return;
    if (e)
        diag_report(in->diag, a->span, DIAG_E0938,
                    "'%s' is a class of '%s'; 'break' is for components and "
                    "connections",
                    name, base->full_name);
    else
        diag_report(in->diag, a->span, DIAG_E0938,
                    "'%s' has no component '%s' that 'break' could leave out",
                    base->full_name, name);
    if (!e)
        find_suggest_member(in, base, name);
}

/* 7.4: a deselected component has no modifiers. */
static void check_modifiers(const Context *in, const AstExtends *x)
{
    for (int k = 0; x->mod && k < x->mod->narg; k++) {
        const AstArg *m = &x->mod->arg[k];
        const char *name = m->kind == MOD_VALUE && m->name->npart > 0
                               ? m->name->part[0].name
                               : NULL;
        for (int i = 0; name && i < x->nbroken; i++)
            if (x->broken[i] == name)
                diag_report(in->diag, m->span, DIAG_E0938,
                            "'%s' is left out by 'break', so it cannot be "
                            "modified",
                            name);
    }
}

void selective_check(const Context *in, Class *base, const AstElem *a)
{
    const AstExtends *x = a->extends;
    for (int i = 0; i < x->nbroken; i++)
        check_component(in, base, a, x->broken[i]);
    for (int i = 0; i < x->nbroken_connect; i++)
        if (!inherits_connect(base, x->broken_connect[i], 0))
            diag_report(in->diag, x->broken_connect[i]->span, DIAG_E0938,
                        "'%s' has no such connection that 'break' could leave "
                        "out",
                        base->full_name);
    check_modifiers(in, x);
}
