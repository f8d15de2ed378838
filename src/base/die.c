/* die.c - the last words of the program. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/die.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void (*on_death)(const char *message);

/* The message is formatted on the stack: there may be no memory left. If the
 * handler of a host returns, the program ends all the same. */
void die(const char *fmt, ...)
{
    char message[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    uselocale(LC_GLOBAL_LOCALE); /* the handler is the host's */
    if (on_death)
        on_death(message);
    fflush(stdout);
    fprintf(stderr, "takt: %s\n", message);
    exit(EXIT_TAKT);
}

void die_handler(void (*handler)(const char *message))
{
    on_death = handler;
}
