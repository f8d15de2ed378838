/* threads.h - one core is enough for small matrices. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_THREADS_H
#define TAKT_NUM_THREADS_H

/* Keeps the linear algebra library from starting threads, where it has a call
 * for that (OpenBLAS): for matrices of a few hundred rows they cost more than
 * they bring, and results do not depend on the machine. */
void threads_one(void);

#endif
