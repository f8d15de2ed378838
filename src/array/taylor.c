/* taylor.c - the nodes of a set of expressions, degree by degree. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/taylor.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "expr/ops.h"

typedef enum NodeKind {
    NODE_CONST,
    NODE_LEAF, /* asked for */
    NODE_SUM,  /* ADD, SUB, NEG */
    NODE_MUL,  /* SEMILINEAR too */
    NODE_DIV,
    NODE_CHOICE, /* one of its arguments, by the values */
    NODE_FLAT,   /* its value does not move */
    NODE_CHAIN,  /* by its partial derivatives */
    NODE_SERIES, /* a function that gives series itself */
} NodeKind;

typedef struct Node {
    Expr e;
    NodeKind kind;
    ExprOp op;
    int degree; /* needed */
    int least;  /* the same after taylor_limit() */
    int narg;
    int first;  /* of its arguments in Taylor.arg; of a NODE_CHAIN its partial
                   derivatives follow */
    int chosen; /* NODE_CHOICE: argument; NODE_MUL of SEMILINEAR: slope */
    int call;   /* NODE_SERIES: in Taylor.call */
    int event;  /* number in Taylor.event; NONE */
} Node;

/* A value that changes at events only: of a relation, floor() and the like; of
 * mod() and rem() it is the whole number of times. */
typedef struct Event {
    Expr e;
    bool is_held;
    double value;
} Event;

/* A call that gives the series of many results at once. */
typedef struct SeriesCall {
    const ExprFunction *f;
    Expr first;  /* its result 0 */
    double *arg; /* coefficients of its arguments */
    double *out; /* of its results */
    int done;    /* degree of these; NONE */
} SeriesCall;

struct Taylor {
    Dag *dag;
    Arena *arena;
    int most;
    Vec(int) number; /* of handles: node, NONE */
    Vec(Node) node;
    Vec(int) arg; /* nodes */
    Vec(SeriesCall) call;
    Vec(Event) event;
    int *order;    /* nodes, arguments first */
    int *root;     /* nodes, NONE: 0 */
    double *coef;  /* most + 1 of each node */
    double *value; /* of the arguments of a call */
    int nroot;
    Expr wrong;
};

typedef struct Request {
    Expr e;
    int degree;
} Request;
typedef Vec(Request) RequestVec;

static bool has_series(const Dag *d, const ExprNode *x)
{
    const ExprFunction *f = x->op == EX_CALL ? dag_function(d, x->fn) : NULL;
    return f && f->series && !f->no_series(f);
}

static NodeKind kind_of(const Dag *d, const ExprNode *x)
{
    ExprOp op = (ExprOp)x->op;
    if (has_series(d, x))
        return NODE_SERIES;
    switch (op) {
    case EX_CONST: return NODE_CONST;
    case EX_VAR:
    case EX_TIME:
    case EX_PRE:
    case EX_EDGE:
    case EX_CHANGE:
    case EX_INITIAL:
    case EX_TERMINAL:
    case EX_SAMPLE:
    case EX_DELAY: return NODE_LEAF;
    case EX_ADD:
    case EX_SUB:
    case EX_NEG: return NODE_SUM;
    case EX_MUL:
    case EX_SEMILINEAR: return NODE_MUL;
    case EX_DIV: return NODE_DIV;
    case EX_IF:
    case EX_MIN:
    case EX_MAX:
    case EX_NOEVENT:
    case EX_HOMOTOPY:
    case EX_SMOOTH: return NODE_CHOICE;
    default: break;
    }
    int p = expr_op_info[op].properties;
    return p & (OP_FLAT | OP_LOGICAL) ? NODE_FLAT : NODE_CHAIN;
}

static int number_of(const Taylor *t, Expr e)
{
    return (int)e < t->number.n ? t->number.at[e] : NONE;
}

/* ---- making ready ---- */

/* The partial derivative of node e by its argument i as an expression. */
static Expr partial_of(Taylor *t, Expr e, int i)
{
    Dag *d = t->dag;
    const ExprNode *n = expr_node(d, e);
    if (n->op == EX_CALL) {
        const ExprFunction *f = dag_function(d, n->fn);
        return f && f->derivative ? f->derivative(d, e, i) : EXPR_NONE;
    }
    Expr formal[2] = {EXPR_NONE, EXPR_NONE}, arg[2] = {EXPR_NONE, EXPR_NONE};
    for (int k = 0; k < n->narg && k < 2; k++) {
        formal[k] = expr_formal(d, k, ET_REAL);
        arg[k] = expr_arg(d, e, k);
    }
    /* A constant exponent must stay one: x^3 has no logarithm in it. */
    double value;
    for (int k = 0; k < 2; k++)
        if (arg[k] != EXPR_NONE && k != i && expr_is_const(d, arg[k], &value))
            formal[k] = arg[k];
    Expr g = expr_make(d, (ExprOp)n->op, formal[0], formal[1], EXPR_NONE);
    Expr p = expr_diff(d, g, formal[i]);
    for (int k = 0; k < 2 && p != EXPR_NONE; k++)
        if (arg[k] != EXPR_NONE && formal[k] != arg[k])
            p = expr_substitute(d, p, formal[k], arg[k]);
    return p;
}

/* The number of the call that `e` is a result of. */
static int add_call(Taylor *t, Expr e, const ExprNode *x)
{
    SeriesCall c = {.f = dag_function(t->dag, x->fn),
                    .first = expr_first_result(t->dag, e)};
    for (int i = 0; i < t->call.n; i++)
        if (t->call.at[i].first == c.first)
            return i;
    size_t n = (size_t)(t->most + 1);
    c.arg = arena_array(t->arena, (size_t)(x->narg + 1) * n, sizeof *c.arg);
    c.out = arena_array(t->arena, (size_t)c.f->nout * n, sizeof *c.out);
    vec_push(t->arena, &t->call, c);
    return t->call.n - 1;
}

/* Differences decide nothing. */
static bool is_rough(const Taylor *t, const Node *n)
{
    const ExprNode *x = expr_node(t->dag, n->e);
    return n->kind == NODE_CHAIN && n->op == EX_CALL &&
           dag_function(t->dag, x->fn) && dag_function(t->dag, x->fn)->is_rough;
}

static bool is_fixed(const Dag *d, Expr e)
{
    double value;
    return expr_is_const(d, e, &value);
}

/* A node for `e` whose arguments have one. */
static int add_node(Taylor *t, Expr e, RequestVec *todo)
{
    const ExprNode *x = expr_node(t->dag, e);
    Node n = {.e = e,
              .op = (ExprOp)x->op,
              .kind = kind_of(t->dag, x),
              .degree = NONE,
              .event = NONE,
              .narg = x->narg,
              .first = t->arg.n};
    if (n.kind == NODE_LEAF)
        n.narg = 0;
    if (n.kind == NODE_SERIES)
        n.call = add_call(t, e, x);
    if (expr_op_info[x->op].properties & OP_EVENT) {
        n.event = t->event.n;
        vec_push(t->arena, &t->event, ((Event){.e = e}));
    }
    int nplace = n.kind == NODE_CHAIN ? 2 * n.narg : n.narg;
    for (int i = 0; i < nplace; i++)
        vec_push(t->arena, &t->arg, NONE);
    int old = t->number.n;
    if ((int)e >= old) {
        vec_reserve(t->arena, &t->number, (int)e + 1);
        t->number.n = (int)e + 1;
        for (int i = old; i <= (int)e; i++)
            t->number.at[i] = NONE;
    }
    t->number.at[e] = t->node.n;
    vec_push(t->arena, &t->node, n);
    (void)todo;
    return t->node.n - 1;
}

/* Node k is needed to `degree`: what its arguments must have. */
static bool ask_arguments(Taylor *t, int k, int degree, RequestVec *todo)
{
    Node n = t->node.at[k];
    if (is_rough(t, &n)) {
        t->wrong = n.e;
        return false;
    }
    for (int i = 0; i < n.narg; i++) {
        Expr a = expr_arg(t->dag, n.e, i);
        int flat = n.kind == NODE_FLAT ? 0 : degree;
        vec_push(t->arena, todo, ((Request){a, flat}));
        if (n.kind != NODE_CHAIN || degree == 0 || is_fixed(t->dag, a))
            continue;
        Expr p = partial_of(t, n.e, i);
        if (p == EXPR_NONE) {
            t->wrong = n.e;
            return false;
        }
        vec_push(t->arena, todo, ((Request){p, degree - 1}));
    }
    return true;
}

static bool request(Taylor *t, Expr e, int degree)
{
    RequestVec todo = {0};
    vec_push(t->arena, &todo, ((Request){e, degree}));
    while (todo.n > 0) {
        Request r = vec_pop(&todo);
        int k = number_of(t, r.e);
        if (k == NONE)
            k = add_node(t, r.e, &todo);
        if (t->node.at[k].degree >= r.degree)
            continue;
        t->node.at[k].degree = r.degree;
        if (!ask_arguments(t, k, r.degree, &todo))
            return false;
    }
    return true;
}

/* Arguments and partial derivatives by the numbers of their nodes. */
static void connect(Taylor *t)
{
    for (int k = 0; k < t->node.n; k++) {
        const Node *n = &t->node.at[k];
        for (int i = 0; i < n->narg; i++) {
            Expr a = expr_arg(t->dag, n->e, i);
            t->arg.at[n->first + i] = number_of(t, a);
            if (n->kind == NODE_CHAIN && n->degree > 0 && !is_fixed(t->dag, a))
                t->arg.at[n->first + n->narg + i] =
                    number_of(t, partial_of(t, n->e, i));
        }
    }
}

/* Arguments have smaller handles than their node. */
static void sort_nodes(Taylor *t)
{
    int n = 0;
    t->order = NEW_ARRAY(t->arena, int, t->node.n);
    for (int e = 0; e < t->number.n; e++)
        if (t->number.at[e] != NONE)
            t->order[n++] = t->number.at[e];
}

Taylor *taylor_new(Dag *d, const Expr *root, int nroot, int most, Arena *arena,
                   Expr *wrong)
{
    Taylor *t = NEW(arena, Taylor);
    t->dag = d;
    t->arena = arena;
    t->most = most;
    t->root = NEW_ARRAY(arena, int, nroot);
    for (int i = 0; i < nroot; i++) {
        if (root[i] != EXPR_NONE && !request(t, root[i], most)) {
            *wrong = t->wrong;
            return NULL;
        }
    }
    connect(t);
    sort_nodes(t);
    int narg = 0;
    for (int k = 0; k < t->node.n; k++)
        narg = t->node.at[k].narg > narg ? t->node.at[k].narg : narg;
    t->value = NEW_ARRAY(arena, double, narg + 1);
    t->coef = arena_array(arena, (size_t)t->node.n * (size_t)(most + 1),
                          sizeof(double));
    t->nroot = nroot;
    for (int i = 0; i < nroot; i++)
        t->root[i] = root[i] == EXPR_NONE ? NONE : number_of(t, root[i]);
    return t;
}

/* ---- limits ---- */

typedef struct Need {
    int node, degree;
} Need;
typedef Vec(Need) NeedVec;

/* What node `k` asks of its arguments and partial derivatives. */
static void pass_need(Taylor *t, int k, int degree, NeedVec *todo)
{
    const Node *n = &t->node.at[k];
    int flat = n->kind == NODE_FLAT ? 0 : degree;
    for (int i = 0; i < n->narg; i++) {
        int a = t->arg.at[n->first + i];
        vec_push(t->arena, todo, ((Need){a, flat}));
        int p = n->kind == NODE_CHAIN && degree > 0
                    ? t->arg.at[n->first + n->narg + i]
                    : NONE;
        if (p != NONE)
            vec_push(t->arena, todo, ((Need){p, degree - 1}));
    }
}

void taylor_limit(Taylor *t, const int *degree)
{
    NeedVec todo = {0};
    for (int k = 0; k < t->node.n; k++)
        t->node.at[k].least = NONE;
    for (int i = 0; i < t->nroot; i++)
        if (t->root[i] != NONE)
            vec_push(t->arena, &todo, ((Need){t->root[i], degree[i]}));
    while (todo.n > 0) {
        Need x = vec_pop(&todo);
        if (t->node.at[x.node].least >= x.degree)
            continue;
        t->node.at[x.node].least = x.degree;
        pass_need(t, x.node, x.degree, &todo);
    }
}

/* ---- evaluating ---- */

static double *series(const Taylor *t, int node)
{
    return t->coef + (size_t)node * (size_t)(t->most + 1);
}

static double *argument(const Taylor *t, const Node *n, int i)
{
    return series(t, t->arg.at[n->first + i]);
}

static double call_value(Taylor *t, const Node *n)
{
    const ExprNode *x = expr_node(t->dag, n->e);
    const ExprFunction *f = dag_function(t->dag, x->fn);
    for (int i = 0; i < n->narg; i++)
        t->value[i] = argument(t, n, i)[0];
    if (!f || n->narg != f->nplain + (f->list ? 0 : f->nlist))
        return NAN;
    if (!f->values)
        return f->value(f, x->order, t->value,
                        f->list ? f->list : t->value + f->nplain);
    double *out = malloc((size_t)f->nout * sizeof *out);
    if (!out)
        return NAN;
    f->values(f, t->value, out);
    double result = out[x->order];
    free(out);
    return result;
}

static double apply(Taylor *t, const Node *n)
{
    double x[3] = {0, 0, 0};
    if (n->op == EX_CALL)
        return call_value(t, n);
    for (int i = 0; i < n->narg && i < 3; i++)
        x[i] = argument(t, n, i)[0];
    const Event *v = n->event == NONE ? NULL : &t->event.at[n->event];
    if (v && v->is_held)
        return n->op == EX_MOD || n->op == EX_REM ? x[0] - v->value * x[1]
                                                  : v->value;
    return expr_apply(n->op, x[0], x[1], x[2]);
}

/* Which argument counts, by the values of all. */
static int choose(const Taylor *t, const Node *n)
{
    double a = argument(t, n, 0)[0];
    switch (n->op) {
    case EX_IF: return a != 0 ? 1 : 2;
    case EX_MIN: return argument(t, n, 1)[0] < a;
    case EX_MAX: return a < argument(t, n, 1)[0];
    case EX_SMOOTH: return 1;
    case EX_SEMILINEAR: return a >= 0 ? 1 : 2;
    default: return 0;
    }
}

static double product(const double *a, const double *b, int m)
{
    double sum = 0;
    for (int j = 0; j <= m; j++)
        sum += a[j] * b[m - j];
    return sum;
}

/* Coefficient m >= 1 of a quotient e = a / b. */
static double quotient(const double *a, const double *b, const double *e, int m)
{
    double sum = a[m];
    for (int j = 1; j <= m; j++)
        sum -= b[j] * e[m - j];
    return sum / b[0];
}

/* A coefficient that is 0 does not ask for its partial derivative, which may be
 * infinite there. */
static double chain(const Taylor *t, const Node *n, int m)
{
    double sum = 0;
    for (int i = 0; i < n->narg; i++) {
        int p = t->arg.at[n->first + n->narg + i];
        if (p == NONE)
            continue;
        const double *a = argument(t, n, i), *slope = series(t, p);
        for (int j = 1; j <= m; j++)
            if (a[j] != 0)
                sum += j * a[j] * slope[m - j];
    }
    return sum / m;
}

/* Coefficient m of a result; the call runs once for all of them. */
static double series_of(Taylor *t, const Node *n, int m)
{
    SeriesCall *c = &t->call.at[n->call];
    int stride = m + 1;
    if (c->done != m) {
        for (int i = 0; i < n->narg; i++)
            for (int j = 0; j <= m; j++)
                c->arg[i * stride + j] = argument(t, n, i)[j];
        c->f->series(c->f, m, c->arg, c->out);
        c->done = m;
    }
    return c->out[expr_node(t->dag, n->e)->order * stride + m];
}

static double coefficient(Taylor *t, Node *n, const double *e, int m)
{
    switch (n->kind) {
    case NODE_CONST: return m == 0 ? expr_node(t->dag, n->e)->value : 0;
    case NODE_SUM: {
        double a = argument(t, n, 0)[m];
        double b = n->narg > 1 ? argument(t, n, 1)[m] : 0;
        return n->op == EX_NEG ? -a : n->op == EX_ADD ? a + b : a - b;
    }
    case NODE_MUL:
        if (m == 0)
            n->chosen = n->op == EX_SEMILINEAR ? choose(t, n) : 1;
        return product(argument(t, n, 0), argument(t, n, n->chosen), m);
    case NODE_DIV:
        return m == 0 ? apply(t, n)
                      : quotient(argument(t, n, 0), argument(t, n, 1), e, m);
    case NODE_CHOICE:
        if (m == 0)
            n->chosen = choose(t, n);
        return argument(t, n, n->chosen)[m];
    case NODE_FLAT: return m == 0 ? apply(t, n) : 0;
    case NODE_CHAIN: return m == 0 ? apply(t, n) : chain(t, n, m);
    case NODE_SERIES: return series_of(t, n, m);
    default: return NAN;
    }
}

static long evaluate(Taylor *t, int degree, TaylorLeaf *leaf, void *context,
                     bool least)
{
    long count = 0;
    for (int i = 0; i < t->call.n; i++)
        t->call.at[i].done = NONE;
    for (int k = 0; k < t->node.n; k++) {
        const Node *n = &t->node.at[k];
        if (n->kind == NODE_LEAF)
            leaf(context, t->dag, n->e, degree, series(t, k));
    }
    for (int m = 0; m <= degree; m++) {
        for (int i = 0; i < t->node.n; i++) {
            Node *n = &t->node.at[t->order[i]];
            double *e = series(t, t->order[i]);
            if (n->kind == NODE_LEAF || m > (least ? n->least : n->degree))
                continue;
            e[m] = coefficient(t, n, e, m);
            count++;
        }
    }
    return count;
}

void taylor_run(Taylor *t, int degree, TaylorLeaf *leaf, void *context)
{
    evaluate(t, degree, leaf, context, false);
}

long taylor_run_least(Taylor *t, int degree, TaylorLeaf *leaf, void *context)
{
    return evaluate(t, degree, leaf, context, true);
}

int taylor_nevent(const Taylor *t)
{
    return t->event.n;
}

Expr taylor_event(const Taylor *t, int i)
{
    return t->event.at[i].e;
}

void taylor_hold(Taylor *t, int i, double value)
{
    t->event.at[i].is_held = true;
    t->event.at[i].value = value;
}

double taylor_coef(const Taylor *t, int i, int m)
{
    return t->root[i] == NONE ? 0 : series(t, t->root[i])[m];
}
