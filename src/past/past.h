/* past.h - what is remembered of a delayed expression, and what it is off by.
 *
 *   made by   sim/   a record at every point of a run
 *   read by   sim/   what delay() asks for, and what that is off by
 *
 * On the grid a value is read on the line between two records. It differs from
 * what was: by the line, by what the run was off by then (the errors that stand
 * beside the records), and where a jump is a line in the memory.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PAST_PAST_H
#define TAKT_PAST_PAST_H

#include <stdbool.h>

#include "base/vec.h"

/* A jump that the memory has as a line. */
typedef struct PastJump {
    double from, to; /* of the line */
    double at;       /* where the jump was */
    double size;
} PastJump;

typedef struct Past {
    Vec(double) time;
    Vec(double) value;
    double size;       /* largest absolute value so far */
    Vec(double) error; /* of each record: what it should be, less what it is */
    Vec(PastJump) jump;
    double min, max;      /* of the records */
    double off, off_time; /* largest error of a value that was read at the end
                             of a step, and when */
    double off_now;       /* and the last one, true - read */
} Past;

/* The recorded value at `time`: linear between points, or cubic with a
 * neighbour on each side, never over an event, at which a time is recorded
 * twice; the first one before. */
double past_value(const Past *d, double time, bool is_smooth);
/* The same with one record more than a cubic has, on the side that has one;
 * NaN: none has. */
double past_finer(const Past *d, double time);
/* What a value read at `time` on a line is off by, true - read, jumps apart. */
double past_off(const Past *d, double time, bool is_discrete);
/* What jumps make of it, in the mean over the step that reads from `from` to
 * `to`. */
double past_off_jumps(const Past *d, double from, double to);
/* How far a value is from where the last two records lead to: what an event of
 * time has done, which stages have seen already. */
double past_leap(const Past *d, double time, double value);

/* Its range so far: with every record. What a value that was read is off by,
 * and the largest of these over the range. */
void past_see(Past *d, double value);
void past_see_off(Past *d, double off, double time);
double past_share(const Past *d);

#endif
