/* spectrum.h - the modes of a model in one sample, and what a step makes of
 * them.
 *
 *   in    PencilSet, a sample, tau
 *   out   Spectrum   eigenvalues of (L, L - tau Df), in groups, with states
 *   next  criterion.h (which entries move them), report, `takt tune`
 *
 * The algebraic part is eliminated first (Schiela 4.1.4): with
 * B = L - tau Df, the nx eigenvalues that are not 0 by the algebraic equations
 * are those of the pair (L_11, B_11 - B_12 B_22^-1 B_21), and a vector of the
 * small pair belongs to the large one through [I; -B_22^-1 B_21] on the right
 * and [I, -B_12 B_22^-1] on the left. The small pair is balanced (dgebal), so
 * units do not matter; then see clusters.h.
 *
 * If Df_22 is singular the index is above 1. When L - tau Df is regular all the
 * same, the eigenvalues are those of the whole step and code is
 * TUNE_HIGHER_INDEX: figures to look at, but no sparsing.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_SPECTRUM_H
#define TAKT_TUNE_SPECTRUM_H

#include <complex.h>

#include "tune/clusters.h"
#include "tune/pencil.h"

/* What kind of a mode, by mu, the eigenvalue of the model, and lambda =
 * 1 / (1 - tau mu), the factor of a step; the first that fits. MODE(name, text)
 *   superstable  Re mu > 0 and |lambda| < 1: grows, but the step damps it
 *   unstable     Re mu > 0 otherwise
 *   oscillatory  |Im mu| > |Re mu|
 *   stiff        explicit Euler would be unstable: |1 + tau mu| > 1
 *   slow         the rest; constant modes too */
#define MODE_KINDS(MODE)                                                       \
    MODE(STIFF, "stiff")                                                       \
    MODE(OSCILLATORY, "oscillatory")                                           \
    MODE(SLOW, "slow")                                                         \
    MODE(SUPERSTABLE, "superstable")                                           \
    MODE(UNSTABLE, "unstable")

typedef enum ModeKind {
#define MODE(name, text) MODE_##name,
    MODE_KINDS(MODE)
#undef MODE
        MODE_NKIND
} ModeKind;

typedef struct Mode {
    double complex lambda; /* of the step */
    double complex mu;     /* of the model, 1/s; 0 with is_infinite */
    bool is_infinite;      /* lambda is 0: forgotten in one step */
    ModeKind kind;
    int cluster; /* place in Spectrum.cluster, NONE with TUNE_HIGHER_INDEX */
} Mode;

/* A cluster, in the variables of the set. */
typedef struct ModeCluster {
    int size;            /* m */
    const int *mode;     /* size m, places in Spectrum.mode */
    const double *v;     /* n * m: X_k of (4.51) in all variables */
    const double *u;     /* m * n: B_k^-1 Y_k^T (4.52), u (L - tau Df) v = I */
    const double *a;     /* m * m: B_k^-1 A_k */
    const double *share; /* size nx: of a state in the cluster, sum 1 */
    double projector;    /* norm of its projector: how badly conditioned */
} ModeCluster;

typedef struct Spectrum {
    TuneCode code;
    const char *why; /* one line if code is not TUNE_FINE, with names */
    double tau;
    int sample;
    int n, nx;
    int nmode;        /* nx; n with TUNE_HIGHER_INDEX */
    const Mode *mode; /* largest |lambda| first */
    int ncluster;
    const ModeCluster *cluster;
    int count[MODE_NKIND];
    double radius;         /* largest |lambda| */
    double explicit_step;  /* largest stable step of explicit Euler for the
                              modes that decay; INFINITY: any */
    const double *inverse; /* (n-nx)^2: Df_22^-1, NULL if nx == n */
} Spectrum;

/* Lives in `arena`. */
const Spectrum *spectrum_make(const PencilSet *p, int sample, double tau,
                              const ClusterOptions *options, Arena *arena);
const char *mode_kind_text(ModeKind kind);
/* "R1.v, C2.v": the states with the largest shares in a cluster, at most
 * `most`, those above 5 % of the largest. */
const char *spectrum_states(const PencilSet *p, const Spectrum *s, int cluster,
                            int most, Arena *arena);

#endif
