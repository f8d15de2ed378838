/* takt_io.h - a driver for takt run: inputs of a model from somewhere, results
 * to somewhere.
 *
 * A shared library that defines
 *
 *     const takt_io takt_io_driver = {TAKT_IO_VERSION, open, take, give, close,
 *                                     NULL};
 *
 * is given as --io ./driver.so,ARGUMENT. The run calls take and give once in
 * every tick, from its real-time thread: they must not wait, lock or allocate.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAKT_IO_H
#define TAKT_TAKT_IO_H

#include <stddef.h>

#define TAKT_IO_VERSION 1

typedef struct takt_io_about {
    const char *model;
    double step, period; /* s of the model, and of the clock; 0: none */
    int ninput, noutput;
    const char *const *input; /* names, as the model declares them */
    const char *const *output;
} takt_io_about;

typedef struct takt_io {
    int version;
    /* Before the first tick. NULL: it cannot be opened; `why` (size bytes) says
     * so. `about` lives as long as the driver is open. */
    void *(*open)(const char *argument, const takt_io_about *about, char *why,
                  size_t size);
    /* `input` has the values that hold now. Returns 1 if new ones were written
     * to it, 0 if there are none, -1 if something is wrong, which is counted.
     */
    int (*take)(void *io, double *input);
    /* After a step. Returns 0, or -1, which is counted. */
    int (*give)(void *io, double time, const double *output);
    void (*close)(void *io);
    /* What it has ignored and lost; may be NULL. */
    void (*count)(void *io, long long *ignored, long long *lost);
} takt_io;

#endif
