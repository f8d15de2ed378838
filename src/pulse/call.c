/* call.c - between which numbers do functions of the model stay?
 *
 * Tables tell it themselves (lut/lut.h). What is made of expressions (routine/)
 * is enclosed as these are, with the ranges of its arguments in place of ARG
 * nodes. A loop is followed turn by turn: while it certainly goes on its state
 * is replaced; where it may end or go on, it does both, and the results are the
 * hull of all states it can end with.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "lut/lut.h"
#include "pulse/pulse_internal.h"
#include "routine/routine.h"

enum {
    DEEPEST = 4,       /* calls in calls */
    MOST_NEED = 64,    /* functions that one calls */
    MOST_TURNS = 1000, /* of a loop */
};

static const ExprRange ANY = {-INFINITY, INFINITY};

/* The expressions of a function, arguments first. */
typedef struct Body {
    RoutineForm form;
    Expr *order;
    int n; /* 0: not looked at yet */
} Body;

struct Caller {
    const Dag *dag;
    Arena *arena;
    Body *body; /* of each function */
    ExprRange *range[DEEPEST];
    double *list; /* numbers of a table */
    int nlist;
};

bool call_is_known(const Dag *d, int fn, int most)
{
    const ExprFunction *f = dag_function(d, fn);
    RoutineForm form;
    if (f->is_impure || f->foreign)
        return false;
    if (lut_is_table(f))
        return true;
    if (!routine_form(f, &form) || f->nneed > MOST_NEED || form.size > most)
        return false;
    for (int i = 0; i < f->nneed; i++)
        if (f->need[i] == fn || !call_is_known(d, f->need[i], most / 2))
            return false;
    return true;
}

Caller *caller_new(const Dag *d, Arena *arena)
{
    int n = 0;
    while (dag_function(d, n))
        n++;
    if (n == 0)
        return NULL;
    Caller *c = NEW(arena, Caller);
    c->dag = d;
    c->arena = arena;
    c->body = NEW_ARRAY(arena, Body, n);
    return c;
}

static ExprRange hull(ExprRange a, ExprRange b)
{
    return (ExprRange){fmin(a.min, b.min), fmax(a.max, b.max)};
}

/* ---- tables ---- */

static double *room(Caller *c, int n)
{
    if (n > c->nlist) {
        c->list = NEW_ARRAY(c->arena, double, n);
        c->nlist = n;
    }
    return c->list;
}

static ExprRange table_range(Caller *c, const ExprFunction *f,
                             const ExprNode *n, const ExprRange *range)
{
    ExprRange plain[2] = {{0, 0}, {0, 0}};
    const double *list = f->list;
    for (int i = 0; i < f->nplain; i++)
        plain[i] = range[n->args[i]];
    if (!list) {
        double *own = room(c, f->nlist);
        for (int i = 0; i < f->nlist; i++) {
            ExprRange x = range[n->args[f->nplain + i]];
            if (x.min != x.max)
                return ANY;
            own[i] = x.min;
        }
        list = own;
    }
    return lut_enclose(f, plain, list);
}

/* ---- routines ---- */

static ExprRange no_leaf(void *context, const Dag *d, Expr e)
{
    (void)context, (void)d, (void)e;
    return ANY;
}

static const Body *body_of(Caller *c, int fn, const ExprFunction *f)
{
    Body *b = &c->body[fn];
    if (b->n == 0 && routine_form(f, &b->form))
        b->n =
            expr_order(c->dag, b->form.out, b->form.nout, &b->order, c->arena);
    return b->n > 0 ? b : NULL;
}

typedef struct Frame {
    const ExprRange *arg; /* of ARG nodes; NULL: there are none */
    int depth;
} Frame;

static ExprRange call_range(Caller *c, Expr e, const ExprRange *range,
                            int depth);

static void enclose(Caller *c, const Expr *order, int n, ExprLeafRange *leaf,
                    void *context, Frame frame, ExprRange *range)
{
    for (int i = 0; i < n; i++) {
        ExprOp op = expr_op(c->dag, order[i]);
        if (op == EX_CALL)
            range[order[i]] = call_range(c, order[i], range, frame.depth);
        else if (op == EX_ARG && frame.arg)
            range[order[i]] = frame.arg[expr_node(c->dag, order[i])->order];
        else
            expr_enclose_order(c->dag, &order[i], 1, leaf, context, range);
    }
}

/* Result k of a loop that begins with the state, and goes on with the other
 * arguments, in arg[]. */
static ExprRange loop_range(Caller *c, const Body *b, int k, ExprRange *arg,
                            ExprRange *range, int depth)
{
    const RoutineForm *r = &b->form;
    ExprRange result = {INFINITY, -INFINITY};
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        enclose(c, b->order, b->n, no_leaf, NULL, (Frame){arg, depth}, range);
        ExprRange go = range[r->out[r->nstate]];
        if (!(go.min > 0))
            result = hull(result, arg[k]);
        if (go.max <= 0)
            return result;
        bool moves = false;
        for (int i = 0; i < r->nstate; i++) {
            ExprRange next = range[r->out[i]];
            moves |= next.min != arg[i].min || next.max != arg[i].max;
            arg[i] = next;
        }
        if (!moves)
            break;
    }
    return ANY;
}

static ExprRange routine_range(Caller *c, const Body *b, const ExprNode *n,
                               const ExprRange *outer, int depth)
{
    const RoutineForm *r = &b->form;
    if (n->order == 0)
        return (ExprRange){0, 0}; /* the status */
    if (depth >= DEEPEST)
        return ANY;
    if (!c->range[depth])
        c->range[depth] = NEW_ARRAY(c->arena, ExprRange, dag_count(c->dag));
    ExprRange few[32];
    Arena *local = r->narg > 32 ? arena_new() : NULL;
    ExprRange *arg = local ? NEW_ARRAY(local, ExprRange, r->narg) : few;
    ExprRange *range = c->range[depth], found;
    for (int i = 0; i < r->narg; i++)
        arg[i] = outer[n->args[i]];
    if (r->nstate > 0) {
        found = loop_range(c, b, n->order - 1, arg, range, depth + 1);
    } else {
        enclose(c, b->order, b->n, no_leaf, NULL, (Frame){arg, depth + 1},
                range);
        found = range[r->out[n->order - 1]];
    }
    if (local)
        arena_free(local);
    return found;
}

static ExprRange call_range(Caller *c, Expr e, const ExprRange *range,
                            int depth)
{
    const ExprNode *n = expr_node(c->dag, e);
    const ExprFunction *f = dag_function(c->dag, n->fn);
    if (lut_is_table(f))
        return table_range(c, f, n, range);
    const Body *b = f->is_impure || f->foreign ? NULL : body_of(c, n->fn, f);
    return b ? routine_range(c, b, n, range, depth) : ANY;
}

bool caller_is_needed(const Dag *d, const Expr *order, int n)
{
    for (int i = 0; i < n; i++)
        if (expr_op(d, order[i]) == EX_CALL)
            return true;
    return false;
}

void caller_enclose(Caller *c, const Expr *order, int n, ExprLeafRange *leaf,
                    void *context, ExprRange *range)
{
    enclose(c, order, n, leaf, context, (Frame){NULL, 0}, range);
}
