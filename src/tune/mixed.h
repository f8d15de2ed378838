/* mixed.h - which states may be integrated explicitly at a given step.
 *
 *   in    PencilSet   L z' = Df z in many samples, and the step tau
 *   out   MixedList   sets of explicit states, each with the spectral radius of
 *                     its step and the size of the blocks that are left
 *   next  the plan: "modes", or cuts of kind "step" for single occurrences
 *
 * A step of mixed mode takes some places of Df at the old time (E_ij = 1) and
 * the others at the new one:
 *
 *     (L - tau (1-E).Df) z_{n+1} = (L + tau E.Df) z_n      . place by place
 *
 * and R(h, E) is the matrix that leads from z_n to z_{n+1}. Four forms:
 *
 *   MIX_ROW     the formula of the state is explicit: row i of E is 1. This is
 *               R(h, P) of Gustafsson 2021, (31), P = diag(E).
 *   MIX_COLUMN  every use of the state takes its old value: column i of E is 1
 *               (Schiela and Olsson 2000, and Dymola)
 *   MIX_BOTH    row and column
 *   MIX_PLACE   single occurrences: any E
 *
 * Algebraic rows are never explicit as rows: an algebraic variable has no
 * derivative. What is left in L - tau (1-E).Df falls into blocks; an explicit
 * state helps only where they become smaller (Gustafsson, end of 4.1), so that
 * only such states are proposed, in the order of their gain.
 *
 * Which sets are sound. Gustafsson asks |eigenvalues of R| < 1 in the samples
 * whose own eigenvalues have negative real parts, and leaves other samples out.
 * Then an undamped model has no sample at all. Here R may grow in no sample
 * more than the model itself grows in a step there, or 1 if it decays, times
 * 1 + margin: |R| <= max(1, |exp(tau lambda)|) (1 + margin). mixed_partition()
 * has both rules. As eigenvalues of frozen matrices alone prove nothing, the
 * norms of products of steps along the samples are compared with those of
 * implicit steps too.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_MIXED_H
#define TAKT_TUNE_MIXED_H

#include "inline/inlined.h"
#include "tune/pencil.h"

typedef enum MixForm { MIX_ROW, MIX_COLUMN, MIX_BOTH, MIX_PLACE } MixForm;
const char *mixed_form_name(MixForm form); /* "row" */

/* The cost of a step whose implicit part has the places with at_old[k] false
 * (size p->nnz). Smaller is better; only compared. */
typedef double MixCost(void *context, const PencilSet *p, const bool *at_old);

typedef struct MixOptions {
    double margin;   /* 1e-3, see above */
    bool strict;     /* Gustafsson's rule: < 1, samples that decay only */
    double ringing;  /* > 0: no eigenvalue of R may stand further left of 0 than
                        this (proof.h) */
    double growth;   /* largest product_ratio of a set, default 10; 0: products
                        are not looked at */
    int most_sets;   /* of each form, default 5 */
    int most_places; /* places of a set of MIX_PLACE, default 2 */
    MixCost *cost;   /* NULL: the sum of the cubes of the blocks' sizes */
    void *context;
} MixOptions;

typedef struct MixedSet {
    MixForm form;
    const bool *is_explicit; /* size nx: E of Gustafsson, true is slow; all
                                false in MIX_PLACE */
    int nexplicit;           /* states, or places in MIX_PLACE */
    const bool *at_old;      /* size nnz: the places of E */
    double radius;           /* of R, the largest over all samples, the
                                kept-back ones too */
    int worst;               /* sample in which growth is largest */
    double growth;           /* largest of radius over what is allowed (without
                                the margin) in a sample */
    double product_ratio;    /* norm of products of steps over consecutive
                                samples, over that of implicit steps
                                (certificate.h); NaN: not looked at */
    bool sound;              /* growth <= 1 + margin (strict: see above) in all
                                samples, and product_ratio within bounds */
    double cost;             /* by options.cost */
    int largest;             /* largest block left */
    int nblock;              /* blocks of two and more unknowns */
} MixedSet;

typedef struct MixedList {
    MixedSet implicit;   /* nothing explicit: what the others are compared to */
    MixedSet everything; /* all states explicit */
    MixedSet gustafsson; /* mixed_partition() over all samples */
    int n;
    const MixedSet *set; /* sound ones first, then by cost, then by number of
                            explicit states; each cheaper than `implicit` */
} MixedList;

MixOptions mixed_defaults(void);
/* Everything lives in `arena`. Samples with a singular implicit matrix make a
 * set unsound (radius INFINITY). */
const MixedList *mixed_find(const PencilSet *p, double tau, const MixOptions *o,
                            Arena *arena);

/* at_old (size nnz) of a form for the states of is_explicit (size nx). */
void mixed_places(const PencilSet *p, MixForm form, const bool *is_explicit,
                  bool *at_old);
/* The spectral radius of R in a sample; INFINITY if the implicit part is
 * singular. at_old NULL: nothing is explicit. */
double mixed_radius(const PencilSet *p, int sample, double tau,
                    const bool *at_old);
/* By which factor the model itself grows at most in a step: the largest
 * |exp(tau lambda)| over its finite eigenvalues; NaN if the pencil is
 * singular. */
double mixed_own_growth(const PencilSet *p, int sample, double tau);
/* Gustafsson's partition: in each sample (his 3.1.1) state after state becomes
 * explicit if the step stays sound; over the samples (3.1.2) a state is
 * explicit if it is in all of them. Kept-back samples do not take part. Writes
 * is_explicit (size nx) and returns how many are. */
int mixed_partition(const PencilSet *p, double tau, MixForm form,
                    const MixOptions *o, bool *is_explicit);
/* Writes a set into a plan: rows as "modes", columns and places as cuts of kind
 * "step" in the equations of the model that have the variable. For the place
 * of a row int(x) that is the equation with der(x). False, and nothing is
 * written, if that would be another step than R has: the variable comes (also)
 * by way of algebraic variables that are eliminated in the pencil. `d`
 * is the Inlined of the step. Names live in `arena`. */
bool mixed_to_plan(const PencilSet *p, const MixedSet *set, const Inlined *d,
                   Plan *plan, Arena *arena);

#endif
