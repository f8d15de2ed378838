/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/die.h"
#include "instance/balance.h"
#include "instance/instance.h"

typedef struct Run {
    Arena *arena;
    Diag *diag;
    Flat *flat;
} Run;

/* Flattens the last model of a text. */
static Run flatten(const char *text)
{
    char path[] = "/tmp/takt-unit-XXXXXX.mo";
    int fd = mkstemps(path, 3);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    Run r = {.arena = arena_new()};
    Sources *sources = sources_new(r.arena);
    Intern *names = intern_new(r.arena);
    r.diag = diag_new(sources, r.arena);
    LoadOptions options = {.no_path = true};
    Library *lib = load_new(&options, sources, names, r.arena, r.diag);
    LoadClass *model = load_resolve_model(lib, path, r.diag);
    assert_non_null(model);
    r.flat = instance_flatten(lib, model, names, r.arena, r.diag);
    unlink(path);
    if (r.flat)
        flat_check(r.flat);
    return r;
}

static int find_var(const Flat *f, const char *name)
{
    for (int v = 0; v < f->nvar; v++)
        if (strcmp(f->var[v].name, name) == 0)
            return v;
    return NONE;
}

static double binding(const Flat *f, const char *name)
{
    double x = -1;
    int v = find_var(f, name);
    assert_int_not_equal(v, NONE);
    assert_true(expr_is_const(f->dag, f->var[v].binding, &x));
    return x;
}

static void the_outer_modifier_wins(void **state)
{
    (void)state;
    Run r = flatten("model M model A parameter Real k = 1; end A;"
                    "model B extends A(k = 2); end B; B b, c(k = 3); end M;");
    assert_non_null(r.flat);
    assert_true(binding(r.flat, "b.k") == 2);
    assert_true(binding(r.flat, "c.k") == 3);
    arena_free(r.arena);
}

static void a_size_may_depend_on_what_is_declared_later(void **state)
{
    (void)state;
    Run r = flatten("model M Real x[n] = fill(time, n);"
                    "parameter Integer n = 2*a.k;"
                    "model A parameter Integer k = 2; end A; A a; end M;");
    assert_non_null(r.flat);
    assert_int_not_equal(find_var(r.flat, "x[4]"), NONE);
    assert_int_equal(flat_count_unknowns(r.flat), 4);
    assert_true(r.flat->var[find_var(r.flat, "n")].is_structural);
    assert_true(r.flat->var[find_var(r.flat, "a.k")].is_structural);
    arena_free(r.arena);
}

static void a_tunable_parameter_is_not_structural(void **state)
{
    (void)state;
    Run r = flatten("model M parameter Real p = 2; Real x = p*time; end M;");
    assert_non_null(r.flat);
    assert_false(r.flat->var[find_var(r.flat, "p")].is_structural);
    arena_free(r.arena);
}

static void what_is_not_used_makes_no_parameter_structural(void **state)
{
    (void)state;
    Run r = flatten("model M parameter Integer k = 1, n = 3;"
                    "parameter Boolean c = false; Real x[2] = {time, 2};"
                    "parameter Real z[:] = if c then fill(1.0, n) else {1, 2};"
                    "Boolean b = false and x[k] > 1; end M;");
    assert_non_null(r.flat);
    assert_true(r.flat->var[find_var(r.flat, "c")].is_structural);
    assert_false(r.flat->var[find_var(r.flat, "k")].is_structural);
    assert_false(r.flat->var[find_var(r.flat, "n")].is_structural);
    arena_free(r.arena);
}

static void an_unconnected_flow_is_zero(void **state)
{
    (void)state;
    Run r = flatten("model M connector P Real v; flow Real i; end P;"
                    "model A P p; equation p.v = 1; end A; A a; end M;");
    assert_non_null(r.flat);
    assert_int_equal(r.flat->neqn, 2);
    assert_int_equal(r.flat->eqn[1].origin, FO_UNCONNECTED);
    assert_true(balance_report(r.flat, r.diag));
    arena_free(r.arena);
}

static void equations_are_numbered_within_their_component(void **state)
{
    (void)state;
    Run r = flatten("model M model A Real x, y; equation x = 1; y = 2; end A;"
                    "A a, b; end M;");
    assert_non_null(r.flat);
    assert_int_equal(r.flat->eqn[1].ordinal, 2);
    assert_int_equal(r.flat->eqn[2].ordinal, 1);
    assert_string_equal(
        flat_component_path(r.flat, r.flat->eqn[2].component, r.arena), "b");
    arena_free(r.arena);
}

static void an_unbalanced_model_is_reported(void **state)
{
    (void)state;
    Run r = flatten("model M Real x, y; equation x = 1; end M;");
    assert_non_null(r.flat);
    assert_false(balance_report(r.flat, r.diag));
    assert_int_equal(diag_count(r.diag, DIAG_ERROR), 1);
    arena_free(r.arena);
}

static void classes_without_end_are_an_error(void **state)
{
    (void)state;
    Run r = flatten("package P model A B b; end A; model B A a; end B;"
                    "model M A a; end M; end P;");
    assert_null(r.flat);
    assert_int_equal(diag_exit_code(r.diag), EXIT_MODEL);
    arena_free(r.arena);
}

static void an_experiment_is_read(void **state)
{
    (void)state;
    Run r = flatten("model M Real x = time; annotation(experiment(StartTime = "
                    "-1, StopTime = 2.5)); end M;");
    assert_non_null(r.flat);
    assert_true(r.flat->experiment.has_stop);
    assert_true(r.flat->experiment.start == -1);
    assert_true(r.flat->experiment.stop == 2.5);
    assert_false(r.flat->experiment.has_interval);
    arena_free(r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_outer_modifier_wins),
        cmocka_unit_test(a_size_may_depend_on_what_is_declared_later),
        cmocka_unit_test(a_tunable_parameter_is_not_structural),
        cmocka_unit_test(what_is_not_used_makes_no_parameter_structural),
        cmocka_unit_test(an_unconnected_flow_is_zero),
        cmocka_unit_test(equations_are_numbered_within_their_component),
        cmocka_unit_test(an_unbalanced_model_is_reported),
        cmocka_unit_test(classes_without_end_are_an_error),
        cmocka_unit_test(an_experiment_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
