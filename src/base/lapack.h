/* lapack.h - LAPACK, loaded at its first call (see dynamic.h).
 *
 * It draws in BLAS, whose 12,000 symbols take longer to be bound than a small
 * model takes to be compiled; few models call it. Arguments and results are
 * those of lapacke.h:
 *
 *     int info = lapack()->dgesv(LAPACK_COL_MAJOR, n, 1, a, n, pivot, b, n);
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_LAPACK_H
#define TAKT_BASE_LAPACK_H

#include <lapacke.h>

/* the functions in use, without LAPACKE_ */
#define LAPACK_FUNCTIONS(X)                                                    \
    X(dgeev)                                                                   \
    X(dgelqf)                                                                  \
    X(dgels)                                                                   \
    X(dgeqp3)                                                                  \
    X(dgesdd)                                                                  \
    X(dgesv)                                                                   \
    X(dgesvd)                                                                  \
    X(dgetrf)                                                                  \
    X(dgetrs)                                                                  \
    X(dorgqr)                                                                  \
    X(dormlq)                                                                  \
    X(dormqr)                                                                  \
    X(dsyev)                                                                   \
    X(dtrcon)                                                                  \
    X(dtrtri)                                                                  \
    X(dtrtrs)                                                                  \
    X(zgeev)

typedef struct Lapack {
#define LAPACK_MEMBER(name) __typeof__(&LAPACKE_##name) name;
    LAPACK_FUNCTIONS(LAPACK_MEMBER)
#undef LAPACK_MEMBER
    void (*set_threads)(int n); /* of OpenBLAS; NULL: another BLAS */
} Lapack;

/* The library, until the thread ends; dies where it cannot be loaded. OpenBLAS
 * is kept from working with several threads: for matrices of a few hundred rows
 * they cost more than they bring, and results do not depend on the machine. */
const Lapack *lapack(void);

/* To be called where main() begins. OpenBLAS starts threads when it is loaded
 * and takes 128 MB of addresses for each of them. Under a limit of addresses
 * (ulimit -v) it is told to be content with one. */
void lapack_alone(void);

#endif
