/* foreign.c - external functions that takt does not know: C and
 * FORTRAN 77 of others (12.9).
 *
 * A call becomes a wrapper in C (foreign/foreign.h) that turns numbers into the
 * types of the argument list (12.9.2), calls, and turns results back. Numbers
 * are arguments of the wrapper; texts, sizes and objects stand in it. What the
 * function needs to be compiled is in its annotations (12.9.4).
 *
 * Foreign code runs only where the user said so.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/ctext.h"
#include "value/cells.h"
#include "external/external_internal.h"
#include "external/hidden.h"
#include "external/foreign.h"
#include "external/wrap.h"

/* ---- annotations ---- */

typedef void AddText(Foreign *u, const char *text);

/* A text or an array of them. */
static void each_text(ExternalCall *c, const char *name, AddText *add,
                      Foreign *u)
{
    const AstExpr *e = wrap_annotation(c, name);
    Value *v = e ? eval_value(c->in, c->x->fn->scope, e) : NULL;
    for (int i = 0; v && is_kind(v, TYPE_STRING) && i < v->nscalar; i++)
        if (expr_op(c->in->dag, v->scalar[i]) == EX_STR)
            add(u, expr_node(c->in->dag, v->scalar[i])->text);
}

/* The folder that an annotation names, or Resources/NAME of the library. */
static const char *folder(ExternalCall *c, const char *name,
                          const char *standard)
{
    const Context *in = c->in;
    const AstExpr *e = wrap_annotation(c, name);
    const char *uri = NULL;
    if (e && e->kind == AE_STRING) {
        Value *v = eval_value(in, c->x->fn->scope, e);
        uri = value_const_string(in, v);
    }
    if (!uri) {
        int top = (int)strcspn(c->x->fn->name, ".");
        uri = arena_printf(in->arena, "modelica://%.*s/Resources/%s", top,
                           c->x->fn->name, standard);
    }
    return in->lookup->resource(in, uri, c->ext->span);
}

/* Libraries of a platform stand in folders of their own (12.9.4). */
static void add_searches(Foreign *u, const char *path, Arena *arena)
{
    static const char *const platform[] = {
#if defined(__x86_64__) && defined(__linux__)
        "linux64/gcc",
        "linux64",
#elif defined(__aarch64__) && defined(__linux__)
        "aarch64-linux",
#endif
        NULL
    };
    for (int i = 0; platform[i]; i++)
        foreign_add_search(u, arena_printf(arena, "%s/%s", path, platform[i]));
    foreign_add_search(u, path);
}

static bool is_readable(const char *path)
{
    FILE *f = fopen(path, "r");
    if (f)
        fclose(f);
    return f != NULL;
}

/* A library whose source is there is compiled with the wrappers. */
static bool add_source(Foreign *u, const char *path, const char *name,
                       Arena *arena)
{
    static const char *const ending[] = {".c", ".f", ".f90"};
    for (int i = 0; i < 3; i++) {
        const char *file =
            arena_printf(arena, "%s/%s%s", path, name, ending[i]);
        if (is_readable(file)) {
            foreign_add_source(u, file);
            return true;
        }
    }
    return false;
}

static void add_libraries(ExternalCall *c, Foreign *u)
{
    Arena *arena = c->in->arena;
    const AstExpr *e = wrap_annotation(c, "Library");
    if (!e)
        return;
    const char *sources = folder(c, "SourceDirectory", "Source");
    const char *libraries = folder(c, "LibraryDirectory", "Library");
    Value *v = eval_value(c->in, c->x->fn->scope, e);
    for (int i = 0; is_kind(v, TYPE_STRING) && i < v->nscalar; i++) {
        if (expr_op(c->in->dag, v->scalar[i]) != EX_STR)
            continue;
        const char *name = expr_node(c->in->dag, v->scalar[i])->text;
        if (!sources || !add_source(u, sources, name, arena))
            foreign_add_library(u, name);
    }
    if (libraries)
        add_searches(u, libraries, arena);
}

static bool refuse(Wrap *w, const char *what)
{
    return external_unsupported(w->c, what);
}

/* ---- derivatives ---- */

static bool has_smooth_order(const ExternalCall *c)
{
    const AstArg *a = ast_mod_find(c->x->fn->annotation, "smoothOrder");
    return a && a->mod && a->mod->value && a->mod->value->kind == AE_INTEGER &&
           a->mod->value->value >= 1;
}

/* The derivatives of all results, of ARG nodes: the derivative function called
 * with the inputs and then the derivatives of its Real inputs. */
static const Expr *make_along(Wrap *w, Span span)
{
    ExternalCall *c = w->c;
    const Context *in = c->in;
    const AstMod *how;
    const Function *fn = c->x->fn;
    const Function *der = derivative_function(in, fn, NULL, &how);
    if (!der || der == fn)
        return NULL;
    Value **arg = NEW_ARRAY(in->arena, Value *, der->nvar + fn->nvar + 1);
    int n = 0, at = 0, next[2] = {0, 0};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < fn->nvar; i++) {
            const FunctionVar *fv = &fn->var[i];
            const Value *v = wrap_shape(w, i);
            if (fv->direction != DIR_INPUT)
                continue;
            int count = cells_count(v);
            bool leaves = pass == 1 && (!is_kind(v, TYPE_REAL) ||
                                        derivative_leaves_out(how, fv->name));
            Expr *cell = NEW_ARRAY(in->arena, Expr, count + 1);
            ExprType *type = NEW_ARRAY(in->arena, ExprType, count + 1);
            cells_types(v, type);
            for (int k = 0; k < count; k++)
                cell[k] =
                    expr_formal(in->dag, next[pass]++ + (pass ? w->in.n : 0),
                                pass ? ET_REAL : type[k]);
            if (leaves)
                continue;
            const Expr *from = cell;
            while (at < der->nvar && der->var[at].direction != DIR_INPUT)
                at++;
            if (at == der->nvar)
                return NULL;
            arg[at++] = cells_with(in, v, &from, FV_CONTINUOUS);
            n++;
        }
    }
    if (next[0] != w->in.n) /* not every number is an argument */
        return NULL;
    Trial t;
    trial_begin(&t, in);
    Value *v = call_function(&t.in, der, arg, span);
    bool fine = !is_error(v) && !trial_failed(&t);
    trial_drop(&t);
    if (!fine)
        return NULL;
    Expr *out = NEW_ARRAY(in->arena, Expr, w->nout + 1);
    int k = v->nvalue ? 0 : cells_count(v);
    if (!v->nvalue && k < w->nout)
        cells_read(v, out);
    for (int i = 0; i < v->nvalue; i++)
        k += k + cells_count(v->tuple[i]) < w->nout
                 ? cells_read(v->tuple[i], out + k)
                 : w->nout;
    for (int i = 0; k == w->nout - 1 && i < k; i++)
        if (out[i] < 0) /* not assigned */
            return NULL;
    return k == w->nout - 1 ? out : NULL;
}

/* ---- objects ---- */

static const char *literal(Wrap *w, Value *v)
{
    const Context *in = w->c->in;
    Value *known = eval_fold(in, v);
    double x;
    if (!known || !wrap_type(known->type))
        return NULL;
    Vec(char) out = {0};
    bool text = known->type->kind == TYPE_STRING;
    if (known->ndim)
        wrap_put(in, &out, "(%s[]){", wrap_type(known->type));
    for (int i = 0; i < known->nscalar; i++) {
        Expr e = known->scalar[i];
        if (!text && !expr_is_const(in->dag, e, &x))
            return NULL;
        wrap_put(in, &out, "%s%s", i ? ", " : "",
                 text ? wrap_string(w, expr_node(in->dag, e)->text)
                 : known->type->kind == TYPE_REAL
                     ? c_number(x, false, in->arena)
                     : arena_printf(in->arena, "%d", (int)x));
    }
    if (known->ndim)
        wrap_put(in, &out, "%s}", known->nscalar ? "" : "0");
    return wrap_text(in, &out);
}

/* A call of C with arguments that are known. */
static const char *call_known(Wrap *w)
{
    const Context *in = w->c->in;
    const AstExternal *ext = w->c->ext;
    Vec(char) out = {0};
    wrap_put(in, &out, "%s(", w->c->c_name);
    for (int i = 0; i < w->c->narg; i++) {
        bool size = i < ext->narg && wrap_is_size(ext->arg[i]);
        const char *s = literal(w, w->c->arg[i]);
        if (!s)
            return NULL;
        wrap_put(in, &out, "%s%s%s", i ? ", " : "", size ? "(size_t)" : "", s);
    }
    wrap_put(in, &out, ")");
    return wrap_text(in, &out);
}

/* The destructor beside the constructor. */
static const char *release_of(ExternalCall *c)
{
    const Context *in = c->in;
    AstPart part = {.name = intern_str(in->names, "destructor")};
    AstRef ref = {.npart = 1, .part = &part, .span = c->span};
    Class *cls = in->lookup->class_of(in, c->x->fn->scope, &ref, true);
    const Function *fn = cls ? in->lookup->function(in, cls) : NULL;
    if (!fn || !fn->external)
        return "";
    const char *dot = strrchr(fn->name, '.');
    const char *name = fn->external->function ? fn->external->function
                       : dot                  ? dot + 1
                                              : fn->name;
    return arena_printf(in->arena, "%s(object);", name);
}

static bool construct(Wrap *w)
{
    ExternalCall *c = w->c;
    const Context *in = c->in;
    const char *make = call_known(w);
    if (!make)
        return refuse(w, "the arguments of a constructor must be known");
    ForeignObject o = {in->component, make, 0};
    for (int i = 0; i < in->memo->object.n; i++) {
        const ForeignObject *old = &in->memo->object.at[i];
        if (old->component == o.component && strcmp(old->make, make) == 0) {
            o = *old;
            make = NULL;
        }
    }
    if (make) {
        o.number = foreign_add_object(w->unit, make, release_of(c));
        vec_push(in->arena, &in->memo->object, o);
    }
    const FunctionVar *out = NULL;
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].direction == DIR_OUTPUT)
            out = &c->x->fn->var[i];
    return out &&
           external_set_result(
               c, value_scalar(in, out->type,
                               expr_int(in->dag, FIRST_OBJECT + o.number),
                               FV_PARAMETER));
}

static bool makes_object(const ExternalCall *c)
{
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].direction == DIR_OUTPUT &&
            c->x->fn->var[i].type->kind == TYPE_OBJECT)
            return true;
    return false;
}

/* ---- the call ---- */

static void set_outputs(Wrap *w, int fn)
{
    const Context *in = w->c->in;
    Arena *a = in->arena;
    int narg = w->in.n, k = 1;
    Expr status = expr_call(in->dag, fn, 0, ET_REAL, w->in.at, narg);
    Expr fine =
        expr_unary(in->dag, EX_NOEVENT,
                   expr_binary(in->dag, EX_EQ, status, expr_real(in->dag, 0)));
    left_assert(
        in, (FlatAssert){.condition = expr_binary(in->dag, EX_OR,
                                                  expr_not(in, in->path), fine),
                         .message = expr_string(
                             in->dag, arena_printf(a,
                                                   "the external function '%s' "
                                                   "reports an error",
                                                   w->c->c_name)),
                         .component = in->component,
                         .span = w->c->span});
    for (int i = 0; i < w->out_var.n; i++) {
        const Value *v = wrap_shape(w, w->out_var.at[i]);
        int n = cells_count(v);
        ExprType *type = NEW_ARRAY(a, ExprType, n + 1);
        Expr *cell = NEW_ARRAY(a, Expr, n + 1);
        cells_types(v, type);
        for (int j = 0; j < n; j++)
            cell[j] = expr_call(in->dag, fn, k++, type[j], w->in.at, narg);
        const Expr *at = cell;
        scope_assign(w->c->x->frame, w->c->x->fn->var[w->out_var.at[i]].name,
                     cells_with(in, v, &at, w->variability));
    }
}

/* LAPACK is no code of the model. */
static bool is_lapack(const ExternalCall *c)
{
    static const char *const name[] = {
        "dgesv",  "dgesvx", "dgetrf", "dgetrs", "dgetri", "dgelsy", "dgels",
        "dgeev",  "dgeevx", "dgegv",  "dggev",  "dgesvd", "dgeqrf", "dgeqpf",
        "dgeqp3", "dorgqr", "dgbsv",  "dgtsv",  "dgehrd", "dorghr", "dhseqr",
        "dtrsen", "dgees",  "dtrsm",  "dtrmm",  "dpotrf", "dlange", "dgecon",
        "dgglse", "dormhr", "dormqr", "dtrsyl"};
    bool fortran =
        c->ext->language && strcmp(c->ext->language, "FORTRAN 77") == 0;
    for (size_t i = 0; fortran && i < sizeof name / sizeof name[0]; i++)
        if (strcmp(c->c_name, name[i]) == 0)
            return true;
    return false;
}

static bool may_run(ExternalCall *c)
{
    const Context *in = c->in;
    if (is_lapack(c) || in->lookup->trusts(in, c->ext->span))
        return true;
    context_report(in, c->span, DIAG_E0620,
                   "'%s' is foreign code ('%s' in %s), which takt runs only if "
                   "you say so",
                   c->x->fn->name, c->c_name,
                   c->ext->language ? c->ext->language : "C");
    diag_note(in->diag, c->ext->span,
              "declared here; give the option --external if you trust all of "
              "this model, or name the folder of the library in the "
              "environment variable TAKT_TRUST");
    return false;
}

static void note_purity(const ExternalCall *c)
{
    const Function *fn = c->x->fn;
    if (fn->is_pure || fn->is_impure || is_lapack(c))
        return;
    left_warning(c->in, fn->span, DIAG_W0622,
                 arena_printf(c->in->arena,
                              "the external function '%s' is neither 'pure' "
                              "nor 'impure'; takt takes it for pure",
                              fn->name));
}

/* In a when clause an impure function is called once each time it is active:
 * an argument tells calls apart. */
static bool tell_apart(Wrap *w, const char **body)
{
    const Context *in = w->c->in;
    if (!w->c->x->fn->is_impure || !in->in_when)
        return true;
    Expr number = hidden_count(in, w->c->span);
    if (number == EXPR_NONE)
        return external_unsupported(
            w->c, "an impure function in an if-equation in a when clause");
    *body = wrap_once(w, *body, w->in.n);
    vec_push(in->arena, &w->in, number);
    return true;
}

/* The function of the DAG that runs `body`. It is there before its derivative
 * is asked for, which may call it: that of an exponential does. */
static int function_of(Wrap *w, const char *body)
{
    ExternalCall *c = w->c;
    Dag *dag = c->in->dag;
    ForeignFunction f = {.name = c->x->fn->name,
                         .number = foreign_add_wrapper(w->unit, body, c->span),
                         .narg = w->in.n,
                         .nout = w->nout,
                         .differences = NONE,
                         .needs_object = w->has_object || c->x->fn->is_impure};
    int fn = foreign_find_function(w->unit, dag, f.number);
    if (fn != NONE)
        return fn;
    fn = foreign_function(w->unit, dag, &f);
    const Expr *along = f.narg > 0 ? make_along(w, c->span) : NULL;
    if (f.narg > 0 && !along && has_smooth_order(c))
        f.differences = foreign_add_wrapper(
            w->unit, wrap_differences(w, f.number), c->span);
    if (along || f.differences != NONE)
        foreign_set_derivatives(dag, fn, along, f.differences);
    return fn;
}

bool external_call_foreign(ExternalCall *c)
{
    const Context *in = c->in;
    const char *language = c->ext->language ? c->ext->language : "C";
    bool fortran = strcmp(language, "FORTRAN 77") == 0;
    if (!fortran && strcmp(language, "C") != 0 && strcmp(language, "C99") != 0)
        return external_unsupported(c, "its language is neither C nor FORTRAN "
                                       "77");
    if (!may_run(c))
        return false;
    note_purity(c);
    if (!in->memo->foreign)
        in->memo->foreign = foreign_new(dag_arena(in->dag));
    Wrap w = {.c = c, .unit = in->memo->foreign, .fortran = fortran, .nout = 1};
    if (c->x->fn->is_impure)
        foreign_set_impure(w.unit);
    if (wrap_annotation(c, "Include")) {
        const char *path = folder(c, "IncludeDirectory", "Include");
        if (path)
            foreign_add_folder(w.unit, path);
        each_text(c, "Include", foreign_add_include, w.unit);
    }
    if (is_lapack(c))
        foreign_add_library(w.unit, "lapack");
    else
        add_libraries(c, w.unit);
    if (makes_object(c))
        return external_collect(c) && construct(&w);
    const char *body = "";
    if (!wrap_call(&w, &body) || !tell_apart(&w, &body))
        return false;
    set_outputs(&w, function_of(&w, body));
    return true;
}
