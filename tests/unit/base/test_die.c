/* test_die.c - the last words of the program. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"

static void the_message_goes_to_standard_error_with_exit_code_4(void **state)
{
    (void)state;
    int end[2], status;
    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(end[1], 2);
        close(end[0]);
        die("no room for %d things", 7);
    }
    close(end[1]);
    char said[200] = "";
    ssize_t n = read(end[0], said, sizeof said - 1);
    assert_true(n > 0);
    close(end[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_string_equal(said, "takt: no room for 7 things\n");
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_message_goes_to_standard_error_with_exit_code_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
