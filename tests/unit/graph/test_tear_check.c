/* test_tear_check.c - what the check of a tearing refuses. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "graphs.h"

/* Does tear_check() end a process that hands it `t`? */
static bool is_refused(const TearProblem *p, const Tear *t)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        tear_check(p, t);
        _exit(0);
    }
    assert_true(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void an_equation_is_the_residual_of_one_unknown(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"ooo", "ooo", "ooo"};
    TearProblem p = {draw(line, 3, a), 0, NULL, NULL};
    TearOptions o = tear_defaults();
    const int torn[] = {0, 1};
    Tear t = *tear_given(&p, &o, torn, 2, a);
    assert_int_equal(t.ntorn, 2);
    assert_false(is_refused(&p, &t));
    const int twice[] = {t.residual[0], t.residual[0]};
    t.residual = twice;
    assert_true(is_refused(&p, &t));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_equation_is_the_residual_of_one_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
