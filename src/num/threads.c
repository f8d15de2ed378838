/* threads.c - asks OpenBLAS, if it is there, to stay on one core. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/threads.h"

#if defined(__GNUC__)
extern void openblas_set_num_threads(int n) __attribute__((weak));
#endif

void threads_one(void)
{
#if defined(__GNUC__)
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
#endif
}
