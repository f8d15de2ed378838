/* test_march.c - runs on derivative arrays: exact solutions, drift, reuse. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "array/march.h"
#include "simplify/simplify.h"
#include "support/flat_text.h"

typedef struct Outcome {
    bool fine;
    double x[8], time;
    MarchStats stats;
} Outcome;

/* From a point whose x_0 is moved by `off`. */
static Outcome go_from(const char *text, MarchOptions o, double stop,
                       double off)
{
    Outcome out = {0};
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    sources_add(sources, "test.mo", text, strlen(text));
    Diag *diag = diag_new(sources, arena);
    Sys *sys =
        simplify(flat_text(text, arena), (SimplifyOptions){0}, arena, diag);
    Array *a = array_new(sys, 0, 7, arena, diag);
    assert_non_null(a);
    ArrayIndex *x = array_index(a, 0, stop, arena);
    March *m = march_new(a, x, &o, arena);
    assert_non_null(m);
    if (off != 0) {
        double z[200];
        int n = (x->uniform_index + 2) * a->n;
        memcpy(z, march_point(m), (size_t)n * sizeof *z);
        z[0] += off;
        assert_true(march_restart(m, 0, z));
    }
    out.fine = march_to(m, stop);
    out.stats = *march_stats(m);
    out.time = march_time(m);
    for (int j = 0; j < a->n && j < 8; j++)
        out.x[j] = march_point(m)[j];
    arena_free(arena);
    return out;
}

static Outcome go(const char *text, MarchOptions o, double stop)
{
    return go_from(text, o, stop, 0);
}

#define CHAIN5                                                                 \
    "Real x1; Real x2(start=1); Real x3; Real x4(start=-1); Real u; equation"  \
    " der(x1) = x2 + 0.1*sin(x1); der(x2) = x3 + 0.1*x2^2;"                    \
    " der(x3) = x4 + 0.1*x3*x1; der(x4) = (1 + 0.1*x1^2)*u;"                   \
    " x1 = sin(time);"
#define PENDULUM                                                               \
    "Real x(start=0.6); Real y(start=-0.8); Real vx; Real vy; Real l; "        \
    "equation der(x) = vx; der(y) = vy; der(vx) = -l*x;"                       \
    " der(vy) = -l*y - 9.81; x^2 + y^2 = 1;"
#define TURNED                                                                 \
    "Real a(start=1); Real b; Real c; equation der(a) + b - c = 0;"            \
    " der(b) + a = exp(-time);"                                                \
    " (2 + sin(time))*(der(a) + b - c) + a - b = cos(time);"

static void reuse_needs_less_than_half_of_the_factorisations(void **state)
{
    (void)state;
    const char *text[] = {CHAIN5, PENDULUM};
    for (int i = 0; i < 2; i++) {
        MarchOptions o = {.kind = MARCH_PARTITION, .rtol = 1e-8};
        Outcome with = go(text[i], o, 1);
        o.no_reuse = true;
        Outcome without = go(text[i], o, 1);
        assert_true(with.fine && without.fine);
        for (int j = 0; j < 4; j++)
            assert_true(fabs(with.x[j] - without.x[j]) < 1e-6);
        if (getenv("TAKT_SHOW"))
            printf("factorisations %ld, without reuse %ld\n",
                   with.stats.factors, without.stats.factors);
        assert_true(2 * with.stats.factors <= without.stats.factors);
    }
}

/* Rows by structure where it is right, all of F_(nu-1) where rows are turned;
 * the same end in any case, with a fraction of the work. */
static void rows_that_say_nothing_are_left_out(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int rows, all, share;
    } known[] = {{CHAIN5, 15, 30, 8}, {PENDULUM, 9, 20, 8}, {TURNED, 6, 9, 3}};
    for (int i = 0; i < 3; i++) {
        MarchOptions o = {.kind = MARCH_PARTITION, .rtol = 1e-8};
        Outcome few = go(known[i].text, o, 1);
        o.whole = true;
        Outcome all = go(known[i].text, o, 1);
        assert_true(few.fine && all.fine);
        assert_int_equal(few.stats.rows, known[i].rows);
        assert_int_equal(all.stats.rows, known[i].all);
        assert_true(known[i].share * few.stats.flops < all.stats.flops);
        for (int j = 0; j < 3; j++)
            assert_true(fabs(few.x[j] - all.x[j]) < 1e-6);
        assert_true(few.stats.drift < 1e-9); /* of all rows */
        if (getenv("TAKT_SHOW"))
            printf("%d of %d rows, %ld of %ld flops\n", few.stats.rows,
                   all.stats.rows, few.stats.flops, all.stats.flops);
    }
}

/* Beside the manifold completions differ, and the steps that change from one to
 * the other are judged by that; on it they are one. */
static void changes_of_a_completion_count(void **state)
{
    (void)state;
    double steps[2][2], jump[2];
    for (int off = 0; off < 2; off++)
        for (int mixes = 0; mixes < 2; mixes++) {
            MarchOptions o = {
                .kind = MARCH_COMPLETION, .rtol = 1e-6, .mixes = mixes};
            Outcome c = go_from(PENDULUM, o, 1, off ? 1e-2 : 0);
            assert_true(c.fine);
            steps[off][mixes] = (double)c.stats.steps;
            if (!mixes) {
                assert_true(c.stats.changes > 0);
                jump[off] = c.stats.jump;
            }
        }
    if (getenv("TAKT_SHOW"))
        printf("on the manifold %g and %g steps, largest change %g; beside it "
               "%g and %g, %g\n",
               steps[0][0], steps[0][1], jump[0], steps[1][0], steps[1][1],
               jump[1]);
    assert_true(jump[0] < 1 && jump[1] > 10 * jump[0]);
    assert_true(steps[0][0] < 1.2 * steps[0][1]);
    assert_true(steps[1][0] > 1.2 * steps[1][1]);
}

static void a_partition_stays_on_the_manifold(void **state)
{
    (void)state;
    MarchOptions o = {.kind = MARCH_PARTITION, .rtol = 1e-6};
    Outcome p = go(PENDULUM, o, 5);
    o.kind = MARCH_COMPLETION;
    Outcome c = go(PENDULUM, o, 5);
    assert_true(p.fine && c.fine);
    assert_true(p.stats.drift < 1e-9);
    assert_true(fabs(hypot(p.x[0], p.x[1]) - 1) < 1e-12);
    assert_true(c.stats.drift > p.stats.drift); /* and that is told */
}

/* The order of the formulas survives what is chosen anew on the way. */
static void smaller_tolerances_give_smaller_errors(void **state)
{
    (void)state;
    double last = 1;
    for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
        MarchOptions o = {.kind = MARCH_PARTITION, .rtol = rtol};
        Outcome p = go(PENDULUM, o, 5);
        double energy =
            0.5 * (p.x[2] * p.x[2] + p.x[3] * p.x[3]) + 9.81 * (p.x[1] + 0.8);
        assert_true(p.fine && fabs(energy) < 0.3 * last);
        last = fabs(energy);
    }
    assert_true(last < 1e-6);
}

static void a_singular_point_ends_the_run(void **state)
{
    (void)state;
    MarchOptions o = {.kind = MARCH_PARTITION, .rtol = 1e-6};
    Outcome p = go("Real x(start=1, fixed=true); Real y(start=0.3); equation"
                   " der(x) = -x + y; (1 - time)*y + 0.5*x = 1 - 0.2*time;",
                   o, 2);
    assert_false(p.fine);
    assert_true(fabs(p.time - 1) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(reuse_needs_less_than_half_of_the_factorisations),
        cmocka_unit_test(rows_that_say_nothing_are_left_out),
        cmocka_unit_test(changes_of_a_completion_count),
        cmocka_unit_test(a_partition_stays_on_the_manifold),
        cmocka_unit_test(smaller_tolerances_give_smaller_errors),
        cmocka_unit_test(a_singular_point_ends_the_run),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
