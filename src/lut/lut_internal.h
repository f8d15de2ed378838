/* lut_internal.h - what the files of lut/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LUT_INTERNAL_H
#define TAKT_LUT_INTERNAL_H

#include "lut/lut.h"

typedef enum Family { ONE, OVER_TIME, TWO, NEXT } Family;

/* What functions of tables are told by their `info`. */
typedef struct Look {
    int family; /* Family */
    int kind, outside;
    int n, m;
    int order[2]; /* of the derivative by each argument */
} Look;

#endif
