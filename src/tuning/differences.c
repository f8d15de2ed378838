/* differences.c - one evaluation of the model a state and sample. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/differences.h"

#include <math.h>
#include <string.h>

#include "tuning/perturb.h"

typedef struct Matrix {
    Perturb model;
    int n;
    int *state, *der; /* slots */
    double *base, *j; /* x' at the point, the matrix by columns */
} Matrix;

static bool find_slots(Matrix *m, const Dae *dae, Arena *arena)
{
    const Lowered *low = m->model.low;
    m->n = dae->nstate;
    m->state = NEW_ARRAY(arena, int, m->n + 1);
    m->der = NEW_ARRAY(arena, int, m->n + 1);
    for (int i = 0; i < m->n; i++) {
        const DaeState *s = &dae->state[i];
        int x = inlined_find(low->inlined, s->var, s->order);
        int dx = inlined_find(low->inlined, s->var, s->order + 1);
        if (x == NONE || dx == NONE || low->slot[x] == NONE ||
            low->slot[dx] == NONE)
            return false;
        m->state[i] = low->slot[x];
        m->der[i] = low->slot[dx];
    }
    return true;
}

static void read_slopes(const Matrix *m, double *out)
{
    for (int i = 0; i < m->n; i++)
        out[i] = m->model.exec->r[m->der[i]];
}

static bool differentiate(Matrix *m, const SamplePoint *at)
{
    if (!perturb_at(&m->model, at))
        return false;
    read_slopes(m, m->base);
    for (int k = 0; k < m->n; k++) {
        double *column = m->j + (size_t)k * (size_t)m->n;
        double delta = perturb_move(&m->model, m->state[k]);
        if (delta == 0)
            return false;
        read_slopes(m, column);
        perturb_back(&m->model);
        for (int i = 0; i < m->n; i++)
            column[i] = (column[i] - m->base[i]) / delta;
    }
    return true;
}

/* The pattern of I - tau J over all samples, and its factors. */
static void count(const Matrix *m, const double *j, int nsample, double tau,
                  Differences *out, Arena *arena)
{
    size_t size = (size_t)m->n * (size_t)m->n;
    int *row = NEW_ARRAY(arena, int, size + 1);
    int *col = NEW_ARRAY(arena, int, size + 1);
    for (size_t at = 0; at < size; at++) {
        int i = (int)(at % (size_t)m->n), k = (int)(at / (size_t)m->n);
        bool has = i == k;
        for (int s = 0; s < nsample && !has; s++)
            has = j[(size_t)s * size + at] != 0;
        if (!has)
            continue;
        row[out->nnz] = i;
        col[out->nnz++] = k;
    }
    double *value =
        NEW_ARRAY(arena, double, (size_t)out->nnz *(size_t)nsample + 1);
    for (int s = 0; s < nsample; s++)
        for (int e = 0; e < out->nnz; e++)
            value[(size_t)s * (size_t)out->nnz + (size_t)e] =
                (row[e] == col[e] ? 1 : 0) -
                tau * j[(size_t)s * size + (size_t)row[e] +
                        (size_t)col[e] * (size_t)m->n];
    out->n = m->n;
    if (!static_lu_count(m->n, out->nnz, row, col, value, nsample, 0.01,
                         &out->count))
        out->count = (StaticLuCount){0};
}

bool tuning_differences(const Compilation *c, const Reference *reference,
                        Differences *out)
{
    const Samples *samples = reference->samples;
    Arena *work = arena_new();
    Matrix m = {0};
    *out = (Differences){0};
    bool fine = perturb_open(&m.model, c, reference, work) &&
                find_slots(&m, c->dae, work);
    size_t size = (size_t)m.n * (size_t)m.n;
    double *all = NEW_ARRAY(work, double, size *(size_t)samples->point.n + 1);
    m.base = NEW_ARRAY(work, double, m.n + 1);
    int n = 0;
    for (int s = 0; fine && s < samples->point.n; s++) {
        m.j = all + size * (size_t)n;
        n += differentiate(&m, &samples->point.at[s]);
    }
    if (fine && n > 0)
        count(&m, all, n, c->size, out, work);
    perturb_close(&m.model);
    arena_free(work);
    return fine && n > 0;
}
