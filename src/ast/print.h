/* print.h - parts of the printer: print_expr.c, print_class.c. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_AST_PRINT_H
#define TAKT_AST_PRINT_H

#include "ast/ast_internal.h"

void print_exprs(AstExpr *const *e, int n, FILE *out); /* a, b, c */
void print_subscripts(AstExpr *const *sub, int n, FILE *out);
void print_iterators(const AstIter *it, int n, FILE *out);
void print_modification(const AstMod *m, FILE *out); /* (a = 1) = 2 */
void print_arguments(const AstMod *m, const AstExtends *breaks, FILE *out);
void print_comment(const char *comment, const AstMod *annotation, FILE *out);
/* An element after `redeclare` in a modification. */
void print_element_argument(const AstElem *e, FILE *out);

#endif
