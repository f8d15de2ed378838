/* scenario.h - a test of a run, as a text.
 *
 *   in    lines          at 0.1 set load.J 0.2
 *                        at 0.2 input torque 5
 *                        at 0.5 expect motor.w 12 within 0.5
 *                        from 0.6 to 0.8 expect motor.w 12 within 0.1
 *                        case NAME              of the expectations below it
 *   out   ScenarioStep   orders and expectations, in the order of their times
 *
 * A # begins a comment; a name with blanks is written in quotes. An order
 * is obeyed before the first step that begins at its time or later; an
 * expectation is looked at after the step that reaches its time, or after all
 * steps that end within its span. Tolerances are absolute. All names are found
 * and all work is laid out before the first step.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_SCENARIO_H
#define TAKT_RUN_SCENARIO_H

#include <stdint.h>

#include "base/diag.h"

typedef enum ScenarioKind {
    SCENARIO_SET,    /* a parameter */
    SCENARIO_INPUT,  /* an input, from now on */
    SCENARIO_EXPECT, /* a value within a tolerance */
} ScenarioKind;

typedef struct ScenarioStep {
    ScenarioKind kind;
    Span span;
    const char *test; /* name of its case */
    const char *name;
    double from, to; /* s; equal but for a span */
    double value, within;
    /* found by who runs it */
    int number; /* of the quantity in the model */
    int index;  /* of the parameter (control.h), or the input */
    /* what came of an expectation */
    int64_t looked; /* steps it was looked at */
    double worst;   /* distance from `value`, */
    double seen;    /* the value, */
    double when;    /* and the time of it */
} ScenarioStep;

typedef struct Scenario {
    ScenarioStep *step; /* by `from`; orders before expectations */
    int n;
    int nexpect;
    int next;  /* of the run: first step that has not begun, */
    int first; /* and first expectation that is not over */
} Scenario;

/* Reads text number `source`. NULL after reports (E1612). */
Scenario *scenario_read(const Sources *sources, int source, Arena *arena,
                        Diag *diag);
/* Has the expectation held? One that was never looked at has not. */
bool scenario_held(const ScenarioStep *s);
/* "motor.w is 11.2 at 0.5 s, expected 12 within 0.5". Lives in `arena`. */
const char *scenario_text(const ScenarioStep *s, Arena *arena);
/* The text of a file of JUnit: a test case for each expectation. */
const char *scenario_junit(const Scenario *s, const char *model,
                           const Sources *sources, Arena *arena);

#endif
