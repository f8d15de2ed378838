/* takt_rt_factor.h - static factorisations driven by tables.
 *
 *   takt_lu_*     LU with pivots chosen beforehand
 *   takt_qr_*     row-sequential Givens QR: no pivots, always stable
 *   takt_rows_*   a fixed step of iterative refinement for either
 *
 * Numbers stand in two arrays. w holds the matrix and becomes its factors; v
 * holds the right-hand side in v[0 .. n-1], the solution in v[n .. 2n-1], and
 * after them what else is needed. QR takes m >= n rows: the right-hand side is
 * v[0 .. m-1], and the n numbers after it make the smallest sum of squares. All
 * indices come from constant tables, so the work is the same for all numbers.
 * There is no test of a number in any loop: what cannot be divided becomes
 * infinite and is seen by the caller, and takt_*_watch tells how near that was.
 *
 * Tables have indices of 16 or 32 bits; names that contain f work on float.
 * C99; no allocation, no input or output, no state.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_FACTOR_H
#define TAKT_RT_FACTOR_H

#include <math.h>
#include <stdint.h>

#include "takt_rt_base.h"

#define TAKT_RT_TABLES(INDEX, BITS)                                            \
    /* w: pivots 0 .. n-1, those with entries below them first; rows of U from \
     * `u` on; columns of L from `l` on; what stands beside the diagonal       \
     * blocks; 0 at `zero` and 1 after it. */                                  \
    typedef struct takt_lu##BITS {                                             \
        uint32_t n, nstep; /* pivots; those with entries below them */         \
        uint32_t u, l, nl, zero;                                               \
        uint32_t nfill, nsolve, nwatch;                                        \
        const INDEX *fill;   /* places that begin as 0 */                      \
        const INDEX *count;  /* for each step: entries of L, of U */           \
        const INDEX *target; /* places updated, one after the other */         \
        const INDEX *solve;  /* from, to, scale, count, (w, v) count times */  \
        const INDEX *watch;  /* pivot, count, (w, w) count times */            \
    } takt_lu##BITS;                                                           \
    /* w: entries in the order of the rows; rows of R from `r` on, the         \
     * diagonal first; rotations from `cs` on; a row at work from `x` on. */   \
    typedef struct takt_qr##BITS {                                             \
        uint32_t n, m, nblock, r, cs, x;                                       \
        const INDEX *factor; /* for each row: count, columns; count, (place,   \
                                length) of the rows of R it is rotated with;   \
                                place and length of its own, 0 where nothing   \
                                is left of it */                               \
        const INDEX *column; /* of each place of R */                          \
        const INDEX *diag;   /* places of the diagonal, and the end of R */    \
        const INDEX *solve;  /* see takt_qr_solve */                           \
    } takt_qr##BITS;                                                           \
    /* The matrix once more, from `copy` on in w. */                           \
    typedef struct takt_rows##BITS {                                           \
        uint32_t n, nnz, copy;                                                 \
        const INDEX *place; /* of each entry before the factorisation */       \
        const INDEX *row;   /* for each row: count, (entry, column) */         \
    } takt_rows##BITS;

TAKT_RT_TABLES(uint16_t, 16)
TAKT_RT_TABLES(uint32_t, 32)

#define TAKT_RT_FACTOR(REAL, F, INDEX, BITS, TINY)                             \
    static inline void takt_lu_factor##F##BITS(const takt_lu##BITS *t,         \
                                               REAL *w)                        \
    {                                                                          \
        const INDEX *count = t->count, *target = t->target;                    \
        REAL *u = w + t->u, *l = w + t->l;                                     \
        uint32_t k = 0;                                                        \
        do {                                                                   \
            w[t->fill[k]] = 0;                                                 \
        } while (++k < t->nfill);                                              \
        w[t->zero] = 0;                                                        \
        w[t->zero + 1] = 1;                                                    \
        k = 0;                                                                 \
        do {                                                                   \
            const REAL inverse = (REAL)1 / w[k];                               \
            const REAL *end = l + count[0];                                    \
            REAL *next = u + count[1];                                         \
            w[k] = inverse;                                                    \
            do {                                                               \
                const REAL m = *l * inverse;                                   \
                const REAL *p = u;                                             \
                *l++ = m;                                                      \
                do {                                                           \
                    w[*target++] -= m * *p++;                                  \
                } while (p != next);                                           \
            } while (l != end);                                                \
            u = next;                                                          \
            count += 2;                                                        \
        } while (++k < t->nstep);                                              \
        do {                                                                   \
            w[k] = (REAL)1 / w[k];                                             \
        } while (++k < t->n);                                                  \
    }                                                                          \
    static inline void takt_lu_solve##F##BITS(const takt_lu##BITS *t,          \
                                              const REAL *w, REAL *v)          \
    {                                                                          \
        const INDEX *p = t->solve;                                             \
        uint32_t i = t->nsolve;                                                \
        do {                                                                   \
            REAL sum = v[p[0]];                                                \
            const uint32_t to = p[1], scale = p[2];                            \
            const INDEX *end = p + 4 + 2 * (uint32_t)p[3];                     \
            p += 4;                                                            \
            do {                                                               \
                sum -= w[p[0]] * v[p[1]];                                      \
                p += 2;                                                        \
            } while (p != end);                                                \
            v[to] = sum * w[scale];                                            \
        } while (--i);                                                         \
    }                                                                          \
    /* More than 0: a pivot is what rounding left of a difference, or so small \
     * that the factors have grown beyond 1 / growth. */                       \
    static inline REAL takt_lu_watch##F##BITS(                                 \
        const takt_lu##BITS *t, const REAL *w, REAL cancelled, REAL growth)    \
    {                                                                          \
        const INDEX *p = t->watch;                                             \
        const REAL *l = w + t->l, *end = l + t->nl;                            \
        REAL most = 0, large = 0;                                              \
        uint32_t i = t->nwatch;                                                \
        do {                                                                   \
            const REAL inverse = w[p[0]];                                      \
            const INDEX *last = p + 2 + 2 * (uint32_t)p[1];                    \
            REAL sum = 0;                                                      \
            p += 2;                                                            \
            do {                                                               \
                const REAL x = w[p[0]] * w[p[1]];                              \
                sum += TAKT_FABS##F(x);                                        \
                p += 2;                                                        \
            } while (p != last);                                               \
            sum *= inverse;                                                    \
            sum = TAKT_FABS##F(sum);                                           \
            most = takt_max##F(most, sum);                                     \
        } while (--i);                                                         \
        do {                                                                   \
            const REAL x = TAKT_FABS##F(*l);                                   \
            large = takt_max##F(large, x);                                     \
        } while (++l != end);                                                  \
        most *= cancelled;                                                     \
        large *= growth;                                                       \
        return takt_max##F(large, most) - (REAL)1;                             \
    }                                                                          \
    /* One row of R with the row at work: annihilates its first column. */     \
    static inline void takt_rotate##F##BITS(                                   \
        REAL *r, REAL *x, const INDEX *column, uint32_t n, REAL *cs)           \
    {                                                                          \
        const REAL a = r[0], b = x[column[0]];                                 \
        const REAL fa = TAKT_FABS##F(a), fb = TAKT_FABS##F(b);                 \
        const REAL size = fa > fb ? fa : fb;                                   \
        const REAL tiny = (REAL)(int)takt_flag(size < (REAL)TINY);             \
        const REAL scale = (REAL)1 / (size + tiny);                            \
        const REAL as = a * scale, bs = b * scale;                             \
        const REAL h = takt_root##F(TAKT_FABS##F(as * as + bs * bs));          \
        const REAL none = (REAL)(int)takt_flag(h == (REAL)0);                  \
        const REAL inverse = (REAL)1 / (h + none);                             \
        const REAL c = as * inverse + none, s = bs * inverse;                  \
        cs[0] = c;                                                             \
        cs[1] = s;                                                             \
        r[0] = c * a + s * b;                                                  \
        x[column[0]] = 0;                                                      \
        for (uint32_t i = 1; i < n; i++) {                                     \
            const REAL ri = r[i], xi = x[column[i]];                           \
            r[i] = c * ri + s * xi;                                            \
            x[column[i]] = c * xi - s * ri;                                    \
        }                                                                      \
    }                                                                          \
    static inline void takt_qr_factor##F##BITS(const takt_qr##BITS *t,         \
                                               REAL *w)                        \
    {                                                                          \
        const INDEX *p = t->factor;                                            \
        const REAL *a = w;                                                     \
        REAL *r = w + t->r, *cs = w + t->cs, *x = w + t->x;                    \
        for (uint32_t i = 0; i < t->n; i++)                                    \
            x[i] = 0;                                                          \
        for (uint32_t i = 0; i < t->m; i++) {                                  \
            for (uint32_t k = *p++; k > 0; k--)                                \
                x[*p++] = *a++;                                                \
            for (uint32_t k = *p++; k > 0; k--) {                              \
                takt_rotate##F##BITS(r + p[0], x, t->column + p[0], p[1], cs); \
                cs += 2;                                                       \
                p += 2;                                                        \
            }                                                                  \
            for (uint32_t k = 0; k < p[1]; k++) {                              \
                const uint32_t j = t->column[p[0] + k];                        \
                r[p[0] + k] = x[j];                                            \
                x[j] = 0;                                                      \
            }                                                                  \
            p += 2;                                                            \
        }                                                                      \
        for (uint32_t i = 0; i < t->n; i++)                                    \
            r[t->diag[i]] = (REAL)1 / r[t->diag[i]];                           \
    }                                                                          \
    /* For each diagonal block: rows and columns; for each of its rows: row;   \
     * count, (w, v) beside the block; count, rows of R; its own row of R.     \
     * Then for each row of R, the last first: row, to, place, length. After   \
     * the solution stands Q' rhs.                                             \
     */                                                                        \
    static inline void takt_qr_solve##F##BITS(const takt_qr##BITS *t,          \
                                              const REAL *w, REAL *v)          \
    {                                                                          \
        const INDEX *p = t->solve;                                             \
        const REAL *r = w + t->r, *cs = w + t->cs;                             \
        REAL *y = v + t->m + t->n, *z = v + t->m;                              \
        for (uint32_t b = 0; b < t->nblock; b++) {                             \
            const uint32_t m = p[0], n = p[1];                                 \
            p += 2;                                                            \
            for (uint32_t i = 0; i < m; i++) {                                 \
                REAL sum = v[*p++];                                            \
                for (uint32_t k = *p++; k > 0; k--) {                          \
                    sum -= w[p[0]] * v[p[1]];                                  \
                    p += 2;                                                    \
                }                                                              \
                for (uint32_t k = *p++; k > 0; k--) {                          \
                    const REAL old = y[*p];                                    \
                    y[*p++] = cs[0] * old + cs[1] * sum;                       \
                    sum = cs[0] * sum - cs[1] * old;                           \
                    cs += 2;                                                   \
                }                                                              \
                y[*p++] = sum;                                                 \
            }                                                                  \
            for (uint32_t i = 0; i < n; i++) {                                 \
                const REAL *row = r + p[2];                                    \
                const INDEX *column = t->column + p[2];                        \
                REAL sum = y[p[0]];                                            \
                for (uint32_t k = 1; k < p[3]; k++)                            \
                    sum -= row[k] * z[column[k]];                              \
                z[p[1]] = sum * row[0];                                        \
                p += 4;                                                        \
            }                                                                  \
        }                                                                      \
    }                                                                          \
    static inline REAL takt_qr_watch##F##BITS(const takt_qr##BITS *t, REAL *w, \
                                              REAL cancelled)                  \
    {                                                                          \
        const REAL *r = w + t->r;                                              \
        REAL *x = w + t->x, most = 0;                                          \
        for (uint32_t i = 0; i < t->n; i++)                                    \
            x[i] = 0;                                                          \
        for (uint32_t i = 0; i < t->n; i++)                                    \
            for (uint32_t k = t->diag[i] + 1U; k < t->diag[i + 1]; k++)        \
                x[t->column[k]] += TAKT_FABS##F(r[k]);                         \
        for (uint32_t i = 0; i < t->n; i++) {                                  \
            const REAL inverse = TAKT_FABS##F(r[t->diag[i]]);                  \
            const REAL sum = x[t->column[t->diag[i]]] * inverse;               \
            most = sum > most ? sum : most;                                    \
        }                                                                      \
        return most * cancelled - (REAL)1;                                     \
    }                                                                          \
    static inline void takt_rows_keep##F##BITS(const takt_rows##BITS *t,       \
                                               REAL *w)                        \
    {                                                                          \
        REAL *copy = w + t->copy;                                              \
        for (uint32_t i = 0; i < t->nnz; i++)                                  \
            copy[i] = w[t->place[i]];                                          \
    }                                                                          \
    /* Keeps the right-hand side in v[3n ..] */                                \
    static inline void takt_rows_begin##F##BITS(const takt_rows##BITS *t,      \
                                                REAL *v)                       \
    {                                                                          \
        for (uint32_t i = 0; i < t->n; i++)                                    \
            v[3 * t->n + i] = v[i];                                            \
    }                                                                          \
    /* and the solution in v[4n ..]; the residual becomes the next right-hand  \
     * side. */                                                                \
    static inline void takt_rows_residual##F##BITS(const takt_rows##BITS *t,   \
                                                   const REAL *w, REAL *v)     \
    {                                                                          \
        const INDEX *p = t->row;                                               \
        const REAL *copy = w + t->copy, *x = v + t->n;                         \
        for (uint32_t i = 0; i < t->n; i++) {                                  \
            REAL sum = v[3 * t->n + i];                                        \
            const INDEX *end = p + 1 + 2 * (uint32_t)p[0];                     \
            p++;                                                               \
            do {                                                               \
                sum -= copy[p[0]] * x[p[1]];                                   \
                p += 2;                                                        \
            } while (p != end);                                                \
            v[i] = sum;                                                        \
            v[4 * t->n + i] = x[i];                                            \
        }                                                                      \
    }                                                                          \
    static inline void takt_rows_end##F##BITS(const takt_rows##BITS *t,        \
                                              REAL *v)                         \
    {                                                                          \
        for (uint32_t i = 0; i < t->n; i++)                                    \
            v[t->n + i] = v[4 * t->n + i] + v[t->n + i];                       \
    }

#define TAKT_FABS(x)  fabs(x)
#define TAKT_FABSf(x) fabsf(x)

TAKT_RT_FACTOR(double, , uint16_t, 16, 1e-300)
TAKT_RT_FACTOR(double, , uint32_t, 32, 1e-300)
TAKT_RT_FACTOR(float, f, uint16_t, 16, 1e-30f)
TAKT_RT_FACTOR(float, f, uint32_t, 32, 1e-30f)

#endif
