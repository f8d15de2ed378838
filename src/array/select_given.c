/* select_given.c - which derivatives of what is given are felt.
 *
 * Rows of the array have derivatives of inputs and of the unknowns of others,
 * of higher order the more they are differentiated. Most of these determine
 * derivatives that nobody asks for, and may be anything.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "array/select_internal.h"
#include "base/lapack.h"

static const double FELT = 1e-9; /* of the largest entry of a column */

/* Factors of the system at a point. */
typedef struct Factors {
    System y;
    lapack_int *pivot;
    double *row_scale; /* nrow, of rows as they are */
    double *column;    /* nrow */
    double *rhs;       /* m */
} Factors;

static bool factor(const Choice *c, const Selection *s, int p, Factors *f)
{
    f->pivot = NEW_ARRAY(c->arena, lapack_int, s->m);
    f->column = NEW_ARRAY(c->arena, double, c->nrow);
    f->rhs = NEW_ARRAY(c->arena, double, s->m);
    f->row_scale = NEW_ARRAY(c->arena, double, c->nrow);
    double power = 1;
    for (int i = 0; i < c->nrow; i++) {
        if (i > 0 && i % c->n == 0)
            power *= c->a->span / (i / c->n);
        f->row_scale[i] = power * c->row_scale[i];
    }
    select_system(c, s, p, &f->y);
    return lapack()->dgetrf(LAPACK_COL_MAJOR, s->m, s->m, f->y.full, s->m,
                            f->pivot) == 0;
}

/* Does what counts change with f->column? */
static bool is_felt(const Choice *c, Factors *f)
{
    double most = 0;
    int m = 0;
    for (int i = 0; i < c->nrow; i++) {
        if (!c->in_system[i])
            continue;
        f->rhs[m] = f->column[i] * f->row_scale[i];
        most = fmax(most, fabs(f->rhs[m++]));
    }
    if (most == 0 || lapack()->dgetrs(LAPACK_COL_MAJOR, 'N', m, 1, f->y.full, m,
                                      f->pivot, f->rhs, m) != 0)
        return most > 0;
    for (int i = 0; i < m; i++)
        if (select_counts(c, f->y.col[i]) && !(fabs(f->rhs[i]) < FELT * most))
            return true;
    return false;
}

bool select_given(const Choice *c, Selection *s, Arena *arena)
{
    ArrayGiven *g = array_given(c->a, c->arena);
    if (!g)
        return false;
    s->ngiven = g->n;
    s->given = NEW_ARRAY(arena, int, g->n + 1);
    s->feels = NEW_ARRAY(arena, unsigned, g->n + 1);
    for (int i = 0; i < g->n; i++)
        s->given[i] = g->var[i];
    for (int p = 0; p < c->npoint && g->n > 0; p++) {
        Factors f = {0};
        if (!factor(c, s, p, &f))
            return false;
        given_values(g, c->k, c->time[p], c->z[p]);
        for (int i = 0; i < g->n; i++) {
            for (int q = 0; q <= c->k + g->most[i]; q++) {
                if (s->feels[i] >> q & 1)
                    continue;
                given_column(g, c->k, i, q, f.column);
                s->feels[i] |= (unsigned)is_felt(c, &f) << q;
            }
        }
    }
    return true;
}

bool selection_feels(const Selection *s, int v, int q)
{
    for (int i = 0; i < s->ngiven; i++)
        if (s->given[i] == v)
            return q > 31 || (s->feels[i] >> q & 1);
    return true;
}
