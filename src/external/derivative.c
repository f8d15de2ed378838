/* derivative.c - does the function that an annotation names as the derivative
 * fit?
 *
 * annotation(derivative = df) of y = f(x, n) promises dy = df(x, n, dx): the
 * inputs of f, then the derivatives of its Real inputs, but those left out by
 * noDerivative and zeroDerivative (12.7.1). Who calls f should hear where that
 * cannot be, whether the derivative is needed or not.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "external/external.h"
#include "external/external_internal.h"

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

const Function *derivative_function(const Context *in, const Function *fn,
                                    const AstMod **how)
{
    const AstArg *a = ast_mod_find(fn->annotation, "derivative");
    const AstExpr *e = a && a->mod ? a->mod->value : NULL;
    *how = a ? a->mod : NULL;
    if (!e || e->kind != AE_REF)
        return NULL;
    Class *cls = in->lookup->class_of(in, fn->scope, e->ref, true);
    return cls ? in->lookup->function(in, cls) : NULL;
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

/* Functions of the language are differentiated as they are written. That is
 * what the annotation says too, unless it leaves out a Real that varies: its
 * author may want q, qd and qdd taken for what they are called. */
static void say_left_out(const Context *in, const Function *fn, Value **arg,
                         const AstMod *how)
{
    for (int i = 0; i < fn->nvar && !fn->external; i++) {
        const FunctionVar *v = &fn->var[i];
        if (v->direction == DIR_INPUT && is_real(v) && arg[i] &&
            arg[i]->variability == FV_CONTINUOUS &&
            derivative_leaves_out(how, v->name))
            left_warning(
                in, fn->span, DIAG_W0626,
                arena_printf(in->arena,
                             "the derivative of '%s' leaves '%s' out "
                             "(noDerivative), which takt does not obey: where "
                             "a call is differentiated, '%s' is too",
                             fn->name, v->name, v->name));
    }
}

bool external_derivative_fits(const Context *in, const Function *fn,
                              Value **arg, Span span)
{
    const AstMod *how;
    const FunctionVar *of = NULL;
    const Function *der = derivative_function(in, fn, &how);
    if (der)
        say_left_out(in, fn, arg, how);
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
