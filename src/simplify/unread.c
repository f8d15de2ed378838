/* unread.c - variables that nobody reads leave the system (optional).
 *
 * An equation x = e, where x occurs in no other equation, action, assertion
 * or invariant, says nothing about the rest: x becomes SR_COMPUTED with its
 * expression kept for output. Removing one may leave others unread, so a list
 * of variables whose last reader went is worked off.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

typedef struct Reading {
    Work *w;
    int *readers; /* of each variable: equations that mention it */
    int *defined; /* the equation x = e of a variable, or NONE */
    bool *is_gone;
} Reading;

static void count_leaf(void *context, const Dag *d, Expr e)
{
    int v, order;
    if (expr_is_var(d, e, &v, &order))
        ((int *)context)[v]++;
}

static void keep(Reading *r, Expr e)
{
    if (e != EXPR_NONE)
        expr_walk(r->w->dag, &e, 1, count_leaf, r->readers);
}

static int defined_by(Work *w, const SysEqn *e)
{
    int v, order;
    if (e->origin.rule != RULE_FLAT ||
        !expr_is_var(w->dag, e->lhs, &v, &order) || order != 0)
        return NONE;
    if (w->sys->var[v].role != SR_UNKNOWN ||
        w->flat->var[v].causality == FC_OUTPUT ||
        expr_contains(w->dag, e->rhs, e->lhs))
        return NONE;
    return v;
}

static Reading *count_readers(Work *w)
{
    Sys *s = w->sys;
    Reading *r = NEW(w->tmp, Reading);
    r->w = w;
    r->readers = NEW_ARRAY(w->tmp, int, s->nvar);
    r->defined = NEW_ARRAY(w->tmp, int, s->nvar);
    r->is_gone = NEW_ARRAY(w->tmp, bool, s->neqn);
    for (int v = 0; v < s->nvar; v++)
        r->defined[v] = NONE;
    for (int i = 0; i < s->neqn; i++) {
        Expr root[2] = {s->eqn[i].lhs, s->eqn[i].rhs};
        expr_walk(w->dag, root, 2, count_leaf, r->readers);
        int v = defined_by(w, &s->eqn[i]);
        if (v != NONE)
            r->defined[v] = i;
    }
    for (int i = 0; i < s->ninitial; i++) {
        keep(r, s->initial[i].lhs);
        keep(r, s->initial[i].rhs);
    }
    for (int k = 0; k < s->naction; k++) {
        keep(r, s->action[k].active);
        keep(r, s->action[k].value);
        keep(r, s->action[k].message);
    }
    for (int k = 0; k < s->nassertion; k++) {
        keep(r, s->assertion[k].condition);
        keep(r, s->assertion[k].message);
    }
    for (int k = 0; k < s->ninvariant; k++)
        keep(r, s->invariant[k]);
    return r;
}

typedef struct Drop {
    Reading *r;
    Vec(int) list;
} Drop;

static bool is_unread(const Reading *r, int v)
{
    const SysVar *x = &r->w->sys->var[v];
    return r->readers[v] == 1 && r->defined[v] != NONE &&
           x->role == SR_UNKNOWN && !x->fixed;
}

static void release_leaf(void *context, const Dag *d, Expr e)
{
    Drop *drop = context;
    int v, order;
    if (!expr_is_var(d, e, &v, &order))
        return;
    drop->r->readers[v]--;
    if (is_unread(drop->r, v))
        vec_push(drop->r->w->tmp, &drop->list, v);
}

void simplify_remove_unread(Work *w)
{
    Sys *s = w->sys;
    Drop drop = {.r = count_readers(w)};
    for (int v = 0; v < s->nvar; v++) {
        if (is_unread(drop.r, v))
            vec_push(w->tmp, &drop.list, v);
    }
    while (drop.list.n > 0) {
        int v = vec_pop(&drop.list);
        if (!is_unread(drop.r, v))
            continue;
        SysEqn *e = &s->eqn[drop.r->defined[v]];
        s->var[v].role = SR_COMPUTED;
        s->var[v].expr = e->rhs;
        s->ncomputed++;
        drop.r->is_gone[drop.r->defined[v]] = true;
        expr_walk(w->dag, &e->rhs, 1, release_leaf, &drop);
    }
    int n = 0;
    for (int i = 0; i < s->neqn; i++) {
        if (!drop.r->is_gone[i])
            s->eqn[n++] = s->eqn[i];
    }
    s->neqn = n;
}
