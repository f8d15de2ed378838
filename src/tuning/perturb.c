/* perturb.c - one evaluation of the model a point and a moved value. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/perturb.h"

#include <float.h>
#include <math.h>

bool perturb_open(Perturb *p, const Compilation *c, const Reference *reference,
                  Arena *arena)
{
    SimOptions so = {.start = c->start, .stop = c->stop, .step = c->size};
    *p = (Perturb){.low = reference->low};
    Diag *unheard = diag_new(c->sources, arena);
    p->sim = sim_new(reference->low, &so, arena, unheard);
    if (!p->sim || !sim_init(p->sim))
        return false;
    p->exec = p->sim->exec;
    p->exec->tolerance = 1e-10;
    p->exec->max_iterations = 50;
    return true;
}

void perturb_close(Perturb *p)
{
    sim_free(p->sim);
}

/* Other values than the states start the iterations. */
static bool evaluate(Perturb *p)
{
    exec_reset_status(p->exec);
    return exec_run(p->exec, &p->low->system[p->low->inlined->event].run) >= 0;
}

bool perturb_at(Perturb *p, const SamplePoint *at)
{
    const Inlined *d = p->low->inlined;
    for (int i = 0; i < d->nvar; i++)
        if (p->low->slot[i] != NONE && d->var[i].kind != IV_PARAMETER &&
            d->var[i].kind != IV_UNUSED)
            p->exec->r[p->low->slot[i]] = at->value[i];
    p->exec->r[p->low->tape->time] = at->time;
    return evaluate(p);
}

double perturb_move(Perturb *p, int slot)
{
    double x = p->exec->r[slot];
    double delta = sqrt(DBL_EPSILON) * fmax(fabs(x), 1e-3);
    p->slot = slot;
    p->old = x;
    p->exec->r[slot] = x + delta;
    return evaluate(p) ? delta : 0;
}

void perturb_back(Perturb *p)
{
    p->exec->r[p->slot] = p->old;
}
