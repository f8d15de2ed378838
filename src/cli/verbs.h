/* verbs.h - one function a command: src/cli/NAME.c holds cmd_NAME.
 *
 * argv[0] is the name of the verb. The result is the exit code (base/die.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_VERBS_H
#define TAKT_CLI_VERBS_H

#define VERB(name, job) int cmd_##name(int argc, char **argv);
#define LATER(name, job)
#include "cli/verbs.def"
#undef VERB
#undef LATER

#endif
