/* takt.h - takt as a library.
 *
 *     char *argv[] = {"takt", "check", "tank.mo", "--json"};
 *     int code = takt_command(4, argv);
 *
 *     TaktModel *m = takt_open("tank.mo", NULL, 0);
 *     TaktResult *r = takt_simulate(m, 10);
 *     for (int i = 0; i < takt_nmessage(m); i++)
 *         puts(takt_message(m, i)->text);
 *     takt_result_free(r);
 *     takt_close(m);
 *
 * Link with `pkg-config --cflags --libs takt`. A model is used by one thread at
 * a time; different models by different threads. The functions on models never
 * end the program: where the machine or takt itself fails, they return NULL or
 * 4, and takt_message() says why; memory of the solvers may be lost then. A
 * model, result, code or instance that is NULL has no messages, rows, variables
 * and values; what is asked of it is not done (2, and -1 of an instance). The
 * locale of the host, with a decimal comma or not, plays no part.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAKT_H
#define TAKT_TAKT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the program takt does with these arguments: results go to standard
 * output, messages to standard error. Returns the exit code: 0 fine, 1 the
 * model or its numbers are at fault, 2 wrong usage, 3 a feature that is not
 * supported yet. Numbers have a decimal point whatever the locale of the
 * process is; it is not changed, nor is that of other threads. */
int takt_command(int argc, char **argv);

/* When the machine or takt itself fails (no memory, an internal error), takt
 * ends the program with exit code 4, unless `handler` leaves by longjmp; what
 * the command had allocated is lost then, and the thread has the locale of
 * setlocale() again. NULL: the usual end. */
void takt_on_failure(void (*handler)(const char *message));

/* "0.2.0" */
const char *takt_version(void);
/* The directory of takt's own Modelica packages, NULL if it is not there. */
const char *takt_models(void);

/* ---- models ---- */

typedef struct TaktModel TaktModel;

/* Reads a model: a file, file.mo:Class, or the name of a class that is found in
 * one of `nlibrary` directories. Returns NULL only if there is no memory; what
 * is wrong with the model is in its messages. */
TaktModel *takt_open(const char *model, const char *const *library,
                     int nlibrary);
/* The same for a text; the last class of it is the model. */
TaktModel *takt_open_text(const char *text);
void takt_close(TaktModel *m);

typedef struct TaktMessage {
    int kind;         /* 0 error, 1 not supported, 2 warning, 3 takt failed */
    const char *code; /* "E0301" */
    const char *text;
    const char *file; /* NULL: no place */
    int line, column; /* from 1 */
} TaktMessage;

/* What the last call on the model has said; valid until the next one. The
 * status is as of takt_command(), and 4 where the machine or takt failed. */
int takt_status(const TaktModel *m);
int takt_nmessage(const TaktModel *m);
const TaktMessage *takt_message(const TaktModel *m, int number);

/* A value of a parameter or a start value, for all calls that follow. */
int takt_set(TaktModel *m, const char *name, double value);
/* A decision of the plan, as the option of the same name takes it:
 * takt_decide(m, "method", "lie"), takt_decide(m, "step", "1ms"). NULL takes
 * all decisions for that option back. "plan" names a file. */
int takt_decide(TaktModel *m, const char *option, const char *value);

/* ---- tuning ---- */

enum { TAKT_CANCELLED = 5 }; /* a status: progress() said so */

typedef struct TaktTuning {
    const char *only; /* groups of candidates, "sparsing,mixed"; NULL: all */
    double
        deviation; /* how far outputs may stray, percent of their range; 0: 5 */
    long budget;   /* instructions per step at most; 0: no limit */
    int attacks;   /* that the plan must survive; -1: as work allows */
    double stop;   /* end of the reference run, s; NaN: as the model says */
    /* Called from time to time: `done` of `total` parts of `what` are done. Not
     * 0 stops the tuning, whatever it was at. NULL: nobody is told. */
    int (*progress)(void *context, const char *what, int done, int total);
    void *context;
} TaktTuning;

/* Finds what a step does not need, as takt tune does; the plan is written to
 * the file `plan` and obeyed by all calls that follow. A status above 0: there
 * is no plan. */
int takt_tune(TaktModel *m, const TaktTuning *wishes, const char *plan);

/* ---- trajectories ---- */

typedef struct TaktResult TaktResult;

/* From the start of the model to `stop`, in seconds; NaN: as the model says.
 * With fixed steps if a method, a step or a plan was decided, else with
 * step-size control. NULL after messages; where a run failed on its way, what
 * there is of it is returned, and takt_status() is not 0. */
TaktResult *takt_simulate(TaktModel *m, double stop);
void takt_result_free(TaktResult *r);
int takt_ncolumn(const TaktResult *r); /* column 0 is the time */
int takt_nrow(const TaktResult *r);
const char *takt_column(const TaktResult *r, int number);
const double *takt_values(const TaktResult *r); /* row by row */

/* ---- generated code ---- */

typedef struct TaktCode TaktCode;

/* The real-time step as generated C, compiled by the C compiler ($CC, cc) and
 * loaded, with all variables. NULL after messages. Outlives the model. */
TaktCode *takt_build(TaktModel *m);
void takt_unload(TaktCode *c);

typedef struct TaktVariable {
    const char *name, *unit;
    int kind;            /* 0 Real, 1 Integer, 2 Boolean, 3 enumeration */
    int causality;       /* 0 time, 1 step, 2 parameter, 3 start value, 4 input,
                            5 output, 6 local */
    size_t place;        /* in an instance, of takt_scalar() bytes: */
    double sign, offset; /* value = sign * number there + offset */
} TaktVariable;

int takt_nvariable(const TaktCode *c);
const TaktVariable *takt_variable(const TaktCode *c, int number);
int takt_find(const TaktCode *c, const char *name); /* -1: there is none */
size_t takt_scalar(const TaktCode *c);              /* 8: double, 4: float */

/* An instance is memory of the caller, takt_size() bytes as malloc() aligns
 * them; it is saved and restored by copying them. Statuses are those of the
 * generated code: below 0 it was not done, and the last good state was kept. */
size_t takt_size(const TaktCode *c);
void takt_defaults(const TaktCode *c, void *instance);
int takt_start(const TaktCode *c, void *instance);   /* for what was set */
void takt_update(const TaktCode *c, void *instance); /* after parameters */
int takt_step(const TaktCode *c, void *instance);
/* `n` instances, one after the other in memory; status[n] may be NULL. Returns
 * how many failed. */
long takt_step_many(const TaktCode *c, void *instances, long n, int *status);
double takt_get(const TaktCode *c, const void *instance, int number);
int takt_put(const TaktCode *c, void *instance, int number, double value);
const char *takt_status_text(const TaktCode *c, int status);
const char *takt_where(const TaktCode *c, const void *instance);

#ifdef __cplusplus
}
#endif

#endif
