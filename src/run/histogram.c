/* histogram.c - counts of times, by bucket. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/histogram.h"

#include <math.h>

static int log2_of(uint64_t x)
{
    int n = 0;
    for (int step = 32; step > 0; step /= 2)
        if (x >> step) {
            x >>= step;
            n += step;
        }
    return n;
}

/* 64 .. 127 is octave 1 with buckets of 1 ns, 128 .. 255 octave 2 of 2 ns. */
static int bucket_of(int64_t ns)
{
    if (ns < HISTOGRAM_SUB)
        return (int)ns;
    int shift = log2_of((uint64_t)ns) - 6;
    if (shift >= HISTOGRAM_OCTAVES)
        return HISTOGRAM_SIZE - 1;
    return shift * HISTOGRAM_SUB + (int)(ns >> shift);
}

int64_t histogram_edge(int bucket)
{
    if (bucket < HISTOGRAM_SUB)
        return bucket;
    int shift = bucket / HISTOGRAM_SUB - 1;
    int64_t first = bucket - (int64_t)shift * HISTOGRAM_SUB;
    return ((first + 1) << shift) - 1;
}

void histogram_add(Histogram *h, int64_t ns)
{
    ns = ns < 0 ? 0 : ns;
    h->min = h->n == 0 || ns < h->min ? ns : h->min;
    h->max = ns > h->max ? ns : h->max;
    h->sum += (double)ns;
    h->n++;
    h->count[bucket_of(ns)]++;
}

int64_t histogram_quantile(const Histogram *h, double q)
{
    int64_t want = (int64_t)ceil(q * (double)h->n), seen = 0;
    want = want < 1 ? 1 : want;
    for (int i = 0; i < HISTOGRAM_SIZE; i++) {
        seen += h->count[i];
        if (seen < want)
            continue;
        int64_t edge = histogram_edge(i);
        return edge < h->max && i < HISTOGRAM_SIZE - 1 ? edge : h->max;
    }
    return 0;
}

double histogram_mean(const Histogram *h)
{
    return h->n > 0 ? h->sum / (double)h->n : 0;
}
