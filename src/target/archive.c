/* archive.c - zip archives in memory, by libzip. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/archive.h"

#include <string.h>

#include "base/libzip.h"

/* Permissions as Unix writes them: some importers would have no binary that
 * they may load. */
enum { MODE_FILE = 0100644 };

/* Day 1 of zip's calendar; no time zone has a part in it. */
static bool add_file(zip_t *zip, const TargetFile *f)
{
    zip_source_t *s = libzip()->source_buffer(zip, f->data, f->size, 0);
    zip_int64_t i =
        s ? libzip()->file_add(zip, f->name, s, ZIP_FL_ENC_UTF_8) : -1;
    if (i < 0) {
        if (s)
            libzip()->source_free(s);
        return false;
    }
    zip_uint64_t k = (zip_uint64_t)i;
    return libzip()->file_set_dostime(zip, k, 0, 1 << 5 | 1, 0) == 0 &&
           libzip()->set_file_compression(zip, k, ZIP_CM_DEFLATE, 9) == 0 &&
           libzip()->file_set_external_attributes(
               zip, k, 0, ZIP_OPSYS_UNIX, (zip_uint32_t)MODE_FILE << 16) == 0;
}

/* All into `source`, which is kept. */
static bool pack(zip_source_t *source, const TargetFile *file, int n,
                 zip_error_t *error)
{
    zip_t *zip = libzip()->open_from_source(source, ZIP_TRUNCATE, error);
    if (!zip)
        return false;
    libzip()->source_keep(source);
    bool fine = true;
    for (int i = 0; fine && i < n; i++)
        fine = add_file(zip, &file[i]);
    if (fine && libzip()->close(zip) == 0)
        return true;
    libzip()->error_set(error,
                        libzip()->error_code_zip(libzip()->get_error(zip)), 0);
    libzip()->discard(zip);
    return false;
}

static bool read_all(zip_source_t *source, TargetFile *out, Arena *arena)
{
    zip_stat_t stat;
    if (libzip()->source_stat(source, &stat) < 0 ||
        libzip()->source_open(source) < 0)
        return false;
    char *data = arena_alloc(arena, (size_t)stat.size + 1);
    zip_int64_t got = libzip()->source_read(source, data, stat.size);
    libzip()->source_close(source);
    out->data = data;
    out->size = (size_t)stat.size;
    return got == (zip_int64_t)stat.size;
}

bool archive_make(const TargetFile *file, int n, TargetFile *out, Arena *arena,
                  Diag *diag)
{
    zip_error_t error;
    libzip()->error_init(&error);
    zip_source_t *source = libzip()->source_buffer_create(NULL, 0, 0, &error);
    bool packed = source && pack(source, file, n, &error);
    bool fine = packed && read_all(source, out, arena);
    if (!fine)
        diag_report(diag, NO_SPAN, DIAG_E1405, "the archive: %s",
                    libzip()->error_strerror(&error));
    if (source)
        libzip()->source_free(source);
    libzip()->error_fini(&error);
    return fine;
}
