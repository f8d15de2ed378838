/* differences.h - the Jacobian as finite differences see it.
 *
 * A tool that can only evaluate the right-hand side as a whole perturbs one
 * state after the other. Wherever systems of equations are solved on the way,
 * the result moves in the last digits, and entries appear that the model does
 * not have (Schiela 6.4: dense rows). This is what sparsing is compared with.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_DIFFERENCES_H
#define TAKT_TUNING_DIFFERENCES_H

#include "tuning/reference.h"
#include "num/static_lu.h"

typedef struct Differences {
    int n;               /* states */
    int nnz;             /* of I - tau J, in some sample */
    StaticLuCount count; /* of its static factors; flops 0: no order serves */
} Differences;

/* Forward differences in every sample. False if there is none in which the
 * model can be evaluated; out->n is 0 then. */
bool tuning_differences(const Compilation *c, const Reference *reference,
                        Differences *out);

#endif
