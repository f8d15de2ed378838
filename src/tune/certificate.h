/* certificate.h - is a sparsed step safe in all samples?
 *
 *   in    PencilSet, the places kept   from choice.h, search.h or a person
 *   out   Certificate
 *
 * All samples are looked at, those kept back too: the tests of choice.h, and
 * norms of products of step matrices over consecutive samples of a scenario.
 * Eigenvalues of frozen matrices alone prove nothing for a system that varies:
 * each step may damp every mode of its own and their product grow. The norm is
 * the largest row sum in nominal units (algebraic variables in what nominal
 * states make of them); it is compared with that of the exact step over the
 * same samples.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_CERTIFICATE_H
#define TAKT_TUNE_CERTIFICATE_H

#include "tune/choice.h"

typedef struct CertificateOptions {
    ChoiceOptions choice;
    int hold; /* steps made with the matrix of one sample; 0: as many as lie
                 between it and the next, at most 1000 */
    double growth; /* largest quotient of the norms, see product_ratio; 0: 10 */
} CertificateOptions;

typedef struct CertificateRow {
    int sample;
    bool kept_back;
    TuneCode code;
    ChoiceFigures figures;
} CertificateRow;

typedef struct Certificate {
    bool is_safe;
    TuneCode code;
    ChoiceTest test;     /* the first reason, CHOICE_PASSED */
    const char *why;     /* one line: what, where, which states; NULL if safe */
    int sample;          /* where, NONE */
    double radius;       /* worst |lambda~| */
    double exact_radius; /* of the same sample without sparsing */
    int radius_sample;
    double ratio;                 /* worst |lambda - lambda~| / r */
    int ratio_sample, ratio_mode; /* mode NONE: an algebraic 0 */
    double contraction;           /* worst ||I - J22^-1 g_y|| */
    double extrapolated;          /* worst radius of the extrapolated step */
    double product; /* largest norm of a product over consecutive samples, at
                       least 1: that of no step (products.h) */
    double product_exact; /* the same of the exact step */
    double product_ratio; /* largest of norm / max(1, norm of the exact one) */
    int product_from, product_to; /* samples of the largest quotient, NONE:
                                     nothing grows */
    int nrow;
    const CertificateRow *row; /* one per sample */
} Certificate;

/* Lives in `arena`. */
Certificate certificate_make(const PencilSet *p, const CertificateOptions *o,
                             const bool *keep, const double *frozen,
                             const TuneProgress *progress, Arena *arena);

/* The products alone, in the fields product_...: of any step that takes the
 * places with keep[k] at the new time and the others at the old one, as mixed
 * mode does. */
void certificate_products(const PencilSet *p, const CertificateOptions *o,
                          const bool *keep, const double *frozen,
                          Certificate *out, const TuneProgress *progress);

#endif
