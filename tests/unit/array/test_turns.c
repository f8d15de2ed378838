/* test_turns.c - partitions where the solution turns sharply: what the monitors
 * of section 5.2 see (Campbell, Zhong 1994, table 3), and when a new partition
 * is taken. TAKT_SHOW=1 prints the table. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "array/march.h"
#include "array/partition.h"
#include "array/rank.h"
#include "array/rq.h"
#include "simplify/simplify.h"
#include "support/flat_text.h"

/* A body on a circle, x = cos t, y = sin t, index 3, n = 5; every row has part
 * of the next one, so no row is a constraint by itself. As a coordinate, x
 * turns at 0 and pi, y at pi/2 and 3 pi/2. */
#define ROW1 "(der(x) - u)"
#define ROW2 "(der(y) - v)"
#define ROW3 "(der(u) + l*x)"
#define ROW4 "(der(v) + l*y)"
#define ROW5 "(x^2 + y^2 - 1)"
#define MIX  "0.3*(2 + sin(time))*"
static const char *const circle =
    "Real x(start=0.955336489125606); Real y(start=0.29552020666133955);"
    " Real u(start=-0.2955202066613396, fixed=true);"
    " Real v(start=0.955336489125606); Real l(start=1); equation " ROW1
    " + " MIX ROW2 " = 0; " ROW2 " + " MIX ROW3 " = 0; " ROW3 " + " MIX ROW4
    " = 0; " ROW4 " + " MIX ROW5 " = 0; " ROW5 " + 0.2*" ROW1 " = 0;";

typedef struct Run {
    Arena *arena;
    Array *a;
    ArrayIndex *x;
    March *m;
} Run;

static Run begin(void)
{
    Run r = {.arena = arena_new()};
    Sources *sources = sources_new(r.arena);
    sources_add(sources, "test.mo", circle, strlen(circle));
    Diag *diag = diag_new(sources, r.arena);
    Sys *sys = simplify(flat_text(circle, r.arena), (SimplifyOptions){0},
                        r.arena, diag);
    r.a = array_new(sys, 0.3, 6, r.arena, diag);
    assert_non_null(r.a);
    r.x = array_index(r.a, 0.3, 5, r.arena);
    assert_int_equal(r.x->uniform_index, 3);
    MarchOptions o = {.kind = MARCH_PARTITION, .rtol = 1e-8};
    r.m = march_new(r.a, r.x, &o, r.arena);
    assert_non_null(r.m);
    return r;
}

typedef struct Look {
    double least_u, most_u, least, largest, method1, method2, condition;
} Look;

/* J of (61) where the run is now, with these columns as x1. */
static Look look_at(const Run *r, const bool *is_first)
{
    int n = r->a->n, k = r->x->uniform_index, nrow = (k + 1) * n, m = 0;
    double *j = NEW_ARRAY(r->arena, double, nrow *(nrow + n));
    array_jacobian(r->a, k, march_time(r->m), march_point(r->m), NULL, j);
    for (int c = 0; c < n; c++)
        m += is_first[c];
    Rq *q = rq_new(k, n, m, r->arena);
    double *whole = NEW_ARRAY(r->arena, double, nrow *(nrow + m));
    for (int c = 0, last = nrow; c < nrow + n; c++) {
        if (c < n && !is_first[c])
            continue;
        int to = c < n ? last++ : c - n;
        for (int i = 0; i < nrow; i++)
            whole[to * nrow + i] = q->a[i * q->ncol + to] = j[c * nrow + i];
    }
    Look l;
    assert_true(rank_extremes(nrow, nrow + m, whole, &l.least, &l.largest));
    assert_true(rq_factor(q));
    l.method1 = rq_ratio(q, &l.least_u, &l.most_u);
    l.method2 = rq_condition(q);
    l.condition = l.largest / l.least;
    return l;
}

static void show(const char *what, double t, const Look *l)
{
    if (getenv("TAKT_SHOW"))
        printf(
            "| %.2f | %s | %.2g | %.0f | %.2g | %.0f | %.1e | %.1e | %.1e |\n",
            t, what, l->least_u, l->most_u, l->least, l->largest, l->method1,
            l->method2, l->condition);
}

static void a_new_partition_is_taken_before_the_old_one_fails(void **state)
{
    (void)state;
    const double turn = 1.57;
    Run r = begin();
    for (int i = 1; i <= 3; i++) {
        bool old[8], now[8];
        assert_true(march_to(r.m, i * turn - 0.8));
        assert_true(partition_choose(r.a, r.x, NULL, march_time(r.m),
                                     march_point(r.m), old));
        assert_true(march_to(r.m, i * turn));
        for (int j = 0; j < r.a->n; j++)
            now[j] = !march_is_coordinate(r.m, j);
        Look before = look_at(&r, old), after = look_at(&r, now);
        show("old", i * turn, &before);
        show("new", i * turn, &after);
        /* the bound is one, the estimate within the size of the matrix */
        assert_true(before.method1 <= before.condition * (1 + 1e-9));
        assert_true(before.method2 >= 0.05 * before.condition &&
                    before.method2 <= 20 * before.condition);
        assert_true(after.condition < 1e-3 * before.condition);
    }
    const double *z = march_point(r.m), t = march_time(r.m);
    assert_true(fabs(z[0] - cos(t)) < 1e-6 && fabs(z[1] - sin(t)) < 1e-6);
    assert_true(march_stats(r.m)->partitions > 3);
    assert_true(march_stats(r.m)->drift < 1e-9);
    arena_free(r.arena);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(a_new_partition_is_taken_before_the_old_one_fails),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
