/* address.c - from an address to a socket. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/address.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"

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
    return NONE;
}

/* Returns false with errno set. */
static bool attach(int fd, const struct addrinfo *a, AddressUse use)
{
    int flags = fcntl(fd, F_GETFL), on = 1;
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || flags < 0 ||
        fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return false;
    switch (use) {
    case ADDRESS_TAKE: return bind(fd, a->ai_addr, a->ai_addrlen) == 0;
    case ADDRESS_SEND: return connect(fd, a->ai_addr, a->ai_addrlen) == 0;
    case ADDRESS_SERVE:
        return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
               bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, 8) == 0;
    }
    return false;
}

int address_open(const char *option, const char *address, AddressUse use,
                 Arena *arena, Diag *diag)
{
    const char *host, *port;
    struct addrinfo want = {.ai_socktype = use == ADDRESS_SERVE ? SOCK_STREAM
                                                                : SOCK_DGRAM};
    struct addrinfo *found = NULL;
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
        fd = socket(a->ai_family, want.ai_socktype, 0);
        if (fd < 0 || attach(fd, a, use))
            continue;
        int failed = errno;
        close(fd);
        errno = failed;
        fd = -1;
    }
    int failed = errno;
    freeaddrinfo(found);
    return fd >= 0 ? fd : no_socket(option, address, strerror(failed), diag);
}

int address_port(int fd)
{
    struct sockaddr_storage a;
    socklen_t size = sizeof a;
    char port[8];
    if (getsockname(fd, (struct sockaddr *)&a, &size) != 0 ||
        getnameinfo((struct sockaddr *)&a, size, NULL, 0, port, sizeof port,
                    NI_NUMERICSERV) != 0)
        return 0;
    return atoi(port);
}
