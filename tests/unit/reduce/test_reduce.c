/* test_reduce.c - index, states and initialisation of known systems. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "reduce/reduce.h"
#include "simplify/simplify.h"
#include "support/flat_text.h"

typedef struct Case {
    Arena *arena;
    Sources *sources;
    Diag *diag;
    Sys *sys;
    Dae *dae;
} Case;

static Case analyse(const char *text)
{
    Case c = {.arena = arena_new()};
    c.sources = sources_new(c.arena);
    sources_add(c.sources, "test.mo", text, strlen(text));
    c.diag = diag_new(c.sources, c.arena);
    Flat *f = flat_text(text, c.arena);
    c.sys = simplify(f, (SimplifyOptions){0}, c.arena, c.diag);
    if (c.sys)
        c.dae = reduce(c.sys, (ReduceOptions){0}, c.arena, c.diag);
    if (getenv("TAKT_SHOW")) {
        if (c.sys)
            sys_print(c.sys, stderr);
        if (c.dae) {
            dae_print(c.dae, stderr);
            dae_print_init(c.dae, stderr);
        }
        diag_print(c.diag, stderr);
    }
    return c;
}

static bool has_state(const Case *c, const char *name)
{
    for (int k = 0; k < c->dae->nstate; k++) {
        if (strcmp(dae_leaf_text(c->dae, c->dae->state[k].leaf, c->arena),
                   name) == 0)
            return true;
    }
    return false;
}

static void explicit_ode_keeps_its_states(void **state)
{
    (void)state;
    Case c = analyse("Real x(start=1, fixed=true); Real y; equation"
                     " der(x) = -x + y; y = 2*x;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->nstate, 1);
    assert_true(has_state(&c, "x"));
    assert_int_equal(c.dae->index, 0);
    assert_int_equal(c.dae->init.nchosen, 0);
    arena_free(c.arena);
}

#define RLC                                                                    \
    "parameter Real R1 = 2.0; parameter Real R2 = 3.0;"                        \
    "parameter Real R3 = 6.0; parameter Real L = 0.5;"                         \
    "parameter Real C = 0.1; Real u0; Real u1; Real u2; Real uL;"              \
    "Real i0; Real i1; Real i2; "

static void the_three_circuits_of_cellier_have_index_0_1_2(void **state)
{
    (void)state;
    Case a =
        analyse(RLC "Real uC(start=0, fixed=true); Real iC;"
                    "Real iL(start=0, fixed=true); equation u0 = sin(time);"
                    "u1 = R1*i1; u2 = R2*i2; uL = L*der(iL); iC = C*der(uC);"
                    "u0 = u1 + uC; uL = u1 + u2; uC = u2; i0 = i1 + iL;"
                    "i1 = i2 + iC;");
    Case b = analyse(RLC "Real u3; Real i3; Real iL(start=0, fixed=true);"
                         "equation u0 = sin(time); u1 = R1*i1; u2 = R2*i2;"
                         "u3 = R3*i3; uL = L*der(iL); u0 = u1 + u3;"
                         "uL = u1 + u2; u3 = u2; i0 = i1 + iL; i1 = i2 + i3;");
    Case c =
        analyse(RLC "Real uC(start=0); Real iC; Real iL(start=0, fixed=true);"
                    "equation u0 = sin(time); u1 = R1*i1; u2 = R2*i2;"
                    "uL = L*der(iL); iC = C*der(uC); u0 = u1 + uL;"
                    "uC = u1 + u2; uL = u2; i0 = i1 + iC; i1 = i2 + iL;");
    assert_int_equal(a.dae->index, 0);
    assert_int_equal(a.dae->nstate, 2);
    assert_int_equal(b.dae->index, 1);
    assert_int_equal(b.dae->nstate, 1);
    assert_int_equal(c.dae->index, 2);
    assert_int_equal(c.dae->structural_index, 2);
    assert_int_equal(c.dae->nstate, 1);
    assert_true(has_state(&c, "iL"));
    arena_free(a.arena);
    arena_free(b.arena);
    arena_free(c.arena);
}

static void pendulum_has_index_3_and_two_state_sets(void **state)
{
    (void)state;
    Case c = analyse(
        "parameter Real len = 1.0; parameter Real g = 9.81;"
        "Real x(start=1.0); Real y(start=0.0, fixed=true); Real vx(start=0.0);"
        "Real vy(start=0.0, fixed=true); Real lam(start=0.0); equation"
        " der(x) = vx; der(y) = vy; der(vx) = -lam*x; der(vy) = -lam*y - g;"
        " x^2 + y^2 = len^2;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->index, 3);
    assert_int_equal(c.dae->structural_index, 3);
    assert_int_equal(c.dae->nstate, 2);
    assert_int_equal(c.dae->nset, 2);
    assert_int_equal(c.dae->init.nchosen, 0);
    for (int k = 0; k < c.dae->nstate; k++) {
        const SysVar *x = &c.sys->var[c.dae->state[k].var];
        assert_memory_equal(x->name, "$set", 4);
        assert_int_equal(x->derivatives, 1);
    }
    arena_free(c.arena);
}

static void transistor_amplifier_has_five_degrees_of_freedom(void **state)
{
    (void)state;
    Case c = analyse(
        "parameter Real Ub = 6.0; parameter Real Uf = 0.026;"
        "parameter Real alpha = 0.99; parameter Real beta = 1.0e-6;"
        "parameter Real R0 = 1000.0; parameter Real R = 9000.0;"
        "parameter Real C1 = 1.0e-6; parameter Real C2 = 2.0e-6;"
        "parameter Real C3 = 3.0e-6; parameter Real C4 = 4.0e-6;"
        "parameter Real C5 = 5.0e-6;"
        "Real e[1](start=0.0); Real e[2](start=3.0); Real e[3](start=3.0);"
        "Real e[4](start=6.0); Real e[5](start=3.0); Real e[6](start=3.0);"
        "Real e[7](start=6.0); Real e[8](start=0.0); Real src; Real g1; Real "
        "g2;"
        "equation src = 0.1*sin(628.0*time);"
        "g1 = beta*(exp((e[2] - e[3])/Uf) - 1);"
        "g2 = beta*(exp((e[5] - e[6])/Uf) - 1);"
        "C1*(der(e[2]) - der(e[1])) = (e[1] - src)/R0;"
        "C1*(der(e[1]) - der(e[2])) = e[2]/R + (e[2] - Ub)/R + (1 - alpha)*g1;"
        "-C2*der(e[3]) = e[3]/R - g1;"
        "C3*(der(e[5]) - der(e[4])) = (e[4] - Ub)/R + alpha*g1;"
        "C3*(der(e[4]) - der(e[5])) = e[5]/R + (e[5] - Ub)/R + (1 - alpha)*g2;"
        "-C4*der(e[6]) = e[6]/R - g2;"
        "C5*(der(e[8]) - der(e[7])) = (e[7] - Ub)/R + alpha*g2;"
        "C5*(der(e[7]) - der(e[8])) = e[8]/R;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->nstate, 5);
    arena_free(c.arena);
}

static void constant_constraint_gives_a_static_choice(void **state)
{
    (void)state;
    Case c = analyse(
        "parameter Real J1 = 1.0; parameter Real J2 = 2.0; parameter Real r = "
        "3.0; Real p1(start=0); Real w1; Real p2; Real w2; Real t1; Real t2;"
        "equation der(p1) = w1; der(p2) = w2; J1*der(w1) = sin(time) + t1;"
        "J2*der(w2) = t2; p1 = r*p2; 0 = r*t1 + t2;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->index, 3);
    assert_int_equal(c.dae->nstate, 2);
    assert_int_equal(c.dae->nset, 0);
    arena_free(c.arena);
}

/* 2 x x' = 1 gives x', but where x is 0; 0 x' says nothing about x. */
static void a_zero_of_the_start_point_is_not_one_everywhere(void **state)
{
    (void)state;
    Case c = analyse("Real x(start=0); Real v; equation der(x) = v;"
                     "x^2 = 1 + time;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->nstate, 0);
    assert_int_equal(diag_count(c.diag, DIAG_ERROR), 0);
    arena_free(c.arena);
}

static void a_parameter_that_is_zero_is_zero_everywhere(void **state)
{
    (void)state;
    Case c = analyse(
        "parameter Real p = 0.0; Real x(start=0); Real y(start=0, fixed=true);"
        "Real v; Real w; equation der(x) = v; der(y) = w;"
        "p*x + 0.0001*y = time; v + w = 1;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->nstate, 1);
    assert_true(has_state(&c, "x"));
    arena_free(c.arena);
}

static void state_select_decides(void **state)
{
    (void)state;
    Case c = analyse(
        "parameter Real r = 3.0; Real p1(stateSelect=prefer); Real p2; Real t;"
        "equation der(p1) = t; der(p2) = sin(time) - t; p1 = r*p2;");
    assert_int_equal(c.dae->nstate, 1);
    assert_true(has_state(&c, "p1"));
    Case d = analyse(
        "parameter Real r = 3.0; Real p1; Real p2(stateSelect=always); Real t;"
        "equation der(p1) = t; der(p2) = sin(time) - t; p1 = r*p2;");
    assert_true(has_state(&d, "p2"));
    arena_free(c.arena);
    arena_free(d.arena);
}

static void second_derivatives_get_a_name(void **state)
{
    (void)state;
    Case c = analyse("Real x(start=1); equation der(der(x)) = -x;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->nstate, 2);
    assert_true(has_state(&c, "x"));
    assert_true(has_state(&c, "$der(x)"));
    arena_free(c.arena);
}

static void when_clause_keeps_the_state_continuous(void **state)
{
    (void)state;
    Case c = analyse(
        "Real h(start=1, fixed=true); Real v(start=0, fixed=true); Boolean low;"
        "discrete Real n(start=0, fixed=true); equation der(h) = v;"
        "der(v) = -9.81; low = h < 0; when low then n = pre(n) + 1;"
        "reinit(v, -0.8*pre(v)); end when;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->nstate, 2);
    assert_int_equal(c.sys->naction, 1);
    assert_int_equal(c.dae->init.nchosen, 0);
    arena_free(c.arena);
}

static void missing_conditions_are_listed_in_one_warning(void **state)
{
    (void)state;
    Case c = analyse("Real x(start=1); Real y(start=2); equation der(x) = y;"
                     "der(y) = -x; initial equation der(x) = 0;");
    assert_non_null(c.dae);
    assert_int_equal(c.dae->init.nchosen, 1);
    assert_int_equal(diag_count(c.diag, DIAG_WARNING), 1);
    arena_free(c.arena);
}

static void surplus_conditions_are_judged_by_their_values(void **state)
{
    (void)state;
    Case c = analyse("Real x(start=1, fixed=true); Real y(start=2, fixed=true);"
                     "equation der(x) = -y; y = 2*x;");
    assert_non_null(c.dae);
    assert_int_equal(diag_count(c.diag, DIAG_WARNING), 1);
    Case d = analyse("Real x(start=1, fixed=true); Real y(start=3, fixed=true);"
                     "equation der(x) = -y; y = 2*x;");
    assert_null(d.dae);
    assert_int_equal(diag_count(d.diag, DIAG_ERROR), 1);
    arena_free(c.arena);
    arena_free(d.arena);
}

static void free_parameters_are_found_by_initial_equations(void **state)
{
    (void)state;
    Case c = analyse("parameter Real k(start=1, fixed=false); Real x(start=1,"
                     "fixed=true); equation der(x) = -k*x; initial equation"
                     " der(x) = -3;");
    assert_non_null(c.dae);
    assert_int_equal(diag_count(c.diag, DIAG_WARNING), 0);
    assert_int_equal(c.dae->init.nunknown, 3);
    arena_free(c.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_ode_keeps_its_states),
        cmocka_unit_test(the_three_circuits_of_cellier_have_index_0_1_2),
        cmocka_unit_test(pendulum_has_index_3_and_two_state_sets),
        cmocka_unit_test(transistor_amplifier_has_five_degrees_of_freedom),
        cmocka_unit_test(constant_constraint_gives_a_static_choice),
        cmocka_unit_test(a_zero_of_the_start_point_is_not_one_everywhere),
        cmocka_unit_test(a_parameter_that_is_zero_is_zero_everywhere),
        cmocka_unit_test(state_select_decides),
        cmocka_unit_test(second_derivatives_get_a_name),
        cmocka_unit_test(when_clause_keeps_the_state_continuous),
        cmocka_unit_test(missing_conditions_are_listed_in_one_warning),
        cmocka_unit_test(surplus_conditions_are_judged_by_their_values),
        cmocka_unit_test(free_parameters_are_found_by_initial_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
