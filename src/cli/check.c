/* check.c - takt check MODEL: flattens a model and says what is in it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "base/die.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "driver/driver.h"
#include "instance/balance.h"

typedef struct Choice {
    bool flat, json;
    const char *dump;
    TextList libs;
} Choice;

static void print_json(const Flat *f)
{
    printf("{\"model\": \"%s\", \"unknowns\": %d, \"equations\": %d, "
           "\"parameters\": %d, \"components\": %d, \"balanced\": %s}\n",
           f->model, flat_count_unknowns(f), flat_count_equations(f),
           flat_count_parameters(f), f->ncomponent,
           flat_count_unknowns(f) == flat_count_equations(f) ? "true"
                                                             : "false");
}

static void print_counts(const Flat *f)
{
    int unknowns = flat_count_unknowns(f), equations = flat_count_equations(f);
    int inputs = 0, constants = 0, structural = 0;
    for (int v = 0; v < f->nvar; v++) {
        inputs += f->var[v].causality == FC_INPUT;
        constants += f->var[v].variability == FV_CONSTANT;
        structural += f->var[v].is_structural;
    }
    printf("%s\n", f->model);
    printf("  components         %d\n", f->ncomponent);
    printf("  unknowns           %d\n", unknowns);
    printf("  equations          %d\n", equations);
    printf("  parameters         %d, of them fixed by compilation %d\n",
           flat_count_parameters(f), structural);
    printf("  constants          %d\n", constants);
    if (inputs)
        printf("  inputs             %d\n", inputs);
    if (f->nwhen)
        printf("  when clauses       %d\n", f->nwhen);
    if (f->ninitial)
        printf("  initial equations  %d\n", f->ninitial);
    if (unknowns == equations)
        puts("The model balances.");
}

static int check(const Choice *choice, const char *model)
{
    Compilation *c = driver_new();
    DriverOptions options = driver_defaults(model);
    options.library = choice->libs.at;
    options.nlibrary = choice->libs.n;
    options.dump = choice->dump;
    if (driver_flatten(c, &options)) {
#ifndef NDEBUG
        flat_check(c->flat);
#endif
        if (choice->flat || choice->dump)
            flat_print(c->flat, stdout);
        else if (choice->json)
            print_json(c->flat);
        else
            print_counts(c->flat);
        balance_report(c->flat, c->diag);
    }
    return driver_end(c);
}

int cmd_check(int argc, char **argv)
{
    Choice choice = {0};
    const Option option[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &choice.libs},
        {"flat", NULL, "print the flat model as Modelica", OPT_FLAG,
         &choice.flat},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &choice.json},
        {"dump", "PHASE", "print the result of a phase: flat",
         OPT_TEXT, &choice.dump},
        {0},
    };
    const Command command = {
        "check", "MODEL",
        "flattens a model and counts its variables and equations",
        "takt check tank.mo\n"
        "takt check --flat tank.mo:Tank",
        option};
    Arena *arena = arena_new();
    TextList args = {0};
    int code;
    if (options_read(&command, argc, argv, &args, arena, &code))
        code = args.n != 1 ? options_wrong(&command, "one MODEL is expected")
               : choice.dump && strcmp(choice.dump, "flat") != 0
                   ? options_wrong(&command, "there is no phase '%s'",
                                   choice.dump)
                   : check(&choice, args.at[0]);
    arena_free(arena);
    return code;
}
