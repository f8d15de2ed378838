/* prop_scale.c - large systems pass simplification and index reduction, and
 * the work grows with the size, not with its square.
 *
 * The Flat is built directly, so that only the two phases are measured. A
 * model is compared with one GROWTH times smaller: linear work takes GROWTH
 * times as long, quadratic work GROWTH squared; the limit lies between the
 * two, far enough from both that a busy machine does not matter. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>
#include <time.h>

#include "reduce/reduce.h"
#include "simplify/simplify.h"

#define GROWTH      16
#define MOST_GROWTH 100

typedef struct Model {
    Arena *arena;
    Flat *flat;
} Model;

static Model new_model(int n)
{
    Model m = {.arena = arena_new()};
    m.flat = NEW(m.arena, Flat);
    m.flat->dag = dag_new(m.arena);
    m.flat->model = "Scale";
    m.flat->comment = "";
    m.flat->span = NO_SPAN;
    m.flat->component = NEW(m.arena, FlatComponent);
    *m.flat->component = (FlatComponent){
        .name = "", .parent = NONE, .class_name = "Scale", .span = NO_SPAN};
    m.flat->ncomponent = 1;
    m.flat->var = NEW_ARRAY(m.arena, FlatVar, n);
    m.flat->eqn = NEW_ARRAY(m.arena, FlatEqn, n);
    for (int v = 0; v < n; v++)
        m.flat->var[v] =
            flat_plain_var(arena_printf(m.arena, "x[%d]", v), NO_SPAN);
    m.flat->nvar = n;
    return m;
}

static Expr x_of(Model *m, int v, int order)
{
    return expr_var(m->flat->dag, v, order, ET_REAL);
}

static void equate(Model *m, Expr lhs, Expr rhs)
{
    m->flat->eqn[m->flat->neqn] = (FlatEqn){
        .lhs = lhs, .rhs = rhs, .ordinal = m->flat->neqn + 1, .span = NO_SPAN};
    m->flat->neqn++;
}

static Expr sine(Model *m, Expr e)
{
    return expr_unary(m->flat->dag, EX_SIN, e);
}

/* x0' = sin(t), x1 = x0 + sin(x0), x2 = x1 + sin(x1), ... */
static Model chain(int n)
{
    Model m = new_model(n);
    Dag *d = m.flat->dag;
    equate(&m, x_of(&m, 0, 1), sine(&m, expr_time(d)));
    for (int i = 1; i < n; i++) {
        Expr p = x_of(&m, i - 1, 0);
        equate(&m, x_of(&m, i, 0), expr_add(d, p, sine(&m, p)));
    }
    return m;
}

/* x0 = 1, x1 = x0, x2 = -x1, ...: all known; last one free */
static Model alias_chain(int n)
{
    Model m = new_model(n);
    Dag *d = m.flat->dag;
    for (int i = 1; i < n; i++) {
        Expr p = x_of(&m, i - 1, 0);
        equate(&m, x_of(&m, i, 0), i % 2 ? p : expr_neg(d, p));
    }
    equate(&m, x_of(&m, n - 1, 0), expr_real(d, 1));
    return m;
}

/* side x side unknowns, each bound to its neighbours: one block */
static Model grid(int side)
{
    Model m = new_model(side * side);
    Dag *d = m.flat->dag;
    for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
            Expr sum = expr_mul(d, expr_real(d, 5), x_of(&m, i * side + j, 0));
            static const int di[] = {1, -1, 0, 0}, dj[] = {0, 0, 1, -1};
            for (int k = 0; k < 4; k++) {
                int a = i + di[k], b = j + dj[k];
                if (a >= 0 && a < side && b >= 0 && b < side)
                    sum = expr_sub(d, sum, x_of(&m, a * side + b, 0));
            }
            equate(&m, sum, sine(&m, expr_time(d)));
        }
    }
    return m;
}

/* n wheels in a row, rigidly coupled with ratio 1.01: p_i' = w_i,
 * w_i' = t_i - t_(i+1), p_i = 1.01 p_(i+1); index 3, two states remain */
static Model gears(int n)
{
    Model m = new_model(3 * n);
    Dag *d = m.flat->dag;
    for (int i = 0; i < n; i++) {
        int p = 3 * i, w = p + 1, t = p + 2;
        equate(&m, x_of(&m, p, 1), x_of(&m, w, 0));
        Expr next = i + 1 < n ? x_of(&m, t + 3, 0) : expr_real(d, 0);
        equate(&m, x_of(&m, w, 1), expr_sub(d, x_of(&m, t, 0), next));
        if (i + 1 < n)
            equate(&m, x_of(&m, p, 0),
                   expr_mul(d, expr_real(d, 1.01), x_of(&m, p + 3, 0)));
        else
            equate(&m, x_of(&m, 2, 0), sine(&m, expr_time(d)));
    }
    return m;
}

typedef struct Outcome {
    double seconds;
    int nstate, index, neqn;
} Outcome;

static Outcome measure(Model m)
{
    Sources *sources = sources_new(m.arena);
    Diag *diag = diag_new(sources, m.arena);
    clock_t begin = clock();
    Sys *s = simplify(m.flat, (SimplifyOptions){0}, m.arena, diag);
    clock_t mid = clock();
    assert_non_null(s);
    Dae *d = reduce(s, (ReduceOptions){0}, m.arena, diag);
    if (!d)
        diag_print(diag, stderr);
    assert_non_null(d);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    Outcome o = {seconds, d->nstate, d->index, s->neqn};
    printf("  %d equations: %.2f s (simplify %.2f), %zu MB\n", m.flat->neqn,
           seconds, (double)(mid - begin) / CLOCKS_PER_SEC, arena_used() >> 20);
    assert_true(arena_used() < (size_t)2 << 30);
    arena_free(m.arena);
    return o;
}

/* The fastest of three: what else the machine does only adds. */
static Outcome fastest(Model (*make)(int), int n)
{
    Outcome best = measure(make(n));
    for (int i = 1; i < 3; i++) {
        Outcome o = measure(make(n));
        if (o.seconds < best.seconds)
            best = o;
    }
    return best;
}

static Outcome assert_no_square(Model (*make)(int), int n)
{
    Outcome small = fastest(make, n / GROWTH), large = fastest(make, n);
    assert_true(large.seconds < MOST_GROWTH * small.seconds);
    return large;
}

static void a_chain_of_100000_grows_linearly(void **state)
{
    (void)state;
    Outcome o = assert_no_square(chain, 100000);
    assert_int_equal(o.nstate, 1);
    assert_int_equal(o.index, 0);
}

static void a_chain_of_aliases_collapses(void **state)
{
    (void)state;
    Outcome o = assert_no_square(alias_chain, 100000);
    assert_int_equal(o.neqn, 0);
}

static void a_grid_of_90000_is_one_loop(void **state)
{
    (void)state;
    Outcome o = measure(grid(300));
    assert_int_equal(o.neqn, 90000);
    assert_int_equal(o.index, 1);
}

static void rigid_gears_leave_two_states(void **state)
{
    (void)state;
    Outcome o = assert_no_square(gears, 10000);
    assert_int_equal(o.nstate, 2);
    assert_int_equal(o.index, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_100000_grows_linearly),
        cmocka_unit_test(a_chain_of_aliases_collapses),
        cmocka_unit_test(a_grid_of_90000_is_one_loop),
        cmocka_unit_test(rigid_gears_leave_two_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
