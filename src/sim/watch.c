/* watch.c - what a part of a step says of itself.
 *
 * Blocks leave their defect in slots (lower/defect.c), and the interpreter the
 * causes of base/status.def that a part has. They count once the part is kept:
 * many are tried and thrown away where events are located or a step is halved.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

/* The blocks of a segment that have a defect. */
static SimWatched find_blocks(const Sim *s, const TapeSegment *run)
{
    const Tape *t = s->low->tape;
    Vec(int) block = {0};
    for (int i = run->first; i < run->first + run->count; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK && t->block.at[in->a].eta != 0)
            vec_push(s->arena, &block, in->a);
    }
    return (SimWatched){block.at, block.n};
}

void sim_find_watched(Sim *s)
{
    int n = s->low->inlined->nsystem;
    s->watched = NEW_ARRAY(s->arena, SimWatched, n + 1);
    for (int i = 0; i < n; i++)
        s->watched[i] = find_blocks(s, &s->low->system[i].run);
}

void sim_watch_part(Sim *s, int system)
{
    const SimWatched *w = &s->watched[system];
    const double *r = s->exec->r;
    SimPart *p = &s->part;
    p->residual = s->exec->residual;
    p->causes = s->exec->causes;
    p->eta = 0;
    p->eta_block = p->far_out = NONE;
    for (int i = 0; i < w->n; i++) {
        const TapeBlock *b = &s->low->tape->block.at[w->block[i]];
        if (r[b->eta] <= p->eta)
            continue;
        p->eta = r[b->eta];
        p->theta = r[b->eta] / r[b->fall];
        p->eta_block = w->block[i];
    }
    const LoweredSystem *own = &s->low->system[system];
    if (own->eta != 0 && r[own->eta] > p->eta) {
        p->eta = r[own->eta];
        p->theta = r[own->eta] / r[own->fall];
        p->eta_block = NONE;
    }
}

static void note_defect(Sim *s)
{
    SimStats *stats = &s->stats;
    s->eta = s->part.eta;
    if (s->part.eta <= stats->eta)
        return;
    stats->eta = s->part.eta;
    stats->theta = s->part.theta;
    stats->eta_block = s->part.eta_block;
    stats->eta_time = s->exec->r[s->low->tape->time];
}

/* Four points tell, which inputs must not have jumped between. */
static void look_for_singular(Sim *s, bool is_start)
{
    double calm = s->exec->r[s->low->tape->time] - s->jumped;
    is_start |= s->jumped > 0 && calm < 3.5 * s->options.step;
    if (s->low->singular.count == 0)
        return;
    exec_reset_status(s->exec);
    exec_run(s->exec, &s->low->singular);
    if (!is_start && s->exec->causes >> CAUSE_CROSSED & 1)
        sim_note(s, CAUSE_CROSSED, s->exec->cause_block[CAUSE_CROSSED]);
    exec_reset_status(s->exec);
}

void sim_look_for_singular(Sim *s)
{
    look_for_singular(s, false);
}

void sim_begin_singular(Sim *s)
{
    look_for_singular(s, true);
}

void sim_count_jumps(Sim *s)
{
    s->doubts = s->exec->doubts;
    if (s->exec->jumps == s->jumps)
        return;
    if (s->stats.jumps++ == 0)
        s->stats.jump_time = s->exec->r[s->low->tape->time];
    s->stats.jump_block = s->exec->jump_block;
    s->jumps = s->exec->jumps;
}

void sim_note_part(Sim *s)
{
    s->stats.residual = fmax(s->stats.residual, s->part.residual);
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (s->part.causes >> i & 1 &&
            status_row[i].severity == SEVERITY_DOUBTFUL)
            sim_note(s, (StatusCause)i, s->exec->cause_block[i]);
    if (s->part.far_out != NONE)
        sim_note(s, CAUSE_FAR_OUT, s->part.far_out);
    sim_count_jumps(s);
    note_defect(s);
}
