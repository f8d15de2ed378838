/* run_command.h - what takt run was asked for and what came of it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_RUN_COMMAND_H
#define TAKT_CLI_RUN_COMMAND_H

#include "base/json.h"
#include "cli/step_options.h"
#include "run/console.h"
#include "run/page.h"
#include "run/run.h"
#include "run/xcp.h"

/* Quantities of the model by name. */
typedef struct RunList {
    const char **name;
    int *number;   /* in the model; NONE: a constant, or one that is not read */
    double *value; /* of a constant */
    int n;
} RunList;

typedef struct RunCommand {
    StepOptions step;
    RunOptions run;
    const char *on_overrun, *input, *udp_in, *udp_out, *out; /* or NULL */
    const char *page_at, *control_at, *scenario, *junit;     /* or NULL */
    const char *on_silence, *io, *xcp_at, *a2l;              /* or NULL */
    Page *page;
    Console *console;
    XcpServer *xcp;
    int every, udp_every, watchdog;
    bool forever, json, quiet, no_cache, udp_header, paused;
    bool talks; /* neither json nor quiet */
    Compilation *c;
    RunModel *model;
    RunReport report;
    RunList inputs, sent, recorded;
    TextList with, connect; /* other models */
    Compilation **mate;     /* of each of `with` */
    int nplain;             /* inputs of all models; then derivatives of those
                               of the first */
} RunCommand;

/* --- run_lists.c */

void run_find_inputs(RunCommand *r);
void run_find_sent(RunCommand *r);
void run_find_recorded(RunCommand *r);
RunList run_find_shown(RunCommand *r);
const char *const *run_find_units(const RunCommand *r, const RunList *list);
/* How input i is read from a table. */
void run_input_kind(const RunCommand *r, int i, TableInput *to);

/* --- run_control.c */

void run_find_parameters(RunCommand *r);
bool run_read_scenario(RunCommand *r); /* false after a report */
void run_judge_scenario(RunCommand *r);
int run_count_failed(const RunCommand *r); /* expectations */
void run_print_control(const RunCommand *r);
void run_put_control(const RunCommand *r, JsonOut *j);

/* --- run_models.c */

/* The first model and those beside it, with what connects them. False after a
 * report. */
bool run_load_models(RunCommand *r);
/* Of the first model (0) or one beside it. */
Compilation *run_compilation(const RunCommand *r, int i);
bool run_is_connected(const RunCommand *r, int number); /* an input */
void run_print_mates(const RunCommand *r);
void run_put_mates(const RunCommand *r, JsonOut *j);
int run_close_mates(RunCommand *r, int code);

/* --- run_io.c */

bool run_open_io(RunCommand *r); /* false after a report */
bool run_open_xcp(RunCommand *r);
bool run_write_a2l(RunCommand *r);
void run_warn_io(const RunCommand *r);
void run_print_io(const RunCommand *r);
void run_put_io(const RunCommand *r, JsonOut *j);

/* --- run_report.c */

const char *run_speed(const RunCommand *r); /* "in real time" */
void run_warn(RunCommand *r);               /* what is not as it should be */
void run_print_text(const RunCommand *r);
void run_print_json(const RunCommand *r);
/* What the steps of a model had to say, as members of an object. */
void run_put_alarms(JsonOut *j, const RunModel *m, const RunAlarms *a);

#endif
