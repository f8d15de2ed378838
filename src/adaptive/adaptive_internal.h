/* adaptive_internal.h - what the files of adaptive/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ADAPTIVE_INTERNAL_H
#define TAKT_ADAPTIVE_INTERNAL_H

#include "adaptive/adaptive.h"
#include "sim/sim_parts.h"

typedef struct Run Run;
typedef struct Branches Branches; /* branch.c */
typedef struct Crossing Crossing; /* crossing.c */

/* What an integrator does for march.c. Slots are those of the tape, on which
 * relations, discrete equations and outputs are evaluated. */
typedef struct AdaptiveOps {
    /* One step, not beyond `stop`; *t is where it came. Negative: failed. */
    int (*step)(Run *r, double stop, double *t);
    /* The present point is the one at a time in the last step. */
    void (*interpolate)(Run *r, double t);
    /* Slots := the present point as it is. */
    void (*to_slots)(Run *r, double t);
    /* The same, what follows from the states solved anew. Returns whether that
     * worked. */
    bool (*evaluate)(Run *r, double t);
    /* The same where a reader looks: with as little work as will do. */
    void (*look)(Run *r, double t);
    /* After an event: starts from the present slots. False after a report. */
    bool (*restart)(Run *r, double t);
    bool (*report)(Run *r, int code, double t); /* returns false */
    /* Did the last step, to `t`, go over to another branch of equations than
     * the saved slots are on? Slots are as `look` left them unless it did. */
    bool (*has_jumped)(Run *r, double t);
    void (*limit)(Run *r, double length); /* of steps; 0: none */
    bool on_tape; /* it integrates the states of the tape: other ones may be
                     chosen, and where these become bad it is said */
} AdaptiveOps;

/* A run of any integrator; what SUNDIALS needs is in sundials.c, what the array
 * needs in array.c, each with a Run as its first member. */
struct Run {
    const AdaptiveOps *ops;
    Sim *sim;
    const AdaptiveOptions *options;
    AdaptiveStats *stats;
    int n;              /* unknowns of the integrator; 0: it is not needed */
    long nstep;         /* steps since the last point of output, */
    long nall;          /* and of the run; */
    double length;      /* that of the last one */
    double failed_at;   /* where the integrator gave up last, */
    int nfailed;        /* and how often it did since then */
    double looked;      /* the last point at which the model was looked at */
    double begun;       /* the last point at which events were looked at */
    Branches *branches; /* NULL: no block could have some */
    CrestSides *sides;  /* room for those of relations */
    Crossing *crossing;
    long turns;        /* of the Exec that were looked into */
    double jump_at;    /* where the next branch ends, INFINITY: not known */
    double tried_at;   /* where it was last looked for, as no step succeeds */
    double longest;    /* step near the end of a branch; 0: any */
    bool is_short;     /* steps are, near something narrow */
    double crept_from; /* time some hundred steps ago */
};

/* ---- branch.c ---- */
Branches *branches_new(const Run *r);
/* Is the present point, which was solved for, on the branch of the saved one?
 * Slots are as they were if it is. */
bool branch_is_kept(Run *r);
/* At the saved slots, at *t: does a branch of equations end there? Then goes
 * over its end, not beyond `stop`. */
bool branch_cross(Run *r, double stop, double *t);
/* A step should not go beyond the end of a branch, where it is known. */
double branch_stop(const Run *r, double from, double stop);
bool branch_is_near(const Run *r, double t); /* that end */
/* Does one end in the step from the saved slots at `from` to *t? Then *t is
 * `from` again, to be gone on from with shorter steps. */
bool branch_ends(Run *r, double from, double *t);

/* ---- crossing.c ---- */
Crossing *crossing_new(const Run *r);
/* Has a relation changed at `t` of the last step, everything else solved? */
bool crossing_at(Run *r, double t);
/* The first change of a relation in (from, *t], *t being the end of the last
 * step; returns whether there is one. The present point belongs to *t. */
bool crossing_locate(Run *r, double from, double *t);

/* ---- march.c ---- */
bool adaptive_march(Run *r, SimRow *row, void *context);

#endif
