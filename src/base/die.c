/* die.c - the last words of the program. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/die.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static void (*on_death)(const char *message);
static _Thread_local DieCatch *catcher;

/* The message is formatted on the stack: there may be no memory left. If the
 * handler of a host returns, the program ends all the same. */
void die(const char *fmt, ...)
{
    char message[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    if (catcher) {
        DieCatch *c = catcher;
        memcpy(c->message, message, sizeof message);
        arena_forget(c);
        longjmp(c->there, 1);
    }
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

void die_catch(DieCatch *c)
{
    c->message[0] = '\0';
    c->outer = catcher;
    catcher = c;
    arena_watch(c);
}

void die_release(DieCatch *c)
{
    arena_watch(c->outer);
    catcher = c->outer;
}
