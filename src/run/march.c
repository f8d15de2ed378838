/* march.c - the loop.
 *
 * Nothing in a tick allocates, locks or waits for anybody but the clock. Work
 * of a tick is bounded: at most UDP_MOST_TICK datagrams are looked at, and a
 * full ring is passed by.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "run/march_internal.h"

enum {
    LEAD = 2000000,  /* ns from the last preparation to the first tick */
    NAP = 100000000, /* a signal that comes before a wait is seen after this */
    IDLE = 1000000   /* of a run without deadlines that is paused */
};

void run_report_init(RunReport *r, const RunModel *m, const RunOptions *o,
                     Arena *arena)
{
    alarms_init(&r->alarms, m, arena);
    r->time = o->start;
    r->who = r->where = r->status = "";
}

static double time_of(const RunOptions *o, int64_t k)
{
    return o->start + (double)k * o->step;
}

double loop_time(const March *a, int64_t k)
{
    return time_of(a->o, k);
}

/* ---- inputs ---- */

/* Less than `time`, also where the slack is lost in rounding. */
static double before(double time, double slack)
{
    double x = time - slack;
    return x < time ? x : nextafter(time, -INFINITY);
}

/* As in sim/: at the end of a step a jump of the table has not happened yet,
 * at the start it has. */
static void set_from_table(RunModel *m, const RunOptions *o, double from,
                           double to)
{
    double slack = 1e-7 * (to - from), time = from + (to - from);
    double side = to > from ? before(time, slack) : time;
    for (int i = 0; i < o->ninput; i++)
        if (o->input[i] != NONE && o->from[i].column != NONE)
            run_set(m, o->input[i],
                    table_input_at(o->table, &o->from[i], 0, time, side));
}

/* Inputs that nobody gives are constant, and so are their derivatives. */
static void set_constants(RunModel *m, const RunOptions *o)
{
    for (int i = 0; o->given && i < o->ninput; i++)
        if (o->input[i] != NONE && !isnan(o->given[i]))
            run_set(m, o->input[i], o->given[i]);
}

/* Inputs from datagrams, or all of them 0. */
static void set_inputs(March *a, const double *value)
{
    const RunOptions *o = a->o;
    for (int i = 0; i < o->ninput; i++)
        if (o->input[i] != NONE && !(o->is_played && o->is_played[i]))
            run_set(a->m, o->input[i], value ? value[i] : 0);
}

/* No datagram came: for too long? Returns false if the run ends here. */
static bool watch_silence(March *a)
{
    const RunOptions *o = a->o;
    if (o->watchdog == 0 || a->since == NONE || ++a->since < o->watchdog)
        return true;
    a->r->silences += a->since == o->watchdog;
    a->r->silent++;
    if (o->silence == RUN_ZERO && a->since == o->watchdog)
        set_inputs(a, NULL);
    if (o->silence != RUN_END)
        return true;
    a->r->end = RUN_SILENT;
    return false;
}

static bool take_inputs(March *a)
{
    const RunOptions *o = a->o;
    if (o->table)
        set_from_table(a->m, o, time_of(o, a->k), time_of(o, a->k + 1));
    const double *value = NULL;
    if (o->mates)
        mates_give(o->mates, a->m);
    if (o->udp_in && udp_in_poll(o->udp_in))
        value = o->udp_in->value;
    if (o->io && o->io->ninput > 0 && io_take(o->io))
        value = o->io->input;
    if (!value)
        return watch_silence(a);
    a->since = 0;
    set_inputs(a, value);
    return true;
}

/* All models from given parameters and inputs on. Returns a status; below 0 it
 * is that of model `which` beside the first, or of the first (NONE). */
static int start(RunModel *m, const RunOptions *o, int *which)
{
    *which = NONE;
    set_constants(m, o);
    if (o->table)
        set_from_table(m, o, o->start, o->start);
    int status = m->call->start(m->m);
    return status >= 0 && o->mates ? mates_start(o->mates, m, which) : status;
}

/* A step of model `which` ends the run. */
static bool end_at(March *a, int which, int status)
{
    RunReport *r = a->r;
    const Mate *mate = which == NONE ? NULL : &a->o->mates->at[which];
    const RunModel *m = mate ? mate->m : a->m;
    r->end = status < 0 ? RUN_FAILED : RUN_TERMINATED;
    r->status = m->call->status_text(status);
    r->where = m->call->where(m->m);
    r->who = mate ? mate->name : "";
    return false;
}

bool loop_start(March *a)
{
    int which, status = start(a->m, a->o, &which);
    return status >= 0 || end_at(a, which, status);
}

void loop_set_defaults(RunModel *first)
{
    for (RunModel *m = first; m; m = m->next)
        m->call->defaults(m->m);
}

bool run_start(RunModel *m, const RunOptions *o, Diag *diag)
{
    loop_set_defaults(m);
    int which, status = start(m, o, &which);
    if (status >= 0)
        return true;
    const Mate *mate = which == NONE ? NULL : &o->mates->at[which];
    const RunModel *bad = mate ? mate->m : m;
    const char *where = bad->call->where(bad->m);
    diag_report(diag, NO_SPAN, DIAG_E1604, "%s cannot be initialised: %s%s%s",
                mate ? mate->name : "the model", bad->call->status_text(status),
                *where ? ": " : "", where);
    return false;
}

/* ---- results ---- */

static void record(March *a)
{
    Recorder *w = a->o->recorder;
    double *row = recorder_room(w);
    if (!row)
        return;
    row[0] = time_of(a->o, a->k);
    run_get(a->m, w->number, w->n, row + 1);
    recorder_push(w, a->k);
}

static bool is_recorded(const March *a)
{
    return a->o->recorder && a->o->recorder->file;
}

static int64_t deadline_of(const March *a)
{
    const RunOptions *o = a->o;
    return o->deadline > 0 ? a->due + (int64_t)(1e9 * o->deadline)
                           : clock_tick(&a->ticks, a->tick + 1);
}

static void send_results(March *a)
{
    UdpOut *u = a->o->udp_out;
    if (u && a->has_datagram) {
        u->stamp = u->has_header ? clock_now() : 0;
        udp_out_send(u);
    }
    if (a->o->io)
        io_give(a->o->io, a->ready);
}

/* Results of a step. Those that come too late wait where they are to hold. */
static void hand_out(March *a)
{
    const RunOptions *o = a->o;
    UdpOut *u = o->udp_out;
    a->has_datagram = u && a->k % u->every == 0;
    a->ready = time_of(o, a->k);
    if (a->has_datagram) {
        u->value[0] = a->ready;
        run_get(a->m, u->number, u->n, u->value + 1);
    }
    if (o->io)
        run_get(a->m, o->io->number, o->io->noutput, o->io->output);
    if (a->has_datagram || o->io) {
        a->is_held = o->overrun == RUN_HOLD && !o->no_wait &&
                     clock_now() > deadline_of(a);
        a->r->held += a->is_held;
        if (!a->is_held)
            send_results(a);
    }
    int64_t ready = clock_now();
    histogram_add(&a->r->response, ready - a->due);
    if (is_recorded(a) && a->k % o->recorder->every == 0)
        record(a);
}

static void show(March *a)
{
    const RunReport *r = a->r;
    Live *l = a->o->live;
    Feed *f = a->o->feed;
    const LiveFigures now = {.time = time_of(a->o, a->k),
                             .steps = a->k,
                             .work = a->work,
                             .longest = r->work.max,
                             .late = a->woken,
                             .overruns = r->overruns,
                             .skipped = r->skipped};
    if (l)
        live_write(l, &now);
    double *value = f && a->k != a->shown ? feed_room(f) : NULL;
    if (!value)
        return;
    a->shown = a->k;
    run_get(a->m, f->number, f->n, value);
    feed_push(f, &now);
}

/* ---- a tick ---- */

static void wait_for_tick(March *a)
{
    int64_t due = clock_tick(&a->ticks, a->tick);
    a->woken = 0;
    a->due = a->o->no_wait ? clock_now() : due;
    int64_t now = a->o->no_wait ? due : clock_now();
    if (now >= due) { /* the one before it took too long */
        a->woken = now - due;
        return;
    }
    for (; due - now > 2 * NAP && !clock_caught(); now = clock_now())
        clock_wait(now + NAP);
    if (clock_caught())
        return;
    clock_wait(due);
    a->woken = clock_now() - due;
    if (!clock_caught())
        histogram_add(&a->r->wake, a->woken);
}

/* What a step has to say. Returns false if the run ends here. */
static bool note_status(March *a, int status)
{
    if (status == STATUS_FINE)
        return true;
    if (status < 0 || status == STATUS_TERMINATED)
        return end_at(a, NONE, status);
    alarms_note(&a->r->alarms, a->m);
    return true;
}

/* Is the tick over in time? Returns false if the run ends here. */
static bool look_at_clock(March *a)
{
    RunReport *r = a->r;
    if (a->o->no_wait)
        return true;
    int64_t end = clock_now(), late = end - deadline_of(a);
    a->tick++;
    if (late <= 0)
        return true;
    RunLate here = {a->k, time_of(a->o, a->k), late};
    if (r->overruns++ == 0)
        r->first = here;
    if (late > r->worst.late)
        r->worst = here;
    if (a->o->overrun == RUN_SKIP || a->o->overrun == RUN_HOLD) {
        int64_t next = clock_next(&a->ticks, end);
        if (next > a->tick) {
            r->skipped += next - a->tick;
            a->tick = next;
        }
    }
    if (a->o->overrun != RUN_STOP)
        return true;
    r->end = RUN_TOO_LATE;
    return false;
}

/* A tick without a step: time stands still, datagrams are taken all the same.
 */
static bool rest(March *a)
{
    if (a->o->udp_in)
        udp_in_poll(a->o->udp_in);
    if (a->o->io && a->o->io->ninput > 0)
        io_take(a->o->io);
    if (a->o->no_wait)
        clock_wait(clock_now() + IDLE);
    a->r->paused++;
    a->tick++;
    if (a->o->probe)
        probe_serve(a->o->probe, a->m, NONE, 0);
    show(a);
    return true;
}

/* Signals, orders, results that were held. Returns false if the run ends. */
static bool begin_tick(March *a)
{
    wait_for_tick(a);
    if (clock_caught()) {
        a->r->end = RUN_SIGNAL;
        return false;
    }
    if (a->is_held)
        send_results(a);
    a->is_held = false;
    return loop_obey(a);
}

/* The others whose turn it is. Returns false if the run ends here. */
static bool step_mates(March *a)
{
    int which = 0;
    int status = mates_step(a->o->mates, a->m, a->k, &which);
    return status == 0 || end_at(a, which, status);
}

bool loop_work(March *a)
{
    loop_play(a);
    if (!take_inputs(a))
        return false;
    int64_t begin = clock_now();
    int status = a->m->call->step(a->m->m);
    a->work = clock_now() - begin;
    histogram_add(&a->r->work, a->work);
    if (status >= 0)
        a->k++;
    bool goes_on = note_status(a, status);
    if (status >= 0 && a->o->mates)
        goes_on &= step_mates(a);
    if (status >= 0) {
        hand_out(a);
        if (a->o->probe)
            probe_serve(a->o->probe, a->m, a->k, a->due);
        loop_look(a);
    }
    show(a);
    return look_at_clock(a) && goes_on;
}

static bool do_tick(March *a)
{
    if (!begin_tick(a))
        return false;
    if (a->is_paused && a->allowed == 0)
        return rest(a);
    a->allowed -= a->is_paused;
    return loop_work(a);
}

/* ---- the entry ---- */

static void explain_end(const March *a, Diag *diag)
{
    const RunReport *r = a->r;
    if (r->end == RUN_FAILED)
        diag_report(diag, NO_SPAN, DIAG_E1605,
                    "step %lld, from time %.10g: %s%s%s%s%s",
                    (long long)a->k + 1, r->time, r->who, *r->who ? ": " : "",
                    r->status, *r->where ? ": " : "", r->where);
    if (r->end == RUN_TOO_LATE)
        diag_report(diag, NO_SPAN, DIAG_E1603,
                    "step %lld, to time %.10g, ended %.3g us after its "
                    "deadline: it began %.3g us late and took %.3g us of a "
                    "period of %.6g us",
                    (long long)r->first.step, r->first.time,
                    1e-3 * (double)r->first.late, 1e-3 * (double)a->woken,
                    1e-3 * (double)a->work, 1e6 * a->o->step / a->o->rate);
    if (r->end == RUN_SILENT)
        diag_report(diag, NO_SPAN, DIAG_E1615,
                    "step %lld, from time %.10g: no inputs have come for %lld "
                    "steps",
                    (long long)a->k + 1, r->time, (long long)a->since);
}

bool run_march(RunModel *m, const RunOptions *o, RunReport *r, Diag *diag)
{
    March a = {.m = m, .o = o, .r = r, .since = NONE, .shown = NONE};
    ClockSaved saved;
    loop_note_parameters(&a);
    loop_look(&a);
    if (is_recorded(&a))
        record(&a);
    show(&a);
    r->got = clock_take(&o->means, &saved, diag);
    r->end = RUN_DONE;
    int64_t begin = clock_now() + (o->no_wait ? 0 : LEAD);
    a.ticks = clock_ticks(1e9 * o->step / o->rate, begin);
    while ((o->nstep == NONE || a.k < o->nstep) && do_tick(&a))
        continue;
    r->wall = clock_now() - begin;
    r->wall = r->wall > 0 ? r->wall : 0;
    clock_give_back(&r->got, &saved);
    if (is_recorded(&a) && o->recorder->last != a.k)
        record(&a);
    r->steps = a.k;
    r->time = time_of(o, a.k);
    explain_end(&a, diag);
    return r->end != RUN_FAILED && r->end != RUN_TOO_LATE &&
           r->end != RUN_SILENT;
}
