/* step_options.h - what the verbs that make a real-time step have in common. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_STEP_OPTIONS_H
#define TAKT_CLI_STEP_OPTIONS_H

#include "cli/options.h"
#include "driver/realtime.h"
#include "emit/emit.h"

enum { STEP_MOST_OPTIONS = 48 }; /* of a table, those of a verb included */

typedef struct StepOptions {
    DriverOptions driver;
    TextList library, set, output;
    const char *scalar, *math, *init; /* NULL: not given */
    bool all, fixed;
} StepOptions;

StepOptions step_defaults(void);
/* The verb's own options (ended by a name NULL), then the common ones that it
 * does not explain itself, as one table. Lives in `arena`. */
const Option *step_table(StepOptions *o, const Option *own, Arena *arena);
/* Fills in what was not given. Returns what is wrong, or NULL. */
const char *step_take(StepOptions *o, const TextList *args);
bool step_is_float(const StepOptions *o);
bool step_has_own_math(const StepOptions *o);
/* Compiles and makes the step. NULL after a report. */
Realtime *step_make(StepOptions *o, Compilation *c);

/* The step as C: the files of takt build --target c. */
typedef struct StepCode {
    const char *name; /* prefix of all symbols */
    Emitted *out;
    const EmitFile *file;
    int nfile;
} StepCode;

/* `name`: the prefix, or NULL for the name of the model. `undivided`:
 * EmitOptions. Lives in c->arena. */
StepCode *step_code(const StepOptions *o, Compilation *c, const Realtime *rt,
                    const char *name, int undivided);

#endif
