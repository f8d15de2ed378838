/* prop_expr.c - what holds for every expression, at random points.
 *
 * Values are compared by intervals (interval.h), derivatives by complex steps
 * (complex_step.h). Each property counts how often it told something: a test
 * in which most cases are undecided fails too.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "prop/expr/complex_step.h"
#include "prop/expr/generate.h"
#include "prop/expr/interval.h"
#include "prop/expr/reparse.h"

typedef enum Property {
    BUILDING,
    SIMPLIFYING,
    EVALUATING,
    PRINTING,
    PARTIAL,
    JACOBIAN,
    TOTAL,
    SUBSTITUTING,
    SPLITTING,
    SOLVING,
    NPROPERTY
} Property;

/* The least share of cases, in percent, that each must decide. */
static const struct {
    const char *name;
    int least;
} property[NPROPERTY] = {
    {"building keeps the value", 80},
    {"simplifying keeps the value", 80},
    {"values of many roots are those of one", 100},
    {"printing and reading gives the same value", 100},
    {"partial derivative is that of a complex step", 70},
    {"rows of a Jacobian are partial derivatives", 75},
    {"total derivative is that of a complex step", 70},
    {"substitution is evaluation at another point", 75},
    {"a line is slope times x plus rest", 50},
    {"a solution solves, and is the only one", 55},
};

typedef struct Case {
    uint64_t seed;
    Random r;
    Arena *arena;
    Dag *d;
    Point p;
    Generator g;
    Twin e;
    int *told;
} Case;

static const Interval nothing = {0, 0, false};

static Interval value(const Case *c, Expr e)
{
    return interval_eval(c->d, e, &c->p, EXPR_NONE, nothing);
}

static double number(const Case *c, Expr e)
{
    return expr_eval(c->d, e, point_leaf, (void *)&c->p);
}

static const char *text(const Case *c, Expr e)
{
    return expr_text(c->d, e, point_name, NULL, 0, c->arena);
}

static void complain(const Case *c, Property k, Expr a, Expr b)
{
    print_error("%s: not so with TAKT_SEED=%llu:\n  %s\n  %s\n",
                property[k].name, (unsigned long long)c->seed, text(c, a),
                text(c, b));
    fail();
}

/* Both expressions are to be worth the same at the point of the case. */
static void check_same(Case *c, Property k, Expr a, Expr b)
{
    Interval va = value(c, a), vb = value(c, b);
    if (!interval_tells(va))
        return;
    if (isnan(number(c, b)) && !isnan(number(c, a)))
        complain(c, k, a, b);
    if (!interval_tells(vb))
        return;
    c->told[k]++;
    if (!interval_meets(va, vb)) {
        print_error("[%.20Lg, %.20Lg] and [%.20Lg, %.20Lg]\n", va.lo, va.hi,
                    vb.lo, vb.hi);
        complain(c, k, a, b);
    }
}

static void check_building(Case *c)
{
    check_same(c, BUILDING, c->e.raw, c->e.made);
}

static void check_simplifying(Case *c)
{
    check_same(c, SIMPLIFYING, c->e.raw, expr_simplify(c->d, c->e.raw));
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_evaluating(Case *c)
{
    Expr root[2] = {c->e.raw, c->e.made};
    double *all = NEW_ARRAY(c->arena, double, dag_count(c->d));
    expr_eval_all(c->d, root, 2, point_leaf, &c->p, all);
    for (int i = 0; i < 2; i++) {
        if (!same_number(all[root[i]], number(c, root[i])))
            complain(c, EVALUATING, root[i], root[i]);
    }
    c->told[EVALUATING]++;
}

/* To the last bit: the parentheses keep the order of operations. */
static void check_printing(Case *c)
{
    Expr e = random_below(&c->r, 2) ? c->e.raw : c->e.made;
    const char *printed = text(c, e);
    Expr again = reparse(c->d, printed);
    if (again == EXPR_NONE || !same_number(number(c, e), number(c, again)))
        complain(c, PRINTING, e, again);
    c->told[PRINTING]++;
}

/* The symbolic derivative `de` of `e` against a complex step. */
static void check_slope(Case *c, Property k, Expr e, Expr de,
                        double speed[NVAR][NORDER], double time_speed)
{
    Interval v = value(c, e), dv = value(c, de);
    if (!interval_tells(v) || !interval_tells(dv))
        return;
    Interval slope = complex_step(c->d, e, &c->p, speed, time_speed);
    if (!interval_tells(slope))
        return;
    c->told[k]++;
    if (!interval_meets(dv, slope)) {
        print_error(
            "complex step [%.20Lg, %.20Lg], symbolic [%.20Lg, %.20Lg]\n",
            slope.lo, slope.hi, dv.lo, dv.hi);
        complain(c, k, e, de);
    }
}

static void check_partial(Case *c)
{
    int v = random_below(&c->r, ANSWER);
    Expr x = expr_var(c->d, v, 0, ET_REAL);
    double speed[NVAR][NORDER] = {{0}};
    speed[v][0] = 1;
    check_slope(c, PARTIAL, c->e.made, expr_diff(c->d, c->e.made, x), speed, 0);
}

static void check_jacobian(Case *c)
{
    Expr x[ANSWER], e[2] = {c->e.raw, c->e.made};
    for (int v = 0; v < ANSWER; v++)
        x[v] = expr_var(c->d, v, 0, ET_REAL);
    const ExprJacobian *jac = expr_jacobian(c->d, e, 2, x, ANSWER, c->arena);
    int told = 0;
    for (int i = 0; i < 2; i++) {
        int k = jac->start[i];
        for (int v = 0; v < ANSWER; v++) {
            bool has = k < jac->start[i + 1] && jac->col[k] == v;
            Expr de = has ? jac->value[k++] : expr_real(c->d, 0);
            double speed[NVAR][NORDER] = {{0}};
            speed[v][0] = 1;
            int before = c->told[JACOBIAN];
            check_slope(c, JACOBIAN, e[i], de, speed, 0);
            told += c->told[JACOBIAN] - before;
            c->told[JACOBIAN] = before;
        }
        assert_int_equal(k, jac->start[i + 1]);
    }
    c->told[JACOBIAN] += told > 0;
}

/* Variables 5 and 6 stand still, as parameters do. */
static void check_total(Case *c)
{
    bool varies[NVAR] = {true, true, true, true, true};
    double speed[NVAR][NORDER] = {{0}};
    for (int v = 0; v < 5; v++) {
        for (int k = 0; k + 1 < NORDER; k++)
            speed[v][k] = c->p.value[v][k + 1];
    }
    ExprDiff *total = expr_diff_new_total(c->d, varies, NVAR, c->arena);
    Expr de = expr_total_diff(c->d, c->e.made, varies, NVAR);
    assert_int_equal(de, expr_diff_of(total, c->e.made));
    int told = c->told[TOTAL];
    check_slope(c, TOTAL, c->e.made, de, speed, 1);
    check_slope(c, TOTAL, de, expr_diff_of(total, de), speed, 1);
    c->told[TOTAL] = told + (c->told[TOTAL] > told);
}

static void check_substituting(Case *c)
{
    Expr x = expr_var(c->d, random_below(&c->r, ANSWER), 0, ET_REAL);
    Expr by = generate_real(&c->g, 3).made;
    Interval vx = value(c, by);
    if (!interval_tells(vx))
        return;
    Interval want = interval_eval(c->d, c->e.made, &c->p, x, vx);
    Expr e = expr_substitute(c->d, c->e.made, x, by);
    Interval is = value(c, e);
    if (!interval_tells(want) || !interval_tells(is))
        return;
    c->told[SUBSTITUTING]++;
    if (!interval_meets(want, is))
        complain(c, SUBSTITUTING, c->e.made, e);
}

static void check_splitting(Case *c)
{
    Expr x = expr_var(c->d, random_below(&c->r, ANSWER), 0, ET_REAL);
    Expr slope, rest, e = c->e.made;
    if (random_below(&c->r, 2)) /* a line for certain */
        e = expr_sub(c->d, expr_mul(c->d, generate_real(&c->g, 3).made, x),
                     generate_real(&c->g, 3).made);
    ExprDependence how = expr_dependence(c->d, e, x, &slope, &rest);
    if (how == DEP_NONLINEAR)
        return;
    assert_false(expr_contains(c->d, slope, x));
    assert_false(expr_contains(c->d, rest, x));
    if (how == DEP_LINEAR)
        check_same(c, SPLITTING, e,
                   expr_add(c->d, expr_mul(c->d, slope, x), rest));
    else
        check_same(c, SPLITTING, e, rest);
}

/* Positive variables are known not to vanish. */
static bool is_nonzero(void *context, const Dag *d, Expr e)
{
    int v, order;
    (void)context;
    return expr_is_var(d, e, &v, &order) && order == 0 && v >= FIRST_POSITIVE &&
           v < ANSWER;
}

/* f(x) = a is solved for x; with a = f(x) the solution must be x. Where x is
 * on both sides it must at least make them equal. */
static void check_solving(Case *c)
{
    c->g.npool = 0;
    c->g.nvar = 3; /* x is none of those in the generator's other terms */
    Expr x = expr_var(c->d, 3, 0, ET_REAL);
    Expr a = expr_var(c->d, ANSWER, 0, ET_REAL);
    int length = 1 + random_below(&c->r, 4);
    Expr f = generate_chain(&c->g, (Twin){x, x}, length).made;
    Expr lhs = f, rhs = a;
    if (random_below(&c->r, 3) == 0) { /* x on both sides */
        lhs = expr_sub(c->d, expr_mul(c->d, expr_real(c->d, 3), x), a);
        rhs = expr_sub(c->d, x, generate_real(&c->g, 2).made);
        f = EXPR_NONE;
    }
    Expr s = expr_solve(c->d, lhs, rhs, x, is_nonzero, NULL);
    if (s == EXPR_NONE)
        return;
    assert_false(expr_contains(c->d, s, x));
    Interval va = f == EXPR_NONE ? value(c, a) : value(c, f);
    if (!interval_tells(va))
        return;
    Interval vs = interval_eval(c->d, s, &c->p, a, va);
    if (!interval_tells(vs))
        return;
    c->told[SOLVING]++;
    long double now = c->p.value[3][0];
    if (f != EXPR_NONE && !interval_holds(vs, now)) {
        print_error("x = %.20Lg, found [%.20Lg, %.20Lg]\n", now, vs.lo, vs.hi);
        complain(c, SOLVING, f, s);
    }
    Expr left = expr_substitute(c->d, lhs, x, s);
    Expr right = expr_substitute(c->d, rhs, x, s);
    Interval vl = interval_eval(c->d, left, &c->p, a, va);
    Interval vr = interval_eval(c->d, right, &c->p, a, va);
    if (vl.known && vr.known && !interval_meets(vl, vr))
        complain(c, SOLVING, left, right);
}

static void run_case(uint64_t seed, int told[NPROPERTY])
{
    static void (*const check[])(Case *) = {
        check_building, check_simplifying,  check_evaluating,
        check_printing, check_partial,      check_jacobian,
        check_total,    check_substituting, check_splitting,
        check_solving};
    Case c = {.seed = seed, .r = {seed}, .arena = arena_new(), .told = told};
    c.d = dag_new(c.arena);
    c.p = point_random(&c.r);
    c.g = (Generator){.r = &c.r, .d = c.d, .nvar = ANSWER};
    c.e = generate_real(&c.g, 1 + random_below(&c.r, 25));
    for (size_t k = 0; k < sizeof check / sizeof *check; k++)
        check[k](&c);
    arena_free(c.arena);
}

/* The seed of a case is the first seed plus its number, so that a case that
 * fails is run alone by TAKT_SEED=its seed TAKT_CASES=1. */
static void expressions_keep_their_promises(void **state)
{
    (void)state;
    Random r = random_start("prop/expr/expr");
    const char *given = getenv("TAKT_CASES");
    int n = given ? atoi(given) : random_cases(5000, 100000);
    int told[NPROPERTY] = {0};
    for (int i = 0; i < n; i++)
        run_case(r.state + (uint64_t)i * 1000003, told);
    for (int k = 0; k < NPROPERTY; k++) {
        printf("  %6d of %d  %s\n", told[k], n, property[k].name);
        if (n >= 1000 && (double)told[k] * 100 < (double)property[k].least * n)
            fail_msg("%s: too few cases tell", property[k].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_keep_their_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
