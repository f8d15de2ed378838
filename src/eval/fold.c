/* fold.c - compile-time values: parameters replaced by their values.
 *
 * The value of a parameter is its binding, which may name other parameters. A
 * stack of variables whose values are wanted makes a chain of any length a
 * loop. A variable that seems to wait for itself may do so in the branch of an
 * if that is not taken: such branches are taken out then (eval_prune), and only
 * what is left is a cycle, which leaves it unknown (var_binding reports
 * cycles). Values are remembered by variable.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "value/text.h"
#include "eval/builtin.h"

static void reserve(const Context *in, Memo *memo, int n)
{
    if (n <= memo->nfolded)
        return;
    int cap = vec_capacity(memo->nfolded, n);
    memo->folded = arena_grow(in->arena, memo->folded,
                              (size_t)memo->nfolded * sizeof(Expr),
                              (size_t)cap * sizeof(Expr));
    memo->folding = arena_grow(in->arena, memo->folding,
                               (size_t)memo->nfolded * sizeof(bool),
                               (size_t)cap * sizeof(bool));
    memo->pruned = arena_grow(in->arena, memo->pruned,
                              (size_t)memo->nfolded * sizeof(Expr),
                              (size_t)cap * sizeof(Expr));
    for (int i = memo->nfolded; i < cap; i++)
        memo->folded[i] = memo->pruned[i] = EXPR_NONE;
    memo->nfolded = cap;
}

static bool is_literal(const Context *in, Expr e)
{
    double x;
    return expr_is_const(in->dag, e, &x) || expr_op(in->dag, e) == EX_STR;
}

static Expr replace(void *context, Dag *d, Expr leaf)
{
    const Context *in = context;
    Memo *memo = in->memo;
    int var, order;
    if (!expr_is_var(d, leaf, &var, &order) || order != 0 ||
        var >= memo->nfolded)
        return EXPR_NONE;
    return memo->folded[var];
}

static const char *literal_text(const Context *in, Expr e)
{
    double x;
    if (expr_op(in->dag, e) == EX_STR)
        return expr_node(in->dag, e)->text;
    if (!expr_is_const(in->dag, e, &x))
        return NULL;
    switch (expr_type(in->dag, e)) {
    case ET_BOOLEAN: return x != 0 ? "true" : "false";
    case ET_INTEGER: return arena_printf(in->arena, "%.0f", x);
    default: return string_of_real(in, x, 6);
    }
}

/* Folds CONCAT, TOSTR, IF and comparisons of strings; nested as deep as the
 * text was written. */
static Expr fold_strings(const Context *in, Expr e, int depth)
{
    Dag *d = in->dag;
    if (depth > 500 || is_literal(in, e))
        return e;
    ExprOp op = expr_op(d, e);
    if (op == EX_TOSTR) {
        Expr a = fold_strings(in, expr_arg(d, e, 0), depth + 1);
        const char *s = literal_text(in, a);
        return s ? expr_string(d, s) : e;
    }
    if (op == EX_IF) {
        bool x;
        Expr c = fold_strings(in, expr_arg(d, e, 0), depth + 1);
        if (expr_const_bool(in, c, &x))
            return fold_strings(in, expr_arg(d, e, x ? 1 : 2), depth + 1);
        return e;
    }
    if (op == EX_CONCAT || op == EX_EQ || op == EX_NE) {
        Expr a = fold_strings(in, expr_arg(d, e, 0), depth + 1);
        Expr b = fold_strings(in, expr_arg(d, e, 1), depth + 1);
        if (expr_op(d, a) != EX_STR || expr_op(d, b) != EX_STR)
            return e;
        const char *s = expr_node(d, a)->text, *t = expr_node(d, b)->text;
        if (op == EX_CONCAT)
            return expr_string(d, arena_printf(in->arena, "%s%s", s, t));
        return expr_bool(d, (strcmp(s, t) == 0) == (op == EX_EQ));
    }
    if (op == EX_AND || op == EX_OR || op == EX_NOT) {
        Expr a = fold_strings(in, expr_arg(d, e, 0), depth + 1);
        Expr b = op == EX_NOT ? EXPR_NONE
                              : fold_strings(in, expr_arg(d, e, 1), depth + 1);
        return expr_make(d, op, a, b, EXPR_NONE);
    }
    return e;
}

typedef Vec(int) IntStack;

/* Pushes the parameters of `e` whose values are not known yet. False: it has
 * a leaf that can have no compile-time value. */
static bool push_unknown(const Context *in, Expr e, IntStack *stack,
                         Arena *temp)
{
    Memo *memo = in->memo;
    Expr *leaf;
    int nleaf = expr_leaves(in->dag, e, &leaf, temp);
    for (int i = 0; i < nleaf; i++) {
        int var, order;
        if (!expr_is_var(in->dag, leaf[i], &var, &order))
            continue;
        reserve(in, memo, in->flat->nvar);
        if (memo->folded[var] != EXPR_NONE)
            continue;
        bool fixed = in->flat->var[var].variability <= FV_PARAMETER ||
                     (memo->defined && memo->defined[var] != EXPR_NONE);
        if (order != 0 || !fixed || memo->folding[var])
            return false;
        vec_push(temp, stack, var);
    }
    return true;
}

static Expr substitute(const Context *in, Expr e, Arena *temp)
{
    ExprMap *m = expr_map_new(in->dag, replace, (void *)in, temp);
    Expr r = expr_map(m, e);
    return is_literal(in, r) ? r : fold_strings(in, r, 0);
}

/* The scalar a parameter is bound to, or EXPR_NONE. */
static Expr binding_of(const Context *in, int var)
{
    const Expr *defined = in->memo->defined;
    if (in->flat->var[var].variability > FV_PARAMETER)
        return defined ? defined[var] : EXPR_NONE;
    if (in->memo->pruned[var] != EXPR_NONE)
        return in->memo->pruned[var];
    Value *v = in->lookup->binding(in, var);
    if (!v || is_error(v) || v->ndim || !v->scalar || v->scalar[0] < 0)
        return EXPR_NONE;
    return v->scalar[0];
}

static void forget(Memo *memo, const IntStack *stack)
{
    for (int i = 0; i < stack->n; i++)
        memo->folding[stack->at[i]] = false;
}

/* An expression that had no value has none while nothing more is known. That
 * is remembered as long as a fold from outside lasts: the conditions of nested
 * ifs are asked for again and again. One that has a value keeps it. */
static bool is_hopeless(const Memo *memo, Expr e)
{
    return e < memo->nhopeless && memo->hopeless[e] == memo->epoch;
}

static void reserve_nodes(const Context *in, Expr e)
{
    Memo *memo = in->memo;
    if (e < memo->nhopeless)
        return;
    int had = memo->nhopeless, n = dag_count(in->dag);
    int cap = vec_capacity(had, n > e ? n : e + 1);
    memo->hopeless =
        arena_grow(in->arena, memo->hopeless, (size_t)had * sizeof(int),
                   (size_t)cap * sizeof(int));
    memo->known = arena_grow(in->arena, memo->known, (size_t)had * sizeof(Expr),
                             (size_t)cap * sizeof(Expr));
    for (int i = had; i < cap; i++)
        memo->known[i] = EXPR_NONE;
    memo->nhopeless = cap;
}

static void give_up(const Context *in, Expr e)
{
    reserve_nodes(in, e);
    in->memo->hopeless[e] = in->memo->epoch;
}

/* ---- branches that are not taken ---- */

static bool resolve(const Context *in, Expr e, Arena *temp);

typedef struct Pruning {
    const Context *in;
    ExprMap *map;
    ExprMap *constants; /* nodes whose arguments are known */
    Arena *temp;
    bool *seen; /* by node */
    int nseen;
    bool changed;
} Pruning;

#define DEEPEST 2000 /* nodes below each other that are looked into */

static Expr known(Pruning *p, Expr e, int depth);

static Expr known_var(Pruning *p, Expr e, int var)
{
    Memo *memo = p->in->memo;
    reserve(p->in, memo, p->in->flat->nvar);
    if (memo->folded[var] == EXPR_NONE && !memo->folding[var] &&
        !resolve(p->in, e, p->temp))
        return EXPR_NONE;
    return memo->folded[var];
}

/* The constant that a node is, looking into nothing that it does not ask for.
 */
static Expr find_known(Pruning *p, Expr e, int depth)
{
    const Context *in = p->in;
    Dag *d = in->dag;
    int var, order, n = expr_node(d, e)->narg;
    bool x;
    if (expr_is_var(d, e, &var, &order))
        return order == 0 ? known_var(p, e, var) : EXPR_NONE;
    if (n == 0 || expr_op(d, e) == EX_PRE)
        return EXPR_NONE;
    if (expr_op(d, e) == EX_IF) {
        Expr c = known(p, expr_arg(d, e, 0), depth);
        return c != EXPR_NONE && expr_const_bool(in, c, &x)
                   ? known(p, expr_arg(d, e, x ? 1 : 2), depth)
                   : EXPR_NONE;
    }
    for (int i = 0; i < n; i++) {
        Expr a = expr_arg(d, e, i), value = known(p, a, depth);
        if (value == EXPR_NONE)
            return EXPR_NONE;
        expr_map_fix(p->constants, a, value);
    }
    Expr r = expr_map(p->constants, e);
    r = is_literal(in, r) ? r : fold_strings(in, r, 0);
    return is_literal(in, r) ? r : EXPR_NONE;
}

static Expr known(Pruning *p, Expr e, int depth)
{
    Memo *memo = p->in->memo;
    if (is_literal(p->in, e))
        return e;
    if (e < memo->nhopeless && memo->known[e] != EXPR_NONE)
        return memo->known[e];
    if (depth > DEEPEST || is_hopeless(memo, e))
        return EXPR_NONE;
    Expr r = find_known(p, e, depth + 1);
    if (r == EXPR_NONE) {
        give_up(p->in, e);
    } else {
        reserve_nodes(p->in, e);
        memo->known[e] = r;
    }
    return r;
}

static void mark_structural(const Context *in, Expr e, Arena *temp)
{
    Expr *leaf;
    int n = expr_leaves(in->dag, e, &leaf, temp);
    for (int i = 0; i < n; i++) {
        int var, order;
        if (expr_is_var(in->dag, leaf[i], &var, &order))
            left_structural(in, var);
    }
}

/* The value of a condition; what decides it is part of the structure. */
static Expr decided(Pruning *p, Expr condition)
{
    Expr c = known(p, condition, 0);
    if (c != EXPR_NONE && !p->in->keeps_tunable)
        mark_structural(p->in, condition, p->temp);
    return c;
}

/* Tells the map which ifs are decided: the outermost first, because what is not
 * taken may not be looked at. */
static void prune(Pruning *p, Expr e, int depth)
{
    Dag *d = p->in->dag;
    if (e < 0 || e >= p->nseen || p->seen[e] || depth > 500)
        return;
    p->seen[e] = true;
    if (expr_op(d, e) == EX_IF) {
        bool x;
        Expr c = decided(p, expr_arg(d, e, 0));
        if (c != EXPR_NONE && expr_const_bool(p->in, c, &x)) {
            Expr branch = expr_arg(d, e, x ? 1 : 2);
            prune(p, branch, depth + 1);
            expr_map_fix(p->map, e, expr_map(p->map, branch));
            p->changed = true;
            return;
        }
    }
    for (int i = 0; i < expr_node(d, e)->narg; i++)
        prune(p, expr_arg(d, e, i), depth + 1);
}

/* Does it depend on parameters alone? */
static bool is_fixed(const Context *in, Expr e, Arena *temp)
{
    Expr *leaf;
    int n = expr_leaves(in->dag, e, &leaf, temp), var, order;
    for (int i = 0; i < n; i++)
        if (expr_is_var(in->dag, leaf[i], &var, &order) &&
            in->flat->var[var].variability > FV_PARAMETER)
            return false;
    return !expr_has_op(in->dag, e, EX_TIME);
}

Expr eval_prune(const Context *in, Expr e)
{
    if (e < 0 || !expr_has_op(in->dag, e, EX_IF))
        return e;
    Arena *temp = arena_new();
    if (!is_fixed(in, e, temp)) {
        arena_free(temp);
        return e;
    }
    Pruning p = {.in = in,
                 .map = expr_map_new(in->dag, NULL, NULL, temp),
                 .constants = expr_map_new(in->dag, NULL, NULL, temp),
                 .temp = temp,
                 .nseen = e + 1};
    p.seen = NEW_ARRAY(temp, bool, p.nseen);
    if (in->memo->nested++ == 0)
        in->memo->epoch++;
    prune(&p, e, 0);
    in->memo->nested--;
    Expr r = p.changed ? expr_map(p.map, e) : e;
    arena_free(temp);
    return r;
}

/* push_unknown, if need be without the branches that are not taken. */
static bool push_pruned(const Context *in, int var, Expr b, IntStack *stack,
                        Arena *temp)
{
    int before = stack->n;
    if (push_unknown(in, b, stack, temp))
        return true;
    stack->n = before;
    Expr p = eval_prune(in, b);
    if (p == b)
        return false;
    in->memo->pruned[var] = p;
    bool ok = is_literal(in, p) || push_unknown(in, p, stack, temp);
    if (!ok)
        stack->n = before;
    return ok;
}

/* Values of all parameters `e` depends on. False: one is not known. */
static bool resolve(const Context *in, Expr e, Arena *temp)
{
    Memo *memo = in->memo;
    IntStack stack = {0};
    bool ok = push_unknown(in, e, &stack, temp);
    while (ok && stack.n > 0) {
        int var = vec_last(&stack);
        if (memo->folded[var] != EXPR_NONE) {
            memo->folding[var] = false;
            stack.n--;
            continue;
        }
        Expr b = binding_of(in, var);
        reserve(in, memo, in->flat->nvar);
        if (b == EXPR_NONE) {
            ok = false;
            break;
        }
        memo->folding[var] = true;
        int before = stack.n;
        ok = is_literal(in, b) || push_pruned(in, var, b, &stack, temp);
        if (!ok || stack.n > before)
            continue;
        if (memo->pruned[var] != EXPR_NONE)
            b = memo->pruned[var];
        Expr r = is_literal(in, b) ? b : substitute(in, b, temp);
        if (!is_literal(in, r)) {
            ok = false;
            break;
        }
        memo->folded[var] = r;
        memo->epoch++;
    }
    forget(memo, &stack);
    return ok;
}

static Expr fold_unknown(const Context *in, Expr e)
{
    Arena *temp = arena_new();
    Expr r = EXPR_NONE;
    bool ok = resolve(in, e, temp);
    Expr whole = e;
    if (!ok && (e = eval_prune(in, e)) != whole)
        ok = is_literal(in, e) || resolve(in, e, temp);
    if (ok) {
        r = substitute(in, e, temp);
        if (!is_literal(in, r))
            r = EXPR_NONE;
        else if (!in->keeps_tunable)
            mark_structural(in, whole, temp);
    }
    arena_free(temp);
    return r;
}

Expr fold_expr(const Context *in, Expr e)
{
    if (e < 0)
        return EXPR_NONE;
    if (is_literal(in, e))
        return e;
    Memo *memo = in->memo;
    int var, order;
    if (expr_is_var(in->dag, e, &var, &order) && order == 0 &&
        var < memo->nfolded && memo->folded[var] != EXPR_NONE) {
        if (!in->keeps_tunable)
            left_structural(in, var);
        return memo->folded[var];
    }
    if (memo->nested == 0)
        memo->epoch++;
    else if (is_hopeless(memo, e))
        return EXPR_NONE;
    memo->nested++;
    Expr r = fold_unknown(in, e);
    memo->nested--;
    if (r == EXPR_NONE && memo->nested > 0)
        give_up(in, e);
    return r;
}

Value *eval_fold(const Context *in, Value *v)
{
    if (is_error(v) || v->type->kind > TYPE_RECORD)
        return NULL;
    if (v->variability > FV_PARAMETER && !value_is_const(in, v))
        return NULL;
    Value *r = value_make(in, v->type, v->ndim, v->dim);
    r->variability = FV_CONSTANT;
    for (int i = 0; v->member && i < v->type->nmember; i++)
        if (!(r->member[i] = eval_fold(in, v->member[i])))
            return NULL;
    for (int i = 0; i < v->nscalar; i++)
        if ((r->scalar[i] = fold_expr(in, v->scalar[i])) == EXPR_NONE)
            return NULL;
    return r;
}

static Value *eval_known(const Context *in, Scope *scope, const AstExpr *e,
                         const char *what, TypeKind kind, const char *wanted)
{
    Value *v = eval_value(in, scope, e);
    if (is_error(v))
        return NULL;
    if (!is_scalar(v) || v->type->kind != kind) {
        context_report(in, e->span, DIAG_E0402, "%s must be %s, but it is %s",
                       what, wanted, value_text(in, v));
        return NULL;
    }
    Value *k = eval_fold(in, v);
    if (!k) {
        context_report(in, e->span, DIAG_E0413,
                       "%s must be known at compile time: '%s' is not", what,
                       expr_as_text(in, e));
        if (v->variability > FV_PARAMETER)
            diag_note(in->diag, NO_SPAN,
                      "it depends on variables; constants and parameters "
                      "with a value can be used here");
    }
    return k;
}

bool eval_int(const Context *in, Scope *scope, const AstExpr *e,
              const char *what, int *result)
{
    Value *k = eval_known(in, scope, e, what, TYPE_INTEGER, "a scalar Integer");
    return k && value_const_int(in, k, result);
}

bool eval_bool(const Context *in, Scope *scope, const AstExpr *e,
               const char *what, bool *result)
{
    Value *k = eval_known(in, scope, e, what, TYPE_BOOLEAN, "a scalar Boolean");
    return k && value_const_bool(in, k, result);
}
