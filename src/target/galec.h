/* galec.h - a fused step as algorithm code of eFMI: a GALEC program.
 *
 *   in    TargetInput   the step (step/fuse.h) and its table of variables
 *   out   Galec         the variables of the block, and its text
 *
 * GALEC (eFMI 1.0.0, chapter 3.2) is what a tape is: assignments to scalars,
 * if-expressions, loops with constant bounds, no jumps, no memory to ask for.
 * So each instruction is a statement, in the same order, and an evaluation in
 * IEEE doubles gives the numbers of the generated C to the last bit.
 *
 *     Startup       all parameters and inputs as in the model, and the states
 *                   that takt has found for them: initial equations are solved
 *                   beforehand
 *     Recalibrate   what follows from parameters
 *     DoStep        one step. States that are not finite, or beyond what a
 *                   monitor allows, are not kept: it signals and the block
 *                   stays where it was
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_GALEC_H
#define TAKT_TARGET_GALEC_H

#include "target/target.h"

typedef enum GalecCausality {
    GALEC_INPUT,
    GALEC_OUTPUT,
    GALEC_TUNABLE,
    GALEC_DEPENDENT,
    GALEC_CONSTANT,
    GALEC_STATE,
    GALEC_NCAUSALITY
} GalecCausality;

typedef struct GalecVar {
    const char *name; /* with its quotes */
    const char *description, *unit;
    GalecCausality causality;
    FlatType type; /* FT_ENUM: an Integer */
    double start;
    double min, max; /* NaN: none */
    int row;         /* of the table of variables, or NONE */
    int slot;
} GalecVar;

typedef struct Galec {
    const TargetInput *in;
    const char *text;    /* the program */
    const GalecVar *var; /* in the order of causalities */
    int nvar;
    const char *step; /* name of the constant with the step size */
} Galec;

/* NULL after a report: what has no counterpart in GALEC, or would depend on
 * data there, is not supported (U1403). */
const Galec *galec_make(const TargetInput *in, Arena *arena, Diag *diag);

#endif
