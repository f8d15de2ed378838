/* estimate_log.c - the estimated errors of a run, a row per step.
 *
 * Columns local(x) and, where errors are added up, running(x) for each state:
 * the file that --estimates names. What a step had that was made in parts is
 * that of its last part.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "cli/sim_run.h"

struct EstimateLog {
    ResultFile *file;
    int n; /* states */
    bool runs;
    double *row;
};

static EstimateLog *open_log(SimRun *r)
{
    Arena *arena = r->c->arena;
    const InlinedEstimate *e = &r->c->step->inlined->estimate;
    EstimateLog *l = NEW(arena, EstimateLog);
    l->n = e->n;
    l->runs = e->running != NULL;
    int ncolumn = l->runs ? 2 * l->n : l->n;
    ResultSignal *signal = NEW_ARRAY(arena, ResultSignal, ncolumn + 1);
    for (int i = 0; i < ncolumn; i++)
        signal[i] = (ResultSignal){
            .name = arena_printf(arena, i < l->n ? "local(%s)" : "running(%s)",
                                 sim_state_name(r, i % l->n)),
            .description = "",
            .column = i,
            .sign = 1};
    l->row = NEW_ARRAY(arena, double, ncolumn + 1);
    l->file = result_open(r->estimates, signal, ncolumn, ncolumn, arena);
    return l;
}

bool estimate_log_row(SimRun *r, const Sim *sim, double time)
{
    if (!r->estimates || r->is_reference)
        return true;
    if (!r->log)
        r->log = open_log(r);
    EstimateLog *l = r->log;
    if (!l->file) {
        diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->estimates,
                    strerror(errno));
        return false;
    }
    for (int k = 0; k < l->n; k++) {
        SimError e = sim_state_error(sim, k);
        l->row[k] = e.local;
        if (l->runs)
            l->row[l->n + k] = e.running;
    }
    result_row(l->file, time, l->row);
    return true;
}

bool estimate_log_close(SimRun *r)
{
    bool fine = !r->log || !r->log->file || result_close(r->log->file);
    if (!fine)
        diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->estimates,
                    strerror(errno));
    return fine;
}
