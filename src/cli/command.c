/* command.c - takt VERB ...: finds the verb and calls it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "takt/takt.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/distance.h"
#include "base/number.h"
#include "base/paths.h"
#include "cli/manual.h"
#include "cli/verbs.h"

const Verb verb_table[] = {
#define VERB(name, job) {#name, job, cmd_##name},
#include "cli/verbs.def"
#undef VERB
};

enum { NVERB = sizeof verb_table / sizeof verb_table[0] };

const int verb_count = NVERB;

const char *const verb_exit[] = {
    [EXIT_FINE] = "fine",
    [EXIT_MODEL] = "the model or its numbers are at fault",
    [EXIT_USAGE] = "wrong usage",
    [EXIT_UNSUPPORTED] = "a feature that is not supported yet",
    [EXIT_TAKT] = "takt or the machine failed",
};
const int verb_nexit = sizeof verb_exit / sizeof verb_exit[0];

static void print_help(void)
{
    puts("takt turns a physical model into the beat of a real-time machine.\n"
         "\n"
         "usage: takt VERB MODEL [options]\n"
         "       takt VERB --help\n"
         "       takt --version\n"
         "       takt --man [VERB]\n"
         "       takt --completion bash|zsh\n"
         "\n"
         "MODEL is file.mo, file.mo:Class, file.fmu, or a class name found "
         "with -L DIR\n"
         "or in MODELICAPATH.\n");
    for (int i = 0; i < NVERB; i++)
        printf("  %-9s %s\n", verb_table[i].name, verb_table[i].job);
    puts("\n"
         "example: takt check --help\n"
         "\n"
         "exit codes:");
    for (int i = 0; i < verb_nexit; i++)
        printf("  %d  %s\n", i, verb_exit[i]);
}

static const Verb *find_verb(const char *name)
{
    for (int i = 0; i < NVERB; i++)
        if (strcmp(name, verb_table[i].name) == 0)
            return &verb_table[i];
    const char *all[NVERB];
    for (int i = 0; i < NVERB; i++)
        all[i] = verb_table[i].name;
    const char *near = distance_nearest(name, all, NVERB);
    fprintf(stderr, "takt: there is no verb '%s'\n", name);
    if (near)
        fprintf(stderr, "note: did you mean '%s'?\n", near);
    fprintf(stderr, "note: 'takt --help' lists the verbs\n");
    return NULL;
}

static int print_manual(int argc, char **argv)
{
    if (argc < 3) {
        manual_program();
        return EXIT_FINE;
    }
    const Verb *verb = find_verb(argv[2]);
    return verb ? manual_verb(verb) : EXIT_USAGE;
}

/* Output that could not be written is a failure of the machine. */
static int flushed(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "takt: standard output could not be written\n");
        return EXIT_TAKT;
    }
    return code;
}

/* What concerns no model. False if argv[1] is none of it. */
static bool is_about_takt(int argc, char **argv, int *code)
{
    const char *what = argv[1];
    *code = EXIT_FINE;
    if (!strcmp(what, "--version"))
        puts("takt " TAKT_VERSION);
    else if (!strcmp(what, "--help") || !strcmp(what, "-h") ||
             !strcmp(what, "help"))
        print_help();
    else if (!strcmp(what, "--man"))
        *code = print_manual(argc, argv);
    else if (!strcmp(what, "--completion"))
        *code = manual_completion(argc > 2 ? argv[2] : "");
    else
        return false;
    return true;
}

static int command(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "takt: a verb is expected\n"
                        "note: 'takt --help' lists the verbs\n");
        return EXIT_USAGE;
    }
    int code;
    if (is_about_takt(argc, argv, &code))
        return flushed(code);
    const Verb *verb = find_verb(argv[1]);
    return verb ? flushed(verb->run(argc - 1, argv + 1)) : EXIT_USAGE;
}

/* The host's locale may have a decimal comma. */
int takt_command(int argc, char **argv)
{
    Plain plain = plain_begin();
    int code = command(argc, argv);
    plain_end(plain);
    return code;
}

const char *takt_version(void)
{
    return TAKT_VERSION;
}

const char *takt_models(void)
{
    return models_dir();
}

void takt_on_failure(void (*handler)(const char *message))
{
    die_handler(handler);
}
