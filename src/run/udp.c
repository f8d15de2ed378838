/* udp.c - numbers as datagrams, sockets that never block. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/udp.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"

/* --- numbers
 * --------------------------------------------------------------------- */

static double number_at(const unsigned char *data)
{
    uint64_t bits = 0;
    double x;
    for (int i = 7; i >= 0; i--)
        bits = bits << 8 | data[i];
    memcpy(&x, &bits, sizeof x);
    return x;
}

bool udp_decode(const unsigned char *data, size_t size, int n, double *value)
{
    if (n < 0 || size != 8 * (size_t)n)
        return false;
    for (int i = 0; i < n; i++)
        if (!isfinite(number_at(data + 8 * i)))
            return false;
    for (int i = 0; i < n; i++)
        value[i] = number_at(data + 8 * i);
    return true;
}

void udp_encode(const double *value, int n, unsigned char *data)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        for (int k = 0; k < 8; k++)
            data[8 * i + k] = (unsigned char)(bits >> (8 * k));
    }
}

/* --- sockets
 * ---------------------------------------------------------------------- */

/* "PORT", "HOST:PORT", "[HOST]:PORT" */
static bool split(const char *address, const char **host, const char **port,
                  Arena *arena)
{
    const char *colon = strrchr(address, ':');
    *host = "127.0.0.1";
    *port = colon ? colon + 1 : address;
    if (colon) {
        size_t n = (size_t)(colon - address);
        bool quoted = n >= 2 && address[0] == '[' && address[n - 1] == ']';
        *host = arena_strndup(arena, address + quoted, n - 2 * quoted);
    }
    size_t digits = strspn(*port, "0123456789");
    return **host && digits > 0 && digits < 6 && !(*port)[digits] &&
           atoi(*port) < 65536;
}

static int no_socket(const char *option, const char *address, const char *why,
                     Diag *diag)
{
    diag_report(diag, NO_SPAN, DIAG_E1606, "%s %s: %s", option, address, why);
    return -1;
}

/* A socket that is bound to the address (`bound`) or sends to it. */
static int open_socket(const char *option, const char *address, bool bound,
                       Arena *arena, Diag *diag)
{
    const char *host, *port;
    struct addrinfo want = {.ai_socktype = SOCK_DGRAM}, *found = NULL;
    if (!split(address, &host, &port, arena))
        return no_socket(option, address,
                         "PORT or HOST:PORT is expected, for example "
                         "127.0.0.1:5000",
                         diag);
    int code = getaddrinfo(host, port, &want, &found);
    if (code != 0)
        return no_socket(option, address, gai_strerror(code), diag);
    int fd = -1;
    for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, SOCK_DGRAM, 0);
        if (fd < 0)
            continue;
        int flags = fcntl(fd, F_GETFL);
        if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || flags < 0 ||
            fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
            (bound ? bind(fd, a->ai_addr, a->ai_addrlen)
                   : connect(fd, a->ai_addr, a->ai_addrlen)) != 0) {
            int failed = errno;
            close(fd);
            errno = failed;
            fd = -1;
        }
    }
    int failed = errno;
    freeaddrinfo(found);
    return fd >= 0 ? fd : no_socket(option, address, strerror(failed), diag);
}

static bool fits(const char *option, const char *address, int n, Diag *diag)
{
    if (n <= UDP_MOST)
        return true;
    diag_report(diag, NO_SPAN, DIAG_E1606,
                "%s %s: %d numbers do not fit into a datagram, at most %d do",
                option, address, n, (int)UDP_MOST);
    return false;
}

/* The port that a socket is bound to. */
static int port_of(int fd)
{
    struct sockaddr_storage a;
    socklen_t size = sizeof a;
    char port[8];
    if (getsockname(fd, (struct sockaddr *)&a, &size) != 0 ||
        getnameinfo((struct sockaddr *)&a, size, NULL, 0, port, sizeof port,
                    NI_NUMERICSERV | NI_DGRAM) != 0)
        return 0;
    return atoi(port);
}

UdpIn *udp_in_open(const char *address, int n, Arena *arena, Diag *diag)
{
    if (!fits("--udp-in", address, n, diag))
        return NULL;
    int fd = open_socket("--udp-in", address, true, arena, diag);
    if (fd < 0)
        return NULL;
    UdpIn *u = NEW(arena, UdpIn);
    u->fd = fd;
    u->port = port_of(fd);
    u->n = n;
    u->value = NEW_ARRAY(arena, double, n + 1);
    u->buffer = NEW_ARRAY(arena, unsigned char, 8 * n + 1);
    return u;
}

UdpOut *udp_out_open(const char *address, int n, Arena *arena, Diag *diag)
{
    if (!fits("--udp-out", address, n + 1, diag))
        return NULL;
    int fd = open_socket("--udp-out", address, false, arena, diag);
    if (fd < 0)
        return NULL;
    UdpOut *u = NEW(arena, UdpOut);
    u->fd = fd;
    u->n = n;
    u->every = 1;
    u->value = NEW_ARRAY(arena, double, n + 1);
    u->buffer = NEW_ARRAY(arena, unsigned char, 8 * (n + 1));
    return u;
}

bool udp_in_poll(UdpIn *u)
{
    bool is_new = false;
    for (int k = 0; k < UDP_MOST_TICK; k++) {
        ssize_t size = recv(u->fd, u->buffer, 8 * (size_t)u->n + 1, 0);
        if (size < 0)
            break;
        if (udp_decode(u->buffer, (size_t)size, u->n, u->value)) {
            u->taken++;
            is_new = true;
        } else {
            u->malformed++;
        }
    }
    return is_new;
}

void udp_out_send(UdpOut *u)
{
    size_t size = 8 * (size_t)(u->n + 1);
    udp_encode(u->value, u->n + 1, u->buffer);
    if (send(u->fd, u->buffer, size, 0) == (ssize_t)size)
        u->sent++;
    else
        u->failed++;
}

void udp_in_close(UdpIn *u)
{
    if (u)
        close(u->fd);
}

void udp_out_close(UdpOut *u)
{
    if (u)
        close(u->fd);
}
