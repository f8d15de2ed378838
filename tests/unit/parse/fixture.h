/* fixture.h - a text parsed for one test. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_PARSE_FIXTURE_H
#define TAKT_TESTS_PARSE_FIXTURE_H

#include "parse/parse.h"

typedef struct Fixture {
    Arena *arena;
    Sources *sources;
    Intern *names;
    Diag *diag;
} Fixture;

int set_up(void **state);
int tear_down(void **state);
AstFile *parse_text(Fixture *f, const char *text);
AstExpr *parse_expr_text(Fixture *f, const char *text);
/* head, then `part` n times, then tail */
const char *repeated(Fixture *f, const char *head, const char *part, int n,
                     const char *tail);
/* The tree as Modelica text. */
const char *printed(Fixture *f, const AstFile *file);

#endif
