/* pushes.c - what 1 more in the drive of an increment moves the states by.
 *
 * The defect of a Rosenbrock step solves W eta = rho (inline/rosenbrock.c). In
 * place of that solution lower/cheap.c takes a number for each state, seen
 * along the run which chose the pivots: the largest change of an increment over
 * the size of its state, where the drive of one of them is a little larger. The
 * step is made with drives that are given to it, so that it does not matter by
 * which blocks and assignments the increments are found; they are linear in the
 * drives. The mean of the logarithms over some points, with the sizes of states
 * as they were so far: a run that leaves all bounds must not hide its begin.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "step/step_internal.h"

enum { MOST_STATES = 300, MOST_POINTS = 6, KEPT_POINTS = 60 };
static const double PUSH = 1e-4; /* of the size of a state */

static const InlinedSystem *system_of(const Lowered *low)
{
    const Inlined *d = low->inlined;
    const InlinedSystem *s = d->ncycle > 0 ? &d->system[d->cycle[0]] : NULL;
    return s && s->beyond && d->dae && d->dae->nstate <= MOST_STATES ? s : NULL;
}

void pushes_keep(Pushes *p, const Sim *sim, const double *size, Arena *arena)
{
    const Inlined *d = sim->low->inlined;
    size_t n = (size_t)sim->low->tape->nslot;
    if (!system_of(sim->low) || p->point.n >= KEPT_POINTS)
        return;
    PushPoint here = {NEW_ARRAY(arena, double, n + 1),
                      NEW_ARRAY(arena, double, d->dae->nstate + 1)};
    memcpy(here.r, sim->exec->r, n * sizeof(double));
    for (int k = 0; k < d->dae->nstate; k++) {
        const DaeState *q = &d->dae->state[k];
        int x = inlined_find(d, q->var, q->order);
        here.unit[k] = x == NONE ? 1 : fmax(inlined_nominal(d, x), size[x]);
    }
    vec_push(arena, &p->point, here);
}

/* The slot of a leaf, NONE: it has none. */
static int slot_of(const Lowered *low, Expr leaf)
{
    int var, order;
    return expr_is_var(low->inlined->dag, leaf, &var, &order) ? low->slot[var]
                                                              : NONE;
}

/* The step, but for what computes the slots of `drive`. */
static Tape *without_drives(const Lowered *low, const TapeSegment *run,
                            const int *drive, int n, Arena *arena)
{
    Tape *t = tape_copy(low->tape, arena);
    for (int i = run->first; i < run->first + run->count; i++) {
        int slot = tape_writes(&t->code.at[i]);
        for (int k = 0; slot != NONE && k < n; k++)
            if (slot == drive[k])
                t->code.at[i] =
                    (TapeInstr){.op = TAPE_COPY, .dst = slot, .a = slot};
    }
    return t;
}

typedef struct Pusher {
    Exec *given;    /* drives are */
    Exec *computed; /* or are found by the step */
    const TapeSegment *run;
    int n; /* states */
    int *drive, *increment;
    const double *unit; /* at the present point */
    size_t size;        /* of all slots */
} Pusher;

/* The effect of a push of state k; NaN: the step cannot be made. */
static double effect(const Pusher *p, int k)
{
    double most = 0;
    Exec *e = p->given;
    exec_reset_status(e);
    e->r[p->drive[k]] += PUSH * p->unit[k];
    if (exec_run(e, p->run) < 0)
        return NAN;
    for (int j = 0; j < p->n; j++)
        if (p->increment[j] != NONE)
            most = fmax(most, fabs(e->r[p->increment[j]] -
                                   p->computed->r[p->increment[j]]) /
                                  p->unit[j]);
    return most / (PUSH * p->unit[k]);
}

static void push_at(Pusher *p, const PushPoint *point, double *sum, int *count)
{
    Exec *e = p->computed;
    p->unit = point->unit;
    memcpy(e->r, point->r, p->size);
    exec_reset_status(e);
    if (exec_run(e, p->run) < 0)
        return;
    for (int k = 0; k < p->n; k++) {
        if (p->drive[k] == NONE)
            continue;
        memcpy(p->given->r, point->r, p->size);
        for (int j = 0; j < p->n; j++)
            if (p->drive[j] != NONE)
                p->given->r[p->drive[j]] = e->r[p->drive[j]];
        double x = effect(p, k);
        if (x > 0 && isfinite(x)) {
            sum[k] += log(x);
            count[k]++;
        }
    }
}

static void find_slots(Pusher *p, const Lowered *low, const InlinedBeyond *b,
                       Arena *local)
{
    p->drive = NEW_ARRAY(local, int, p->n + 1);
    p->increment = NEW_ARRAY(local, int, p->n + 1);
    for (int k = 0; k < p->n; k++) {
        p->drive[k] = slot_of(low, b->drive[k]);
        p->increment[k] = slot_of(low, b->increment[k]);
    }
}

const double *pushes_weigh(const Pushes *p, const Sim *sim, Arena *arena)
{
    const Lowered *low = sim->low;
    const InlinedSystem *s = system_of(low);
    if (!s || p->point.n == 0)
        return NULL;
    Arena *local = arena_new();
    const TapeSegment *run = &low->system[low->inlined->cycle[0]].run;
    Pusher x = {.run = run,
                .n = low->inlined->dae->nstate,
                .size = (size_t)low->tape->nslot * sizeof(double)};
    find_slots(&x, low, s->beyond, local);
    x.computed = exec_new(low->tape);
    x.given = exec_new(without_drives(low, run, x.drive, x.n, local));
    double *push = NEW_ARRAY(arena, double, x.n + 1);
    int *count = NEW_ARRAY(local, int, x.n + 1);
    int every = (p->point.n + MOST_POINTS - 1) / MOST_POINTS;
    for (int i = 0; i < p->point.n; i += every)
        push_at(&x, &p->point.at[i], push, count);
    for (int k = 0; k < x.n; k++)
        push[k] = count[k] > 0 ? exp(push[k] / count[k]) : 0;
    exec_free(x.computed);
    exec_free(x.given);
    arena_free(local);
    return push;
}
