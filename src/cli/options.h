/* options.h - the options of a verb, as a table.
 *
 *     double step = 0;
 *     TextList libs = {0};
 *     bool json = false;
 *     const Option option[] = {
 *         {"L", "DIR", "look for libraries in DIR", OPT_LIST, &libs},
 *         {"step", "TIME", "step size, e.g. 1ms", OPT_TIME, &step},
 *         {"json", NULL, "print JSON for machines", OPT_FLAG, &json},
 *         {0},
 *     };
 *     const Command command = {"check", "MODEL", "shows the structure",
 *                              "takt check tank.mo", option};
 *     TextList args = {0};
 *     int code;
 *     if (!options_read(&command, argc, argv, &args, arena, &code))
 *         return code;
 *
 * A name of one letter is written -L DIR or -LDIR, a longer one --step 1ms or
 * --step=1ms. "--" ends the options. --help, the manual page and completion are
 * made from the table (cli/describe.h): a verb describes itself when argv holds
 * --help or --help=man, bash, zsh.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_OPTIONS_H
#define TAKT_CLI_OPTIONS_H

#include <stdbool.h>

#include "base/vec.h"
#include "plan/plan.h"

typedef struct TextList {
    const char **at;
    int n;
    int cap;
} TextList;

typedef enum OptionKind {
    OPT_FLAG,   /* bool: no value */
    OPT_TEXT,   /* const char * */
    OPT_WORD,   /* const char *: one of the words of its metavar, "a|b|c" */
    OPT_METHOD, /* const char *: an integration method; --help lists them */
    OPT_LIST,   /* TextList: may be given several times */
    OPT_INT,    /* int */
    OPT_NUMBER, /* double */
    OPT_TIME,   /* double in seconds; the value may have a unit */
    OPT_DECISION = 16, /* with one of the others, which describes it: an option
                          of plan/keys.def; `value` is a PlanEdits */
} OptionKind;

typedef struct Option {
    const char *name;    /* NULL ends the table */
    const char *metavar; /* what the value is called, NULL for a flag; FILE and
                            DIR are completed, words are joined by '|' */
    const char *help;    /* what it does; broken into lines when printed */
    OptionKind kind;
    void *value; /* set when the option is given, else left alone */
} Option;

/* What the value looks like. */
OptionKind option_kind(const Option *o);

typedef struct Command {
    const char *verb;
    const char *args;    /* what follows the verb, "MODEL" */
    const char *summary; /* a sentence */
    const char *example; /* one or more lines */
    const Option *option;
} Command;

/* Reads argv[1..], sets values, collects the other arguments in `args`.
 * Returns false when the verb is to end at once with *exit_code: --help was
 * printed (0), or an option was wrong, which was said (2). */
bool options_read(const Command *command, int argc, char **argv, TextList *args,
                  Arena *arena, int *exit_code);
/* Says what is wrong in the arguments of `command`; returns EXIT_USAGE. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int options_wrong(const Command *command, const char *fmt, ...);

#endif
