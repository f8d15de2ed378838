/* folder.h - temporary folders: gone when they are no longer needed, and when a
 * signal ends the program (interrupt.h). */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_FOLDER_H
#define TAKT_BASE_FOLDER_H

#include <stdbool.h>

/* Makes the folder `path`, which ends with XXXXXX as mkdtemp() wants it.
 * Returns false with errno set when that fails. */
bool folder_make(char *path);
/* Removes it with all that is in it. */
void folder_remove(const char *path);

#endif
