/* radau.c - Radau IIA of s stages over F, by collocation.
 *
 * The nodes are the zeros of (P_s - P_{s-1})(2c - 1), P the Legendre
 * polynomials; row i of A integrates the Lagrange polynomials from 0 to c_i. A
 * step solves for the slopes of the states and the algebraic unknowns of all
 * stages by Newton with one matrix, (A (x) F_y + I (x) F_y'), kept from the
 * begin.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "quad/quad.h"

/* (P_s - P_{s-1})(x) and its derivative, by the recurrence. */
static Quad node_polynomial(int s, Quad x, Quad *slope)
{
    Quad p0 = 1, p1 = x, d0 = 0, d1 = 1;
    for (int k = 2; k <= s; k++) {
        Quad p = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        Quad d = ((2 * k - 1) * (p1 + x * d1) - (k - 1) * d0) / k;
        p0 = p1, p1 = p, d0 = d1, d1 = d;
    }
    *slope = d1 - d0;
    return p1 - p0;
}

/* Zeros from left to right: Newton on what is left after those found. */
static void find_nodes(int s, Quad *c)
{
    for (int i = 0; i < s; i++) {
        Quad x = -1;
        for (int k = 0; k < 200; k++) {
            Quad slope, value = node_polynomial(s, x, &slope), sum = 0;
            for (int j = 0; j < i; j++)
                sum += 1 / (x - (2 * c[j] - 1));
            Quad step = value / (slope - value * sum);
            x -= step;
            if (quad_abs(step) < 1e-33)
                break;
        }
        c[i] = i == s - 1 ? 1 : (x + 1) / 2;
    }
}

/* sum_j a_ij c_j^k = c_i^(k+1) / (k+1), k = 0 .. s-1 */
static void find_row(QuadRadau *r, int i)
{
    int s = r->s, pivot[QUAD_STAGES];
    Quad v[QUAD_STAGES * QUAD_STAGES], x[QUAD_STAGES], power = 1;
    for (int j = 0; j < s; j++) {
        Quad p = 1;
        for (int k = 0; k < s; k++, p *= r->c[j])
            v[k + j * s] = p;
    }
    for (int k = 0; k < s; k++) {
        power *= r->c[i];
        x[k] = power / (k + 1);
    }
    quad_factor(s, v, pivot);
    quad_solve(s, v, pivot, x);
    for (int j = 0; j < s; j++)
        r->a[i * s + j] = x[j];
}

QuadRadau quad_radau(int s)
{
    QuadRadau r = {.s = s};
    find_nodes(s, r.c);
    for (int i = 0; i < s; i++)
        find_row(&r, i);
    return r;
}

/* ---- a step ---- */

/* Unknowns of stage i: slopes of the states, then algebraic ones, as n numbers
 * from i n on. */
typedef struct Stages {
    QuadModel *m;
    const QuadRadau *k;
    Quad t, h;
    const Quad *y0;
    Quad *u; /* s n */
    Quad *y; /* of a stage */
    Quad *matrix, *f;
    int *pivot;
} Stages;

static void stage_values(const Stages *w, int i)
{
    int n = w->m->n, nx = w->m->nx, s = w->k->s;
    for (int q = 0; q < n; q++) {
        w->y[q] = q < nx ? w->y0[q] : w->u[i * n + q];
        for (int j = 0; q < nx && j < s; j++)
            w->y[q] += w->h * w->k->a[i * s + j] * w->u[j * n + q];
    }
}

static bool factor_stages(Stages *w)
{
    QuadModel *m = w->m;
    int n = m->n, nx = m->nx, s = w->k->s, all = s * n;
    quad_jacobian(m, w->t, w->y0, w->u);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            for (int q = 0; q < n; q++)
                for (int r = 0; r < n; r++) {
                    Quad x = q < nx
                                 ? w->h * w->k->a[i * s + j] * m->a[r + q * n]
                             : i == j ? m->a[r + q * n]
                                      : 0;
                    if (i == j && q < nx)
                        x += m->b[r + q * n];
                    w->matrix[(i * n + r) + (j * n + q) * all] = x;
                }
    return quad_factor(all, w->matrix, w->pivot);
}

static Quad correct(Stages *w)
{
    int n = w->m->n, s = w->k->s;
    Quad size = 0;
    for (int i = 0; i < s; i++) {
        stage_values(w, i);
        quad_eval(w->m, w->t + w->k->c[i] * w->h, w->y, w->u + i * n,
                  w->f + i * n);
    }
    quad_solve(s * n, w->matrix, w->pivot, w->f);
    for (int k = 0; k < s * n; k++) {
        w->u[k] -= w->f[k];
        Quad scale = k % n < w->m->nx ? w->h : 1;
        Quad off = quad_abs(scale * w->f[k]) / (1 + quad_abs(scale * w->u[k]));
        size = off > size ? off : size;
    }
    return size;
}

static bool iterate(Stages *w)
{
    Quad last = 1e30;
    if (!factor_stages(w))
        return false;
    for (int k = 0; k < 80; k++) {
        Quad size = correct(w);
        if (size < 1e-32 || (size < 1e-29 && size > last / 2))
            return true;
        if (!(size < 1e10) || (k > 5 && size > last))
            return false;
        last = size;
    }
    return false;
}

bool quad_radau_step(QuadModel *m, const QuadRadau *k, Quad t, Quad h, Quad *y,
                     Quad *yp)
{
    Arena *work = arena_new();
    int n = m->n;
    size_t all = (size_t)n * (size_t)k->s;
    Stages w = {m,
                k,
                t,
                h,
                y,
                NEW_ARRAY(work, Quad, all),
                NEW_ARRAY(work, Quad, n),
                NEW_ARRAY(work, Quad, all * all),
                NEW_ARRAY(work, Quad, all),
                NEW_ARRAY(work, int, all)};
    for (int i = 0; i < k->s; i++)
        for (int q = 0; q < n; q++)
            w.u[i * n + q] = q < m->nx ? yp[q] : y[q];
    bool fine = iterate(&w);
    if (fine) {
        stage_values(&w, k->s - 1);
        memcpy(y, w.y, (size_t)n * sizeof *y);
        memcpy(yp, w.u + (k->s - 1) * n, (size_t)m->nx * sizeof *yp);
    }
    arena_free(work);
    return fine;
}
