/* run_io.c - the partner of --io: inputs of the model, what is sent. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/run_command.h"
#include "target/a2l.h"

/* Comes after initialisation: inputs that nobody gives keep these values. */
bool run_open_io(RunCommand *r)
{
    Compilation *c = r->c;
    RunOptions *o = &r->run;
    if (!r->io)
        return true;
    takt_io_about *about = NEW(c->arena, takt_io_about);
    *about = (takt_io_about){.model = c->flat->model,
                             .step = o->step,
                             .period = o->no_wait ? 0 : o->step / o->rate,
                             .ninput = r->inputs.n,
                             .noutput = r->sent.n,
                             .input = r->inputs.name,
                             .output = r->sent.name};
    o->io = io_open(r->io, about, c->sources, c->arena, c->diag);
    if (!o->io)
        return false;
    o->io->number = r->sent.number;
    memcpy(o->io->output, r->sent.value, (size_t)r->sent.n * sizeof(double));
    run_get(r->model, r->inputs.number, r->inputs.n, o->io->input);
    return true;
}

bool run_open_xcp(RunCommand *r)
{
    Compilation *c = r->c;
    RunOptions *o = &r->run;
    if (!r->xcp_at)
        return true;
    o->probe = probe_new(c->arena);
    Xcp *x =
        xcp_new(c->flat->model, r->model, o->no_wait ? 0 : o->step / o->rate,
                o->control, o->probe, c->arena);
    r->xcp = xcp_open(r->xcp_at, x, c->arena, c->diag);
    return r->xcp != NULL;
}

bool run_write_a2l(RunCommand *r)
{
    Compilation *c = r->c;
    OutFile f;
    int n = 1 + r->with.n;
    if (!r->a2l)
        return true;
    A2lModel *model = NEW_ARRAY(c->arena, A2lModel, n);
    const RunModel *m = r->model;
    for (int i = 0; i < n; i++, m = m->next) {
        const Compilation *of = run_compilation(r, i);
        model[i] =
            (A2lModel){of->flat, of->code->out, m->prefix ? m->prefix : ""};
    }
    const char *text =
        target_a2l(c->code->name, TAKT_VERSION, model, n, c->arena);
    if (outfile_open(&f, r->a2l, c->arena)) {
        fputs(text, f.file);
        if (outfile_close(&f))
            return true;
    }
    diag_report(c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->a2l,
                strerror(errno));
    return false;
}

void run_warn_io(const RunCommand *r)
{
    const Io *io = r->run.io;
    int64_t ignored = 0, lost = 0;
    if (!io)
        return;
    io_count(io, &ignored, &lost);
    if (ignored + lost + io->failed > 0)
        diag_report(r->c->diag, NO_SPAN, DIAG_W1619,
                    "--io %s: %" PRId64 " ignored, %" PRId64 " lost, %" PRId64
                    " calls failed",
                    r->io, ignored, lost, io->failed);
}

void run_print_io(const RunCommand *r)
{
    const Io *io = r->run.io;
    if (io)
        printf("  %s: inputs in %" PRId64 " ticks, results of %" PRId64
               " steps\n",
               r->io, io->taken, io->given);
}

void run_put_io(const RunCommand *r, JsonOut *j)
{
    const Io *io = r->run.io;
    int64_t ignored = 0, lost = 0;
    if (!io)
        return;
    io_count(io, &ignored, &lost);
    json_begin_object(j, "io");
    json_put_text(j, "partner", r->io);
    json_put_count(j, "ticks_with_inputs", io->taken);
    json_put_count(j, "steps_given", io->given);
    json_put_count(j, "calls_failed", io->failed);
    json_put_count(j, "frames_ignored", ignored);
    json_put_count(j, "rows_lost", lost);
    json_end(j);
}
