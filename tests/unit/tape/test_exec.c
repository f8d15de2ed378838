/* The interpreter on small tapes written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tape/exec.h"

/* A block that solves f(x) = 0 for one x; the caller emits f and f'. */
typedef struct One {
    Tape *tape;
    int x, residual, slope;
} One;

static One begin_one(Arena *arena, double start)
{
    Tape *t = tape_new(arena);
    One o = {t, tape_slot(t, TR_CARRY, "x", start),
             tape_slot(t, TR_TEMP, NULL, 0), tape_slot(t, TR_TEMP, NULL, 0)};
    tape_begin(t, "solve");
    tape_emit(t, TAPE_BLOCK, 0, 0, NONE, NONE);
    return o;
}

static void end_one(One o, int neval, int njac, bool damped, int iterations)
{
    Tape *t = o.tape;
    int *x = NEW_ARRAY(t->arena, int, 6);
    x[0] = o.x, x[1] = o.residual;
    x[2] = tape_slot(t, TR_TEMP, NULL, 0);
    x[3] = 0, x[4] = 0, x[5] = o.slope;
    double *nominal = NEW_ARRAY(t->arena, double, 1);
    nominal[0] = 1;
    TapeSystem s = {.kind = TS_PIVOT,
                    .n = 1,
                    .nnz = 1,
                    .nrow = 1,
                    .row = &x[3],
                    .col = &x[4],
                    .entry = &x[5],
                    .rhs = &x[2]};
    vec_push(t->arena, &t->system, s);
    tape_emit(t, TAPE_FACTOR, 0, 0, NONE, NONE);
    tape_emit(t, TAPE_COPY, x[2], o.residual, NONE, NONE);
    tape_emit(t, TAPE_SOLVE, 0, 0, NONE, NONE);
    TapeBlock b = {.name = "x",
                   .n = 1,
                   .x = &x[0],
                   .residual = &x[1],
                   .delta = &x[2],
                   .nominal = nominal,
                   .iterations = iterations,
                   .is_damped = damped,
                   .neval = neval,
                   .njac = njac + 1,
                   .nsolve = 2};
    vec_push(t->arena, &t->block, b);
    tape_end(t);
    tape_check(t);
}

/* x*x - 2 = 0 */
static One square_root(Arena *arena, bool damped, int iterations)
{
    One o = begin_one(arena, 1);
    int xx = tape_emit(o.tape, EX_MUL, NONE, o.x, o.x, NONE);
    tape_emit(o.tape, EX_SUB, o.residual, xx, tape_const(o.tape, 2), NONE);
    tape_emit(o.tape, EX_ADD, o.slope, o.x, o.x, NONE);
    end_one(o, 2, 1, damped, iterations);
    return o;
}

static void a_block_does_its_number_of_iterations(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    One o = square_root(arena, false, 2);
    Exec *e = exec_new(o.tape);
    exec_run(e, tape_find_segment(o.tape, "solve"));
    assert_int_equal(e->iterations, 2);
    assert_true(e->r[o.x] == 1.5 - 0.25 / 3); /* two steps of Newton from 1 */
    e->tolerance = 1e-14;
    exec_run(e, tape_find_segment(o.tape, "solve"));
    assert_true(fabs(e->r[o.x] - sqrt(2)) < 1e-15);
    exec_free(e);
    arena_free(arena);
}

/* atan(x) = 0 from 20: plain Newton diverges, damping does not. */
static void a_damped_block_comes_from_far(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    One o = begin_one(arena, 20);
    int one = tape_const(o.tape, 1);
    tape_emit(o.tape, EX_ATAN, o.residual, o.x, NONE, NONE);
    int xx = tape_emit(o.tape, EX_MUL, NONE, o.x, o.x, NONE);
    int d = tape_emit(o.tape, EX_ADD, NONE, xx, one, NONE);
    tape_emit(o.tape, EX_DIV, o.slope, one, d, NONE);
    end_one(o, 1, 3, true, 0);
    Exec *e = exec_new(o.tape);
    assert_int_equal(exec_run(e, tape_find_segment(o.tape, "solve")),
                     STATUS_FINE);
    assert_true(fabs(e->r[o.x]) < 1e-10);
    exec_free(e);
    arena_free(arena);
}

static void a_singular_block_is_named(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    One o = begin_one(arena, 1);
    tape_emit(o.tape, TAPE_COPY, o.residual, tape_const(o.tape, 3), NONE, NONE);
    tape_emit(o.tape, TAPE_COPY, o.slope, tape_const(o.tape, 0), NONE, NONE);
    end_one(o, 1, 1, true, 0);
    Exec *e = exec_new(o.tape);
    assert_true(exec_run(e, tape_find_segment(o.tape, "solve")) < 0);
    assert_int_equal(e->block, 0);
    exec_free(e);
    arena_free(arena);
}

static void equal_constants_share_a_slot(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Tape *t = tape_new(arena);
    int a = tape_const(t, 0.1);
    for (int i = 0; i < 1000; i++)
        tape_const(t, i);
    assert_int_equal(tape_const(t, 0.1), a);
    assert_int_not_equal(tape_const(t, 0.0), tape_const(t, -0.0));
    assert_true(t->initial[a] == 0.1);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_does_its_number_of_iterations),
        cmocka_unit_test(a_damped_block_comes_from_far),
        cmocka_unit_test(a_singular_block_is_named),
        cmocka_unit_test(equal_constants_share_a_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
