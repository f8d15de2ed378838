/* fuzz_fmu.c - any bytes as the description of an FMU or of several that are
 * connected, and as an FMU.
 *
 * A description that is taken is flattened, without a binary; what is flat is
 * consistent. Bytes that begin as a zip archive does are read and unpacked.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmu/fmu_internal.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void read_archive(const unsigned char *data, size_t size,
                         Sources *sources, Arena *arena, Diag *diag)
{
    static const char *const all[] = {"", NULL};
    char path[] = "/tmp/takt-fuzz-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    fmu_open(path, sources, arena, diag);
    const char *folder = fmu_unpack(path, all, arena, diag);
    if (folder)
        fmu_remove(folder);
    unlink(path);
}

static void read_description(const unsigned char *data, size_t size,
                             Sources *sources, Arena *arena, Diag *diag)
{
    int k =
        sources_add(sources, "modelDescription.xml", (const char *)data, size);
    const FmuDescription *d = fmu_describe(sources, k, arena, diag);
    for (int use = FMU_AS_EITHER; d && use <= FMU_AS_BLOCK; use++) {
        Fmu f = {.path = "", .d = d, .use = (FmuUse)use, .arena = arena};
        FmuOptions o = {.step = 0.1};
        const Flat *flat = fmu_flatten(&f, &o, arena, diag);
        if (flat)
            flat_check(flat);
    }
}

/* FMUs that it names are not there: what is read is the description. */
static void read_system(const unsigned char *data, size_t size,
                        Sources *sources, Arena *arena, Diag *diag)
{
    char path[] = "/tmp/takt-fuzz-XXXXXX.ssd";
    int fd = mkstemps(path, 4);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    fmu_open(path, sources, arena, diag);
    unlink(path);
}

static bool is_system(const unsigned char *data, size_t size)
{
    return size > 4 && memcmp(data, "<ssd", 4) == 0;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    Diag *diag = diag_new(sources, arena);
    if (size > 1 && data[0] == 'P' && data[1] == 'K')
        read_archive(data, size, sources, arena, diag);
    else if (is_system(data, size))
        read_system(data, size, sources, arena, diag);
    else
        read_description(data, size, sources, arena, diag);
    char *messages = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&messages, &n);
    diag_print(diag, out);
    fclose(out);
    free(messages);
    arena_free(arena);
    return 0;
}
