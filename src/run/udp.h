/* udp.h - inputs and results as datagrams.
 *
 *   in    n numbers: the inputs of the model in the order of its source
 *   out   1 + n numbers: the time of the model and its results
 *
 * A number is 8 bytes: an IEEE double, its least byte first, whatever machine
 * sends it. A datagram is complete in itself and nothing else is in it. One of
 * another length, or with a number that is not finite, is counted and ignored.
 * Of several that are waiting, the last one counts. Nothing ever waits here.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_UDP_H
#define TAKT_RUN_UDP_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum {
    UDP_MOST = 8187,   /* numbers in a datagram of at most 65,507 bytes */
    UDP_MOST_TICK = 64 /* datagrams looked at in a tick: bounded work */
};

/* Reads n numbers from a datagram. Returns false, with `value` untouched, if it
 * is malformed. */
bool udp_decode(const unsigned char *data, size_t size, int n, double *value);
/* Writes n numbers; 8 n bytes. */
void udp_encode(const double *value, int n, unsigned char *data);

typedef struct UdpIn {
    int fd;
    int port; /* that was given where 0 was asked for */
    int n;
    double *value;         /* the last ones that came */
    unsigned char *buffer; /* 8 n + 1 bytes */
    int64_t taken, malformed;
} UdpIn;

typedef struct UdpOut {
    int fd;
    int n;             /* results */
    const int *number; /* of each in the model */
    double *value;     /* 1 + n: the time first */
    unsigned char *buffer;
    int64_t every; /* steps */
    int64_t sent, failed;
} UdpOut;

/* `address` is PORT (of this machine only), or HOST:PORT; [::1]:PORT where the
 * host has colons. Port 0: any that is free. NULL after a report (E1606). */
UdpIn *udp_in_open(const char *address, int n, Arena *arena, Diag *diag);
/* `address` is HOST:PORT, or PORT of this machine. */
UdpOut *udp_out_open(const char *address, int n, Arena *arena, Diag *diag);
/* Takes what has come. Returns whether there are new values. */
bool udp_in_poll(UdpIn *u);
/* Sends u->value. */
void udp_out_send(UdpOut *u);
void udp_in_close(UdpIn *u); /* NULL is allowed */
void udp_out_close(UdpOut *u);

#endif
