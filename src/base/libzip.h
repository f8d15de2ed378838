/* libzip.h - zip archives by libzip, loaded at its first call (see dynamic.h):
 * it draws in a library of ciphers, and only FMUs need it. Arguments and
 * results are those of zip.h:
 *
 *     zip_t *zip = libzip()->open(path, ZIP_RDONLY, &code);
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_LIBZIP_H
#define TAKT_BASE_LIBZIP_H

#include <zip.h>

/* the functions in use, without zip_ */
#define LIBZIP_FUNCTIONS(X)                                                    \
    X(close)                                                                   \
    X(discard)                                                                 \
    X(error_code_zip)                                                          \
    X(error_fini)                                                              \
    X(error_init)                                                              \
    X(error_init_with_code)                                                    \
    X(error_set)                                                               \
    X(error_strerror)                                                          \
    X(fclose)                                                                  \
    X(file_add)                                                                \
    X(file_set_dostime)                                                        \
    X(file_set_external_attributes)                                            \
    X(fopen_index)                                                             \
    X(fread)                                                                   \
    X(get_error)                                                               \
    X(get_name)                                                                \
    X(get_num_entries)                                                         \
    X(open)                                                                    \
    X(open_from_source)                                                        \
    X(set_file_compression)                                                    \
    X(source_buffer)                                                           \
    X(source_buffer_create)                                                    \
    X(source_close)                                                            \
    X(source_free)                                                             \
    X(source_keep)                                                             \
    X(source_open)                                                             \
    X(source_read)                                                             \
    X(source_stat)                                                             \
    X(stat)                                                                    \
    X(stat_index)

typedef struct Libzip {
#define LIBZIP_MEMBER(name) __typeof__(&zip_##name) name;
    LIBZIP_FUNCTIONS(LIBZIP_MEMBER)
#undef LIBZIP_MEMBER
} Libzip;

/* The library, until the thread ends; dies where it cannot be loaded. */
const Libzip *libzip(void);

#endif
