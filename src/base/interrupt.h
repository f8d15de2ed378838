/* interrupt.h - a program that is told to end leaves nothing half done.
 *
 * SIGINT, SIGTERM and SIGHUP remove the temporary files of base/file.h and the
 * folders of base/folder.h, and then do what they always do. A run that asks
 * for it ends in order instead, with what was computed so far; the next signal
 * does not wait for it, nor does the first one for more than ten seconds if the
 * run does not look. The program takt watches for signals, a host of the
 * library has its own way.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_INTERRUPT_H
#define TAKT_BASE_INTERRUPT_H

/* Signals are watched for from here on; those that are ignored stay ignored. */
void interrupt_watch(void);
/* From here on the first signal is only noted: interrupt_seen() is looked at.
 */
void interrupt_ask(void);
/* The number of a signal that was noted, or 0. */
int interrupt_seen(void);
/* A file to be removed, and one that is not any more. `path` outlives that. */
void interrupt_add(const char *path);
void interrupt_drop(const char *path);
/* The same of a folder with all that is in it. `path` is copied; processes that
 * this one forks leave it alone. */
void interrupt_add_folder(const char *path);
void interrupt_drop_folder(const char *path);

#endif
