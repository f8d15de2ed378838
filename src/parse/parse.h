/* parse.h - text of Modelica 3.6 to its syntax tree.
 *
 *   in    Source     one text: UTF-8 with or without byte order mark, any
 *                    line ends
 *   out   AstFile    what was written, with places
 *   next  load.h     puts the classes of many files into one tree
 *
 * A lexer that gives one token at a time and a recursive descent parser; a
 * function of the parser carries its production of the grammar (appendix A of
 * the language specification). After an error the parser goes on after the
 * next `;` or at the next `end`, so that one run reports several mistakes.
 *
 * Expressions, modifications and classes may be nested PARSE_DEPTH deep, all
 * counted together; deeper text is an error, not a crash. Chains such as
 * a + b + c + ... are loops in the parser and may be of any length.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PARSE_PARSE_H
#define TAKT_PARSE_PARSE_H

#include "ast/ast.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/source.h"

#define PARSE_DEPTH  1000 /* levels of nesting */
#define PARSE_ERRORS 50   /* errors of one file, then the rest is not read */

/* Parses the text `source`. Never NULL: with errors (file->nerror > 0, reported
 * to `diag`) the tree holds what could be understood, and every node in it is
 * complete. The tree lives in `arena`, its names in `names`. */
AstFile *parse_file(const Sources *sources, int source, Intern *names,
                    Arena *arena, Diag *diag);

/* Parses a text that is one expression, `--invariant 'x^2 + y^2 - 1'`. NULL
 * with a report if it is none. */
AstExpr *parse_expr(const Sources *sources, int source, Intern *names,
                    Arena *arena, Diag *diag);

#endif
