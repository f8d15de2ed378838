/* external.c - external functions (12.9) that takt knows.
 *
 * `external "builtin"` names a predefined function. Of the C functions that
 * belong to the Modelica language's own library the string functions are
 * computed here when their arguments are known. All others are unsupported,
 * with their name and place.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "eval/builtin.h"
#include "eval/exec.h"

typedef struct ExternalCall {
    const Context *in;
    Exec *x;
    const AstExternal *ext;
    const char *c_name;
    Value *arg[8];
    int narg;
    Span span;
} ExternalCall;

static bool unsupported(ExternalCall *c, const char *why)
{
    context_report(c->in, c->span, DIAG_U0601,
                   "not supported yet: the external function '%s' of '%s'%s%s",
                   c->c_name, c->x->fn->name, *why ? ": " : "", why);
    return false;
}

/* Arguments that are parameters are decided: their texts are no numbers that
 * the simulation could change. */
static Value *known_arg(ExternalCall *c, int i)
{
    return i < c->narg ? eval_fold(c->in, c->arg[i]) : NULL;
}

static const char *text_arg(ExternalCall *c, int i)
{
    Value *v = known_arg(c, i);
    return v ? value_const_string(c->in, v) : NULL;
}

static bool int_arg(ExternalCall *c, int i, int *x)
{
    Value *v = known_arg(c, i);
    return v && value_const_int(c->in, v, x);
}

/* Sets the variable the external function writes. */
static bool set_output(ExternalCall *c, const char *name, Value *v)
{
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].name == name) {
            const FunctionVar *fv = &c->x->fn->var[i];
            if (fv->ndim)
                return false;
            v = value_fit(c->in, v, fv->type, 0, NULL, fv->name, c->span);
            if (is_error(v))
                return false;
            scope_assign(c->x->frame, name, v);
            return true;
        }
    return false;
}

static bool set_result(ExternalCall *c, Value *v)
{
    if (c->ext->result && c->ext->result->npart == 1)
        return set_output(c, c->ext->result->part[0].name, v);
    for (int i = 0; i < c->x->fn->nvar; i++)
        if (c->x->fn->var[i].direction == DIR_OUTPUT)
            return set_output(c, c->x->fn->var[i].name, v);
    return false;
}

/* ---- strings ---- */

static bool string_compare(ExternalCall *c)
{
    const char *a = text_arg(c, 0), *b = text_arg(c, 1);
    bool exact = true;
    Value *flag = known_arg(c, 2);
    if (!a || !b || !flag || !value_const_bool(c->in, flag, &exact))
        return unsupported(c, "its arguments are not known");
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
    return set_result(c, value_scalar(c->in, out->type, e, FV_CONSTANT));
}

static bool string_length(ExternalCall *c)
{
    const char *s = text_arg(c, 0);
    if (!s)
        return unsupported(c, "its argument is not known");
    return set_result(c, value_int(c->in, (double)strlen(s)));
}

static bool string_substring(ExternalCall *c)
{
    const char *s = text_arg(c, 0);
    int first, last;
    if (!s || !int_arg(c, 1, &first) || !int_arg(c, 2, &last))
        return unsupported(c, "its arguments are not known");
    int n = (int)strlen(s);
    if (first < 1 || last > n || last < first - 1) {
        context_report(c->in, c->span, DIAG_E0503,
                       "the part %d to %d of a string of %d characters", first,
                       last, n);
        return false;
    }
    char *part =
        arena_strndup(c->in->arena, s + first - 1, (size_t)(last - first + 1));
    return set_result(c, value_string(c->in, part));
}

static bool string_repeat(ExternalCall *c)
{
    const char *s = text_arg(c, 1);
    int n;
    if (!s || !int_arg(c, 0, &n) || n < 0 || n > 10000)
        return unsupported(c, "its arguments are not known");
    size_t len = strlen(s);
    char *r = arena_alloc(c->in->arena, len * (size_t)n + 1);
    for (int i = 0; i < n; i++)
        memcpy(r + len * (size_t)i, s, len);
    return set_result(c, value_string(c->in, r));
}

static bool string_skip(ExternalCall *c)
{
    const char *s = text_arg(c, 0);
    int i;
    if (!s || !int_arg(c, 1, &i))
        return unsupported(c, "its arguments are not known");
    int n = (int)strlen(s);
    while (i >= 1 && i <= n && isspace((unsigned char)s[i - 1]))
        i++;
    return set_result(c, value_int(c->in, i));
}

static bool string_hash(ExternalCall *c)
{
    const char *s = text_arg(c, 0);
    if (!s)
        return unsupported(c, "its argument is not known");
    uint32_t h = 5381;
    for (; *s; s++)
        h = h * 33 + (unsigned char)*s;
    return set_result(c, value_int(c->in, (double)(int32_t)h));
}

/* A message that stops the run: an assertion that never holds on this path. */
static bool report_error(ExternalCall *c)
{
    const Context *in = c->in;
    Expr path = in->path;
    const char *s = text_arg(c, 0);
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
    const char *uri = text_arg(c, 0);
    if (!uri)
        return unsupported(c, "its argument is not known");
    const char *path = c->in->lookup->resource(c->in, uri, c->span);
    return path && set_result(c, value_string(c->in, path));
}

typedef struct Known {
    const char *name;
    bool (*call)(ExternalCall *c);
} Known;

static const Known known[] = {
    {"ModelicaStrings_compare", string_compare},
    {"ModelicaStrings_length", string_length},
    {"ModelicaStrings_substring", string_substring},
    {"ModelicaStrings_repeat", string_repeat},
    {"ModelicaStrings_skipWhiteSpace", string_skip},
    {"ModelicaStrings_hashString", string_hash},
    {"ModelicaError", report_error},
    {"takt_load_resource", load_resource},
};

/* ---- dispatch ---- */

static bool call_builtin(ExternalCall *c)
{
    if (!builtin_is(c->c_name))
        return unsupported(c, "there is no such predefined function");
    Value *v = builtin_apply(c->in, c->c_name, c->arg, c->narg, c->span);
    return !is_error(v) && set_result(c, v);
}

/* The arguments as written, else the inputs in order (12.9.1). */
static bool collect_arguments(ExternalCall *c)
{
    const Function *fn = c->x->fn;
    if (c->ext->function || c->ext->narg) {
        for (int i = 0; i < c->ext->narg && i < 8; i++) {
            c->arg[i] = eval_value(c->in, c->x->frame, c->ext->arg[i]);
            if (is_error(c->arg[i]))
                return false;
        }
        c->narg = c->ext->narg < 8 ? c->ext->narg : 8;
        return true;
    }
    for (int i = 0; i < fn->nvar && c->narg < 8; i++)
        if (fn->var[i].direction == DIR_INPUT)
            c->arg[c->narg++] = scope_local(c->x->frame, fn->var[i].name);
    return true;
}

static const char *last_name(const char *full)
{
    const char *dot = strrchr(full, '.');
    return dot ? dot + 1 : full;
}

bool call_external(const Context *in, Exec *x, Span span)
{
    const AstExternal *ext = x->fn->external;
    ExternalCall c = {.in = in, .x = x, .ext = ext, .span = span};
    c.c_name = ext->function ? ext->function : last_name(x->fn->name);
    bool builtin = ext->language && strcmp(ext->language, "builtin") == 0;
    const Known *k = NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, c.c_name) == 0)
            k = &known[i];
    if (!builtin && !k)
        return unsupported(&c, "");
    if (!collect_arguments(&c))
        return false;
    return builtin ? call_builtin(&c) : k->call(&c);
}
