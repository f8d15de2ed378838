/* derivative.c - the function that an annotation names as the derivative: does
 * it fit, and is it needed?
 *
 * annotation(derivative = df) of y = f(x, n) promises dy = df(x, n, dx): the
 * inputs of f, then the derivatives of its Real inputs, but those left out by
 * noDerivative and zeroDerivative (12.7.1). With order = k those are the k-th
 * ones: the lower ones are inputs of f already. Who calls f should hear where
 * that cannot be, whether the derivative is needed or not.
 *
 * Functions of the language are differentiated as they are written, which gives
 * the same in most cases and lets the equations be looked into. Not so where a
 * Real or a record is left out: its author wants q, qd and qdd taken for what
 * they are called, and a rotation with the angular velocity that is given with
 * it. And not where what is written has another derivative than its value
 * (told/told.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include <string.h>

#include "external/external.h"
#include "external/external_internal.h"
#include "routine/routine.h"
#include "value/cells.h"

/* noDerivative = x, zeroDerivative = x: its derivative is no argument. */
bool derivative_leaves_out(const AstMod *how, const char *name)
{
    for (int i = 0; how && i < how->narg; i++) {
        const AstArg *k = &how->arg[i];
        const AstExpr *e = k->mod ? k->mod->value : NULL;
        if (e && e->kind == AE_REF && e->ref->npart == 1 &&
            e->ref->part[0].name == name)
            return true;
    }
    return false;
}

/* zeroDerivative = x: the annotation counts where x does not change. */
static bool is_for(const AstMod *how, const Function *fn, Value **arg)
{
    for (int k = 0; how && k < how->narg; k++) {
        const AstArg *a = &how->arg[k];
        const AstExpr *e = a->mod ? a->mod->value : NULL;
        if (a->kind != MOD_VALUE || a->name->npart != 1 || !e ||
            strcmp(a->name->part[0].name, "zeroDerivative") != 0 ||
            e->kind != AE_REF)
            continue;
        for (int i = 0; i < fn->nvar; i++)
            if (arg && arg[i] && fn->var[i].name == e->ref->part[0].name &&
                arg[i]->variability == FV_CONTINUOUS)
                return false;
    }
    return true;
}

const Function *derivative_function(const Context *in, const Function *fn,
                                    Value **arg, const AstMod **how)
{
    *how = NULL;
    for (int i = 0; fn->annotation && i < fn->annotation->narg; i++) {
        const AstArg *a = &fn->annotation->arg[i];
        const AstExpr *e = a->mod ? a->mod->value : NULL;
        if (a->kind != MOD_VALUE || a->name->npart != 1 || !e ||
            strcmp(a->name->part[0].name, "derivative") != 0 ||
            e->kind != AE_REF || !is_for(a->mod, fn, arg))
            continue;
        *how = a->mod;
        Class *cls = in->lookup->class_of(in, fn->scope, e->ref, true);
        return cls ? in->lookup->function(in, cls) : NULL;
    }
    return NULL;
}

static int next_of(const Function *fn, int i, AstDirKind direction)
{
    while (i < fn->nvar && fn->var[i].direction != direction)
        i++;
    return i;
}

static bool is_real(const FunctionVar *v)
{
    return v->type->kind == TYPE_REAL;
}

/* The inputs of `fn` stand in `der` too, before those that are checked. */
static int first_derivative(const Function *fn, const Function *der)
{
    int k = 0;
    for (int i = 0; i < fn->nvar; i++)
        if (fn->var[i].direction == DIR_INPUT)
            k = next_of(der, k, DIR_INPUT) + 1;
    return k;
}

/* A variable of `der` that should be Real for *of and is not; NULL: none.
 * Records may or may not have derivatives: what comes after them is not
 * looked at. */
static const FunctionVar *misfit(const Function *fn, const Function *der,
                                 AstDirKind direction, const AstMod *how,
                                 const FunctionVar **of)
{
    int k = direction == DIR_INPUT ? first_derivative(fn, der) : 0;
    for (int i = 0; i < fn->nvar; i++) {
        const FunctionVar *v = *of = &fn->var[i];
        if (v->direction != direction || derivative_leaves_out(how, v->name))
            continue;
        if (v->type->kind == TYPE_RECORD)
            return NULL;
        if (!is_real(v))
            continue;
        k = next_of(der, k, direction);
        if (k >= der->nvar)
            return NULL; /* who needs it hears of it */
        if (!is_real(&der->var[k]))
            return &der->var[k];
        k++;
    }
    return NULL;
}

bool external_derivative_fits(const Context *in, const Function *fn,
                              Value **arg, Span span)
{
    const AstMod *how;
    const FunctionVar *of = NULL;
    const Function *der = derivative_function(in, fn, arg, &how);
    /* of derivatives of a higher order the arguments are more */
    if (!der || der == fn || ast_mod_find(how, "order"))
        return true;
    const FunctionVar *v = misfit(fn, der, DIR_INPUT, how, &of);
    if (!v)
        v = misfit(fn, der, DIR_OUTPUT, NULL, &of);
    if (!v)
        return true;
    context_report(in, span, DIAG_E0625,
                   "'%s' cannot be the derivative of '%s': its %s '%s' is %s, "
                   "but the derivative of '%s' is Real",
                   der->name, fn->name,
                   v->direction == DIR_INPUT ? "input" : "output", v->name,
                   type_text(in, v->type, v->ndim, NULL), of->name);
    diag_note(in->diag, v->span, "declared here");
    return false;
}

/* ---- what is told ---- */

enum { LARGE = 50000 }; /* nodes: nobody asks whether they mislead */

typedef struct Telling {
    const Context *in;
    const Function *fn, *der;
    const AstMod *how;
    const FormalCall *call;
    Expr *rate; /* of each cell: the ARG node of its derivative, or EXPR_NONE */
} Telling;

static int count_inputs(const Function *fn)
{
    int n = 0;
    for (int i = 0; i < fn->nvar; i++)
        n += fn->var[i].direction == DIR_INPUT;
    return n;
}

/* Does the derivative have one of this input? */
static bool has_rate(const Telling *t, int i)
{
    const FunctionVar *v = &t->fn->var[i];
    return v->direction == DIR_INPUT &&
           (is_real(v) || v->type->kind == TYPE_RECORD) &&
           !derivative_leaves_out(t->how, v->name);
}

/* How many of the first inputs that could have one do not: those of which
 * derivatives of a lower order are inputs too. NONE: it does not fit. */
static int lower_orders(const Telling *t)
{
    int n = count_inputs(t->fn) - count_inputs(t->der);
    for (int i = 0; i < t->fn->nvar; i++)
        n += has_rate(t, i);
    return n == 0 || (n > 0 && ast_mod_find(t->how, "order")) ? n : NONE;
}

/* Which cells of an argument are Real as the function declares it? A call may
 * have Integers there. */
static int real_cells(const Value *v, const Type *as, bool *real)
{
    int n = 0, m = v->member ? v->type->nmember : 0;
    for (int i = 0; i < m; i++)
        n += real_cells(v->member[i],
                        i < as->nmember ? as->member[i].type : v->type,
                        real + n);
    int own = cells_count(v) - n;
    for (int i = 0; i < own; i++)
        real[n + i] = as->kind == TYPE_REAL;
    return n + own;
}

/* The derivative of an argument: new ARG nodes for what the run knows. */
static Value *rate_of(Telling *t, const FunctionVar *as, const Value *v,
                      int first)
{
    const Context *in = t->in;
    int n = cells_count(v);
    bool *real = NEW_ARRAY(in->arena, bool, n + 1);
    Expr *cell = NEW_ARRAY(in->arena, Expr, n + 1);
    real_cells(v, as->type, real);
    for (int k = 0; k < n; k++) {
        cell[k] = t->call->formal[first + k];
        if (!real[k])
            continue;
        bool is_open = t->call->cell[first + k] == EXPR_NONE;
        if (is_open && t->rate[first + k] == EXPR_NONE)
            t->rate[first + k] =
                expr_formal(in->dag, in->memo->nformal++, ET_REAL);
        cell[k] = is_open ? t->rate[first + k] : expr_real(in->dag, 0);
    }
    const Expr *at = cell;
    return cells_with(in, v, &at, FV_CONTINUOUS);
}

/* The arguments of the derivative; NULL: they do not fit. */
static Value **arguments(Telling *t)
{
    int skip = lower_orders(t), at = 0, first = 0;
    Value **arg = NEW_ARRAY(t->in->arena, Value *, t->der->nvar + 1);
    for (int i = 0; i < t->fn->nvar; i++) {
        if (t->fn->var[i].direction != DIR_INPUT)
            continue;
        at = next_of(t->der, at, DIR_INPUT);
        if (at >= t->der->nvar)
            return NULL;
        arg[at++] = t->call->arg[i];
    }
    for (int i = 0; i < t->fn->nvar && skip != NONE; i++) {
        const Value *v = t->call->arg[i];
        if (t->fn->var[i].direction != DIR_INPUT || !v)
            continue;
        if (has_rate(t, i) && skip-- <= 0) {
            skip = 0;
            at = next_of(t->der, at, DIR_INPUT);
            if (at >= t->der->nvar)
                return NULL;
            arg[at++] = rate_of(t, &t->fn->var[i], v, first);
        }
        first += cells_count(v);
    }
    return skip == NONE ? NULL : arg;
}

/* The results of the derivative, in the places of the Real results of the
 * function; NULL: there are too few or too many. */
static Expr *results(Telling *t)
{
    const FormalCall *c = t->call;
    Value **arg = arguments(t);
    if (!arg)
        return NULL;
    Trial trial;
    trial_begin(&trial, t->in);
    trial.in.path = expr_bool(t->in->dag, true);
    Value *v = call_function(&trial.in, t->der, arg, t->fn->span);
    bool fine =
        !is_error(v) && !trial_failed(&trial) && cells_are_all_results(v);
    trial_drop(&trial);
    if (!fine)
        return NULL;
    int n = cells_count_results(v), k = 0;
    Expr *all = NEW_ARRAY(t->in->arena, Expr, n + 1);
    Expr *out = NEW_ARRAY(dag_arena(t->in->dag), Expr, c->nresult + 1);
    cells_read_results(v, all);
    for (int i = 0; i < c->nresult; i++) {
        bool real = expr_type(t->in->dag, c->result[i]) == ET_REAL;
        out[i] = real && k < n ? all[k] : EXPR_NONE;
        k += real;
        if (real && (k > n || out[i] < 0))
            return NULL;
    }
    return k == n ? out : NULL;
}

/* Without results and rates. */
static Told *begin_told(const Telling *t, ToldKind kind)
{
    const FormalCall *c = t->call;
    Arena *a = dag_arena(t->in->dag);
    Told *told = NEW(a, Told);
    Expr *formal = NEW_ARRAY(a, Expr, c->ncell + 1);
    Expr *rate = NEW_ARRAY(a, Expr, c->ncell + 1);
    int n = 0;
    for (int i = 0; i < c->ncell; i++)
        if (c->cell[i] == EXPR_NONE)
            formal[n++] = c->formal[i];
    *told = (Told){kind, t->fn->name, n, formal, rate, NULL};
    return told;
}

/* Of the cells that the run knows. */
static void set_rates(const Telling *t, Told *told)
{
    const FormalCall *c = t->call;
    for (int i = 0, n = 0; i < c->ncell; i++)
        if (c->cell[i] == EXPR_NONE)
            told->rate[n++] = t->rate[i];
}

/* ---- what leaves numbers out ---- */

static void say_not_obeyed(const Telling *t, const FunctionVar *v)
{
    left_warning(
        t->in, t->fn->span, DIAG_W0626,
        arena_printf(t->in->arena,
                     "the derivative of '%s' leaves '%s' out (noDerivative), "
                     "but %s%s%s cannot be called for it: where a call is "
                     "differentiated, '%s' is too",
                     t->fn->name, v->name, t->der ? "'" : "what it names",
                     t->der ? t->der->name : "", t->der ? "'" : "", v->name));
}

static const FunctionVar *left_out(const Telling *t, TypeKind kind)
{
    for (int i = 0; i < t->fn->nvar; i++) {
        const FunctionVar *v = &t->fn->var[i];
        if (v->direction == DIR_INPUT && v->type->kind == kind &&
            derivative_leaves_out(t->how, v->name))
            return v;
    }
    return NULL;
}

/* Results of calls in the derivative are told already, by what follows. */
static const Told *over_time(Telling *t, const FunctionVar *left,
                             const Told **told)
{
    const FormalCall *c = t->call;
    Told *all = begin_told(t, is_real(left) ? TOLD_OVER_TIME : TOLD_OF_RECORD);
    Expr *out = NEW_ARRAY(dag_arena(t->in->dag), Expr, c->nresult + 1);
    for (int i = 0; i < c->nresult; i++)
        out[i] = expr_type(t->in->dag, c->result[i]) == ET_REAL ? c->result[i]
                                                                : EXPR_NONE;
    all->out = out;
    *told = all;
    const Expr *is = t->der ? results(t) : NULL;
    if (!is)
        return say_not_obeyed(t, left), NULL;
    memcpy(out, is, (size_t)c->nresult * sizeof *out);
    set_rates(t, all);
    return all;
}

/* ---- what is written as something with another derivative ---- */

static bool can_mislead(const Dag *d, const FormalCall *c)
{
    bool found = false;
    for (int i = 0; i < c->nresult && !found; i++)
        found = expr_type(d, c->result[i]) == ET_REAL &&
                (expr_has_op(d, c->result[i], EX_IF) ||
                 expr_has_op(d, c->result[i], EX_CALL));
    return found && routine_size(d, c->result, c->nresult) <= LARGE;
}

static void say_misleads(const Telling *t, const ToldPoint *p, const char *what)
{
    left_warning(
        t->in, t->fn->span, DIAG_W0627,
        arena_printf(t->in->arena,
                     "'%s' is written so that its derivative is not that of "
                     "its values (%.3g where they have %.3g): %s; "
                     "annotation(derivative = ...) would tell it",
                     t->fn->name, p->written, p->slope, what));
}

/* Every result by every number: the spectrum of 4,000 samples has no derivative
 * that anybody could write down. */
static bool is_too_large(const Told *t, int nresult)
{
    static const double MOST = 2e6; /* arguments of calls */
    int nrate = 0;
    for (int i = 0; i < t->narg; i++)
        nrate += t->rate[i] != EXPR_NONE;
    return (double)nresult * nrate * t->narg > MOST;
}

/* All Real numbers that the run knows have a rate. */
static void add_rates(Telling *t)
{
    const FormalCall *c = t->call;
    Dag *d = t->in->dag;
    for (int i = 0; i < c->ncell; i++)
        if (c->cell[i] == EXPR_NONE && expr_type(d, c->formal[i]) == ET_REAL &&
            t->rate[i] == EXPR_NONE)
            t->rate[i] = expr_formal(d, t->in->memo->nformal++, ET_REAL);
}

/* What is told is looked at where what is written misleads. */
static const Told *always(Telling *t)
{
    const FormalCall *c = t->call;
    Dag *d = t->in->dag;
    ToldPoint p;
    add_rates(t);
    Told *told = begin_told(t, TOLD_ALWAYS);
    set_rates(t, told);
    if (told_judge(d, told, c->result, c->nresult, &p) == TOLD_AS_WRITTEN)
        return NULL;
    const Expr *out = t->der ? results(t) : NULL;
    told->out = out;
    if (out && told_judge(d, told, c->result, c->nresult, &p) == TOLD_RIGHT)
        return told;
    if (is_too_large(told, c->nresult)) {
        if (isfinite(p.written)) /* else it cannot be differentiated anyway */
            say_misleads(t, &p,
                         "it has too many numbers for differences of "
                         "values, and is differentiated as written");
        return NULL;
    }
    say_misleads(t, &p, "differences of values are taken");
    told->out = told_differences(d, told, c->result, c->nresult);
    return told;
}

void external_tell(const Context *in, const Function *fn, const FormalCall *c,
                   const Told **told)
{
    Telling t = {.in = in, .fn = fn, .call = c};
    t.der = derivative_function(in, fn, c->arg, &t.how);
    if (t.der == fn || (t.der && t.der->external))
        t.der = NULL;
    t.rate = NEW_ARRAY(in->arena, Expr, c->ncell + 1);
    for (int i = 0; i < c->ncell; i++)
        t.rate[i] = EXPR_NONE;
    const FunctionVar *real = left_out(&t, TYPE_REAL);
    const FunctionVar *record = left_out(&t, TYPE_RECORD);
    if (real) {
        *told = over_time(&t, real, told);
        return;
    }
    const Function *der = t.der;
    t.der = record ? NULL : der; /* it is not that of all arguments */
    *told = can_mislead(in->dag, c) ? always(&t) : NULL;
    t.der = der;
    if (record && !*told)
        *told = over_time(&t, record, told);
}
