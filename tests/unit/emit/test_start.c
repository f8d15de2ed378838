/* The damped Newton iteration of runtime/takt_rt_start.h. */
#include "../runtime/takt_rt_start.h"
#include "support/test.h"

typedef struct Two {
    double x, y;
    int turns, status;
} Two;

/* x^2 + y^2 = r, x = y + shift, from x, y */
static Two circle(double r, double shift, double x, double y)
{
    double room[TAKT_NEWTON_ROOM(2)];
    int order[2];
    takt_newton s;
    takt_newton_begin(&s, 2, 0, room, order);
    s.x[0] = x;
    s.x[1] = y;
    s.nominal[0] = s.nominal[1] = 1;
    int turns = 0;
    for (; turns < 10000; turns++) {
        s.f[0] = s.x[0] * s.x[0] + s.x[1] * s.x[1] - r;
        s.f[1] = s.x[0] - s.x[1] - shift;
        if (takt_newton_accept(&s)) {
            s.a[0] = 2 * s.x[0];
            s.a[1] = 2 * s.x[1];
            s.a[2] = 1;
            s.a[3] = -1;
            takt_newton_direct(&s);
        }
        if (takt_newton_done(&s))
            break;
    }
    return (Two){s.x[0], s.x[1], turns, s.status};
}

static void finds_the_point_on_a_circle(void **unused)
{
    (void)unused;
    Two p = circle(25, -1, 1, 1);
    assert_int_equal(p.status, TAKT_NEWTON_DONE);
    assert_true(fabs(p.x - 3) < 1e-9 && fabs(p.y - 4) < 1e-9);
}

static void a_solution_is_not_touched(void **unused)
{
    (void)unused;
    Two p = circle(25, -1, 3, 4);
    assert_int_equal(p.status, TAKT_NEWTON_DONE);
    assert_true(p.x == 3 && p.y == 4 && p.turns == 0);
}

static void says_when_there_is_none(void **unused)
{
    (void)unused;
    Two p = circle(-1, 0.5, 1, 1);
    assert_true(p.status < 0);
    assert_true(p.turns < 200 * 40);
}

static void says_when_a_value_is_not_finite(void **unused)
{
    (void)unused;
    assert_int_equal(circle(NAN, 0, 1, 1).status, TAKT_NEWTON_NOT_FINITE);
}

static void says_when_the_jacobian_is_singular(void **unused)
{
    (void)unused;
    assert_int_equal(circle(1, 0, 0, 0).status, TAKT_NEWTON_SINGULAR);
}

/* x = 1 by a line whose value is known to `noise`, now above, now below. */
static Two line(double noise)
{
    double room[TAKT_NEWTON_ROOM(1)];
    int order[1], turns = 0;
    takt_newton s;
    takt_newton_begin(&s, 1, 1, room, order);
    s.x[0] = 5;
    s.nominal[0] = 1;
    for (; turns < 1000; turns++) {
        s.f[0] = s.x[0] - 1 + (turns & 1 ? noise : -noise);
        if (takt_newton_accept(&s)) {
            s.a[0] = 1;
            takt_newton_direct(&s);
        }
        if (takt_newton_done(&s))
            break;
    }
    return (Two){s.x[0], 0, turns, s.status};
}

/* A switch of 1e-6 Ohm beside one of 1e-6 S leaves 1e-10 of rounding. */
static void rounding_of_a_linear_block_is_no_reason_to_go_on(void **unused)
{
    (void)unused;
    Two p = line(1e-10);
    assert_int_equal(p.status, TAKT_NEWTON_DONE);
    assert_true(fabs(p.x - 1) < 1e-9 && p.turns < 5);
    assert_true(line(1e-3).status < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_point_on_a_circle),
        cmocka_unit_test(a_solution_is_not_touched),
        cmocka_unit_test(says_when_there_is_none),
        cmocka_unit_test(says_when_a_value_is_not_finite),
        cmocka_unit_test(says_when_the_jacobian_is_singular),
        cmocka_unit_test(rounding_of_a_linear_block_is_no_reason_to_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
