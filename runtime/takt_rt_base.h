/* takt_rt_base.h - what generated code needs besides arithmetic: selections
 * without branches, and the keeping of a state.
 *
 * Truth is 1, falsehood 0, as numbers. The names that end in f work on float.
 * C99; no allocation, no input or output, no state.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_BASE_H
#define TAKT_RT_BASE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Parts of long functions, kept apart so that compilers stay fast; those of
 * functions that run rarely are not optimised as much. */
#if defined(__GNUC__) && !defined(__clang__)
#define TAKT_APART  __attribute__((noinline))
#define TAKT_RARELY __attribute__((noinline, optimize("O1")))
#elif defined(__GNUC__)
#define TAKT_APART  __attribute__((noinline))
#define TAKT_RARELY __attribute__((noinline))
#else
#define TAKT_APART
#define TAKT_RARELY
#endif

/* Always in place, so that the counts of loops are constants. */
#if defined(__GNUC__)
#define TAKT_INLINE inline __attribute__((always_inline))
#else
#define TAKT_INLINE inline
#endif

/* The number 0 or 1, hidden from the optimiser, which would make a branch of
 * what is selected by it. */
static inline uint32_t takt_flag(int yes)
{
    uint32_t flag = (uint32_t)yes;
#if defined(__GNUC__)
    __asm__("" : "+r"(flag));
#endif
    return flag;
}

/* What a quantity can be set to: a finite number, an Integer of 32 bits, 0 or
 * 1, a finite number above 0. */
enum { TAKT_ANY, TAKT_INTEGER, TAKT_BOOLEAN, TAKT_POSITIVE };

static inline int takt_is_in(int domain, double x)
{
    if (!(x - x >= 0))
        return 0;
    switch (domain) {
    case TAKT_INTEGER:
        return x >= -2147483648.0 && x <= 2147483647.0 &&
               (double)(int32_t)x - x >= 0 && (double)(int32_t)x - x <= 0;
    case TAKT_BOOLEAN: return (x >= 0 && x <= 0) || (x >= 1 && x <= 1);
    case TAKT_POSITIVE: return x > 0;
    default: return 1;
    }
}

/* The root of a number that is not negative, by one instruction: compilers add
 * a jump for errno to sqrt(). */
static inline double takt_root(double x)
{
#if defined(__GNUC__) && defined(__SSE2__)
    double r;
    __asm__("sqrtsd %1, %0" : "=x"(r) : "x"(x));
    return r;
#else
    return sqrt(x);
#endif
}

static inline float takt_rootf(float x)
{
#if defined(__GNUC__) && defined(__SSE2__)
    float r;
    __asm__("sqrtss %1, %0" : "=x"(r) : "x"(x));
    return r;
#else
    return sqrtf(x);
#endif
}

#define TAKT_RT_WORDS(REAL, WORD, F)                                           \
    static inline WORD takt_word##F(REAL x)                                    \
    {                                                                          \
        WORD w;                                                                \
        memcpy(&w, &x, sizeof w);                                              \
        return w;                                                              \
    }                                                                          \
    static inline REAL takt_number##F(WORD w)                                  \
    {                                                                          \
        REAL x;                                                                \
        memcpy(&x, &w, sizeof x);                                              \
        return x;                                                              \
    }

/* TAKT_PORTABLE: without instructions of one kind of processor. Results are the
 * same. */
#if defined(__GNUC__) && defined(__SSE2__) && !defined(TAKT_PORTABLE)

/* An instruction of two operands, whose result takes the place of the first;
 * the second may stand in memory where it is one number. */
#if defined(__clang__)
#define TAKT_RT_ANYWHERE "x"
#else
#define TAKT_RT_ANYWHERE "xm"
#endif
#define TAKT_RT_PAIR(REAL, F, NAME, INSTRUCTION, WHERE)                        \
    static inline REAL takt_##NAME##F(REAL a, REAL b)                          \
    {                                                                          \
        __asm__(INSTRUCTION " %1, %0" : "+x"(a) : WHERE(b));                   \
        return a;                                                              \
    }

/* A comparison makes ones only or zeros only, a mask: what is left of 1 is
 * truth, and on masks and truths and, or work bit by bit. S: sd or ss, P: pd or
 * ps. Of two equal numbers, or if one is none, min and max take their second
 * operand. */
#define TAKT_RT_MASKS(REAL, WORD, F, S, P)                                     \
    TAKT_RT_PAIR(REAL, F, is_lt, "cmplt" S, TAKT_RT_ANYWHERE)                  \
    TAKT_RT_PAIR(REAL, F, is_le, "cmple" S, TAKT_RT_ANYWHERE)                  \
    TAKT_RT_PAIR(REAL, F, is_eq, "cmpeq" S, TAKT_RT_ANYWHERE)                  \
    TAKT_RT_PAIR(REAL, F, is_ne, "cmpneq" S, TAKT_RT_ANYWHERE)                 \
    TAKT_RT_PAIR(REAL, F, unless, "andn" P, "x")                               \
    TAKT_RT_PAIR(REAL, F, and, "and" P, "x")                                   \
    TAKT_RT_PAIR(REAL, F, or, "or" P, "x")                                     \
    TAKT_RT_PAIR(REAL, F, differ, "xor" P, "x")                                \
    TAKT_RT_PAIR(REAL, F, least, "min" S, TAKT_RT_ANYWHERE)                    \
    TAKT_RT_PAIR(REAL, F, most, "max" S, TAKT_RT_ANYWHERE)                     \
    static inline REAL takt_when##F(REAL mask, REAL a)                         \
    {                                                                          \
        return takt_and##F(a, mask);                                           \
    }                                                                          \
    static inline REAL takt_if##F(REAL mask, REAL a, REAL b)                   \
    {                                                                          \
        return takt_differ##F(takt_and##F(takt_differ##F(a, b), mask), b);     \
    }                                                                          \
    static inline REAL takt_truth##F(REAL mask)                                \
    {                                                                          \
        return takt_and##F(mask, (REAL)1);                                     \
    }                                                                          \
    static inline REAL takt_and_not##F(REAL a, REAL b)                         \
    {                                                                          \
        return takt_unless##F(b, a);                                           \
    }                                                                          \
    static inline REAL takt_is_not##F(REAL mask)                               \
    {                                                                          \
        return takt_unless##F(mask, takt_is_eq##F((REAL)0, (REAL)0));          \
    }                                                                          \
    static inline REAL takt_not##F(REAL a)                                     \
    {                                                                          \
        return (REAL)1 - a;                                                    \
    }                                                                          \
    static inline REAL takt_min##F(REAL a, REAL b)                             \
    {                                                                          \
        return takt_least##F(b, a);                                            \
    }                                                                          \
    static inline REAL takt_max##F(REAL a, REAL b)                             \
    {                                                                          \
        return takt_most##F(b, a);                                             \
    }

#else

/* A mask is the truth itself. */
#define TAKT_RT_MASKS(REAL, WORD, F, S, P)                                     \
    static inline REAL takt_is_lt##F(REAL a, REAL b)                           \
    {                                                                          \
        return (REAL)(int)takt_flag(a < b);                                    \
    }                                                                          \
    static inline REAL takt_is_le##F(REAL a, REAL b)                           \
    {                                                                          \
        return (REAL)(int)takt_flag(a <= b);                                   \
    }                                                                          \
    static inline REAL takt_is_eq##F(REAL a, REAL b)                           \
    {                                                                          \
        return (REAL)(int)takt_flag(a == b);                                   \
    }                                                                          \
    static inline REAL takt_is_ne##F(REAL a, REAL b)                           \
    {                                                                          \
        return (REAL)(int)takt_flag(a != b);                                   \
    }                                                                          \
    static inline REAL takt_if##F(REAL mask, REAL a, REAL b)                   \
    {                                                                          \
        WORD bits = (WORD)0 - (WORD)takt_flag(mask != (REAL)0);                \
        return takt_number##F((takt_word##F(a) & bits) |                       \
                              (takt_word##F(b) & ~bits));                      \
    }                                                                          \
    static inline REAL takt_when##F(REAL mask, REAL a)                         \
    {                                                                          \
        return takt_if##F(mask, a, (REAL)0);                                   \
    }                                                                          \
    static inline REAL takt_unless##F(REAL mask, REAL a)                       \
    {                                                                          \
        return takt_if##F(mask, (REAL)0, a);                                   \
    }                                                                          \
    static inline REAL takt_truth##F(REAL mask)                                \
    {                                                                          \
        return mask;                                                           \
    }                                                                          \
    static inline REAL takt_and##F(REAL a, REAL b)                             \
    {                                                                          \
        return (REAL)(int)(takt_flag(a != 0) & takt_flag(b != 0));             \
    }                                                                          \
    static inline REAL takt_or##F(REAL a, REAL b)                              \
    {                                                                          \
        return (REAL)(int)(takt_flag(a != 0) | takt_flag(b != 0));             \
    }                                                                          \
    static inline REAL takt_not##F(REAL a)                                     \
    {                                                                          \
        return takt_is_eq##F(a, (REAL)0);                                      \
    }                                                                          \
    static inline REAL takt_is_not##F(REAL mask)                               \
    {                                                                          \
        return takt_not##F(mask);                                              \
    }                                                                          \
    static inline REAL takt_and_not##F(REAL a, REAL b)                         \
    {                                                                          \
        return takt_and##F(a, takt_not##F(b));                                 \
    }                                                                          \
    static inline REAL takt_min##F(REAL a, REAL b)                             \
    {                                                                          \
        return takt_if##F(takt_is_lt##F(b, a), b, a);                          \
    }                                                                          \
    static inline REAL takt_max##F(REAL a, REAL b)                             \
    {                                                                          \
        return takt_if##F(takt_is_lt##F(a, b), b, a);                          \
    }

#endif

/* Masks say is or is not, without being numbers: takt_if selects by one,
 * takt_when and takt_unless leave 0 in the other case, takt_truth makes the
 * number 0 or 1 of it. and, or make a mask of two masks, a truth of two truths;
 * and, and_not make a truth of a truth and a mask. */
#define TAKT_RT_LOGIC(REAL, F)                                                 \
    static inline REAL takt_is_gt##F(REAL a, REAL b)                           \
    {                                                                          \
        return takt_is_lt##F(b, a);                                            \
    }                                                                          \
    static inline REAL takt_is_ge##F(REAL a, REAL b)                           \
    {                                                                          \
        return takt_is_le##F(b, a);                                            \
    }                                                                          \
    /* of a truth */                                                           \
    static inline REAL takt_is##F(REAL a)                                      \
    {                                                                          \
        return takt_is_ne##F(a, (REAL)0);                                      \
    }                                                                          \
    /* a if c is not 0, else b */                                              \
    static inline REAL takt_select##F(REAL c, REAL a, REAL b)                  \
    {                                                                          \
        return takt_if##F(takt_is##F(c), a, b);                                \
    }                                                                          \
    static inline REAL takt_lt##F(REAL a, REAL b)                              \
    {                                                                          \
        return takt_truth##F(takt_is_lt##F(a, b));                             \
    }                                                                          \
    static inline REAL takt_le##F(REAL a, REAL b)                              \
    {                                                                          \
        return takt_truth##F(takt_is_le##F(a, b));                             \
    }                                                                          \
    static inline REAL takt_gt##F(REAL a, REAL b)                              \
    {                                                                          \
        return takt_truth##F(takt_is_lt##F(b, a));                             \
    }                                                                          \
    static inline REAL takt_ge##F(REAL a, REAL b)                              \
    {                                                                          \
        return takt_truth##F(takt_is_le##F(b, a));                             \
    }                                                                          \
    static inline REAL takt_eq##F(REAL a, REAL b)                              \
    {                                                                          \
        return takt_truth##F(takt_is_eq##F(a, b));                             \
    }                                                                          \
    static inline REAL takt_ne##F(REAL a, REAL b)                              \
    {                                                                          \
        return takt_truth##F(takt_is_ne##F(a, b));                             \
    }

#define TAKT_RT_DEFINE(REAL, WORD, F)                                          \
    static inline REAL takt_sign##F(REAL a)                                    \
    {                                                                          \
        return takt_gt##F(a, (REAL)0) - takt_lt##F(a, (REAL)0);                \
    }                                                                          \
    static inline REAL takt_abs##F(REAL a)                                     \
    {                                                                          \
        return fabs##F(a);                                                     \
    }                                                                          \
    /* 1 where x is not finite: its exponent has ones only */                  \
    static inline uint32_t takt_infinite##F(REAL x)                            \
    {                                                                          \
        const WORD sign = ~(~(WORD)0 >> 1);                                    \
        const WORD top = takt_word##F((REAL)INFINITY);                         \
        return (uint32_t)(((takt_word##F(x) & ~sign) + (sign - top)) >>        \
                          (8 * sizeof x - 1));                                 \
    }                                                                          \
    /* number becomes `place` where it is 0 and `sum` is not finite */         \
    /* `place` if x is farther from the middle than half a width */            \
    static inline uint32_t takt_beyond##F(                                     \
        uint32_t number, REAL x, REAL middle, REAL half, uint32_t place)       \
    {                                                                          \
        const uint32_t yes = takt_flag(takt_abs##F(x - middle) > half);        \
        return number ^ (((uint32_t)0 - yes) & (number ^ place));              \
    }                                                                          \
    static inline uint32_t takt_note##F(uint32_t number, REAL sum,             \
                                        uint32_t place)                        \
    {                                                                          \
        uint32_t yes = takt_infinite##F(sum) & ((number - 1) >> 31);           \
        return number | (((uint32_t)0 - yes) & place);                         \
    }                                                                          \
    /* the same where excess is more than 0, or no number */                   \
    static inline uint32_t takt_exceeds##F(uint32_t number, REAL excess,       \
                                           uint32_t place)                     \
    {                                                                          \
        uint32_t yes = (uint32_t)0 - takt_flag(!(excess <= (REAL)0));          \
        return number | (yes & ((uint32_t)0 - ((number - 1) >> 31)) & place);  \
    }

TAKT_RT_WORDS(double, uint64_t, )
TAKT_RT_WORDS(float, uint32_t, f)
TAKT_RT_MASKS(double, uint64_t, , "sd", "pd")
TAKT_RT_MASKS(float, uint32_t, f, "ss", "ps")
TAKT_RT_LOGIC(double, )
TAKT_RT_LOGIC(float, f)
TAKT_RT_DEFINE(double, uint64_t, )
TAKT_RT_DEFINE(float, uint32_t, f)

#define TAKT_RT_ROUND(REAL, WORD, F, WHOLE)                                    \
    /* Numbers from WHOLE on have no fraction; below, adding it rounds. */     \
    static inline REAL takt_floor##F(REAL x)                                   \
    {                                                                          \
        const WORD sign = ~(~(WORD)0 >> 1);                                    \
        const REAL big = WHOLE + WHOLE / 2;                                    \
        REAL r = (x + big) - big;                                              \
        r -= takt_gt##F(r, x);                                                 \
        r = takt_number##F(takt_word##F(r) | (takt_word##F(x) & sign));        \
        return takt_select##F(takt_lt##F(takt_abs##F(x), WHOLE), r, x);        \
    }                                                                          \
    static inline REAL takt_ceil##F(REAL x)                                    \
    {                                                                          \
        return -takt_floor##F(-x);                                             \
    }                                                                          \
    static inline REAL takt_idiv##F(REAL a, REAL b)                            \
    {                                                                          \
        REAL q = a / b;                                                        \
        return takt_select##F(takt_lt##F(q, (REAL)0), takt_ceil##F(q),         \
                              takt_floor##F(q));                               \
    }                                                                          \
    static inline REAL takt_mod##F(REAL a, REAL b)                             \
    {                                                                          \
        return a - takt_floor##F(a / b) * b;                                   \
    }                                                                          \
    static inline REAL takt_rem##F(REAL a, REAL b)                             \
    {                                                                          \
        return a - takt_idiv##F(a, b) * b;                                     \
    }

/* The past of an expression: value number k belongs to the time start + k *
 * step and stands in ring[k % size]; `last` is the newest. Linear between the
 * values, the first before them, the last after them. */
#define TAKT_RT_PAST(REAL, F)                                                  \
    static inline size_t takt_place##F(REAL number, int size)                  \
    {                                                                          \
        return (size_t)((int64_t)number % size);                               \
    }                                                                          \
    static inline REAL takt_past##F(const REAL *ring, int size, REAL last,     \
                                    REAL start, REAL step, REAL at)            \
    {                                                                          \
        const REAL oldest = takt_max##F(last - (REAL)(size - 1), (REAL)0);     \
        REAL q = takt_floor##F((at - start) / step);                           \
        q -= takt_gt##F(start + q * step, at);                                 \
        q += takt_le##F(start + (q + 1) * step, at);                           \
        q = takt_select##F(takt_le##F(q, last - 1), q, last - 1);              \
        q = takt_select##F(takt_ge##F(q, oldest), q, oldest);                  \
        const REAL t0 = start + q * step, t1 = start + (q + 1) * step;         \
        const REAL v0 = ring[takt_place##F(q, size)];                          \
        const REAL v1 = ring[takt_place##F(q + 1, size)];                      \
        const REAL w = (at - t0) / (t1 - t0);                                  \
        REAL v = v0 + w * (v1 - v0);                                           \
        v = takt_select##F(takt_ge##F(at, start + last * step),                \
                           ring[takt_place##F(last, size)], v);                \
        return takt_select##F(takt_le##F(at, t0), v0, v);                      \
    }

TAKT_RT_ROUND(double, uint64_t, , 4503599627370496.0)
TAKT_RT_ROUND(float, uint32_t, f, 8388608.0f)
TAKT_RT_PAST(double, )
TAKT_RT_PAST(float, f)

/* TAKT_KEEP(F, REAL, TYPE, to, from): *to = *from, structs of TYPE whose
 * members are REAL. Compilers for ARM call a function for it; in pieces it is
 * done in place, four numbers by two instructions. */
#if defined(__GNUC__) && defined(__arm__)
#define TAKT_RT_COPY(REAL, F)                                                  \
    typedef struct takt_piece##F {                                             \
        REAL at[16];                                                           \
    } __attribute__((may_alias)) takt_piece##F;                                \
    typedef struct takt_bit##F {                                               \
        REAL at[4];                                                            \
    } __attribute__((may_alias)) takt_bit##F;                                  \
    static TAKT_INLINE void takt_copy##F(void *to, const void *from, size_t n) \
    {                                                                          \
        takt_piece##F *a = (takt_piece##F *)to;                                \
        const takt_piece##F *b = (const takt_piece##F *)from;                  \
        for (size_t i = n / 16; i > 0; i--)                                    \
            *a++ = *b++;                                                       \
        takt_bit##F *c = (takt_bit##F *)(void *)a;                             \
        const takt_bit##F *d = (const takt_bit##F *)(const void *)b;           \
        for (size_t i = n % 16 / 4; i > 0; i--)                                \
            *c++ = *d++;                                                       \
        if (n % 4 > 0)                                                         \
            c->at[0] = d->at[0];                                               \
        if (n % 4 > 1)                                                         \
            c->at[1] = d->at[1];                                               \
        if (n % 4 > 2)                                                         \
            c->at[2] = d->at[2];                                               \
    }
#define TAKT_KEEP(F, REAL, TYPE, to, from)                                     \
    takt_copy##F(to, from, sizeof(TYPE) / sizeof(REAL))
TAKT_RT_COPY(double, )
TAKT_RT_COPY(float, f)
#else
#define TAKT_KEEP(F, REAL, TYPE, to, from) (*(to) = *(from))
#endif

/* b where a is 0, else a */
static inline int takt_first(int a, int b)
{
    return a | ((int)takt_flag(a == 0) * b);
}

#endif
