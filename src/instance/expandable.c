/* expandable.c - expandable connectors (9.1.3).
 *
 * What such a connector holds is decided by the connections: a member that
 * something is connected to is present, and one that is not declared is made
 * like the other side. Two expandable connectors that are connected have the
 * same members. So connections that need a member which is not there wait
 * until all others are known; then members are added, and handed on between
 * connected expandable connectors, until nothing changes any more. Declared
 * members that are not present in the end do not exist.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/connect.h"

bool expandable_is(const Instance *inst)
{
    return inst->kind == IK_OBJECT && inst->cls &&
           class_kind(inst->cls) == CK_EXPANDABLE_CONNECTOR;
}

void expandable_wait(const Context *in, Scope *scope, Instance *owner,
                     const AstEqn *q)
{
    vec_push(in->arena, &ST(in)->graph->waiting,
             ((struct Waiting){scope, owner, q, false}));
}

bool expandable_link(const Context *in, Instance *a, Instance *b,
                     Instance *owner, Span span)
{
    ConnectGraph *g = ST(in)->graph;
    for (int i = 0; i < g->links.n; i++)
        if (g->links.at[i].a == a && g->links.at[i].b == b)
            return false;
    vec_push(in->arena, &g->links, ((struct BusLink){a, b, owner, span}));
    return true;
}

/* ---- presence ---- */

void expandable_touch(Instance *inst)
{
    for (; inst && inst->in_connector; inst = inst->parent) {
        inst->present = true;
        if (inst->array)
            inst->array->present = true;
    }
}

/* The member of that name, declared or added; NULL: none. */
static Instance *find_member(const Context *in, Instance *bus, const char *name)
{
    int k = class_component(in, bus->cls, name);
    return k != NONE ? instance_child(in, bus, k) : instance_added(bus, name);
}

/* ---- making members ---- */

/* A member of `bus` like `like`; with n > 0 an array of n of these. */
static Instance *add_member(const Context *in, Instance *bus, const char *name,
                            Instance *like, int n)
{
    Instance *x = NEW(in->arena, Instance);
    *x = (Instance){.name = name,
                    .parent = bus,
                    .elem = like->elem,
                    .info = like->info,
                    .kind = like->kind,
                    .type = like->type,
                    .variability = like->variability,
                    .flow = like->flow,
                    .depth = bus->depth + 1,
                    .component = NONE,
                    .var = NONE,
                    .is_connector = true,
                    .in_connector = true,
                    .present = true,
                    .size_step = MAKING_DONE,
                    .ndim = like->ndim,
                    .dim = like->dim,
                    .index_type = like->index_type,
                    .nelement = like->nelement};
    x->cls = like->kind == IK_PRIM ? like->cls : like->info->underlying;
    x->mod = like->kind == IK_PRIM ? like->info->mods : NULL;
    if (n > 0) {
        int *dim = NEW_ARRAY(in->arena, int, 1);
        const Type **index = NEW_ARRAY(in->arena, const Type *, 1);
        dim[0] = n;
        index[0] = type_builtin(TYPE_INTEGER);
        x->ndim = 1;
        x->dim = dim;
        x->index_type = index;
        x->nelement = n;
        if (x->kind == IK_OBJECT)
            x->kind = IK_ARRAY;
    }
    if (x->kind == IK_OBJECT)
        instance_make_object(in, x, x->cls);
    else if (x->kind == IK_ARRAY)
        instance_make_elements(in, x);
    instance_add(in, bus, x);
    instance_expand(in, x);
    return x;
}

/* The largest subscript that any waiting connection has for the member. */
static int largest_index(const Context *in, const Instance *bus,
                         const char *name)
{
    ConnectGraph *g = ST(in)->graph;
    int most = 0;
    for (int i = 0; i < g->waiting.n; i++) {
        const struct Waiting *w = &g->waiting.at[i];
        const AstRef *side[2] = {w->eqn->from, w->eqn->to};
        for (int k = 0; k < 2; k++) {
            Missing m = connect_missing(in, w->scope, side[k]);
            int x;
            if (m.bus == bus && m.part->name == name && m.part->nsub == 1 &&
                eval_int(in, w->scope, m.part->sub[0], "a subscript", &x) &&
                x > most)
                most = x;
        }
    }
    return most;
}

/* connect(bus.x, c): x is made like c. Has anything been made? */
static bool grow(const Context *in, const struct Waiting *w)
{
    const AstRef *side[2] = {w->eqn->from, w->eqn->to};
    for (int k = 0; k < 2; k++) {
        Missing m = connect_missing(in, w->scope, side[k]);
        if (!m.bus || m.part->nsub > 1)
            continue;
        bool last = m.part == &side[k]->part[side[k]->npart - 1];
        InstanceSet other = connect_side(in, w->scope, side[1 - k]);
        if (!last || !other.ok || other.absent || other.n < 1)
            continue;
        Instance *like = other.n == 1 ? other.at[0] : other.at[0]->array;
        if (!like || (like->kind == IK_PRIM && !instance_size(in, like)))
            continue;
        int n = m.part->nsub ? largest_index(in, m.bus, m.part->name) : 0;
        add_member(in, m.bus, m.part->name, like, n);
        return true;
    }
    return false;
}

/* ---- connected expandable connectors ---- */

/* A member of `a` that is present is so in `b`. */
static bool hand_on(const Context *in, const struct BusLink *l, Instance *a,
                    Instance *b, Instance *x)
{
    if (!x || !x->present)
        return false;
    Instance *y = find_member(in, b, x->name);
    bool changed = !y || !y->present;
    if (!y)
        y = add_member(in, b, x->name, x, 0);
    y->present = true;
    if (expandable_is(x) && expandable_is(y))
        changed |= expandable_link(in, a == l->a ? x : y, a == l->a ? y : x,
                                   l->owner, l->span);
    return changed;
}

static bool hand_on_all(const Context *in, const struct BusLink *l, Instance *a,
                        Instance *b)
{
    bool changed = false;
    for (int i = 0; i < a->cls->ncomp; i++)
        changed |= hand_on(in, l, a, b, a->child[i]);
    for (int i = 0; i < a->nadded; i++)
        changed |= hand_on(in, l, a, b, a->added[i]);
    return changed;
}

static void join_members(const Context *in, const struct BusLink *l)
{
    for (int i = 0; i < l->a->cls->ncomp + l->a->nadded; i++) {
        Instance *x = i < l->a->cls->ncomp ? l->a->child[i]
                                           : l->a->added[i - l->a->cls->ncomp];
        if (!x || !x->present)
            continue;
        Instance *y = find_member(in, l->b, x->name);
        if (!y || (expandable_is(x) && expandable_is(y)))
            continue;
        instance_expand(in, x);
        instance_expand(in, y);
        connect_instances(in, l->owner, x, y, l->span);
    }
}

/* ---- all of it ---- */

/* One round over what waits; false: nothing changed. */
static bool round_of(const Context *in)
{
    ConnectGraph *g = ST(in)->graph;
    bool changed = false;
    for (int i = 0; i < g->waiting.n; i++) {
        struct Waiting *w = &g->waiting.at[i];
        if (w->done)
            continue;
        bool waits = connect_missing(in, w->scope, w->eqn->from).bus ||
                     connect_missing(in, w->scope, w->eqn->to).bus;
        if (waits && !grow(in, w))
            continue;
        changed = true;
        if (connect_missing(in, w->scope, w->eqn->from).bus ||
            connect_missing(in, w->scope, w->eqn->to).bus)
            continue;
        g->waiting.at[i].done = true;
        connect_add(in, w->scope, w->owner, w->eqn);
    }
    for (int i = 0; i < g->links.n; i++) {
        struct BusLink l = g->links.at[i];
        changed |= hand_on_all(in, &l, l.a, l.b);
        changed |= hand_on_all(in, &l, l.b, l.a);
    }
    return changed;
}

void expandable_finish(const Context *in)
{
    ConnectGraph *g = ST(in)->graph;
    if (!g)
        return;
    while (round_of(in)) {
    }
    for (int i = 0; i < g->waiting.n; i++) {
        const struct Waiting *w = &g->waiting.at[i];
        if (!w->done)
            diag_report(in->diag, w->eqn->span, DIAG_E0812,
                        "'%s' and '%s' cannot be connected: neither side says "
                        "what a member of an expandable connector is",
                        ast_ref_text(w->eqn->from, in->arena),
                        ast_ref_text(w->eqn->to, in->arena));
    }
    for (int i = 0; i < g->links.n; i++)
        join_members(in, &g->links.at[i]);
}
