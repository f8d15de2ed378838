/* simplify.h - remove what needs no solving: constants and aliases.
 *
 *   in    Flat   scalar variables and equations as flattening left them
 *   out   Sys    the same system without constants, aliases and when clauses
 *   next  reduce/reduce.h
 *
 * More than half of the equations of a component model only say that two
 * connectors carry the same value, or that something is a number. They are
 * found by one work list: an equation with one unknown left and parameters
 * otherwise makes that unknown a constant or a dependent parameter, an
 * equation a = b or a = -b between two unknowns makes one the alias of the
 * other (union-find with sign), and each discovery brings the equations that
 * mention the variable back on the list.
 *
 * Nothing is lost: every variable of the flat model keeps its number and has a
 * role that says how its value is got back for output.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIMPLIFY_SIMPLIFY_H
#define TAKT_SIMPLIFY_SIMPLIFY_H

#include "sys/sys.h"

typedef struct SimplifyOptions {
    bool keep_aliases;      /* --keep-aliases: a = b stays an equation */
    const Network *network; /* its equations make no aliases; NULL: none */
    bool remove_unread;     /* variables nobody reads become SR_COMPUTED */
    const char *const *set; /* NAME=VALUE, of parameters and start values */
    int nset;
    const char *tunable;     /* all (or NULL), none, auto, or names: parameters
                                that do not become numbers (freeze.c) */
    const char *const *zero; /* parameters whose values are structure: they */
    int nzero;               /* become numbers whatever `tunable` says */
    bool free_starts; /* start values of continuous unknowns become parameters
                         "start(x)", so that generated code can change them */
} SimplifyOptions;

/* Simplifies `flat`, whose DAG the result shares. The result lives in `arena`.
 * Returns NULL if an error was reported: an equation that cannot hold (1 = 2
 * after replacement), parameters that depend on each other in a circle,
 * aliases with different fixed start values, a variable assigned by two when
 * clauses, a value set for what is not there or cannot be set. Time and memory
 * are near-linear in the size of the equations. */
Sys *simplify(const Flat *flat, SimplifyOptions options, Arena *arena,
              Diag *diag);

#endif
