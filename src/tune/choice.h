/* choice.h - which entries of the iteration matrix are needed? (Schiela 5.2)
 *
 *   in    PencilSet, tau, how much the eigenvalues may move
 *   out   Choice      places kept, dropped, frozen
 *   next  search.h (cheaper at the same quality), certificate.h (is it safe?)
 *
 * Algorithm 5.1: the samples are visited in order; if the pattern found so far
 * does not pass the test in a sample, entries are added to it. Which ones
 * (5.3): an entry is kept if the weighted sum over the clusters of its
 * criterion is 1 or more; the weights are found by bisection, each cluster
 * its own, starting from 1/r_k.
 *
 * The test of a pattern in a sample (choice_test):
 *   - L - tau J is regular
 *   - the bottleneck assignment of the eigenvalues lambda~ of the step to those
 *     of the exact one has |lambda - lambda~| <= r,
 *     r = max(rho (1 - |lambda|), rho_m)                                 (5.1)
 *     (the assignment makes the worst quotient smallest, so a pattern passes if
 *     any pairing does)
 *   - |lambda~| <= max(1, |lambda|), up to `slack`: (5.1) alone lets modes
 *     grow
 *   - with algebraic variables: the iteration contracts, ||I - J22^-1 g_y|| < 1
 *     (theorem 3.3), in the norm of the nominal values or in another norm
 *     weighted by variables
 *   - with order > 1: J22 is exact (enforced), and the radius of the
 *     extrapolated step itself is at most max(1, that of the exact one)
 *
 * Beyond Schiela (2002): eigenvalues do not see entries through which a model
 * is driven. If what is dropped lets an output stray further than `drift`, the
 * entries with the largest shares in that are kept too, and the samples visited
 * again (choice_hold.c).
 *
 * Kept-back samples are not looked at here. A mass matrix that differs between
 * samples is refused (3.5).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_CHOICE_H
#define TAKT_TUNE_CHOICE_H

#include "tune/criterion.h"
#include "tune/drift.h"
#include "tune/outcome.h"
#include "tune/pencil.h"

#define CHOICE_USE 0.85

/* What does not depend on how far eigenvalues may move: computed once for all
 * choices, tests and certificates with the same tau and clusters. */
typedef struct ChoiceKnown {
    Arena *arena;
    const Spectrum **spectrum;   /* size nsample, NULL: not computed yet */
    const Criterion **criterion; /* likewise */
    struct Products *exact; /* of exact steps of order 1, NULL: not made yet */
} ChoiceKnown;

typedef struct ChoiceOptions {
    double tau;
    double rho;        /* 0: 0.1 */
    double rho_m;      /* 0: rho / 100 */
    double use;        /* the part of r that may be used; 0: all of it, when
                          entries are chosen CHOICE_USE, so that samples that
                          were kept back find room */
    double slack;      /* of |lambda~| <= max(1, |lambda|); 0: 1e-7 */
    int order;         /* of extrapolation; 0 or 1: none */
    const bool *force; /* size nnz or NULL: these places are kept */
    /* What dropped entries may add to the deviation of an output, in percent of
     * its range (drift.h); NULL or 0: it is not looked at. */
    const DriftPath *path;
    double drift;
    bool freeze;    /* replace kept entries by their mean where that passes */
    int bisections; /* for a sample at most; 0: 30 */
    ClusterOptions clusters;
    ChoiceKnown *known; /* read and filled; NULL: everything is computed anew */
} ChoiceOptions;

/* Reasons of a failed test. TEST(name, text) */
#define CHOICE_TESTS(TEST)                                                     \
    TEST(PASSED, "passed")                                                     \
    TEST(SINGULAR, "the iteration matrix is singular")                         \
    TEST(MOVED, "an eigenvalue moves too far")                                 \
    TEST(GROWS, "a mode grows")                                                \
    TEST(ALGEBRAIC, "the algebraic iteration does not contract")               \
    TEST(EXTRAPOLATED, "the extrapolated step is unstable")                    \
    TEST(PRODUCT, "products of steps grow")                                    \
    TEST(FAILED, "the eigenvalues could not be computed")

typedef enum ChoiceTest {
#define TEST(name, text) CHOICE_##name,
    CHOICE_TESTS(TEST)
#undef TEST
} ChoiceTest;

const char *choice_test_text(ChoiceTest test);

/* The exact side of a sample, computed once. */
typedef struct ChoiceSample {
    int sample;
    const Spectrum *spectrum;
    const Criterion *criterion; /* NULL until it is needed */
    const double *r;            /* size nmode: radius of (5.1) */
    const double *limit;        /* size nmode: the largest |lambda~| */
    double exact_radius;        /* of the extrapolated step if order > 1 */
} ChoiceSample;

/* What a test found. Figures are those of the first reason to fail, or all of
 * them when the test passes. */
typedef struct ChoiceFigures {
    ChoiceTest test;
    double worst_ratio;          /* |lambda - lambda~| / r */
    int worst_mode;              /* of the spectrum, NONE: an algebraic 0 */
    double complex worst_lambda; /* what became of it */
    double radius;               /* largest |lambda~| */
    double growth;               /* largest |lambda~| - max(1, |lambda|) */
    int growth_mode;             /* likewise */
    double contraction;          /* ||I - J22^-1 g_y||, 0 if J22 is exact */
    double extrapolated; /* radius of the extrapolated step, 0 if order <= 1 */
    int bad;             /* CHOICE_SINGULAR: column */
} ChoiceFigures;

typedef struct Choice {
    TuneCode code;
    const char *why;  /* if code is not TUNE_FINE: one line, with names */
    int bad_sample;   /* the sample at fault, NONE */
    const bool *keep; /* size nnz */
    const double
        *frozen; /* size nnz: value, NaN where not frozen; NULL: none */
    int nnz;     /* places of L - tau J that are left, L's included */
    int ndropped, nfrozen;
    const double *held; /* size nnz: what an entry would have added to the
                           deviation, percent, if it is kept because of that;
                           else 0 */
    int nheld;
    Drift drift; /* what is left; watch is NONE if it was not looked at */
    double worst_ratio, radius; /* over the samples used */
    int tests;                  /* how many patterns were tested */
    const ChoiceSample *sample; /* size nsample: those that were looked at */
} Choice;

/* Nothing is known yet. */
ChoiceKnown *choice_known(const PencilSet *p, Arena *arena);
/* The spectrum of a sample, found when it is asked for first; samples with the
 * same matrices share it. */
const Spectrum *choice_spectrum(ChoiceKnown *k, const PencilSet *p, int sample,
                                double tau, const ClusterOptions *o);
/* Prepares a sample. Lives in `arena`. */
ChoiceSample choice_sample(const PencilSet *p, int sample,
                           const ChoiceOptions *o, Arena *arena);
/* Its criterion, computed if it is not there yet. Lives in `arena`. */
const Criterion *choice_criterion(const PencilSet *p, const ChoiceOptions *o,
                                  ChoiceSample *s, Arena *arena);
/* Tests a pattern in a sample. `error` (size nmode + 1, or NULL) gets the
 * quotient |lambda - lambda~| / r of each mode, at the end that of the
 * algebraic zeros. Temporary memory only. */
ChoiceFigures choice_test(const PencilSet *p, const ChoiceSample *s,
                          const ChoiceOptions *o, const bool *keep,
                          const double *frozen, double *error);

/* Do a few eigenvalues of a large model show that it does not pass? Soon found
 * (ritz.h); false says nothing. */
bool choice_is_hopeless(const PencilSet *p, const ChoiceSample *s,
                        const ChoiceOptions *o, const bool *keep,
                        const double *frozen);

/* Would the outputs stray further than o->drift? False if that is not asked. */
bool choice_strays(const PencilSet *p, const ChoiceOptions *o, const bool *keep,
                   const double *frozen);

/* The rule of Schiela (2002, 5.3). The result lives in `arena`. If a sample
 * cannot be analysed, code and why say so and everything is kept. */
Choice choice_make(const PencilSet *p, const ChoiceOptions *o,
                   const TuneProgress *progress, Arena *arena);
/* Places that are left in L - tau J. */
int choice_nnz(const PencilSet *p, const bool *keep);

#endif
