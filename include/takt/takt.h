/* takt.h - takt as a library.
 *
 *     char *argv[] = {"takt", "check", "tank.mo", "--json"};
 *     int code = takt_command(4, argv);
 *
 * Link with `pkg-config --cflags --libs takt`.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAKT_H
#define TAKT_TAKT_H

#ifdef __cplusplus
extern "C" {
#endif

/* What the program takt does with these arguments: results go to standard
 * output, messages to standard error. Returns the exit code: 0 fine, 1 the
 * model or its numbers are at fault, 2 wrong usage, 3 a feature that is not
 * supported yet. Numbers have a decimal point whatever the locale of the
 * process is; it is not changed, nor is that of other threads. */
int takt_command(int argc, char **argv);

/* When the machine or takt itself fails (no memory, an internal error), takt
 * ends the program with exit code 4, unless `handler` leaves by longjmp; what
 * the command had allocated is lost then, and the thread has the locale of
 * setlocale() again. NULL: the usual end. */
void takt_on_failure(void (*handler)(const char *message));

/* "0.2.0" */
const char *takt_version(void);
/* The directory of takt's own Modelica packages, NULL if it is not there. */
const char *takt_models(void);

#ifdef __cplusplus
}
#endif

#endif
