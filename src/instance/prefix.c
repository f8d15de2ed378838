/* prefix.c - prefixes of components, and what they may stand before (4.4.2).
 *
 * constant, parameter and discrete make no sense before a model; flow and
 * stream need Real, and something to flow through; input and output cannot be
 * given twice on the way from a component to its scalars. A connector has as
 * many flows as potentials (9.3.1).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/connect.h"

static bool is_behaviour(AstClassKind k)
{
    return k == CK_MODEL || k == CK_BLOCK || k == CK_CLASS;
}

static const char *flow_word(AstFlowKind k)
{
    return k == FLOW_FLOW ? "flow" : "stream";
}

static const char *direction_word(AstDirKind k)
{
    return k == DIR_INPUT ? "input" : "output";
}

static void report(const Context *in, const Element *e, const char *prefix,
                   const char *why)
{
    diag_report(in->diag, e->ast->span, DIAG_E0935, "'%s' cannot be %s: %s",
                e->name, prefix, why);
}

/* A component below that has a prefix of its own, flow or stream if `flow`,
 * else input or output; NULL: none. */
static const Element *prefixed_below(const Context *in, Class *cls, bool flow,
                                     int depth)
{
    class_components(in, cls);
    for (int i = 0; i < cls->ncomp; i++) {
        Element *e = cls->comp[i];
        const AstComponent *c = e->ast->component;
        if (flow ? c->flow != FLOW_NONE : c->direction != DIR_NONE)
            return e;
        Class *t = depth < 4 ? element_type(in, e, NULL) : NULL;
        const TypeInfo *info = t && !t->is_builtin ? class_info(in, t) : NULL;
        if (info &&
            (flow ? info->flow != FLOW_NONE : info->direction != DIR_NONE))
            return e;
        const Element *x =
            info && !info->is_simple && !info->is_object
                ? prefixed_below(in, info->underlying, flow, depth + 1)
                : NULL;
        if (x)
            return x;
    }
    return NULL;
}

/* The prefix given for the component itself or by its type, not from around. */
static void check_structured(const Context *in, const Instance *inst,
                             const Element *e, AstFlowKind flow,
                             AstDirKind direction)
{
    AstClassKind k = class_kind(inst->info->underlying);
    const char *prefix =
        flow != FLOW_NONE ? flow_word(flow) : direction_word(direction);
    if (is_behaviour(k)) {
        report(in, e, prefix,
               arena_printf(in->arena, "'%s' is a %s",
                            inst->info->underlying->full_name,
                            ast_class_kind_name(k)));
        return;
    }
    Trial t;
    trial_begin(&t, in);
    const Element *x =
        prefixed_below(&t.in, inst->info->underlying, flow != FLOW_NONE, 0);
    trial_drop(&t);
    if (!x)
        return;
    report(in, e, prefix,
           arena_printf(in->arena, "'%s' inside it has a prefix already",
                        x->name));
    diag_note(in->diag, x->ast->span, "it is declared here");
}

/* 9.1.3: flows of records are added, so the record must know how. */
static void check_operators(const Context *in, const Instance *inst,
                            const Element *e)
{
    static const char *const name[] = {"'+'", "'-'", "'0'"};
    Class *cls = inst->info->underlying;
    if (class_kind(cls) != CK_OPERATOR_RECORD)
        return;
    for (int i = 0; i < 3; i++) {
        const Function *const *fn;
        if (class_operators(in, cls, name[i], &fn) > 0)
            continue;
        report(in, e, "flow",
               arena_printf(in->arena, "'%s' has no operator %s",
                            cls->full_name, name[i]));
        return;
    }
}

static void check_flow(const Context *in, const Instance *inst,
                       const Element *e, AstFlowKind flow)
{
    if (inst->kind == IK_PRIM && inst->type->kind != TYPE_REAL)
        report(in, e, flow_word(flow),
               arena_printf(in->arena, "it is %s, not Real",
                            type_text(in, inst->type, 0, NULL)));
    if (flow == FLOW_STREAM && !inst->parent->in_connector)
        report(in, e, "stream", "it is no part of a connector");
    if (flow == FLOW_FLOW && inst->kind != IK_PRIM)
        check_operators(in, inst, e);
}

static void check_variability(const Context *in, const Instance *inst,
                              const Element *e)
{
    static const char *const name[] = {[VAR_CONSTANT] = "constant",
                                       [VAR_PARAMETER] = "a parameter",
                                       [VAR_DISCRETE] = "discrete"};
    AstVarKind v = e->ast->component->variability;
    AstClassKind k = class_kind(inst->info->underlying);
    bool connector = k == CK_CONNECTOR || k == CK_EXPANDABLE_CONNECTOR;
    if (v == VAR_NONE || inst->kind == IK_PRIM ||
        !(is_behaviour(k) || (connector && v != VAR_DISCRETE)))
        return;
    report(in, e, name[v],
           arena_printf(in->arena, "'%s' is a %s",
                        inst->info->underlying->full_name,
                        ast_class_kind_name(k)));
}

/* 4.6: all that a block shares with others is input or output. */
static void check_block(const Context *in, const Instance *inst,
                        const Element *e)
{
    const Instance *p = inst->parent;
    if (!p->cls || class_kind(p->cls) != CK_BLOCK || e->is_protected ||
        !inst->is_connector || inst->kind == IK_PRIM || inst->direction ||
        class_kind(inst->info->underlying) == CK_EXPANDABLE_CONNECTOR)
        return;
    Class *cls = inst->info->underlying;
    class_components(in, cls);
    for (int i = 0; i < cls->ncomp; i++) {
        const AstComponent *c = cls->comp[i]->ast->component;
        if (c->flow == FLOW_NONE)
            continue;
        diag_report(in->diag, e->ast->span, DIAG_E0933,
                    "the block '%s' cannot have '%s': '%s' in it is neither "
                    "input nor output",
                    p->cls->name, e->name, c->name);
        return;
    }
}

void prefix_check(const Context *in, const Instance *inst, const Element *e)
{
    if ((inst->kind != IK_PRIM && inst->kind != IK_OBJECT &&
         inst->kind != IK_ARRAY) ||
        !inst->info)
        return;
    const AstComponent *c = e->ast->component;
    AstFlowKind flow = c->flow ? c->flow : inst->info->flow;
    AstDirKind direction = c->direction ? c->direction : inst->info->direction;
    check_variability(in, inst, e);
    if (flow != FLOW_NONE)
        check_flow(in, inst, e, flow);
    if ((flow != FLOW_NONE || direction != DIR_NONE) && inst->kind != IK_PRIM &&
        !inst->info->is_object)
        check_structured(in, inst, e, flow, direction);
    check_block(in, inst, e);
}

/* ---- flows and potentials ---- */

typedef struct Sizes {
    int flow, potential, stream, flow_variables;
    bool known;
} Sizes;

/* The number of equations that stand for an overdetermined record. */
static int constraint_size(const Context *in, Instance *inst)
{
    const char *name = intern_str(in->names, "equalityConstraint");
    Element *e = class_find(in, inst->cls, name);
    Class *c = e && !e->is_component ? element_class(in, e, NULL) : NULL;
    const Function *f = c ? class_function(in, c) : NULL;
    for (int i = 0; f && i < f->nvar; i++)
        if (f->var[i].direction == DIR_OUTPUT && f->var[i].ndim == 1 &&
            f->var[i].dim[0]->kind == AE_INTEGER)
            return (int)f->var[i].dim[0]->value;
    return NONE;
}

static void count(const Context *in, Instance *inst, Sizes *s)
{
    if (inst->kind == IK_ABSENT || inst->kind == IK_ERROR ||
        inst->variability <= FV_PARAMETER)
        return;
    if (!instance_size(in, inst)) {
        s->known = false;
        return;
    }
    if (inst->kind == IK_ARRAY) {
        for (int i = 0; i < inst->nelement; i++)
            count(in, inst->element[i], s);
        return;
    }
    if (!inst->is_connector && graph_is_overdetermined(in, inst)) {
        int n = constraint_size(in, inst);
        s->known &= n != NONE;
        s->potential += n;
        return;
    }
    if (inst->kind == IK_OBJECT) {
        for (int i = 0; i < inst->cls->ncomp; i++)
            count(in, instance_child(in, inst, i), s);
        return;
    }
    if (inst->flow == FLOW_FLOW) {
        s->flow += inst->nelement;
        s->flow_variables++;
    } else if (inst->flow == FLOW_STREAM) {
        s->stream += inst->nelement;
    } else if (!inst->direction && inst->type->kind == TYPE_REAL) {
        s->potential += inst->nelement;
    }
}

void prefix_check_connector(const Context *in, Instance *inst)
{
    if (!inst->is_connector || inst->kind != IK_OBJECT || inst->is_static ||
        !inst->parent || inst->parent->is_connector || inst->direction ||
        class_kind(inst->cls) == CK_EXPANDABLE_CONNECTOR)
        return;
    if (inst->cls->plain->unpaired)
        return; /* told already */
    Sizes s = {.known = true};
    count(in, inst, &s);
    if (!s.known)
        return;
    if (s.stream && (s.flow != 1 || s.flow_variables != 1))
        diag_report(in->diag, inst->elem->ast->span, DIAG_E0811,
                    "the connector '%s' of '%s' has stream variables, so it "
                    "needs one scalar flow variable, but has %d",
                    inst->cls->full_name, inst->name, s.flow);
    else if (s.flow != s.potential)
        diag_report(in->diag, inst->elem->ast->span, DIAG_E0811,
                    "the connector '%s' of '%s' has %d flow variable%s, but %d "
                    "that are neither flow nor input or output",
                    inst->cls->full_name, inst->name, s.flow,
                    s.flow == 1 ? "" : "s", s.potential);
    else
        return;
    inst->cls->plain->unpaired = true;
    if (inst->cls->ast)
        diag_note(in->diag, inst->cls->ast->span, "'%s' is declared here",
                  inst->cls->name);
}
