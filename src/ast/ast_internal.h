/* ast_internal.h - what printing, dumping and comparing share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_AST_AST_INTERNAL_H
#define TAKT_AST_AST_INTERNAL_H

#include "ast/ast.h"

/* A sum of many terms leans to the left:
 *
 *         + node[0]            first = a
 *        / \                   node[1]->arg[1] = b
 *       +   c                  node[0]->arg[1] = c
 *      / \
 *     a   b
 *
 * A spine holds the binary nodes from the root down the left side, so that
 * they can be visited from the bottom up without recursion. */
enum { SPINE_FEW = 16 };
typedef struct AstSpine {
    const AstExpr **node; /* size n, the root first */
    int n;
    const AstExpr *first; /* what the last node has on its left */
    const AstExpr *few[SPINE_FEW];
    Arena *arena; /* of a longer one */
} AstSpine;

/* `e` is an AE_BINARY. */
void spine_open(AstSpine *s, const AstExpr *e);
void spine_close(AstSpine *s);

void ast_print_ref(const AstRef *r, FILE *out);
/* With quotes and escapes. */
void ast_print_string(const char *text, FILE *out);

#endif
