/* random.h - random input of property tests, the same on every machine.
 *
 *     Random r = random_start("prop_blt");   prints the seed; TAKT_SEED sets it
 *     int n = random_below(&r, 10);          0 .. 9
 *     int cases = random_cases(500, 20000);  the second with TAKT_LONG=1
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_RANDOM_H
#define TAKT_TESTS_RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Random {
    uint64_t state;
} Random;

/* splitmix64 */
static inline uint64_t random_bits(Random *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline Random random_start(const char *name)
{
    const char *given = getenv("TAKT_SEED");
    Random r = {given ? strtoull(given, NULL, 10) : 1};
    printf("%s: TAKT_SEED=%llu\n", name, (unsigned long long)r.state);
    return r;
}

static inline int random_below(Random *r, int n)
{
    return (int)(random_bits(r) % (uint64_t)n);
}

/* In [0, 1). */
static inline double random_unit(Random *r)
{
    return (double)(random_bits(r) >> 11) * 0x1p-53;
}

static inline double random_between(Random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

static inline int random_cases(int usual, int many)
{
    return getenv("TAKT_LONG") ? many : usual;
}

#endif
