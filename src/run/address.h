/* address.h - sockets by the addresses that users write.
 *
 * PORT of this machine, HOST:PORT, or [HOST]:PORT where the host has colons.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_ADDRESS_H
#define TAKT_RUN_ADDRESS_H

#include "base/diag.h"

typedef enum AddressUse {
    ADDRESS_TAKE,  /* datagrams that come there */
    ADDRESS_SEND,  /* datagrams that go there */
    ADDRESS_SERVE, /* connections (TCP) */
} AddressUse;

/* A socket that never blocks; `option` is what the user gave the address with.
 * Returns NONE after a report (E1606). */
int address_open(const char *option, const char *address, AddressUse use,
                 Arena *arena, Diag *diag);
int address_port(int fd); /* that a socket is bound to */

#endif
