/* takt_rt_states.h - which candidates are states, chosen with constant work.
 *
 * A set has n candidates, of which nstate are states; the others follow from
 * constraints, whose Jacobian by them must be regular. Gaussian elimination
 * with complete pivoting finds the best columns; when the determinant of those
 * in use has fallen below half of the best, the choice changes. The loops have
 * constant counts and what is found is selected, not jumped to.
 *
 * TAKT_REAL is the type, TAKT_F(name) gives the names of takt_rt_base.h for it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_STATES_H
#define TAKT_RT_STATES_H

#include "takt_rt_base.h"

#ifndef TAKT_REAL
#define TAKT_REAL double
#endif
#ifndef TAKT_F
#define TAKT_F(name) name
#endif

typedef struct takt_states {
    int n, nstate;
    int nrow, neliminated; /* of the matrix that decides */
    int nentry;
    const int *at;                /* place of each entry, row by row */
    const TAKT_REAL *entry;       /* values */
    const TAKT_REAL *value, *der; /* of the candidates */
    TAKT_REAL *p;      /* nstate x n: 1 where state i is candidate j */
    TAKT_REAL *x, *dx; /* the states and their derivatives */
    TAKT_REAL *room;   /* TAKT_STATES_ROOM numbers */
} takt_states;

#define TAKT_STATES_ROOM(n, nstate, nrow, neliminated)                         \
    ((nrow) * ((n) + (neliminated)) + (nrow) + 4 * (n) +                       \
     2 * ((nrow) + 1) * (n) + ((nstate) + 1) * ((n) + 2))

/* The unknowns that are no candidates are eliminated; what is left goes to
 * `out`, the rows that are free. Returns 0 where that fails. */
static TAKT_INLINE TAKT_REAL takt_states_matrix(const takt_states *s,
                                                TAKT_REAL *a, TAKT_REAL *used,
                                                TAKT_REAL *out)
{
    const int width = s->n + s->neliminated;
    TAKT_REAL fine = 1;
    for (int i = 0; i < s->nrow * width; i++)
        a[i] = 0;
    for (int i = 0; i < s->nrow; i++)
        used[i] = 0;
    for (int k = 0; k < s->nentry; k++)
        a[s->at[k]] += s->entry[k];
    for (int c = s->n; c < width; c++) {
        TAKT_REAL most = -1, at = 0;
        for (int i = 0; i < s->nrow; i++) {
            const TAKT_REAL size = TAKT_F(takt_abs)(a[i * width + c]);
            const TAKT_REAL better = TAKT_F(takt_and)(
                TAKT_F(takt_gt)(size, most), TAKT_F(takt_not)(used[i]));
            most = TAKT_F(takt_select)(better, size, most);
            at = TAKT_F(takt_select)(better, (TAKT_REAL)i, at);
        }
        const int row = (int)at;
        const TAKT_REAL there = TAKT_F(takt_gt)(most, (TAKT_REAL)0);
        const TAKT_REAL pivot =
            TAKT_F(takt_select)(there, a[row * width + c], (TAKT_REAL)1);
        fine *= there;
        used[row] = 1;
        for (int i = 0; i < s->nrow; i++) {
            const TAKT_REAL f = TAKT_F(takt_select)(used[i], (TAKT_REAL)0,
                                                    a[i * width + c] / pivot);
            for (int j = 0; j < width; j++)
                a[i * width + j] -= f * a[row * width + j];
        }
    }
    int k = 0;
    for (int i = 0; i < s->nrow; i++) {
        for (int j = 0; j < s->n; j++)
            out[k * s->n + j] = a[i * width + j];
        k += 1 - (int)used[i];
    }
    return fine;
}

/* Complete pivoting over the allowed columns of a copy of `from`; marks the
 * pivot columns in `used`. Returns the absolute determinant. */
static TAKT_INLINE TAKT_REAL takt_states_pivot(const takt_states *s,
                                               const TAKT_REAL *from,
                                               TAKT_REAL *a,
                                               const TAKT_REAL *allowed,
                                               TAKT_REAL *used)
{
    const int m = s->n - s->nstate, n = s->n;
    TAKT_REAL det = 1;
    for (int i = 0; i < m * n; i++)
        a[i] = from[i];
    for (int j = 0; j < n; j++)
        used[j] = 0;
    for (int k = 0; k < m; k++) {
        TAKT_REAL most = -1, at = (TAKT_REAL)(k * n);
        for (int i = k; i < m; i++)
            for (int j = 0; j < n; j++) {
                const TAKT_REAL size = TAKT_F(takt_abs)(a[i * n + j]);
                const TAKT_REAL free_ =
                    TAKT_F(takt_and)(allowed[j], TAKT_F(takt_not)(used[j]));
                const TAKT_REAL better =
                    TAKT_F(takt_and)(TAKT_F(takt_gt)(size, most), free_);
                most = TAKT_F(takt_select)(better, size, most);
                at = TAKT_F(takt_select)(better, (TAKT_REAL)(i * n + j), at);
            }
        const int row = (int)at / n, col = (int)at % n;
        const TAKT_REAL there = TAKT_F(takt_gt)(most, (TAKT_REAL)0);
        det *= TAKT_F(takt_select)(there, most, (TAKT_REAL)0);
        used[col] = 1;
        for (int j = 0; j < n; j++) {
            const TAKT_REAL swap = a[k * n + j];
            a[k * n + j] = a[row * n + j];
            a[row * n + j] = swap;
        }
        const TAKT_REAL pivot =
            TAKT_F(takt_select)(there, a[k * n + col], (TAKT_REAL)1);
        for (int i = k + 1; i < m; i++) {
            const TAKT_REAL f = a[i * n + col] / pivot;
            for (int j = 0; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
        }
    }
    return det;
}

/* Returns 1 if another choice was made: p, x and dx are those of it. */
static TAKT_INLINE TAKT_REAL takt_states_choose(const takt_states *s)
{
    const int n = s->n, width = n + s->neliminated;
    TAKT_REAL *a = s->room;
    TAKT_REAL *rows = a + s->nrow * width;
    TAKT_REAL *current = rows + s->nrow, *all = current + n;
    TAKT_REAL *used = all + n, *best = used + n;
    TAKT_REAL *value = best + n, *work = value + (s->nrow + 1) * n;
    TAKT_REAL *p = work + (s->nrow + 1) * n;
    TAKT_REAL *x = p + (s->nstate + 1) * n, *dx = x + s->nstate + 1;
    const TAKT_REAL fine = takt_states_matrix(s, a, rows, value);
    for (int j = 0; j < n; j++) {
        all[j] = current[j] = 1;
        for (int k = 0; k < s->nstate; k++)
            current[j] -= s->p[k * n + j];
    }
    const TAKT_REAL now = takt_states_pivot(s, value, work, current, used);
    const TAKT_REAL most = takt_states_pivot(s, value, work, all, best);
    const TAKT_REAL changes =
        TAKT_F(takt_and)(fine, TAKT_F(takt_lt)(now * 2, most));
    int k = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            p[k * n + i] = (TAKT_REAL)(int)takt_flag(i == j);
        x[k] = s->value[j];
        dx[k] = s->der[j];
        k += 1 - (int)best[j];
        k -= (int)takt_flag(k > s->nstate);
    }
    for (int i = 0; i < s->nstate * n; i++)
        s->p[i] = TAKT_F(takt_select)(changes, p[i], s->p[i]);
    for (int i = 0; i < s->nstate; i++) {
        s->x[i] = TAKT_F(takt_select)(changes, x[i], s->x[i]);
        s->dx[i] = TAKT_F(takt_select)(changes, dx[i], s->dx[i]);
    }
    return changes;
}

#endif
