/* fmu.h - FMUs of others as models.
 *
 *   in    MODEL.fmu    FMI 2 or 3, for model exchange or co-simulation
 *   out   Flat         variables of the description, and equations that call
 *                      the binary as opaque functions (foreign/foreign.h)
 *   next  simplify/    as with a model of Modelica
 *
 *   MODEL.fmu ─archive─▶ XML ─describe─▶ FmuDescription ─shape─▶ FmuShape
 * ─flatten─▶ Flat └──host──▶ C around the binary
 *
 * An FMU for model exchange is  x' = f(t, x, u; e),  y = g(t, x, u; e)  with
 * events where an indicator changes its sign, at times the FMU names, when a
 * discrete input changes, or when the FMU asks for one after a step. What it
 * keeps to itself is told by the number e, which changes at events only
 * (takt_fmu_host.h). Which derivative depends on which state is in
 * its ModelStructure: other entries of the Jacobian are 0 by structure, and
 * columns that share no row are found together. An FMU for co-simulation is a
 * block that steps from sample to sample.
 *
 * The binary is a program that can do whatever the user can: it is unpacked and
 * loaded only if the caller says so.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMU_FMU_H
#define TAKT_FMU_FMU_H

#include "flat/flat.h"

typedef struct Fmu Fmu;

typedef struct FmuOptions {
    bool may_run;           /* the binary may be loaded */
    const char *const *set; /* name=value: for start values and structural
                               parameters */
    int nset;
    double step; /* between communication points; NaN: as the FMU says */
} FmuOptions;

/* Is this the name of an FMU: FILE.fmu, or FILE.fmu:cosim, FILE.fmu:exchange to
 * choose what it is used as? Model exchange comes first if it is both. */
bool fmu_is_name(const char *model);
/* Reads the archive and its description. NULL after a report. */
Fmu *fmu_open(const char *name, Sources *sources, Arena *arena, Diag *diag);
/* The place of the description, for messages. */
Span fmu_span(const Fmu *f);
/* The model. NULL after a report. */
Flat *fmu_flatten(Fmu *f, const FmuOptions *options, Arena *arena, Diag *diag);
/* Its sources, which a program can have inside. */
typedef struct FmuSource {
    const char *name, *text; /* no folder in it */
    bool is_code;            /* compiled itself; others include the rest */
} FmuSource;

typedef struct FmuSources {
    int version;            /* of FMI */
    const char *identifier; /* functions are IDENTIFIER_fmi2... */
    const char *folder;     /* where it is unpacked, as the flat model has it */
    const FmuSource *file;
    int n;
} FmuSources;

/* NULL after a report: it has none, or some that need more (U0224). */
const FmuSources *fmu_sources(const Fmu *f, Arena *arena, Diag *diag);

/* Removes what was unpacked. NULL is fine. */
void fmu_close(Fmu *f);

#endif
