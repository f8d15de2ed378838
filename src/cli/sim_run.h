/* sim_run.h - a run of `takt sim`: what was asked, what came of it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_SIM_RUN_H
#define TAKT_CLI_SIM_RUN_H

#include "base/json.h"
#include "cli/options.h"
#include "cli/record.h"
#include "driver/driver.h"
#include "linear/linear.h"
#include "adaptive/adaptive.h"
#include "result/compare.h"
#include "rounding/rounding.h"
#include "trail/agreement.h"
#include "trail/follow.h"
#include "trail/trail.h"

/* A signal of the reference and how far the run is from it. */
typedef struct SimTube {
    const char *name;
    bool is_missing; /* the model has no such variable */
    TubeResult result;
} SimTube;

typedef struct SimTubes {
    SimTube *at; /* NULL: nothing was compared */
    int n, nmissing, noutside;
} SimTubes;

typedef struct EstimateLog EstimateLog;

/* A state in runs with half the step and a quarter of it (sim_verify.c). */
typedef struct SimHalved {
    const char *name;
    double first, second; /* how far h and h/2, h/2 and h/4 differ, of the range
                             of the state */
    double order;         /* that this shows */
} SimHalved;

typedef struct SimHalvedList {
    SimHalved *at; /* largest first difference first */
    int n;         /* 0: not asked for */
} SimHalvedList;

typedef struct SimRun {
    DriverOptions driver;
    TextList library, set, plot_vars;
    const char *out, *plot, *input, *compare, *filter;
    const char *save_state, *from_state, *estimates;
    double change, change_atol; /* 0: nobody looks at changes */
    bool change_stops;
    bool is_reference; /* IDA or CVODE, */
    bool is_default;   /* chosen by takt, or radau5 after it */
    AdaptiveOptions adaptive;
    AdaptiveStats adaptive_stats;
    double tube;
    int every;
    const char *events;     /* grid or exact */
    const char *reuse;      /* on or off: --method completion, partition */
    const char *array_rows; /* needed or all: --method partition */
    bool json, quiet, is_static, exact, verify, once, is_timed;
    double processor; /* seconds of the run, from its initialisation on */
    bool keeps_rows;  /* in memory */
    /* the run */
    Compilation *c;
    Sim *sim;
    Linear *linear; /* at the start, where method and step were chosen by it */
    ModeWatch *watch;   /* of a run with a fixed step; NULL: no spectrum */
    Rounding *rounding; /* NULL: nobody looks */
    Follow *follow;     /* the same */
    bool is_other;      /* made to be compared with: others say what is wrong */
    long most_parts;    /* of steps, in such a run; 0: any number */
    const char *why;    /* this method and step: a line, or NULL */
    Record *record;
    EstimateLog *log; /* NULL: not asked for, or nothing yet */
    SimTubes tubes;
    SimHalvedList halved;
    Trail *trail; /* what the run went through; NULL: its step is fixed */
    SimAgreement agreement;
    SimShift shift; /* of a run made to see what hangs on a relation */
    double shown;   /* when progress was shown last */
    long rows;
} SimRun;

/* Options (sim_options.c). */
SimRun sim_defaults(void);
const Option *sim_table(SimRun *r, Arena *arena);
/* Fills in what follows from the options. Returns what is wrong, or NULL. */
const char *sim_take(SimRun *r, const TextList *args, Arena *arena);

/* Looks at the modes of the model at a row of the run, and at what rounding
 * does to it (sim_modes.c). */
void sim_modes_look(SimRun *r, const Sim *sim, double time);

/* Draws what --plot asks for, with the reference of --compare (sim_plot.c).
 * Returns false after a report. */
bool sim_plot(SimRun *r, const Table *reference);

/* Compiles the model for the run that the options want (sim.c), */
bool sim_prepare(SimRun *r);
/* of which this is the last part: a Sim, */
bool sim_make(SimRun *r);
/* makes the run, */
bool sim_march(SimRun *r);
/* and frees it all. Returns the exit code. */
int sim_discard(SimRun *r);

/* Runs with smaller steps; `asked` are the options as they were read. Reports
 * where one fails. */
void verify_run(SimRun *r, const SimRun *asked);
void verify_print(const SimRun *r);
void verify_put(JsonOut *j, const SimRun *r);

/* Keeps a row of a run with step-size control, and makes such a run again with
 * other tolerances: how far do they agree? */
void again_row(SimRun *r, const Sim *sim, double time);
void again_run(SimRun *r);

/* A row of the file of --estimates, and its end (estimate_log.c). Both return
 * false after a report. */
bool estimate_log_row(SimRun *r, const Sim *sim, double time);
bool estimate_log_close(SimRun *r);

/* What is said at the end (sim_text.c). */
/* Quiet runs say how the comparison ended, nothing else. */
void sim_text_summary(const SimRun *r);
void sim_text_json(const SimRun *r, bool fine);
/* Chattering and missed tolerances are said, not hidden. */
void sim_text_warn(SimRun *r);

/* The name of a state of the Dae (trust_text.c), */
const char *sim_state_name(const SimRun *r, int state);
/* and how far the run can be trusted: a line, JSON, warnings. */
void trust_print(const SimRun *r);
void trust_put(JsonOut *j, const SimRun *r);
void trust_warn(SimRun *r);

#endif
