/* description.h - what an FMU says of itself: modelDescription.xml.
 *
 *   made by   describe.c    XML of FMI 2 or 3 -> FmuDescription
 *   read by   structure.c   which unknown depends on which known
 *             flatten.c     FmuDescription -> Flat
 *             host.c        the C that calls the binary
 *
 * The types of FMI 3 hold those of FMI 2: Real is Float64, Integer Int32.
 * Dimensions of arrays are numbers: those of structural parameters are taken
 * with the value the user gave, or their start value.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMU_DESCRIPTION_H
#define TAKT_FMU_DESCRIPTION_H

#include "base/diag.h"
#include "base/fmi.h"

typedef enum FmuType {
#define FMU_TYPE(name, xml2, xml3, text, flat) FMU_##name,
#include "fmu/types.def"
    FMU_NTYPE
} FmuType;

typedef struct FmuDimension {
    int size;           /* if there is no ... */
    uint32_t parameter; /* ... structural parameter with this reference */
    bool by_parameter;
} FmuDimension;

typedef struct FmuVariable {
    const char *name, *comment, *unit, *quantity;
    uint32_t reference;
    FmuType type;
    FmuCausality causality;
    FmuVariability variability;
    bool is_exact;        /* initial="exact": its start value is its value */
    const char *start;    /* as it is written; NULL: none */
    const char *declared; /* its type; NULL: none */
    bool is_derivative;   /* of ... */
    uint32_t state;       /* ... a reference (FMI 3), or a number from 1 */
    bool has_min, has_max, has_nominal;
    double min, max, nominal;
    FmuDimension *dimension;
    int ndimension;
    int n;        /* numbers in it: 1 of a scalar */
    int alias_of; /* number of the variable; NONE: it is none */
    Span span;
} FmuVariable;

/* What Output, ContinuousStateDerivative and EventIndicator say. */
typedef struct FmuUnknown {
    uint32_t reference; /* FMI 2: number of the variable, from 1 */
    bool all;           /* it may depend on everything */
    uint32_t *depends;  /* as `reference`, size ndepends */
    int ndepends;
    Span span;
} FmuUnknown;

typedef struct FmuSimpleType {
    const char *name, *unit, *quantity;
    bool has_min, has_max, has_nominal;
    double min, max, nominal;
    const char **item; /* of an enumeration, size nitem */
    int nitem;
} FmuSimpleType;

/* ModelExchange or CoSimulation. */
typedef struct FmuKind {
    bool is_there;
    const char *identifier;
    bool has_state;       /* canGetAndSetFMUstate */
    bool has_directional; /* providesDirectionalDerivative(s) */
    bool needs_completed; /* completedIntegratorStep must be called */
    bool needs_tool;      /* needsExecutionTool */
    bool varies;          /* canHandleVariableCommunicationStepSize */
    double step;          /* fixedInternalStepSize; NaN */
} FmuKind;

typedef struct FmuDescription {
    int version; /* 2 or 3 */
    const char *model, *comment, *token;
    FmuKind exchange, cosim;
    double start, stop, tolerance, step; /* of DefaultExperiment; NaN: none */
    FmuVariable *variable;
    int nvariable;
    FmuUnknown *derivative, *output, *indicator;
    int nderivative, noutput, nindicator; /* FMI 2: nindicator counts them,
                                             there is no list */
    FmuSimpleType *type;
    int ntype;
    const char **source; /* of SourceFiles (FMI 2) */
    int nsource;
    Span span;
} FmuDescription;

/* Reads XML, a text of `sources`. NULL after a report. */
FmuDescription *fmu_describe(const Sources *sources, int number, Arena *arena,
                             Diag *diag);
/* The number of the variable with this reference (no alias); NONE. */
int fmu_find_reference(const FmuDescription *d, uint32_t reference);
/* The variable that an unknown is, by reference or number; NONE. */
int fmu_find_unknown(const FmuDescription *d, uint32_t which);
/* The state that variable i is the derivative of; NONE. */
int fmu_state_of(const FmuDescription *d, int i);

#endif
