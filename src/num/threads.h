/* threads.h - one core is enough for small matrices. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_THREADS_H
#define TAKT_NUM_THREADS_H

/* Keeps the linear algebra library from starting threads, where it has a call
 * for that (OpenBLAS): for matrices of a few hundred rows they cost more than
 * they bring, and results do not depend on the machine. */
void threads_one(void);
/* OpenBLAS starts threads when it is loaded, takes 128 MB of addresses for each
 * of them, and tries again for ever where there are none. Under a limit of
 * addresses (ulimit -v) the program begins again with one thread, and ends with
 * an error where that has no room either. */
void threads_find_room(char **argv);

#endif
