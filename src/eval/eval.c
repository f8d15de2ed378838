/* eval.c - expressions (chapter 3): the switch over the syntax, references,
 * if-expressions, equations.
 *
 * Sums lean to the left and may be long, so a chain of binary operators is a
 * loop; all other nesting is limited by the parser, and by MOST_NESTED where
 * functions call functions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/die.h"
#include "eval/exec.h"

struct Memo *eval_memo_new(Arena *arena)
{
    return NEW(arena, Memo);
}

/* ---- limits ---- */

bool eval_step(const Context *in, Span span)
{
    Run *run = in->run;
    if (run->exhausted)
        return false;
    if (++run->work > MOST_WORK) {
        context_report(in, span, DIAG_E0608,
                       "compile-time evaluation takes more than %d steps",
                       MOST_WORK);
        run->exhausted = true;
        run->exhausted_at = span;
        return false;
    }
    if (in->exec && run->work % 1024 == 0 &&
        arena_used() > in->memory_before + (size_t)MOST_MEGABYTES * 1000000) {
        context_report(in, span, DIAG_E0608,
                       "compile-time evaluation of this call needs more than "
                       "%d MB",
                       MOST_MEGABYTES);
        run->exhausted = true;
        run->exhausted_at = span;
        return false;
    }
    if (run->depth > MOST_NESTED) {
        context_report(in, span, DIAG_E0607,
                       "expressions and calls are nested more than %d deep",
                       MOST_NESTED);
        return false;
    }
    return true;
}

const char *expr_as_text(const Context *in, const AstExpr *e)
{
    const char *s = ast_expr_text(e, in->arena);
    if (strlen(s) <= 60)
        return s;
    return arena_printf(in->arena, "%.57s...", s);
}

/* ---- references ---- */

/* The rest of a reference below a local name: subscripts and members. */
static Value *follow(const Context *in, Scope *scope, const AstRef *ref,
                     Value *v)
{
    int lead = 0; /* dimensions in front of those of the part */
    for (int i = 0; i < ref->npart && !is_error(v); i++) {
        const AstPart *p = &ref->part[i];
        if (i > 0) {
            lead = v->ndim;
            Value *m = value_member(v, p->name);
            if (!m) {
                context_report(in, p->span, DIAG_E0411,
                               "'%s' has no member '%s'", v->type->name,
                               p->name);
                return value_error(in);
            }
            v = m;
        }
        v = eval_sub_lead(in, scope, v, lead, p->sub, p->nsub, p->span);
    }
    return v;
}

static Value *local_ref(const Context *in, Scope *scope, const AstRef *ref)
{
    if (ref->global || ref->npart == 0 ||
        !scope_local(scope, ref->part[0].name))
        return NULL;
    const char *name = ref->part[0].name;
    Value *v = frame_read(in, scope, name, ref->span);
    if (is_error(v))
        return v;
    bool whole = ref->npart == 1 && ref->part[0].nsub == 0;
    if (!whole)
        v = follow(in, scope, ref, v);
    if (is_error(v) || !value_is_set(in, v, name, ref->span))
        return value_error(in);
    value_share(v);
    return v;
}

Value *eval_ref_raw(const Context *in, Scope *scope, const AstRef *ref)
{
    Value *v = local_ref(in, scope, ref);
    return v ? v : in->lookup->value(in, scope, ref);
}

/* In an algorithm section a variable has the value assigned last. */
static Expr read_slot(void *context, const Context *in, Expr e,
                      const Type *type)
{
    (void)type;
    int var, order;
    const Memo *memo = in->memo;
    if (e < 0 || !expr_is_var(in->dag, e, &var, &order) || order != 0 ||
        var >= memo->nslot || memo->slot[var] == NONE)
        return e;
    return section_read(in, context, memo->slot[var]);
}

/* A reference that was subscripted by a run-time index is an expression. */
static Expr replace_slot(void *context, Dag *d, Expr leaf)
{
    (void)d;
    const Context *in = context;
    Expr r = read_slot(exec_section(in), in, leaf, NULL);
    return r == leaf ? EXPR_NONE : r;
}

static Expr read_slots(void *context, const Context *in, Expr e,
                       const Type *type)
{
    int var, order;
    if (e < 0 || expr_is_var(in->dag, e, &var, &order))
        return read_slot(context, in, e, type);
    double x;
    if (expr_is_const(in->dag, e, &x))
        return e;
    ExprMap *m = expr_map_new(in->dag, replace_slot, (void *)in, in->arena);
    return expr_map(m, e);
}

static Value *eval_ref(const Context *in, Scope *scope, const AstExpr *e)
{
    Value *v = local_ref(in, scope, e->ref);
    if (v)
        return v;
    v = in->lookup->value(in, scope, e->ref);
    Exec *section = exec_section(in);
    if (section && !is_error(v) && v->variability > FV_PARAMETER)
        v = value_map(in, v, read_slots, section);
    return v;
}

/* ---- if ---- */

Expr eval_condition(const Context *in, Scope *scope, const AstExpr *e,
                    const char *what, FlatVariability *variability)
{
    Value *v = eval_value(in, scope, e);
    if (is_error(v))
        return EXPR_NONE;
    if (!is_scalar(v) || !is_kind(v, TYPE_BOOLEAN)) {
        context_report(in, e->span, DIAG_E0408,
                       "%s must be a scalar Boolean, but it is %s", what,
                       value_text(in, v));
        return EXPR_NONE;
    }
    if (variability)
        *variability = v->variability;
    return v->scalar[0];
}

typedef struct IfBranch {
    Expr cond; /* EXPR_NONE: else */
    FlatVariability variability;
    Value *value;
} IfBranch;

/* The value of a branch under its condition. A branch below a condition of
 * parameters is tried in silence first: it may be wrong for the sizes at hand,
 * and the condition may be there to say so. NULL: it is wrong. */
static Value *branch_value(const Context *in, Scope *scope, const AstExpr *e,
                           bool attempt)
{
    if (!attempt)
        return eval_value(in, scope, e);
    Trial t;
    trial_begin(&t, in);
    Value *v = eval_value(&t.in, scope, e);
    if (trial_failed(&t) || is_error(v)) {
        trial_drop(&t);
        return NULL;
    }
    trial_keep(&t);
    return v;
}

static Value *if_types_differ(const Context *in, const Value *a, const Value *b,
                              Span span)
{
    bool shapes = type_common(a->type, b->type) != NULL;
    context_report(in, span, shapes ? DIAG_E0501 : DIAG_E0407,
                   "the branches of this if-expression have different %s: %s "
                   "and %s",
                   shapes ? "sizes" : "types", value_text(in, a),
                   value_text(in, b));
    return value_error(in);
}

/* if c1 then v1 else if c2 ...: from the back. */
static Value *combine(const Context *in, IfBranch *b, int n, Span span)
{
    Value *r = b[n - 1].value;
    for (int i = n - 2; i >= 0; i--) {
        Value *v = b[i].value;
        if (is_error(v) || is_error(r))
            return value_error(in);
        const Type *t = type_common(v->type, r->type);
        if (!t || !same_dims(v, r))
            return if_types_differ(in, v, r, span);
        if (t->kind == TYPE_RECORD && v->type->kind == TYPE_RECORD)
            t = v->type;
        r = value_if(in, b[i].cond, b[i].variability, value_convert(in, v, t),
                     value_convert(in, r, t));
    }
    return r;
}

/* Can the branch join the others? */
static bool joins(const IfBranch *b, int n, const Value *v)
{
    if (n == 0 || is_error(v) || is_error(b[0].value))
        return true;
    return type_common(b[0].value->type, v->type) && same_dims(b[0].value, v);
}

/* Replaces a condition of parameters by its value where that is known. */
static void fix_condition(const Context *in, Expr *c)
{
    Expr k = fold_expr(in, *c);
    if (k != EXPR_NONE)
        *c = k;
}

/* The branches that may be taken. Returns their number; 0 after a report; NONE
 * if they do not fit together and `fix` is false: the conditions then decide
 * now which of them there are. */
static int eval_branches(const Context *in, Scope *scope, const AstExpr *e,
                         bool fix, IfBranch *b)
{
    Context at = *in; /* narrowed by the conditions so far */
    int nbranch = e->narg / 2, n = 0;
    bool tunable = false, known = false, x = false;
    for (int i = 0; i <= nbranch && !x; i++) {
        Expr c = EXPR_NONE;
        FlatVariability variability = FV_CONSTANT;
        if (i < nbranch) {
            c = eval_condition(&at, scope, e->arg[2 * i],
                               "the condition of an if-expression",
                               &variability);
            if (c == EXPR_NONE)
                return 0;
            if (fix && variability <= FV_PARAMETER)
                fix_condition(in, &c);
            known = expr_const_bool(in, c, &x);
            if (known && !x)
                continue;
            tunable |= !known && variability <= FV_PARAMETER;
        }
        Context here = c == EXPR_NONE ? at : context_narrow(&at, c);
        const AstExpr *body =
            i < nbranch ? e->arg[2 * i + 1] : e->arg[e->narg - 1];
        Value *v = branch_value(&here, scope, body, tunable && !fix);
        if (!v || (tunable && !fix && !joins(b, n, v)))
            return NONE;
        if (c != EXPR_NONE && !x)
            at = context_narrow(&at, expr_not(in, c));
        b[n++] = (IfBranch){c, variability, v};
    }
    return n;
}

/* 3.6.5: a branch whose condition is known to be false is not evaluated. */
static Value *eval_if(const Context *in, Scope *scope, const AstExpr *e)
{
    IfBranch *b = NEW_ARRAY(in->scratch, IfBranch, e->narg / 2 + 1);
    int n = NONE;
    if (!function_recurses(in)) {
        Trial t;
        trial_begin_aloud(&t, in);
        n = eval_branches(&t.in, scope, e, false, b);
        if (n == NONE)
            trial_drop(&t);
        else
            trial_keep(&t);
    }
    if (n == NONE)
        n = eval_branches(in, scope, e, true, b);
    return n > 0 ? combine(in, b, n, e->span) : value_error(in);
}

/* ---- operators ---- */

/* Is it a scalar Boolean, or nothing at all? What is wrong with it does not
 * matter: it is not used. */
static bool is_unused_boolean(const Context *in, Scope *scope, const AstExpr *e)
{
    Trial t;
    trial_begin(&t, in);
    Value *v = eval_value(&t.in, scope, e);
    trial_drop(&t);
    return is_error(v) || (is_kind(v, TYPE_BOOLEAN) && is_scalar(v));
}

/* Walks down the left operands, then applies the operators on the way up. */
static Value *eval_chain(const Context *in, Scope *scope, const AstExpr *e)
{
    int n = 0;
    for (const AstExpr *p = e; p->kind == AE_BINARY; p = p->arg[0])
        n++;
    const AstExpr **chain = NEW_ARRAY(in->scratch, const AstExpr *, n);
    const AstExpr *p = e;
    for (int i = 0; i < n; i++, p = p->arg[0])
        chain[i] = p;
    Value *v = eval_value(in, scope, p);
    for (int i = n - 1; i >= 0; i--) {
        bool known;
        AstOp op = chain[i]->op;
        /* `false and x`: x is not looked at, so that it may guard x */
        bool shortcut = (op == OP_AND || op == OP_OR) && !is_error(v) &&
                        is_kind(v, TYPE_BOOLEAN) && is_scalar(v) &&
                        expr_const_bool(in, v->scalar[0], &known) &&
                        known == (op == OP_OR);
        if (shortcut && is_unused_boolean(in, scope, chain[i]->arg[1]))
            continue;
        bool guards = op == OP_AND && !is_error(v) && is_scalar(v) &&
                      is_kind(v, TYPE_BOOLEAN);
        Context at = guards ? context_narrow(in, v->scalar[0]) : *in;
        Value *b = eval_value(&at, scope, chain[i]->arg[1]);
        v = op_binary(in, op, v, b, chain[i]->span);
    }
    return v;
}

static Value *eval_end(const Context *in, const AstExpr *e)
{
    if (in->end == NONE) {
        context_report(in, e->span, DIAG_E0506,
                       "'end' has a meaning only inside a subscript");
        return value_error(in);
    }
    return value_int(in, in->end);
}

static Value *misplaced(const Context *in, const AstExpr *e, const char *what)
{
    context_report(in, e->span, DIAG_E0412, "%s is not a value", what);
    return value_error(in);
}

static Value *eval_tuple(const Context *in, Scope *scope, const AstExpr *e)
{
    if (e->narg == 1 && e->arg[0])
        return eval_value(in, scope, e->arg[0]);
    return misplaced(in, e, "a list of expressions in parentheses");
}

static Value *eval_kind(const Context *in, Scope *scope, const AstExpr *e)
{
    switch (e->kind) {
    case AE_INTEGER: return value_int(in, e->value);
    case AE_REAL: return value_real(in, e->value);
    case AE_STRING: return value_string(in, e->text);
    case AE_BOOLEAN: return value_bool(in, e->value != 0);
    case AE_REF: return eval_ref(in, scope, e);
    case AE_UNARY:
        return op_unary(in, e->op, eval_value(in, scope, e->arg[0]), e->span);
    case AE_BINARY: return eval_chain(in, scope, e);
    case AE_IF: return eval_if(in, scope, e);
    case AE_RANGE: return eval_range_expr(in, scope, e);
    case AE_CALL: return eval_call(in, scope, e);
    case AE_ARRAY: return eval_array(in, scope, e);
    case AE_MATRIX: return eval_matrix(in, scope, e);
    case AE_TUPLE: return eval_tuple(in, scope, e);
    case AE_PARTIAL: return eval_partial(in, scope, e);
    case AE_END: return eval_end(in, e);
    case AE_INDEXED:
        return eval_subscripts(in, scope, eval_value(in, scope, e->arg[0]),
                               e->arg + 1, e->narg - 1, e->span);
    case AE_FOR: return misplaced(in, e, "an expression with 'for'");
    case AE_ROW: return misplaced(in, e, "a row of a matrix");
    case AE_COLON: return misplaced(in, e, "':'");
    }
    unreachable();
}

Value *eval_expr(const Context *in, Scope *scope, const AstExpr *e)
{
    if (!eval_step(in, e->span))
        return value_error(in);
    in->run->depth++;
    Value *v = eval_kind(in, scope, e);
    in->run->depth--;
    return v;
}

Value *eval_value(const Context *in, Scope *scope, const AstExpr *e)
{
    Value *v = eval_expr(in, scope, e);
    if (v->type->kind != TYPE_NORETURN)
        return v;
    context_report(in, e->span, DIAG_E0412, "'%s' gives no value",
                   expr_as_text(in, e));
    return value_error(in);
}

/* ---- equations ---- */

typedef struct Sides {
    Span span;
    EmitEqual *emit;
    void *context;
    bool is_list; /* several results of one call, which varies as a whole */
} Sides;

/* Emits scalar pairs of two values of equal shape, member by member. */
static void emit_pairs(const Context *in, const Sides *s, const Value *a,
                       const Value *b)
{
    for (int i = 0; a->member && i < a->type->nmember; i++) {
        Value *m = value_member(b, a->type->member[i].name);
        emit_pairs(in, s, a->member[i], m);
    }
    const Type *t = type_common(a->type, b->type);
    for (int i = 0; i < a->nscalar; i++)
        s->emit(s->context, in, a->scalar[i], b->scalar[i], t);
}

/* Shapes of members may differ even if the records agree. */
static bool shapes_agree(const Value *a, const Value *b)
{
    if (!same_dims(a, b))
        return false;
    for (int i = 0; a->member && i < a->type->nmember; i++) {
        Value *m = value_member(b, a->type->member[i].name);
        if (!m || !shapes_agree(a->member[i], m))
            return false;
    }
    return true;
}

/* What is no Real changes at events only (3.8.5); false after a report. An
 * equation for several results of a call varies as a whole: what is no Real
 * among them follows the call. */
static bool may_vary(const Context *in, const Sides *s, const Type *t,
                     FlatVariability v)
{
    if (v != FV_CONTINUOUS || t->kind == TYPE_REAL || t->kind == TYPE_RECORD ||
        in->is_initial)
        return true;
    if (s->is_list) {
        left_warning(in, s->span, DIAG_W0625,
                     arena_printf(in->arena,
                                  "a result of this call is %s and varies "
                                  "continuously: it changes without an event, "
                                  "so that what waits for it is not located",
                                  t->name));
        return true;
    }
    context_report(in, s->span, DIAG_E0404,
                   "a side of this equation is %s but varies continuously: it "
                   "may change at events only",
                   t->name);
    return false;
}

static void equate(const Context *in, const Sides *s, const Value *a,
                   const Value *b)
{
    if (is_error(a) || is_error(b))
        return;
    const Type *t = type_common(a->type, b->type);
    if (!t || t->kind == TYPE_NORETURN || t->kind == TYPE_FUNCTION ||
        t->kind == TYPE_OBJECT) {
        context_report(in, s->span, DIAG_E0401,
                       "the sides of this equation have types %s and %s",
                       value_text(in, a), value_text(in, b));
        return;
    }
    if (!shapes_agree(a, b)) {
        context_report(in, s->span, DIAG_E0501,
                       "the sides of this equation have different sizes: %s "
                       "and %s",
                       value_text(in, a), value_text(in, b));
        return;
    }
    if (!may_vary(in, s, t, var_max(a->variability, b->variability)))
        return;
    emit_pairs(in, s, value_convert(in, a, t->kind == TYPE_REAL ? t : a->type),
               value_convert(in, b, t->kind == TYPE_REAL ? t : b->type));
}

/* (a, b, ) = f(x): outputs left out on the left are not used (8.3.1). */
static void equate_tuple(const Context *in, Scope *scope, const AstExpr *lhs,
                         const Value *r, const Sides *s)
{
    if (is_error(r))
        return;
    int have = r->nvalue ? r->nvalue : r->type->kind != TYPE_NORETURN;
    if (lhs->narg > have) {
        context_report(in, s->span, DIAG_E0613,
                       "%d values are wanted on the left, but the right side "
                       "gives %d",
                       lhs->narg, have);
        return;
    }
    for (int i = 0; i < lhs->narg; i++)
        if (lhs->arg[i] && output_is_set(in, r, i, lhs->arg[i]->span))
            equate(in, s, eval_value(in, scope, lhs->arg[i]),
                   r->nvalue ? r->tuple[i] : r);
}

void eval_equation(const Context *in, Scope *scope, const AstExpr *lhs,
                   const AstExpr *rhs, Span span, EmitEqual *emit,
                   void *context)
{
    bool tuple = lhs->kind == AE_TUPLE && (lhs->narg != 1 || !lhs->arg[0]);
    Sides s = {span, emit, context, tuple};
    if (tuple && rhs->kind != AE_CALL) {
        context_report(in, span, DIAG_E0613,
                       "a list of variables on the left needs a function call "
                       "on the right");
        return;
    }
    if (lhs->kind == AE_TUPLE && rhs->kind == AE_CALL) {
        equate_tuple(in, scope, lhs, eval_expr(in, scope, rhs), &s);
        return;
    }
    Value *a = eval_value(in, scope, lhs);
    equate(in, &s, a, eval_value(in, scope, rhs));
}
