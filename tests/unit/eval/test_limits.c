/* test_limits.c - evaluation that takes too much ends, and says so once. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/context.h"

#include "eval/eval_internal.h"
#include "eval/exec.h"

static void expect_the_end(const Context *in)
{
    assert_false(eval_step(in, NO_SPAN));
    assert_int_equal(diag_count(in->diag, DIAG_ERROR), 1);
    assert_true(in->run->exhausted);
    in->run->work = 1023;
    assert_false(eval_step(in, NO_SPAN));
    assert_int_equal(diag_count(in->diag, DIAG_ERROR), 1);
}

static void steps_end_evaluation(void **state)
{
    Fixture *f = *state;
    f->run.work = MOST_WORK - 1;
    assert_true(eval_step(&f->in, NO_SPAN));
    expect_the_end(&f->in);
}

/* memory_before is a size modulo 2^64: the call looks as if it had taken just
 * as much as it may, and then a byte more, without taking it. */
static void memory_of_a_call_ends_evaluation(void **state)
{
    Fixture *f = *state;
    Exec exec = {0};
    f->in.exec = &exec;
    f->in.memory_before = arena_used() - (size_t)MOST_MEGABYTES * 1000000;
    f->run.work = 1023;
    assert_true(eval_step(&f->in, NO_SPAN));
    f->in.memory_before--;
    f->run.work = 1023;
    expect_the_end(&f->in);
}

static void nesting_ends_what_is_nested_only(void **state)
{
    Fixture *f = *state;
    f->run.depth = MOST_NESTED;
    assert_true(eval_step(&f->in, NO_SPAN));
    f->run.depth++;
    assert_false(eval_step(&f->in, NO_SPAN));
    assert_int_equal(diag_count(f->in.diag, DIAG_ERROR), 1);
    f->run.depth = 0;
    assert_true(eval_step(&f->in, NO_SPAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(steps_end_evaluation),
        CASE(memory_of_a_call_ends_evaluation),
        CASE(nesting_ends_what_is_nested_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
