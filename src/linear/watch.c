/* watch.c - the modes of a model along a run.
 *
 * The spectrum moves with the state. It is looked at before the first step, at
 * every tenth of the run, and where a state has moved by much since the last
 * look; how often in all depends on the number of states, as an eigenvalue
 * problem takes the third power of it. What a method makes of the modes is
 * said once of each kind.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "linear/linear.h"

enum { PARTS = 10 };
static const double MUCH = 0.3; /* of the larger of nominal and value */

struct ModeWatch {
    ModeWatchOptions o;
    Sim *model; /* lowered with its reference; values come from the run */
    Diag *diag;
    int nlook, most; /* looks made, looks at most */
    int *state;      /* slots of the states in the run */
    int nstate;
    double *nominal;
    double *last; /* values at the last look */
    StabilitySaid said;
};

/* As many looks as take a second or so. */
static int looks_for(int nstate)
{
    return nstate <= 60 ? 40 : nstate <= 120 ? 16 : 4;
}

ModeWatch *mode_watch_new(const Sim *run, const Lowered *reference,
                          const ModeWatchOptions *o, Arena *arena, Diag *diag)
{
    const Inlined *d = run->low->inlined;
    if (!reference || !reference->reference || !d->dae || d->dae->nstate == 0 ||
        !(o->step > 0))
        return NULL;
    ModeWatch *w = NEW(arena, ModeWatch);
    w->o = *o;
    w->diag = diag;
    diag_mute(diag); /* what is wrong with the options is said by the run */
    w->model = sim_new(reference, &run->options, arena, diag);
    diag_unmute(diag);
    if (!w->model)
        return NULL;
    w->most = looks_for(d->dae->nstate);
    w->state = NEW_ARRAY(arena, int, d->dae->nstate + 1);
    w->nominal = NEW_ARRAY(arena, double, d->dae->nstate + 1);
    w->last = NEW_ARRAY(arena, double, d->dae->nstate + 1);
    for (int i = 0; i < d->dae->nstate; i++) {
        int entry = inlined_find(d, d->dae->state[i].var, 0);
        double nominal = 1;
        if (entry == NONE || run->low->slot[entry] == NONE)
            continue;
        Expr e = d->sys->var[d->dae->state[i].var].nominal;
        if (e == EXPR_NONE || !expr_is_const(d->dag, e, &nominal))
            nominal = 1;
        w->nominal[w->nstate] = fabs(nominal);
        w->state[w->nstate++] = run->low->slot[entry];
    }
    return w;
}

void mode_watch_free(ModeWatch *w)
{
    if (w)
        sim_free(w->model);
}

/* The point of the run, in the tape that has the Jacobian of the model. */
static void take_point(ModeWatch *w, const Sim *run)
{
    const Lowered *from = run->low, *to = w->model->low;
    double *r = w->model->exec->r;
    const double *x = run->exec->r;
    for (int i = 0; i < from->inlined->nvar; i++) {
        if (from->slot[i] != NONE && to->slot[i] != NONE)
            r[to->slot[i]] = x[from->slot[i]];
        if (from->pre[i] != NONE && to->pre[i] != NONE)
            r[to->pre[i]] = x[from->pre[i]];
    }
    r[to->tape->time] = x[from->tape->time];
    r[to->tape->step] = x[from->tape->step];
    r[to->initial] = x[from->initial];
    r[to->lambda] = x[from->lambda];
    exec_run(w->model->exec, tape_find_segment(to->tape, "param"));
    exec_reset_status(w->model->exec);
}

static bool has_moved(const ModeWatch *w, const double *x)
{
    for (int i = 0; i < w->nstate; i++) {
        double now = x[w->state[i]], size = fmax(fabs(now), fabs(w->last[i]));
        if (fabs(now - w->last[i]) > MUCH * fmax(size, w->nominal[i]))
            return true;
    }
    return false;
}

/* Tenths of the run come first; the other looks are spread over it. */
static bool is_due(const ModeWatch *w, const Sim *run, double part)
{
    if (w->nlook == 0)
        return true;
    if (w->nlook >= w->most ||
        (w->said.unstable && w->said.hidden && w->said.lost))
        return false;
    if (w->nlook < part * fmin(PARTS, w->most))
        return true;
    return w->nlook < 1 + part * w->most + 3 && has_moved(w, run->exec->r);
}

void mode_watch_see(ModeWatch *w, const Sim *run, double time)
{
    double part = (time - w->o.start) / w->o.length;
    if (!is_due(w, run, part))
        return;
    Arena *work = arena_new();
    take_point(w, run);
    for (int i = 0; i < w->nstate; i++)
        w->last[i] = run->exec->r[w->state[i]];
    diag_mute(w->diag); /* no spectrum, no warning */
    Linear *l = linear_new(w->model, work, w->diag);
    bool fine = l && linear_modes(l, work);
    diag_unmute(w->diag);
    if (fine)
        stability_warn(l, w->o.method, w->o.step, w->o.length,
                       w->nlook == 0 ? (double)NAN : time, w->o.span, &w->said,
                       work, w->diag);
    w->nlook++;
    arena_free(work);
}
