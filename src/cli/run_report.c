/* run_report.c - what takt run says at its end. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "cli/run_command.h"

static const char *const end_word[] = {
    [RUN_DONE] = "stop",
    [RUN_SIGNAL] = "signal",
    [RUN_TERMINATED] = "terminated",
    [RUN_FAILED] = "failed",
    [RUN_TOO_LATE] = "overrun",
    [RUN_SILENT] = "silence",
    [RUN_ORDERED] = "order",
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
                " steps ended after their deadline, the first is step %" PRId64
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

static const char *place_name(const RunModel *m, StatusCause cause, int i)
{
    switch (status_row[cause].of) {
    case OF_BLOCK: return m->call->block_name(i);
    case OF_MESSAGE: return m->call->message(i);
    case OF_VARIABLE: return m->call->name(i - 1);
    default: return "";
    }
}

/* The steps of a cause, by what it speaks of where that is known. */
static void warn_cause(Compilation *c, const RunModel *m, StatusCause cause,
                       const int64_t *count)
{
    const StatusRow *row = &status_row[cause];
    int64_t left = count[0];
    for (int i = alarms_nplace(m, cause); i >= 0; i--) {
        int64_t k = i == 0 ? left : count[i];
        if (k <= 0)
            continue;
        const char *where = i == 0 ? "" : place_name(m, cause, i);
        diag_report(c->diag, c->flat->span,
                    row->of == OF_MESSAGE && cause != CAUSE_EVENTS ? DIAG_W1321
                                                                   : DIAG_W1608,
                    "%s", status_count_text(row, k, where, c->arena));
        left -= k;
    }
}

static bool is_alarm(int cause)
{
    return status_row[cause].severity == SEVERITY_DOUBTFUL ||
           status_row[cause].severity == SEVERITY_NOTED;
}

/* Each model has its messages for itself. */
static void warn_alarms(RunCommand *r)
{
    const RunModel *m = r->model;
    for (int k = 0; m; k++, m = m->next) {
        const RunAlarms *a =
            k == 0 ? &r->report.alarms : &r->run.mates->at[k - 1].alarms;
        for (int i = 0; i < STATUS_NCAUSE; i++)
            if (is_alarm(i))
                warn_cause(run_compilation(r, k), m, (StatusCause)i,
                           a->cause[i]);
    }
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
    run_warn_io(r);
    if (o->udp_in && o->udp_in->malformed > 0)
        diag_report(d, NO_SPAN, DIAG_W1611,
                    "%" PRId64 " datagrams to %s were ignored: %d numbers of "
                    "8 bytes are expected, all finite",
                    o->udp_in->malformed, r->udp_in, o->udp_in->n);
    if (o->udp_in && o->udp_in->lost + o->udp_in->stale > 0)
        diag_report(d, NO_SPAN, DIAG_W1616,
                    "of the datagrams to %s %" PRId64 " were lost, %" PRId64
                    " came too late",
                    r->udp_in, o->udp_in->lost, o->udp_in->stale);
    if (r->report.silences > 0 && r->report.end != RUN_SILENT)
        diag_report(d, NO_SPAN, DIAG_W1616,
                    "inputs fell silent %" PRId64 " times, for %" PRId64
                    " steps",
                    r->report.silences, r->report.silent);
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
        printf(", ended by %s%s%s", *p->who ? p->who : "the model",
               *p->where ? ": " : "", p->where);
    if (o->no_wait && wall > 0)
        printf(", %.3g times as fast as real time",
               (p->time - o->start) / wall);
    printf("\n  %-12s %9s %9s %9s %9s %9s\n", "us", "least", "median", "mean",
           "99.9 %", "largest");
    print_times("a step", &p->work);
    print_times("woken late", &p->wake);
    print_times("to results", &p->response);
    if (!o->no_wait && o->deadline > 0)
        printf("  %" PRId64 " overruns of a deadline of %.6g us in a period of "
               "%.6g us\n",
               p->overruns, 1e6 * o->deadline, 1e6 * o->step / o->rate);
    else if (!o->no_wait)
        printf("  %" PRId64 " overruns of a period of %.6g us\n", p->overruns,
               1e6 * o->step / o->rate);
    if (!o->no_wait && p->response.n > 0)
        printf("  delta_min %.3f us: no result took longer from its tick on\n",
               1e-3 * (double)p->response.max);
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
    run_print_mates(r);
    run_print_io(r);
    run_print_control(r);
}

/* ---- JSON ---- */

/* A quotient is as near to the decimal number as can be: 1e-9 would be
 * rounded before the product is. */
static double seconds(double ns)
{
    return ns / 1e9;
}

static void put_histogram(JsonOut *j, const Histogram *h)
{
    json_put_number(j, "min", seconds((double)h->min));
    json_put_number(j, "median", seconds((double)histogram_quantile(h, 0.5)));
    json_put_number(j, "mean", seconds(histogram_mean(h)));
    json_put_number(j, "p999", seconds((double)histogram_quantile(h, 0.999)));
    json_put_number(j, "max", seconds((double)h->max));
    json_begin_array(j, "histogram");
    for (int i = 0; i < HISTOGRAM_SIZE; i++) {
        if (h->count[i] == 0)
            continue;
        json_begin_array(j, NULL);
        json_put_number(j, NULL, seconds((double)histogram_edge(i)));
        json_put_count(j, NULL, h->count[i]);
        json_end(j);
    }
    json_end(j);
}

static void put_times(JsonOut *j, const char *name, const Histogram *h)
{
    json_begin_object(j, name);
    json_put_count(j, "count", h->n);
    if (h->n > 0)
        put_histogram(j, h);
    json_end(j);
}

static void put_late(JsonOut *j, const char *name, const RunLate *l)
{
    json_begin_object(j, name);
    json_put_count(j, "step", l->step);
    json_put_number(j, "time", l->time);
    json_put_number(j, "late", seconds((double)l->late));
    json_end(j);
}

static void put_overruns(JsonOut *j, const RunCommand *r)
{
    const RunReport *p = &r->report;
    json_begin_object(j, "overruns");
    json_put_text(j, "policy", r->on_overrun);
    json_put_count(j, "count", p->overruns);
    json_put_count(j, "skipped", p->skipped);
    if (p->overruns > 0) {
        put_late(j, "first", &p->first);
        put_late(j, "worst", &p->worst);
    }
    json_end(j);
}

/* Steps by name of block or message, over all causes that speak of them. */
static void put_places(JsonOut *j, const RunModel *m, const RunAlarms *a,
                       const char *name, StatusCause any)
{
    json_begin_object(j, name);
    for (int i = 1; i <= alarms_nplace(m, any); i++) {
        int64_t n = 0;
        for (int k = 0; k < STATUS_NCAUSE; k++)
            if (status_row[k].of == status_row[any].of)
                n += a->cause[k][i];
        if (n > 0)
            json_put_count(j, place_name(m, any, i), n);
    }
    json_end(j);
}

void run_put_alarms(JsonOut *j, const RunModel *m, const RunAlarms *a)
{
    for (int i = 0; i < STATUS_NCAUSE; i++)
        if (is_alarm(i))
            json_put_count(j, status_row[i].word, a->cause[i][0]);
    put_places(j, m, a, "blocks", CAUSE_WARNING);
    put_places(j, m, a, "messages", CAUSE_REMARK);
}

static void put_alarms(JsonOut *j, const RunCommand *r)
{
    const RunReport *p = &r->report;
    json_begin_object(j, "alarms");
    run_put_alarms(j, r->model, &p->alarms);
    if (p->end == RUN_FAILED || p->end == RUN_TERMINATED) {
        json_put_text(j, "status", p->status);
        json_put_text(j, "where", p->where);
        if (*p->who)
            json_put_text(j, "model", p->who);
    }
    json_end(j);
}

static void put_names(JsonOut *j, const char *name, const RunList *list)
{
    json_begin_array(j, name);
    for (int i = 0; i < list->n; i++)
        json_put_text(j, NULL, list->name[i]);
    json_end(j);
}

static void put_traffic(JsonOut *j, const RunCommand *r)
{
    const RunOptions *o = &r->run;
    if (o->udp_in) {
        json_begin_object(j, "udp_in");
        put_names(j, "names", &r->inputs);
        json_put_count(j, "port", o->udp_in->port);
        json_put_count(j, "taken", o->udp_in->taken);
        json_put_count(j, "malformed", o->udp_in->malformed);
        json_put_count(j, "lost", o->udp_in->lost);
        json_put_count(j, "stale", o->udp_in->stale);
        json_end(j);
    }
    if (o->udp_out) {
        json_begin_object(j, "udp_out");
        put_names(j, "names", &r->sent);
        json_put_count(j, "sent", o->udp_out->sent);
        json_put_count(j, "failed", o->udp_out->failed);
        json_end(j);
    }
    if (o->recorder && o->recorder->file) {
        json_begin_object(j, "recorded");
        json_put_text(j, "file", r->out);
        json_put_count(j, "rows", o->recorder->rows);
        json_put_count(j, "lost", o->recorder->lost);
        json_end(j);
    }
}

static void put_final(JsonOut *j, const RunCommand *r)
{
    const RunList *list = &r->recorded;
    run_get(r->model, list->number, list->n, list->value);
    json_begin_object(j, "final");
    for (int i = 0; i < list->n; i++)
        json_put_number(j, list->name[i], list->value[i]);
    json_end(j);
}

void run_print_json(const RunCommand *r)
{
    const RunReport *p = &r->report;
    JsonOut out = json_start(stdout, JSON_INDENTED), *j = &out;
    json_begin_object(j, NULL);
    json_put_text(j, "model", r->c->flat->model);
    json_put_text(j, "method", r->c->method->name);
    json_put_number(j, "step", r->run.step);
    json_put_number(j, "start", r->run.start);
    json_put_number(j, "stop", p->time);
    json_put_text(j, "ended", end_word[p->end]);
    json_put_count(j, "steps", p->steps);
    json_put_bool(j, "real_time", !r->run.no_wait);
    json_put_number(j, "rate", r->run.rate);
    json_put_number(j, "wall", seconds((double)p->wall));
    json_put_bool(j, "locked", p->got.lock);
    json_put_count(j, "priority", p->got.priority);
    json_put_count(j, "cpu", p->got.cpu);
    put_times(j, "step_time", &p->work);
    put_times(j, "lateness", &p->wake);
    put_times(j, "response", &p->response);
    json_put_number(j, "delta_min", seconds((double)p->response.max));
    if (r->run.deadline > 0)
        json_put_number(j, "deadline", r->run.deadline);
    put_overruns(j, r);
    put_alarms(j, r);
    put_traffic(j, r);
    run_put_mates(r, j);
    run_put_io(r, j);
    run_put_control(r, j);
    put_final(j, r);
    json_end(j);
    json_finish(j);
}
