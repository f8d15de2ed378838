/* xcp.h - measurement and calibration by XCP 1.x over UDP: a slave.
 *
 *   commands   connect, disconnect, status, identification, synch,
 *              SET_MTA, UPLOAD, SHORT_UPLOAD, DOWNLOAD; dynamic DAQ: one list
 *              of up to PROBE_MOST entries, time stamps in us
 *   memory     quantity i of the run is a double (FLOAT64_IEEE) of 8 bytes at
 *              address 8 i, as NAME_variables() numbers them: those of the
 *              first model, then of the others (model.h); at XCP_EPK stands a
 *              text that says which table this is
 *
 * The description for the master (A2L) is written by takt build --a2l, and by
 * takt run --a2l for several models (target/a2l.h). Byte order is that of
 * Intel; a datagram holds messages of length (2 bytes), counter (2 bytes) and
 * packet. Only parameters can be written, within their limits, through the
 * orders of control.h.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_XCP_H
#define TAKT_RUN_XCP_H

#include <stddef.h>

#include "base/diag.h"
#include "run/control.h"
#include "run/probe.h"

enum {
    XCP_CTO = 248,  /* bytes of a command or answer */
    XCP_DTO = 1024, /* of measured values */
    XCP_ODTS = 16,
    XCP_EPK_BYTES = 16
};
#define XCP_EPK 0xffff0000u

typedef struct XcpEntry {
    int odt;
    uint32_t address;
    int size; /* bytes; 0: not written yet */
} XcpEntry;

typedef struct Xcp {
    Control *control;
    Probe *probe;
    const char *model;
    char epk[XCP_EPK_BYTES + 1];
    int nvar;
    double period; /* s */
    bool is_connected, is_selected, is_running, has_stamp;
    uint32_t mta;
    int nlist, nodt;
    int in_odt[XCP_ODTS]; /* entries of each */
    XcpEntry entry[PROBE_MOST];
    int nentry, at; /* the one that is written next; NONE: none */
    int every;
    ProbeList list[2]; /* in turn: the loop may still have the other */
    int turn;
} Xcp;

/* `model`: table of its quantities. */
Xcp *xcp_new(const char *model, const RunModel *m, double period,
             Control *control, Probe *probe, Arena *arena);
/* Answers a packet of n bytes; returns bytes of the answer (XCP_CTO at most),
 * 0: none. */
size_t xcp_answer(Xcp *x, const unsigned char *data, size_t n,
                  unsigned char *reply);
/* A row of the probe as packets: ODT by ODT. Returns bytes, 0: there are no
 * more. */
size_t xcp_packet(const Xcp *x, const double *row, int odt, unsigned char *out);

typedef struct XcpServer XcpServer;

/* At `address`, as in udp.h. NULL after a report (E1606). */
XcpServer *xcp_open(const char *address, Xcp *x, Arena *arena, Diag *diag);
int xcp_port(const XcpServer *s);
void xcp_close(XcpServer *s); /* NULL is allowed */

#endif
