/* stream.c - stream connectors (chapter 15).
 *
 * A stream variable is a property of what flows out of a component; what flows
 * in has the property that the others of the connection set give it, weighted
 * by what flows out of them:
 *
 *   inStream(h_i) = sum_j max(-m_j, 0) h_j / sum_j max(-m_j, 0),  j /= i
 *
 * An outside connector takes part with inStream of its other face and the
 * opposite sign of its flow, and its own h is the mixture of all the others.
 * Near zero flow the weights are kept positive by positiveMax (15.2), so that
 * the mixture has a value and no division by zero. A connector whose flow can
 * not go that way (by its min or max) takes no part, and a single one that
 * does needs no weights: between two connectors there is no division at all.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/connect.h"

/* Flow, as a part of the nominal one, below which weights are regularised. */
#define SMALL_FLOW 1e-8

/* The faces of stream variables by set. */
struct StreamSets {
    int *start;  /* by set: the places of its faces, size nface + 1 */
    int *member; /* faces */
    int *set;    /* by face, NONE: not connected */
    int nface;
    Expr *in_stream; /* by variable: inStream of it, EXPR_NONE: not known */
    bool *busy;
};

static bool is_stream(const Context *in, int var)
{
    const Instance *inst = variable_owner(in, var);
    return inst && inst->flow == FLOW_STREAM;
}

static struct StreamSets *sets(const Context *in)
{
    ConnectGraph *g = ST(in)->graph;
    if (g->streams)
        return g->streams;
    int n = 2 * in->flat->nvar;
    struct StreamSets *s = NEW(in->arena, struct StreamSets);
    s->nface = n;
    s->set = NEW_ARRAY(in->arena, int, n + 1);
    s->start = NEW_ARRAY(in->arena, int, n + 2);
    s->in_stream = NEW_ARRAY(in->arena, Expr, n / 2 + 1);
    s->busy = NEW_ARRAY(in->arena, bool, n / 2 + 1);
    for (int i = 0; i < n; i++) {
        s->in_stream[i / 2] = EXPR_NONE;
        s->set[i] = NONE;
        if (i < g->nface && g->edge[i] != NONE && is_stream(in, i / 2))
            s->start[(s->set[i] = connect_set_of(g, i)) + 1]++;
    }
    for (int i = 0; i < n; i++)
        s->start[i + 1] += s->start[i];
    s->member = NEW_ARRAY(in->arena, int, s->start[n] + 1);
    int *next = NEW_ARRAY(in->arena, int, n + 1);
    for (int i = 0; i < n; i++)
        if (s->set[i] != NONE)
            s->member[s->start[s->set[i]] + next[s->set[i]]++] = i;
    return g->streams = s;
}

/* ---- the flow that goes with a stream variable ---- */

static Instance *connector_of(const Instance *inst)
{
    Instance *c = inst->parent;
    while (c && !c->is_connector)
        c = c->parent;
    return c;
}

/* The one flow variable of the connector; NULL: there is none. */
static Instance *flow_of(const Context *in, const Instance *inst)
{
    Instance *c = connector_of(inst);
    for (int i = 0; c && i < c->cls->ncomp; i++) {
        Instance *x = instance_child(in, c, i);
        if (x->kind == IK_PRIM && x->flow == FLOW_FLOW && x->ndim == 0)
            return x;
    }
    return NULL;
}

static Expr real_var(const Context *in, int var)
{
    return expr_var(in->dag, var, 0, ET_REAL);
}

/* An attribute of the flow variable as a number. */
static double attribute(const Context *in, Instance *flow, const char *name,
                        double otherwise)
{
    Mod *m = mod_kid(flow->mod, intern_str(in->names, name));
    Value *v = m && m->value
                   ? attribute_value(in, flow, m, type_builtin(TYPE_REAL))
                   : NULL;
    Value *k = v && !is_error(v) ? eval_fold(in, v) : NULL;
    double x;
    if (k && k->nscalar == 1 && expr_is_const(in->dag, k->scalar[0], &x))
        return x;
    return otherwise;
}

/* ---- mixing ---- */

/* What one connector adds to a mixture. */
typedef struct Inflow {
    Expr flow;  /* out of it, into the mixture */
    Expr value; /* of the stream */
    double nominal;
} Inflow;

typedef Vec(Inflow) Inflows;

/* Adds the face unless its flow never goes into the mixture. */
static void add_source(const Context *in, int face, Inflows *out)
{
    int var = face / 2;
    bool outside = face & 1;
    Instance *flow = flow_of(in, variable_owner(in, var));
    if (!flow)
        return;
    instance_variables(in, flow);
    if (outside ? attribute(in, flow, "max", 1) <= 0
                : attribute(in, flow, "min", -1) >= 0)
        return;
    Expr m = real_var(in, flow->var);
    double nominal = attribute(in, flow, "nominal", 1);
    Inflow s = {outside ? m : expr_unary(in->dag, EX_NEG, m),
                outside ? stream_in(in, var) : real_var(in, var),
                nominal > 0 ? nominal : 1};
    vec_push(in->arena, out, s);
}

/* positiveMax(m, s): max(m, 0), or a little more if the whole flow s is near
 * zero. Without events: it is smooth. */
static Expr positive_max(const Context *in, Expr m, Expr whole, double small)
{
    Dag *d = in->dag;
    Expr one = expr_real(d, 1), zero = expr_real(d, 0),
         eps = expr_real(d, small);
    Expr x = expr_div(d, whole, eps);
    Expr cubic =
        expr_mul(d, expr_mul(d, x, x),
                 expr_sub(d, expr_real(d, 3), expr_mul(d, expr_real(d, 2), x)));
    Expr large = expr_unary(d, EX_NOEVENT, expr_binary(d, EX_GT, whole, eps));
    Expr alpha = expr_if(d, large, one, cubic);
    return expr_add(d, expr_mul(d, alpha, expr_binary(d, EX_MAX, m, zero)),
                    expr_mul(d, expr_sub(d, one, alpha), eps));
}

static Expr mixture(const Context *in, const Inflows *s, Expr alone)
{
    Dag *d = in->dag;
    if (s->n == 0)
        return alone;
    if (s->n == 1)
        return s->at[0].value;
    Expr whole = expr_real(d, 0), zero = whole;
    double nominal = 0;
    for (int i = 0; i < s->n; i++) {
        whole = expr_add(d, whole, expr_binary(d, EX_MAX, s->at[i].flow, zero));
        nominal = s->at[i].nominal > nominal ? s->at[i].nominal : nominal;
    }
    Expr top = zero, below = zero;
    for (int i = 0; i < s->n; i++) {
        Expr w = positive_max(in, s->at[i].flow, whole, SMALL_FLOW * nominal);
        top = expr_add(d, top, expr_mul(d, w, s->at[i].value));
        below = expr_add(d, below, w);
    }
    return expr_div(d, top, below);
}

/* The mixture of all faces of a set but one. */
static Expr mix_others(const Context *in, int face)
{
    const struct StreamSets *s = sets(in);
    int set = face < s->nface ? s->set[face] : NONE;
    Inflows others = {0};
    if (set != NONE)
        for (int i = s->start[set]; i < s->start[set + 1]; i++)
            if (s->member[i] != face)
                add_source(in, s->member[i], &others);
    return mixture(in, &others, real_var(in, face / 2));
}

Expr stream_in(const Context *in, int var)
{
    struct StreamSets *s = sets(in);
    if (var >= s->nface / 2 || s->busy[var])
        return real_var(in, var);
    if (s->in_stream[var] == EXPR_NONE) {
        s->busy[var] = true;
        s->in_stream[var] = mix_others(in, 2 * var);
        s->busy[var] = false;
    }
    return s->in_stream[var];
}

void stream_emit(const Context *in)
{
    const ConnectGraph *g = ST(in)->graph;
    const struct StreamSets *s = sets(in);
    for (int v = 0; v < s->nface / 2; v++) {
        int face = 2 * v + 1;
        if (s->set[face] == NONE)
            continue;
        const ConnectEdge *e = &g->edges.at[g->edge[face]];
        equation_emit(in, e->component, real_var(in, v), mix_others(in, face),
                      FO_CONNECT, e->span);
    }
}

/* ---- inStream(), actualStream() ---- */

typedef struct StreamCall {
    const AstExpr *call;
    bool actual;
    bool wrong;
} StreamCall;

static Expr stream_scalar(void *context, const Context *in, Expr e,
                          const Type *type)
{
    (void)type;
    StreamCall *c = context;
    int var, order;
    if (!expr_is_var(in->dag, e, &var, &order) || order != 0 ||
        !is_stream(in, var)) {
        c->wrong = true;
        return e;
    }
    Expr inside = stream_in(in, var);
    Instance *flow = c->actual ? flow_of(in, variable_owner(in, var)) : NULL;
    if (!flow)
        return inside;
    instance_variables(in, flow);
    Expr positive = expr_binary(in->dag, EX_GT, real_var(in, flow->var),
                                expr_real(in->dag, 0));
    return expr_if(in->dag, expr_unary(in->dag, EX_NOEVENT, positive), inside,
                   e);
}

Value *stream_operator(const Context *in, Scope *scope, const AstExpr *call)
{
    const char *name = call->ref->part[0].name;
    StreamCall c = {call, strcmp(name, "actualStream") == 0, false};
    if (call->narg != 1 || call->nnamed || call->arg[0]->kind != AE_REF) {
        diag_report(in->diag, call->span, DIAG_E0810,
                    "%s() needs one stream variable of a connector", name);
        return value_error(in);
    }
    if (!ST(in)->connected) {
        diag_report(in->diag, call->span, DIAG_E0810,
                    "%s() cannot decide which components and connections "
                    "there are",
                    name);
        return value_error(in);
    }
    Value *v = find_value(in, scope, call->arg[0]->ref);
    if (is_error(v))
        return v;
    if (v->type->kind == TYPE_REAL)
        v = value_map(in, v, stream_scalar, &c);
    else
        c.wrong = true;
    if (!c.wrong)
        return v;
    diag_report(in->diag, call->arg[0]->span, DIAG_E0810,
                "'%s' is no stream variable of a connector, as %s() needs it",
                ast_ref_text(call->arg[0]->ref, in->arena), name);
    return value_error(in);
}
