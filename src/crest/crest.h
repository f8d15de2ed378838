/* crest.h - sides of relations that come together, turn and part again.
 *
 *   in    how far the sides of each relation are apart, at points of a run
 *         whose steps are as long as they like
 *   out   a place within a step where a relation seems to be another than at
 *         both ends; and the crests that came near to equality
 *
 * A ball that dips into a liquid may be above it at both ends of a step. And
 * where it turns nearer to the surface than the run is off, errors decide
 * whether it dips: two runs with other errors tell by how much.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CREST_CREST_H
#define TAKT_CREST_CREST_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct Crests Crests;

typedef struct Crest {
    int relation;
    double time;
    double depth; /* so far beyond equality; less than 0: before it */
    double side;  /* sign of lhs - rhs before */
    double size;  /* so far its sides were apart before */
    double error; /* that a run may have there */
} Crest;

/* The sides of a relation at a point of the last step, or NAN. */
typedef double CrestGap(void *context, int relation, double time);

Crests *crests_new(int nrelation, Arena *arena);
/* Something has happened: points before do not count. */
void crests_forget(Crests *c);
/* What there is of a relation at a point. */
typedef struct CrestSides {
    double gap;   /* lhs - rhs; NAN: it has none */
    double width; /* less is nothing */
} CrestSides;

/* A step from `from` has come to `t`. Returns where to put the sides of each
 * relation there. */
CrestSides *crests_add(Crests *c, double from, double t);
/* After that: a time within the step at which a relation seems to have another
 * value than at both ends, or NAN. *moved: `gap` was asked. */
double crests_look(Crests *c, CrestGap *gap, void *context, bool *moved);

/* Crests of a run that are nearer to equality than it may be off there: at most
 * one of each relation, and `most` in all. b: a run with ten times its
 * tolerance rtol. Returns how many. */
int crests_doubtful(const Crests *a, const Crests *b, double rtol, Crest *found,
                    int most);

#endif
