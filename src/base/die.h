/* die.h - the machine failed, or takt did: say so and end with exit code 4. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_DIE_H
#define TAKT_BASE_DIE_H

#include <assert.h>
#include <setjmp.h>

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

/* The calls of a library must not end their host: while a thread has a
 * DieCatch, its die() leaves by longjmp to `there`, where setjmp() then gives
 * 1, with the message. Arenas that the thread made since die_catch() and has
 * not freed are gone then; what belongs to foreign libraries may be lost. */
typedef struct DieCatch {
    jmp_buf there;
    char message[512];
    struct DieCatch *outer;
} DieCatch;

void die_catch(DieCatch *c);
void die_release(DieCatch *c);

/* A place that cannot be reached: the default of a switch over an enum. */
#define unreachable()                                                          \
    die("internal error: %s:%d was reached", __FILE__, __LINE__)

#endif
