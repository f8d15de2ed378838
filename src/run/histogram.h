/* histogram.h - times of a fixed-size table: no memory, no search.
 *
 * A time in ns goes to a bucket of 1 ns below 64 ns, and of 1/64 of its power
 * of two above: quantiles are right to 1.6 %. Least, largest and mean are
 * exact.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_HISTOGRAM_H
#define TAKT_RUN_HISTOGRAM_H

#include <stdint.h>

enum {
    HISTOGRAM_SUB = 64,     /* buckets a power of two */
    HISTOGRAM_OCTAVES = 38, /* above 64 ns: up to 2^43 ns, two hours */
    HISTOGRAM_SIZE = HISTOGRAM_SUB * (HISTOGRAM_OCTAVES + 1)
};

typedef struct Histogram {
    int64_t n, min, max;
    double sum;
    int64_t count[HISTOGRAM_SIZE]; /* the last one takes all that is longer */
} Histogram;

/* A negative time counts as 0. */
void histogram_add(Histogram *h, int64_t ns);
int64_t histogram_edge(int bucket); /* largest time in it */
/* A time that the part q (0 .. 1) of all does not exceed; 0 if there is none.
 */
int64_t histogram_quantile(const Histogram *h, double q);
double histogram_mean(const Histogram *h); /* 0 if empty */

#endif
