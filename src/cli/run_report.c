/* run_report.c - what takt run says at its end. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/die.h"
#include "base/file.h"
#include "cli/run_command.h"

static const char *const end_word[] = {
    [RUN_DONE] = "stop",
    [RUN_SIGNAL] = "signal",
    [RUN_TERMINATED] = "terminated",
    [RUN_FAILED] = "failed",
    [RUN_TOO_LATE] = "overrun",
};

const char *run_speed(const RunCommand *r)
{
    if (r->run.no_wait)
        return "as fast as possible";
    if (r->run.rate == 1)
        return "in real time";
    return arena_printf(r->c->arena, "%g times as fast as real time",
                        r->run.rate);
}

/* ---- warnings ---- */

static void warn_overruns(RunCommand *r)
{
    const RunReport *p = &r->report;
    if (p->overruns == 0 || p->end == RUN_TOO_LATE)
        return;
    diag_report(r->c->diag, NO_SPAN, DIAG_W1607,
                "%" PRId64 " of %" PRId64
                " steps ended behind their deadline, the first is step %" PRId64
                "; the worst, step %" PRId64 " to time %.10g, by %.3g us",
                p->overruns, p->steps, p->first.step, p->worst.step,
                p->worst.time, 1e-3 * (double)p->worst.late);
    if (p->skipped > 0)
        diag_note(r->c->diag, NO_SPAN,
                  "%" PRId64 " ticks were skipped: the model is that far "
                  "behind",
                  p->skipped);
    if (r->run.means.priority == 0)
        diag_note(r->c->diag, NO_SPAN,
                  "--priority and --cpu keep other programs away; a larger "
                  "--step or a plan of takt tune needs less time");
}

static void warn_alarms(RunCommand *r)
{
    const RunReport *p = &r->report;
    const TaktRun *call = r->model->call;
    Span span = r->c->flat->span;
    for (int i = 1; i <= call->nblock + 1; i++)
        if (p->block[i] > 0)
            diag_report(r->c->diag, span, DIAG_W1608,
                        "in %" PRId64 " steps the block of %s did not "
                        "converge, or its factors were hardly to be trusted",
                        p->block[i], call->block_name(i));
    if (p->unsettled > 0)
        diag_report(r->c->diag, span, DIAG_W1608,
                    "%" PRId64 " steps ended before their events came to rest",
                    p->unsettled);
    for (int i = 1; i <= r->run.nmessage; i++)
        if (p->message[i] > 0)
            diag_report(r->c->diag, span, DIAG_W1321,
                        "in %" PRId64 " steps: %s", p->message[i],
                        call->message(i));
}

void run_warn(RunCommand *r)
{
    const RunOptions *o = &r->run;
    Diag *d = r->c->diag;
    warn_overruns(r);
    warn_alarms(r);
    if (o->recorder && o->recorder->lost > 0) {
        diag_report(d, NO_SPAN, DIAG_W1609,
                    "%" PRId64 " rows are missing in %s: it was written too "
                    "slowly",
                    o->recorder->lost, r->out);
        diag_note(d, NO_SPAN, "--every N writes every N-th step only");
    }
    if (o->udp_in && o->udp_in->malformed > 0)
        diag_report(d, NO_SPAN, DIAG_W1611,
                    "%" PRId64 " datagrams to %s were ignored: %d numbers of "
                    "8 bytes are expected, all finite",
                    o->udp_in->malformed, r->udp_in, o->udp_in->n);
    if (o->udp_out && o->udp_out->failed > 0)
        diag_report(d, NO_SPAN, DIAG_W1611,
                    "%" PRId64 " datagrams could not be sent to %s: does "
                    "anybody listen?",
                    o->udp_out->failed, r->udp_out);
}

/* ---- text ---- */

static void print_times(const char *what, const Histogram *h)
{
    if (h->n > 0)
        printf("  %-12s %9.3f %9.3f %9.3f %9.3f %9.3f\n", what,
               1e-3 * (double)h->min, 1e-3 * (double)histogram_quantile(h, 0.5),
               1e-3 * histogram_mean(h),
               1e-3 * (double)histogram_quantile(h, 0.999),
               1e-3 * (double)h->max);
}

static void print_means(const RunCommand *r)
{
    const ClockMeans *got = &r->report.got;
    if (r->run.no_wait)
        return;
    printf("  %s", got->lock ? "memory locked" : "memory not locked");
    if (got->priority)
        printf(", SCHED_FIFO priority %d", got->priority);
    if (got->cpu != NONE)
        printf(", on processor %d", got->cpu);
    printf("\n");
}

void run_print_text(const RunCommand *r)
{
    const RunReport *p = &r->report;
    const RunOptions *o = &r->run;
    double wall = 1e-9 * (double)p->wall;
    printf("  %" PRId64 " steps to time %.10g in %.6g s", p->steps, p->time,
           wall);
    if (p->end == RUN_SIGNAL)
        printf(", ended by a signal");
    if (p->end == RUN_TERMINATED)
        printf(", ended by the model%s%s", *p->where ? ": " : "", p->where);
    if (o->no_wait && wall > 0)
        printf(", %.3g times as fast as real time",
               (p->time - o->start) / wall);
    printf("\n  %-12s %9s %9s %9s %9s %9s\n", "us", "least", "median", "mean",
           "99.9 %", "largest");
    print_times("a step", &p->work);
    print_times("woken late", &p->wake);
    if (!o->no_wait)
        printf("  %" PRId64 " overruns of a period of %.6g us\n", p->overruns,
               1e6 * o->step / o->rate);
    print_means(r);
    if (o->recorder && o->recorder->file)
        printf("  %s: %d signals, %" PRId64 " rows\n", r->out, o->recorder->n,
               o->recorder->rows);
    if (o->udp_in)
        printf("  %" PRId64 " datagrams taken from %s\n", o->udp_in->taken,
               r->udp_in);
    if (o->udp_out)
        printf("  %" PRId64 " datagrams of %d numbers sent to %s\n",
               o->udp_out->sent, o->udp_out->n + 1, r->udp_out);
}

/* ---- JSON ---- */

static void add_count(cJSON *j, const char *name, int64_t n)
{
    cJSON_AddNumberToObject(j, name, (double)n);
}

/* Times in seconds. */
static void add_times(cJSON *j, const char *name, const Histogram *h)
{
    cJSON *o = cJSON_AddObjectToObject(j, name);
    add_count(o, "count", h->n);
    if (h->n == 0)
        return;
    cJSON_AddNumberToObject(o, "min", 1e-9 * (double)h->min);
    cJSON_AddNumberToObject(o, "median",
                            1e-9 * (double)histogram_quantile(h, 0.5));
    cJSON_AddNumberToObject(o, "mean", 1e-9 * histogram_mean(h));
    cJSON_AddNumberToObject(o, "p999",
                            1e-9 * (double)histogram_quantile(h, 0.999));
    cJSON_AddNumberToObject(o, "max", 1e-9 * (double)h->max);
    cJSON *list = cJSON_AddArrayToObject(o, "histogram");
    for (int i = 0; i < HISTOGRAM_SIZE; i++) {
        if (h->count[i] == 0)
            continue;
        double pair[2] = {1e-9 * (double)histogram_edge(i),
                          (double)h->count[i]};
        cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(pair, 2));
    }
}

static void add_late(cJSON *j, const char *name, const RunLate *l)
{
    cJSON *o = cJSON_AddObjectToObject(j, name);
    add_count(o, "step", l->step);
    cJSON_AddNumberToObject(o, "time", l->time);
    cJSON_AddNumberToObject(o, "late", 1e-9 * (double)l->late);
}

static void add_overruns(cJSON *j, const RunCommand *r)
{
    const RunReport *p = &r->report;
    cJSON *o = cJSON_AddObjectToObject(j, "overruns");
    cJSON_AddStringToObject(o, "policy", r->on_overrun);
    add_count(o, "count", p->overruns);
    add_count(o, "skipped", p->skipped);
    if (p->overruns > 0) {
        add_late(o, "first", &p->first);
        add_late(o, "worst", &p->worst);
    }
}

static void add_alarms(cJSON *j, const RunCommand *r)
{
    const RunReport *p = &r->report;
    const TaktRun *call = r->model->call;
    cJSON *o = cJSON_AddObjectToObject(j, "alarms");
    add_count(o, "not_converged", p->not_converged);
    add_count(o, "unsettled", p->unsettled);
    cJSON *block = cJSON_AddObjectToObject(o, "blocks");
    for (int i = 1; i <= call->nblock + 1; i++)
        if (p->block[i] > 0)
            add_count(block, call->block_name(i), p->block[i]);
    cJSON *message = cJSON_AddObjectToObject(o, "messages");
    for (int i = 1; i <= r->run.nmessage; i++)
        if (p->message[i] > 0)
            add_count(message, call->message(i), p->message[i]);
    if (p->end == RUN_FAILED || p->end == RUN_TERMINATED) {
        cJSON_AddStringToObject(o, "status", p->status);
        cJSON_AddStringToObject(o, "where", p->where);
    }
}

static void add_names(cJSON *j, const char *name, const RunList *list)
{
    cJSON *a = cJSON_AddArrayToObject(j, name);
    for (int i = 0; i < list->n; i++)
        cJSON_AddItemToArray(a, cJSON_CreateString(list->name[i]));
}

static void add_traffic(cJSON *j, const RunCommand *r)
{
    const RunOptions *o = &r->run;
    if (o->udp_in) {
        cJSON *u = cJSON_AddObjectToObject(j, "udp_in");
        add_names(u, "names", &r->inputs);
        add_count(u, "port", o->udp_in->port);
        add_count(u, "taken", o->udp_in->taken);
        add_count(u, "malformed", o->udp_in->malformed);
    }
    if (o->udp_out) {
        cJSON *u = cJSON_AddObjectToObject(j, "udp_out");
        add_names(u, "names", &r->sent);
        add_count(u, "sent", o->udp_out->sent);
        add_count(u, "failed", o->udp_out->failed);
    }
    if (o->recorder && o->recorder->file) {
        cJSON *u = cJSON_AddObjectToObject(j, "recorded");
        cJSON_AddStringToObject(u, "file", r->out);
        add_count(u, "rows", o->recorder->rows);
        add_count(u, "lost", o->recorder->lost);
    }
}

static void add_final(cJSON *j, const RunCommand *r)
{
    cJSON *o = cJSON_AddObjectToObject(j, "final");
    const RunList *list = &r->recorded;
    run_get(r->model, list->number, list->n, list->value);
    for (int i = 0; i < list->n; i++) {
        char text[32];
        double x = list->value[i];
        cJSON_AddRawToObject(o, list->name[i],
                             isfinite(x) ? number_text(x, text) : "null");
    }
}

void run_print_json(const RunCommand *r)
{
    const RunReport *p = &r->report;
    cJSON *j = cJSON_CreateObject();
    cJSON_AddStringToObject(j, "model", r->c->flat->model);
    cJSON_AddStringToObject(j, "method", r->c->method->name);
    cJSON_AddNumberToObject(j, "step", r->run.step);
    cJSON_AddNumberToObject(j, "start", r->run.start);
    cJSON_AddNumberToObject(j, "stop", p->time);
    cJSON_AddStringToObject(j, "ended", end_word[p->end]);
    add_count(j, "steps", p->steps);
    cJSON_AddBoolToObject(j, "real_time", !r->run.no_wait);
    cJSON_AddNumberToObject(j, "rate", r->run.rate);
    cJSON_AddNumberToObject(j, "wall", 1e-9 * (double)p->wall);
    cJSON_AddBoolToObject(j, "locked", p->got.lock);
    cJSON_AddNumberToObject(j, "priority", p->got.priority);
    cJSON_AddNumberToObject(j, "cpu", p->got.cpu);
    add_times(j, "step_time", &p->work);
    add_times(j, "lateness", &p->wake);
    add_overruns(j, r);
    add_alarms(j, r);
    add_traffic(j, r);
    add_final(j, r);
    char *text = cJSON_Print(j);
    if (!text)
        die("out of memory");
    puts(text);
    cJSON_free(text);
    cJSON_Delete(j);
}
