/* clocks.h - the synchronous language becomes discrete variables.
 *
 *   in    Flat    with Clock variables and operators between clocks
 *                 (chapters 16, 17)
 *   out   Flat    without: each clocked variable keeps its value between the
 *                 ticks of its clock, which are conditions
 *   next  simplify/simplify.h
 *
 *   partition.c  which variables and equations belong together (16.7)
 *   timing.c     base clocks, sub-clocks as rational multiples of them
 *   ticks.c      the condition of each clock: one sample() or event for a base
 *                clock, an integer counter for each sub-clock
 *   translate.c  the equations: v = if tick then value else pre(v)
 *   rates.c      which variables change at the ticks of a periodic clock only
 *   machine.c    state machines (chapter 17): which state is active
 *   outputs.c    outputs of several states in one connection
 *   constraints.c  partitions whose states depend on each other: index 1 first
 *   stages.c     the equations of a partition between two ticks
 *   solver.c     partitions with a solverMethod: difference equations (16.8)
 *
 * previous(x) is pre(x) then, hold(y) is y, sample(u) is pre(u), which is the
 * left limit, and between sub-clocks a value is that of the last tick. All
 * equations of a tick, of every clock that ticks with it, are solved at once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLOCKS_CLOCKS_H
#define TAKT_CLOCKS_CLOCKS_H

#include "flat/flat.h"

/* `f` itself if it has no clocks. NULL after a report. The result lives in
 * `arena`, its expressions in the DAG of `f`. */
Flat *clocks_translate(Flat *f, Arena *arena, Diag *diag);

#endif
