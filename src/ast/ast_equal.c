/* ast_equal.c - are two trees equal but for places?
 *
 * Two lists are equal if they are equally long and equal item by item; EACH
 * says that for a list of any type. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "ast/ast_internal.h"

#define EACH(a, b, count, list, same)                                          \
    ((a)->count == (b)->count && each_##same((a)->list, (b)->list, (a)->count))

/* Defines each_NAME for an array of TYPE whose items NAME compares. */
#define DEFINE_EACH(name, type, item)                                          \
    static bool each_##name(const type *a, const type *b, int n)               \
    {                                                                          \
        for (int i = 0; i < n; i++)                                            \
            if (!name(item a[i], item b[i]))                                   \
                return false;                                                  \
        return true;                                                           \
    }

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_expr(const AstExpr *a, const AstExpr *b);
static bool same_class(const AstClass *a, const AstClass *b);
static bool same_elem(const AstElem *a, const AstElem *b);
static bool same_eqn(const AstEqn *a, const AstEqn *b);
static bool same_stmt(const AstStmt *a, const AstStmt *b);
static bool same_mod(const AstMod *a, const AstMod *b);

typedef const char *Text;
typedef AstExpr *ExprItem;
typedef AstEqn *EqnItem;
typedef AstStmt *StmtItem;
typedef AstElem *ElemItem;
DEFINE_EACH(same_text, Text, )
DEFINE_EACH(same_expr, ExprItem, )
DEFINE_EACH(same_eqn, EqnItem, )
DEFINE_EACH(same_stmt, StmtItem, )
DEFINE_EACH(same_elem, ElemItem, )

static bool same_part(const AstPart *a, const AstPart *b)
{
    return same_text(a->name, b->name) && EACH(a, b, nsub, sub, same_expr);
}
DEFINE_EACH(same_part, AstPart, &)

static bool same_ref(const AstRef *a, const AstRef *b)
{
    if (!a || !b)
        return a == b;
    return a->global == b->global && EACH(a, b, npart, part, same_part);
}

static bool same_named(const AstNamed *a, const AstNamed *b)
{
    return same_text(a->name, b->name) && same_expr(a->value, b->value);
}
DEFINE_EACH(same_named, AstNamed, &)

static bool same_iter(const AstIter *a, const AstIter *b)
{
    return same_text(a->name, b->name) && same_expr(a->range, b->range);
}
DEFINE_EACH(same_iter, AstIter, &)

/* Everything but the first argument, which the loop below goes down. */
static bool same_but_first(const AstExpr *a, const AstExpr *b)
{
    return a->kind == b->kind && a->op == b->op && a->value == b->value &&
           same_text(a->text, b->text) && same_ref(a->ref, b->ref) &&
           a->narg == b->narg && EACH(a, b, nnamed, named, same_named) &&
           EACH(a, b, niter, iter, same_iter) &&
           (a->narg < 2 || each_same_expr(a->arg + 1, b->arg + 1, a->narg - 1));
}

static bool same_expr(const AstExpr *a, const AstExpr *b)
{
    for (;;) {
        if (!a || !b)
            return a == b;
        if (!same_but_first(a, b))
            return false;
        if (a->narg == 0)
            return true;
        a = a->arg[0];
        b = b->arg[0];
    }
}

/* ---- modifications, equations, statements ---- */

static bool same_arg(const AstArg *a, const AstArg *b)
{
    return a->kind == b->kind && a->each == b->each && a->final == b->final &&
           a->redeclare == b->redeclare && a->replaceable == b->replaceable &&
           same_ref(a->name, b->name) && same_mod(a->mod, b->mod) &&
           same_elem(a->elem, b->elem) && same_text(a->comment, b->comment);
}
DEFINE_EACH(same_arg, AstArg, &)

static bool same_mod(const AstMod *a, const AstMod *b)
{
    if (!a || !b)
        return a == b;
    return a->has_args == b->has_args && a->is_break == b->is_break &&
           a->assign == b->assign && EACH(a, b, narg, arg, same_arg) &&
           same_expr(a->value, b->value);
}

static bool same_eqn_branch(const AstEqnBranch *a, const AstEqnBranch *b)
{
    return same_expr(a->cond, b->cond) && EACH(a, b, neqn, eqn, same_eqn);
}
DEFINE_EACH(same_eqn_branch, AstEqnBranch, &)

static bool same_eqn(const AstEqn *a, const AstEqn *b)
{
    return a->kind == b->kind && same_expr(a->lhs, b->lhs) &&
           same_expr(a->rhs, b->rhs) && same_ref(a->from, b->from) &&
           same_ref(a->to, b->to) && EACH(a, b, niter, iter, same_iter) &&
           EACH(a, b, nbranch, branch, same_eqn_branch) &&
           same_text(a->comment, b->comment) &&
           same_mod(a->annotation, b->annotation);
}

static bool same_stmt_branch(const AstStmtBranch *a, const AstStmtBranch *b)
{
    return same_expr(a->cond, b->cond) && EACH(a, b, nstmt, stmt, same_stmt);
}
DEFINE_EACH(same_stmt_branch, AstStmtBranch, &)

static bool same_stmt(const AstStmt *a, const AstStmt *b)
{
    return a->kind == b->kind && same_expr(a->lhs, b->lhs) &&
           same_expr(a->rhs, b->rhs) && EACH(a, b, niter, iter, same_iter) &&
           EACH(a, b, nbranch, branch, same_stmt_branch) &&
           same_text(a->comment, b->comment) &&
           same_mod(a->annotation, b->annotation);
}

/* ---- elements and classes ---- */

static bool same_import(const AstImport *a, const AstImport *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && same_ref(a->name, b->name) &&
           same_text(a->alias, b->alias) && EACH(a, b, nlist, list, same_text);
}

static bool same_extends(const AstExtends *a, const AstExtends *b)
{
    if (!a || !b)
        return a == b;
    return same_ref(a->base, b->base) && same_mod(a->mod, b->mod) &&
           EACH(a, b, nbroken, broken, same_text) &&
           EACH(a, b, nbroken_connect, broken_connect, same_eqn);
}

static bool same_component(const AstComponent *a, const AstComponent *b)
{
    if (!a || !b)
        return a == b;
    return a->flow == b->flow && a->variability == b->variability &&
           a->direction == b->direction && same_ref(a->type, b->type) &&
           EACH(a, b, ntype_sub, type_sub, same_expr) &&
           same_text(a->name, b->name) && EACH(a, b, nsub, sub, same_expr) &&
           same_mod(a->mod, b->mod) && same_expr(a->condition, b->condition);
}

static bool same_elem(const AstElem *a, const AstElem *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->is_protected == b->is_protected &&
           a->redeclare == b->redeclare && a->final == b->final &&
           a->inner == b->inner && a->outer == b->outer &&
           a->replaceable == b->replaceable &&
           same_import(a->import, b->import) &&
           same_extends(a->extends, b->extends) && same_class(a->cls, b->cls) &&
           same_component(a->component, b->component) &&
           same_ref(a->constrained_by, b->constrained_by) &&
           same_mod(a->constraint_mod, b->constraint_mod) &&
           same_text(a->comment, b->comment) &&
           same_mod(a->annotation, b->annotation) &&
           same_text(a->constraint_comment, b->constraint_comment) &&
           same_mod(a->constraint_annotation, b->constraint_annotation);
}

static bool same_literal(const AstEnumLiteral *a, const AstEnumLiteral *b)
{
    return same_text(a->name, b->name) && same_text(a->comment, b->comment) &&
           same_mod(a->annotation, b->annotation);
}
DEFINE_EACH(same_literal, AstEnumLiteral, &)

static bool same_section(const AstSection *a, const AstSection *b)
{
    return a->initial == b->initial && a->is_algorithm == b->is_algorithm &&
           EACH(a, b, neqn, eqn, same_eqn) &&
           EACH(a, b, nstmt, stmt, same_stmt);
}
DEFINE_EACH(same_section, AstSection, &)

static bool same_external(const AstExternal *a, const AstExternal *b)
{
    if (!a || !b)
        return a == b;
    return same_text(a->language, b->language) &&
           same_ref(a->result, b->result) &&
           same_text(a->function, b->function) &&
           EACH(a, b, narg, arg, same_expr) &&
           same_mod(a->annotation, b->annotation);
}

static bool same_class(const AstClass *a, const AstClass *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->form == b->form &&
           a->encapsulated == b->encapsulated && a->partial == b->partial &&
           a->is_pure == b->is_pure && a->is_impure == b->is_impure &&
           same_text(a->name, b->name) && EACH(a, b, nelem, elem, same_elem) &&
           EACH(a, b, nsection, section, same_section) &&
           same_external(a->external, b->external) &&
           same_ref(a->base, b->base) && same_mod(a->mod, b->mod) &&
           EACH(a, b, nsub, sub, same_expr) && a->direction == b->direction &&
           a->flow == b->flow && EACH(a, b, nliteral, literal, same_literal) &&
           a->enum_colon == b->enum_colon &&
           EACH(a, b, nder_name, der_name, same_text) &&
           same_text(a->comment, b->comment) &&
           same_mod(a->annotation, b->annotation);
}

bool ast_equal_expr(const AstExpr *a, const AstExpr *b)
{
    return same_expr(a, b);
}

bool ast_equal_ref(const AstRef *a, const AstRef *b)
{
    return same_ref(a, b);
}

bool ast_equal_class(const AstClass *a, const AstClass *b)
{
    return same_class(a, b);
}

bool ast_equal_file(const AstFile *a, const AstFile *b)
{
    if (a->has_within != b->has_within || !same_ref(a->within, b->within) ||
        a->ncls != b->ncls)
        return false;
    for (int i = 0; i < a->ncls; i++)
        if (a->is_final[i] != b->is_final[i] ||
            !same_class(a->cls[i], b->cls[i]))
            return false;
    return true;
}
