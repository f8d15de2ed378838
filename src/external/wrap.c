/* wrap.c - from the argument list of an external function to C.
 *
 * Numbers become the types of section 12.9.2: double, int, arrays of them,
 * structs; texts and sizes stand in the wrapper as they are.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/ctext.h"
#include "external/wrap.h"

typedef Vec(char) Chars;

void wrap_put(const Context *in, void *to, const char *fmt, ...)
{
    Chars *out = to;
    va_list ap;
    va_start(ap, fmt);
    const char *s = arena_vprintf(in->arena, fmt, ap);
    va_end(ap);
    for (; *s; s++)
        vec_push(in->arena, out, *s);
}

const char *wrap_text(const Context *in, void *from)
{
    Chars *v = from;
    return arena_strndup(in->arena, v->n ? v->at : "", (size_t)v->n);
}

const AstExpr *wrap_annotation(const ExternalCall *c, const char *name)
{
    const AstArg *a = ast_mod_find(c->ext->annotation, name);
    if (!a)
        a = ast_mod_find(c->x->fn->annotation, name);
    return a && a->mod ? a->mod->value : NULL;
}

/* ---- texts ---- */

void wrap_note_resource(const Context *in, const char *path)
{
    for (int i = 0; i < in->memo->resource.n; i++)
        if (strcmp(in->memo->resource.at[i], path) == 0)
            return;
    vec_push(in->arena, &in->memo->resource, arena_strdup(in->arena, path));
}

/* Is it the path of a resource, or of something beneath one, that is there? */
static bool is_resource(const Context *in, const char *text)
{
    for (int i = 0; i < in->memo->resource.n; i++) {
        const char *at = in->memo->resource.at[i];
        size_t n = strlen(at);
        if (n > 0 && strncmp(text, at, n) == 0 &&
            (text[n] == '\0' || text[n] == '/' || at[n - 1] == '/'))
            return access(text, R_OK) == 0;
    }
    return false;
}

/* Files of resources have other paths where the program runs. */
const char *wrap_string(const Wrap *w, const char *text)
{
    const Context *in = w->c->in;
    return is_resource(in, text) ? arena_printf(in->arena, "TAKT_X(file)(%d)",
                                                foreign_add_file(w->unit, text))
                                 : c_string(text, in->arena);
}

/* ---- types ---- */

const char *wrap_type(const Type *t)
{
    switch (t->kind) {
    case TYPE_REAL: return "double";
    case TYPE_INTEGER:
    case TYPE_BOOLEAN:
    case TYPE_ENUM: return "int";
    case TYPE_STRING: return "const char *";
    default: return NULL;
    }
}

static bool refuse(Wrap *w, const char *what)
{
    return external_unsupported(w->c, what);
}

static void add_argument(Wrap *w, const char *type, const char *text)
{
    const Context *in = w->c->in;
    wrap_put(in, &w->types, "%s%s", w->types.n ? ", " : "", type);
    wrap_put(in, &w->call, "%s%s", w->call.n ? ", " : "", text);
}

/* Where element k of an array in the order of Modelica stands in FORTRAN. */
static int by_column(const Value *v, int k)
{
    int at = 0, stride = 1, rest = k, index[MOST_DIMS];
    for (int i = v->ndim - 1; i >= 0; i--) {
        index[i] = rest % v->dim[i];
        rest /= v->dim[i];
    }
    for (int i = 0; i < v->ndim; i++) {
        at += index[i] * stride;
        stride *= v->dim[i];
    }
    return at;
}

static int place(const Wrap *w, const Value *v, int k)
{
    return w->fortran && v->ndim > 1 ? by_column(v, k) : k;
}

/* ---- inputs ---- */

static void push_in(Wrap *w, Expr e)
{
    vec_push(w->c->in->arena, &w->in, e);
}

static bool put_array(Wrap *w, const Value *v, int n)
{
    const Context *in = w->c->in;
    const char *type = wrap_type(v->type);
    bool text = v->type->kind == TYPE_STRING;
    wrap_put(in, &w->before, "    %s v%d[%d] = {0};\n", type, n,
             v->nscalar > 0 ? v->nscalar : 1);
    for (int k = 0; k < v->nscalar; k++) {
        if (v->scalar[k] < 0) /* room to work in */
            continue;
        if (text && expr_op(in->dag, v->scalar[k]) != EX_STR)
            return refuse(w, "its texts are not known");
        if (text) {
            wrap_put(in, &w->before, "    v%d[%d] = %s;\n", n, k,
                     wrap_string(w, expr_node(in->dag, v->scalar[k])->text));
            continue;
        }
        wrap_put(in, &w->before, "    v%d[%d] = (%s)a[%d];\n", n,
                 place(w, v, k), type, w->in.n);
        push_in(w, v->scalar[k]);
    }
    add_argument(
        w, text ? "const char **" : arena_printf(in->arena, "const %s *", type),
        arena_printf(in->arena, "v%d", n));
    return true;
}

/* A struct of the members in their order, as a pointer. */
static bool put_record(Wrap *w, const Value *v, int n)
{
    const Context *in = w->c->in;
    wrap_put(in, &w->before, "    struct {");
    for (int i = 0; i < v->type->nmember; i++) {
        const Value *m = v->member[i];
        if (!wrap_type(m->type) || m->ndim || m->type->kind == TYPE_STRING)
            return refuse(w, "a record holds something else than numbers");
        wrap_put(in, &w->before, " %s m%d;", wrap_type(m->type), i);
    }
    wrap_put(in, &w->before, " } v%d;\n", n);
    for (int i = 0; i < v->type->nmember; i++) {
        const Value *m = v->member[i];
        wrap_put(in, &w->before, "    v%d.m%d = (%s)a[%d];\n", n, i,
                 wrap_type(m->type), w->in.n);
        push_in(w, m->scalar[0]);
    }
    add_argument(w, "const void *", arena_printf(in->arena, "(void *)&v%d", n));
    return true;
}

static bool put_object(Wrap *w, const Value *v)
{
    const Context *in = w->c->in;
    double number;
    if (!is_scalar(v) || !expr_is_const(in->dag, v->scalar[0], &number) ||
        number < FIRST_OBJECT)
        return refuse(w, "which object it is called with is not known");
    w->has_object = true;
    add_argument(
        w, "void *",
        arena_printf(in->arena, "takt_object(%d)", (int)number - FIRST_OBJECT));
    return true;
}

/* FORTRAN passes by reference and may write: EQUED of dgesvx is an output. */
static bool put_text(Wrap *w, const Value *v, int n)
{
    const Context *in = w->c->in;
    Value *known = eval_fold(in, (Value *)v);
    const char *text = known ? value_const_string(in, known) : NULL;
    if (!text)
        return refuse(w, "a text is not known");
    const char *c = wrap_string(w, text);
    if (!w->fortran || *c != '"') {
        add_argument(w, wrap_type(v->type), c);
        return true;
    }
    wrap_put(in, &w->before, "    char v%d[] = %s;\n", n, c);
    add_argument(w, "char *", arena_printf(in->arena, "v%d", n));
    return true;
}

static bool put_scalar(Wrap *w, const Value *v, int n)
{
    const Context *in = w->c->in;
    const char *type = wrap_type(v->type);
    if (v->type->kind == TYPE_STRING)
        return put_text(w, v, n);
    if (w->fortran && v->scalar[0] < 0) {
        wrap_put(in, &w->before, "    %s v%d = 0;\n", type, n);
        add_argument(w, arena_printf(in->arena, "%s *", type),
                     arena_printf(in->arena, "&v%d", n));
        return true;
    }
    if (w->fortran) {
        wrap_put(in, &w->before, "    %s v%d = (%s)a[%d];\n", type, n, type,
                 w->in.n);
        add_argument(w, arena_printf(in->arena, "%s *", type),
                     arena_printf(in->arena, "&v%d", n));
    } else {
        add_argument(w, type,
                     arena_printf(in->arena, "(%s)a[%d]", type, w->in.n));
    }
    push_in(w, v->scalar[0]);
    return true;
}

static bool put_input(Wrap *w, const Value *v, int n)
{
    w->variability = var_max(w->variability, v->variability);
    if (v->type->kind == TYPE_OBJECT)
        return put_object(w, v);
    if (v->type->kind == TYPE_RECORD)
        return v->ndim || w->fortran ? refuse(w, "an array of records")
                                     : put_record(w, v, n);
    if (!wrap_type(v->type))
        return refuse(w, "an argument has a type that C does not have");
    if (!v->ndim && v->scalar[0] < 0 && !w->fortran)
        return refuse(w, "an argument has no value");
    return v->ndim ? put_array(w, v, n) : put_scalar(w, v, n);
}

/* size(a, 1) has the type size_t. */
bool wrap_is_size(const AstExpr *e)
{
    return e->kind == AE_CALL && e->ref->npart == 1 &&
           strcmp(e->ref->part[0].name, "size") == 0;
}

static bool put_size(Wrap *w, Value *v)
{
    const Context *in = w->c->in;
    int n;
    if (!value_const_int(in, v, &n))
        return refuse(w, "a size is not known");
    if (w->fortran) {
        wrap_put(in, &w->before, "    int n%d = %d;\n", (int)w->call.n, n);
        add_argument(w, "int *",
                     arena_printf(in->arena, "&n%d", (int)w->call.n));
        return true;
    }
    add_argument(w, "size_t", arena_printf(in->arena, "(size_t)%d", n));
    return true;
}

/* ---- outputs ---- */

static int find_var(const Function *fn, const AstExpr *e)
{
    if (e->kind != AE_REF || e->ref->npart != 1 || e->ref->part[0].nsub)
        return NONE;
    for (int i = 0; i < fn->nvar; i++)
        if (fn->var[i].name == e->ref->part[0].name)
            return i;
    return NONE;
}

static bool is_output(const Function *fn, int i)
{
    return i != NONE && fn->var[i].direction == DIR_OUTPUT;
}

const Value *wrap_shape(const Wrap *w, int var)
{
    return scope_local(w->c->x->frame, w->c->x->fn->var[var].name);
}

static bool put_output(Wrap *w, int var, int n)
{
    const Context *in = w->c->in;
    const Value *v = wrap_shape(w, var);
    const char *type = v->member ? NULL : wrap_type(v->type);
    if (!type || v->type->kind == TYPE_STRING)
        return refuse(w, "an output is a text or a record");
    wrap_put(in, &w->before, "    %s v%d[%d] = {0};\n", type, n,
             v->nscalar > 0 ? v->nscalar : 1);
    for (int k = 0; k < v->nscalar; k++) {
        if (v->scalar[k] >= 0) { /* what the declaration gives it */
            wrap_put(in, &w->before, "    v%d[%d] = (%s)a[%d];\n", n,
                     place(w, v, k), type, w->in.n);
            push_in(w, v->scalar[k]);
        }
        wrap_put(in, &w->after, "    y[%d] = v%d[%d];\n", w->nout++, n,
                 place(w, v, k));
    }
    vec_push(in->arena, &w->out_var, var);
    add_argument(w, arena_printf(in->arena, "%s *", type),
                 arena_printf(in->arena, "v%d", n));
    return true;
}

/* ---- the wrapper ---- */

static bool put_written(Wrap *w)
{
    const AstExternal *ext = w->c->ext;
    const Function *fn = w->c->x->fn;
    for (int i = 0; i < ext->narg; i++) {
        int var = find_var(fn, ext->arg[i]);
        if (is_output(fn, var)) {
            if (!put_output(w, var, i))
                return false;
            continue;
        }
        Value *v = var != NONE
                       ? (Value *)wrap_shape(w, var)
                       : eval_value(w->c->in, w->c->x->frame, ext->arg[i]);
        if (is_error(v) ||
            !(wrap_is_size(ext->arg[i]) ? put_size(w, v) : put_input(w, v, i)))
            return false;
    }
    return true;
}

/* Without a list: inputs and outputs as declared (12.9.1). */
static bool put_declared(Wrap *w, int result)
{
    const Function *fn = w->c->x->fn;
    for (int i = 0; i < fn->nvar; i++) {
        AstDirKind dir = fn->var[i].direction;
        if ((dir == DIR_INPUT && !put_input(w, wrap_shape(w, i), i)) ||
            (dir == DIR_OUTPUT && i != result && !put_output(w, i, i)))
            return false;
    }
    return true;
}

/* The output that the function returns; NONE: none. */
static int result_of(const ExternalCall *c)
{
    const Function *fn = c->x->fn;
    if (c->ext->result) {
        for (int i = 0; i < fn->nvar; i++)
            if (fn->var[i].name == c->ext->result->part[0].name)
                return i;
        return NONE;
    }
    int only = NONE, n = 0;
    for (int i = 0; i < fn->nvar; i++)
        if (fn->var[i].direction == DIR_OUTPUT) {
            only = i;
            n++;
        }
    return !c->ext->function && n == 1 ? only : NONE;
}

static const char *symbol(const Wrap *w)
{
    if (!w->fortran)
        return w->c->c_name;
    char *s = arena_printf(w->c->in->arena, "%s_", w->c->c_name);
    for (char *p = s; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return s;
}

bool wrap_call(Wrap *w, const char **body)
{
    const Context *in = w->c->in;
    int result = result_of(w->c);
    bool written = w->c->ext->function || w->c->ext->narg;
    if (!(written ? put_written(w) : put_declared(w, result)))
        return false;
    const char *type = "void", *store = "";
    if (result != NONE) {
        const Value *v = wrap_shape(w, result);
        type = v->ndim || v->member ? NULL : wrap_type(v->type);
        if (!type || v->type->kind == TYPE_STRING)
            return refuse(w, "it returns a text, an array or a record");
        store = arena_printf(in->arena, "y[%d] = ", w->nout++);
        vec_push(in->arena, &w->out_var, result);
    }
    if (!wrap_annotation(w->c, "Include"))
        foreign_add_prototype(
            w->unit,
            arena_printf(in->arena, "extern %s %s(%s);", type, symbol(w),
                         w->types.n ? wrap_text(in, &w->types) : "void"));
    *body = arena_printf(
        in->arena,
        "{\n    jmp_buf back;\n    (void)a;\n"
        "    for (int k = 0; k < %d; k++)\n        y[k] = k == 0;\n"
        "    takt_external_used = 0;\n    takt_external_back = &back;\n"
        "    if (setjmp(back)) {\n        takt_external_back = 0;\n"
        "        return;\n    }\n%s    %s%s(%s);\n%s    y[0] = 0;\n"
        "    takt_external_back = 0;\n}\n",
        w->nout, wrap_text(in, &w->before), store, symbol(w),
        wrap_text(in, &w->call), wrap_text(in, &w->after));
    return true;
}

const char *wrap_once(const Wrap *w, const char *body, int number)
{
    return arena_printf(
        w->c->in->arena,
        "{\n    /* call %d of the model: it has a memory of its own */\n"
        "    static double takt_last, takt_kept[%d];\n"
        "    if (a[%d] == 0) {\n        takt_last = 0;\n"
        "        for (int k = 0; k < %d; k++)\n"
        "            takt_kept[k] = 0;\n    }\n"
        "    if (a[%d] == takt_last) {\n        for (int k = 0; k < %d; k++)\n"
        "            y[k] = takt_kept[k];\n        return;\n    }\n"
        "    takt_last = a[%d];\n    %s"
        "    for (int k = 0; k < %d; k++)\n        takt_kept[k] = y[k];\n}\n",
        w->c->in->memo->ncounted, w->nout, number, w->nout, number, w->nout,
        number, body, w->nout);
}

/* Central differences: argument narg says by which one. */
const char *wrap_differences(const Wrap *w, int number)
{
    int n = w->in.n;
    return arena_printf(
        w->c->in->arena,
        "{\n    double x[%d], up[%d], h;\n    const int i = (int)a[%d];\n"
        "    for (int k = 0; k < %d; k++)\n        x[k] = a[k];\n"
        "    h = x[i] < 0 ? -x[i] : x[i];\n"
        "    h = 6e-6 * (h > 1 ? h : 1);\n"
        "    x[i] = a[i] + h;\n    TAKT_X(%d)(x, up);\n"
        "    x[i] = a[i] - h;\n    TAKT_X(%d)(x, y);\n"
        "    y[0] = up[0] + y[0];\n"
        "    for (int k = 1; k < %d; k++)\n"
        "        y[k] = (up[k] - y[k]) / (2 * h);\n}\n",
        n + 1, w->nout, n, n, number, number, w->nout);
}
