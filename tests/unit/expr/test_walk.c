/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "expr/expr_internal.h"
#include "unit/expr/expr_test.h"

static void count_visit(void *context, const Dag *d, Expr e)
{
    char *seen = context;
    const ExprNode *n = expr_node(d, e);
    assert_int_equal(seen[e], 0);
    seen[e] = 1;
    for (int i = 0; i < n->narg; i++)
        assert_int_equal(seen[expr_arg(d, e, i)], 1);
}

static void a_walk_sees_arguments_first_and_shared_nodes_once(void **state)
{
    Bench *t = *state;
    Expr s = expr_add(t->d, t->x, t->y);
    Expr arg[4] = {s, t->z, expr_mul(t->d, s, t->z), s};
    Expr root[2] = {expr_call(t->d, 0, 0, ET_REAL, arg, 4),
                    expr_unary(t->d, EX_SIN, s)};
    char *seen = NEW_ARRAY(t->arena, char, dag_count(t->d));
    expr_walk(t->d, root, 2, count_visit, seen);
    int n = 0;
    for (int i = 0; i < dag_count(t->d); i++)
        n += seen[i];
    assert_int_equal(n, 7); /* x y s z s*z call sin */
}

/* Stamps of a walk long ago must not look like those of this one. */
static void a_walk_sees_all_after_the_stamps_are_used_up(void **state)
{
    Bench *t = *state;
    Expr e = expr_add(t->d, t->x, t->y);
    for (int k = 0; k < 3; k++) {
        char *seen = NEW_ARRAY(t->arena, char, dag_count(t->d));
        expr_walk(t->d, &e, 1, count_visit, seen);
        assert_int_equal(seen[t->x] + seen[t->y] + seen[e], 3);
        t->d->pool->free->epoch = UINT32_MAX - 1;
    }
}

static void leaves_come_once_in_order_and_not_from_below_pre(void **state)
{
    Bench *t = *state;
    Expr e = expr_mul(t->d, expr_add(t->d, t->z, t->x),
                      expr_sub(t->d, t->x, expr_unary(t->d, EX_PRE, t->y)));
    Expr *leaf;
    assert_int_equal(expr_leaves(t->d, e, &leaf, t->arena), 2);
    assert_int_equal(leaf[0], t->x);
    assert_int_equal(leaf[1], t->z);
    assert_true(expr_contains(t->d, e, t->x));
    assert_true(expr_contains(t->d, e, expr_unary(t->d, EX_PRE, t->y)));
    assert_false(expr_contains(t->d, e, t->y));
    assert_false(expr_contains(t->d, e, t->p));
    assert_int_equal(expr_leaves(t->d, expr_real(t->d, 1), &leaf, t->arena), 0);
}

static void a_deep_chain_is_no_recursion(void **state)
{
    Bench *t = *state;
    Expr e = t->x;
    for (int i = 0; i < 300000; i++)
        e = expr_unary(t->d, EX_SIN, expr_add(t->d, e, t->y));
    Expr *leaf;
    assert_int_equal(expr_leaves(t->d, e, &leaf, t->arena), 2);
    assert_true(expr_contains(t->d, e, t->x));
    assert_true(isfinite(bench_value(t, e)));
    Expr f = expr_substitute(t->d, e, t->x, t->z);
    assert_true(expr_contains(t->d, f, t->z));
    assert_false(expr_contains(t->d, f, t->x));
    const char *text = expr_text(t->d, e, bench_name, t, 20, t->arena);
    assert_string_equal(text, "sin(y + sin(y + sin(...");
}

static void operations_and_events_are_found(void **state)
{
    Bench *t = *state;
    Expr less = expr_binary(t->d, EX_LT, t->x, t->y);
    Expr more = expr_binary(t->d, EX_GT, t->x, t->z);
    Expr a = expr_if(t->d, less, expr_unary(t->d, EX_FLOOR, t->x), t->y);
    Expr b = expr_unary(t->d, EX_NOEVENT, expr_if(t->d, more, t->x, t->y));
    Expr root[2] = {a, b};
    Expr *event;
    assert_int_equal(expr_events(t->d, root, 2, &event, t->arena), 2);
    assert_int_equal(event[0], less);
    assert_int_equal(expr_op(t->d, event[1]), EX_FLOOR);
    assert_true(expr_has_op(t->d, b, EX_GT));
    assert_false(expr_has_op(t->d, a, EX_GT));
}

static Expr swap_x_y(void *context, Dag *d, Expr leaf)
{
    Bench *t = context;
    (void)d;
    return leaf == t->x ? t->y : leaf == t->y ? t->x : EXPR_NONE;
}

static void a_map_replaces_leaves_at_once(void **state)
{
    Bench *t = *state;
    ExprMap *m = expr_map_new(t->d, swap_x_y, t, t->arena);
    expr_map_fix(m, expr_time(t->d), t->p);
    Expr e = expr_sub(t->d, t->x, expr_mul(t->d, t->y, expr_time(t->d)));
    assert_text(t, expr_map(m, e), "y - x*p");
    assert_text(t, expr_map(m, expr_sub(t->d, t->x, t->y)), "y - x");
    assert_int_equal(expr_map(m, expr_unary(t->d, EX_PRE, t->x)),
                     expr_unary(t->d, EX_PRE, t->x));
    assert_int_equal(expr_map(m, EXPR_NONE), EXPR_NONE);
    Expr arg[2] = {t->x, t->z};
    Expr call = expr_call(t->d, 1, 0, ET_REAL, arg, 2);
    assert_text(t, expr_map(m, call), "function1(y, z)");
}

static Expr replace_pre(void *context, Dag *d, Expr leaf)
{
    (void)context;
    return expr_op(d, leaf) == EX_PRE ? expr_bool(d, false) : EXPR_NONE;
}

static void a_map_sees_pre_inside_edge(void **state)
{
    Bench *t = *state;
    ExprMap *m = expr_map_new(t->d, replace_pre, t, t->arena);
    Expr raw = expr_make_raw(t->d, EX_EDGE, t->b, EXPR_NONE, EXPR_NONE);
    assert_int_equal(expr_map(m, raw), t->b);
    assert_int_equal(expr_map(m, expr_unary(t->d, EX_EDGE, t->b)), t->b);
}

static void values_of_many_roots_agree_with_single_ones(void **state)
{
    Bench *t = *state;
    Expr s = expr_add(t->d, expr_unary(t->d, EX_SIN, t->x), expr_time(t->d));
    Expr root[3] = {
        expr_mul(t->d, s, t->y), expr_if(t->d, t->b, s, t->z),
        expr_binary(t->d, EX_GT, t->n, expr_unary(t->d, EX_PRE, t->n))};
    double *value = NEW_ARRAY(t->arena, double, dag_count(t->d));
    expr_eval_all(t->d, root, 3, bench_leaf, t, value);
    for (int i = 0; i < 3; i++)
        assert_true(value[root[i]] == bench_value(t, root[i]));
    assert_near(value[root[1]], sin(0.7) + 1.5, 1e-15);
    assert_true(value[root[2]] == 1);
}

static void every_operation_has_its_value(void **state)
{
    (void)state;
    static const struct {
        ExprOp op;
        double a, b, c, value;
    } row[] = {
        {EX_ADD, 2, 3, 0, 5},        {EX_SUB, 2, 3, 0, -1},
        {EX_MUL, 2, 3, 0, 6},        {EX_DIV, 3, 2, 0, 1.5},
        {EX_POW, 2, 3, 0, 8},        {EX_NEG, 2, 0, 0, -2},
        {EX_ABS, -2, 0, 0, 2},       {EX_SIGN, -2, 0, 0, -1},
        {EX_SIGN, 0, 0, 0, 0},       {EX_MIN, 2, 1, 0, 1},
        {EX_MAX, 2, 1, 0, 2},        {EX_FLOOR, -1.5, 0, 0, -2},
        {EX_CEIL, -1.5, 0, 0, -1},   {EX_INTEGER, 1.5, 0, 0, 1},
        {EX_IDIV, -7, 2, 0, -3},     {EX_MOD, -7, 2, 0, 1},
        {EX_REM, -7, 2, 0, -1},      {EX_MOD, 3, -1.4, 0, -1.2},
        {EX_REM, 3, -1.4, 0, 0.2},   {EX_LT, 1, 1, 0, 0},
        {EX_LE, 1, 1, 0, 1},         {EX_GT, 2, 1, 0, 1},
        {EX_GE, 0, 1, 0, 0},         {EX_EQ, 1, 1, 0, 1},
        {EX_NE, 1, 1, 0, 0},         {EX_AND, 1, 0, 0, 0},
        {EX_OR, 1, 0, 0, 1},         {EX_NOT, 1, 0, 0, 0},
        {EX_IF, 1, 4, 5, 4},         {EX_IF, 0, 4, 5, 5},
        {EX_SEMILINEAR, 2, 3, 5, 6}, {EX_SEMILINEAR, -2, 3, 5, -10},
        {EX_SMOOTH, 1, 7, 0, 7},     {EX_HOMOTOPY, 7, 8, 0, 7},
        {EX_LOG10, 1000, 0, 0, 3},   {EX_ATAN2, 1, 0, 0, M_PI / 2},
        {EX_SQRT, 9, 0, 0, 3},       {EX_EXP, 0, 0, 0, 1},
        {EX_TAN, 0, 0, 0, 0},        {EX_TANH, 0, 0, 0, 0},
        {EX_COSH, 0, 0, 0, 1},       {EX_ACOS, 1, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_near(expr_apply(row[i].op, row[i].a, row[i].b, row[i].c),
                    row[i].value, 1e-14);
    assert_true(isnan(expr_apply(EX_MOD, 1, 0, 0)));
    assert_true(isnan(expr_apply(EX_VAR, 1, 0, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_open, bench_close)
        TEST(a_walk_sees_arguments_first_and_shared_nodes_once),
        TEST(a_walk_sees_all_after_the_stamps_are_used_up),
        TEST(leaves_come_once_in_order_and_not_from_below_pre),
        TEST(a_deep_chain_is_no_recursion),
        TEST(operations_and_events_are_found),
        TEST(a_map_replaces_leaves_at_once),
        TEST(a_map_sees_pre_inside_edge),
        TEST(values_of_many_roots_agree_with_single_ones),
        TEST(every_operation_has_its_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
