/* interrupt.c - signals that end a program. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 64 }; /* more are not removed */

/* A handler knows nothing else. */
static const char *volatile files[MOST_FILES];
static volatile sig_atomic_t is_asked, seen;

static void handle(int number)
{
    if (is_asked && !seen) {
        seen = number;
        return;
    }
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i])
            unlink(files[i]);
    signal(number, SIG_DFL);
    raise(number);
}

void interrupt_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before,
            now = {.sa_handler = handle, .sa_flags = SA_RESTART};
        sigemptyset(&now.sa_mask);
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &now, NULL);
    }
}

void interrupt_ask(void)
{
    is_asked = 1;
}

int interrupt_seen(void)
{
    return seen;
}

void interrupt_add(const char *path)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (!files[i]) {
            files[i] = path;
            return;
        }
}

void interrupt_drop(const char *path)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i] && !strcmp(files[i], path))
            files[i] = NULL;
}
