/* path.c - points of the reference runs in the variables of the iteration, and
 * the derivatives of the outputs by forward differences.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/path.h"

#include <math.h>
#include <string.h>

#include "tuning/perturb.h"
#include "tune/extract.h"

/* The outputs as functions of the states. */
typedef struct Outputs {
    Perturb model;
    int nx, nwatch;
    int *slot;                 /* size nx */
    const TapeSymbol **symbol; /* size nwatch */
    double *base;              /* size nwatch */
} Outputs;

static bool find_slots(Outputs *o, const Inlined *d, const SchedBlock *b,
                       Arena *arena)
{
    const Lowered *low = o->model.low;
    o->slot = NEW_ARRAY(arena, int, b->ntorn + 1);
    for (int j = 0; j < b->ntorn; j++) {
        const InlinedVar *v = &d->var[b->torn[j]];
        if (!v->is_state)
            continue;
        int at = inlined_find(low->inlined, v->sys_var, v->order);
        if (at == NONE || low->slot[at] == NONE)
            return false;
        o->slot[o->nx++] = low->slot[at];
    }
    return true;
}

/* gradient[w * nx + j] in one point. */
static bool differentiate(Outputs *o, const SamplePoint *at, double *gradient)
{
    Exec *exec = o->model.exec;
    if (!perturb_at(&o->model, at))
        return false;
    for (int w = 0; w < o->nwatch; w++)
        o->base[w] = exec_value(exec, o->symbol[w]);
    for (int j = 0; j < o->nx; j++) {
        double delta = perturb_move(&o->model, o->slot[j]);
        if (delta == 0)
            return false;
        for (int w = 0; w < o->nwatch; w++)
            gradient[w * o->nx + j] =
                (exec_value(exec, o->symbol[w]) - o->base[w]) / delta;
        perturb_back(&o->model);
    }
    return true;
}

/* In every sample; one that cannot be evaluated takes those of its neighbour.
 */
static const double *gradients(Outputs *o, const Samples *samples,
                               const PencilSet *p, Arena *arena)
{
    size_t size = (size_t)o->nwatch * (size_t)o->nx;
    double *all = NEW_ARRAY(arena, double, size *(size_t)p->nsample + 1);
    int good = NONE;
    for (int s = 0; s < p->nsample; s++) {
        double *to = all + (size_t)s * size;
        const SamplePoint *at = &samples->point.at[p->sample[s].point];
        bool fine = differentiate(o, at, to);
        for (size_t i = 0; i < size && fine; i++)
            fine = isfinite(to[i]);
        if (fine)
            good = s;
        else if (good != NONE)
            memcpy(to, all + (size_t)good * size, size * sizeof *to);
        else
            memset(to, 0, size * sizeof *to);
    }
    return good == NONE ? NULL : all;
}

/* The parts of the track that belong to a scenario each. */
static void cut_runs(DriftPath *d, const Reference *reference, const double *z,
                     int n, Arena *arena)
{
    const Samples *track = reference->track;
    DriftRun *run = NEW_ARRAY(arena, DriftRun, reference->nscenario + 1);
    double *time = NEW_ARRAY(arena, double, track->point.n + 1);
    for (int k = 0; k < track->point.n; k++) {
        int scenario = track->point.at[k].scenario;
        time[k] = track->point.at[k].time;
        if (d->nrun == 0 || run[d->nrun - 1].scenario != scenario) {
            double *range = NEW_ARRAY(arena, double, d->nwatch + 1);
            const Curves *c = reference->curves[scenario];
            const double *ranges = curves_ranges(c, arena);
            for (int w = 0; w < d->nwatch; w++) {
                int curve = curves_find(c, d->watch[w]);
                range[w] = curve == NONE ? INFINITY : ranges[curve];
            }
            run[d->nrun++] = (DriftRun){.scenario = scenario,
                                        .time = time + k,
                                        .z = z + (size_t)k * (size_t)n,
                                        .range = range};
        }
        run[d->nrun - 1].n++;
    }
    d->run = run;
}

const DriftPath *tuning_path(const Compilation *c, const Reference *reference,
                             const Schedule *s, const SchedBlock *b,
                             const PencilSet *p)
{
    Arena *work = arena_new();
    DriftPath *d = NEW(c->arena, DriftPath);
    const Curves *first = reference->curves[0];
    Outputs o = {.nwatch = first->n,
                 .symbol = NEW_ARRAY(work, const TapeSymbol *, first->n + 1),
                 .base = NEW_ARRAY(work, double, first->n + 1)};
    bool fine = first->n > 0 && perturb_open(&o.model, c, reference, work) &&
                find_slots(&o, s->inlined, b, work);
    for (int w = 0; w < first->n && fine; w++) {
        o.symbol[w] = tape_find_symbol(reference->low->tape, first->name[w]);
        fine = o.symbol[w] != NULL;
    }
    d->nwatch = first->n;
    d->watch = first->name;
    if (fine)
        d->gradient = gradients(&o, reference->samples, p, c->arena);
    if (d->gradient)
        cut_runs(d, reference,
                 pencil_values(s, b, reference->track, c->size, c->arena), p->n,
                 c->arena);
    if (d->gradient)
        drift_spans(d, p, c->arena);
    perturb_close(&o.model);
    arena_free(work);
    return d->gradient ? d : NULL;
}
