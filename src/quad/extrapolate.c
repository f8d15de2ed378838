/* extrapolate.c - linearly implicit extrapolation over F, for any Jacobian.
 *
 * Row j makes n_j = j + 1 substeps of h / n_j from y with the Jacobian J of the
 * begin, or one of its parts made wrong; the mass matrix F_y' is that of each
 * substep, as in (3.8) of Schiela 2002. Then
 *
 *     T_{j,k+1} = T_{j,k} + (T_{j,k} - T_{j-1,k}) / (n_j / n_{j-k-1} - 1)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "quad/quad.h"

typedef struct Rows {
    QuadModel *m;
    Quad *jacobian; /* J */
    Quad *matrix;
    Quad *f;
    int *pivot;
} Rows;

/* Is there y' in the row? */
static bool is_differential(const QuadModel *m, int row)
{
    for (int k = 0; k < m->ref->nnz; k++)
        if (m->ref->row[k] == row && m->ref->is_yp[k])
            return true;
    return false;
}

bool quad_is_linear(QuadModel *m, Diag *diag)
{
    size_t n = (size_t)m->n * (size_t)m->n;
    Quad *slopes = NEW_ARRAY(m->arena, Quad, n + 1);
    quad_jacobian(m, m->start, m->y, m->yp);
    memcpy(slopes, m->b, n * sizeof *slopes);
    quad_jacobian(m, m->start, m->y, NULL);
    bool same = memcmp(slopes, m->b, n * sizeof *slopes) == 0;
    if (!same)
        diag_report(diag, NO_SPAN, DIAG_E1390,
                    "extrapolation is for models that are linear in the "
                    "derivatives of their states; '--method radau' is not");
    return same;
}

static void set_jacobian(Rows *w, Quad t, const Quad *y, const QuadParts *p)
{
    QuadModel *m = w->m;
    int n = m->n;
    quad_jacobian(m, t, y, NULL);
    for (int i = 0; i < n; i++) {
        bool differential = is_differential(m, i);
        for (int j = 0; j < n; j++) {
            double factor = differential ? (j < m->nx ? p->f11 : p->f12)
                                         : (j < m->nx ? p->f21 : p->f22);
            w->jacobian[i + j * n] = m->a[i + j * n] * (Quad)factor;
        }
    }
}

static bool make_matrix(Rows *w, Quad step)
{
    QuadModel *m = w->m;
    for (int k = 0; k < m->n * m->n; k++)
        w->matrix[k] = m->b[k] / step + w->jacobian[k];
    return quad_factor(m->n, w->matrix, w->pivot);
}

/* y in place over n substeps. */
static bool make_row(Rows *w, Quad t, Quad h, int nsub, Quad *y)
{
    QuadModel *m = w->m;
    Quad step = h / nsub;
    for (int i = 0; i < nsub; i++) {
        Quad end = t + (i + 1) * step;
        if (!m->has_constant_mass)
            quad_jacobian(m, end, y, NULL);
        if ((i == 0 || !m->has_constant_mass) && !make_matrix(w, step))
            return false;
        quad_eval(m, end, y, NULL, w->f);
        quad_solve(m->n, w->matrix, w->pivot, w->f);
        for (int k = 0; k < m->n; k++)
            y[k] -= w->f[k];
    }
    return true;
}

static void extrapolate(int n, int j, Quad *table[QUAD_ROWS][QUAD_ROWS])
{
    for (int k = 0; k < j; k++) {
        Quad ratio = (Quad)(j + 1) / (j - k);
        for (int i = 0; i < n; i++)
            table[j][k + 1][i] =
                table[j][k][i] +
                (table[j][k][i] - table[j - 1][k][i]) / (ratio - 1);
    }
}

bool quad_tableau(QuadModel *m, Quad t, const Quad *y, Quad h, int rows,
                  const QuadParts *parts, Quad *table[QUAD_ROWS][QUAD_ROWS])
{
    Arena *work = arena_new();
    size_t n = (size_t)m->n;
    Rows w = {m, NEW_ARRAY(work, Quad, n * n), NEW_ARRAY(work, Quad, n * n),
              NEW_ARRAY(work, Quad, n), NEW_ARRAY(work, int, n)};
    bool fine = true;
    set_jacobian(&w, t, y, parts);
    for (int j = 0; j < rows && fine; j++) {
        memcpy(table[j][0], y, n * sizeof *y);
        fine = make_row(&w, t, h, j + 1, table[j][0]);
        if (fine)
            extrapolate(m->n, j, table);
    }
    arena_free(work);
    return fine;
}
