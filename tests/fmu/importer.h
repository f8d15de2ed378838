/* importer.h - a small importer of FMUs, for tests: it knows the standard and
 * nothing of takt. FMI 2 and 3 look the same to those who use it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IMPORTER_H
#define IMPORTER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Variable {
    char *name, *causality, *variability, *initial, *start;
    char type; /* r, i, e, b, s */
    unsigned reference;
    int derivative; /* of that variable: number from 1 (FMI 2) or reference */
} Variable;

typedef struct Clock {
    char name[60];
    unsigned reference;
    int priority;
    double interval, shift;
} Clock;

typedef struct Fmu {
    int version;
    char *token, *identifier;
    double start, stop, step;
    bool variable_steps; /* canHandleVariableCommunicationStepSize */
    Variable *variable;
    int nvariable;
    bool is_exchange, is_directional;
    int slope[1000], nslope; /* numbers of variables, of the derivatives */
    int nindicator;
    bool is_scheduled; /* and nothing else */
    Clock clock[20];
    int nclock;
    void *library;
    char dir[64];
} Fmu;

/* Ends the program with a message where it cannot. */
Fmu fmu_open(const char *path);
void fmu_close(Fmu *f);
const Variable *fmu_find(const Fmu *f, const char *name); /* or NULL */

typedef struct Instance Instance;
enum { OK, WARNING, DISCARD, ERROR };

Instance *fmu_new(const Fmu *f, const char *name); /* NULL: none was made */
Instance *fmu_new_with(const Fmu *f, const char *name, const char *token);
Instance *fmu_new_exchange(const Fmu *f, const char *name);
void fmu_free(Instance *i);
int fmu_enter(Instance *i, double start, bool has_stop, double stop);
int fmu_exit(Instance *i);                /* of initialisation mode */
int fmu_begin(Instance *i, double start); /* the two */
int fmu_terminate(Instance *i);
int fmu_reset(Instance *i);
int fmu_step(Instance *i, double from, double length, bool *ended);
int fmu_get(Instance *i, const Variable *v, double *value);
int fmu_set(Instance *i, const Variable *v, double value);
int fmu_get_text(Instance *i, const Variable *v, const char **value);
int fmu_set_text(Instance *i, const Variable *v, const char *value);
int fmu_log(Instance *i, bool on, const char *category); /* NULL: all */
int fmu_wrong_type(Instance *i, unsigned reference);
int fmu_save(Instance *i, void **state);
int fmu_restore(Instance *i, void *state);
int fmu_forget(Instance *i, void **state);
int fmu_serialize(Instance *i, void *state, unsigned char **bytes, size_t *n);
int fmu_deserialize(Instance *i, const unsigned char *bytes, size_t n,
                    void **state);
/* Scheduled execution: fmu_step is a scheduler that activates each clock as
 * its description says. */
int fmu_activate(Instance *i, unsigned clock, double time);
int fmu_interval(Instance *i, unsigned clock, double *interval, double *shift);
extern int fmu_nlock, fmu_nunlock; /* calls of the two */
/* Model exchange. */
typedef struct EventInfo {
    bool more, ends, states_changed, has_next;
    double next;
} EventInfo;
int fmu_update(Instance *i, EventInfo *info); /* new discrete states */
int fmu_plain(Instance *i, const char *name); /* a function of no arguments */
int fmu_completed(Instance *i, bool *asks, bool *ends);
int fmu_set_time(Instance *i, double t);
/* SetContinuousStates, GetContinuousStates, GetDerivatives,
 * GetEventIndicators, GetNominalsOfContinuousStates */
int fmu_vector(Instance *i, const char *name, double *x, size_t n);
int fmu_directional(Instance *i, const unsigned *unknown, size_t nunknown,
                    const unsigned *known, size_t nknown, const double *seed,
                    double *value);
int fmu_adjoint(Instance *i, const unsigned *unknown, size_t nunknown,
                const unsigned *known, size_t nknown, const double *seed,
                double *value);

const char *fmu_said(void); /* the last message of any instance */

#endif
