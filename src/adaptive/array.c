/* array.c - a run on the derivative array of the model (array/march.h).
 *
 * The tape of the model gives parameters, a first guess of the start and what a
 * reader wants to see; the values of the unknowns come from the array.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "adaptive/adaptive.h"
#include "array/march.h"
#include "sim/sim_parts.h"

const AdaptiveRow adaptive_row[ADAPTIVE_COUNT] = {
#define X(name, key, title, array) {key, title, array},
    ADAPTIVE_SOLVERS(X)
#undef X
};

typedef struct ArrayRun {
    Sim *sim;
    Array *a;
    March *march;
} ArrayRun;

static int slot_of(const ArrayRun *r, int j, int q)
{
    const Lowered *low = r->sim->low;
    const ArrayColumn *c = &r->a->col[j];
    int entry = inlined_find(low->inlined, c->var, c->order + q);
    return entry == NONE ? NONE : low->slot[entry];
}

/* x and its derivatives, where the tape has them; then what follows. */
static void to_slots(ArrayRun *r, double t, const double *z, int k)
{
    Sim *s = r->sim;
    s->exec->r[s->low->tape->time] = t;
    for (int j = 0; j < r->a->n; j++) {
        for (int q = 0; q <= k + 1; q++) {
            int slot = slot_of(r, j, q);
            if (slot != NONE)
                s->exec->r[slot] = z[q * r->a->n + j];
        }
    }
    exec_run(s->exec, &s->low->output);
}

/* Events and inputs would change what the array holds. */
static bool is_possible(const ArrayRun *r)
{
    const Inlined *d = r->sim->low->inlined;
    const char *what =
        d->nrelation > 0 || d->sys->naction > 0
            ? "events (if-expressions may be in noEvent())"
        : r->sim->low->reference && r->sim->low->reference->nu > 0 ? "inputs"
        : d->ndelay > 0                                            ? "delay()"
                                                                   : NULL;
    if (what)
        diag_report(r->sim->diag, d->sys->flat->span, DIAG_U1701,
                    "not supported: a run on the derivative array of a model "
                    "with %s",
                    what);
    return !what;
}

/* The start of the tape, if it has one, made consistent. */
static bool begin(ArrayRun *r, ArrayIndex *x)
{
    Sim *s = r->sim;
    diag_mute(s->diag);
    bool has_start = sim_init(s);
    diag_unmute(s->diag);
    for (int j = 0; j < r->a->n && has_start; j++) {
        int slot = slot_of(r, j, 0);
        if (slot != NONE && isfinite(s->exec->r[slot]))
            x->z[j] = s->exec->r[slot];
    }
    x->start = array_make_consistent(r->a, x->k, x->time, x->z);
    if (x->start.found)
        return true;
    diag_report(s->diag, array_row_span(r->a, x->start.worst_row % r->a->n),
                DIAG_E1703,
                "no consistent values were found at the start: most is left "
                "over of %s (%.2g)",
                array_row_text(r->a, x->start.worst_row % r->a->n, s->arena),
                x->start.residual);
    return false;
}

static bool give_up(ArrayRun *r)
{
    int row = march_worst_row(r->march);
    diag_report(r->sim->diag, array_row_span(r->a, row), DIAG_E1705,
                "the model turns singular near time %g: the derivatives of its "
                "unknowns are not determined there; most is left over of %s",
                march_time(r->march), array_row_text(r->a, row, r->sim->arena));
    return false;
}

static bool go(ArrayRun *r, int k, SimRow *row, void *context)
{
    Sim *s = r->sim;
    long n = sim_nstep(&s->options);
    to_slots(r, s->options.start, march_point(r->march), k);
    if (!row(context, s, s->options.start, false))
        return true;
    while (s->k < n) {
        s->k++;
        double t = sim_time(s);
        if (!march_to(r->march, t))
            return give_up(r);
        to_slots(r, t, march_point(r->march), k);
        s->stats.steps++;
        s->stats.time = t;
        sim_show_progress(s, t);
        if (!sim_check_values(s) || !sim_check_asserts(s))
            return false;
        if (!row(context, s, t, false))
            break;
    }
    return true;
}

static void take_stats(const March *m, AdaptiveStats *stats)
{
    const MarchStats *s = march_stats(m);
    *stats = (AdaptiveStats){.steps = s->steps,
                             .residuals = s->residuals,
                             .jacobians = s->factors,
                             .restarts = s->partitions,
                             .drift = s->drift,
                             .drift_time = s->drift_time};
}

bool adaptive_array(Sim *s, Array *a, const ArrayIndex *found,
                    const AdaptiveOptions *options, SimRow *row, void *context,
                    AdaptiveStats *stats)
{
    ArrayRun r = {.sim = s, .a = a};
    ArrayIndex x = *found;
    if (!is_possible(&r))
        return false;
    if (x.uniform_index == NONE) {
        diag_report(s->diag, s->low->inlined->sys->flat->span, DIAG_E1704,
                    "the model has no uniform index up to %d: takt index says "
                    "why",
                    a->most);
        return false;
    }
    if (!begin(&r, &x))
        return false;
    MarchOptions o = {.kind = options->solver == ADAPTIVE_PARTITION
                                  ? MARCH_PARTITION
                                  : MARCH_COMPLETION,
                      .adams = options->solver == ADAPTIVE_ADAMS,
                      .no_reuse = options->no_reuse,
                      .rtol = options->rtol,
                      .atol = options->atol};
    r.march = march_new(a, &x, &o, s->arena);
    if (!r.march) {
        diag_report(s->diag, s->low->inlined->sys->flat->span, DIAG_E1705,
                    "the model is singular at its start");
        return false;
    }
    bool fine = go(&r, x.uniform_index, row, context);
    take_stats(r.march, stats);
    return fine;
}
