/* external.c - external functions (12.9) that takt knows.
 *
 * `external "builtin"` names a predefined function. Of the C functions that
 * belong to the Modelica language's own library the string functions are
 * computed here when their arguments are known, and tables are functions of
 * takt's own (table.c), whoever declares them. All others are foreign
 * code (foreign.c).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "eval/builtin.h"
#include "external/external.h"
#include "external/foreign.h"
#include "external/wrap.h"

bool external_unsupported(ExternalCall *c, const char *why)
{
    context_report(c->in, c->span, DIAG_U0601,
                   "not supported yet: the external function '%s' of '%s'%s%s",
                   c->c_name, c->x->fn->name, *why ? ": " : "", why);
    return false;
}

/* Arguments that are parameters are decided: their texts are no numbers that
 * the simulation could change. */
Value *external_known_arg(ExternalCall *c, int i)
{
    return i < c->narg ? eval_fold(c->in, c->arg[i]) : NULL;
}

const char *external_text_arg(ExternalCall *c, int i)
{
    Value *v = external_known_arg(c, i);
    return v ? value_const_string(c->in, v) : NULL;
}

bool external_int_arg(ExternalCall *c, int i, int *x)
{
    Value *v = external_known_arg(c, i);
    return v && value_const_int(c->in, v, x);
}

/* Sets the variable the external function writes. */
static bool set_output(ExternalCall *c, const char *name, Value *v)
{
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].name == name) {
            const FunctionVar *fv = &c->x->fn->var[i];
            int *dim = NEW_ARRAY(c->in->arena, int, fv->ndim + 1);
            for (int k = 0; k < fv->ndim; k++)
                dim[k] = NONE;
            v = value_fit(c->in, v, fv->type, fv->ndim, dim, fv->name, c->span);
            if (is_error(v))
                return false;
            scope_assign(c->x->frame, name, v);
            return true;
        }
    return false;
}

bool external_set_result(ExternalCall *c, Value *v)
{
    if (c->ext->result && c->ext->result->npart == 1)
        return set_output(c, c->ext->result->part[0].name, v);
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].direction == DIR_OUTPUT)
            return set_output(c, c->x->fn->var[i].name, v);
    return false;
}

bool external_set_arg(ExternalCall *c, int i, Value *v)
{
    const AstExpr *e = i < c->ext->narg ? c->ext->arg[i] : NULL;
    return e && e->kind == AE_REF && e->ref->npart == 1 &&
           set_output(c, e->ref->part[0].name, v);
}

bool external_set_real(ExternalCall *c, Expr e)
{
    FlatVariability v = FV_CONSTANT;
    for (int i = 0; i < c->narg; i++)
        v = var_max(v, c->arg[i]->variability);
    return external_set_result(
        c, value_scalar(c->in, type_builtin(TYPE_REAL), e, v));
}

Expr external_scalar_arg(ExternalCall *c, int i)
{
    if (i < c->narg && is_scalar(c->arg[i]) && c->arg[i]->scalar &&
        c->arg[i]->scalar[0] >= 0)
        return c->arg[i]->scalar[0];
    external_unsupported(c, "it is not called as takt knows it");
    return EXPR_NONE;
}

/* ---- strings ---- */

static bool string_compare(ExternalCall *c)
{
    const char *a = external_text_arg(c, 0), *b = external_text_arg(c, 1);
    bool exact = true;
    Value *flag = external_known_arg(c, 2);
    if (!a || !b || !flag || !value_const_bool(c->in, flag, &exact))
        return external_unsupported(c, "its arguments are not known");
    int r = 0;
    for (; r == 0 && (*a || *b); a += *a != 0, b += *b != 0) {
        int x = (unsigned char)*a, y = (unsigned char)*b;
        if (!exact) {
            x = tolower(x);
            y = tolower(y);
        }
        r = (x > y) - (x < y);
    }
    const FunctionVar *out = NULL;
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].direction == DIR_OUTPUT)
            out = &c->x->fn->var[i];
    /* Compare: less 1, equal 2, greater 3 */
    Expr e = expr_int(c->in->dag, r + 2);
    if (!out)
        return false;
    return external_set_result(c,
                               value_scalar(c->in, out->type, e, FV_CONSTANT));
}

static bool string_length(ExternalCall *c)
{
    const char *s = external_text_arg(c, 0);
    if (!s)
        return external_unsupported(c, "its argument is not known");
    return external_set_result(c, value_int(c->in, (double)strlen(s)));
}

static bool string_substring(ExternalCall *c)
{
    const char *s = external_text_arg(c, 0);
    int first, last;
    if (!s || !external_int_arg(c, 1, &first) || !external_int_arg(c, 2, &last))
        return external_unsupported(c, "its arguments are not known");
    int n = (int)strlen(s);
    if (first < 1 || last > n || last < first - 1) {
        context_report(c->in, c->span, DIAG_E0503,
                       "the part %d to %d of a string of %d characters", first,
                       last, n);
        return false;
    }
    char *part =
        arena_strndup(c->in->arena, s + first - 1, (size_t)(last - first + 1));
    return external_set_result(c, value_string(c->in, part));
}

static bool string_repeat(ExternalCall *c)
{
    const char *s = external_text_arg(c, 1);
    int n;
    if (!s || !external_int_arg(c, 0, &n) || n < 0 || n > 10000)
        return external_unsupported(c, "its arguments are not known");
    size_t len = strlen(s);
    char *r = arena_alloc(c->in->arena, len * (size_t)n + 1);
    for (int i = 0; i < n; i++)
        memcpy(r + len * (size_t)i, s, len);
    return external_set_result(c, value_string(c->in, r));
}

static bool string_skip(ExternalCall *c)
{
    const char *s = external_text_arg(c, 0);
    int i;
    if (!s || !external_int_arg(c, 1, &i))
        return external_unsupported(c, "its arguments are not known");
    int n = (int)strlen(s);
    while (i >= 1 && i <= n && isspace((unsigned char)s[i - 1]))
        i++;
    return external_set_result(c, value_int(c->in, i));
}

/* Arash Partow's hash function, as the library has it: seeds of noise come
 * from the names of components by it. */
static uint32_t hash_of(const char *s)
{
    uint32_t h = 0xAAAAAAAA;
    for (size_t i = 0; s[i]; i++) {
        uint32_t c = (unsigned char)s[i];
        h ^= i % 2 == 0 ? (h << 7) ^ c * (h >> 3) : ~((h << 11) + (c ^ h >> 5));
    }
    return h;
}

static bool string_hash(ExternalCall *c)
{
    const char *s = external_text_arg(c, 0);
    if (!s)
        return external_unsupported(c, "its argument is not known");
    return external_set_result(c,
                               value_int(c->in, (double)(int32_t)hash_of(s)));
}

/* A message that stops the run: an assertion that never holds on this path. */
static bool report_error(ExternalCall *c)
{
    const Context *in = c->in;
    Expr path = in->path;
    const char *s = external_text_arg(c, 0);
    bool x;
    if (expr_const_bool(in, path, &x) && x) {
        context_report(in, c->span, DIAG_E0612, "error in '%s': %s",
                       c->x->fn->name, s ? s : "");
        return false;
    }
    FlatAssert a = {.condition = expr_not(in, path),
                    .message = c->narg && c->arg[0]->scalar
                                   ? c->arg[0]->scalar[0]
                                   : expr_string(in->dag, ""),
                    .component = in->component,
                    .span = c->span};
    left_assert(in, a);
    return true;
}

/* loadResource of ModelicaServices: the path of a resource. */
static bool load_resource(ExternalCall *c)
{
    const char *uri = external_text_arg(c, 0);
    if (!uri)
        return external_unsupported(c, "its argument is not known");
    const char *path = c->in->lookup->resource(c->in, uri, c->span);
    if (path)
        wrap_note_resource(c->in, path);
    return path && external_set_result(c, value_string(c->in, path));
}

static const ExternalKnown known[] = {
    {"ModelicaStrings_compare", string_compare},
    {"ModelicaStrings_length", string_length},
    {"ModelicaStrings_substring", string_substring},
    {"ModelicaStrings_repeat", string_repeat},
    {"ModelicaStrings_skipWhiteSpace", string_skip},
    {"ModelicaStrings_hashString", string_hash},
    {"ModelicaError", report_error},
    {"takt_load_resource", load_resource},
    {NULL, NULL},
};

/* ---- dispatch ---- */

static bool call_builtin(ExternalCall *c)
{
    if (!builtin_is(c->c_name))
        return external_unsupported(c, "there is no such predefined function");
    Value *v = builtin_apply(c->in, c->c_name, c->arg, c->narg, c->span);
    return !is_error(v) && external_set_result(c, v);
}

/* Is the argument of this name only written: an output, or room to work in? */
static bool is_output(const Function *fn, const AstExpr *e)
{
    if (e->kind != AE_REF || e->ref->npart != 1)
        return false;
    for (int i = 0; i < fn->nvar; i++) {
        const FunctionVar *v = &fn->var[i];
        if (v->name == e->ref->part[0].name)
            return v->direction == DIR_OUTPUT ||
                   (v->direction == DIR_NONE && !v->binding && v->ndim > 0);
    }
    return false;
}

/* The arguments as written, else the inputs in order (12.9.1). */
bool external_collect(ExternalCall *c)
{
    const Function *fn = c->x->fn;
    int most = fn->nvar > c->ext->narg ? fn->nvar : c->ext->narg;
    c->arg = NEW_ARRAY(c->in->arena, Value *, most + 1);
    if (c->ext->function || c->ext->narg) {
        for (int i = 0; i < c->ext->narg; i++) {
            if (is_output(fn, c->ext->arg[i])) {
                c->arg[i] = value_pending(c->in);
                continue;
            }
            c->arg[i] = eval_value(c->in, c->x->frame, c->ext->arg[i]);
            if (is_error(c->arg[i]))
                return false;
        }
        c->narg = c->ext->narg;
        return true;
    }
    for (int i = 0; i < fn->nvar; i++)
        if (fn->var[i].direction == DIR_INPUT)
            c->arg[c->narg++] = scope_local(c->x->frame, fn->var[i].name);
    return true;
}

static const ExternalKnown *find_known(const char *name)
{
    const ExternalKnown *const list[] = {known, external_tables,
                                         external_random, external_library,
                                         external_fft};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (const ExternalKnown *k = list[i]; k->name; k++)
            if (strcmp(k->name, name) == 0)
                return k;
    return NULL;
}

static const char *last_name(const char *full)
{
    const char *dot = strrchr(full, '.');
    return dot ? dot + 1 : full;
}

static const char *c_name(const Function *fn)
{
    return fn->external->function ? fn->external->function
                                  : last_name(fn->name);
}

bool external_only_prints(const Function *fn)
{
    static const char *const name[] = {"ModelicaInternal_print",
                                       "ModelicaStreams_closeFile"};
    for (size_t i = 0; fn->external && i < sizeof name / sizeof name[0]; i++)
        if (strcmp(c_name(fn), name[i]) == 0)
            return true;
    return false;
}

bool external_call(const Context *in, struct Exec *x, Span span)
{
    const AstExternal *ext = x->fn->external;
    ExternalCall c = {.in = in, .x = x, .ext = ext, .span = span};
    c.c_name = c_name(x->fn);
    bool builtin = ext->language && strcmp(ext->language, "builtin") == 0;
    const ExternalKnown *k = find_known(c.c_name);
    if (!builtin && !k)
        return external_call_foreign(&c);
    if (!external_collect(&c))
        return false;
    return builtin ? call_builtin(&c) : k->call(&c);
}
