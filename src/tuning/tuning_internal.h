/* tuning_internal.h - what the files of a tuning share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_TUNING_INTERNAL_H
#define TAKT_TUNING_TUNING_INTERNAL_H

#include "tuning/pool.h"
#include "tuning/tuning.h"

/* A step may make a mode grow by this part more than the model does: 1e-3 would
 * be a factor e in 1,000 steps. */
#define TUNER_MARGIN 1e-6

/* Iteration variables: of larger models there are no indicators (loderer.h),
 * which are dense and in long double, and decide nothing. */
enum { TUNER_MOST_INDICATED = 150 };

/* The uncut step of a method. */
typedef struct TunerExact {
    const char *method;
    const ProofExact *exact; /* NULL: it could not be had */
} TunerExact;

/* What came of a plan. Different ways lead to the same one. */
typedef struct TunerTried {
    const Plan *plan;
    TrialRun *trial;
    Proof proof;
} TunerTried;

typedef struct Tuner {
    Compilation *c;
    const TuneOptions *o;
    Tuning *r;
    ChoiceKnown *known; /* of r->pencil */
    Vec(TunerExact) exact;
    Vec(TunerTried) tried;
    const double *own;  /* of each sample: growth of the model in a step */
    AttackSteps steps;  /* that attacks compare with */
    int with_positions; /* candidate: the whole step with positions by the
                           trapezoidal rule, NONE */
    PoolAside *aside;   /* a search (aside.c), NULL: none */
} Tuner;

/* Candidates from the scenarios of `spec`, judged and attacked. NULL after a
 * report. */
Tuning *tuner_round(Compilation *c, const TuneOptions *options,
                    SampleSpec *spec);
/* The user's plan with another method, and without what it cuts. */
Plan *tuner_plan(const Tuner *t, const char *method);
/* The user's plan as it is becomes a candidate (given.c). */
void tuner_given(Tuner *t);
/* Has the user's plan modes or cuts of its own? */
bool tuner_has_cuts(const Plan *plan);
/* What is shown of a plan (proof.c) by its step, which is made if it is NULL;
 * without `products` those of consecutive steps are left out, which are most of
 * the work. */
Proof tuner_prove(Tuner *t, const Plan *plan, const Step *step, bool products);
/* Verdicts, the front, the choice and its reason (judge.c). False after a
 * report: what --choose names is not there, or refused. */
bool tuner_judge(Tuner *t);
/* Attacks a candidate that would be chosen. NULL if it survives, else its
 * verdict: what felled it (attacked.c). */
const char *tuner_attack(Tuner *t, TuneCandidate *k);
/* The blocks of a step, for analysis; `points` as in StepInput. NULL after a
 * report. */
const Step *tuner_structure(const Tuner *t, const Plan *plan,
                            const Samples *points);
/* Tries a plan out, looks for its proof and appends it as a candidate. The
 * pointer holds until the next one. */
TuneCandidate *tuner_add(Tuner *t, const char *name, TuneGroup group, Plan *p);
/* How far a candidate may stray, in percent. */
double tuner_limit(const Tuner *t);
/* Fills r->candidate. False after a report. */
bool tuner_candidates(Tuner *t);
/* The search for plans in mixed mode and combined ones, in a process of its own
 * (aside.c): it begins when the whole step is there; its candidates are added,
 * those in mixed mode as from number `at` on. */
void tuner_aside_begin(Tuner *t);
void tuner_aside_end(Tuner *t, int at);
/* Plans in mixed mode (mixed.c): sets of explicit states as so many bytes, and
 * the candidates made of them. */
size_t tuner_mixed_size(const Tuner *t);
void tuner_mixed_find(const Tuner *t, char *to);
void tuner_mixed(Tuner *t, const char *found);
/* The part of it with fewer entries in the iteration matrix (sparsed.c). */
bool tuner_sparsed(Tuner *t);
/* The plan of a choice: every place that is not kept is a cut. */
Plan *tuner_sparsed_plan(const Tuner *t, const bool *keep, const double *frozen,
                         const char *method);
/* The largest distance of an eigenvalue that the certificate saw from that of
 * the exact step, `spectrum` of each sample. */
double tuner_largest_change(const Certificate *k,
                            const Spectrum *const *spectrum);
/* Positions by the trapezoidal rule (positions.c): of the whole step, and of
 * the best plans of other groups. */
void tuner_positions_full(Tuner *t);
/* Has a candidate the rule that the user asked for, if it was asked for and the
 * model has positions? */
bool tuner_has_asked_positions(const Tuner *t, const Plan *plan);
void tuner_positions(Tuner *t);
/* By rules of run time, for comparison (rules.c). */
void tuner_rules(Tuner *t);
/* Plans of several kinds at once, from those that are there (combined.c): the
 * search, written as bytes, and the candidates made of them; what is not there
 * (NULL) is searched. */
void tuner_combined_find(Tuner *t, char *to, size_t size);
void tuner_combined(Tuner *t, const char *found, size_t size);

#endif
