/* plugin.c - a driver of the user: a shared library. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <string.h>

#include "io/io_internal.h"

static bool fail(Diag *diag, const char *spec, const char *why)
{
    diag_report(diag, NO_SPAN, DIAG_E1617, "--io %s: %s", spec, why);
    return false;
}

bool io_open_plugin(Io *io, const char *spec, const takt_io_about *about,
                    Arena *arena, Diag *diag)
{
    const char *comma = strchr(spec, ',');
    const char *path = comma ? arena_strndup(arena, spec, comma - spec) : spec;
    if (!strchr(path, '/')) /* no search in the folders of the system */
        path = arena_printf(arena, "./%s", path);
    char why[512] = "";
    io->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!io->library)
        return fail(diag, spec, dlerror());
    io->call = dlsym(io->library, "takt_io_driver");
    if (!io->call)
        fail(diag, spec, "the library does not define takt_io_driver");
    else if (io->call->version != TAKT_IO_VERSION)
        fail(diag, spec,
             arena_printf(arena,
                          "it is made for version %d of takt_io.h, "
                          "this one is %d",
                          io->call->version, TAKT_IO_VERSION));
    else if (!(io->context = io->call->open(comma ? comma + 1 : "", about, why,
                                            sizeof why))) {
        why[sizeof why - 1] = '\0';
        fail(diag, spec, *why ? why : "the driver does not open");
    } else {
        return true;
    }
    dlclose(io->library);
    return false;
}
