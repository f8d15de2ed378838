/* io_internal.h - the kinds of partners. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_IO_IO_INTERNAL_H
#define TAKT_IO_IO_INTERNAL_H

#include "io/io.h"

/* Each fills call and context. False after a report. */
bool io_open_can(Io *io, const char *spec, const takt_io_about *about,
                 Sources *sources, Arena *arena, Diag *diag);
bool io_open_shm(Io *io, const char *name, const takt_io_about *about,
                 Arena *arena, Diag *diag);
bool io_open_plugin(Io *io, const char *spec, const takt_io_about *about,
                    Arena *arena, Diag *diag);

#endif
