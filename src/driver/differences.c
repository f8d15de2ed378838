/* differences.c - one evaluation of the model a state and sample. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/differences.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Perturb {
    const Compilation *c;
    const Lowered *low;
    Exec *exec;
    int n;
    int *state, *der; /* slots */
    double *base, *j; /* x' at the point, the matrix by columns */
} Perturb;

static bool find_slots(Perturb *p, Arena *arena)
{
    const Dae *dae = p->c->dae;
    p->n = dae->nstate;
    p->state = NEW_ARRAY(arena, int, p->n + 1);
    p->der = NEW_ARRAY(arena, int, p->n + 1);
    for (int i = 0; i < p->n; i++) {
        const DaeState *s = &dae->state[i];
        int x = diff_find(p->low->diff, s->var, s->order);
        int dx = diff_find(p->low->diff, s->var, s->order + 1);
        if (x == NONE || dx == NONE || p->low->slot[x] == NONE ||
            p->low->slot[dx] == NONE)
            return false;
        p->state[i] = p->low->slot[x];
        p->der[i] = p->low->slot[dx];
    }
    return true;
}

/* x' from the states as they are; other values start the iterations. */
static bool evaluate(Perturb *p, double *out)
{
    const Diff *d = p->low->diff;
    exec_reset_status(p->exec);
    if (exec_run(p->exec, &p->low->system[d->event].run) < 0)
        return false;
    for (int i = 0; i < p->n; i++)
        out[i] = p->exec->r[p->der[i]];
    return true;
}

static bool differentiate(Perturb *p, const SamplePoint *at)
{
    const Diff *d = p->low->diff;
    for (int i = 0; i < d->nvar; i++)
        if (p->low->slot[i] != NONE && d->var[i].kind != DV_PARAMETER &&
            d->var[i].kind != DV_UNUSED)
            p->exec->r[p->low->slot[i]] = at->value[i];
    p->exec->r[p->low->tape->time] = at->time;
    if (!evaluate(p, p->base))
        return false;
    for (int k = 0; k < p->n; k++) {
        double *column = p->j + (size_t)k * (size_t)p->n;
        double x = p->exec->r[p->state[k]];
        double delta = sqrt(DBL_EPSILON) * fmax(fabs(x), 1e-3);
        p->exec->r[p->state[k]] = x + delta;
        if (!evaluate(p, column))
            return false;
        p->exec->r[p->state[k]] = x;
        for (int i = 0; i < p->n; i++)
            column[i] = (column[i] - p->base[i]) / delta;
    }
    return true;
}

/* The pattern of I - tau J over all samples, and its factors. */
static void count(const Perturb *p, const double *j, int nsample, double tau,
                  Differences *out, Arena *arena)
{
    size_t size = (size_t)p->n * (size_t)p->n;
    int *row = NEW_ARRAY(arena, int, size + 1);
    int *col = NEW_ARRAY(arena, int, size + 1);
    for (size_t at = 0; at < size; at++) {
        int i = (int)(at % (size_t)p->n), k = (int)(at / (size_t)p->n);
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
                        (size_t)col[e] * (size_t)p->n];
    out->n = p->n;
    if (!static_lu_count(p->n, out->nnz, row, col, value, nsample, 0.01,
                         &out->count))
        out->count = (StaticLuCount){0};
}

bool driver_differences(const Compilation *c, const Reference *reference,
                        Differences *out)
{
    const Samples *samples = reference->samples;
    Arena *work = arena_new();
    Perturb p = {.c = c, .low = reference->low};
    SimOptions so = {.start = c->start, .stop = c->stop, .step = c->step};
    Sim *sim = sim_new(reference->low, &so, work, c->diag);
    *out = (Differences){0};
    bool fine = sim && sim_init(sim) && find_slots(&p, work);
    size_t size = (size_t)p.n * (size_t)p.n;
    double *all = NEW_ARRAY(work, double, size *(size_t)samples->point.n + 1);
    p.base = NEW_ARRAY(work, double, p.n + 1);
    p.exec = sim ? sim->exec : NULL;
    int n = 0;
    for (int s = 0; fine && s < samples->point.n; s++) {
        p.exec->tolerance = 1e-10;
        p.exec->max_iterations = 50;
        p.j = all + size * (size_t)n;
        n += differentiate(&p, &samples->point.at[s]);
    }
    if (fine && n > 0)
        count(&p, all, n, c->step, out, work);
    sim_free(sim);
    arena_free(work);
    return fine && n > 0;
}
