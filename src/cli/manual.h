/* manual.h - manual pages and completion scripts, from the tables of the verbs.
 *
 *     takt --man > takt.1            the page of the program
 *     takt --man check > takt-check.1
 *     takt --completion bash > takt
 *     takt --completion zsh > _takt
 *
 * Each verb writes its own part (cli/describe.h), the frame is written here.
 * The build runs these and `make install` installs the files.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_MANUAL_H
#define TAKT_CLI_MANUAL_H

#include "cli/verbs.h"

/* takt(1). */
void manual_program(void);
/* takt-VERB(1). Returns the exit code. */
int manual_verb(const Verb *verb);
/* A script for a shell, "bash" or "zsh". Returns the exit code. */
int manual_completion(const char *shell);

#endif
