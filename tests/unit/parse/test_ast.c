/* What src/ast says of trees; here, because trees are made by the parser.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "fixture.h"

/* A model with `part` in it. */
static AstFile *with(Fixture *f, const char *part)
{
    AstFile *file =
        parse_text(f, arena_printf(f->arena, "model M\n%s\nend M;\n", part));
    assert_int_equal(file->nerror, 0);
    return file;
}

static void trees_that_differ_anywhere_are_not_equal(void **state)
{
    Fixture *f = *state;
    static const char *const pair[][2] = {
        {"Real x;", "Real y;"},
        {"Real x;", "Integer x;"},
        {"Real x;", "Real x; Real y;"},
        {"Real x;", "protected Real x;"},
        {"Real x;", "parameter Real x;"},
        {"Real x;", "input Real x;"},
        {"Real x;", "flow Real x;"},
        {"Real x;", "final Real x;"},
        {"Real x;", "inner Real x;"},
        {"Real x;", "outer Real x;"},
        {"Real x;", "redeclare Real x;"},
        {"Real x;", "Real x \"c\";"},
        {"Real x;", "Real x[1];"},
        {"Real[1] x;", "Real x[1];"},
        {"Real x;", "Real x();"},
        {"Real x;", "Real x = 1;"},
        {"Real x = 1;", "Real x = 2;"},
        {"Real x = 1;", "Real x = 1.;"},
        {"Real x = 1;", "Real x = break;"},
        {"Real x = 1;", "Real x = (1);"},
        {"Real x;", "Real x if true;"},
        {"Real x;", "Real x annotation(a);"},
        {"A x(b = 1);", "A x(final b = 1);"},
        {"A x(b = 1);", "A x(each b = 1);"},
        {"A x(b = 1);", "A x(b = 1 \"c\");"},
        {"A x(redeclare B b);", "A x(redeclare C b);"},
        {"A x(redeclare B b);", "A x(redeclare replaceable B b);"},
        {"replaceable A x;", "replaceable A x constrainedby B;"},
        {"replaceable A x \"a\" constrainedby B;",
         "replaceable A x constrainedby B \"a\";"},
        {"import A;", "import A.*;"},
        {"import A.{b};", "import A.{c};"},
        {"import B = A;", "import C = A;"},
        {"extends A;", "extends A(b = 1);"},
        {"extends A(break b);", "extends A(break c);"},
        {"extends A(break connect(b, c));", "extends A(break connect(b, d));"},
        {"model A end A;", "partial model A end A;"},
        {"model A end A;", "encapsulated model A end A;"},
        {"model A end A;", "block A end A;"},
        {"model A end A;", "model extends A end A;"},
        {"model A = B;", "model A = C;"},
        {"model A = input B;", "model A = output B;"},
        {"function f end f;", "pure function f end f;"},
        {"function f end f;", "impure function f end f;"},
        {"function f external; end f;", "function f external \"C\"; end f;"},
        {"function f external g(); end f;", "function f external h(); end f;"},
        {"function f = der(g, x);", "function f = der(g, y);"},
        {"type E = enumeration(a);", "type E = enumeration(b);"},
        {"type E = enumeration();", "type E = enumeration(:);"},
        {"equation a = b;", "equation a = c;"},
        {"equation a = b;", "algorithm a := b;"},
        {"equation a = b;", "initial equation a = b;"},
        {"equation a = b;", "equation a = b \"c\";"},
        {"equation a = b + c;", "equation a = b - c;"},
        {"equation a = -b;", "equation a = +b;"},
        {"equation a = f(b);", "equation a = f(b = b);"},
        {"equation a = b.c;", "equation a = .b.c;"},
        {"equation a = b[1];", "equation a = b[2];"},
        {"equation a = {b};", "equation a = [b];"},
        {"equation a = \"b\";", "equation a = \"c\";"},
        {"equation a = true;", "equation a = false;"},
        {"equation a = {i for i in b};", "equation a = {i for i};"},
        {"equation connect(a, b);", "equation connect(a, c);"},
        {"equation if a then end if;", "equation if a then else end if;"},
        {"equation when a then end when;",
         "equation when a then elsewhen b then end when;"},
        {"equation for i loop end for;", "equation for j loop end for;"},
        {"algorithm break;", "algorithm return;"},
        {"algorithm while a loop end while;",
         "algorithm while b loop end while;"},
        {"algorithm (a, b) := f();", "algorithm (a, ) := f();"},
        {"annotation(a = 1);", "annotation(a = 2);"},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        AstFile *a = with(f, pair[i][0]), *b = with(f, pair[i][1]);
        if (ast_equal_file(a, b) || ast_equal_file(b, a))
            fail_msg("equal: %s %s", pair[i][0], pair[i][1]);
        assert_true(ast_equal_file(a, parse_text(f, printed(f, a))));
        assert_true(ast_equal_file(b, parse_text(f, printed(f, b))));
    }
}

static void places_do_not_count(void **state)
{
    Fixture *f = *state;
    assert_true(ast_equal_file(with(f, "Real x, y;"),
                               with(f, "  Real x;\n /* c */ Real y;")));
}

static void texts_for_messages_are_as_written(void **state)
{
    Fixture *f = *state;
    static const char *const texts[] = {
        "a.b[1, :].c + f(x, k = 2)",
        "if a then b else c",
        "{i for i in 1:n}",
        "not a and b",
        "-x^2",
        "[1, 2; 3]",
        "(a, , b)",
        ".a",
        "\"q\\\"\"",
        "1e-3",
        "a[end]",
        "f(function g(a = 1))",
        "(x)[2]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *text =
            ast_expr_text(parse_expr_text(f, texts[i]), f->arena);
        AstExpr *again = parse_expr_text(f, text);
        assert_non_null(again);
        assert_true(ast_equal_expr(again, parse_expr_text(f, texts[i])));
    }
    AstExpr *e = parse_expr_text(f, "a.b[1]");
    assert_string_equal(ast_ref_text(e->ref, f->arena), "a.b[1]");
    e = parse_expr_text(f, "a");
    assert_string_equal(ast_ref_text(e->ref, f->arena), "a");
}

static void arguments_are_found_by_name(void **state)
{
    Fixture *f = *state;
    AstMod *m =
        with(f, "annotation(a.b = 1, c = 2, d(e = 3));")->cls[0]->annotation;
    assert_null(ast_mod_find(m, "a"));
    assert_true(ast_mod_find(m, "c")->mod->value->value == 2);
    assert_non_null(ast_mod_find(ast_mod_find(m, "d")->mod, "e"));
    assert_null(ast_mod_find(m, "x"));
    assert_null(ast_mod_find(NULL, "x"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(trees_that_differ_anywhere_are_not_equal),
        TEST(places_do_not_count),
        TEST(texts_for_messages_are_as_written),
        TEST(arguments_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
