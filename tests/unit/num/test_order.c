/* Orders of large blocks: found without searching, sparse, and right. */
#include <math.h>
#include <string.h>

#include "num/order.h"
#include "num/static_lu.h"
#include "support/test.h"

enum { MOST = 60 * 60 };

typedef struct Grid {
    int n, nnz, row[5 * MOST], col[5 * MOST];
    double value[5 * MOST];
} Grid;

static void put(Grid *g, int i, int j, double x)
{
    g->row[g->nnz] = i;
    g->col[g->nnz] = j;
    g->value[g->nnz++] = x;
}

/* 1 + h * (the five-point star) on side x side points. */
static void make_grid(Grid *g, int side)
{
    memset(g, 0, sizeof *g);
    g->n = side * side;
    for (int i = 0; i < g->n; i++) {
        put(g, i, i, 1.4);
        if (i % side > 0)
            put(g, i, i - 1, -0.1);
        if (i % side < side - 1)
            put(g, i, i + 1, -0.1);
        if (i >= side)
            put(g, i, i - side, -0.1);
        if (i < g->n - side)
            put(g, i, i + side, -0.1);
    }
}

static OrderMatrix matrix_of(const Grid *g)
{
    return (OrderMatrix){.n = g->n,
                         .nnz = g->nnz,
                         .nsample = 1,
                         .row = g->row,
                         .col = g->col,
                         .value = g->value,
                         .threshold = 0.1};
}

/* Small operations per operation of the factors, and their entries. */
static double work_of(const Grid *g, OrderMeasure measure, int *nentry)
{
    Arena *arena = arena_new();
    OrderMatrix m = matrix_of(g);
    long work = 0;
    const Order *o =
        order_find(&m, (OrderTrial){.measure = measure}, &work, arena);
    assert_non_null(o);
    *nentry = o->erow.n;
    double ratio = (double)work / (double)o->flops;
    arena_free(arena);
    return ratio;
}

static void the_work_of_an_order_is_that_of_its_factors(void **unused)
{
    (void)unused;
    static Grid g;
    int nentry;
    make_grid(&g, 30);
    assert_true(work_of(&g, ORDER_AMD, &nentry) < 12);
    assert_true(work_of(&g, ORDER_MARKOWITZ, &nentry) < 40);
    make_grid(&g, 60);
    assert_true(work_of(&g, ORDER_AMD, &nentry) < 12);
    assert_true(nentry < 40 * g.n);
    assert_true(work_of(&g, ORDER_MARKOWITZ, &nentry) < 40);
}

static void minimum_degree_has_less_fill_than_counts(void **unused)
{
    (void)unused;
    static Grid g;
    int amd, markowitz;
    make_grid(&g, 40);
    work_of(&g, ORDER_AMD, &amd);
    work_of(&g, ORDER_MARKOWITZ, &markowitz);
    assert_true(amd <= markowitz);
}

/* Residual of A x = b with the factors. */
static double residual_of(const Grid *g, const StaticLu *f, Arena *arena)
{
    double *entry = NEW_ARRAY(arena, double, f->nentry);
    double *inverse = NEW_ARRAY(arena, double, g->n);
    double *rhs = NEW_ARRAY(arena, double, g->n);
    double *x = NEW_ARRAY(arena, double, g->n);
    double *left = NEW_ARRAY(arena, double, g->n), most = 0;
    memcpy(entry, g->value, (size_t)g->nnz * sizeof(double));
    for (int i = 0; i < g->n; i++)
        left[i] = rhs[i] = sin(i + 1.0);
    static_lu_factor(f, entry, inverse);
    static_lu_solve(f, entry, inverse, rhs, x);
    for (int k = 0; k < g->nnz; k++)
        left[g->row[k]] -= g->value[k] * x[g->col[k]];
    for (int i = 0; i < g->n; i++)
        most = fmax(most, fabs(left[i]));
    return most;
}

static void factors_of_a_large_block_solve_it(void **unused)
{
    (void)unused;
    static Grid g;
    Arena *arena = arena_new();
    make_grid(&g, 35);
    const StaticLu *f =
        static_lu_new(g.n, g.nnz, g.row, g.col, g.value, 1, 0.1, arena);
    assert_non_null(f);
    assert_true(residual_of(&g, f, arena) < 1e-13);
    arena_free(arena);
}

/* Pairs a 1; 1 a with a small a, tied together: the diagonal is no
 * transversal, and what stands beside it has to be exchanged. */
static void a_weak_diagonal_is_exchanged(void **unused)
{
    (void)unused;
    static Grid g;
    Arena *arena = arena_new();
    memset(&g, 0, sizeof g);
    g.n = 600;
    for (int i = 0; i < g.n; i++) {
        put(&g, i, i, 1e-9);
        put(&g, i, i ^ 1, 1);
        put(&g, i, (i + 2) % g.n, 0.3);
    }
    const StaticLu *f =
        static_lu_new(g.n, g.nnz, g.row, g.col, g.value, 1, 0.1, arena);
    assert_non_null(f);
    assert_true(f->weakest >= 0.1);
    assert_true(residual_of(&g, f, arena) < 1e-12);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_work_of_an_order_is_that_of_its_factors),
        cmocka_unit_test(minimum_degree_has_less_fill_than_counts),
        cmocka_unit_test(factors_of_a_large_block_solve_it),
        cmocka_unit_test(a_weak_diagonal_is_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
