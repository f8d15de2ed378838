/* udp.c - numbers as datagrams. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/udp.h"

#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "run/address.h"

/* ---- numbers ---- */

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

/* ---- sockets ---- */

static bool fits(const char *option, const char *address, int n, Diag *diag)
{
    if (n <= UDP_MOST)
        return true;
    diag_report(diag, NO_SPAN, DIAG_E1606,
                "%s %s: %d numbers do not fit into a datagram, at most %d do",
                option, address, n, (int)UDP_MOST);
    return false;
}

UdpIn *udp_in_open(const char *address, int n, Arena *arena, Diag *diag)
{
    if (!fits("--udp-in", address, n, diag))
        return NULL;
    int fd = address_open("--udp-in", address, ADDRESS_TAKE, arena, diag);
    if (fd < 0)
        return NULL;
    UdpIn *u = NEW(arena, UdpIn);
    u->fd = fd;
    u->port = address_port(fd);
    u->n = n;
    u->value = NEW_ARRAY(arena, double, n + 1);
    u->buffer = NEW_ARRAY(arena, unsigned char, 8 * n + 1);
    return u;
}

UdpOut *udp_out_open(const char *address, int n, Arena *arena, Diag *diag)
{
    if (!fits("--udp-out", address, n + 1, diag))
        return NULL;
    int fd = address_open("--udp-out", address, ADDRESS_SEND, arena, diag);
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
