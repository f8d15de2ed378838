/* udp.h - inputs and results as datagrams.
 *
 *   in    n numbers: the inputs of the model in the order of its source
 *   out   1 + n numbers: the time of the model and its results
 *
 * A number is 8 bytes: an IEEE double, its least byte first, whatever machine
 * sends it. A datagram is complete in itself: these numbers and nothing else,
 * or with a header before them that says which of many it is:
 *
 *   0   4 bytes  "TKT1"
 *   4   2        kind: 1 inputs, 2 results
 *   6   2        number of numbers
 *   8   8        sequence number: 0 begins anew, else each is one more
 *   16  8        time stamp: ns of the sender's clock
 *   24  8 each   numbers
 *
 * Integers have their least byte first. A datagram of another form, or with a
 * number that is not finite, is counted and ignored, and so is a stale one,
 * whose sequence number is not above the last. Gaps count as lost. Of several
 * that are waiting, the last one counts. Nothing ever waits here.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_UDP_H
#define TAKT_RUN_UDP_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum {
    UDP_HEADER = 24, /* bytes */
    UDP_INPUTS = 1,  /* kinds */
    UDP_RESULTS = 2,
    UDP_MOST = 8185,   /* numbers in a datagram of at most 65,507 bytes */
    UDP_MOST_TICK = 64 /* datagrams looked at in a tick: bounded work */
};

/* Reads n numbers from a datagram. Returns false, with `value` untouched, if it
 * is malformed. */
bool udp_decode(const unsigned char *data, size_t size, int n, double *value);
/* Writes n numbers; 8 n bytes. */
void udp_encode(const double *value, int n, unsigned char *data);

typedef struct UdpHeader {
    int kind, n;
    uint64_t sequence;
    int64_t stamp; /* ns */
} UdpHeader;

/* False: it has no header. */
bool udp_decode_header(const unsigned char *data, size_t size, UdpHeader *h);
void udp_encode_header(const UdpHeader *h, unsigned char *data);

typedef struct UdpIn {
    int fd;
    int port; /* that was given where 0 was asked for */
    int n;
    double *value;         /* the last ones that came */
    unsigned char *buffer; /* UDP_HEADER + 8 n + 1 bytes */
    int64_t taken, malformed;
    int64_t lost, stale; /* of those with a header */
    bool has_sequence;
    uint64_t sequence; /* the last one */
    int64_t stamp;     /* of the last one, 0: none */
} UdpIn;

typedef struct UdpOut {
    int fd;
    int n;             /* results */
    const int *number; /* of each in the model */
    double *value;     /* 1 + n: the time first */
    unsigned char *buffer;
    int64_t every;   /* steps */
    bool has_header; /* is sent with them */
    int64_t stamp;   /* for the next one, ns */
    int64_t sent, failed;
} UdpOut;

/* `address` is PORT (of this machine only), or HOST:PORT; [::1]:PORT where the
 * host has colons. Port 0: any that is free. NULL after a report (E1606). */
UdpIn *udp_in_open(const char *address, int n, Arena *arena, Diag *diag);
/* `address` is HOST:PORT, or PORT of this machine. */
UdpOut *udp_out_open(const char *address, int n, Arena *arena, Diag *diag);
/* What to do about one datagram: its values are in u->value if true. */
bool udp_in_take(UdpIn *u, const unsigned char *data, size_t size);
/* Takes what has come. Returns whether there are new values. */
bool udp_in_poll(UdpIn *u);
/* Sends u->value. */
void udp_out_send(UdpOut *u);
void udp_in_close(UdpIn *u); /* NULL is allowed */
void udp_out_close(UdpOut *u);

#endif
