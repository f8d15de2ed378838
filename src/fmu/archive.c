/* archive.c - zip archives, by libzip: one file into memory, or folders onto
 * the disk. Names that lead elsewhere are refused. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/libzip.h"
#include "base/paths.h"
#include "fmu/fmu_internal.h"

enum { MOST_XML = 256 << 20, MOST_ENTRIES = 100000 };
static const zip_uint64_t most_bytes = (zip_uint64_t)4 << 30;

static zip_t *open_archive(const char *path, Diag *diag)
{
    int code = 0;
    struct stat st;
    if (stat(path, &st) != 0) {
        diag_report(diag, NO_SPAN, DIAG_E0220, "%s: %s", path, strerror(errno));
        return NULL;
    }
    zip_t *zip = libzip()->open(path, ZIP_RDONLY, &code);
    if (!zip) {
        zip_error_t e;
        libzip()->error_init_with_code(&e, code);
        diag_report(diag, NO_SPAN, DIAG_E0220,
                    "%s is no FMU: an FMU is a zip archive (%s)", path,
                    libzip()->error_strerror(&e));
        libzip()->error_fini(&e);
    }
    return zip;
}

static bool read_entry(zip_t *zip, zip_uint64_t i, char *to, zip_uint64_t size)
{
    zip_file_t *f = libzip()->fopen_index(zip, i, 0);
    zip_int64_t got = f ? libzip()->fread(f, to, size) : -1;
    bool fine = got == (zip_int64_t)size;
    if (f)
        fine = (libzip()->fclose(f) == 0) && fine; /* it checks the sum */
    return fine;
}

char *fmu_read_file(const char *path, const char *name, size_t *size,
                    Arena *arena, Diag *diag)
{
    zip_t *zip = open_archive(path, diag);
    zip_stat_t st;
    char *text = NULL;
    if (!zip)
        return NULL;
    if (libzip()->stat(zip, name, 0, &st) != 0 || !(st.valid & ZIP_STAT_SIZE))
        diag_report(diag, NO_SPAN, DIAG_E0220, "%s is no FMU: there is no %s",
                    path, name);
    else if (st.size > MOST_XML)
        diag_report(diag, NO_SPAN, DIAG_E0220, "%s: %s is too large", path,
                    name);
    else {
        text = arena_alloc(arena, (size_t)st.size + 1);
        if (!read_entry(zip, st.index, text, st.size)) {
            diag_report(diag, NO_SPAN, DIAG_E0220, "%s: %s is damaged", path,
                        name);
            text = NULL;
        } else {
            text[st.size] = '\0';
            *size = (size_t)st.size;
        }
    }
    libzip()->discard(zip);
    return text;
}

int fmu_list_files(const char *path, const char ***name, Arena *arena,
                   Diag *diag)
{
    zip_t *zip = open_archive(path, diag);
    zip_int64_t n = zip ? libzip()->get_num_entries(zip, 0) : -1;
    if (n > MOST_ENTRIES) {
        diag_report(diag, NO_SPAN, DIAG_E0220, "%s has too many files", path);
        n = -1;
    }
    *name = NEW_ARRAY(arena, const char *, n > 0 ? (size_t)n + 1 : 1);
    int count = 0;
    for (zip_int64_t i = 0; i < n; i++) {
        const char *text = libzip()->get_name(zip, (zip_uint64_t)i, 0);
        if (text && *text)
            (*name)[count++] = arena_strdup(arena, text);
    }
    if (zip)
        libzip()->discard(zip);
    return n < 0 ? -1 : count;
}

/* ---- onto the disk ---- */

/* No part is "..", nothing is absolute. */
static bool is_inside(const char *name)
{
    if (name[0] == '/' || strchr(name, '\\') || strlen(name) > 1000)
        return false;
    for (const char *s = name; *s;) {
        size_t n = strcspn(s, "/");
        if (n == 2 && s[0] == '.' && s[1] == '.')
            return false;
        s += n + (s[n] == '/');
    }
    return true;
}

static bool is_wanted(const char *name, const char *const *part)
{
    for (; *part; part++)
        if (!strncmp(name, *part, strlen(*part)))
            return true;
    return false;
}

static bool make_folders(char *path)
{
    for (char *s = path + 1; (s = strchr(s, '/')); s++) {
        *s = '\0';
        bool fine = mkdir(path, 0700) == 0 || errno == EEXIST;
        *s = '/';
        if (!fine)
            return false;
    }
    return true;
}

/* In pieces: what an archive says of its sizes costs no memory. */
static bool copy_entry(zip_t *zip, const zip_stat_t *st, FILE *to)
{
    char piece[1 << 16];
    zip_file_t *from = libzip()->fopen_index(zip, st->index, 0);
    zip_uint64_t left = st->size;
    zip_int64_t got = 0;
    while (from && left > 0 &&
           (got = libzip()->fread(from, piece, sizeof piece)) > 0 &&
           (zip_uint64_t)got <= left &&
           fwrite(piece, 1, (size_t)got, to) == (size_t)got)
        left -= (zip_uint64_t)got;
    bool fine = from && left == 0;
    if (from) /* its end checks the sum */
        fine = libzip()->fread(from, piece, 1) == 0 && fine;
    return from && libzip()->fclose(from) == 0 && fine;
}

static bool write_entry(zip_t *zip, const zip_stat_t *st, const char *folder,
                        Arena *arena)
{
    char *path = arena_printf(arena, "%s/%s", folder, st->name);
    if (!make_folders(path) || path[strlen(path) - 1] == '/')
        return path[strlen(path) - 1] == '/';
    FILE *to = fopen(path, "wb");
    bool fine = to && copy_entry(zip, st, to);
    if (to)
        fine = (fclose(to) == 0) && fine;
    return fine;
}

static const char *what_is_wrong(zip_t *zip, zip_int64_t i, zip_stat_t *st,
                                 zip_uint64_t *total)
{
    if (libzip()->stat_index(zip, (zip_uint64_t)i, 0, st) != 0 ||
        !(st->valid & ZIP_STAT_SIZE) || !(st->valid & ZIP_STAT_NAME))
        return "a damaged directory";
    if (!is_inside(st->name))
        return "a file with a name that leads elsewhere";
    *total += st->size;
    return *total > most_bytes ? "more than 4 GB" : NULL;
}

const char *fmu_unpack(const char *path, const char *const *part, Arena *arena,
                       Diag *diag)
{
    zip_t *zip = open_archive(path, diag);
    const char *wrong = NULL;
    char *folder = arena_printf(arena, "%s/takt-fmu-XXXXXX", temp_dir());
    if (!zip)
        return NULL;
    if (!folder_make(folder)) {
        diag_report(diag, NO_SPAN, DIAG_E0220,
                    "%s cannot be unpacked: %s; set TMPDIR to a folder with "
                    "room",
                    path, strerror(errno));
        libzip()->discard(zip);
        return NULL;
    }
    zip_int64_t n = libzip()->get_num_entries(zip, 0);
    zip_uint64_t total = 0;
    if (n > MOST_ENTRIES)
        wrong = "too many files";
    for (zip_int64_t i = 0; i < n && !wrong; i++) {
        zip_stat_t st;
        wrong = what_is_wrong(zip, i, &st, &total);
        if (!wrong && is_wanted(st.name, part) &&
            !write_entry(zip, &st, folder, arena))
            wrong =
                arena_printf(arena, "%s, which cannot be unpacked", st.name);
    }
    libzip()->discard(zip);
    if (!wrong)
        return folder;
    fmu_remove(folder);
    diag_report(diag, NO_SPAN, DIAG_E0220, "%s has %s", path, wrong);
    return NULL;
}

void fmu_remove(const char *folder)
{
    folder_remove(folder);
}
