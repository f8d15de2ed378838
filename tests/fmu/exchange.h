/* exchange.h - model exchange, tried out. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <stdio.h>

#include "importer.h"

extern int nfailed;

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: %s; it said: %s\n", __FILE__, __LINE__, #condition, \
                   fmu_said());                                                \
            nfailed++;                                                         \
        }                                                                      \
    } while (0)

/* To `stop` in steps of at most `most`. */
int exchange(const Fmu *f, double stop, double most);
/* The first state at `far`, where equations have no solution, and at `near`
 * again. */
int go_far(const Fmu *f, double far, double near);
/* The first state up to 2 and back in quarters: no indicator is left at 0. */
int go_to_zeros(const Fmu *f);

#endif
