/* check.c - takt check MODEL: flattens a model and says what is in it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "base/die.h"
#include "cli/check_structure.h"
#include "pages/cost_sheet.h"
#include "cli/plan_options.h"
#include "cli/verbs.h"
#include "driver/driver.h"
#include "instance/balance.h"
#include "plan/keys.h"

typedef struct CheckOptions {
    bool flat, json, keep_aliases, external;
    const char *dump, *plan, *blt;
    PlanEdits edits;
    TextList libs, sets;
} CheckOptions;

/* The members that the flat model gives; the object stays open. */
static void put_counts(const Flat *f, JsonOut *j)
{
    json_begin_object(j, NULL);
    json_put_text(j, "model", f->model);
    json_put_count(j, "unknowns", flat_count_unknowns(f));
    json_put_count(j, "equations", flat_count_equations(f));
    json_put_count(j, "parameters", flat_count_parameters(f));
    json_put_count(j, "components", f->ncomponent);
    json_put_bool(j, "balanced",
                  flat_count_unknowns(f) == flat_count_equations(f));
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

/* Is the structure of a step asked for, not that of the model? */
static bool is_of_step(const CheckOptions *choice)
{
    return choice->plan || plan_has_edit(&choice->edits, PLAN_METHOD) ||
           plan_has_edit(&choice->edits, PLAN_DIRECT);
}

static DriverOptions driver_options(const CheckOptions *choice,
                                    const char *model)
{
    DriverOptions o = driver_defaults(model);
    o.library = choice->libs.at;
    o.nlibrary = choice->libs.n;
    o.external = choice->external;
    o.set = choice->sets.at;
    o.nset = choice->sets.n;
    o.dump = choice->dump;
    o.goal = STEP_STRUCTURE;
    o.plan = choice->plan;
    o.edits = choice->edits;
    o.keep_aliases = choice->keep_aliases;
    /* as in takt build: the same choices */
    o.free_starts = is_of_step(choice) && !choice->dump;
    return o;
}

/* Instructions of the step that takt build makes of this structure, or NONE:
 * it says itself why it cannot. */
static long count_instructions(const Compilation *c)
{
    if (c->step->inlined->ncycle == 0)
        return NONE;
    Compilation built = *c;
    diag_mute(c->diag);
    built.step = step_extend(c->step, STEP_REALTIME, c->arena, c->diag);
    diag_unmute(c->diag);
    return built.step ? sheet_make(&built, c->arena)->table->total.instructions
                      : NONE;
}

/* Decisions that were asked for, and shape what is shown: "--algebraic keep" */
static const char *asked_for(const CheckOptions *choice, Arena *arena)
{
    static const PlanField shaping[] = {PLAN_ALGEBRAIC, PLAN_ONE_BLOCK,
                                        PLAN_TEARER, PLAN_GROWTH_BOUND};
    const char *list = "";
    for (size_t i = 0; i < sizeof shaping / sizeof *shaping; i++) {
        if (!plan_has_edit(&choice->edits, shaping[i]))
            continue;
        const char *text = plan_find_edit(&choice->edits, shaping[i]);
        list = arena_printf(arena, "%s%s--%s%s%s", list, *list ? ", " : "",
                            plan_keys[shaping[i]].option, text ? " " : "",
                            text ? text : "");
    }
    return list;
}

/* What the step costs, and whether it is the one of takt build. */
static void print_step(const CheckOptions *choice, const Compilation *c)
{
    long n = count_instructions(c);
    const char *asked = asked_for(choice, c->arena);
    if (n != NONE)
        printf("    work of every step: %ld instructions (takt cost)\n", n);
    if (*asked)
        printf("    as %s asks: takt build needs the same options\n", asked);
    if (choice->keep_aliases)
        puts("    with aliases kept, which takt build does not do: its step is "
             "another one");
}

static void put_step(const CheckOptions *choice, const Compilation *c,
                     JsonOut *j)
{
    long n = count_instructions(c);
    if (n == NONE)
        json_put_null(j, "instructions");
    else
        json_put_count(j, "instructions", n);
    json_put_text(j, "asked", asked_for(choice, c->arena));
    json_put_bool(j, "as_built", !choice->keep_aliases);
}

/* After the flat model: index, states, blocks. */
static int check_deep(const CheckOptions *choice, Compilation *c,
                      const DriverOptions *options, JsonOut *j)
{
    bool inlined = is_of_step(choice);
    bool good = driver_compile(c, options, PHASE_STEP);
    int code = EXIT_FINE;
    if (good && choice->json)
        check_structure_json(c, inlined, j);
    else if (good)
        check_structure_print(c, inlined);
    if (good && inlined && choice->json)
        put_step(choice, c, j);
    else if (good && inlined)
        print_step(choice, c);
    if (good && choice->blt && !check_structure_draw(c, inlined, choice->blt))
        code = EXIT_TAKT;
    return code;
}

static int check(const CheckOptions *choice, const char *model)
{
    Compilation *c = driver_new();
    DriverOptions options = driver_options(choice, model);
    JsonOut j = json_start(stdout, JSON_SPACED);
    int code = EXIT_FINE;
    if (driver_flatten(c, &options)) {
#ifndef NDEBUG
        flat_check(c->flat);
#endif
        bool flat_only =
            choice->flat || (choice->dump && strcmp(choice->dump, "flat") == 0);
        if (flat_only)
            flat_print(c->flat, stdout);
        else if (choice->json)
            put_counts(c->flat, &j);
        else if (!choice->dump)
            print_counts(c->flat);
        balance_report(c->flat, c->diag);
        if (!flat_only) /* says which equations and unknowns are at fault */
            code = check_deep(choice, c, &options, &j);
        if (choice->json && !flat_only) {
            json_end(&j);
            json_finish(&j);
        }
    }
    int said = driver_end(c);
    return said != EXIT_FINE ? said : code;
}

/* What is wrong with the options, or NULL. */
static const char *wrong_choice(const CheckOptions *c, Arena *arena)
{
    static const PlanField of_step[] = {PLAN_STEP,      PLAN_NEWTON,
                                        PLAN_ALGEBRAIC, PLAN_ORDER_BUILDUP,
                                        PLAN_ONE_BLOCK, PLAN_EVENTS_MAX};
    for (size_t i = 0; i < sizeof of_step / sizeof *of_step; i++)
        if (!is_of_step(c) && plan_has_edit(&c->edits, of_step[i]))
            return arena_printf(arena,
                                "--%s decides on a step: it needs --method or "
                                "--plan",
                                plan_keys[of_step[i]].option);
    size_t n = c->blt ? strlen(c->blt) : 0;
    if (c->blt && (n < 5 || (strcmp(c->blt + n - 4, ".svg") != 0 &&
                             strcmp(c->blt + n - 5, ".html") != 0)))
        return "--blt takes a file that ends in .svg or .html";
    return plan_edits_wrong(&c->edits, PLAN_REALTIME, arena);
}

int cmd_check(int argc, char **argv)
{
    CheckOptions choice = {0};
    Arena *arena = arena_new();
    const Option own[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &choice.libs},
        {"external", NULL, "run external functions (foreign code) of the model",
         OPT_FLAG, &choice.external},
        {"flat", NULL, "print the flat model as Modelica", OPT_FLAG,
         &choice.flat},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &choice.json},
        {"method", "NAME", "show the equations with this method inlined",
         OPT_METHOD | OPT_DECISION, &choice.edits},
        {"plan", "FILE", "obey this plan", OPT_TEXT, &choice.plan},
        {"set", "NAME=VALUE", "another value of a parameter", OPT_LIST,
         &choice.sets},
        {"keep-aliases", NULL, "keep variables that equal others", OPT_FLAG,
         &choice.keep_aliases},
        {"blt", "FILE", "draw the blocks to FILE.svg or FILE.html", OPT_TEXT,
         &choice.blt},
        {"dump", "flat|sys|dae|init|inlined|schedule",
         "print the result of a phase", OPT_WORD, &choice.dump},
        {0},
    };
    const Command command = {
        "check", "MODEL",
        "flattens a model and shows its structure: index, states, blocks",
        "takt check tank.mo\n"
        "takt check --flat tank.mo:Tank\n"
        "takt check --method radau3 --step 1ms --blt tank.html tank.mo",
        plan_options(own, PLAN_CHECK, &choice.edits, arena)};
    TextList args = {0};
    int code;
    if (options_read(&command, argc, argv, &args, arena, &code)) {
        code = EXIT_FINE;
        const char *wrong = wrong_choice(&choice, arena);
        if (args.n != 1)
            wrong = "one MODEL is expected";
        code = wrong ? options_wrong(&command, "%s", wrong)
                     : check(&choice, args.at[0]);
    }
    arena_free(arena);
    return code;
}
