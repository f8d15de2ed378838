/* sha1.h - the digest of FIPS 180-4 by which eFMI names its files: a sum that
 * tells whether a file was changed, not a proof of who wrote it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_SHA1_H
#define TAKT_BASE_SHA1_H

#include <stddef.h>

enum { SHA1_TEXT = 41 };

/* The digest of n bytes in 40 hexadecimal digits. Returns `out`. */
const char *sha1_text(const void *data, size_t n, char out[SHA1_TEXT]);

#endif
