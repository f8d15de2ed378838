/* takt_rt_lu.h - LU factors in an order of pivots that is known beforehand.
 *
 * C99, freestanding. TAKT_RT_LU(NAME, TABLE, REAL, ROW, COL) defines
 *
 *     NAME_factor   entries become factors, in place; 1 over each pivot
 *     NAME_solve    x = A^-1 b, block by block; b is changed
 *
 * for numbers REAL and a struct TABLE with the members (num/static_lu.h tells
 * what they are): n, nblock, start, pivot, lstart, l, lrow, ustart, u, ucol,
 * ostart, o, ocol, target, and ROW and COL, the row and the column of each
 * pivot.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAKT_RT_LU_H
#define TAKT_TAKT_RT_LU_H

#include <stdint.h>

#define TAKT_RT_LU(NAME, TABLE, REAL, ROW, COL)                                \
    static inline void NAME##_factor(const TABLE *t, REAL *e, REAL *inverse)   \
    {                                                                          \
        const int32_t *target = t->target;                                     \
        for (int32_t k = 0; k < t->n; k++) {                                   \
            const int32_t *u = t->u + t->ustart[k];                            \
            const int32_t nu = t->ustart[k + 1] - t->ustart[k];                \
            const REAL inv = (REAL)1 / e[t->pivot[k]];                         \
            inverse[k] = inv;                                                  \
            for (int32_t i = t->lstart[k]; i < t->lstart[k + 1]; i++) {        \
                const REAL m = e[t->l[i]] * inv;                               \
                e[t->l[i]] = m;                                                \
                for (int32_t j = 0; j < nu; j++)                               \
                    e[target[j]] -= m * e[u[j]];                               \
                target += nu;                                                  \
            }                                                                  \
        }                                                                      \
    }                                                                          \
    static inline void NAME##_solve(const TABLE *t, const REAL *e,             \
                                    const REAL *inverse, REAL *b, REAL *x)     \
    {                                                                          \
        for (int32_t q = 0; q < t->nblock; q++) {                              \
            const int32_t first = t->start[q], last = t->start[q + 1];         \
            for (int32_t k = first; k < last; k++) {                           \
                REAL v = b[t->ROW[k]];                                         \
                for (int32_t i = t->ostart[k]; i < t->ostart[k + 1]; i++)      \
                    v -= e[t->o[i]] * x[t->ocol[i]];                           \
                b[t->ROW[k]] = v;                                              \
                for (int32_t i = t->lstart[k]; i < t->lstart[k + 1]; i++)      \
                    b[t->lrow[i]] -= e[t->l[i]] * v;                           \
            }                                                                  \
            for (int32_t k = last - 1; k >= first; k--) {                      \
                REAL v = b[t->ROW[k]];                                         \
                for (int32_t j = t->ustart[k]; j < t->ustart[k + 1]; j++)      \
                    v -= e[t->u[j]] * x[t->ucol[j]];                           \
                x[t->COL[k]] = v * inverse[k];                                 \
            }                                                                  \
        }                                                                      \
    }

#endif
