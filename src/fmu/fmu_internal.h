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

typedef enum FmuUse {
    FMU_AS_EITHER,
    FMU_AS_EXCHANGE,
    FMU_AS_BLOCK,
    FMU_AS_SYSTEM, /* it is a file that connects several */
} FmuUse;

struct Fmu {
    const char *path;   /* of the archive */
    const char *folder; /* where it is unpacked; NULL: it is not */
    const FmuDescription *d;
    FmuUse use;
    int number; /* among those of a model */
    Arena *arena;
    const char *prefix;       /* "engine.", of a part of a system; or NULL */
    struct FmuSystem *system; /* it is none itself: see there; or NULL */
    const struct FmuLink *direct; /* of a part: from inputs to outputs that
                                     follow from them at once */
    int ndirect;
};

/* From a variable to another: names. */
typedef struct FmuLink {
    const char *from, *to;
    Span span;
} FmuLink;

/* FMUs that are connected: SystemStructure.ssd of SSP 1.0. */
typedef struct FmuSystem {
    const char *name;
    const char *folder; /* where an archive is unpacked; NULL: it is none */
    Fmu **part;
    int npart;
    FmuLink *link;
    int nlink;
    double start, stop; /* NaN: not given */
    Span span;
} FmuSystem;

/* ---- system.c ---- */

/* FILE.ssd, or FILE.ssp. NULL after a report. */
FmuSystem *fmu_open_system(const char *path, Sources *sources, Arena *arena,
                           Diag *diag);
/* Says which connections lead back to where they come from at once. */
void fmu_name_loops(const FmuSystem *s, Arena *arena, Diag *diag);

/* ---- archive.c ---- */

/* A file of the archive as text, NULL after a report. */
char *fmu_read_file(const char *path, const char *name, size_t *size,
                    Arena *arena, Diag *diag);
/* The names of all files. Returns how many, -1 after a report. */
int fmu_list_files(const char *path, const char ***name, Arena *arena,
                   Diag *diag);
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
    int nlisted;      /* of y: those of ModelStructure, which stand first */
    int nz;
    FmuMap slope_map, value_map;
} FmuShape;

FmuShape *fmu_shape(const Fmu *f, const FmuOptions *o, Arena *arena,
                    Diag *diag);

/* Keeps what fmu_name_loops() asks of a part. */
void fmu_note_direct(Fmu *f, const FmuShape *s, Arena *arena);

/* ---- host.c ---- */

/* Functions of the DAG, each NONE if there is no need of it. */
typedef struct FmuFunctions {
    int start, event, slope, value, cross, done, step;
} FmuFunctions;

FmuFunctions fmu_host(const Fmu *f, const FmuShape *s, Foreign *u, Dag *dag);
/* Where the binary is in the archive. */
const char *fmu_binary(const FmuDescription *d, const FmuKind *k, Arena *arena);

/* ---- flatten.c, parts.c ---- */

/* A model that FMUs are added to, one after the other; the first members are of
 * the present one. */
typedef struct FmuFlat {
    const Fmu *f;
    const char *prefix;      /* of its names: "engine.", or "" */
    const FmuSystem *system; /* it is a part of; or NULL */
    const FmuShape *s;
    const FmuDescription *d;
    Arena *arena;
    Dag *dag;
    FmuFunctions call;
    int *flat; /* number of a number of a variable: its flat variable */
    int status, epoch, next, end;
    int side; /* the first of: which indicators are above 0 */
    Vec(FlatVar) var;
    Vec(FlatEqn) eqn, initial;
    Vec(FlatWhen) when;
    Vec(FlatAssert) assertion;
    Vec(FlatEnumeration) enumeration;
    int ordinal;
    Foreign *u;
    double size; /* s: between communication points */
} FmuFlat;

/* Adds its variables and equations. False after a report. */
bool fmu_add_part(FmuFlat *w, Fmu *f, const FmuOptions *o, Diag *diag);
/* Unpacks the binary. False after a report. */
bool fmu_may_load(Fmu *f, const FmuShape *s, Diag *diag);

#endif
