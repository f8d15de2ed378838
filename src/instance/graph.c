/* graph.c - overdetermined connectors (9.4).
 *
 * A record with a function equalityConstraint holds more scalars than it has
 * degrees of freedom (a rotation matrix). The records are nodes of a graph;
 * Connections.branch() edges stay, connect() edges may be broken. The graph is
 * cut into trees with one root each; where a connect closes a loop, or joins
 * two roots, the constraint replaces the equality of all members.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/connect.h"

typedef struct Link {
    int a, b;
    bool is_branch, broken;
    Instance *owner;
    int edge;
} Link;

typedef struct RootWish {
    int node;
    int priority; /* < 0: definite root */
    Span span;
} RootWish;

struct Overdetermined {
    Vec(Instance *) node;
    Vec(Link) link;
    Vec(RootWish) wish;
    int *depth; /* distance from the root, after graph_solve */
    bool *is_root;
    bool solved;
};

static struct Overdetermined *over(const Context *in)
{
    if (!ST(in)->graph)
        ST(in)->graph = NEW(in->arena, ConnectGraph);
    ConnectGraph *g = ST(in)->graph;
    if (!g->over)
        g->over = NEW(in->arena, struct Overdetermined);
    return g->over;
}

static int node_of(const Context *in, Instance *inst)
{
    struct Overdetermined *o = over(in);
    if (!inst->node) {
        vec_push(in->arena, &o->node, inst);
        inst->node = o->node.n;
    }
    return inst->node - 1;
}

bool graph_is_overdetermined(const Context *in, Instance *inst)
{
    if (inst->kind == IK_PRIM &&
        (inst->cls->is_builtin || inst->cls->ast->form != CF_LONG))
        return false;
    if ((inst->kind != IK_OBJECT && inst->kind != IK_PRIM) ||
        (class_kind(inst->cls) != CK_RECORD &&
         class_kind(inst->cls) != CK_TYPE &&
         class_kind(inst->cls) != CK_OPERATOR_RECORD))
        return false;
    const char *name = intern_str(in->names, "equalityConstraint");
    Element *e = class_find(in, inst->cls, name);
    return e && !e->is_component;
}

void graph_connect(const Context *in, Instance *a, Instance *b, Instance *owner,
                   int edge)
{
    struct Overdetermined *o = over(in);
    Link link = {node_of(in, a), node_of(in, b), false, false, owner, edge};
    vec_push(in->arena, &o->link, link);
}

/* The record an argument names, or NULL after a report. */
static Instance *argument(const Context *in, Scope *scope, const AstExpr *call,
                          int i)
{
    if (i >= call->narg || call->arg[i]->kind != AE_REF) {
        diag_report(in->diag, call->span, DIAG_E0807,
                    "the arguments of '%s' must name overdetermined records",
                    ast_ref_text(call->ref, in->arena));
        return NULL;
    }
    InstanceSet s = find_instances(in, scope, call->arg[i]->ref);
    if (!s.ok || s.absent || s.n != 1 || s.at[0]->kind == IK_ERROR)
        return NULL;
    if (!graph_is_overdetermined(in, s.at[0]) && s.at[0]->kind != IK_PRIM) {
        diag_report(in->diag, call->arg[i]->span, DIAG_E0807,
                    "'%s' is no overdetermined record: it has no function "
                    "equalityConstraint",
                    ast_ref_text(call->arg[i]->ref, in->arena));
        return NULL;
    }
    return s.at[0];
}

void graph_call(const Context *in, Scope *scope, Instance *owner,
                const AstEqn *q)
{
    struct Overdetermined *o = over(in);
    const AstExpr *call = q->lhs;
    const char *name = call->ref->part[1].name;
    Instance *a = argument(in, scope, call, 0);
    if (!a)
        return;
    int node = node_of(in, a);
    if (strcmp(name, "branch") == 0) {
        Instance *b = argument(in, scope, call, 1);
        if (!b)
            return;
        Link link = {node, node_of(in, b), true, false, owner, NONE};
        vec_push(in->arena, &o->link, link);
    } else if (strcmp(name, "root") == 0) {
        vec_push(in->arena, &o->wish, ((RootWish){node, -1, q->span}));
    } else if (strcmp(name, "potentialRoot") == 0 ||
               strcmp(name, "uniqueRoot") == 0) {
        int priority = 0;
        const AstExpr *p = call->narg > 1 ? call->arg[1]
                           : call->nnamed ? call->named[0].value
                                          : NULL;
        if (p && name[0] == 'p')
            eval_int(in, scope, p, "the priority of a root", &priority);
        vec_push(in->arena, &o->wish,
                 ((RootWish){node, priority < 0 ? 0 : priority, q->span}));
    } else {
        diag_report(in->diag, call->ref->span, DIAG_E0302,
                    "'Connections' has no element '%s'", name);
    }
}

/* ---- trees ---- */

static int top(int *up, int i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

static void definite_roots(const Context *in, struct Overdetermined *o, int *up,
                           bool *rooted)
{
    for (int i = 0; i < o->wish.n; i++) {
        const RootWish *w = &o->wish.at[i];
        if (w->priority >= 0)
            continue;
        int t = top(up, w->node);
        if (rooted[t])
            diag_report(in->diag, w->span, DIAG_E0808,
                        "'%s' is a second root in a tree of overdetermined "
                        "connectors",
                        instance_path(in, o->node.at[w->node]));
        rooted[t] = true;
        o->is_root[w->node] = true;
    }
}

static void break_loops(struct Overdetermined *o, int *up, bool *rooted)
{
    for (int i = 0; i < o->link.n; i++) {
        Link *l = &o->link.at[i];
        if (l->is_branch)
            continue;
        int a = top(up, l->a), b = top(up, l->b);
        if (a == b || (rooted[a] && rooted[b])) {
            l->broken = true;
            continue;
        }
        up[b] = a;
        rooted[a] |= rooted[b];
    }
}

/* A tree without a definite root takes the potential one of the lowest
 * priority number; one without any takes its first node. */
static void choose_roots(const Context *in, struct Overdetermined *o, int *up,
                         bool *rooted)
{
    int n = o->node.n;
    int *best = NEW_ARRAY(in->arena, int, n);
    for (int i = 0; i < n; i++)
        best[i] = NONE;
    for (int i = 0; i < o->wish.n; i++) {
        const RootWish *w = &o->wish.at[i];
        int t = top(up, w->node);
        if (rooted[t] || w->priority < 0)
            continue;
        if (best[t] == NONE || w->priority < o->wish.at[best[t]].priority)
            best[t] = i;
    }
    for (int i = 0; i < n; i++) {
        int t = top(up, i);
        if (rooted[t])
            continue;
        o->is_root[best[t] == NONE ? i : o->wish.at[best[t]].node] = true;
        if (best[t] == NONE)
            diag_report(in->diag, o->node.at[i]->elem->ast->span, DIAG_W0801,
                        "the overdetermined connectors around '%s' have no "
                        "root; it is chosen",
                        instance_path(in, o->node.at[i]));
        rooted[t] = true;
    }
}

/* Distances from the roots, breadth first over the edges that are kept. */
static void measure(const Context *in, struct Overdetermined *o)
{
    int n = o->node.n, nlink = o->link.n;
    Arena *temp = arena_new();
    int *start = NEW_ARRAY(temp, int, n + 2);
    int *other = NEW_ARRAY(temp, int, 2 * nlink + 1);
    for (int i = 0; i < nlink; i++)
        if (!o->link.at[i].broken) {
            start[o->link.at[i].a + 1]++;
            start[o->link.at[i].b + 1]++;
        }
    for (int i = 0; i < n; i++)
        start[i + 1] += start[i];
    int *next = NEW_ARRAY(temp, int, n + 1);
    memcpy(next, start, (size_t)n * sizeof *next);
    for (int i = 0; i < nlink; i++)
        if (!o->link.at[i].broken) {
            other[next[o->link.at[i].a]++] = o->link.at[i].b;
            other[next[o->link.at[i].b]++] = o->link.at[i].a;
        }
    o->depth = NEW_ARRAY(in->arena, int, n);
    int *queue = NEW_ARRAY(temp, int, n + 1), head = 0, tail = 0;
    for (int i = 0; i < n; i++) {
        o->depth[i] = o->is_root[i] ? 0 : NONE;
        if (o->is_root[i])
            queue[tail++] = i;
    }
    while (head < tail) {
        int i = queue[head++];
        for (int k = start[i]; k < start[i + 1]; k++)
            if (o->depth[other[k]] == NONE) {
                o->depth[other[k]] = o->depth[i] + 1;
                queue[tail++] = other[k];
            }
    }
    arena_free(temp);
}

/* equalityConstraint(a, b) = zeros(n), called in the scope of the record. */
static void constrain(const Context *in, const Link *l, Instance *a,
                      Instance *b)
{
    const ConnectEdge *edge = &ST(in)->graph->edges.at[l->edge];
    const char *name[3] = {intern_str(in->names, "equalityConstraint"),
                           intern_str(in->names, "$first"),
                           intern_str(in->names, "$second")};
    AstPart part[3];
    AstRef ref[3];
    AstExpr arg[2];
    AstExpr *args[2] = {&arg[0], &arg[1]};
    for (int i = 0; i < 3; i++) {
        part[i] = (AstPart){.name = name[i], .span = edge->span};
        ref[i] = (AstRef){.part = &part[i], .npart = 1, .span = edge->span};
    }
    for (int i = 0; i < 2; i++)
        arg[i] =
            (AstExpr){.kind = AE_REF, .ref = &ref[i + 1], .span = edge->span};
    AstExpr call = {.kind = AE_CALL,
                    .ref = &ref[0],
                    .arg = args,
                    .narg = 2,
                    .span = edge->span};
    Scope *frame = scope_frame(in, class_scope(in, a->cls));
    scope_bind(in, frame, name[1], instance_value(in, a, edge->span));
    scope_bind(in, frame, name[2], instance_value(in, b, edge->span));
    Value *v = eval_expr(in, frame, &call);
    for (int i = 0; !is_error(v) && i < v->nscalar; i++)
        equation_emit(in, edge->component, expr_real(in->dag, 0), v->scalar[i],
                      FO_CONSTRAINT, edge->span);
}

void graph_solve(const Context *in)
{
    struct Overdetermined *o = over(in);
    int n = o->node.n;
    o->is_root = NEW_ARRAY(in->arena, bool, n + 1);
    int *up = NEW_ARRAY(in->arena, int, n + 1);
    bool *rooted = NEW_ARRAY(in->arena, bool, n + 1);
    for (int i = 0; i < n; i++)
        up[i] = i;
    for (int i = 0; i < o->link.n; i++)
        if (o->link.at[i].is_branch)
            up[top(up, o->link.at[i].b)] = top(up, o->link.at[i].a);
    definite_roots(in, o, up, rooted);
    break_loops(o, up, rooted);
    choose_roots(in, o, up, rooted);
    measure(in, o);
    o->solved = true;
    for (int i = 0; i < o->link.n; i++) {
        const Link *l = &o->link.at[i];
        if (l->is_branch)
            continue;
        Instance *a = o->node.at[l->a], *b = o->node.at[l->b];
        if (l->broken)
            constrain(in, l, a, b);
        else
            connect_records(in, a, b, l->owner, l->edge);
    }
}

Value *graph_operator(const Context *in, Scope *scope, const AstExpr *call)
{
    struct Overdetermined *o = over(in);
    const char *name = call->ref->part[call->ref->npart - 1].name;
    bool is_root = strcmp(name, "isRoot") == 0;
    if (!is_root && strcmp(name, "rooted") != 0) {
        return NULL;
    }
    Instance *a = argument(in, scope, call, 0);
    if (!a)
        return value_error(in);
    bool answer = false;
    if (o->solved && a->node && is_root)
        answer = o->is_root[a->node - 1];
    if (o->solved && a->node && !is_root)
        for (int i = 0; i < o->link.n; i++) {
            const Link *l = &o->link.at[i];
            if (!l->is_branch)
                continue;
            if (l->a == a->node - 1)
                answer |= o->depth[l->a] < o->depth[l->b];
            else if (l->b == a->node - 1)
                answer |= o->depth[l->b] < o->depth[l->a];
        }
    Expr e = expr_bool(in->dag, answer);
    return value_new(in, type_builtin(TYPE_BOOLEAN), 0, NULL, &e, FV_CONSTANT);
}
