/* pantelides.h - how often each equation must be differentiated (Pantelides).
 *
 * Pantelides, SIAM J. Sci. Stat. Comput. 9(2), 1988: each equation in turn
 * looks for a highest derivative that it can determine. Where none is left,
 * all equations that were asked on the way are differentiated once, the
 * unknowns they wanted get a derivative, and the search is repeated.
 *
 * Input and output are those of signature.h, and equal c and d come out. This
 * one shows its steps: `step` names, in order, the sets of equations that had
 * to be differentiated together and the equation that asked, which is what a
 * user wants to read about a model of high index.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_PANTELIDES_H
#define TAKT_GRAPH_PANTELIDES_H

#include "graph/signature.h"

typedef enum PantelidesStatus {
    PANTELIDES_DONE,
    PANTELIDES_SINGULAR, /* no transversal: see dm.h */
    PANTELIDES_LIMIT,    /* an equation would be differentiated too often */
} PantelidesStatus;

/* Equations eqn[0..n), ascending, are differentiated `times` times because
 * equation `root` found no unknown. */
typedef struct PantelidesStep {
    int root;
    int times;
    int n;
    const int *eqn;
} PantelidesStep;

typedef struct Pantelides {
    PantelidesStatus status;
    const Offsets *offsets; /* NULL unless done */
    int root;               /* the equation at which it ended, else NONE */
    int nstep;
    const PantelidesStep *step;
} Pantelides;

/* `limit` is the largest c_i allowed (20 is generous); it also bounds the size
 * of the list of steps. */
const Pantelides *pantelides_run(const Incidence *sigma, int limit, Arena *out);

#endif
