/* reduce.h - index reduction, choice of states, initialisation system.
 *
 *   in    Sys   a system of any index
 *   out   Dae   index at most 1, with states, and what fixes its start
 *   next  inline/inline.h
 *
 *   structure  Is there an equation for each unknown? If not, the parts with
 * too many and too few are named (Dulmage, Mendelsohn 1958). index      Which
 * equations must be differentiated how often (Pantelides, SIAM J. Sci. Stat.
 * Comput. 9(2), 1988; the offsets are those of Pryce, BIT 41(2), 2001). rank Is
 * the leading Jacobian regular at points near the start? Constant dependencies
 * are removed and the analysis repeats. states     Dummy derivatives (Mattsson,
 * Soderlind, SIAM J. Sci. Comput. 14(3), 1993) with StateSelect and pivots at
 * the start point. init       The equations that determine the start.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REDUCE_REDUCE_H
#define TAKT_REDUCE_REDUCE_H

#include "dae/dae.h"

typedef struct ReduceOptions {
    bool static_states; /* never leave a choice of states to the run */
    const SysSet *set;  /* values given by the user */
    int nset;
    const char **state; /* states wished for by the plan, by name */
    int nwished;
    const DaeStateSet *given; /* sets of states that the run chooses among, */
    int ngiven;               /* beside those found here */
    bool keep_zeros;          /* parameters that are 0 are never structure */
    int most_index;    /* more than that by structure is taken for wrong if
                          asks_numbers; 0: any */
    bool asks_numbers; /* where structure is wrong: stop with Dae.is_deceived
                          instead of W1005 */
} ReduceOptions;

/* With Dae.nzero > 0 the answer is: again, with these parameters as numbers.
 *
 * Reduces `sys`, to which auxiliary variables may be added. The result lives in
 * `arena`. Returns NULL if an error was reported: the structure is singular,
 * an equation cannot be differentiated, initial conditions contradict each
 * other. Time is near-linear in the size of the system for sparse systems. */
Dae *reduce(Sys *sys, ReduceOptions options, Arena *arena, Diag *diag);

#endif
