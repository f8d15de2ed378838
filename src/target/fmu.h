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

#include "base/xml.h"
#include "target/target.h"

typedef enum FmuCausality {
    FMU_INDEPENDENT,
    FMU_PARAMETER,
    FMU_CALCULATED, /* calculatedParameter */
    FMU_INPUT,
    FMU_OUTPUT,
    FMU_LOCAL,
} FmuCausality;

typedef enum FmuVariability {
    FMU_CONSTANT,
    FMU_FIXED,
    FMU_TUNABLE,
    FMU_DISCRETE,
    FMU_CONTINUOUS,
} FmuVariability;

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
} FmuVar;

typedef struct FmuModel {
    const TargetInput *in;
    const FmuVar *var;
    int nvar;
    int ntext;          /* Strings: the last ones */
    bool is_structured; /* names follow the grammar of the standard */
    const char *token;  /* of this model and this code */
    int version;        /* of FMI */
} FmuModel;

/* ---- fmu_variables.c ---- */
const FmuModel *fmu_model(const TargetInput *in, int version, Arena *arena);
const char *fmu_causality(const FmuVar *v);
const char *fmu_variability(const FmuVar *v);
bool fmu_is_initial_unknown(const FmuVar *v);

/* ---- fmu_description2.c, fmu_description3.c ---- */
const char *fmu_description2(const FmuModel *m, Arena *arena);
const char *fmu_description3(const FmuModel *m, Arena *arena);

/* ---- fmu_common.c: elements of both versions ---- */
void fmu_write_units(XmlOut *x, const FmuModel *m, Arena *arena);
void fmu_write_categories(XmlOut *x);
void fmu_write_range(XmlOut *x, const FmuVar *v); /* min, max, nominal */

/* ---- fmu_source.c ---- */
const char *fmu_source(const FmuModel *m, Arena *arena);

/* ---- fmu_files.c ---- */
int fmu_files(const TargetInput *in, int version, const TargetFile **files,
              Arena *arena, Diag *diag);

#endif
