/* fmu_internal.h - what the files of fmu/ share.
 *
 *   archive.c   zip files                shape.c     who is what, who depends
 * on describe.c  XML -> description                   whom, groups of columns
 *   flatten.c   equations                host.c      C around the binary
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMU_INTERNAL_H
#define TAKT_FMU_INTERNAL_H

#include "base/vec.h"
#include "fmu/description.h"
#include "fmu/fmu.h"
#include "foreign/foreign.h"

typedef enum FmuUse { FMU_AS_EITHER, FMU_AS_EXCHANGE, FMU_AS_BLOCK } FmuUse;

struct Fmu {
    const char *path;   /* of the archive */
    const char *folder; /* where it is unpacked; NULL: it is not */
    const FmuDescription *d;
    FmuUse use;
    int number; /* among those of a model */
    Arena *arena;
};

/* ---- archive.c ---- */

/* A file of the archive as text, NULL after a report. */
char *fmu_read_file(const char *path, const char *name, size_t *size,
                    Arena *arena, Diag *diag);
/* Unpacks what is below one of the folders `part` (ended by NULL) into a new
 * folder. NULL after a report. */
const char *fmu_unpack(const char *path, const char *const *part, Arena *arena,
                       Diag *diag);
/* Removes a folder and all that is in it. */
void fmu_remove(const char *folder);

/* ---- shape.c ---- */

/* Variables in an order, with all their numbers. */
typedef struct FmuList {
    int *at; /* numbers of variables */
    int n;
    int count; /* of their numbers */
} FmuList;

/* Rows that depend on arguments of a function: time, x, u. */
typedef struct FmuMap {
    int nrow, narg;
    unsigned char *depends; /* [row * narg + argument] */
    int *group;             /* of an argument; NONE: none depends on it */
    int ngroup;
    bool is_single; /* every group has one argument */
} FmuMap;

typedef struct FmuShape {
    const FmuDescription *d;
    bool is_block;
    const FmuKind *kind;
    double *start;    /* of all numbers of all variables; NaN: none */
    double *usual;    /* the same as the description has them */
    int *first;       /* of a variable: its place in `start` */
    FmuList state;    /* in the order of the derivatives */
    FmuList slope;    /* the derivatives */
    FmuList set;      /* parameters, start values, inputs */
    FmuList u, ud;    /* inputs: continuous, discrete */
    FmuList y, d_out; /* results: continuous, discrete */
    FmuList output;   /* of the lists before: those of ModelStructure first */
    int nz;
    FmuMap slope_map, value_map;
} FmuShape;

FmuShape *fmu_shape(const Fmu *f, const FmuOptions *o, Arena *arena,
                    Diag *diag);

/* ---- host.c ---- */

/* Functions of the DAG, each NONE if there is no need of it. */
typedef struct FmuFunctions {
    int start, event, slope, value, cross, done, step;
} FmuFunctions;

FmuFunctions fmu_host(const Fmu *f, const FmuShape *s, Foreign *u, Dag *dag);
/* Where the binary is in the archive. */
const char *fmu_binary(const FmuDescription *d, const FmuKind *k, Arena *arena);

#endif
