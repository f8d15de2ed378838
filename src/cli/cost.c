/* cost.c - takt cost MODEL: the certificate of a step. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "pages/cost_sheet.h"
#include "cli/step_options.h"
#include "cli/verbs.h"

static void cost(StepOptions *o, bool json, Compilation *c)
{
    if (!driver_compile(c, &o->driver, PHASE_STEP))
        return;
    step_modes_warn(c);
    CostSheet *k = sheet_make(c, c->arena);
    if (json)
        sheet_json(k, stdout);
    else
        sheet_print(k, stdout);
}

int cmd_cost(int argc, char **argv)
{
    Arena *arena = arena_new();
    StepOptions step = step_defaults();
    bool json = false;
    const Option own[] = {
        {"json", NULL, "print JSON for machines", OPT_FLAG, &json},
        {0},
    };
    const Command command = {"cost", "MODEL",
                             "Counts what a step of the generated C does.",
                             "takt cost models/gallery/HeatDiffusion.mo",
                             step_table(&step, own, arena)};
    TextList args = {0};
    int code;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    const char *wrong = step_take(&step, &args, arena);
    if (wrong) {
        code = options_wrong(&command, "%s", wrong);
        arena_free(arena);
        return code;
    }
    Compilation *c = driver_new();
    cost(&step, json, c);
    code = driver_end(c);
    arena_free(arena);
    return code;
}
