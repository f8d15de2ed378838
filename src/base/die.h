/* die.h - the machine failed, or takt did: say so and end with exit code 4. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_DIE_H
#define TAKT_BASE_DIE_H

#include <assert.h>

enum {
    EXIT_FINE = 0,        /* nothing wrong */
    EXIT_MODEL = 1,       /* the model or its numbers are at fault */
    EXIT_USAGE = 2,       /* wrong usage of the command */
    EXIT_UNSUPPORTED = 3, /* a feature takt does not support yet */
    EXIT_TAKT = 4,        /* takt or the machine failed */
};

/* Prints "takt: MESSAGE" and ends the program with EXIT_TAKT. A host of the
 * library replaces what happens by die_handler(). */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
void die(const char *fmt, ...);
void die_handler(void (*handler)(const char *message));

/* A place that cannot be reached: the default of a switch over an enum. */
#define unreachable()                                                          \
    die("internal error: %s:%d was reached", __FILE__, __LINE__)

#endif
