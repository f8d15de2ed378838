/* iter.c - the range of an iterator, given or found from its use (11.2.2.1).
 *
 * `for i loop x[i] := ...` runs over the size of the dimension of x where i
 * stands alone as a subscript. The first use decides; others of another size
 * are an error.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "eval/eval_internal.h"
#include "eval/exec.h"

typedef struct Search {
    const Context *in;
    Scope *scope;
    const char *name;
    int size;         /* NONE: not found yet */
    const Type *type; /* of the subscripts */
    Span span;        /* of the use that decided */
    bool wrong;       /* reported */
} Search;

static void search_expr(Search *s, const AstExpr *e);

/* A local variable has a size before it has a value. */
static Value *sized(const Context *in, Scope *scope, const AstRef *ref)
{
    const char *name = ref->part[0].name;
    if (!ref->global && ref->npart == 1 && scope_local(scope, name))
        return frame_read(in, scope, name, ref->span);
    return eval_ref_raw(in, scope, ref);
}

/* The size of dimension `k` of the last part of the reference up to `part`. */
static void found(Search *s, const AstRef *ref, int part, int k)
{
    AstRef base = *ref;
    base.npart = part + 1;
    base.part = NEW_ARRAY(s->in->arena, AstPart, base.npart);
    int lead = 0;
    for (int i = 0; i <= part; i++) {
        base.part[i] = ref->part[i];
        base.part[i].nsub = 0;
        lead += i < part ? ref->part[i].nsub : 0;
    }
    Trial t; /* only the size counts */
    trial_begin(&t, s->in);
    Value *v = sized(&t.in, s->scope, &base);
    if (is_error(v) && part + 1 < ref->npart) {
        base = *ref; /* an array of components has no value, its members do */
        base.part = NEW_ARRAY(s->in->arena, AstPart, base.npart);
        for (int i = 0; i < base.npart; i++) {
            base.part[i] = ref->part[i];
            base.part[i].nsub = 0;
        }
        v = eval_ref_raw(&t.in, s->scope, &base);
    }
    trial_drop(&t);
    if (is_error(v) || lead + k >= v->ndim)
        return;
    int size = v->dim[lead + k];
    if (s->size != NONE && s->size != size && !s->wrong) {
        context_report(s->in, ref->span, DIAG_E0512,
                       "the range of '%s' is not clear: it is a subscript of "
                       "dimensions of size %d and %d",
                       s->name, s->size, size);
        s->wrong = true;
    }
    s->size = size;
    s->type = v->index ? v->index[lead + k] : type_builtin(TYPE_INTEGER);
    s->span = ref->span;
}

static void search_ref(Search *s, const AstRef *ref)
{
    for (int i = 0; i < ref->npart; i++)
        for (int k = 0; k < ref->part[i].nsub; k++) {
            const AstExpr *sub = ref->part[i].sub[k];
            bool is_it = sub->kind == AE_REF && !sub->ref->global &&
                         sub->ref->npart == 1 && sub->ref->part[0].nsub == 0 &&
                         sub->ref->part[0].name == s->name;
            if (is_it)
                found(s, ref, i, k);
            else
                search_expr(s, sub);
        }
}

static void search_expr(Search *s, const AstExpr *e)
{
    for (; e && e->kind == AE_BINARY; e = e->arg[0])
        search_expr(s, e->arg[1]);
    if (!e)
        return;
    if (e->ref)
        search_ref(s, e->ref);
    for (int i = 0; i < e->narg; i++)
        search_expr(s, e->arg[i]);
    for (int i = 0; i < e->nnamed; i++)
        search_expr(s, e->named[i].value);
    for (int i = 0; i < e->niter; i++)
        search_expr(s, e->iter[i].range);
}

static void search_eqns(Search *s, AstEqn *const *eqn, int n)
{
    for (int i = 0; i < n; i++) {
        search_expr(s, eqn[i]->lhs);
        search_expr(s, eqn[i]->rhs);
        if (eqn[i]->from)
            search_ref(s, eqn[i]->from);
        if (eqn[i]->to)
            search_ref(s, eqn[i]->to);
        for (int b = 0; b < eqn[i]->nbranch; b++) {
            search_expr(s, eqn[i]->branch[b].cond);
            search_eqns(s, eqn[i]->branch[b].eqn, eqn[i]->branch[b].neqn);
        }
    }
}

static void search_stmts(Search *s, AstStmt *const *stmt, int n)
{
    for (int i = 0; i < n; i++) {
        search_expr(s, stmt[i]->lhs);
        search_expr(s, stmt[i]->rhs);
        for (int b = 0; b < stmt[i]->nbranch; b++) {
            search_expr(s, stmt[i]->branch[b].cond);
            search_stmts(s, stmt[i]->branch[b].stmt, stmt[i]->branch[b].nstmt);
        }
    }
}

static Value *count_to(const Context *in, const Type *type, int n, int first)
{
    Value *v = value_make(in, type, 1, &n);
    for (int i = 0; i < n; i++)
        v->scalar[i] = type->kind == TYPE_BOOLEAN
                           ? expr_bool(in->dag, i != 0)
                           : expr_int(in->dag, first + i);
    return v;
}

static Value *deduce(const Context *in, Scope *scope, const AstIter *iter,
                     IterUse use)
{
    Search s = {.in = in, .scope = scope, .name = iter->name, .size = NONE};
    search_expr(&s, use.expr);
    search_eqns(&s, use.eqn, use.neqn);
    search_stmts(&s, use.stmt, use.nstmt);
    if (s.wrong)
        return value_error(in);
    if (s.size == NONE) {
        context_report(in, iter->span, DIAG_E0512,
                       "the range of '%s' is not given and cannot be found: it "
                       "is nowhere a subscript of an array",
                       iter->name);
        return value_error(in);
    }
    return count_to(in, s.type, s.size, 1);
}

/* A type as a range: all its values (11.2.2.2). */
static Value *type_range(const Context *in, Scope *scope, const AstExpr *e)
{
    int n;
    const Type *type;
    if (e->kind != AE_REF ||
        (!e->ref->global && scope_local(scope, e->ref->part[0].name)))
        return NULL;
    for (int i = 0; i < e->ref->npart; i++)
        if (e->ref->part[i].nsub)
            return NULL;
    Class *cls = in->lookup->class_of(in, scope, e->ref, true);
    if (!cls || !in->lookup->is_range(in, cls, &n, &type))
        return NULL;
    return count_to(in, type, n, 1);
}

Value *eval_range(const Context *in, Scope *scope, const AstIter *iter,
                  IterUse use)
{
    if (!iter->range)
        return deduce(in, scope, iter, use);
    Value *v = type_range(in, scope, iter->range);
    if (v)
        return v;
    v = eval_value(in, scope, iter->range);
    if (is_error(v))
        return v;
    if (v->ndim != 1) {
        context_report(in, iter->range->span, DIAG_E0510,
                       "'%s' must run over a vector, but this is %s",
                       iter->name, value_text(in, v));
        return value_error(in);
    }
    Value *known = eval_fold(in, v);
    if (!known && use.eqn) {
        context_report(in, iter->range->span, DIAG_E0413,
                       "the range of '%s' must be known at compile time: '%s' "
                       "is not",
                       iter->name, expr_as_text(in, iter->range));
        return value_error(in);
    }
    return known ? known : v;
}
