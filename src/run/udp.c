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

static uint64_t bits_at(const unsigned char *data, int n)
{
    uint64_t bits = 0;
    for (int i = n - 1; i >= 0; i--)
        bits = bits << 8 | data[i];
    return bits;
}

static void put_bits(uint64_t bits, int n, unsigned char *data)
{
    for (int k = 0; k < n; k++)
        data[k] = (unsigned char)(bits >> (8 * k));
}

static double number_at(const unsigned char *data)
{
    uint64_t bits = bits_at(data, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* n numbers, all of them finite. */
static bool is_well_formed(const unsigned char *data, size_t size, int n)
{
    if (n < 0 || size != 8 * (size_t)n)
        return false;
    for (int i = 0; i < n; i++)
        if (!isfinite(number_at(data + 8 * i)))
            return false;
    return true;
}

bool udp_decode(const unsigned char *data, size_t size, int n, double *value)
{
    if (!is_well_formed(data, size, n))
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
        put_bits(bits, 8, data + 8 * i);
    }
}

static const unsigned char magic[4] = {'T', 'K', 'T', '1'};

bool udp_decode_header(const unsigned char *data, size_t size, UdpHeader *h)
{
    if (size < UDP_HEADER || memcmp(data, magic, sizeof magic))
        return false;
    h->kind = (int)bits_at(data + 4, 2);
    h->n = (int)bits_at(data + 6, 2);
    h->sequence = bits_at(data + 8, 8);
    h->stamp = (int64_t)bits_at(data + 16, 8);
    return true;
}

void udp_encode_header(const UdpHeader *h, unsigned char *data)
{
    memcpy(data, magic, sizeof magic);
    put_bits((uint64_t)h->kind, 2, data + 4);
    put_bits((uint64_t)h->n, 2, data + 6);
    put_bits(h->sequence, 8, data + 8);
    put_bits((uint64_t)h->stamp, 8, data + 16);
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
    u->buffer = NEW_ARRAY(arena, unsigned char, UDP_HEADER + 8 * n + 1);
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
    u->buffer = NEW_ARRAY(arena, unsigned char, UDP_HEADER + 8 * (n + 1));
    return u;
}

/* Is it newer than the last one? Those between the two are lost. */
static bool is_newer(UdpIn *u, uint64_t sequence)
{
    bool first = !u->has_sequence || sequence == 0;
    if (!first && sequence <= u->sequence) {
        u->stale++;
        return false;
    }
    if (!first) {
        uint64_t gap = sequence - u->sequence - 1;
        u->lost += gap < INT32_MAX ? (int64_t)gap : INT32_MAX;
    }
    u->has_sequence = true;
    u->sequence = sequence;
    return true;
}

bool udp_in_take(UdpIn *u, const unsigned char *data, size_t size)
{
    UdpHeader h;
    if (size != 8 * (size_t)u->n && udp_decode_header(data, size, &h)) {
        data += UDP_HEADER;
        size -= UDP_HEADER;
        if (h.kind != UDP_INPUTS || h.n != u->n ||
            !is_well_formed(data, size, u->n)) {
            u->malformed++;
            return false;
        }
        if (!is_newer(u, h.sequence))
            return false;
        udp_decode(data, size, u->n, u->value);
        u->stamp = h.stamp;
    } else if (!udp_decode(data, size, u->n, u->value)) {
        u->malformed++;
        return false;
    }
    u->taken++;
    return true;
}

bool udp_in_poll(UdpIn *u)
{
    bool is_new = false;
    for (int k = 0; k < UDP_MOST_TICK; k++) {
        ssize_t size =
            recv(u->fd, u->buffer, UDP_HEADER + 8 * (size_t)u->n + 1, 0);
        if (size < 0)
            break;
        is_new |= udp_in_take(u, u->buffer, (size_t)size);
    }
    return is_new;
}

void udp_out_send(UdpOut *u)
{
    size_t skip = u->has_header ? UDP_HEADER : 0;
    size_t size = skip + 8 * (size_t)(u->n + 1);
    if (u->has_header)
        udp_encode_header(&(UdpHeader){UDP_RESULTS, u->n + 1,
                                       (uint64_t)(u->sent + u->failed),
                                       u->stamp},
                          u->buffer);
    udp_encode(u->value, u->n + 1, u->buffer + skip);
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
