/* dynamic.h - libraries that few runs need are loaded when one does.
 *
 * HDF5 alone draws in forty others, and half of the time that `takt --version`
 * took went into loading them. takt::NAME_later (cmake/Packages.cmake) gives a
 * folder the header of such a library and its file name, TAKT_LATER_NAME; its
 * functions are then taken one by one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_DYNAMIC_H
#define TAKT_BASE_DYNAMIC_H

#include <stdbool.h>

/* The library, loaded until the program ends; NULL: it is not there. Of file
 * NULL: the program itself, with all that it is linked with. */
void *dynamic_open(const char *file);

/* Writes the address of `name` to `*pointer`, a pointer to a function or an
 * object. False if the library has no such name. */
bool dynamic_take(void *library, const char *name, void *pointer);

#endif
