/* box.h - the runs that attacks are made of: a unit box, and what a point of it
 * is in the model.
 *
 * Ranges come from the user, else from min and max of inputs and parameters,
 * else they are a default spread:
 *
 *   input       what the scenarios have, wider by as much either way; of a
 *               constant its own size
 *   parameter   its value by 1.1 either way; one that is 0 stays
 *   start       0.8 to 1.2 times its value, within min and max; one that is 0
 *               stays
 *   length      1 to 3 times that of the scenario
 *
 * Of inputs further coordinates are the shape (that of the scenario, a jump, a
 * sine, a square wave), the time of the jump and the frequency. A parameter is
 * varied if the step reads it, and is no Integer, Boolean or String.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_BOX_H
#define TAKT_TUNING_BOX_H

#include "tuning/attack.h"

typedef enum AxisKind {
    AXIS_SCENARIO, /* which one the run starts from */
    AXIS_LENGTH,
    AXIS_PARAMETER,
    AXIS_START,
    AXIS_FROM, /* inputs: first level */
    AXIS_TO,   /* second level */
    AXIS_SHAPE,
    AXIS_WHEN,
    AXIS_FREQUENCY,
} AxisKind;

typedef struct Axis {
    AxisKind kind;
    int var; /* of Sys, NONE */
    double low, high;
    bool is_log;      /* low and high have one sign */
    bool is_declared; /* the range is the user's or the model's own */
} Axis;

typedef struct Box {
    Compilation *c;
    const SampleSpec *spec;
    const Table **table; /* inputs of each scenario, NULL: none */
    double start, stop, step;
    Vec(Axis) axis;
} Box;

/* A run. */
typedef struct BoxRun {
    int scenario;
    SysSet *set; /* with those of the command line */
    int nset;
    const Table *input; /* NULL: the model has none */
    double stop;
} BoxRun;

/* At most `most` points that differ little from the first scenario
 * (box_edges.c): how many there are. What stays has NaN for its coordinate. */
int box_edges(const Box *b, double *point, int most);
/* Runs with inputs and parameters at rest at ends of their ranges. */
int box_rests(const Box *b, double *point, int most);
/* `step`: one of the model, which tells what parameters it reads. Lives in
 * c->arena. NULL after a report: a range names nothing that can be varied, an
 * input that cannot be read. */
Box *box_make(Compilation *c, const SampleSpec *spec, const Step *step,
              const AttackRange *range, int nrange);
/* The run of a point; x NULL: scenario number `nominal` as it is. */
BoxRun box_run(const Box *b, const double *x, int nominal, Arena *arena);
/* A run in words: "F = 2 from 0.3 s, k = 5e+05, to 12 s". */
const char *box_text(const Box *b, const double *x, Arena *arena);

#endif
