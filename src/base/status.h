/* status.h - what can happen in a step, at the desk and in generated C: the
 * table of status.def. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_STATUS_H
#define TAKT_BASE_STATUS_H

#include <stdbool.h>

#include "base/arena.h"

/* What start and step return. */
typedef enum Status {
    STATUS_FINE = 0,
#define STATUS(name, code, ...) STATUS_##name = code,
#include "base/status.def"
} Status;

/* Rows, in the order of precedence. */
typedef enum StatusCause {
#define STATUS(name, ...) CAUSE_##name,
#include "base/status.def"
    STATUS_NCAUSE
} StatusCause;

typedef enum StatusSeverity {
    SEVERITY_FINE,
    SEVERITY_NOTED,
    SEVERITY_DOUBTFUL,
    SEVERITY_FAILED
} StatusSeverity;

/* The numbers of fmi2Status and fmi3Status. */
typedef enum StatusFmi {
    FMI_OK,
    FMI_WARNING,
    FMI_DISCARD,
    FMI_ERROR
} StatusFmi;

typedef enum StatusOf {
    OF_NOTHING,
    OF_BLOCK,
    OF_MESSAGE,
    OF_VARIABLE
} StatusOf;

typedef struct StatusRow {
    const char *name; /* "FAILED" */
    Status code;
    StatusSeverity severity;
    StatusFmi fmi;
    StatusOf of;
    const char *word, *text, *hint;
} StatusRow;

extern const StatusRow status_row[STATUS_NCAUSE];

/* The row of a code other than STATUS_FINE; NULL: there is none. */
const StatusRow *status_find(int code);
/* "in 12 steps a block did not converge: y"; `where` may be "". */
const char *status_count_text(const StatusRow *row, long long nstep,
                              const char *where, Arena *arena);

#endif
