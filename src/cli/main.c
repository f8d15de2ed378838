/* main.c - the program is the command of the library.
 *
 * FMUs and external functions run in the same process. Where one of them
 * crashes or ends it, nobody else would say so, and exit(0) would look like
 * success.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/interrupt.h"
#include "base/lapack.h"
#include "takt/takt.h"

static volatile sig_atomic_t is_over; /* the end is takt's own */

static void say(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void note_death(const char *message)
{
    (void)message;
    is_over = 1;
}

static void at_exit(void)
{
    if (is_over)
        return;
    say("takt: error: the code of an FMU or of an external function has ended "
        "the program\n");
    _exit(EXIT_TAKT);
}

/* The signal does what it always does after that. */
static void on_crash(int number)
{
    raise(number);
    say("takt: error: the program has crashed; if it ran the code of an FMU or "
        "of an external function, look there first\n");
}

static void watch_crashes(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    static const int number[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    static char room[65536]; /* there may be no stack left */
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction act = {.sa_flags = SA_RESETHAND | SA_ONSTACK};
    act.sa_handler = on_crash;
    sigemptyset(&act.sa_mask);
    if (sigaltstack(&stack, NULL) != 0)
        act.sa_flags &= ~SA_ONSTACK;
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        sigaction(number[i], &act, NULL);
#else
    (void)on_crash;
#endif
}

int main(int argc, char **argv)
{
    lapack_alone();
    interrupt_watch();
    watch_crashes();
    die_handler(note_death);
    atexit(at_exit);
    int code = takt_command(argc, argv);
    is_over = 1;
    return code;
}
