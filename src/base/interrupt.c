/* interrupt.c - signals that end a program. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_FILES = 64, /* more are not removed */
    MOST_FOLDERS = 16,
    LONGEST = 1024, /* path of a folder */
    GRACE = 10      /* seconds for a run to see that it shall end */
};

/* A handler knows nothing else. */
static const char *volatile files[MOST_FILES];
static char folders[MOST_FOLDERS][LONGEST]; /* "": none */
static pid_t owner;
static volatile sig_atomic_t is_asked, seen;

/* A handler may not read a folder, but it may start who does. */
static void remove_folder(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/rm", "rm", "-rf", "--", path, (char *)NULL);
        _exit(1);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static void handle(int number)
{
    if (is_asked && !seen) {
        seen = number;
        alarm(GRACE); /* a single step may take for ever */
        return;
    }
    if (number == SIGALRM)
        number = seen;
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i])
            unlink(files[i]);
    for (int i = 0; i < MOST_FOLDERS && getpid() == owner; i++)
        if (folders[i][0])
            remove_folder(folders[i]);
    signal(number, SIG_DFL);
    raise(number);
}

void interrupt_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    owner = getpid();
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
    if (seen)
        alarm(0);
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

void interrupt_add_folder(const char *path)
{
    size_t n = strlen(path);
    for (int i = 0; n < LONGEST && i < MOST_FOLDERS; i++)
        if (!folders[i][0]) {
            memcpy(folders[i] + 1, path + 1, n);
            folders[i][0] = path[0]; /* last, as a handler may look */
            return;
        }
}

void interrupt_drop_folder(const char *path)
{
    for (int i = 0; i < MOST_FOLDERS; i++)
        if (!strcmp(folders[i], path))
            folders[i][0] = '\0';
}
