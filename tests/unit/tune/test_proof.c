/* test_proof.c - what is proven of steps whose matrices are made by hand. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "tune/proof.h"

enum { N = 2, SAMPLES = 3 };

static StepMaps maps_of(const double (*m)[N * N], int nx, Arena *a)
{
    StepMap *list = NEW_ARRAY(a, StepMap, SAMPLES);
    double *unit = NEW_ARRAY(a, double, N);
    const char **name = NEW_ARRAY(a, const char *, N);
    for (int i = 0; i < SAMPLES; i++)
        list[i] = (StepMap){m[i], i, 0, false};
    for (int i = 0; i < N; i++) {
        unit[i] = 1;
        name[i] = "x";
    }
    return (StepMaps){.n = N,
                      .nx = nx,
                      .name = name,
                      .unit = unit,
                      .nsample = SAMPLES,
                      .sample = list};
}

static Proof prove(const double (*m)[N * N], int nx,
                   const double (*uncut)[N * N], Arena *a)
{
    ProofOptions o = {.tau = 1};
    StepMaps plan = maps_of(m, nx, a), full = maps_of(uncut, N, a);
    return proof_make(&plan, proof_exact(&full, &o, a), &o, NULL, a);
}

static const double calm[SAMPLES][N * N] = {
    {0.9, 0, 0, 0.5}, {0.9, 0, 0, 0.5}, {0.9, 0, 0, 0.5}};

static void a_calm_step_is_proven(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Proof p = prove(calm, N, calm, a);
    assert_int_equal(p.state, PROOF_PROVEN);
    assert_float_equal(p.radius, 0.9, 1e-12);
    assert_false(proof_rings(&p));
    assert_null(p.why);
    arena_free(a);
}

static void a_growing_mode_refutes(void **state)
{
    (void)state;
    Arena *a = arena_new();
    static const double grows[SAMPLES][N * N] = {
        {0.9, 0, 0, 0.5}, {1.01, 0, 0, 0.5}, {0.9, 0, 0, 0.5}};
    Proof p = prove(grows, N, calm, a);
    assert_int_equal(p.state, PROOF_REFUTED);
    assert_int_equal(p.radius_sample, 1);
    assert_non_null(strstr(p.why, "sample 2"));
    /* where the uncut step grows as much, it may */
    assert_int_equal(prove(grows, N, grows, a).state, PROOF_PROVEN);
    arena_free(a);
}

static void an_eigenvalue_on_the_left_rings(void **state)
{
    (void)state;
    Arena *a = arena_new();
    static const double left[SAMPLES][N * N] = {
        {0.9, 0, 0, 0.5}, {0.9, 0, 0, -0.78}, {0.9, 0, 0, 0.04}};
    Proof p = prove(left, N, calm, a);
    assert_int_equal(p.state, PROOF_PROVEN);
    assert_float_equal(p.ringing, 0.78, 1e-12);
    assert_true(proof_rings(&p));
    assert_false(proof_rings(&(Proof){.ringing = 0.04}));
    assert_true(proof_rings(&(Proof){.ringing = NAN}));
    /* not where the uncut step stands there too */
    p = prove(left, N, left, a);
    assert_float_equal(p.ringing, 0, 1e-12);
    arena_free(a);
}

/* Each damps its own modes, their product does not (shears that alternate). */
static void products_are_looked_at(void **state)
{
    (void)state;
    Arena *a = arena_new();
    static const double shear[SAMPLES][N * N] = {
        {0.9, 8, 0, 0.9}, {0.9, 0, 8, 0.9}, {0.9, 8, 0, 0.9}};
    Proof p = prove(shear, N, calm, a);
    assert_float_equal(p.radius, 0.9, 1e-9);
    assert_int_equal(p.state, PROOF_REFUTED);
    assert_true(p.product_ratio > 50);
    assert_non_null(strstr(p.why, "products"));
    arena_free(a);
}

/* y+ = -1.2 y + ... is stable only through the state. */
static void old_algebraic_values_must_contract(void **state)
{
    (void)state;
    Arena *a = arena_new();
    static const double lag[SAMPLES][N * N] = {
        {0.6, -0.9, 0.9, -1.2}, {0.6, -0.9, 0.9, -1.2}, {0.6, -0.9, 0.9, -1.2}};
    Proof p = prove(lag, 1, calm, a);
    assert_true(p.radius < 1);
    assert_float_equal(p.contraction, 1.2, 1e-12);
    assert_int_equal(p.state, PROOF_REFUTED);
    arena_free(a);
}

static void without_a_matrix_nothing_is_proven(void **state)
{
    (void)state;
    Arena *a = arena_new();
    ProofOptions o = {.tau = 1};
    StepMaps none = {.why = "no step could be made"};
    StepMaps full = maps_of(calm, N, a), hole = maps_of(calm, N, a);
    const ProofExact *x = proof_exact(&full, &o, a);
    assert_int_equal(proof_make(&none, x, &o, NULL, a).state, PROOF_UNPROVEN);
    ((StepMap *)hole.sample)[1].m = NULL;
    hole.why = "not finite";
    assert_int_equal(proof_make(&hole, x, &o, NULL, a).state, PROOF_UNPROVEN);
    assert_int_equal(proof_make(&full, NULL, &o, NULL, a).state,
                     PROOF_UNPROVEN);
    assert_string_equal(proof_state_text(PROOF_UNPROVEN), "unproven");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_calm_step_is_proven),
        cmocka_unit_test(a_growing_mode_refutes),
        cmocka_unit_test(an_eigenvalue_on_the_left_rings),
        cmocka_unit_test(products_are_looked_at),
        cmocka_unit_test(old_algebraic_values_must_contract),
        cmocka_unit_test(without_a_matrix_nothing_is_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
