/* console.c - a socket and a thread. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/console.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/number.h"
#include "run/address.h"
#include "run/thread.h"

enum { PAUSE_MS = 50 };

struct Console {
    int fd, port;
    Control *control;
    Live *live;
    atomic_bool over;
    pthread_t thread;
};

static void tell(Console *c, char *reply, size_t size)
{
    LiveFigures f;
    live_read(c->live, &f);
    snprintf(reply, size, "time %.10g steps %lld %s overruns %lld\n", f.time,
             (long long)f.steps,
             atomic_load(&c->control->paused) ? "paused" : "running",
             (long long)f.overruns);
}

static void answer(Console *c)
{
    char text[CONTROL_TEXT + 2], reply[128];
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    ssize_t n =
        recvfrom(c->fd, text, sizeof text, 0, (struct sockaddr *)&from, &size);
    if (n < 0)
        return;
    ControlOrder o;
    bool asks = n >= 6 && !strncmp(text, "status", 6);
    const char *wrong =
        asks ? NULL : control_read(c->control, text, (size_t)n, &o);
    if (asks)
        tell(c, reply, sizeof reply);
    else if (wrong)
        snprintf(reply, sizeof reply, "error: %s\n", wrong);
    else
        snprintf(reply, sizeof reply, "%s\n",
                 control_give(c->control, &o) ? "ok" : "busy");
    sendto(c->fd, reply, strlen(reply), 0, (struct sockaddr *)&from, size);
}

static void *serve(void *context)
{
    Console *c = context;
    Plain plain = plain_begin();
    while (!atomic_load(&c->over)) {
        struct pollfd fd = {.fd = c->fd, .events = POLLIN};
        if (poll(&fd, 1, PAUSE_MS) > 0)
            answer(c);
    }
    plain_end(plain);
    return NULL;
}

Console *console_open(const char *address, Control *control, Live *live,
                      Arena *arena, Diag *diag)
{
    int fd = address_open("--control", address, ADDRESS_TAKE, arena, diag);
    if (fd == NONE)
        return NULL;
    Console *c = NEW(arena, Console);
    c->fd = fd;
    c->port = address_port(fd);
    c->control = control;
    c->live = live;
    int failed = thread_start(&c->thread, serve, c);
    if (failed == 0)
        return c;
    close(fd);
    diag_report(diag, NO_SPAN, DIAG_E1606, "--control %s: %s", address,
                strerror(failed));
    return NULL;
}

int console_port(const Console *c)
{
    return c->port;
}

void console_close(Console *c)
{
    if (!c)
        return;
    atomic_store(&c->over, true);
    pthread_join(c->thread, NULL);
    close(c->fd);
}
