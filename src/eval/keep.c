/* keep.c - functions that stay functions.
 *
 * A call with numbers that only the run knows is executed once with arguments
 * (ARG nodes) in their place. If what comes out is large, a function is made of
 * it (routine/routine.h) and every further call of the same kind is a call of
 * that function: the same numbers known, the same sizes, texts and functions as
 * arguments. Small functions are expanded, so that their equations can be
 * looked into. Assertions of a kept function are further results.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "value/cells.h"
#include "eval/exec.h"
#include "routine/routine.h"

enum { LARGE = 400 }; /* nodes */

/* A function with all of its arguments but some numbers. */
typedef struct KeptFunction {
    const Function *fn;
    Value **arg; /* of each variable; NULL: none was given */
    Expr *cell;  /* numbers of the arguments; EXPR_NONE: of the run */
    int ncell;
    bool expands; /* it is no use to keep it */
    bool failed;  /* because it cannot be executed without these numbers */
    RoutineCall call;
    int *place;    /* of each argument of the call: cell; NONE: call.arg */
    Value *result; /* its shape */
    int nresult;   /* numbers in it */
    FlatAssert *assertion;
    int nassertion;
    const Told *told; /* how it is differentiated; NULL: as it is written */
} KeptFunction;

/* ---- is it the same kind of call? ---- */

static bool is_same_shape(const Value *a, const Value *b)
{
    if (!a || !b)
        return a == b;
    if (a->type != b->type || !same_dims(a, b) || a->closure != b->closure)
        return false;
    for (int i = 0; a->member && i < a->type->nmember; i++)
        if (!is_same_shape(a->member[i], b->member[i]))
            return false;
    if (cells_are_all(a) || a->member)
        return true;
    return a->nscalar == b->nscalar &&
           (a->nscalar == 0 || memcmp(a->scalar, b->scalar,
                                      (size_t)a->nscalar * sizeof(Expr)) == 0);
}

static bool is_known(const Context *in, Expr e)
{
    return e < 0 || expr_is_const(in->dag, e, NULL);
}

/* The numbers of the arguments, EXPR_NONE where only the run knows them;
 * `all` has these too. */
static int take_cells(const Context *in, const Function *fn, Value **arg,
                      Expr *cell, Expr *all)
{
    int n = 0;
    for (int i = 0; i < fn->nvar; i++)
        if (arg[i] && function_is_input(fn, i))
            n += cells_read(arg[i], all + n);
    for (int k = 0; k < n; k++)
        cell[k] = is_known(in, all[k]) ? all[k] : EXPR_NONE;
    return n;
}

static KeptFunction *find(const Context *in, const Function *fn, Value **arg,
                          const Expr *cell, int ncell)
{
    for (int i = 0; i < in->memo->kept.n; i++) {
        KeptFunction *k = in->memo->kept.at[i];
        bool same = k->fn == fn && k->ncell == ncell &&
                    memcmp(k->cell, cell, (size_t)ncell * sizeof *cell) == 0;
        for (int v = 0; same && v < fn->nvar; v++)
            same = is_same_shape(k->arg[v], arg[v]);
        if (same)
            return k;
    }
    return NULL;
}

/* ---- the first call ---- */

/* Arguments with ARG nodes for what the run knows. */
static Value **with_formals(const Context *in, const KeptFunction *k,
                            Expr *formal)
{
    Arena *a = in->arena;
    Value **arg = NEW_ARRAY(a, Value *, k->fn->nvar + 1);
    ExprType *type = NEW_ARRAY(a, ExprType, k->ncell + 1);
    int n = 0;
    for (int i = 0; i < k->fn->nvar; i++)
        if (k->arg[i] && function_is_input(k->fn, i))
            n += cells_types(k->arg[i], type + n);
    for (int i = 0; i < k->ncell; i++)
        formal[i] = k->cell[i] != EXPR_NONE
                        ? k->cell[i]
                        : expr_formal(in->dag, in->memo->nformal++, type[i]);
    const Expr *at = formal;
    for (int i = 0; i < k->fn->nvar; i++)
        arg[i] = k->arg[i] && function_is_input(k->fn, i)
                     ? cells_with(in, k->arg[i], &at, k->arg[i]->variability)
                     : k->arg[i];
    return arg;
}

static bool are_set(const Expr *e, int n)
{
    for (int i = 0; i < n; i++)
        if (e[i] < 0)
            return false;
    return true;
}

static void make(const Context *in, KeptFunction *k, const Expr *formal,
                 const Expr *out, int nout)
{
    Arena *a = in->arena;
    Expr *open = NEW_ARRAY(a, Expr, k->ncell + 1);
    int *cell = NEW_ARRAY(a, int, k->ncell + 1), n = 0;
    for (int i = 0; i < k->ncell; i++)
        if (k->cell[i] == EXPR_NONE) {
            cell[n] = i;
            open[n++] = formal[i];
        }
    k->call = routine_make(in->dag, k->fn->name, open, open, n, out, nout);
    k->place = NEW_ARRAY(a, int, k->call.narg + 1);
    for (int i = 0; i < k->call.narg; i++)
        k->place[i] = i < n ? cell[i] : NONE;
}

/* Executes it with ARG nodes; `expands` stays where that does not go, or is
 * small. */
static void try_to_keep(const Context *in, KeptFunction *k, Span span,
                        FormalCall *c)
{
    Arena *a = in->arena;
    Expr *formal = NEW_ARRAY(a, Expr, k->ncell + 1);
    Value **arg = with_formals(in, k, formal);
    Trial t;
    trial_begin(&t, in);
    t.in.path = expr_bool(in->dag, true);
    k->expands = true;
    Value *v = function_execute(&t.in, k->fn, arg, span);
    bool fine = !is_error(v) && !trial_failed(&t) && cells_are_all_results(v) &&
                !t.left.when.n && !t.left.pre_use.n && !t.left.structural.n &&
                !t.left.initial_assertion.n;
    k->failed = is_error(v) || trial_failed(&t);
    if (fine) {
        k->result = v;
        k->nresult = cells_count_results(v);
        k->nassertion = t.left.assertion.n;
        k->assertion = t.left.assertion.at;
        int n = k->nresult + k->nassertion;
        Expr *out = NEW_ARRAY(a, Expr, n + 1);
        cells_read_results(v, out);
        for (int i = 0; i < k->nassertion; i++)
            out[k->nresult + i] = k->assertion[i].condition;
        if (are_set(out, n))
            *c = (FormalCall){arg, formal, k->cell, k->ncell, out, k->nresult};
        if (are_set(out, n) && routine_size(in->dag, out, n) > LARGE) {
            make(in, k, formal, out, n);
            k->expands = false;
        }
    }
    trial_drop(&t);
    for (int i = 0; !k->expands && i < t.left.warning.n; i++) {
        const Warning *w = &t.left.warning.at[i];
        left_warning(in, w->span, w->code, w->text);
    }
}

/* ---- a call of it ---- */

static Value *value_of(const Context *in, const Value *shape,
                       const Expr **result, FlatVariability variability)
{
    if (!shape->nvalue)
        return cells_with(in, shape, result, variability);
    Value **tuple = NEW_ARRAY(in->scratch, Value *, shape->nvalue);
    for (int i = 0; i < shape->nvalue; i++)
        tuple[i] = cells_with(in, shape->tuple[i], result, variability);
    Value *r = NEW(in->scratch, Value);
    *r = *tuple[0];
    if (!r->ndim && !r->member)
        r->scalar = &r->one;
    r->nvalue = shape->nvalue;
    r->tuple = tuple;
    return r;
}

static FlatVariability variability_of(const Function *fn, Value **arg)
{
    FlatVariability v = FV_CONSTANT;
    for (int i = 0; i < fn->nvar; i++)
        v = arg[i] ? var_max(v, arg[i]->variability) : v;
    return v;
}

static Value *call_kept(const Context *in, const KeptFunction *k,
                        const Expr *all, Value **arg)
{
    Arena *a = in->arena;
    int n = k->nresult + k->nassertion;
    Expr *given = NEW_ARRAY(a, Expr, k->call.narg + 1);
    for (int i = 0; i < k->call.narg; i++)
        given[i] = k->place[i] == NONE ? k->call.arg[i] : all[k->place[i]];
    RoutineCall c = {k->call.fn, given, k->call.narg};
    Expr *out = NEW_ARRAY(a, Expr, n + 1), *shape = NEW_ARRAY(a, Expr, n + 1);
    cells_read_results(k->result, shape);
    for (int i = 0; i < n; i++) {
        ExprType type =
            i < k->nresult ? expr_type(in->dag, shape[i]) : ET_BOOLEAN;
        out[i] = i < k->nresult && expr_is_const(in->dag, shape[i], NULL)
                     ? shape[i]
                     : routine_result(in->dag, &c, i + 1, type);
    }
    for (int i = 0; i < k->nassertion; i++) {
        FlatAssert b = k->assertion[i];
        b.condition = expr_binary(in->dag, EX_OR, expr_not(in, in->path),
                                  out[k->nresult + i]);
        b.component = in->component;
        left_assert(in, b);
    }
    const Expr *at = out;
    return value_of(in, k->result, &at, variability_of(k->fn, arg));
}

/* The results `v` of the call, differentiated as told. */
static Value *as_told(const Context *in, const KeptFunction *k, const Expr *all,
                      Value **arg, Value *v)
{
    if (is_error(v) || variability_of(k->fn, arg) != FV_CONTINUOUS ||
        cells_count_results(v) != k->nresult)
        return v;
    Expr *open = NEW_ARRAY(in->arena, Expr, k->ncell + 1);
    Expr *out = NEW_ARRAY(in->arena, Expr, k->nresult + 1);
    int n = 0;
    for (int i = 0; i < k->ncell; i++)
        if (k->cell[i] == EXPR_NONE)
            open[n++] = all[i];
    cells_read_results(v, out);
    for (int i = 0; i < k->nresult; i++)
        out[i] = told_result(in->dag, k->told, i, out[i], open);
    const Expr *at = out;
    return value_of(in, v, &at, FV_CONTINUOUS);
}

/* Of parameters it is computed once, and conditions can be decided. One that
 * calls itself ends by its conditions only. */
static bool may_be_kept(const Context *in, const Function *fn, Value **arg)
{
    bool varies = variability_of(fn, arg) > FV_PARAMETER;
    for (const Exec *x = in->exec; x; x = x->up)
        if (x->fn == fn)
            return false;
    return varies && !fn->external && !fn->is_record_constructor &&
           fn->nsection == 1;
}

static bool is_open(const Expr *cell, int ncell)
{
    bool open = false;
    for (int i = 0; i < ncell; i++)
        open |= cell[i] == EXPR_NONE;
    return open;
}

static Value *call_as_numbers(const Context *in, const Function *fn,
                              Value **arg, Span span);

Value *function_call_kept(const Context *in, const Function *fn, Value **arg,
                          Span span)
{
    if (!may_be_kept(in, fn, arg))
        return NULL;
    int most = 0;
    for (int i = 0; i < fn->nvar; i++)
        most += arg[i] ? cells_count(arg[i]) : 0;
    Expr *cell = NEW_ARRAY(in->arena, Expr, most + 1);
    Expr *all = NEW_ARRAY(in->arena, Expr, most + 1);
    int n = take_cells(in, fn, arg, cell, all);
    if (!is_open(cell, n))
        return NULL;
    KeptFunction *k = find(in, fn, arg, cell, n);
    if (!k) {
        k = NEW(in->arena, KeptFunction);
        k->fn = fn;
        k->arg = NEW_ARRAY(in->arena, Value *, fn->nvar + 1);
        Context lasting = context_lasting(in);
        for (int i = 0; i < fn->nvar; i++)
            k->arg[i] = arg[i] ? value_copy(&lasting, arg[i]) : NULL;
        k->cell = cell;
        k->ncell = n;
        FormalCall c = {0};
        try_to_keep(&lasting, k, span, &c);
        vec_push(in->arena, &in->memo->kept, k);
        if (c.nresult > 0 && in->lookup->tell) /* it may call the function */
            in->lookup->tell(&lasting, fn, &c, &k->told);
    }
    if (k->failed)
        return call_as_numbers(in, fn, arg, span);
    Value *v = k->expands ? NULL : call_kept(in, k, all, arg);
    if (k->told && !v)
        v = function_execute(in, fn, arg, span);
    return k->told ? as_told(in, k, all, arg, v) : v;
}

/* Arguments with numbers for Integer parameters, which may be sizes; NULL if
 * there are none. */
static Value **with_numbers(const Context *in, const Function *fn, Value **arg)
{
    Value **known = NEW_ARRAY(in->arena, Value *, fn->nvar + 1);
    bool any = false;
    for (int i = 0; i < fn->nvar; i++) {
        Value *v = known[i] = arg[i];
        if (v && v->type->kind == TYPE_INTEGER &&
            v->variability == FV_PARAMETER && !value_is_const(in, v) &&
            (v = eval_fold(in, v)) != NULL) {
            known[i] = v;
            any = true;
        }
    }
    return any ? known : NULL;
}

/* The call where Integer parameters are numbers: they become structural if the
 * function can be kept then. */
static Value *call_as_numbers(const Context *in, const Function *fn,
                              Value **arg, Span span)
{
    Context tunable = *in;
    tunable.keeps_tunable = true;
    Value **known = with_numbers(&tunable, fn, arg);
    Value *v = known ? function_call_kept(in, fn, known, span) : NULL;
    if (v)
        with_numbers(in, fn, arg);
    return v;
}
