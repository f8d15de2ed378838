/* operator.c - overloaded operators of operator records (chapter 14).
 *
 * Which function is meant follows from the types alone. For a binary operator
 * the functions of both operands are candidates; if none fits as it is, one
 * operand may first be made a record by a constructor; if none fits then, and
 * an operand is an array, the operator works on the elements as it does on
 * numbers (14.5). More than one function that fits is an error, except that
 * one that fits without Integer becoming Real is preferred.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/builtin.h"
#include "eval/exec.h"

/* ---- which functions fit ---- */

enum { FITS_NOT, FITS_LOOSELY, FITS_EXACTLY };

typedef struct Candidates {
    const Function *const *fn;
    int n;
} Candidates;

/* The arguments of a call as values; name[i] is NULL for one given by place. */
typedef struct Args {
    Value **value;
    const char **name;
    int n;
} Args;

static Candidates candidates(const Context *in, const Value *v,
                             const char *name)
{
    Candidates c = {0};
    if (is_kind(v, TYPE_RECORD) && v->type->cls)
        c.n = in->lookup->operators(in, v->type->cls, name, &c.fn);
    return c;
}

/* Does the value fit the input? `each`: further dimensions may be in front. */
static int input_fits(const FunctionVar *fv, const Value *v, bool each)
{
    if (each ? v->ndim < fv->ndim : v->ndim != fv->ndim)
        return FITS_NOT;
    const Type *t = type_common(fv->type, v->type);
    if (!t || t->kind != fv->type->kind)
        return FITS_NOT;
    return type_equal(fv->type, v->type) ? FITS_EXACTLY : FITS_LOOSELY;
}

static int place_of(const Function *fn, const Args *a, int k, Value **arg)
{
    for (int i = 0; i < fn->nvar; i++)
        if (function_is_input(fn, i) && !arg[i] &&
            (!a->name[k] || a->name[k] == fn->var[i].name))
            return i;
    return NONE;
}

/* Brings the arguments into the order of the inputs and says how they fit. */
static int match(const Function *fn, const Args *a, bool each, Value **arg)
{
    int best = FITS_EXACTLY;
    memset(arg, 0, (size_t)(fn->nvar + 1) * sizeof *arg);
    for (int k = 0; k < a->n; k++) {
        int i = place_of(fn, a, k, arg);
        int fit =
            i == NONE ? FITS_NOT : input_fits(&fn->var[i], a->value[k], each);
        if (fit == FITS_NOT)
            return FITS_NOT;
        arg[i] = a->value[k];
        best = fit < best ? fit : best;
    }
    for (int i = 0; i < fn->nvar; i++)
        if (function_is_input(fn, i) && !arg[i] && !fn->var[i].binding)
            return FITS_NOT;
    return best;
}

typedef struct Chosen {
    const Function *fn; /* NULL: none */
    int fit;
    bool ambiguous; /* with `other` */
    const Function *other;
} Chosen;

/* Complex and a type made of it by modification have the same functions. */
static bool is_same(const Function *f, const Function *g)
{
    return f && (f == g || (f->span.source == g->span.source &&
                            f->span.begin == g->span.begin));
}

static void choose(const Context *in, Candidates c, const Args *a, bool each,
                   Chosen *best)
{
    for (int i = 0; i < c.n; i++) {
        Value **arg = NEW_ARRAY(in->scratch, Value *, c.fn[i]->nvar + 1);
        int fit = match(c.fn[i], a, each, arg);
        if (fit == FITS_NOT || is_same(best->fn, c.fn[i]) || fit < best->fit)
            continue;
        best->ambiguous = best->fn && best->fit == fit;
        best->other = best->fn;
        best->fn = c.fn[i];
        best->fit = fit;
    }
}

static Value *ambiguous(const Context *in, const Chosen *c, const char *what,
                        Span span)
{
    context_report(in, span, DIAG_E0619,
                   "%s is ambiguous: both '%s' and '%s' fit", what,
                   c->other->name, c->fn->name);
    diag_note(in->diag, c->fn->span, "the one is declared here");
    diag_note(in->diag, c->other->span, "the other is declared here");
    return value_error(in);
}

static Value *call_chosen(const Context *in, const Chosen *c, const Args *a,
                          bool each, Span span)
{
    Value **arg = NEW_ARRAY(in->scratch, Value *, c->fn->nvar + 1);
    match(c->fn, a, each, arg);
    return call_function(in, c->fn, arg, span);
}

/* ---- constructors and String (14.3, 14.4) ---- */

/* The arguments as written; false after a report. */
static bool read_args(const Context *in, Scope *scope, const AstExpr *e,
                      Args *a)
{
    int n = e->narg + e->nnamed;
    *a = (Args){NEW_ARRAY(in->scratch, Value *, n + 1),
                NEW_ARRAY(in->scratch, const char *, n + 1), n};
    bool ok = true;
    for (int k = 0; k < n; k++) {
        bool by_place = k < e->narg;
        const AstNamed *named = by_place ? NULL : &e->named[k - e->narg];
        a->name[k] = by_place ? NULL : named->name;
        a->value[k] =
            eval_value(in, scope, by_place ? e->arg[k] : named->value);
        ok = ok && !is_error(a->value[k]);
    }
    return ok;
}

static const char *args_text(const Context *in, const Args *a)
{
    const char *s = "";
    for (int k = 0; k < a->n; k++)
        s = arena_printf(in->arena, "%s%s%s%s%s", s, k ? ", " : "",
                         a->name[k] ? a->name[k] : "", a->name[k] ? " = " : "",
                         value_text(in, a->value[k]));
    return s;
}

static Value *call_overloaded(const Context *in, Scope *scope, const AstExpr *e,
                              Candidates c, const char *what)
{
    Args a;
    if (!read_args(in, scope, e, &a))
        return value_error(in);
    for (int each = 0; each < 2; each++) {
        Chosen best = {0};
        choose(in, c, &a, each, &best);
        if (best.ambiguous)
            return ambiguous(in, &best, what, e->span);
        if (best.fn)
            return call_chosen(in, &best, &a, each, e->span);
    }
    context_report(in, e->span, DIAG_E0401, "%s has no function for (%s)", what,
                   args_text(in, &a));
    for (int i = 0; i < c.n; i++)
        function_note_signature(in, c.fn[i]);
    return value_error(in);
}

Value *operator_construct(const Context *in, Scope *scope, const AstExpr *e,
                          const Class *cls)
{
    Candidates c = {0};
    c.n = in->lookup->operators(in, cls, "'constructor'", &c.fn);
    if (c.n == 0)
        return NULL;
    return call_overloaded(in, scope, e, c,
                           arena_printf(in->arena, "the constructor '%s'",
                                        ast_ref_text(e->ref, in->arena)));
}

Value *operator_string(const Context *in, Scope *scope, const AstExpr *e,
                       const Value *first)
{
    Candidates c = candidates(in, first, "'String'");
    return c.n ? call_overloaded(in, scope, e, c, "String()") : NULL;
}

/* ---- binary operators ---- */

typedef struct Binary {
    AstOp op;
    const char *name; /* "'+'" */
    Span span;
} Binary;

/* .+ and the others work as + does, element by element. */
static AstOp plain_op(AstOp op)
{
    switch (op) {
    case OP_EADD: return OP_ADD;
    case OP_ESUB: return OP_SUB;
    case OP_EMUL: return OP_MUL;
    case OP_EDIV: return OP_DIV;
    case OP_EPOW: return OP_POW;
    default: return op;
    }
}

static Value *apply_two(const Context *in, const Binary *b, Value *x, Value *y,
                        Chosen *best)
{
    Value *value[2] = {x, y};
    const char *name[2] = {NULL, NULL};
    Args a = {value, name, 2};
    *best = (Chosen){0};
    choose(in, candidates(in, x, b->name), &a, false, best);
    choose(in, candidates(in, y, b->name), &a, false, best);
    if (best->ambiguous)
        return ambiguous(
            in, best,
            arena_printf(in->arena, "operator '%s'", ast_op_text(b->op)),
            b->span);
    return best->fn ? call_chosen(in, best, &a, false, b->span) : NULL;
}

/* The value made a record of the type of `like` by one argument; NULL: there
 * is no such constructor, or more than one. */
static Value *converted(const Context *in, Value *v, const Value *like,
                        Span span)
{
    if (!is_kind(like, TYPE_RECORD) || is_kind(v, TYPE_RECORD))
        return NULL;
    const char *name[1] = {NULL};
    Args a = {&v, name, 1};
    Chosen best = {0};
    choose(in, candidates(in, like, "'constructor'"), &a, false, &best);
    if (!best.fn || best.ambiguous)
        return NULL;
    return call_chosen(in, &best, &a, false, span);
}

/* On operands as they are, or with one of them converted; NULL: there is no
 * function. */
static Value *apply_whole(const Context *in, const Binary *b, Value *x,
                          Value *y)
{
    Chosen best;
    Value *r = apply_two(in, b, x, y, &best);
    if (r)
        return r;
    Value *cx = converted(in, x, y, b->span);
    if (cx && !is_error(cx))
        return apply_two(in, b, cx, y, &best);
    Value *cy = converted(in, y, x, b->span);
    if (cy && !is_error(cy))
        return apply_two(in, b, x, cy, &best);
    return NULL;
}

/* ---- arrays of records ---- */

static Value *no_operator(const Context *in, const Binary *b, const Value *x,
                          const Value *y)
{
    context_report(in, b->span, DIAG_E0401,
                   "operator '%s' cannot be applied to %s and %s",
                   ast_op_text(b->op), value_text(in, x), value_text(in, y));
    return value_error(in);
}

static Value *flat_element(const Context *in, const Value *v, int k)
{
    if (is_scalar(v))
        return (Value *)v;
    int n = value_count(v);
    return value_element(in, value_reshape(in, v, 1, &n), k);
}

static Value *elements(const Context *in, const Binary *b, Value *x, Value *y)
{
    const Value *shape = is_scalar(x) ? y : x;
    if (!is_scalar(x) && !is_scalar(y) && !same_dims(x, y)) {
        context_report(in, b->span, DIAG_E0501,
                       "operator '%s' cannot be applied to %s and %s: the "
                       "sizes differ",
                       ast_op_text(b->op), value_text(in, x),
                       value_text(in, y));
        return value_error(in);
    }
    int n = value_count(shape);
    if (n == 0)
        return is_kind(x, TYPE_RECORD) && shape == x ? x : y;
    Value **part = NEW_ARRAY(in->scratch, Value *, n);
    for (int k = 0; k < n; k++) {
        Value *p = flat_element(in, x, k), *q = flat_element(in, y, k);
        part[k] = apply_whole(in, b, p, q);
        if (!part[k])
            return no_operator(in, b, x, y);
        if (is_error(part[k]))
            return part[k];
    }
    return value_join(in, shape->ndim, shape->dim, part);
}

/* '0' of the record: what an empty sum is (14.2). */
static Value *zero(const Context *in, const Value *like, Span span)
{
    Candidates c = candidates(in, like, "'0'");
    Args none = {0};
    Chosen best = {0};
    choose(in, c, &none, false, &best);
    return best.fn ? call_chosen(in, &best, &none, false, span) : NULL;
}

/* Row i of a times column j of b. */
static Value *inner_product(const Context *in, const Binary *b, const Value *x,
                            const Value *y, int i, int j)
{
    int m = x->dim[x->ndim - 1], p = y->ndim == 2 ? y->dim[1] : 1;
    Binary plus = {OP_ADD, "'+'", b->span};
    Value *sum = NULL;
    for (int k = 0; k < m; k++) {
        Value *t = apply_whole(in, b, flat_element(in, x, i * m + k),
                               flat_element(in, y, k * p + j));
        if (!t || is_error(t))
            return t;
        sum = sum ? apply_whole(in, &plus, sum, t) : t;
        if (!sum || is_error(sum))
            return sum;
    }
    return sum ? sum : zero(in, is_kind(x, TYPE_RECORD) ? x : y, b->span);
}

/* vector*vector, matrix*vector, vector*matrix, matrix*matrix */
static Value *products(const Context *in, const Binary *b, Value *x, Value *y)
{
    int m = x->dim[x->ndim - 1];
    if (x->ndim > 2 || y->ndim > 2 || y->dim[0] != m) {
        context_report(in, b->span, DIAG_E0501,
                       "operator '*' cannot be applied to %s and %s: only "
                       "vectors and matrices whose columns meet as many rows "
                       "can be multiplied",
                       value_text(in, x), value_text(in, y));
        return value_error(in);
    }
    int n = x->ndim == 2 ? x->dim[0] : 1, p = y->ndim == 2 ? y->dim[1] : 1;
    int dim[2], ndim = 0;
    if (x->ndim == 2)
        dim[ndim++] = n;
    if (y->ndim == 2)
        dim[ndim++] = p;
    Value **part = NEW_ARRAY(in->scratch, Value *, n * p + 1);
    for (int k = 0; k < n * p; k++) {
        part[k] = inner_product(in, b, x, y, k / p, k % p);
        if (!part[k])
            return no_operator(in, b, x, y);
        if (is_error(part[k]))
            return part[k];
    }
    if (n * p == 0)
        return value_make(in, x->type, ndim, dim);
    return ndim ? value_join(in, ndim, dim, part) : part[0];
}

Value *operator_binary(const Context *in, AstOp op, Value *x, Value *y,
                       Span span)
{
    AstOp plain = plain_op(op);
    Binary b = {op, arena_printf(in->arena, "'%s'", ast_op_text(plain)), span};
    bool arrays = !is_scalar(x) && !is_scalar(y);
    Value *r = plain == op || !arrays ? apply_whole(in, &b, x, y) : NULL;
    if (r)
        return r;
    if (is_scalar(x) && is_scalar(y))
        return no_operator(in, &b, x, y);
    if (op == OP_MUL && arrays)
        return products(in, &b, x, y);
    bool one = plain != op || op == OP_MUL || (op == OP_DIV && is_scalar(y));
    if ((op == OP_POW) || (!one && !arrays) || (op == OP_DIV && arrays))
        return no_operator(in, &b, x, y);
    return elements(in, &b, x, y);
}

/* ---- unary operators, sums ---- */

static Value *unary_whole(const Context *in, const char *name, Value *v,
                          Span span, Chosen *best)
{
    const char *none[1] = {NULL};
    Args a = {&v, none, 1};
    *best = (Chosen){0};
    choose(in, candidates(in, v, name), &a, false, best);
    if (best->ambiguous)
        return ambiguous(in, best, arena_printf(in->arena, "operator %s", name),
                         span);
    return best->fn ? call_chosen(in, best, &a, false, span) : NULL;
}

Value *operator_unary(const Context *in, AstOp op, Value *v, Span span)
{
    const char *name = op == OP_NOT ? "'not'" : "'-'";
    Chosen best;
    Value *r = unary_whole(in, name, v, span, &best);
    if (r)
        return r;
    int n = value_count(v);
    Value **part = NEW_ARRAY(in->scratch, Value *, n + 1);
    for (int k = 0; !is_scalar(v) && k < n; k++) {
        part[k] = unary_whole(in, name, flat_element(in, v, k), span, &best);
        if (!part[k])
            break;
        if (is_error(part[k]))
            return part[k];
        if (k == n - 1)
            return value_join(in, v->ndim, v->dim, part);
    }
    if (!is_scalar(v) && n == 0)
        return v;
    context_report(in, span, DIAG_E0401,
                   "operator '%s' cannot be applied to %s", ast_op_text(op),
                   value_text(in, v));
    return value_error(in);
}

Value *operator_sum(const Context *in, const Value *v, Span span)
{
    Binary plus = {OP_ADD, "'+'", span};
    Value *sum = NULL;
    for (int k = 0; k < value_count(v); k++) {
        Value *t = flat_element(in, v, k);
        sum = sum ? apply_whole(in, &plus, sum, t) : t;
        if (!sum)
            return no_operator(in, &plus, t, t);
        if (is_error(sum))
            return sum;
    }
    return sum ? sum : zero(in, v, span);
}
