/* connect.c - connections become sets, sets become equations (chapter 9).
 *
 * Scalars of connected connectors are joined in sets by union-find. A variable
 * has two faces: as a part of a component seen from outside (inside connector)
 * and as the border of the model that holds the connect (outside connector).
 * For flow variables the faces are different members of sets; for others they
 * are the same. Potentials of a set are equal; flows of a set sum to zero,
 * outside ones counted with a minus sign (9.2).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/connect.h"

#include "instance/state.h"

/* ---- union-find over faces of variables ---- */

static ConnectGraph *graph(const Context *in)
{
    ConnectGraph *g = ST(in)->graph;
    if (!g)
        g = ST(in)->graph = NEW(in->arena, ConnectGraph);
    int want = 2 * in->flat->nvar;
    if (g->nface < want) {
        int cap = vec_capacity(g->nface, want);
        g->up = arena_grow(in->arena, g->up, (size_t)g->nface * sizeof(int),
                           (size_t)cap * sizeof(int));
        g->edge = arena_grow(in->arena, g->edge, (size_t)g->nface * sizeof(int),
                             (size_t)cap * sizeof(int));
        for (int i = g->nface; i < cap; i++) {
            g->up[i] = i;
            g->edge[i] = NONE;
        }
        g->nface = cap;
    }
    return g;
}

int connect_set_of(ConnectGraph *g, int face)
{
    while (g->up[face] != face) {
        g->up[face] = g->up[g->up[face]];
        face = g->up[face];
    }
    return face;
}

static void join(ConnectGraph *g, int a, int b, int edge)
{
    if (g->edge[a] == NONE)
        g->edge[a] = edge;
    if (g->edge[b] == NONE)
        g->edge[b] = edge;
    int ra = connect_set_of(g, a), rb = connect_set_of(g, b);
    if (ra < rb)
        g->up[rb] = ra;
    else
        g->up[ra] = rb;
}

/* ---- the two sides of a connect ---- */

/* Is the connector a border of the instance the connect stands in? */
static bool is_outside(const Instance *inst, const Instance *owner)
{
    while (inst->parent && inst->parent->is_connector)
        inst = inst->parent;
    return inst->parent == owner;
}

/* 9.3: two outputs of components have nothing to say to each other. */
static void check_sources(const Context *in, const Side *a, const Side *b,
                          Instance *pa, Instance *pb)
{
    bool source_a = pa->direction == (a->outside ? DIR_INPUT : DIR_OUTPUT);
    bool source_b = pb->direction == (b->outside ? DIR_INPUT : DIR_OUTPUT);
    if (!source_a || !source_b || pa == pb ||
        (a->outside && pa->is_protected) || (b->outside && pb->is_protected))
        return;
    const ConnectGraph *g = ST(in)->graph;
    diag_report(in->diag, vec_last(&g->edges).span, DIAG_E0806,
                "'%s' and '%s' both give a value: two sources cannot be "
                "connected",
                instance_path(in, pa), instance_path(in, pb));
}

static void connect_scalars(const Context *in, const Side *a, const Side *b,
                            const Instance *pa, const Instance *pb,
                            const int *va, const int *vb, int n)
{
    ConnectGraph *g = graph(in);
    int edge = g->edges.n - 1;
    for (int i = 0; i < n; i++) {
        bool flow = pa->flow != FLOW_NONE;
        join(g, 2 * va[i] + (flow && a->outside),
             2 * vb[i] + (flow && b->outside), edge);
    }
    (void)pb;
}

static const char *prefix_name(AstFlowKind k)
{
    return k == FLOW_FLOW ? "flow" : k == FLOW_STREAM ? "stream" : "no flow";
}

static bool is_in_bus(const Instance *a)
{
    for (const Instance *p = a->parent; p && p->cls; p = p->parent)
        if (class_kind(p->cls) == CK_EXPANDABLE_CONNECTOR)
            return true;
    return false;
}

/* 9.3: input and output go together, and so do constants and parameters. */
static bool check_prefixes(const Context *in, const Instance *a,
                           const Instance *b, Span span)
{
    static const char *const variability[] = {"constant", "a parameter"};
    const char *x = NULL, *y = NULL;
    if (!a->direction != !b->direction && !is_in_bus(a) && !is_in_bus(b)) {
        x = a->direction ? "input or output" : "neither input nor output";
        y = b->direction ? "input or output" : "neither input nor output";
    } else if (a->variability <= FV_PARAMETER &&
               b->variability <= FV_PARAMETER &&
               a->variability != b->variability) {
        x = variability[a->variability];
        y = variability[b->variability];
    }
    if (x)
        diag_report(in->diag, span, DIAG_E0812,
                    "'%s' is %s, but '%s' is %s: they cannot be connected",
                    instance_path(in, (Instance *)a), x,
                    instance_path(in, (Instance *)b), y);
    return !x;
}

static bool check_scalars(const Context *in, const Instance *a,
                          const Instance *b, Span span)
{
    if (!check_prefixes(in, a, b, span))
        return false;
    if (a->flow != b->flow) {
        diag_report(in->diag, span, DIAG_E0804, "'%s' is %s, but '%s' is %s",
                    instance_path(in, (Instance *)a), prefix_name(a->flow),
                    instance_path(in, (Instance *)b), prefix_name(b->flow));
        return false;
    }
    bool real_a = a->type->kind == TYPE_REAL,
         real_b = b->type->kind == TYPE_REAL;
    if (a->type->kind != b->type->kind ||
        (a->type->kind == TYPE_ENUM &&
         a->type->enumeration != b->type->enumeration) ||
        real_a != real_b) {
        diag_report(
            in->diag, span, DIAG_E0803,
            "'%s' is %s and '%s' is %s: they cannot be connected",
            instance_path(in, (Instance *)a), type_text(in, a->type, 0, NULL),
            instance_path(in, (Instance *)b), type_text(in, b->type, 0, NULL));
        return false;
    }
    return true;
}

static void report_sizes(const Context *in, const Instance *a, int na,
                         const Instance *b, int nb, Span span)
{
    diag_report(in->diag, span, DIAG_E0805,
                "the sides have different sizes: '%s' has %d elements, '%s' "
                "has %d",
                instance_path(in, (Instance *)a), na,
                instance_path(in, (Instance *)b), nb);
}

static void equal_constants(const Context *in, Instance *a, Instance *b,
                            Span span, const Instance *owner)
{
    Value *x = instance_value(in, a, span), *y = instance_value(in, b, span);
    if (is_error(x) || is_error(y) || !x->scalar || !y->scalar ||
        x->nscalar != y->nscalar)
        return;
    for (int i = 0; i < x->nscalar; i++)
        emit_assert(
            in,
            (FlatAssert){
                .condition =
                    expr_binary(in->dag, EX_EQ, x->scalar[i], y->scalar[i]),
                .message = expr_string(
                    in->dag,
                    arena_printf(in->arena,
                                 "connected parameters '%s' and '%s' "
                                 "must be equal",
                                 instance_path(in, a), instance_path(in, b))),
                .component = instance_component(owner),
                .span = span},
            false);
}

static void connect_prims(const Context *in, Side *a, Side *b, Instance *pa,
                          Instance *pb, Span span)
{
    if (!check_scalars(in, pa, pb, span) || !instance_size(in, pa) ||
        !instance_size(in, pb))
        return;
    if (pa->nelement != pb->nelement || pa->ndim != pb->ndim) {
        report_sizes(in, pa, pa->nelement, pb, pb->nelement, span);
        return;
    }
    if (graph_is_overdetermined(in, pa) && !a->direct) {
        graph_connect(in, pa, pb, a->owner, graph(in)->edges.n - 1);
        return;
    }
    if (pa->variability <= FV_PARAMETER || pb->variability <= FV_PARAMETER) {
        equal_constants(in, pa, pb, span, a->owner);
        return;
    }
    instance_variables(in, pa);
    instance_variables(in, pb);
    if (pa->var == NONE || pb->var == NONE)
        return;
    graph(in);
    for (int i = 0; i < pa->nelement; i++) {
        int va = pa->var + i, vb = pb->var + i;
        connect_scalars(in, a, b, pa, pb, &va, &vb, 1);
    }
    check_sources(in, a, b, pa, pb);
}

static void connect_pair(const Context *in, Side *a, Side *b, Instance *x,
                         Instance *y, Span span);

static void missing(const Context *in, const Instance *x, const Instance *y,
                    const char *name, Span span)
{
    diag_report(in->diag, span, DIAG_E0802,
                "'%s' has no '%s' to connect with that of '%s'",
                instance_path(in, (Instance *)y), name,
                instance_path(in, (Instance *)x));
    if (x->cls->ast)
        diag_note(in->diag, x->cls->ast->span, "'%s' is declared here",
                  x->cls->full_name);
    if (y->cls->ast && y->cls->ast != x->cls->ast)
        diag_note(in->diag, y->cls->ast->span, "'%s' is declared here",
                  y->cls->full_name);
}

static void connect_members(const Context *in, Side *a, Side *b, Instance *x,
                            Instance *y, Span span)
{
    for (int i = 0; i < x->cls->ncomp; i++) {
        Instance *cx = instance_child(in, x, i);
        int k = class_component(in, y->cls, x->cls->comp[i]->name);
        if (k == NONE) {
            if (cx->kind != IK_ABSENT)
                missing(in, x, y, x->cls->comp[i]->name, span);
            continue;
        }
        connect_pair(in, a, b, cx, instance_child(in, y, k), span);
    }
    for (int i = 0; i < y->cls->ncomp; i++)
        if (class_component(in, x->cls, y->cls->comp[i]->name) == NONE)
            missing(in, y, x, y->cls->comp[i]->name, span);
}

static void connect_objects(const Context *in, Side *a, Side *b, Instance *x,
                            Instance *y, Span span)
{
    if (expandable_is(x) != expandable_is(y))
        diag_report(in->diag, span, DIAG_E0812,
                    "'%s' is expandable and can only be connected with another "
                    "expandable connector, which '%s' is not",
                    instance_path(in, expandable_is(x) ? x : y),
                    instance_path(in, expandable_is(x) ? y : x));
    else if (expandable_is(x))
        expandable_link(in, x, y, a->owner, span);
    else if (graph_is_overdetermined(in, x))
        graph_connect(in, x, y, a->owner, graph(in)->edges.n - 1);
    else
        connect_members(in, a, b, x, y, span);
}

static void connect_pair(const Context *in, Side *a, Side *b, Instance *x,
                         Instance *y, Span span)
{
    if (x->kind == IK_ABSENT || y->kind == IK_ABSENT || x->kind == IK_ERROR ||
        y->kind == IK_ERROR)
        return;
    if (x->kind == IK_PRIM && y->kind == IK_PRIM) {
        connect_prims(in, a, b, x, y, span);
    } else if (x->kind == IK_OBJECT && y->kind == IK_OBJECT) {
        connect_objects(in, a, b, x, y, span);
    } else if (x->kind == IK_ARRAY && y->kind == IK_ARRAY) {
        if (!instance_size(in, x) || !instance_size(in, y))
            return;
        if (x->nelement != y->nelement) {
            report_sizes(in, x, x->nelement, y, y->nelement, span);
            return;
        }
        for (int i = 0; i < x->nelement; i++)
            connect_pair(in, a, b, x->element[i], y->element[i], span);
    } else {
        diag_report(in->diag, span, DIAG_E0803,
                    "'%s' and '%s' cannot be connected: they are of different "
                    "kinds",
                    instance_path(in, x), instance_path(in, y));
    }
}

/* ---- connect(a, b) ---- */

static bool check_connector(const Context *in, const InstanceSet *s,
                            const AstRef *ref)
{
    for (int i = 0; i < s->n; i++) {
        const Instance *x = s->at[i];
        if (x->is_connector || x->in_connector || x->kind == IK_ERROR ||
            x->kind == IK_ABSENT)
            continue;
        diag_report(in->diag, ref->span, DIAG_E0801,
                    "'%s' is no connector, so it cannot be connected",
                    ast_ref_text(ref, in->arena));
        diag_note(in->diag, x->elem->ast->span, "it is declared here");
        return false;
    }
    return true;
}

/* 9.3: connect(c, m.d): a connector of the model, or one of a component of it,
 * and connectors inside them. */
static bool check_form(const Context *in, const InstanceSet *s,
                       const AstRef *ref)
{
    const Instance *x = s->n ? s->at[0] : NULL;
    int own = 1; /* parts of the name that are connectors */
    while (x && x->parent && x->parent->in_connector) {
        x = x->parent;
        own++;
    }
    if (!x || x->kind == IK_ERROR || x->kind == IK_ABSENT ||
        ref->npart <= own + 1)
        return true;
    diag_report(in->diag, ref->span, DIAG_E0812,
                "'%s' is inside a component of a component: only connectors of "
                "the model itself and of its components can be connected",
                ast_ref_text(ref, in->arena));
    return false;
}

/* The scalar variables of a side that ends in a simple type. */
static Value *side_value(const Context *in, Scope *scope, const AstRef *ref)
{
    Context side = *in;
    side.in_connect = true;
    Value *v = find_value(&side, scope, ref);
    return is_error(v) ? NULL : v;
}

static void connect_simple(const Context *in, Scope *scope, Instance *owner,
                           const AstEqn *q, const InstanceSet *sa,
                           const InstanceSet *sb)
{
    Instance *pa = sa->at[0], *pb = sb->at[0];
    if (!check_scalars(in, pa, pb, q->span))
        return;
    Value *a = side_value(in, scope, q->from);
    Value *b = side_value(in, scope, q->to);
    if (!a || !b)
        return;
    if (a->nscalar != b->nscalar || a->ndim != b->ndim) {
        diag_report(in->diag, q->span, DIAG_E0805,
                    "the sides have different sizes: '%s' is %s, '%s' is %s",
                    ast_ref_text(q->from, in->arena),
                    type_text(in, a->type, a->ndim, a->dim),
                    ast_ref_text(q->to, in->arena),
                    type_text(in, b->type, b->ndim, b->dim));
        return;
    }
    Side x = {owner, is_outside(pa, owner), false};
    Side y = {owner, is_outside(pb, owner), false};
    graph(in);
    for (int i = 0; i < a->nscalar; i++) {
        int va, vb, order;
        if (expr_is_var(in->dag, a->scalar[i], &va, &order) &&
            expr_is_var(in->dag, b->scalar[i], &vb, &order) &&
            in->flat->var[va].variability > FV_PARAMETER)
            connect_scalars(in, &x, &y, pa, pb, &va, &vb, 1);
    }
    check_sources(in, &x, &y, pa, pb);
}

void connect_records(const Context *in, Instance *a, Instance *b,
                     Instance *owner, int edge)
{
    ConnectGraph *g = graph(in);
    ConnectEdge last = g->edges.at[edge];
    vec_push(in->arena, &g->edges, last);
    Side x = {owner, is_outside(a, owner), true};
    Side y = {owner, is_outside(b, owner), true};
    if (a->kind == IK_PRIM)
        connect_prims(in, &x, &y, a, b, last.span);
    else
        connect_members(in, &x, &y, a, b, last.span);
}

static void add_edge(const Context *in, const Instance *owner, Span span)
{
    ConnectGraph *g = graph(in);
    vec_push(in->arena, &g->edges,
             ((ConnectEdge){instance_component(owner), span}));
}

static void connect_sets(const Context *in, Instance *owner, const AstEqn *q,
                         const InstanceSet *a, const InstanceSet *b)
{
    bool same = a->n == b->n && a->ndim == b->ndim;
    for (int i = 0; same && i < a->ndim; i++)
        same = a->dim[i] == b->dim[i];
    if (!same) {
        diag_report(in->diag, q->span, DIAG_E0805,
                    "the sides have different sizes: '%s' has %d connectors, "
                    "'%s' has %d",
                    ast_ref_text(q->from, in->arena), a->n,
                    ast_ref_text(q->to, in->arena), b->n);
        return;
    }
    for (int i = 0; i < a->n; i++) {
        Side x = {owner, is_outside(a->at[i], owner), false};
        Side y = {owner, is_outside(b->at[i], owner), false};
        connect_pair(in, &x, &y, a->at[i], b->at[i], q->span);
    }
}

static void count_connects(const Context *in, InstanceSet *s)
{
    for (int i = 0; i < s->n; i++) {
        s->at[i]->nconnect++;
        if (!is_in_bus(s->at[i]))
            continue;
        expandable_touch(s->at[i]);
        instance_expand(in, s->at[i]);
    }
}

InstanceSet connect_side(const Context *in, Scope *scope, const AstRef *ref)
{
    Trial t;
    trial_begin(&t, in);
    t.in.in_connect = true;
    InstanceSet s = find_instances(&t.in, scope, ref);
    trial_drop(&t);
    return s;
}

Missing connect_missing(const Context *in, Scope *scope, const AstRef *ref)
{
    ST(in)->missing_in = NULL;
    InstanceSet s = connect_side(in, scope, ref);
    if (s.ok || !ST(in)->missing_in)
        return (Missing){NULL, NULL};
    return (Missing){ST(in)->missing_in, ST(in)->missing_part};
}

void connect_instances(const Context *in, Instance *owner, Instance *x,
                       Instance *y, Span span)
{
    add_edge(in, owner, span);
    Side a = {owner, is_outside(x, owner), false};
    Side b = {owner, is_outside(y, owner), false};
    connect_pair(in, &a, &b, x, y, span);
}

static void connect_two(const Context *in, Scope *scope, Instance *owner,
                        const AstEqn *q)
{
    Context side = *in;
    side.in_connect = true;
    graph(in);
    ST(in)->missing_in = NULL;
    InstanceSet a = find_instances(&side, scope, q->from);
    InstanceSet b = find_instances(&side, scope, q->to);
    if (ST(in)->missing_in) {
        expandable_wait(in, scope, owner, q);
        return;
    }
    if (!a.ok || !b.ok || a.absent || b.absent)
        return;
    if (!check_connector(in, &a, q->from) || !check_connector(in, &b, q->to) ||
        !check_form(in, &a, q->from) || !check_form(in, &b, q->to))
        return;
    add_edge(in, owner, q->span);
    count_connects(in, &a);
    count_connects(in, &b);
    if (a.n && b.n && a.at[0]->kind == IK_PRIM && b.at[0]->kind == IK_PRIM)
        connect_simple(in, scope, owner, q, &a, &b);
    else
        connect_sets(in, owner, q, &a, &b);
}

void connect_add(const Context *in, Scope *scope, Instance *owner,
                 const AstEqn *q)
{
    if (q->kind == AQ_CONNECT)
        connect_two(in, scope, owner, q);
    else
        graph_call(in, scope, owner, q);
}

/* ---- equations of the sets ---- */

static Expr var_of(const Context *in, int face)
{
    int var = face / 2;
    static const ExprType type[] = {
        [FT_REAL] = ET_REAL,       [FT_INTEGER] = ET_INTEGER,
        [FT_BOOLEAN] = ET_BOOLEAN, [FT_STRING] = ET_STRING,
        [FT_ENUM] = ET_INTEGER,    [FT_CLOCK] = ET_BOOLEAN};
    return expr_var(in->dag, var, 0, type[in->flat->var[var].type]);
}

static void emit_set(const Context *in, const int *face, int n)
{
    const ConnectGraph *g = ST(in)->graph;
    const FlatVar *first = &in->flat->var[face[0] / 2];
    const ConnectEdge *e = &g->edges.at[g->edge[face[0]]];
    if (!first->is_flow) {
        for (int i = 1; i < n; i++) {
            const ConnectEdge *k = &g->edges.at[g->edge[face[i]]];
            equation_emit(in, k->component, var_of(in, face[0]),
                          var_of(in, face[i]), FO_CONNECT, k->span);
        }
        return;
    }
    Expr sum = expr_real(in->dag, 0);
    for (int i = 0; i < n; i++) {
        Expr v = var_of(in, face[i]);
        sum =
            face[i] & 1 ? expr_sub(in->dag, sum, v) : expr_add(in->dag, sum, v);
    }
    equation_emit(in, e->component, sum, expr_real(in->dag, 0), FO_FLOW,
                  e->span);
}

/* Members of each set, by counting. */
static void emit_sets(const Context *in)
{
    ConnectGraph *g = graph(in);
    int n = 2 * in->flat->nvar;
    Arena *temp = arena_new();
    int *count = NEW_ARRAY(temp, int, n + 1);
    for (int i = 0; i < n; i++)
        if (g->edge[i] != NONE)
            count[connect_set_of(g, i)]++;
    int *start = NEW_ARRAY(temp, int, n + 1);
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + count[i];
    int *member = NEW_ARRAY(temp, int, start[n] + 1);
    int *next = NEW_ARRAY(temp, int, n + 1);
    memcpy(next, start, (size_t)n * sizeof *next);
    for (int i = 0; i < n; i++)
        if (g->edge[i] != NONE)
            member[next[connect_set_of(g, i)]++] = i;
    for (int i = 0; i < n; i++)
        if (count[i] && variable_owner(in, i / 2)->flow != FLOW_STREAM)
            emit_set(in, member + start[i], count[i]);
    arena_free(temp);
}

/* 9.2: a flow variable that is in no set as an inside connector is zero. */
static void emit_unconnected(const Context *in)
{
    ConnectGraph *g = graph(in);
    for (int v = 0; v < in->flat->nvar; v++) {
        const FlatVar *x = &in->flat->var[v];
        const Instance *inst = variable_owner(in, v);
        if (!x->is_flow || !inst || !inst->in_connector ||
            g->edge[2 * v] != NONE || x->variability <= FV_PARAMETER)
            continue;
        equation_emit(in, instance_component(inst), var_of(in, 2 * v),
                      expr_real(in->dag, 0), FO_UNCONNECTED, x->span);
    }
}

void connect_emit(const Context *in)
{
    emit_sets(in);
    stream_emit(in);
    emit_unconnected(in);
}

/* ---- operators (3.7.4.3 cardinality) ---- */

Value *connect_operator(const Context *in, Scope *scope, const AstExpr *call)
{
    const AstRef *r = call->ref;
    if (!r || r->npart == 0)
        return NULL;
    const char *name = r->part[r->npart - 1].name;
    if (r->npart == 2 && strcmp(r->part[0].name, "Connections") == 0)
        return graph_operator(in, scope, call);
    if (r->npart != 1)
        return NULL;
    if (strcmp(name, "rooted") == 0)
        return graph_operator(in, scope, call);
    if (strcmp(name, "activeState") == 0 || strcmp(name, "ticksInState") == 0 ||
        strcmp(name, "timeInState") == 0)
        return state_operator(in, scope, call);
    if (strcmp(name, "inStream") == 0 || strcmp(name, "actualStream") == 0)
        return stream_operator(in, scope, call);
    if (strcmp(name, "cardinality") != 0 || call->narg != 1 ||
        call->arg[0]->kind != AE_REF)
        return NULL;
    InstanceSet s = find_instances(in, scope, call->arg[0]->ref);
    if (!s.ok || s.n != 1)
        return value_error(in);
    if (!check_connector(in, &s, call->arg[0]->ref))
        return value_error(in);
    Expr n = expr_int(in->dag, s.absent ? 0 : s.at[0]->nconnect);
    return value_new(in, type_builtin(TYPE_INTEGER), 0, NULL, &n, FV_CONSTANT);
}
