/* fmi.h - words of FMI that are read and written: causality, variability. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_FMI_H
#define TAKT_BASE_FMI_H

#define FMI_CAUSALITIES(X)                                                     \
    X(INDEPENDENT, "independent")                                              \
    X(STRUCTURAL, "structuralParameter")                                       \
    X(PARAMETER, "parameter")                                                  \
    X(CALCULATED, "calculatedParameter")                                       \
    X(INPUT, "input")                                                          \
    X(OUTPUT, "output")                                                        \
    X(LOCAL, "local")

#define FMI_VARIABILITIES(X)                                                   \
    X(CONSTANT, "constant")                                                    \
    X(FIXED, "fixed")                                                          \
    X(TUNABLE, "tunable")                                                      \
    X(DISCRETE, "discrete")                                                    \
    X(CONTINUOUS, "continuous")

#define FMI_MEMBER(name, text) FMU_##name,
typedef enum FmuCausality {
    FMI_CAUSALITIES(FMI_MEMBER) FMU_NCAUSALITY
} FmuCausality;

typedef enum FmuVariability {
    FMI_VARIABILITIES(FMI_MEMBER) FMU_NVARIABILITY
} FmuVariability;
#undef FMI_MEMBER

/* As they are written in modelDescription.xml. */
extern const char *const fmi_causality_text[FMU_NCAUSALITY];
extern const char *const fmi_variability_text[FMU_NVARIABILITY];

#endif
