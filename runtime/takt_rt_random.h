/* takt_rt_random.h - random numbers: xorshift generators.
 *
 * Marsaglia, Xorshift RNGs, Journal of Statistical Software 8(14), 2003; Vigna,
 * An experimental exploration of Marsaglia's xorshift generators, scrambled,
 * ACM TOMS 42(4), 2016. The state is that of Modelica.Math.Random: Integers of
 * 32 bits, two for each word, the lower half first. The next state and the
 * random number, in (0, 1], are asked for one by one by the number `out`.
 * TAKT_REAL is double unless it is defined before, and must be: a float does
 * not hold a state. C99; no state of its own.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_RANDOM_H
#define TAKT_RT_RANDOM_H

#include <stdint.h>
#include <string.h>

#ifndef TAKT_REAL
#define TAKT_REAL    double
#define TAKT_F(name) name
#endif

static inline uint64_t takt_random_word(const TAKT_REAL *s, int i)
{
    const uint32_t low = (uint32_t)(int32_t)s[2 * i];
    const uint32_t high = (uint32_t)(int32_t)s[2 * i + 1];
    return (uint64_t)high << 32 | low;
}

/* Its lower or upper half. */
static inline TAKT_REAL takt_random_half(uint64_t word, int upper)
{
    const uint32_t half = (uint32_t)(word >> 32 * upper);
    return (TAKT_REAL)half - (TAKT_REAL)4294967296.0 * (TAKT_REAL)(half >> 31);
}

static inline TAKT_REAL takt_random_real(uint64_t word)
{
    int64_t number; /* the word with a sign */
    memcpy(&number, &word, sizeof number);
    return (TAKT_REAL)number * (TAKT_REAL)5.42101086242752217004e-20 +
           (TAKT_REAL)0.5;
}

/* xorshift64*: results 0 and 1 are the state, 2 the number. */
static inline TAKT_REAL takt_random64(const TAKT_REAL *s, int out)
{
    uint64_t x = takt_random_word(s, 0);
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    x *= UINT64_C(2685821657736338717);
    return out == 2 ? takt_random_real(x) : takt_random_half(x, out);
}

/* xorshift128+: results 0 to 3 are the state, 4 the number. */
static inline TAKT_REAL takt_random128(const TAKT_REAL *s, int out)
{
    uint64_t a = takt_random_word(s, 0);
    const uint64_t b = takt_random_word(s, 1);
    a ^= a << 23;
    const uint64_t c = (a ^ b ^ (a >> 17) ^ (b >> 26)) + b;
    return out == 4 ? takt_random_real(c)
                    : takt_random_half(out < 2 ? b : c, out & 1);
}

/* xorshift1024*: results 0 to 31 are the state, 32 a place in it, 33 the
 * number. */
static inline TAKT_REAL takt_random1024(const TAKT_REAL *s, int out)
{
    const int before = (int)s[32] & 15, at = (before + 1) & 15;
    uint64_t a = takt_random_word(s, before), b = takt_random_word(s, at);
    b ^= b << 31;
    b ^= b >> 11;
    a ^= a >> 30;
    const uint64_t c = a ^ b;
    if (out == 32)
        return (TAKT_REAL)at;
    if (out == 33)
        return takt_random_real(c * UINT64_C(1181783497276652981));
    const uint64_t same = takt_random_word(s, out / 2);
    const uint64_t is_new = (uint64_t)0 - (uint64_t)(out / 2 == at);
    return takt_random_half((c & is_new) | (same & ~is_new), out & 1);
}

#endif
