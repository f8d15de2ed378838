/* slope.c - derivatives of functions made of expressions.
 *
 * Plain: the results of the derivative by argument i are those of the results.
 * Loop: with the state s go its derivatives ds along the direction in which the
 * arguments (s, p) move by (ds, dp),
 *
 *     s := g(s, p)      ds := g_s ds + g_p dp
 *
 * so that one function serves all arguments: the direction is given by its
 * further arguments.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "routine/routine_internal.h"

enum {
    FREE_ORDERS = 2, /* of derivatives, whatever their size */
    MOST_STEPS = 500 /* of a function that has more of them */
};

static Expr *formals(Dag *d, const Routine *r, const Expr *arg, int shift,
                     Arena *arena)
{
    Expr *f = NEW_ARRAY(arena, Expr, r->narg + 1);
    for (int i = 0; i < r->narg; i++)
        f[i] =
            expr_formal(d, shift + i, shift ? ET_REAL : expr_type(d, arg[i]));
    return f;
}

/* The ARG nodes of r may have other types than the arguments now given: what
 * stands in its expressions counts. */
static void find_formals(const Routine *r, Expr *f)
{
    for (int i = 0; i < r->nstep; i++)
        if (r->step[i].op == EX_ARG)
            f[expr_node(r->dag, r->step[i].node)->order] = r->step[i].node;
}

static const char *slope_name(const ExprFunction *f, int i, Arena *arena)
{
    return arena_printf(arena, "%s_by%d", f->name, i);
}

/* ---- arguments without a derivative ---- */

enum { MOVES = 1, ROUGH = 2 };

static int argument_of(const Routine *r, const RoutineStep *s, int k)
{
    if (s->op == EX_CALL)
        return r->args[s->a + k];
    return k == 0 ? s->a : k == 1 ? s->b : s->c;
}

/* Only numbers move numbers: the derivative of a relation is 0. */
void routine_find_rough(const Routine *r)
{
    const Dag *d = r->dag;
    Arena *local = arena_new();
    char *mark = NEW_ARRAY(local, char, r->nstep + 1);
    for (int k = 0; k < r->nout - 1 && !r->nstate; k++)
        mark[r->at[k]] = MOVES;
    for (int i = r->nstep - 1; i >= 0; i--) {
        const RoutineStep *s = &r->step[i];
        const ExprNode *n = expr_node(d, s->node);
        if (!mark[i] || n->type != ET_REAL)
            continue;
        if (s->op == EX_CALL && !dag_function(d, n->fn)->derivative)
            mark[i] = ROUGH;
        if (s->op == EX_ARG && mark[i] == ROUGH)
            r->slope[n->order] = NO_SLOPE;
        for (int k = 0; k < n->narg; k++) {
            char *below = &mark[argument_of(r, s, k)];
            *below = mark[i] > *below ? mark[i] : *below;
        }
    }
    arena_free(local);
}

/* Each order multiplies the size of a function that calls others or loops, and
 * derivative arrays ask for high ones: those of large functions would never
 * end. */
static bool is_too_large(const Routine *r)
{
    return r->order >= FREE_ORDERS && r->nstep > MOST_STEPS;
}

/* ---- plain ---- */

static int make_plain(Dag *d, const ExprFunction *f, const Routine *r,
                      const Expr *arg, int i)
{
    if (is_too_large(r))
        return NO_SLOPE;
    Arena *local = arena_new();
    Expr *x = formals(d, r, arg, 0, local);
    find_formals(r, x);
    Expr one = expr_real(d, 1);
    Expr *out = NEW_ARRAY(local, Expr, r->nout);
    expr_diff_along(d, r->out, r->nout - 1, &x[i], &one, 1, out);
    bool all = true;
    for (int k = 0; k < r->nout - 1; k++)
        all &= out[k] != EXPR_NONE;
    int fn = all ? routine_add(d, slope_name(f, i, local), out, r->nout - 1,
                               r->narg, 0, r->order + 1)
                 : NO_SLOPE;
    arena_free(local);
    return fn;
}

static Expr plain_derivative(Dag *d, Expr call, const ExprFunction *f,
                             const Routine *r, int i)
{
    const ExprNode *n = expr_node(d, call);
    if (r->slope[i] == NONE)
        r->slope[i] = make_plain(d, f, r, n->args, i);
    if (r->slope[i] == NO_SLOPE)
        return EXPR_NONE;
    const Routine *s = routine_of(dag_function(d, r->slope[i]));
    if (expr_is_const(d, s->out[n->order - 1], NULL))
        return s->out[n->order - 1];
    return expr_call(d, r->slope[i], n->order, ET_REAL, n->args, n->narg);
}

/* ---- loops ---- */

/* Arguments of the derivative: s, ds, p, dp. */
static int make_loop(Dag *d, const ExprFunction *f, const Routine *r,
                     const Expr *arg)
{
    if (is_too_large(r))
        return NO_SLOPE;
    Arena *local = arena_new();
    int n = r->nstate, p = r->narg - n;
    Expr *old = formals(d, r, arg, 0, local);
    find_formals(r, old);
    Expr *by = NEW_ARRAY(local, Expr, r->narg + 1);
    Expr *out = NEW_ARRAY(local, Expr, 2 * n + 1);
    ExprMap *m = expr_map_new(d, NULL, NULL, local);
    for (int i = 0; i < r->narg; i++) {
        bool is_state = i < n;
        int now = is_state ? i : n + i, moved = is_state ? n + i : n + p + i;
        expr_map_fix(m, old[i], expr_formal(d, now, expr_type(d, old[i])));
        /* a number of its own, which nothing replaces */
        by[i] = expr_type(d, old[i]) == ET_REAL ? expr_formal(d, moved, ET_REAL)
                                                : expr_real(d, 0);
    }
    /* the directions are put in when the rest has its new numbers */
    Expr *seed = NEW_ARRAY(local, Expr, r->narg + 1);
    for (int i = 0; i < r->narg; i++) {
        seed[i] = expr_formal(d, 1000000 + i, ET_REAL);
        expr_map_fix(m, seed[i], by[i]);
    }
    expr_diff_along(d, r->out, n, old, seed, r->narg, out + n);
    bool all = true;
    for (int k = 0; k < n; k++) {
        all &= out[n + k] != EXPR_NONE;
        out[k] = expr_map(m, r->out[k]);
        if (expr_type(d, old[k]) != ET_REAL)
            out[n + k] = expr_real(d, 0);
        else if (out[n + k] != EXPR_NONE)
            out[n + k] = expr_map(m, out[n + k]);
    }
    out[2 * n] = expr_map(m, r->out[n]);
    int fn = all ? routine_add(d, arena_printf(local, "%s_along", f->name), out,
                               2 * n + 1, 2 * r->narg, 2 * n, r->order + 1)
                 : NO_SLOPE;
    arena_free(local);
    return fn;
}

/* The derivative of the state along by[], of all arguments. */
static Expr loop_along(Dag *d, Expr call, const ExprFunction *f,
                       const Routine *r, const Expr *by)
{
    const ExprNode *node = expr_node(d, call);
    if (r->slope[0] == NONE)
        r->slope[0] = make_loop(d, f, r, node->args);
    if (r->slope[0] == NO_SLOPE)
        return EXPR_NONE;
    Arena *local = arena_new();
    int n = r->nstate, p = r->narg - n;
    Expr *arg = NEW_ARRAY(local, Expr, 2 * r->narg + 1);
    node = expr_node(d, call); /* the table may have moved */
    for (int k = 0; k < r->narg; k++) {
        int now = k < n ? k : n + k, moved = k < n ? n + k : n + p + k;
        arg[now] = node->args[k];
        arg[moved] = by[k];
    }
    Expr e =
        expr_call(d, r->slope[0], n + node->order, ET_REAL, arg, 2 * r->narg);
    arena_free(local);
    return e;
}

static Expr loop_derivative(Dag *d, Expr call, const ExprFunction *f,
                            const Routine *r, int i)
{
    Arena *local = arena_new();
    Expr *by = NEW_ARRAY(local, Expr, r->narg + 1);
    for (int k = 0; k < r->narg; k++)
        by[k] = expr_real(d, k == i);
    Expr e = loop_along(d, call, f, r, by);
    arena_free(local);
    return e;
}

Expr routine_along(Dag *d, Expr call, const Expr *by)
{
    const ExprNode *n = expr_node(d, call);
    const ExprFunction f = *dag_function(d, n->fn);
    if (n->order == 0 || n->type != ET_REAL)
        return expr_real(d, 0);
    return loop_along(d, call, &f, routine_of(&f), by);
}

Expr routine_derivative(Dag *d, Expr call, int i)
{
    const ExprNode *n = expr_node(d, call);
    const ExprFunction f = *dag_function(d, n->fn);
    const Routine *r = routine_of(&f);
    if (n->order == 0 || n->type != ET_REAL)
        return expr_real(d, 0);
    return r->nstate ? loop_derivative(d, call, &f, r, i)
                     : plain_derivative(d, call, &f, r, i);
}
