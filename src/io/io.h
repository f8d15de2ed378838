/* io.h - partners of a run: inputs of the model from them, results to them.
 *
 *   can:INTERFACE,FILE.dbc   frames of a CAN bus                   can.c
 *   can:fd:N,FILE.dbc        struct can_frame over a socket that the run has
 *                            inherited as descriptor N
 *   shm:NAME                 rings in shared memory                shm.c
 *   FILE.so[,ARGUMENT]       a driver of the user                  plugin.c
 *
 * All of them are a takt_io (takt/takt_io.h). Nothing here waits in a tick.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_IO_IO_H
#define TAKT_IO_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "takt/takt_io.h"

typedef struct Io {
    const takt_io *call;
    void *context;
    void *library;     /* of a driver of the user, or NULL */
    double *input;     /* values that hold */
    double *output;    /* of the last step */
    const int *number; /* of each output in the model; by who runs it */
    int ninput, noutput;
    int64_t taken, given, failed; /* calls with new values; handed out; -1 */
} Io;

/* NULL after a report (E1617, E1618). The result and what it keeps live in
 * `arena`. */
Io *io_open(const char *spec, const takt_io_about *about, Sources *sources,
            Arena *arena, Diag *diag);
/* Are there new values in io->input? */
bool io_take(Io *io);
void io_give(Io *io, double time);
void io_count(const Io *io, int64_t *ignored, int64_t *lost);
void io_close(Io *io); /* NULL is allowed */

#endif
