/* attack.h - a plan attacked: runs that it was not made for.
 *
 *   in    Compilation, Plan   the model and the plan under attack
 *         SampleSpec          scenarios that the attacks start from
 *         AttackOptions       ranges, seed, number
 *   out   AttackReport        how many it survived, the worst, what broke it,
 *                             and the ranges that all of it has seen
 *
 * A point of a box (box.h) is a run: amplitude, timing and shape of inputs,
 * start values, parameters, length. The run is made with the plan and with the
 * full step (nothing cut, the same h), and the two are compared. 12 % of the
 * points are random corners, 38 % a Latin hypercube, both interleaved; then one
 * half of the rest starts from the worst by deviation, the other from the worst
 * by defect, at least 0.5 apart: children with each coordinate moved with
 * probability 0.6 by a normal step, which grows after a success and shrinks
 * otherwise. No search finds the worst of everything: a plan has survived so
 * many attacks, and that is all that is said.
 *
 * A plan survives a run if it stays within the limit of the full step, or of
 * the full step at a quarter of h. It is excused if it is no more than 1.5
 * times as far from the latter as the full step is itself: the step is too
 * large for the run, which thus shows nothing of the plan. A run that the full
 * step cannot make is void.
 *
 * Attacks are independent: they run in processes of their own, as many as there
 * are cores (pool.h). The result depends on the seed only.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_ATTACK_H
#define TAKT_TUNING_ATTACK_H

#include "tuning/reference.h"
#include "tune/outcome.h"

/* --range NAME=a:b: an input, a parameter or the start value of a state. */
typedef struct AttackRange {
    const char *name;
    double low, high;
} AttackRange;

/* What plans are compared with, which takes as long to make as a plan's step:
 * made by the first attack, for all that follow. */
typedef struct AttackSteps {
    const Plan *plan; /* of the full step; NULL: nothing is made yet */
    double size;      /* s */
    const Step *full;
    const Step *fine; /* at a quarter of its size; NULL: it cannot be made */
} AttackSteps;

typedef struct AttackOptions {
    int number; /* of attacks; NONE: as many as the work allows, 10 to 60 */
    unsigned seed;
    double limit; /* a plan may stray this far from the full step, percent */
    const AttackRange *range;
    int nrange;
    bool stop_early;    /* no local search once the plan has failed */
    int nprocess;       /* 0: one per core */
    AttackSteps *steps; /* NULL: made for this attack alone */
    const TuneProgress *progress;
} AttackOptions;

typedef enum AttackVerdict {
    ATTACK_VOID,     /* the full step cannot make this run */
    ATTACK_SURVIVED, /* within the limit, or as good as the full step */
    ATTACK_STRAYED,  /* beyond the limit */
    ATTACK_FAILED,   /* the run with the plan did not reach its end */
    ATTACK_CRASHED,  /* its process ended */
} AttackVerdict;

enum { ATTACK_TEXT = 200 };

/* What came of a run. */
typedef struct AttackOutcome {
    AttackVerdict verdict;
    double percent; /* largest distance from the full step, of the range */
    int watch;      /* where, NONE: nothing was compared */
    double time;
    double first;    /* time at which it left the limit, or that of the worst */
    double eta;      /* largest defect of a step of the plan */
    double full_eta; /* and of the full step */
    bool is_stopped; /* void, and the plan cannot make it either */
    bool is_excused; /* beyond the limit, as the full step is */
    double own;      /* then: how far that is from a quarter of h, percent */
    double off;      /* how far the plan is from there, where it was looked at;
                        or from what the two tend to, percent */
    double bend;     /* how much the slopes of the full step change, as a part
                        of the range: what its error may be */
    bool is_checked; /* against a quarter of h, though it is near the full step:
                      */
    bool is_poor;    /* and both are beyond the limit */
    bool is_flagged; /* a step was doubtful or failed */
    double stop;     /* of the run, s */
    char why[ATTACK_TEXT];
} AttackOutcome;

typedef struct AttackReport {
    int tried;    /* runs of which something can be said: not void */
    int survived; /* of them */
    int excused;  /* of these: beyond the limit, where the full step's own error
                     is as large */
    int checked;  /* of these: near the full step, and held against a quarter of
                     h besides: */
    int poor;     /* both are beyond the limit */
    double own;   /* the largest error of the full step seen, percent, */
    double off;   /* and that of the plan, in all attacks survived that were
                     held against a quarter of h */
    int nvoid;
    const char *stops;     /* why the plan cannot make its own scenario, which
                              the full step cannot either; NULL: it can */
    bool is_line;          /* they differ in their length alone */
    double percent;        /* largest deviation survived, percent */
    double eta;            /* largest defect survived */
    const char *worst;     /* the run with the largest deviation, in words */
    SampleScenario *found; /* runs that broke the plan, the worst first */
    int nfound;            /* MOST_FOUND at most */
    double fell;           /* largest deviation of them, percent; infinite: one
                              did not come to its end */
    const char *why;     /* what the worst of them did, NULL: none broke it, */
    const char *fell_to; /* and that run in words */
    PlanDomain domain;   /* what nominal runs and attacks survived have seen */
} AttackReport;

enum { ATTACK_MOST_FOUND = 3 };

/* Attacks `plan`; `full` is the plan of the full step. `watch` names what is
 * compared. Messages are kept from the user. Lives in c->arena. NULL after a
 * report: --range names nothing that can be varied; a step that cannot be
 * made. */
AttackReport *tuning_attack(Compilation *c, const Plan *plan, const Plan *full,
                            const SampleSpec *spec, const char *const *watch,
                            int nwatch, const AttackOptions *options);

#endif
