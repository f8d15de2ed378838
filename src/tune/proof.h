/* proof.h - what is shown of a step, whatever its kind.
 *
 *   in    StepMaps   the linearised step of a plan in many samples, and that
 *                    of the uncut step (tuning/maps.h)
 *   out   Proof      proven, refuted, or neither
 *
 * A step of any kind (mixed, explicit, delayed, sparsed, frozen, all at once)
 * remembers some variables, and near a point maps them to their next values by
 * a matrix. It is proven if in every sample, kept-back ones too,
 *
 *   - no eigenvalue is larger than 1, than those of the uncut step, or than
 *     the model itself grows in a step there, up to `margin`;
 *   - norms of products over consecutive samples of a scenario stay within
 *     `growth` times those of the uncut step: eigenvalues of frozen matrices
 *     alone prove nothing for a system that varies;
 *   - algebraic values that are remembered contract: the spectral radius of
 *     their own part is below 1.
 *
 * `ringing` says how far the leftmost eigenvalue stands left of the leftmost
 * one of the uncut step, or of 0: near -1 a mode changes its sign at each step
 * that does not in the model. It is a figure of its own: a step that rings is
 * proven all the same, and is not recommended.
 *
 * Where a matrix cannot be had the step is unproven.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_PROOF_H
#define TAKT_TUNE_PROOF_H

#include <complex.h>
#include <stdbool.h>

#include "base/arena.h"
#include "tune/outcome.h"

#define PROOF_RINGING 0.05 /* more is called ringing */

/* The linearised step in one sample. */
typedef struct StepMap {
    const double *m; /* n * n by columns; NULL: there is none */
    double time;
    int scenario;
    bool kept_back;
} StepMap;

typedef struct StepMaps {
    int n;              /* remembered variables */
    int nx;             /* the first nx are states, */
    int nd;             /* the next nd derivatives, the others algebraic */
    const char **name;  /* size n */
    const double *unit; /* size n: what counts as 1, > 0 */
    int nsample;
    const StepMap *sample;
    const char *why; /* if a sample has none, or nsample is 0: one line */
} StepMaps;

/* The uncut step: computed once for all plans. */
typedef struct ProofExact {
    const StepMaps *maps;
    const double *radius;      /* size nsample: largest |lambda| */
    const double *leftmost;    /* size nsample: smallest real part, at most 0 */
    struct Products *products; /* of steps along the samples: products.h */
} ProofExact;

typedef struct ProofOptions {
    double tau;
    double margin; /* 0: 1e-6 */
    double growth; /* 0: 10 */
    const double
        *own;         /* size nsample: growth of the model in a step, NULL: 1 */
    bool no_products; /* are not looked at: "proven" says less */
} ProofOptions;

typedef enum ProofState {
    PROOF_UNPROVEN,
    PROOF_REFUTED,
    PROOF_PROVEN,
} ProofState;
const char *proof_state_text(ProofState state); /* "proven" */

typedef struct Proof {
    ProofState state;
    const char *why;     /* not proven: one line with the sample */
    int n, nx;           /* of the maps */
    double radius;       /* largest |lambda|, NaN: not known */
    double exact_radius; /* of the uncut step in that sample */
    int radius_sample;
    double ringing;               /* NaN: not known */
    double complex ringing_value; /* the leftmost eigenvalue, */
    int ringing_sample;           /* and where */
    double contraction;           /* largest radius of the algebraic part, 0 */
    double contraction_norm;      /* and its largest norm, in units */
    double product_ratio;         /* at least 1; NaN: not known */
    int product_from, product_to;
} Proof;

/* Lives in `arena`. */
const ProofExact *proof_exact(const StepMaps *maps, const ProofOptions *o,
                              Arena *arena);
/* `exact` NULL: only 1 and the model's own growth count, and there are no
 * products to compare with, so nothing is proven. */
Proof proof_make(const StepMaps *maps, const ProofExact *exact,
                 const ProofOptions *o, const TuneProgress *progress,
                 Arena *arena);
bool proof_rings(const Proof *p);

#endif
