/* function.c - the opaque functions of a DAG. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "expr/expr_internal.h"

const ExprFunction *dag_function(const Dag *d, int fn)
{
    return fn >= 0 && fn < d->function.n ? &d->function.at[fn] : NULL;
}

static bool is_same_list(const ExprFunction *f, const ExprFunction *g)
{
    if (f->nlist != g->nlist || !f->list != !g->list)
        return false;
    return f->list == g->list ||
           memcmp(f->list, g->list, (size_t)f->nlist * sizeof(double)) == 0;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_kind(const ExprFunction *f, const ExprFunction *g)
{
    return f->value == g->value && f->values == g->values &&
           f->nout == g->nout && is_same_text(f->c_name, g->c_name);
}

static bool is_same(const ExprFunction *f, const ExprFunction *g)
{
    bool same_info =
        f->ninfo == g->ninfo &&
        (f->info == g->info ||
         (f->ninfo > 0 && memcmp(f->info, g->info, (size_t)f->ninfo) == 0));
    return same_info && is_same_kind(f, g) && f->nplain == g->nplain &&
           f->derivative == g->derivative && f->c_call == g->c_call &&
           strcmp(f->name, g->name) == 0 && is_same_list(f, g);
}

int dag_add_function(Dag *d, const ExprFunction *f)
{
    for (int i = d->function.n - 1; i >= 0; i--)
        if (is_same(&d->function.at[i], f))
            return i;
    vec_push(d->arena, &d->function, *f);
    return d->function.n - 1;
}

void dag_set_derivative(Dag *d, int fn, ExprDerivative *derivative)
{
    d->function.at[fn].derivative = derivative;
}

bool dag_has_impure(const Dag *d)
{
    for (int i = 0; i < d->function.n; i++) {
        const ExprFunction *f = &d->function.at[i];
        if (f->foreign ? f->foreign->is_impure : f->is_impure)
            return true;
    }
    return false;
}

void dag_limit_turns(Dag *d, int most)
{
    d->most_turns = most;
}

int dag_most_turns(const Dag *d)
{
    return d->most_turns;
}

static bool is_call_of(const ExprFunction *f, int narg)
{
    return f && (f->value || f->values) &&
           narg == f->nplain + (f->list ? 0 : f->nlist);
}

/* Result `out` of all of them. */
static double one_of(const ExprFunction *f, int out, const double *arg)
{
    Arena *local = arena_new();
    double *all = NEW_ARRAY(local, double, f->nout);
    f->values(f, arg, all);
    double x = out >= 0 && out < f->nout ? all[out] : NAN;
    arena_free(local);
    return x;
}

static double value_at(const ExprFunction *f, int out, const double *arg)
{
    if (f->values)
        return one_of(f, out, arg);
    return f->value(f, out, arg, f->list ? f->list : arg + f->nplain);
}

/* All results of the call that `first` is result 0 of, computed once. */
static const double *all_of(CallMemo *m, const ExprFunction *f, Expr first,
                            const double *arg)
{
    for (int i = m->n - 1; i >= 0; i--)
        if (m->at[i].first == first)
            return m->at[i].all;
    if (!m->arena)
        m->arena = arena_new();
    double *all = NEW_ARRAY(m->arena, double, f->nout);
    f->values(f, arg, all);
    vec_push(m->arena, m, ((CallResults){first, all}));
    return all;
}

double function_value(const Dag *d, Expr e, const double *arg, CallMemo *memo)
{
    const ExprNode *n = node_of(d, e);
    const ExprFunction *f = dag_function(d, n->fn);
    if (!is_call_of(f, n->narg))
        return NAN;
    if (!f->values || n->order < 0 || n->order >= f->nout)
        return value_at(f, n->order, arg);
    return all_of(memo, f, expr_first_result(d, e), arg)[n->order];
}

void function_forget(CallMemo *memo)
{
    if (memo->arena)
        arena_free(memo->arena);
}

/* What the results are off by: they are computed again with all operations
 * rounded up, and down. A loop that comes to no end by that tells nothing. */
static void find_off(Dag *d, const ExprFunction *f, const double *x,
                     LastFold *l)
{
    enum { TURNS = 10000 };
    static const int mode[] = {FE_UPWARD, FE_DOWNWARD};
    Arena *local = arena_new();
    double *all = NEW_ARRAY(local, double, f->nout);
    int before = fegetround(), limit = d->most_turns;
    if (!limit)
        d->most_turns = TURNS;
    for (int k = 0; !f->foreign && k < 2; k++) {
        fesetround(mode[k]);
        f->values(f, x, all);
        fesetround(before);
        bool is_done = all[0] == l->all.at[0]; /* the status */
        for (int i = 1; is_done && i < f->nout; i++) {
            double off = fabs(all[i] - l->all.at[i]);
            if (isfinite(off))
                l->off.at[i] = fmax(l->off.at[i], off);
        }
    }
    d->most_turns = limit;
    arena_free(local);
}

/* Results of the same call are asked for one after the other: the last call
 * stays in memory. */
static double folded(Dag *d, int fn, int out, const double *x, int narg,
                     double *off)
{
    const ExprFunction *f = dag_function(d, fn);
    LastFold *l = &d->last_fold;
    bool same = l->arg.n == narg && l->all.n == f->nout && l->fn == fn;
    for (int i = 0; same && i < narg; i++)
        same = memcmp(&l->arg.at[i], &x[i], sizeof x[i]) == 0;
    if (!same) {
        l->fn = fn;
        vec_clear(&l->arg);
        vec_clear(&l->all);
        vec_clear(&l->off);
        for (int i = 0; i < narg; i++)
            vec_push(d->arena, &l->arg, x[i]);
        for (int i = 0; i < f->nout; i++) {
            vec_push(d->arena, &l->all, 0);
            vec_push(d->arena, &l->off, 0);
        }
        f->values(f, x, l->all.at);
        find_off(d, f, x, l);
    }
    *off = out >= 0 && out < f->nout ? l->off.at[out] : 0;
    return out >= 0 && out < f->nout ? l->all.at[out] : NAN;
}

bool function_fold(Dag *d, int fn, int out, const Expr *arg, int narg,
                   double *value, double *off)
{
    const ExprFunction *f = dag_function(d, fn);
    if (!is_call_of(f, narg) || f->is_impure)
        return false;
    for (int i = 0; i < narg; i++)
        if (op_of(d, arg[i]) != EX_CONST)
            return false;
    Arena *local = arena_new();
    double *x = NEW_ARRAY(local, double, narg + 1);
    for (int i = 0; i < narg; i++)
        x[i] = node_of(d, arg[i])->value;
    *off = 0;
    *value = f->values ? folded(d, fn, out, x, narg, off) : value_at(f, out, x);
    arena_free(local);
    return isfinite(*value);
}

Expr function_derivative(Dag *d, Expr e, int i)
{
    const ExprFunction *f = dag_function(d, node_of(d, e)->fn);
    return f && f->derivative ? f->derivative(d, e, i) : EXPR_NONE;
}
