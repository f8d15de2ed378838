/* io.c - which kind of partner, and its calls. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <string.h>

#include "io/io_internal.h"

static bool open_kind(Io *io, const char *spec, const takt_io_about *about,
                      Sources *sources, Arena *arena, Diag *diag)
{
    if (!strncmp(spec, "can:", 4))
        return io_open_can(io, spec + 4, about, sources, arena, diag);
    if (!strncmp(spec, "shm:", 4))
        return io_open_shm(io, spec + 4, about, arena, diag);
    if (strstr(spec, ".so"))
        return io_open_plugin(io, spec, about, arena, diag);
    diag_report(diag, NO_SPAN, DIAG_E1617,
                "--io %s: can:INTERFACE,FILE.dbc, shm:NAME or FILE.so is "
                "expected",
                spec);
    return false;
}

Io *io_open(const char *spec, const takt_io_about *about, Sources *sources,
            Arena *arena, Diag *diag)
{
    Io *io = NEW(arena, Io);
    io->ninput = about->ninput;
    io->noutput = about->noutput;
    io->input = NEW_ARRAY(arena, double, about->ninput + 1);
    io->output = NEW_ARRAY(arena, double, about->noutput + 1);
    return open_kind(io, spec, about, sources, arena, diag) ? io : NULL;
}

bool io_take(Io *io)
{
    int got = io->call->take(io->context, io->input);
    io->taken += got > 0;
    io->failed += got < 0;
    return got > 0;
}

void io_give(Io *io, double time)
{
    int failed = io->call->give(io->context, time, io->output);
    io->given += failed == 0;
    io->failed += failed != 0;
}

void io_count(const Io *io, int64_t *ignored, int64_t *lost)
{
    long long i = 0, l = 0;
    if (io->call->count)
        io->call->count(io->context, &i, &l);
    *ignored = i;
    *lost = l;
}

void io_close(Io *io)
{
    if (!io)
        return;
    io->call->close(io->context);
    if (io->library)
        dlclose(io->library);
}
