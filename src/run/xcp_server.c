/* xcp_server.c - XCP over UDP: a socket and a thread. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run/address.h"
#include "run/thread.h"
#include "run/xcp.h"

enum { HEAD = 4, PAUSE_MS = 5, BUFFER = 1500 };

struct XcpServer {
    int fd, port;
    Xcp *xcp;
    struct sockaddr_storage master;
    socklen_t size; /* 0: none */
    uint16_t counter;
    atomic_bool over;
    pthread_t thread;
};

/* Length and counter before a packet of n bytes. */
static void send_packet(XcpServer *s, unsigned char *data, size_t n)
{
    data[0] = (unsigned char)n;
    data[1] = (unsigned char)(n >> 8);
    data[2] = (unsigned char)s->counter;
    data[3] = (unsigned char)(s->counter >> 8);
    s->counter++;
    sendto(s->fd, data, HEAD + n, 0, (struct sockaddr *)&s->master, s->size);
}

/* All messages of a datagram. Only who connects becomes the master. */
static void take_datagram(XcpServer *s)
{
    unsigned char data[BUFFER], reply[HEAD + XCP_CTO + 8];
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    ssize_t got =
        recvfrom(s->fd, data, sizeof data, 0, (struct sockaddr *)&from, &size);
    for (ssize_t at = 0; at + HEAD < got;) {
        size_t n = data[at] | (size_t)data[at + 1] << 8;
        at += HEAD;
        if (n == 0 || at + (ssize_t)n > got)
            return;
        bool is_master = s->size == size && !memcmp(&s->master, &from, size);
        if (data[at] == 0xff) {
            s->master = from;
            s->size = size;
        } else if (!is_master) {
            return;
        }
        size_t answer = xcp_answer(s->xcp, data + at, n, reply + HEAD);
        if (answer > 0)
            send_packet(s, reply, answer);
        at += (ssize_t)n;
    }
}

static void send_rows(XcpServer *s)
{
    Ring *r = &s->xcp->probe->ring;
    unsigned char out[HEAD + XCP_DTO];
    for (const double *row; (row = ring_front(r)); ring_pop(r))
        for (int odt = 0; s->xcp->is_running && odt < XCP_ODTS; odt++) {
            size_t n = xcp_packet(s->xcp, row, odt, out + HEAD);
            if (n > 0)
                send_packet(s, out, n);
        }
}

static void *serve(void *context)
{
    XcpServer *s = context;
    while (!atomic_load(&s->over)) {
        struct pollfd fd = {.fd = s->fd, .events = POLLIN};
        if (poll(&fd, 1, PAUSE_MS) > 0)
            take_datagram(s);
        send_rows(s);
    }
    return NULL;
}

XcpServer *xcp_open(const char *address, Xcp *x, Arena *arena, Diag *diag)
{
    int fd = address_open("--xcp", address, ADDRESS_TAKE, arena, diag);
    if (fd == NONE)
        return NULL;
    XcpServer *s = NEW(arena, XcpServer);
    s->fd = fd;
    s->port = address_port(fd);
    s->xcp = x;
    int failed = thread_start(&s->thread, serve, s);
    if (failed == 0)
        return s;
    close(fd);
    diag_report(diag, NO_SPAN, DIAG_E1606, "--xcp %s: %s", address,
                strerror(failed));
    return NULL;
}

int xcp_port(const XcpServer *s)
{
    return s->port;
}

void xcp_close(XcpServer *s)
{
    if (!s)
        return;
    atomic_store(&s->over, true);
    pthread_join(s->thread, NULL);
    close(s->fd);
}
