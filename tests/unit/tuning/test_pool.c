/* Jobs in processes: all are done, a crash costs one. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tuning/pool.h"

typedef struct Result {
    int value, signal, code;
} Result;

static void square(void *context, int job, void *result)
{
    (void)context;
    ((Result *)result)->value = job * job;
}

/* Job 3 ends by a signal, job 5 by exit, job 8 never comes back but by it. */
static void fragile(void *context, int job, void *result)
{
    square(context, job, result);
    if (job == 3 || job == 8)
        raise(SIGKILL);
    if (job == 5)
        _exit(4);
}

static void crashed(void *context, int job, int signal, int code, void *result)
{
    Result *r = result;
    int *count = context;
    assert_true(job >= 0);
    r->signal = signal;
    r->code = code;
    r->value = -1;
    (*count)++;
}

/* Counts the jobs that its process has done. */
static void count_own(void *context, int job, void *result)
{
    static int done;
    (void)context;
    (void)job;
    ((Result *)result)->value = ++done;
}

static int run(void (*work)(void *, int, void *), int n, int nprocess,
               Result *out)
{
    int count = 0;
    PoolJobs jobs = {.n = n,
                     .size = sizeof *out,
                     .work = work,
                     .crashed = crashed,
                     .context = &count,
                     .nprocess = nprocess,
                     .what = "jobs"};
    pool_run(&jobs, out);
    return count;
}

static void every_job_is_done_whatever_the_number_of_processes(void **state)
{
    (void)state;
    for (int nprocess = 0; nprocess <= 5; nprocess++) {
        Result out[23];
        assert_int_equal(run(square, 23, nprocess, out), 0);
        for (int i = 0; i < 23; i++)
            assert_int_equal(out[i].value, i * i);
    }
    assert_int_equal(run(square, 0, 2, NULL), 0);
}

static void a_crash_costs_its_job_and_no_other(void **state)
{
    (void)state;
    for (int nprocess = 1; nprocess <= 4; nprocess++) {
        Result out[12] = {{0}};
        assert_int_equal(run(fragile, 12, nprocess, out), 3);
        for (int i = 0; i < 12; i++)
            assert_int_equal(out[i].value,
                             i == 3 || i == 5 || i == 8 ? -1 : i * i);
        assert_int_equal(out[3].signal, SIGKILL);
        assert_int_equal(out[5].code, 4);
    }
}

static void no_process_is_left(void **state)
{
    (void)state;
    Result out[6];
    run(fragile, 6, 3, out);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* there is no child */
}

static void a_job_that_is_alone_finds_everything_as_it_was(void **state)
{
    (void)state;
    for (int nprocess = 1; nprocess <= 4; nprocess++) {
        Result out[9] = {{0}};
        PoolJobs jobs = {.n = 9,
                         .size = sizeof *out,
                         .work = count_own,
                         .crashed = crashed,
                         .nprocess = nprocess,
                         .alone = true,
                         .what = "jobs"};
        pool_run(&jobs, out);
        for (int i = 0; i < 9; i++)
            assert_int_equal(out[i].value, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_is_done_whatever_the_number_of_processes),
        cmocka_unit_test(a_crash_costs_its_job_and_no_other),
        cmocka_unit_test(no_process_is_left),
        cmocka_unit_test(a_job_that_is_alone_finds_everything_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
