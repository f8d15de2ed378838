/* drift.c - the error equation of a sparsed step, forward and adjoint. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/drift.h"

#include "tune/tune_internal.h"

/* The equation of one part of a run: m e_{k+1} = mass e_k - force. Matrices
 * stay while sample and length do. */
typedef struct Equation {
    const PencilSet *p;
    double tau;
    const bool *keep;
    const double *frozen;
    bool is_adjoint; /* factors are those of the transposed matrix */
    Arena *arena;
    double *entry; /* size nnz: tau D of `sample` */
    double *m;     /* n * n */
    int sample;    /* that the part of the run is nearest to, */
    int made;      /* and the first like it: its matrix; NONE: not made yet */
    double length;
    const int *first, *end; /* as in DriftPath */
    Sparse *factor;         /* NULL: singular */
} Equation;

static Equation equation_new(const PencilSet *p, double tau, const bool *keep,
                             const double *frozen, bool is_adjoint,
                             Arena *arena)
{
    return (Equation){
        .p = p,
        .tau = tau,
        .keep = keep,
        .frozen = frozen,
        .is_adjoint = is_adjoint,
        .arena = arena,
        .entry = NEW_ARRAY(arena, double, p->nnz + 1),
        .m = NEW_ARRAY(arena, double, (size_t)p->n *(size_t)p->n + 1),
        .sample = NONE,
        .made = NONE};
}

/* Of most outputs few states are asked. */
void drift_spans(DriftPath *d, const PencilSet *p, Arena *arena)
{
    int nx = p->nx, n = p->nsample * d->nwatch;
    int *first = NEW_ARRAY(arena, int, n + 1);
    int *end = NEW_ARRAY(arena, int, n + 1);
    for (int i = 0; i < n; i++) {
        const double *g = d->gradient + (size_t)i * (size_t)nx;
        end[i] = nx;
        while (end[i] > 0 && g[end[i] - 1] == 0)
            end[i]--;
        while (first[i] < end[i] && g[first[i]] == 0)
            first[i]++;
    }
    d->first = first;
    d->end = end;
}

static void take_spans(Equation *q, const DriftPath *d)
{
    DriftPath own = *d;
    if (!own.first)
        drift_spans(&own, q->p, q->arena);
    q->first = own.first;
    q->end = own.end;
}

/* tau (Df - J) at place e. */
static double left_out(const Equation *q, const double *df, int e, size_t at)
{
    if (q->frozen && !isnan(q->frozen[e]))
        return q->tau * (df[at] - q->frozen[e]);
    return q->keep && !q->keep[e] ? q->tau * df[at] : 0;
}

/* The matrix L + tau D - H Df of sample s. */
static bool equation_set(Equation *q, int s, double length)
{
    const PencilSet *p = q->p;
    size_t n = (size_t)p->n;
    const double *df = p->sample[s].df;
    q->sample = s;
    s = p->sample[s].same;
    if (q->made == s && fabs(q->length - length) <= 1e-9 * length)
        return q->factor != NULL;
    q->made = s;
    q->length = length;
    memset(q->m, 0, n * n * sizeof *q->m);
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            size_t i = (size_t)p->row[e], at = i + (size_t)j * n;
            q->entry[e] = left_out(q, df, e, at);
            q->m[q->is_adjoint ? (size_t)j + i * n : at] =
                p->sample[s].l[at] + q->entry[e] - length * df[at];
        }
    int bad;
    sparse_free(q->factor);
    q->factor =
        all_finite(q->m, n * n) ? sparse_factor(p->n, q->m, &bad) : NULL;
    return q->factor != NULL;
}

/* out = (L + tau D) x, or its transpose. */
static void mass_times(const Equation *q, const double *x, double *out)
{
    const PencilSet *p = q->p;
    const double *l = p->sample[q->made].l;
    memset(out, 0, (size_t)p->n * sizeof *out);
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            double value = l[i + (size_t)j * (size_t)p->n] + q->entry[e];
            if (q->is_adjoint)
                out[j] += value * x[i];
            else
                out[i] += value * x[j];
        }
}

/* The sample of the run's scenario that is nearest to a time; any other one if
 * the scenario has none. */
static int nearest_sample(const PencilSet *p, int scenario, double time)
{
    int best = 0;
    double least = INFINITY;
    for (int s = 0; s < p->nsample; s++) {
        double distance = fabs(p->sample[s].time - time);
        if (p->sample[s].scenario != scenario)
            distance += 1e300;
        if (distance < least) {
            least = distance;
            best = s;
        }
    }
    return best;
}

/* Prepares the equation of part k of a run. */
static bool equation_at(Equation *q, const DriftRun *run, int k)
{
    double a = run->time[k], b = run->time[k + 1];
    int s = nearest_sample(q->p, run->scenario, (a + b) / 2);
    return equation_set(q, s, b - a);
}

/* e_{k+1} from e_k, in place. */
static bool advance(Equation *q, const DriftRun *run, int k, double *e,
                    double *work)
{
    const PencilSet *p = q->p;
    const double *z = run->z + (size_t)k * (size_t)p->n;
    if (!equation_at(q, run, k))
        return false;
    mass_times(q, e, work);
    for (int j = 0; j < p->n; j++)
        for (int l = p->start[j]; l < p->start[j + 1]; l++)
            work[p->row[l]] -= q->entry[l] * (z[j + p->n] - z[j]);
    sparse_solve(q->factor, work);
    memcpy(e, work, (size_t)p->n * sizeof *e);
    return all_finite(e, (size_t)p->n);
}

static const double *gradient_of(const DriftPath *d, const PencilSet *p,
                                 int sample, int watch)
{
    return d->gradient +
           ((size_t)sample * (size_t)d->nwatch + (size_t)watch) * (size_t)p->nx;
}

/* The distance of output w, signed, in percent. */
static double distance(const DriftPath *d, const Equation *q, int run, int w,
                       const double *e)
{
    const double *g = gradient_of(d, q->p, q->sample, w);
    double sum = 0;
    int i = q->sample * d->nwatch + w;
    for (int j = q->first[i]; j < q->end[i]; j++)
        sum += g[j] * e[j];
    return 100 * sum / d->run[run].range[w];
}

static void take_worst(const DriftPath *d, const Equation *q, int run,
                       int point, const double *e, Drift *worst)
{
    for (int w = 0; w < d->nwatch; w++) {
        double x = fabs(distance(d, q, run, w, e));
        if (worst->watch == NONE || x > worst->percent)
            *worst = (Drift){x, w, run, point};
    }
}

/* No further than to the first distance beyond `limit`. */
static Drift forward(const DriftPath *d, Equation *q, double limit,
                     double *sign)
{
    Arena *local = arena_new();
    Drift worst = {0, NONE, NONE, NONE};
    double *e = NEW_ARRAY(local, double, q->p->n + 1);
    double *work = NEW_ARRAY(local, double, q->p->n + 1);
    bool fine = true;
    take_spans(q, d);
    for (int r = 0; r < d->nrun && fine && worst.percent <= limit; r++) {
        memset(e, 0, (size_t)q->p->n * sizeof *e);
        for (int k = 0; k + 1 < d->run[r].n && fine && worst.percent <= limit;
             k++) {
            Drift before = worst;
            fine = advance(q, &d->run[r], k, e, work);
            if (fine)
                take_worst(d, q, r, k + 1, e, &worst);
            if (fine && worst.percent > before.percent)
                *sign = distance(d, q, r, worst.watch, e) < 0 ? -1 : 1;
        }
    }
    if (!fine)
        worst.percent = INFINITY;
    arena_free(local);
    return worst;
}

/* Backward from the worst point: share -= mu^T (force of the entry). */
static void backward(const DriftPath *d, Equation *q, const Drift *at,
                     double sign, double *share)
{
    const PencilSet *p = q->p;
    const DriftRun *run = &d->run[at->run];
    Arena *local = arena_new();
    double *mu = NEW_ARRAY(local, double, p->n + 1);
    double *work = NEW_ARRAY(local, double, p->n + 1);
    for (int k = at->point - 1; k >= 0 && equation_at(q, run, k); k--) {
        if (k == at->point - 1) {
            const double *g = gradient_of(d, p, q->sample, at->watch);
            for (int j = 0; j < p->nx; j++)
                mu[j] = sign * 100 * g[j] / run->range[at->watch];
        }
        const double *z = run->z + (size_t)k * (size_t)p->n;
        sparse_solve(q->factor, mu);
        for (int j = 0; j < p->n; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++)
                share[e] -= mu[p->row[e]] * q->entry[e] * (z[j + p->n] - z[j]);
        mass_times(q, mu, work);
        memcpy(mu, work, (size_t)p->n * sizeof *mu);
    }
    arena_free(local);
}

Drift drift_estimate(const DriftPath *d, const PencilSet *p, double tau,
                     const bool *keep, const double *frozen, double *share)
{
    Arena *local = arena_new();
    double sign = 1;
    Equation q = equation_new(p, tau, keep, frozen, false, local);
    Drift worst = forward(d, &q, INFINITY, &sign);
    sparse_free(q.factor);
    if (share) {
        memset(share, 0, (size_t)p->nnz * sizeof *share);
        Equation adjoint = equation_new(p, tau, keep, frozen, true, local);
        if (isfinite(worst.percent) && worst.watch != NONE)
            backward(d, &adjoint, &worst, sign, share);
        sparse_free(adjoint.factor);
    }
    arena_free(local);
    return worst;
}

bool drift_exceeds(const DriftPath *d, const PencilSet *p, double tau,
                   const bool *keep, const double *frozen, double limit)
{
    Arena *local = arena_new();
    double sign = 1;
    Equation q = equation_new(p, tau, keep, frozen, false, local);
    Drift worst = forward(d, &q, limit, &sign);
    sparse_free(q.factor);
    arena_free(local);
    return worst.percent > limit;
}
