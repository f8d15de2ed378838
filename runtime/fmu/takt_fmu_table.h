/* takt_fmu_table.h - what the functions around an imported FMU know of it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FMU_TABLE_H
#define TAKT_FMU_TABLE_H

/* An FMU that is part of the program (its sources were compiled with it) is
 * reached by TAKT_FMU_LINKED(name), its name of a function of FMI
 * TAKT_FMU_LINKED_VERSION; any other is loaded. */
#ifndef TAKT_FMU_LINKED
#include <dlfcn.h>
#endif
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TAKT_FMU_SLOTS
#define TAKT_FMU_SLOTS 4096 /* epochs that are kept */
#endif

/* Types of variables, in the order of FMI 3; FMI 2 has Float64, Int32 (also for
 * enumerations), Boolean. */
enum {
    TAKT_FMU_FLOAT64,
    TAKT_FMU_FLOAT32,
    TAKT_FMU_INT8,
    TAKT_FMU_UINT8,
    TAKT_FMU_INT16,
    TAKT_FMU_UINT16,
    TAKT_FMU_INT32,
    TAKT_FMU_UINT32,
    TAKT_FMU_INT64,
    TAKT_FMU_UINT64,
    TAKT_FMU_BOOLEAN,
    TAKT_FMU_ENUMERATION
};

typedef struct {
    unsigned ref;
    int type;
    int n;    /* numbers */
    int when; /* it is set: 0 before, 1 in the initialisation mode, 2 in the
                 configuration mode (FMI 3) */
} TaktFmuVar;

/* Which argument is in which group, and what each row depends on. */
typedef struct {
    int nrow;
    const int *group;       /* of argument: time, x, u */
    const int *single;      /* argument of a group with one; 0: see below */
    const int *start, *col; /* arguments that row i depends on */
    const TaktFmuVar *row;  /* variables of the rows: the first ones, */
    int nvar;               /* whose derivatives the FMU may be asked for */
} TaktFmuMap;

typedef struct {
    const char *name, *token, *binary, *resources;
    int version, is_block;
    int has_state, has_directional;
    int nx, nz;
    const double *nominal; /* of x */
    const TaktFmuVar *set; /* before the start */
    int nset, nset_numbers;
    const double *usual; /* what these are if nobody sets them; NaN: unknown */
    const TaktFmuVar *x; /* states */
    int nstate;
    const TaktFmuVar *u; /* inputs, continuous */
    int nu, nu_numbers;
    const TaktFmuVar *ud; /* and others */
    int nud, nud_numbers;
    const TaktFmuVar *d; /* what changes at events only */
    int nd, nd_numbers;
    const TaktFmuVar *y; /* what changes always */
    int ny, ny_numbers;
    TaktFmuMap slope, value;
    int room; /* the longest row of numbers */
} TaktFmuIs;

typedef struct {
    long epoch;
    int kind;     /* of the question: 0 start, 1 event, 2 step */
    double time;  /* of it */
    double *memo; /* question and answer */
    int nmemo;
    void *state;       /* of the FMU; 0: none */
    int is_done, asks; /* completedIntegratorStep at time `done` */
    double done;
} TaktFmuSlot;

typedef struct {
    int has_next, ends;
    double next;
} TaktFmuEvent;

typedef struct TaktFmu TaktFmu;

/* What a version of FMI gives. All return 1 if it went well. */
typedef struct {
    int (*load)(TaktFmu *);
    int (*instantiate)(TaktFmu *);
    void (*free)(TaktFmu *);
    int (*reset)(TaktFmu *);
    int (*initialize)(TaktFmu *, double t, const double *a);
    int (*update)(TaktFmu *, TaktFmuEvent *);
    int (*enter_event)(TaktFmu *);
    int (*completed)(TaktFmu *, int *asks);
    int (*set_time)(TaktFmu *, double t);
    int (*set_states)(TaktFmu *, const double *x);
    int (*get_states)(TaktFmu *, double *x);
    int (*get_slopes)(TaktFmu *, double *dx);
    int (*get_indicators)(TaktFmu *, double *z);
    int (*set)(TaktFmu *, const TaktFmuVar *, int n, const double *a);
    int (*get)(TaktFmu *, const TaktFmuVar *, int n, double *y);
    int (*save)(TaktFmu *, void **state);
    int (*restore)(TaktFmu *, void *state);
    void (*forget)(TaktFmu *, void **state);
    int (*directional)(TaktFmu *, const TaktFmuMap *, const double *seed,
                       double *y);
    int (*do_step)(TaktFmu *, double t, double h, int *ends);
} TaktFmuCalls;

struct TaktFmu {
    const TaktFmuIs *is;
    const TaktFmuCalls *call;
    void *library, *instance;
    int is_broken, has_warned;
    long now, last;    /* epoch the FMU is in, -1: none; the newest */
    TaktFmuSlot *slot; /* size TAKT_FMU_SLOTS */
    double *room;      /* 4 times is->room */
    unsigned *refs;    /* 2 times is->room */
    void *fn;          /* functions of the binary, by version */
};

static void takt_fmu_say(int level, const char *name, const char *text);
static void takt_fmu_doubt(TaktFmu *f);

#endif
