/* fmu.h - an FMU: its variables, its description, its files.
 *
 *   TargetInput ─variables─▶ FmuModel ─┬─ description   modelDescription.xml
 *                                      ├─ source        NAME_fmu.c
 *                                      └─ fmu_files     with binaries: the FMU
 *
 * A value reference is a row of the generated table of variables; Strings come
 * after the rows. Locals that are another name for the same value share its
 * reference; a negated one is a variable of its own.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_FMU_H
#define TAKT_TARGET_FMU_H

#include "base/fmi.h"
#include "base/xml.h"
#include "target/target.h"

typedef struct FmuVar {
    const char *name; /* as FMI writes it */
    const char *description, *unit, *quantity;
    int row;       /* of the generated table; NONE: a String */
    int reference; /* value reference */
    FlatType type;
    int enumeration; /* FT_ENUM: of Flat */
    FmuCausality causality;
    FmuVariability variability;
    const char *initial; /* NULL: as the standard says */
    bool has_start;
    double start;
    const char *text;         /* value of a String */
    int start_row;            /* of start(x), or NONE */
    int base;                 /* row of the input it is the derivative of */
    double min, max, nominal; /* NaN: none */
    int derivative_of;        /* number of the variable, or NONE */
    int alias;                /* number of the one it is another name for */
    bool is_indicator;
    bool is_state, is_slope; /* of model exchange */
} FmuVar;

/* What an importer can move: a value reference, and the row of what it moves
 * by. */
typedef struct FmuMove {
    int reference, row;
    double sign;
} FmuMove;

/* The model for integrators of others. Numbers of variables; rows. */
typedef struct FmuExchange {
    int nx, *state, *slope;
    double *nominal;
    int nz, *indicator; /* rows */
    int next, asks;     /* rows */
    bool moves;
    FmuMove *known, *unknown; /* in the order of references */
    int nknown, nunknown;
    int *of_known;         /* variables behind FusedExchange.known */
    const int *unknown_of; /* by slot: number in FusedExchange.unknown */
} FmuExchange;

/* Scheduled execution: the importer says when it ticks. */
typedef struct FmuClock {
    const char *name, *description;
    int reference, rate; /* of Flat; NONE: the step */
    int priority;
    double interval, shift; /* from tick to tick; of the first one, s */
} FmuClock;

typedef struct FmuModel {
    const TargetInput *in;
    const FmuVar *var;
    int nvar;
    int ntext;          /* Strings: the last ones */
    bool is_structured; /* names follow the grammar of the standard */
    const char *token;  /* of this model and this code */
    int version;        /* of FMI */
    bool has_cosim;
    const FmuExchange *exchange; /* NULL: it is not for that */
    const FmuClock *clock;       /* the same: none. The step, then the rates */
    int nclock;
} FmuModel;

/* ---- fmu_variables.c ---- */
const FmuModel *fmu_model(const TargetInput *in, int version, Arena *arena);
bool fmu_is_initial_unknown(const FmuVar *v);

/* ---- fmu_exchange.c ---- */

/* Is it to be for integrators of others, and can it be? Every state must be a
 * variable. */
bool fmu_can_exchange(const TargetInput *in);
/* of_row: the number of the variable of each row, NONE: it has none. */
const FmuExchange *fmu_exchange(const TargetInput *in, FmuVar *var, int nvar,
                                const int *of_row, Arena *arena);
/* What output, derivative or indicator `v` depends on: numbers of variables.
 * Returns how many, -1: not known. */
int fmu_dependencies(const FmuModel *m, const FmuVar *v, const int **list,
                     Arena *arena);

/* ---- fmu_clocks.c ---- */

/* What keeps it from scheduled execution; NULL: nothing does. */
const char *fmu_clocks_missing(const TargetInput *in);
/* Is that the name of a clock that the importer runs? */
bool fmu_is_clock(const TargetInput *in, const char *name);
void fmu_add_clocks(FmuModel *m, Arena *arena); /* if it is for that */
const FmuClock *fmu_clock_of(const FmuModel *m, const FmuVar *v);
void fmu_write_clocks(XmlOut *x, const FmuModel *m);

/* ---- fmu_description2.c, fmu_description3.c ---- */
const char *fmu_description2(const FmuModel *m, Arena *arena);
const char *fmu_description3(const FmuModel *m, Arena *arena);

/* ---- fmu_common.c: elements of both versions ---- */
void fmu_write_units(XmlOut *x, const FmuModel *m, Arena *arena);
void fmu_write_categories(XmlOut *x);
void fmu_write_range(XmlOut *x, const FmuVar *v); /* min, max, nominal */
/* The attribute of an unknown of ModelStructure, if they are known. */
void fmu_write_dependencies(XmlOut *x, const FmuModel *m, const FmuVar *v,
                            Arena *arena);

/* Are all of its sources there? */
bool fmu_is_whole(const FmuModel *m);
/* Can states be saved, or do external functions keep what no one sees? Then it
 * can be instantiated only once, too. */
bool fmu_has_memory(const FmuModel *m);

/* ---- fmu_terminals.c ---- */
const char *fmu_terminals(const FmuModel *m, Arena *arena); /* NULL: none */

/* ---- fmu_source.c ---- */
const char *fmu_source(const FmuModel *m, Arena *arena);

/* ---- fmu_reference.c ---- */

/* CSV of the default experiment; NULL: there is none. */
const char *fmu_reference(const FmuModel *m, Arena *arena);
const char *fmu_reference_manifest(const FmuModel *m, Arena *arena);

/* ---- fmu_files.c ---- */
int fmu_files(const TargetInput *in, int version, const TargetFile **files,
              Arena *arena, Diag *diag);

#endif
