/* verbs.h - the verbs: src/cli/NAME.c holds cmd_NAME, its table and its work.
 *
 * argv[0] is the name of the verb. The result is the exit code (base/die.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_VERBS_H
#define TAKT_CLI_VERBS_H

#define VERB(name, job) int cmd_##name(int argc, char **argv);
#include "cli/verbs.def"
#undef VERB

typedef struct Verb {
    const char *name;
    const char *job; /* what it does, one line */
    int (*run)(int argc, char **argv);
} Verb;

extern const Verb verb_table[]; /* in the order of the help */
extern const int verb_count;
extern const char *const verb_exit[]; /* what an exit code means */
extern const int verb_nexit;

#endif
