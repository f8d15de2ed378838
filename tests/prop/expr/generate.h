/* generate.h - random expressions, each in two forms. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_GENERATE_H
#define TAKT_TESTS_GENERATE_H

#include "prop/expr/point.h"

/* The same expression without any simplification, and as it is built. */
typedef struct Twin {
    Expr raw, made;
} Twin;

typedef struct Generator {
    Random *r;
    Dag *d;
    int size;      /* operations that may still be made */
    Twin pool[16]; /* Real expressions to be used again */
    int npool;
    int nvar; /* Real variables 0..nvar-1 may occur */
} Generator;

/* A Real expression of about `size` operations. */
Twin generate_real(Generator *g, int size);
/* An expression with one occurrence of the leaf `x`, below a chain of
 * operations of which most have one inverse. */
Twin generate_chain(Generator *g, Twin x, int length);

#endif
