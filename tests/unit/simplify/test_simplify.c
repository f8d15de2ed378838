/* test_simplify.c - what leaves the system, and how it comes back. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "simplify/simplify.h"
#include "support/flat_text.h"

typedef struct Case {
    Arena *arena;
    Diag *diag;
    Sys *sys;
} Case;

static Case run(const char *text, SimplifyOptions options)
{
    Case c = {.arena = arena_new()};
    Sources *sources = sources_new(c.arena);
    sources_add(sources, "test.mo", text, strlen(text));
    c.diag = diag_new(sources, c.arena);
    c.sys = simplify(flat_text(text, c.arena), options, c.arena, c.diag);
    if (getenv("TAKT_SHOW")) {
        if (c.sys)
            sys_print(c.sys, stderr);
        diag_print(c.diag, stderr);
    }
    return c;
}

static const SysVar *var(const Case *c, const char *name)
{
    int v = sys_find_var(c->sys, name);
    assert_true(v != NONE);
    return &c->sys->var[v];
}

static void constants_and_dependent_parameters_leave(void **state)
{
    (void)state;
    Case c = run("constant Real two = 2; parameter Real p = 3; Real a; Real b;"
                 "Real x; equation a = two + 1; b = a*p; der(x) = b - x;",
                 (SimplifyOptions){0});
    assert_int_equal(c.sys->neqn, 1);
    assert_int_equal(var(&c, "a")->role, SR_CONSTANT);
    assert_true(var(&c, "a")->value == 3);
    assert_int_equal(var(&c, "b")->role, SR_PARAMETER);
    assert_false(var(&c, "b")->is_tunable);
    assert_true(var(&c, "p")->is_tunable);
    double *value = NEW_ARRAY(c.arena, double, c.sys->nvar);
    SysSet set = {sys_find_var(c.sys, "p"), 5};
    assert_true(sys_start_values(c.sys, &set, 1, value, c.diag));
    assert_true(value[sys_find_var(c.sys, "b")] == 15);
    arena_free(c.arena);
}

static void aliases_keep_their_sign(void **state)
{
    (void)state;
    Case c = run("Real x(start=2, fixed=true); Real y; Real z; equation"
                 " der(x) = -z; y = -x; z + y = 0;",
                 (SimplifyOptions){0});
    assert_int_equal(c.sys->neqn, 1);
    assert_int_equal(var(&c, "y")->role, SR_ALIAS);
    assert_int_equal(var(&c, "y")->sign, -1);
    assert_int_equal(var(&c, "z")->sign, 1);
    double *value = NEW_ARRAY(c.arena, double, c.sys->nvar);
    sys_start_values(c.sys, NULL, 0, value, c.diag);
    assert_true(value[sys_find_var(c.sys, "y")] == -2);
    arena_free(c.arena);
}

static void a_variable_that_equals_its_negative_is_zero(void **state)
{
    (void)state;
    Case c = run("Real x; Real y; Real s; equation x = y; x = -y;"
                 "der(s) = x + 1;",
                 (SimplifyOptions){0});
    assert_int_equal(c.sys->neqn, 1);
    assert_int_equal(var(&c, "x")->role, SR_CONSTANT);
    assert_true(var(&c, "y")->value == 0);
    arena_free(c.arena);
}

static void limits_are_intersected_and_starts_merged(void **state)
{
    (void)state;
    Case c = run("Real x(min=0, max=5); Real y(min=-3, max=-1, start=-2,"
                 "fixed=true); equation der(x) = 1; y = -x;",
                 (SimplifyOptions){0});
    const SysVar *x =
        var(&c, "y")->role == SR_ALIAS ? var(&c, "x") : var(&c, "y");
    double low, high, start;
    assert_true(x->fixed);
    assert_true(expr_is_const(c.sys->dag, x->min, &low));
    assert_true(expr_is_const(c.sys->dag, x->max, &high));
    assert_true(expr_is_const(c.sys->dag, x->start, &start));
    assert_true(high - low == 2);
    assert_true(start >= low && start <= high);
    arena_free(c.arena);
}

static void keep_aliases_keeps_the_equations(void **state)
{
    (void)state;
    Case c = run("Real x; Real y; equation der(x) = -y; y = x;",
                 (SimplifyOptions){.keep_aliases = true});
    assert_int_equal(c.sys->neqn, 2);
    assert_int_equal(c.sys->nalias, 0);
    arena_free(c.arena);
}

static void unread_variables_are_computed_for_output(void **state)
{
    (void)state;
    Case c = run("Real x; Real power; Real twice; equation der(x) = -x;"
                 "power = x^2; twice = 2*power;",
                 (SimplifyOptions){.remove_unread = true});
    assert_int_equal(c.sys->neqn, 1);
    assert_int_equal(c.sys->ncomputed, 2);
    assert_int_equal(var(&c, "power")->role, SR_COMPUTED);
    arena_free(c.arena);
}

static void inputs_represent_their_class(void **state)
{
    (void)state;
    Case c = run("input Real u; Real a; Real x; equation a = u; der(x) = a;",
                 (SimplifyOptions){0});
    assert_int_equal(var(&c, "a")->role, SR_ALIAS);
    assert_int_equal(var(&c, "u")->role, SR_INPUT);
    arena_free(c.arena);
}

static void der_of_an_expression_is_expanded(void **state)
{
    (void)state;
    Case c = run("Real x; Real y; equation der(x*y) = 1; y = 1 + sin(time);",
                 (SimplifyOptions){0});
    assert_int_equal(var(&c, "x")->derivatives, 1);
    assert_int_equal(var(&c, "y")->derivatives, 1);
    arena_free(c.arena);
}

static void a_real_assigned_in_a_when_is_discrete(void **state)
{
    (void)state;
    Case c = run("Real x; Real n; equation der(x) = 1; when x > 1 then"
                 " n = pre(n) + 1; end when;",
                 (SimplifyOptions){0});
    assert_int_equal(var(&c, "n")->role, SR_DISCRETE);
    assert_int_equal(c.sys->neqn, 3); /* with the condition's variable */
    arena_free(c.arena);
}

static void a_parameter_bound_to_a_free_one_is_free(void **state)
{
    (void)state;
    Case c =
        run("parameter Real k(start=1, fixed=false); parameter Real m = 2*k;"
            "Real x; equation der(x) = m;",
            (SimplifyOptions){0});
    assert_int_equal(var(&c, "m")->role, SR_FREE);
    assert_int_equal(c.sys->ninitial, 1);
    arena_free(c.arena);
}

static void contradictions_are_errors(void **state)
{
    (void)state;
    Case a = run("Real x; equation x = 1; x = 2;", (SimplifyOptions){0});
    Case b = run("parameter Real p = 1; parameter Real q = 2; Real x; equation"
                 " x = p; x = q;",
                 (SimplifyOptions){0});
    Case c = run("Real x(start=1, fixed=true); Real y(start=2, fixed=true);"
                 "equation der(x) = 1; x = y;",
                 (SimplifyOptions){0});
    assert_null(a.sys);
    assert_null(b.sys);
    assert_null(c.sys);
    arena_free(a.arena);
    arena_free(b.arena);
    arena_free(c.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_and_dependent_parameters_leave),
        cmocka_unit_test(aliases_keep_their_sign),
        cmocka_unit_test(a_variable_that_equals_its_negative_is_zero),
        cmocka_unit_test(limits_are_intersected_and_starts_merged),
        cmocka_unit_test(keep_aliases_keeps_the_equations),
        cmocka_unit_test(unread_variables_are_computed_for_output),
        cmocka_unit_test(inputs_represent_their_class),
        cmocka_unit_test(der_of_an_expression_is_expanded),
        cmocka_unit_test(a_real_assigned_in_a_when_is_discrete),
        cmocka_unit_test(a_parameter_bound_to_a_free_one_is_free),
        cmocka_unit_test(contradictions_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
