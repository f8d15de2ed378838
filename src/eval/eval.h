/* eval.h - from expressions and algorithms to values.
 *
 *   in    AstExpr, AstStmt   what was written (ast/ast.h)
 *         Lookup             what names stand for (lookup.h)
 *   out   Value              arrays of handles of the DAG (value/value.h)
 *         Flat               what is left behind: assertions, when clauses,
 *                            equations of algorithm sections
 *   next  instance/          makes equations and bindings of the values
 *
 * One evaluator does it all: eval_expr() turns syntax into Values whose scalars
 * are handles of the DAG. Because the DAG folds constants as it is built, a
 * function called with constants is interpreted, and the same function called
 * with variables is executed symbolically; there is no second interpreter.
 *
 *   scope.h    names that are local: iterators, variables of functions
 *   lookup.h   the other names, asked of whoever knows the classes
 *   trial.h    evaluating what may come to nothing; what is left behind
 *
 * A Context (value/context.h) tells for whom and under which condition
 * something is evaluated; it is passed to everything and changed by nothing.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EVAL_EVAL_H
#define TAKT_EVAL_EVAL_H

#include "eval/lookup.h"
#include "eval/trial.h"

/* For Context.memo: what the evaluations of one run remember. */
struct Memo *eval_memo_new(Arena *arena);

/* The value of an expression. Never NULL: after an error, which was reported,
 * a Value of TYPE_ANY that makes no further errors. A call with several
 * outputs gives its first one and all of them in `tuple`. */
Value *eval_expr(const Context *in, Scope *scope, const AstExpr *e);

/* The value with parameters replaced by their values, down to literal
 * constants; the parameters become structural. Returns NULL, without a report,
 * if something is left that is not known at compile time. */
Value *eval_fold(const Context *in, Value *v);
/* The expression without the branches of ifs whose conditions are known and
 * false; these parameters become structural. */
Expr eval_prune(const Context *in, Expr e);
/* A compile-time Integer or Boolean (sizes, conditions of components and
 * if-equations). Reports and returns false if it is none; `what` names its
 * role in the message: "the size of 'x'". */
/* A scalar Boolean condition; EXPR_NONE after a report. */
Expr eval_condition(const Context *in, Scope *scope, const AstExpr *e,
                    const char *what, FlatVariability *variability);
bool eval_int(const Context *in, Scope *scope, const AstExpr *e,
              const char *what, int *result);
bool eval_bool(const Context *in, Scope *scope, const AstExpr *e,
               const char *what, bool *result);

/* Applies subscripts to a value; `end` and `:` are known inside. */
Value *eval_subscripts(const Context *in, Scope *scope, Value *v,
                       AstExpr *const *sub, int nsub, Span span);

/* lhs = rhs between values of the same shape: calls emit for each scalar
 * pair. Tuples on the left are matched with the outputs of a call. */
typedef void EmitEqual(void *context, const Context *in, Expr lhs, Expr rhs,
                       const Type *type);
void eval_equation(const Context *in, Scope *scope, const AstExpr *lhs,
                   const AstExpr *rhs, Span span, EmitEqual *emit,
                   void *context);

/* The actions of a call statement or call equation: assert(), terminate(),
 * reinit() (one action for each scalar). Arguments are checked; *action lives
 * in the arena. Returns their number; NONE if the call is none of these: then
 * it is a function call, to be evaluated by eval_expr (assertions inside the
 * function are added to the flat model, see Context.component). */
int eval_actions(const Context *in, Scope *scope, const AstExpr *call,
                 FlatAction **action);
/* The arguments of a call by place and by name, in the order of `input`; NULL
 * where none was given. False after a report. */
bool eval_place_arguments(const Context *in, const AstExpr *call,
                          const char *const *input, int least, int most,
                          AstExpr **arg);

/* The values of the iterator of a `for`: a vector, or TYPE_ANY after a report.
 * Without a range it is found from the use of the iterator as a subscript in
 * `use` (11.2.2.1). Types as ranges are known. */
typedef struct IterUse {
    const AstExpr *expr; /* may be NULL */
    AstEqn *const *eqn;
    int neqn;
    AstStmt *const *stmt;
    int nstmt;
} IterUse;
Value *eval_range(const Context *in, Scope *scope, const AstIter *iter,
                  IterUse use);

/* An algorithm section of a model, executed symbolically: each variable it
 * assigns gets an equation `v = value at the end` (FO_ALGORITHM); loops with
 * constant bounds are unrolled, if-statements become if-expressions,
 * when-statements become FlatWhens. */
void eval_section(const Context *in, Scope *scope, AstStmt *const *stmt,
                  int nstmt);

/* At the end of flattening: checks that had to wait (limits, pre() of what is
 * no discrete variable), assertions on constants and parameters, units. */
void eval_finish(const Context *in);

#endif
