/* describe.h - the table of a verb as text: help, manual page, completion.
 *
 * All four are made from the same Command, so that none of them can forget an
 * option. The frame of a manual page and of a completion script, which is the
 * same for all verbs, is in cli/manual.h.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_DESCRIBE_H
#define TAKT_CLI_DESCRIBE_H

#include <stdio.h>

#include "cli/options.h"

/* What stands after "--help=": "" is the help for a reader at the terminal. */
typedef enum Description {
    DESCRIBE_HELP, /* "" */
    DESCRIBE_MAN,  /* "man": sections of takt-VERB(1) from SYNOPSIS on */
    DESCRIBE_BASH, /* "bash": cases of the function _takt */
    DESCRIBE_ZSH,  /* "zsh": a case of the function _takt */
} Description;

/* False if there is no description of that name. */
bool description_find(const char *name, Description *out);

void describe(const Command *command, Description how, Arena *arena, FILE *out);

/* A paragraph as roff: no character of `text` is taken for a request. */
void describe_roff(const char *text, FILE *out);
/* `text` as it stands between single quotes of a shell. `special` are
 * characters that zsh takes for its own there; they get a backslash. */
void describe_quoted(const char *text, const char *special, FILE *out);

#endif
