/* apart.c - a child writes its numbers into a pipe; an alarm ends it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "rounding/apart.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"

enum { SECONDS = 2 };

static bool write_all(int to, const char *at, size_t n)
{
    while (n > 0) {
        ssize_t k = write(to, at, n);
        if (k <= 0)
            return false;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

static bool read_all(int from, char *at, size_t n)
{
    while (n > 0) {
        ssize_t k = read(from, at, n);
        if (k <= 0)
            return false;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

static void be_child(bool (*work)(void *context, double *out), void *context,
                     double *out, int n, int to)
{
    DieCatch own; /* not that of a host of the library */
    signal(SIGALRM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    alarm(SECONDS);
    die_catch(&own);
    bool is_done = setjmp(own.there) == 0 && work(context, out) &&
                   write_all(to, (char *)out, (size_t)n * sizeof *out);
    _exit(is_done ? 0 : 1);
}

bool apart_run(bool (*work)(void *context, double *out), void *context,
               double *out, int n)
{
    int way[2], status = 1;
    if (pipe(way) != 0)
        return false;
    fflush(NULL); /* what is in a buffer must not be written twice */
    pid_t child = fork();
    if (child == 0) {
        close(way[0]);
        be_child(work, context, out, n, way[1]);
    }
    close(way[1]);
    bool is_read =
        child > 0 && read_all(way[0], (char *)out, (size_t)n * sizeof *out);
    close(way[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    return is_read && status == 0;
}
