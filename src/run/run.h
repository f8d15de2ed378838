/* run.h - a generated step that holds a deadline.
 *
 *   in    RunModel     generated C, compiled and loaded           model.h
 *         RunOptions   how long, how fast, what to do when late
 *   out   RunReport    what was measured
 *
 * Tick j begins at the time T + j * period of the monotonic clock, where the
 * period is the step over the rate. In a tick, in this order: wait, obey
 * orders, take inputs, step, hand out the results, look at the clock. A tick
 * that ends after its deadline, which is the beginning of the next one unless
 * it is set, is an overrun. Times are multiples of an integer count, never
 * sums: nothing drifts.
 *
 *   wait      clock_nanosleep to an absolute time                 clock.h
 *   orders    pause, step, reset, parameters                      control.h
 *             those of a scenario, and its expectations           scenario.h
 *   inputs    a table over time, or datagrams                     udp.h
 *             CAN, shared memory, drivers of users                io/io.h
 *   others    models with steps that are multiples                mates.h
 *   results   a ring to the thread that writes the file           record.h
 *             datagrams                                           udp.h
 *             quantities that XCP asks for                        probe.h
 *             every step for the page                             feed.h
 *             the latest figures, for who looks                   live.h
 *   alarms    counted by cause and place                          alarms.h
 *   figures   histograms of a fixed size                          histogram.h
 *
 * All memory is there before the first tick, and the loop calls nothing that
 * allocates or locks; what it cannot hand over in time is dropped and counted.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_RUN_H
#define TAKT_RUN_RUN_H

#include "io/io.h"
#include "result/table.h"
#include "run/alarms.h"
#include "run/clock.h"
#include "run/control.h"
#include "run/feed.h"
#include "run/histogram.h"
#include "run/model.h"
#include "run/live.h"
#include "run/mates.h"
#include "run/probe.h"
#include "run/record.h"
#include "run/scenario.h"
#include "run/udp.h"

typedef enum RunOverrun {
    RUN_CONTINUE, /* the next tick begins at once: the run catches up */
    RUN_SKIP, /* ticks that have begun are left out: the model stays behind */
    RUN_STOP, /* the run ends */
    RUN_HOLD, /* as RUN_SKIP; results that are late are sent with the next tick:
                 the last ones hold until then */
} RunOverrun;

/* What inputs are when no datagram has come for a while. */
typedef enum RunSilence {
    RUN_LAST, /* the last ones */
    RUN_ZERO,
    RUN_END, /* the run ends */
} RunSilence;

typedef struct RunOptions {
    double start, step; /* of the model, s */
    int64_t nstep;      /* NONE: until a signal comes */
    double rate;        /* seconds of the model in a second */
    bool no_wait;       /* as fast as possible, without deadlines */
    RunOverrun overrun; /* what to do about one */
    double deadline;    /* s of the clock after the beginning of a tick; 0: the
                           period */
    ClockMeans means;   /* asked for */
    const int *input;   /* number of each input in the model, NONE: unused */
    int ninput;
    const Table *table;     /* of inputs over time, or NULL */
    const TableInput *from; /* it, of each input; column NONE: it has none */
    const double
        *given; /* of each input at the start; NAN: as the model says */
    const bool *is_played; /* of each input: the scenario gives it; or NULL */
    UdpIn *udp_in;         /* or NULL */
    Io *io;                /* a partner that gives and takes; or NULL */
    int64_t watchdog; /* steps without a datagram, after the first one; 0: none
                       */
    RunSilence silence; /* what then */
    Control *control;   /* or NULL */
    Scenario *scenario; /* or NULL */
    UdpOut *udp_out;    /* or NULL */
    Recorder *recorder; /* or NULL */
    Live *live;         /* latest figures for other threads; or NULL */
    Mates *mates;       /* other models in the same run; or NULL */
    Probe *probe;       /* quantities for who measures; or NULL */
    Feed *feed;         /* every step, for a page; or NULL */
} RunOptions;

/* Where a step came too late. */
typedef struct RunLate {
    int64_t step; /* number, from 1 */
    double time;  /* of the model at its end */
    int64_t late; /* ns after its deadline */
} RunLate;

typedef enum RunEnd {
    RUN_DONE,       /* all steps were made */
    RUN_SIGNAL,     /* SIGINT, SIGTERM, SIGHUP */
    RUN_TERMINATED, /* by terminate() of the model */
    RUN_FAILED,     /* a step failed */
    RUN_TOO_LATE,   /* an overrun, with RUN_STOP */
    RUN_SILENT,     /* no inputs came, with RUN_END */
    RUN_ORDERED,    /* by an order */
} RunEnd;

typedef struct RunReport {
    RunEnd end;
    int64_t steps;      /* that were made */
    double time;        /* of the model, at the end */
    int64_t wall;       /* ns from the first tick to the end */
    ClockMeans got;     /* of what was asked for */
    Histogram work;     /* ns of each step */
    Histogram wake;     /* ns from the time asked for to that of waking up */
    Histogram response; /* ns from inputs ready to results ready: its largest
                           is delta_min (Schiela 2.3.1). Inputs are ready when
                           the tick begins */
    int64_t overruns, skipped, held;
    int64_t paused;           /* ticks without a step, as ordered */
    int64_t resets, changes;  /* of the model, and of parameters */
    int64_t silences, silent; /* times that inputs fell silent, and steps */
    RunLate first, worst;     /* of the overruns */
    RunAlarms alarms;         /* of the first model */
    const char *who;          /* a failed step: another model, or "" */
    const char *where;  /* a failed step: block, or message of the model */
    const char *status; /* of it, for people */
} RunReport;

/* Makes the arrays of a report. */
void run_report_init(RunReport *r, const RunModel *m, const RunOptions *o,
                     Arena *arena);
/* Initial values of all models. Returns false after a report (E1604). */
bool run_start(RunModel *m, const RunOptions *o, Diag *diag);
/* Comes after run_start. The loop, until the end. Says what ended it early
 * (E1603, E1605) and returns false then; the report is filled in any case. */
bool run_march(RunModel *m, const RunOptions *o, RunReport *r, Diag *diag);

#endif
