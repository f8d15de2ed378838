/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "fixture.h"

static const AstExpr *rhs(const AstFile *file, int i)
{
    return file->cls[0]->section[0].eqn[i]->rhs;
}

static void numbers_are_the_nearest_doubles(void **state)
{
    Fixture *f = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0.1", 0.1},
        {"1e23", 1e23},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"4.9e-324", 4.9e-324},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"0.000001234567", 0.000001234567},
        {"9007199254740993", 9007199254740993.0},
        {".5", 0.5},
        {"1.", 1.0},
        {"1e-400", 0.0},
        {"00012.50e+2", 1250.0},
        {"8.41e21", 8.41e21},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"0e99999999999", 0.0},
        {"3e-5", 3e-5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AstExpr *e = parse_expr_text(f, cases[i].text);
        assert_non_null(e);
        assert_true(e->value == cases[i].value);
    }
    assert_int_equal(parse_expr_text(f, "2147483647")->kind, AE_INTEGER);
    assert_int_equal(parse_expr_text(f, "2147483648")->kind, AE_REAL);
    assert_int_equal(parse_expr_text(f, "1e0")->kind, AE_REAL);
}

static void strings_have_their_escapes_resolved(void **state)
{
    Fixture *f = *state;
    const char *text = parse_expr_text(f, "\"a\\\"b\\\\ \\n\\t\\'\\?\"")->text;
    assert_string_equal(text, "a\"b\\ \n\t'?");
    assert_string_equal(parse_expr_text(f, "\"a\r\nb\rc\"")->text, "a\nb\rc");
    assert_ptr_equal(parse_expr_text(f, "\"x\"")->text,
                     parse_expr_text(f, "\"x\"")->text);
}

static void places_are_those_of_the_text(void **state)
{
    Fixture *f = *state;
    const char *text = "model M\n  Real abc(start = 1);\nequation\n"
                       "  abc = x.y[2] + f(3);\nend M;\n";
    AstFile *file = parse_text(f, text);
    const AstClass *m = file->cls[0];
    assert_memory_equal(text + m->elem[0]->span.begin, "abc", 3);
    assert_int_equal(m->elem[0]->span.end - m->elem[0]->span.begin, 3);
    const AstExpr *sum = rhs(file, 0);
    assert_memory_equal(text + sum->span.begin, "x.y[2] + f(3);", 14);
    assert_int_equal(sum->span.end - sum->span.begin, 13);
    assert_memory_equal(text + sum->arg[1]->span.begin, "f(3)", 4);
    assert_int_equal(m->section[0].eqn[0]->span.end - sum->span.end, 0);
    assert_int_equal(m->full_span.begin, 0);
    assert_memory_equal(text + m->full_span.end, ";\n", 3);
}

static void the_tree_keeps_what_could_be_understood(void **state)
{
    Fixture *f = *state;
    AstFile *file = parse_text(f, "model A\n  Real x;\n  Real ;\n  Real y;\n"
                                  "equation\n  x = ;\n  y = 1;\nend A;\n"
                                  "model B end B;\n");
    assert_int_equal(file->nerror, 2);
    assert_int_equal(file->ncls, 2);
    assert_int_equal(file->cls[0]->nelem, 2);
    assert_int_equal(file->cls[0]->section[0].neqn, 1);
}

static void an_empty_text_is_an_empty_file(void **state)
{
    Fixture *f = *state;
    assert_int_equal(parse_text(f, "")->ncls, 0);
    assert_int_equal(parse_text(f, "\xEF\xBB\xBF")->nerror, 0);
    assert_int_equal(parse_text(f, " // only a comment")->nerror, 0);
    AstFile *w = parse_text(f, "within;");
    assert_true(w->has_within);
    assert_null(w->within);
    assert_int_equal(diag_count(f->diag, DIAG_ERROR), 0);
}

static void a_lone_expression_is_read_to_its_end(void **state)
{
    Fixture *f = *state;
    assert_non_null(parse_expr_text(f, "x^2 + y^2 - 1"));
    assert_non_null(parse_expr_text(f, "if a then b else c"));
    assert_null(parse_expr_text(f, "x + "));
    assert_null(parse_expr_text(f, "x y"));
    assert_null(parse_expr_text(f, ""));
    assert_null(parse_expr_text(f, "\"open"));
    assert_int_equal(diag_count(f->diag, DIAG_ERROR), 4);
}

/* Cuts the text at every byte, and drops every byte: no crash, and a tree
 * without errors prints and parses to itself. */
static void no_piece_of_a_model_is_harmful(void **state)
{
    static const char *const text =
        "within A; final partial model M \"c\" + \"d\" import B.{c, d}; "
        "extends "
        "E(break x, y(z = 1) = 2) annotation(a); replaceable F g[2, :](each h "
        "= {1, 2} \"t\") if not b constrainedby K; type T = enumeration(u, v); "
        "function f = der(g, x); initial equation (a, , b) = f(1, k = [1, 2; 3"
        ", 4]); when {x > 1.5e3, y} then reinit(x, 'q r'[end]); elsewhen z then"
        " end when; algorithm for i in 1:2:3, j loop while a loop break; end "
        "while; end for; x.y[1] := if a then b elseif c then d else -e ^ 2; "
        "protected model N end N; external \"C\" y = f(x); annotation(z = 1); "
        "end M;";
    Fixture *f = *state;
    int n = (int)strlen(text), good = 0;
    for (int i = 0; i <= 2 * n; i++) {
        Fixture *g = NULL;
        assert_int_equal(set_up((void **)&g), 0);
        char *piece = arena_strdup(g->arena, text);
        if (i <= n)
            piece[i] = 0;
        else
            memmove(piece + i - n - 1, piece + i - n, (size_t)(2 * n - i + 1));
        AstFile *a = parse_text(g, piece);
        if (a->nerror == 0) {
            good++;
            assert_true(ast_equal_file(a, parse_text(g, printed(g, a))));
        }
        tear_down((void **)&g);
    }
    (void)f;
    assert_in_range(good, 50, n); /* dropped letters of names and blanks */
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(numbers_are_the_nearest_doubles),
        TEST(strings_have_their_escapes_resolved),
        TEST(places_are_those_of_the_text),
        TEST(the_tree_keeps_what_could_be_understood),
        TEST(an_empty_text_is_an_empty_file),
        TEST(a_lone_expression_is_read_to_its_end),
        TEST(no_piece_of_a_model_is_harmful),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
