/* run.c - runs to an end, with steps that follow their error.
 *
 * Extrapolation: the difference of the last two entries of the last row.
 * Radau: the difference to one stage fewer, over the same step. Steps change by
 * (tolerance / error)^(1/q), q the order of the lesser result plus 1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "quad/quad.h"

typedef struct March {
    QuadModel *m;
    const QuadOptions *o;
    int size;
    Quad t, stop;
    Quad *next, *next_p, *other, *scale;
    Quad *table[QUAD_ROWS][QUAD_ROWS];
    QuadRadau more, less;
} March;

static March begin(QuadModel *m, const QuadOptions *o, Arena *work)
{
    bool rows = o->family == QUAD_EXTRAPOLATION;
    int most = rows ? QUAD_ROWS : QUAD_STAGES;
    March w = {.m = m,
               .o = o,
               .size = o->size > 0 ? o->size
                       : rows      ? 12
                                   : 7,
               .t = m->start,
               .stop = quad_decimal(o->stop),
               .next = NEW_ARRAY(work, Quad, m->n + 1),
               .next_p = NEW_ARRAY(work, Quad, m->n + 1),
               .other = NEW_ARRAY(work, Quad, m->n + 1),
               .scale = NEW_ARRAY(work, Quad, m->n + 1)};
    w.size = w.size > most ? most : w.size < 2 ? 2 : w.size;
    for (int j = 0; rows && j < w.size; j++)
        for (int k = 0; k <= j; k++)
            w.table[j][k] = NEW_ARRAY(work, Quad, m->n + 1);
    if (!rows) {
        w.more = quad_radau(w.size);
        w.less = quad_radau(w.size - 1);
    }
    for (int i = 0; i < m->n; i++)
        w.scale[i] = quad_abs(m->y[i]);
    return w;
}

/* Makes `next` and `other`. False: not solved. */
static bool try_step(March *w, Quad h)
{
    static const QuadParts exact = {1, 1, 1, 1};
    QuadModel *m = w->m;
    size_t n = (size_t)m->n;
    if (w->o->family == QUAD_EXTRAPOLATION) {
        int last = w->size - 1;
        bool fine = quad_tableau(m, w->t, m->y, h, w->size, &exact, w->table);
        if (fine) {
            memcpy(w->next, w->table[last][last], n * sizeof *w->next);
            memcpy(w->other, w->table[last][last - 1], n * sizeof *w->next);
            memcpy(w->next_p, m->yp, (size_t)m->nx * sizeof *w->next);
        }
        return fine && quad_solve_model(m, w->t + h, w->next, w->next_p);
    }
    memcpy(w->other, m->y, n * sizeof *w->other);
    memcpy(w->next_p, m->yp, (size_t)m->nx * sizeof *w->next);
    if (!quad_radau_step(m, &w->less, w->t, h, w->other, w->next_p))
        return false;
    memcpy(w->next, m->y, n * sizeof *w->next);
    memcpy(w->next_p, m->yp, (size_t)m->nx * sizeof *w->next);
    return quad_radau_step(m, &w->more, w->t, h, w->next, w->next_p);
}

/* Of the states, in units of the tolerance. */
static double error_of(const March *w)
{
    double worst = 0;
    for (int i = 0; i < w->m->nx; i++) {
        Quad size = quad_abs(w->next[i]);
        size = size > w->scale[i] ? size : w->scale[i];
        Quad off = quad_abs(w->next[i] - w->other[i]);
        double e = size > 0 ? (double)(off / size) / w->o->tolerance : 0;
        worst = e > worst || isnan(e) ? e : worst;
    }
    return worst;
}

static void accept(March *w, Quad h)
{
    QuadModel *m = w->m;
    w->t += h;
    memcpy(m->y, w->next, (size_t)m->n * sizeof *m->y);
    memcpy(m->yp, w->next_p, (size_t)m->nx * sizeof *m->yp);
    for (int i = 0; i < m->n; i++) {
        Quad size = quad_abs(m->y[i]);
        w->scale[i] = size > w->scale[i] ? size : w->scale[i];
    }
}

static bool march(March *w, QuadStats *stats)
{
    long most = w->o->most > 0 ? w->o->most : 1000000;
    Quad span = w->stop - w->t, h = span / 1000000;
    double power =
        w->o->family == QUAD_EXTRAPOLATION ? w->size : 2 * w->size - 2;
    while (w->t < w->stop && stats->steps + stats->rejected < most) {
        bool is_last = w->t + h * (Quad)1.0000000001 >= w->stop;
        Quad length = is_last ? w->stop - w->t : h;
        double e = try_step(w, length) ? error_of(w) : INFINITY;
        double factor =
            isfinite(e) ? 0.8 * pow(fmax(e, 1e-12), -1 / power) : 0.2;
        factor = fmin(fmax(factor, 0.1), 4);
        h = length * (Quad)factor;
        if (!(e <= 1)) {
            stats->rejected++;
            if (!(h > span * (Quad)1e-25))
                return false;
            continue;
        }
        accept(w, length);
        stats->steps++;
        if (is_last)
            w->t = w->stop;
    }
    return w->t >= w->stop;
}

bool quad_run(QuadModel *m, const QuadOptions *o, QuadStats *stats, Diag *diag)
{
    if (o->family == QUAD_EXTRAPOLATION && !quad_is_linear(m, diag))
        return false;
    Arena *work = arena_new();
    March w = begin(m, o, work);
    *stats = (QuadStats){
        .order = o->family == QUAD_EXTRAPOLATION ? w.size : 2 * w.size - 1};
    bool fine = march(&w, stats);
    if (!fine)
        diag_report(diag, NO_SPAN, DIAG_E1390,
                    "the run in quadruple precision ends at time %.6g: steps "
                    "become too small or too many",
                    (double)w.t);
    m->start = w.t;
    stats->evaluations = m->evaluations;
    arena_free(work);
    return fine;
}
