/* driver.h - the pipeline: from a model to C, one call per phase.
 *
 * This is the table of contents of takt. A command says what it wants
 * (DriverOptions) and how far to go (Phase); what every phase made stays in the
 * Compilation for the command to read.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_DRIVER_H
#define TAKT_DRIVER_DRIVER_H

#include "array/parts.h"
#include "emit/emit.h"
#include "fmu/fmu.h"
#include "instance/instance.h"
#include "load/load.h"
#include "reduce/reduce.h"
#include "simplify/simplify.h"
#include "step/step.h"

typedef enum Phase {
    PHASE_FLAT, /* instance: scalar variables and equations */
    PHASE_SYS,  /* simplify: constants and aliases removed */
    PHASE_DAE,  /* reduce: index, states, initialisation */
    PHASE_STEP, /* step: as far as DriverOptions.goal asks */
    PHASE_CODE, /* emit: the step as C */
} Phase;

/* What a command wants. A decision is no option of the driver: it is a key of
 * the plan, and the command line edits the plan. */
typedef struct DriverOptions {
    const char *model;          /* as on the command line */
    const char *const *library; /* -L */
    int nlibrary;
    bool external;          /* foreign code may run */
    const char *const *set; /* name=value */
    int nset;
    const char *plan;          /* file, or NULL */
    PlanEdits edits;           /* over what the file says */
    StepGoal goal;             /* of PHASE_STEP */
    PlanEstimate estimate;     /* where the plan says nothing */
    double stop;               /* NaN: from the annotation or the default */
    const char *dump;          /* --dump=PHASE: print its result and stop */
    bool with_array;           /* Compilation.array is wanted */
    bool keep_aliases;         /* SimplifyOptions */
    bool free_starts;          /* the same; of static steps always */
    bool modes;                /* StepInput */
    const Table *input;        /* inputs over time, or NULL */
    bool live_inputs;          /* they come later, from somewhere else */
    const char *const *output; /* variables wanted besides states and outputs */
    int noutput;
    bool all;         /* StepInput */
    bool exchange;    /* the same */
    bool parts;       /* the same */
    const char *name; /* prefix of the symbols in C; NULL: the model's */
    int undivided;    /* EmitOptions */
} DriverOptions;

/* The step as C: the files of takt build --target c. */
typedef struct DriverCode {
    const char *name; /* prefix of all symbols */
    const Emitted *out;
    const EmitFile *file;
    int nfile;
} DriverCode;

typedef struct Compilation {
    Arena *arena;
    Sources *sources;
    Intern *names;
    Diag *diag;
    Library *library;
    LoadClass *model;
    Fmu *fmu; /* the model is one; NULL: it is not */
    Flat *flat;
    Sys *sys;
    Array *array; /* of the Sys before reduction, and its index, where it was
                     asked for or structure is wrong and nothing else helps;
                     NULL */
    const ArrayIndex *index;
    bool is_suggested;       /* nobody asked for the array */
    const ArrayParts *parts; /* where structure is wrong in parts of the Sys;
                                NULL */
    const DaeStateSet *set;  /* of rows of the array: states that the run */
    int nset;                /* chooses among */
    const Dae *dae;          /* NULL if direct */
    const Plan
        *plan; /* finished: with the edits and the size of a step in it */
    const Method *method;
    double start, stop; /* of a run, s */
    double size;        /* of a step, s */
    const Step *step;
    const DriverCode *code;
    bool dumped; /* --dump was obeyed: nothing more to do */
} Compilation;

DriverOptions driver_defaults(const char *model);
Compilation *driver_new(void);
/* Prints what is left to say and frees everything. Returns the exit code. */
int driver_end(Compilation *c);

/* The front end alone: loads and flattens. Returns false after a report. */
bool driver_flatten(Compilation *c, const DriverOptions *options);
/* Runs the phases up to and including `until`. Returns false after a report, or
 * when --dump was obeyed (c->dumped). */
bool driver_compile(Compilation *c, const DriverOptions *options, Phase until);
/* Comes after a compilation to the step: the same model with the plan, the
 * edits and the goal of `options`. Returns false after a report. */
bool driver_change_step(Compilation *c, const DriverOptions *options);
/* What a step is made from besides the Dae and the plan. */
StepInput driver_step_input(const Compilation *c, const DriverOptions *options);

#endif
