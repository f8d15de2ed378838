/* routine.c - functions made of expressions, and their values. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "expr/ops.h"
#include "routine/routine_internal.h"

enum { SMALL = 1500 }; /* nodes whose values find room on the stack */

/* ---- walks ---- */

typedef struct NodeList {
    Arena *arena;
    Vec(Expr) node;
} NodeList;

static void collect(void *context, const Dag *d, Expr e)
{
    (void)d;
    NodeList *l = context;
    vec_push(l->arena, &l->node, e);
}

static NodeList nodes_of(const Dag *d, const Expr *root, int nroot,
                         Arena *arena)
{
    NodeList l = {.arena = arena};
    expr_walk(d, root, nroot, collect, &l);
    return l;
}

int routine_size(const Dag *d, const Expr *root, int nroot)
{
    Arena *local = arena_new();
    int n = nodes_of(d, root, nroot, local).node.n;
    arena_free(local);
    return n;
}

/* ---- values ---- */

/* The place of `e` in a list that ascends. */
static int place_of(const Expr *sorted, const int *place, int n, Expr e)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int mid = (low + high) / 2;
        if (sorted[mid] < e)
            low = mid + 1;
        else
            high = mid;
    }
    return place[low];
}

/* Arguments have smaller handles than the nodes that read them, so that the
 * order of handles is one to compute in. */
static void sort_nodes(Expr *e, int n)
{
    for (int gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int i = gap; i < n; i++) {
            Expr x = e[i];
            int k = i;
            for (; k >= gap && e[k - gap] > x; k -= gap)
                e[k] = e[k - gap];
            e[k] = x;
        }
}

/* The nodes in order, with those that make all results of a call. */
static NodeList order(const Dag *d, const Expr *root, int nroot, Arena *local)
{
    NodeList l = nodes_of(d, root, nroot, local);
    for (int i = l.node.n - 1; i >= 0; i--)
        if (expr_op(d, l.node.at[i]) == EX_CALL)
            vec_push(local, &l.node, expr_first_result(d, l.node.at[i]));
    sort_nodes(l.node.at, l.node.n);
    int n = 0;
    for (int i = 0; i < l.node.n; i++)
        if (n == 0 || l.node.at[n - 1] != l.node.at[i])
            l.node.at[n++] = l.node.at[i];
    l.node.n = n;
    return l;
}

/* Where the results of the call `e` are: those of a function that gives many at
 * once stand in a row that its result 0 has. */
static int row_of(Routine *r, const RoutineStep *step, int i, int first)
{
    const ExprNode *n = expr_node(r->dag, step[i].node);
    const ExprFunction *f = dag_function(r->dag, n->fn);
    if (!f->values)
        return NONE;
    if (n->order > 0)
        return step[first].b;
    int row = r->nrow;
    r->nrow += f->nout;
    return row;
}

/* What a call takes at the desk, with some turns of loops. */
static double price_of(const Dag *d, int fn, int depth)
{
    enum { TURNS = 20, DEEPEST = 5 };
    const ExprFunction *f = dag_function(d, fn);
    double price = f->instructions;
    for (int i = 0; i < f->nneed && depth < DEEPEST; i++)
        price += price_of(d, f->need[i], depth + 1);
    return f->has_turns ? TURNS * price : price;
}

/* Of a or b, a and b: does a take longer than b? Then c is 1. */
static void order_sides(const Routine *r, RoutineStep *step, int n,
                        const int *args, Arena *local)
{
    double *price = NEW_ARRAY(local, double, n + 1);
    for (int i = 0; i < n; i++) {
        RoutineStep *s = &step[i];
        const ExprNode *node = expr_node(r->dag, s->node);
        if (s->op == EX_CALL && s->c == i)
            price[i] = price_of(r->dag, node->fn, 0);
        else if (s->op == EX_CALL)
            price[i] = price[s->c];
        for (int k = 0; k < node->narg; k++) {
            int from = s->op == EX_CALL ? args[s->a + k]
                       : k == 0         ? s->a
                       : k == 1         ? s->b
                                        : s->c;
            price[i] = fmax(price[i], price[from]);
        }
        if (s->op == EX_OR || s->op == EX_AND)
            s->c = price[s->a] > price[s->b];
    }
}

static void compile(Routine *r, const Expr *root, int nroot, Arena *arena)
{
    const Dag *d = r->dag;
    Arena *local = arena_new();
    NodeList l = order(d, root, nroot, local);
    int n = l.node.n;
    int *place = NEW_ARRAY(local, int, n + 1);
    for (int i = 0; i < n; i++)
        place[i] = i;
    RoutineStep *step = NEW_ARRAY(arena, RoutineStep, n + 1);
    double *number = NEW_ARRAY(arena, double, n + 1);
    int *at = NEW_ARRAY(arena, int, nroot + 1);
    Vec(int) args = {0};
    bool calls = false, choices = false;
    for (int i = 0; i < n; i++) {
        const ExprNode *node = expr_node(d, l.node.at[i]);
        int arg[3] = {0, 0, 0};
        step[i].op = node->op;
        step[i].node = l.node.at[i];
        if (node->op == EX_CONST)
            number[i] = node->value;
        if (node->op == EX_CALL)
            arg[0] = args.n;
        for (int k = 0; k < node->narg; k++) {
            int from =
                place_of(l.node.at, place, n, expr_arg(d, step[i].node, k));
            if (node->op == EX_CALL)
                vec_push(arena, &args, from);
            else
                arg[k] = from;
        }
        if (node->op == EX_CALL) {
            arg[2] = place_of(l.node.at, place, n,
                              expr_first_result(d, step[i].node));
            arg[1] = row_of(r, step, i, arg[2]);
        }
        calls |= node->op == EX_CALL;
        choices |= node->op == EX_IF || node->op == EX_OR || node->op == EX_AND;
        step[i].a = arg[0], step[i].b = arg[1], step[i].c = arg[2];
    }
    order_sides(r, step, n, args.at, local);
    for (int k = 0; k < nroot; k++)
        at[k] = place_of(l.node.at, place, n, root[k]);
    r->step = step, r->nstep = n, r->number = number;
    r->has_choice = calls && choices;
    r->at = at, r->args = args.at;
    arena_free(local);
}

/* A call in a function. */
static double inner_call(const Routine *r, const RoutineStep *s, double *x)
{
    const ExprNode *n = expr_node(r->dag, s->node);
    const ExprFunction *f = dag_function(r->dag, n->fn);
    double *row = x + r->nstep + s->b, few[32];
    if (f->values && n->order > 0)
        return row[n->order];
    Arena *local = n->narg > 32 ? arena_new() : NULL;
    double *arg = local ? NEW_ARRAY(local, double, n->narg) : few;
    for (int i = 0; i < n->narg; i++)
        arg[i] = x[r->args[s->a + i]];
    double value = 0;
    if (f->values)
        f->values(f, arg, row);
    else
        value = f->value(f, n->order, arg, f->list ? f->list : arg + f->nplain);
    if (local)
        arena_free(local);
    return f->values ? row[0] : value;
}

int routine_power(const Routine *r, const RoutineStep *s)
{
    double n = r->step[s->b].op == EX_CONST ? r->number[s->b] : 0;
    return n == 2 || n == 3 || n == 4 ? (int)n : 0;
}

/* x ^ 2, 3 and 4 are products. */
static double power(const Routine *r, const RoutineStep *s, const double *x)
{
    double a = x[s->a];
    switch (routine_power(r, s)) {
    case 2: return a * a;
    case 3: return a * a * a;
    case 4: return (a * a) * (a * a);
    default: return expr_apply(EX_POW, a, x[s->b], 0);
    }
}

static void run_step(const Routine *r, int i, const double *arg, double *x)
{
    const RoutineStep *s = &r->step[i];
    switch (s->op) {
    case EX_CONST: x[i] = r->number[i]; break;
    case EX_ARG: x[i] = arg[expr_node(r->dag, s->node)->order]; break;
    case EX_ADD: x[i] = x[s->a] + x[s->b]; break;
    case EX_SUB: x[i] = x[s->a] - x[s->b]; break;
    case EX_MUL: x[i] = x[s->a] * x[s->b]; break;
    case EX_DIV: x[i] = x[s->a] / x[s->b]; break;
    case EX_POW: x[i] = power(r, s, x); break;
    case EX_IF: x[i] = x[s->a] != 0 ? x[s->b] : x[s->c]; break;
    case EX_CALL: x[i] = inner_call(r, s, x); break;
    case EX_OR: x[i] = x[s->a] != 0 || x[s->b] != 0; break;
    case EX_AND: x[i] = x[s->a] != 0 && x[s->b] != 0; break;
    default: x[i] = expr_apply((ExprOp)s->op, x[s->a], x[s->b], x[s->c]);
    }
}

/* Memory of a run. */
typedef struct Room {
    double *x;           /* nstep + nrow */
    double *now;         /* narg: the state of a loop */
    unsigned char *done; /* nstep; has_choice only, as is the next */
    int *stack;          /* nstep */
} Room;

/* The same of a or b, a and b: where one side decides, the other means nothing.
 * The side that takes less is looked at first. */
static int missing_side(const RoutineStep *s, const Room *m)
{
    int first = s->c ? s->b : s->a, second = s->c ? s->a : s->b;
    if (!m->done[first])
        return first;
    if ((m->x[first] != 0) == (s->op == EX_OR))
        return NONE;
    return m->done[second] ? NONE : second;
}

/* A step that must be known before step i can be; NONE: none is left. */
static int missing(const Routine *r, int i, const Room *m)
{
    const RoutineStep *s = &r->step[i];
    const ExprNode *n = expr_node(r->dag, s->node);
    if (s->op == EX_IF) {
        int branch = m->done[s->a] && m->x[s->a] != 0 ? s->b : s->c;
        return !m->done[s->a] ? s->a : m->done[branch] ? NONE : branch;
    }
    if (s->op == EX_OR || s->op == EX_AND)
        return missing_side(s, m);
    if (s->op == EX_CALL && s->c != i)
        return m->done[s->c] ? NONE : s->c;
    for (int k = 0; k < n->narg; k++) {
        int from = s->op == EX_CALL ? r->args[s->a + k]
                   : k == 0         ? s->a
                   : k == 1         ? s->b
                                    : s->c;
        if (!m->done[from])
            return from;
    }
    return NONE;
}

/* What step `root` needs, and nothing of branches that are not taken: a call
 * there may cost much, and its arguments mean nothing. */
static void run_needed(const Routine *r, int root, const double *arg, Room *m)
{
    int n = 0;
    if (!m->done[root])
        m->stack[n++] = root;
    while (n > 0) {
        int i = m->stack[n - 1], before = missing(r, i, m);
        if (before != NONE) {
            m->stack[n++] = before;
            continue;
        }
        run_step(r, i, arg, m->x);
        m->done[i] = 1;
        n--;
    }
}

static void run(const Routine *r, const double *arg, Room *m)
{
    if (!r->has_choice) {
        for (int i = 0; i < r->nstep; i++)
            run_step(r, i, arg, m->x);
        return;
    }
    int nroot = r->nstate > 0 ? r->nstate + 1 : r->nout - 1;
    memset(m->done, 0, (size_t)r->nstep);
    for (int k = 0; k < nroot; k++)
        run_needed(r, r->at[k], arg, m);
}

static void run_loop(const Routine *r, const double *arg, Room *m, double *out)
{
    memcpy(m->now, arg, (size_t)r->narg * sizeof *m->now);
    out[0] = 1;
    int limit = dag_most_turns(r->dag);
    for (int turn = 0; turn < (limit ? limit : ROUTINE_MOST_TURNS); turn++) {
        run(r, m->now, m);
        if (m->x[r->at[r->nstate]] == 0) {
            out[0] = 0;
            break;
        }
        for (int i = 0; i < r->nstate; i++)
            m->now[i] = m->x[r->at[i]];
    }
    memcpy(out + 1, m->now, (size_t)r->nstate * sizeof *out);
    for (int i = 0; limit && out[0] != 0 && i < r->nstate; i++)
        out[i + 1] = NAN;
}

static void values_in(const Routine *r, const double *arg, double *out, Room *m)
{
    if (r->nstate > 0) {
        run_loop(r, arg, m, out);
        return;
    }
    run(r, arg, m);
    out[0] = 0;
    for (int k = 1; k < r->nout; k++)
        out[k] = m->x[r->at[k - 1]];
}

static void values(const ExprFunction *f, const double *arg, double *out)
{
    const Routine *r = routine_of(f);
    int n = r->nstep + r->nrow;
    if (n + r->narg <= SMALL) {
        double x[SMALL];
        unsigned char done[SMALL];
        int stack[SMALL];
        values_in(r, arg, out, &(Room){x, x + n, done, stack});
        return;
    }
    Arena *local = arena_new();
    Room m = {.x = NEW_ARRAY(local, double, n + r->narg)};
    m.now = m.x + n;
    m.done = NEW_ARRAY(local, unsigned char, r->nstep);
    m.stack = NEW_ARRAY(local, int, r->nstep);
    values_in(r, arg, out, &m);
    arena_free(local);
}

bool routine_form(const ExprFunction *f, RoutineForm *form)
{
    if (f->values != values)
        return false;
    const Routine *r = routine_of(f);
    int nout = r->nstate > 0 ? r->nstate + 1 : r->nout - 1;
    *form = (RoutineForm){r->out, nout, r->narg, r->nstate, r->nstep};
    return true;
}

/* ---- making ---- */

/* The functions that the steps call. */
static void find_needs(ExprFunction *f, const Routine *r, Arena *arena)
{
    Vec(int) need = {0};
    for (int i = 0; i < r->nstep; i++) {
        if (r->step[i].op != EX_CALL)
            continue;
        int fn = expr_node(r->dag, r->step[i].node)->fn;
        bool known = false;
        for (int k = 0; k < need.n; k++)
            known |= need.at[k] == fn;
        if (!known)
            vec_push(arena, &need, fn);
    }
    f->need = need.at;
    f->nneed = need.n;
}

static int count_instructions(const Routine *r)
{
    int n = 10 + 2 * r->narg + 2 * r->nout;
    for (int i = 0; i < r->nstep; i++) {
        const RoutineStep *s = &r->step[i];
        n += s->op == EX_CALL
                 ? dag_function(r->dag, expr_node(r->dag, s->node)->fn)
                       ->instructions
             : s->op == EX_CONST || s->op == EX_ARG
                 ? 0
                 : expr_op_info[s->op].instructions;
    }
    return n;
}

/* A C identifier of its own. */
static const char *c_name(const char *name, int number, Arena *arena)
{
    char *s = arena_printf(arena, "takt_f%d_%s", number, name);
    for (char *p = s; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
              (*p >= '0' && *p <= '9')))
            *p = '_';
    return s;
}

static bool is_equal(const Routine *r, const Expr *out, int nout, int narg,
                     int nstate)
{
    return r->narg == narg && r->nstate == nstate &&
           r->nout == (nstate ? nstate : nout) + 1 &&
           memcmp(r->out, out, (size_t)nout * sizeof *out) == 0;
}

/* One with the same expressions, NONE: there is none. */
static int find_equal(Dag *d, const Expr *out, int nout, int narg, int nstate)
{
    const ExprFunction *f;
    for (int i = 0; (f = dag_function(d, i)); i++)
        if (f->values == values &&
            is_equal(routine_of(f), out, nout, narg, nstate))
            return i;
    return NONE;
}

static int count_functions(const Dag *d)
{
    int n = 0;
    while (dag_function(d, n))
        n++;
    return n;
}

int routine_add(Dag *d, const char *name, const Expr *out, int nout, int narg,
                int nstate, int order)
{
    int old = find_equal(d, out, nout, narg, nstate);
    if (old != NONE)
        return old;
    Arena *arena = dag_arena(d);
    Routine *r = NEW(arena, Routine);
    Expr *copy = NEW_ARRAY(arena, Expr, nout + 1);
    memcpy(copy, out, (size_t)nout * sizeof *out);
    *r = (Routine){.dag = d,
                   .narg = narg,
                   .nout = (nstate ? nstate : nout) + 1,
                   .out = copy,
                   .nstate = nstate,
                   .order = order,
                   .slope = NEW_ARRAY(arena, int, narg + 1)};
    for (int i = 0; i <= narg; i++)
        r->slope[i] = NONE;
    compile(r, copy, nout, arena);
    routine_find_rough(r);
    const Routine **info = NEW(arena, const Routine *);
    *info = r;
    ExprFunction f = {.name = arena_strdup(arena, name),
                      .nlist = narg,
                      .info = info,
                      .ninfo = sizeof *info,
                      .nout = r->nout,
                      .values = values,
                      .derivative = routine_derivative,
                      .along = nstate > 0 ? routine_along : NULL,
                      .c_call = routine_c_call,
                      .c_define = routine_c_define,
                      .c_name = c_name(name, count_functions(d), arena),
                      .instructions = count_instructions(r),
                      .has_turns = nstate > 0};
    find_needs(&f, r, arena);
    return dag_add_function(d, &f);
}

/* ---- what becomes an argument ---- */

typedef struct Abstract {
    Dag *d;
    Arena *local;
    const Expr *formal;
    int nformal;
    const Expr *node; /* ascending */
    bool *depends;    /* on a formal, by place */
    Vec(Expr) other;  /* largest parts that do not */
    int *place;
    int n;
} Abstract;

static bool is_formal(const Abstract *a, Expr e)
{
    for (int i = 0; i < a->nformal; i++)
        if (a->formal[i] == e)
            return true;
    return false;
}

static void add_other(Abstract *a, Expr e)
{
    if (expr_is_const(a->d, e, NULL))
        return;
    for (int i = 0; i < a->other.n; i++)
        if (a->other.at[i] == e)
            return;
    vec_push(a->local, &a->other, e);
}

static void find_others(Abstract *a, const Expr *root, int nroot)
{
    NodeList l = nodes_of(a->d, root, nroot, a->local);
    a->n = l.node.n;
    sort_nodes(l.node.at, a->n);
    a->node = l.node.at;
    a->place = NEW_ARRAY(a->local, int, a->n + 1);
    a->depends = NEW_ARRAY(a->local, bool, a->n + 1);
    for (int i = 0; i < a->n; i++)
        a->place[i] = i;
    for (int i = 0; i < a->n; i++) {
        Expr e = a->node[i];
        int narg = expr_node(a->d, e)->narg;
        a->depends[i] = narg == 0 && is_formal(a, e);
        for (int k = 0; k < narg; k++)
            a->depends[i] |= a->depends[place_of(a->node, a->place, a->n,
                                                 expr_arg(a->d, e, k))];
    }
    for (int i = 0; i < a->n; i++) {
        int narg = a->depends[i] ? expr_node(a->d, a->node[i])->narg : 0;
        for (int k = 0; k < narg; k++) {
            Expr e = expr_arg(a->d, a->node[i], k);
            if (!a->depends[place_of(a->node, a->place, a->n, e)])
                add_other(a, e);
        }
    }
    for (int k = 0; k < nroot; k++)
        if (!a->depends[place_of(a->node, a->place, a->n, root[k])])
            add_other(a, root[k]);
}

/* root[] over ARG 0, 1, ...: the formals, then the others. */
static RoutineCall abstract(Dag *d, const char *name, const Expr *formal,
                            const Expr *given, int nformal, const Expr *root,
                            int nroot, int nstate)
{
    Arena *local = arena_new();
    Abstract a = {.d = d, .local = local, .formal = formal, .nformal = nformal};
    find_others(&a, root, nroot);
    int narg = nformal + a.other.n;
    Expr *arg = NEW_ARRAY(dag_arena(d), Expr, narg + 1);
    Expr *out = NEW_ARRAY(local, Expr, nroot + 1);
    ExprMap *m = expr_map_new(d, NULL, NULL, local);
    for (int i = 0; i < narg; i++) {
        Expr from = i < nformal ? formal[i] : a.other.at[i - nformal];
        arg[i] = i < nformal ? given[i] : from;
        expr_map_fix(m, from, expr_formal(d, i, expr_type(d, from)));
    }
    for (int k = 0; k < nroot; k++)
        out[k] = expr_map(m, root[k]);
    int fn = routine_add(d, name, out, nroot, narg, nstate, 0);
    arena_free(local);
    return (RoutineCall){fn, arg, narg};
}

RoutineCall routine_make(Dag *d, const char *name, const Expr *formal,
                         const Expr *given, int nformal, const Expr *out,
                         int nout)
{
    return abstract(d, name, formal, given, nformal, out, nout, 0);
}

RoutineCall routine_make_loop(Dag *d, const char *name, const Expr *state,
                              const Expr *first, const Expr *next, int nstate,
                              Expr go)
{
    Arena *local = arena_new();
    Expr *root = NEW_ARRAY(local, Expr, nstate + 1);
    memcpy(root, next, (size_t)nstate * sizeof *next);
    root[nstate] = go;
    RoutineCall c =
        abstract(d, name, state, first, nstate, root, nstate + 1, nstate);
    arena_free(local);
    return c;
}

Expr routine_result(Dag *d, const RoutineCall *c, int k, ExprType type)
{
    return expr_call(d, c->fn, k, type, c->arg, c->narg);
}
