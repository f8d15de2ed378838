/* takt_fmu.h - what the table of an FMU's variables says of them.
 *
 * A value reference is the number of a row of the generated name table. The
 * table fmu_row, made with the model, says what an importer may do with it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMU_H
#define TAKT_FMU_H

typedef enum FmuType {
    FMU_NONE, /* not a variable of the FMU */
    FMU_REAL,
    FMU_INTEGER,
    FMU_BOOLEAN,
    FMU_ENUMERATION
} FmuType;

typedef enum FmuAccess {
    FMU_READ,      /* never set from outside */
    FMU_PARAMETER, /* set before the start and between steps */
    FMU_INPUT,     /* the same */
    FMU_START      /* a start value: set before the start */
} FmuAccess;

typedef struct FmuRow {
    unsigned char type, access;
    int start; /* FMU_START: row of the start value */
    int base;  /* input that this one is the derivative of, or -1 */
    int is_discrete;
} FmuRow;

/* Scheduled execution: a clock of the importer. */
typedef struct FmuClock {
    const char *name;
    int rate; /* of the model; -1: the step */
    int priority;
    double interval, shift; /* s */
} FmuClock;

/* Model exchange: what moves by `row`; value = sign * what it moves by. */
typedef struct FmuMove {
    unsigned reference;
    int row;
    double sign;
} FmuMove;

#endif
