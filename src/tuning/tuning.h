/* tuning.h - candidates for a step, tried out and judged.
 *
 *   in    Compilation (to the Dae), TuneOptions
 *   out   Tuning   candidates, each with its plan, cost, spectrum, deviation;
 *                  the one to take, and why
 *   next  pages/tune_text.h prints it, pages/report.h draws it, plan_write()
 * keeps it
 *
 * The candidates are explicit Euler, linearly implicit Euler in the three ways
 * to treat algebraic variables, sparsed at several rho by Schiela's rule and
 * by cost, with frozen entries, in mixed mode, with delays, and extrapolated.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_TUNING_H
#define TAKT_TUNING_TUNING_H

#include "tuning/attack.h"
#include "tuning/differences.h"
#include "tuning/maps.h"
#include "tuning/path.h"
#include "tuning/trial.h"
#include "tune/certificate.h"
#include "tune/lag.h"
#include "tune/loderer.h"
#include "tune/mixed.h"
#include "tune/spectrum.h"

typedef enum TuneGroup {
    TUNE_BASE = 1, /* always tried */
    TUNE_SPARSING = 2,
    TUNE_MIXED = 4,
    TUNE_LAG = 8,
    TUNE_EXTRAPOLATED = 16,
    TUNE_COMBINED = 32,
    TUNE_POSITIONS = 64,
} TuneGroup;

typedef struct TuneOptions {
    unsigned groups; /* of TuneGroup; 0: all */
    PlanAlgebraic
        view;         /* what the matrix has that is sparsed; PA_AUTO: states */
    double deviation; /* a candidate may stray this far, percent; 0: 5 */
    long budget;      /* instructions per step; 0: none */
    const double *rho; /* NULL: 0.01, 0.05, 0.1, 0.5, 1 */
    int nrho;
    double rho_min;           /* rho_m of (5.1); 0: rho / 100 */
    const char *const *watch; /* outputs; 0: those of the model, or states */
    int nwatch;
    const char *const *keep; /* entries "EQUATION,VARIABLE" never dropped */
    int nkeep;
    const SampleWish *samples; /* NULL: as the plan has them */
    int attack; /* attacks on the recommendation; NONE: as work allows */
    const AttackRange *range; /* of what they vary */
    int nrange;
    const char *choose; /* take the candidate of this name */
    bool force;         /* even if its certificate fails */
    const TuneProgress *progress;
} TuneOptions;

typedef struct TuneCandidate {
    const char *name; /* "sparsed 0.1" */
    TuneGroup group;
    Plan *plan;
    const TrialRun *trial;
    Proof proof;                /* of the step as the plan makes it */
    const AttackReport *attack; /* NULL: it was not attacked */
    bool has_certificate;
    Certificate certificate; /* of cuts in the iteration matrix */
    const LagCut *lag;       /* of a delay, NULL: none */
    Indicators indicators;   /* where the certificate saw the largest change */
    const bool *keep;        /* places of the pencils that are implicit, NULL:
                                all */
    const double *frozen;
    const double *held; /* entries kept for the outputs' sake: see Choice */
    int nheld;
    Drift drift;        /* estimated; watch is NONE if there is none */
    double radius;      /* largest |eigenvalue| of the step over all samples;
                           NaN: not known */
    double change;      /* worst |lambda - lambda~|, NaN: not known */
    double rho;         /* that the certificate was made with, 0: none */
    const char *modes;  /* explicit states or delays, "" */
    bool is_safe;       /* proven; cuts in the matrix certified as well */
    bool is_acceptable; /* safe, does not ring, ran, survived the attacks,
                           within deviation and budget */
    bool is_front;      /* no other that ran is cheaper and nearer */
    const char *verdict;
} TuneCandidate;

typedef struct Tuning {
    const Compilation *c;
    SampleSpec *spec;
    const Reference *reference;
    const char **watch;
    int nwatch;
    const Inlined *inlined; /* of the full step */
    const PencilSet *pencil;
    const DriftPath *path;     /* NULL: no estimate of deviations */
    PlanAlgebraic view;        /* what the pencils iterate on */
    const Spectrum **spectrum; /* of each sample */
    double explicit_step;      /* smallest over the samples */
    StaticLuCount symbolic;    /* factors of the full matrix of the pencils */
    Differences differences;   /* n is 0 where they could not be had */
    Vec(TuneCandidate) candidate;
    double limit; /* of the deviation, percent */
    int given;    /* candidate: the user's plan, NONE */
    const Indicators
        *indicators;           /* of it in each sample of the pencils, NULL: */
    const char *no_indicators; /* why there are none, NULL */
    int full;                  /* candidate: all implicit, nothing cut */
    int chosen;                /* NONE: no candidate is acceptable */
    const char *why;
    const struct Tuning *before; /* a round whose candidates fell, and what they
                                    fell to joined the points; NULL: none */
} Tuning;

/* Everything lives in c->arena. NULL after a report. */
Tuning *tuning_make(Compilation *c, const TuneOptions *options);

#endif
