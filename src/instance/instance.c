/* instance.c - flattening, step by step. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "external/external.h"
#include "instance/connect.h"

static void read_number(const AstMod *experiment, const char *name, bool *has,
                        double *value)
{
    const AstArg *a = ast_mod_find(experiment, name);
    const AstExpr *e = a && a->mod ? a->mod->value : NULL;
    double sign = 1;
    if (e && e->kind == AE_UNARY && e->op == OP_NEG) {
        sign = -1;
        e = e->arg[0];
    }
    *has = e && (e->kind == AE_REAL || e->kind == AE_INTEGER);
    if (*has)
        *value = sign * e->value;
}

/* annotation(experiment(StartTime, StopTime, Tolerance, Interval)) (18.4) */
static void read_experiment(Flat *f, const AstClass *ast)
{
    const AstArg *a = ast_mod_find(ast->annotation, "experiment");
    FlatExperiment *x = &f->experiment;
    if (!a || !a->mod)
        return;
    read_number(a->mod, "StartTime", &x->has_start, &x->start);
    read_number(a->mod, "StopTime", &x->has_stop, &x->stop);
    read_number(a->mod, "Tolerance", &x->has_tolerance, &x->tolerance);
    read_number(a->mod, "Interval", &x->has_interval, &x->interval);
}

/* invariantWeight = {...}: a positive number for each. False after a report. */
static bool weigh_invariants(const Context *in, Instance *root,
                             const AstArg *takt)
{
    Flat *f = in->flat;
    const AstArg *w = ast_mod_find(takt->mod, "invariantWeight");
    if (!w || !w->mod || !w->mod->value)
        return true;
    Value *v =
        eval_expr(in, instance_scope(in, root, root->cls), w->mod->value);
    bool fine = !is_error(v) && v->scalar && v->nscalar == f->ninvariant;
    for (int k = 0; fine && k < f->ninvariant; k++) {
        double x = 0;
        fine = expr_is_const(f->dag, v->scalar[k], &x) && x > 0;
        f->invariant[k] = expr_mul(f->dag, v->scalar[k], f->invariant[k]);
    }
    if (!fine)
        diag_report(in->diag, w->span, DIAG_E0939,
                    "'invariantWeight' of __takt needs a positive number for "
                    "each of the %d invariants",
                    f->ninvariant);
    return fine;
}

/* annotation(__takt(invariant = {...})) */
static void read_invariants(const Context *in, Instance *root,
                            const AstClass *ast)
{
    const AstArg *a = ast_mod_find(ast->annotation, "__takt");
    const AstArg *i = a && a->mod ? ast_mod_find(a->mod, "invariant") : NULL;
    if (!i || !i->mod || !i->mod->value)
        return;
    Value *v =
        eval_expr(in, instance_scope(in, root, root->cls), i->mod->value);
    bool fine = !is_error(v) && v->scalar;
    for (int k = 0; fine && k < v->nscalar; k++)
        fine = expr_type(in->flat->dag, v->scalar[k]) == ET_REAL;
    if (!fine) {
        if (!is_error(v))
            diag_report(in->diag, i->span, DIAG_E0939,
                        "'invariant' of __takt must be Real expressions");
        return;
    }
    in->flat->invariant = NEW_ARRAY(in->arena, Expr, v->nscalar + 1);
    for (int k = 0; k < v->nscalar; k++)
        in->flat->invariant[k] = v->scalar[k];
    in->flat->ninvariant = v->nscalar;
    weigh_invariants(in, root, a);
}

/* "path#k": equations are numbered within their component. */
static void number_equations(Flat *f, Arena *temp)
{
    int *next = NEW_ARRAY(temp, int, f->ncomponent + 1);
    for (int i = 0; i < f->neqn; i++)
        f->eqn[i].ordinal = ++next[f->eqn[i].component];
    for (int i = 0; i < f->ninitial; i++)
        f->initial[i].ordinal = ++next[f->initial[i].component];
}

static bool can_be_flattened(const Context *in, LoadClass *model)
{
    AstClassKind k = model->ast->kind;
    if (k == CK_PACKAGE || k == CK_FUNCTION || k == CK_TYPE ||
        k == CK_OPERATOR || k == CK_OPERATOR_FUNCTION) {
        diag_report(in->diag, model->ast->span, DIAG_E0928,
                    "'%s' is a %s; a model or block is expected",
                    model->full_name, ast_class_kind_name(k));
        return false;
    }
    if (class_builtin_by_name(in, model->ast->name)) {
        diag_report(in->diag, model->ast->span, DIAG_E0932,
                    "'%s' has the name of a built-in type", model->full_name);
        return false;
    }
    if (model->ast->partial) {
        diag_report(in->diag, model->ast->span, DIAG_E0907,
                    "'%s' is partial, so it cannot be simulated by itself",
                    model->full_name);
        return false;
    }
    return true;
}

static void flatten(const Context *in, LoadClass *model)
{
    Class *cls = class_of_load(in, model);
    if (!class_elaborate(in, cls))
        return;
    Instance *root = ST(in)->root = instance_root(in, cls);
    instance_expand(in, root);
    if (ST(in)->too_many)
        return;
    equation_collect_connects(in, root);
    expandable_finish(in);
    graph_solve(in);
    ST(in)->connected = true;
    instance_bind_all(in, root);
    binding_check_cycles(in);
    equation_all(in, root);
    connect_emit(in);
    read_invariants(in, root, model->ast);
    external_finish(in);
    eval_finish(in);
}

static bool trusts(const Context *in, Span span)
{
    return load_trusts(in->structure->library, span);
}

static const char *resource(const Context *in, const char *uri, Span span)
{
    return load_uri_path(ST(in)->library, uri, span);
}

/* ---- what evaluation asks here ----
 * What is found is remembered, so its values outlast the call of a function
 * that asks. */

static Value *value_of(const Context *in, Scope *scope, const AstRef *ref)
{
    Context lasting = context_lasting(in);
    return find_value(&lasting, scope, ref);
}

static Class *class_of(const Context *in, Scope *scope, const AstRef *ref,
                       bool quiet)
{
    Context lasting = context_lasting(in);
    return find_callee(&lasting, scope, ref, quiet);
}

static const Function *function_of(const Context *in, const Class *cls)
{
    Context lasting = context_lasting(in);
    return class_function(&lasting, cls);
}

static int operators_of(const Context *in, const Class *cls, const char *name,
                        const Function *const **fn)
{
    Context lasting = context_lasting(in);
    return class_operators(&lasting, cls, name, fn);
}

static const Type *type_of(const Context *in, const Class *cls)
{
    Context lasting = context_lasting(in);
    return class_type(&lasting, cls);
}

static bool is_range(const Context *in, const Class *cls, int *count,
                     const Type **type)
{
    Context lasting = context_lasting(in);
    return class_is_range(&lasting, cls, count, type);
}

static Value *structure_operator(const Context *in, Scope *scope,
                                 const AstExpr *call)
{
    Context lasting = context_lasting(in);
    return connect_operator(&lasting, scope, call);
}

static Value *binding_of(const Context *in, int var)
{
    Context lasting = context_lasting(in);
    return binding_of_var(&lasting, var);
}

static void make_structural(const Context *in, int var)
{
    Context lasting = context_lasting(in);
    binding_make_structural(&lasting, var);
}

static const Lookup lookup = {
    .value = value_of,
    .class_of = class_of,
    .function = function_of,
    .operators = operators_of,
    .type = type_of,
    .is_wrong = class_is_wrong,
    .is_range = is_range,
    .structure_operator = structure_operator,
    .resource = resource,
    .trusts = trusts,
    .external = external_call,
    .derivative_fits = external_derivative_fits,
    .tell = external_tell,
    .only_prints = external_only_prints,
    .instance_name = find_instance_name,
    .binding = binding_of,
    .make_structural = make_structural,
};

Flat *instance_flatten(Library *library, LoadClass *model, Intern *names,
                       Arena *arena, Diag *diag)
{
    Flat *flat = NEW(arena, Flat);
    flat->model = model->full_name;
    flat->comment = model->ast->comment ? model->ast->comment : "";
    flat->dag = dag_new(arena);
    flat->span = model->ast->span;
    read_experiment(flat, model->ast);
    Structure structure = {.library = library};
    Run run = {0};
    Context in = {.names = names,
                  .arena = arena,
                  .scratch = arena,
                  .dag = flat->dag,
                  .flat = flat,
                  .run = &run,
                  .structure = &structure,
                  .memo = eval_memo_new(arena),
                  .lookup = &lookup,
                  .diag = diag,
                  .path = expr_bool(flat->dag, true),
                  .end = NONE};
    run.root = &in;
    if (!can_be_flattened(&in, model))
        return NULL;
    flatten(&in, model);
    if (diag_failed(diag))
        return NULL;
    Arena *temp = arena_new();
    number_equations(flat, temp);
    arena_free(temp);
    return flat;
}
