/* command.c - takt VERB ...: finds the verb and calls it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "takt/takt.h"

#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/distance.h"
#include "base/paths.h"
#include "cli/verbs.h"
#include "num/threads.h"

typedef struct Verb {
    const char *name;
    const char *job;
    int (*run)(int argc, char **argv); /* NULL: not done yet */
} Verb;

static const Verb verbs[] = {
#define VERB(name, job)  {#name, job, cmd_##name},
#define LATER(name, job) {#name, job, NULL},
#include "cli/verbs.def"
#undef VERB
#undef LATER
};

enum { NVERB = sizeof verbs / sizeof verbs[0] };

static int print_help(void)
{
    puts("takt turns a physical model into the beat of a real-time machine.\n"
         "\n"
         "usage: takt VERB MODEL [options]\n"
         "       takt VERB --help\n"
         "       takt --version\n"
         "\n"
         "MODEL is file.mo, file.mo:Class, or a class name found with -L DIR\n"
         "or in MODELICAPATH.\n");
    for (int i = 0; i < NVERB; i++)
        printf("  %-8s %s%s\n", verbs[i].name, verbs[i].job,
               verbs[i].run ? "" : " (not done yet)");
    puts("\n"
         "example: takt check --help\n"
         "\n"
         "exit codes: 0 fine, 1 the model or its numbers are at fault,\n"
         "2 wrong usage, 3 a feature that is not supported yet,\n"
         "4 takt or the machine failed");
    return EXIT_FINE;
}

static int unknown_verb(const char *name)
{
    const char *all[NVERB];
    for (int i = 0; i < NVERB; i++)
        all[i] = verbs[i].name;
    const char *near = distance_nearest(name, all, NVERB);
    fprintf(stderr, "takt: there is no verb '%s'\n", name);
    if (near)
        fprintf(stderr, "note: did you mean '%s'?\n", near);
    fprintf(stderr, "note: 'takt --help' lists the verbs\n");
    return EXIT_USAGE;
}

static int run_verb(const Verb *verb, int argc, char **argv)
{
    if (verb->run)
        return verb->run(argc, argv);
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        printf("takt %s: %s\n\nThis verb is not done yet.\n", verb->name,
               verb->job);
        return EXIT_FINE;
    }
    fprintf(stderr, "takt: 'takt %s' is not done yet\n", verb->name);
    return EXIT_UNSUPPORTED;
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

int takt_command(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "takt: a verb is expected\n"
                        "note: 'takt --help' lists the verbs\n");
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    threads_one();
    if (strcmp(name, "--version") == 0) {
        puts("takt " TAKT_VERSION);
        return flushed(EXIT_FINE);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        strcmp(name, "help") == 0)
        return flushed(print_help());
    for (int i = 0; i < NVERB; i++)
        if (strcmp(name, verbs[i].name) == 0)
            return flushed(run_verb(&verbs[i], argc - 1, argv + 1));
    return unknown_verb(name);
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
