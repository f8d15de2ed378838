/* within_internal.h - what within.c and near.c share: a point within a step. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIM_WITHIN_INTERNAL_H
#define TAKT_SIM_WITHIN_INTERNAL_H

#include "sim/sim_internal.h"

typedef struct SimNear SimNear;

struct SimWithin {
    double *last, *before; /* lhs - rhs of each relation one and two points ago;
                              NAN: not known, or an event was between */
    double length;         /* between these two points */
    double *after;         /* slots after the events of the step */
    double *push;          /* of each state */
    double *rise[2];       /* of each state: slopes of its cubic at both ends */
    double *was;      /* and where it was one point before; NAN: not known */
    double *slots[2]; /* of both ends with these slopes, NULL: nothing is narrow
                       */
    bool *is_seen;    /* of each relation: in this step */
    double *inside;  /* SHAPE_POINTS of each relation: lhs - rhs in this step */
    bool has_inside; /* they are known */
    int nnarrow;     /* functions of states that were */
    int next;        /* of PulseList */
    long n;          /* seen so far, */
    double first;    /* the first at this time: */
    const char *what; /* this */
    long lost; /* events among them, the first from and to these times: */
    double lost_from, lost_to;
    const char *lost_what; /* this */
    long leaps;            /* steps in which slopes jump without an event, */
    double leap_time;      /* first at this time */
    long broken;           /* assertions, the first at this time: */
    double broken_time;
    int broken_what; /* this one of the model */
    SimNear *near;   /* NULL: no step yet */
};

typedef struct SimWithin Within;

/* A step, and where in it something is. */
typedef struct Step {
    Sim *s;
    Within *w;
    double from, to;
} Step;

/* ---- within.c ---- */
/* The slots become those of a point of the step, relations those of its end
 * before events. False: there is no solution. */
bool within_go_to(const Step *p, double time);
/* The model at the present slots. */
bool within_evaluate(Sim *s);
/* From there to the end of the step and its events. Are discrete variables
 * others then than they are in the run? */
bool within_ends_otherwise(const Step *p);
const char *within_text(const Sim *s, Expr what);

/* ---- leaps.c ---- */
/* What slopes that jump without an event cost. */
void leaps_look(const Step *p, bool at_event);

/* ---- near.c ---- */
/* The events at the present slots, played. Is a state or a discrete variable
 * another at the end of the step than it is in the run? */
bool near_leaves(const Step *p);
/* Relation i, which is `now` apart before the events of the step. */
void near_see(const Step *p, int i, double now);
void near_trust(const SimNear *n, SimTrust *t);

#endif
