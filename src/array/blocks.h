/* blocks.h - is the leading Jacobian regular, block by block?
 *
 *   in    Array
 *   out   ArrayBlocks
 *
 * By Pryce (BIT 41(2), 2001) structural analysis is right if the Jacobian of
 * the equations, differentiated as often as it says, by the highest derivatives
 * is regular at a consistent point; by Griewank's lemma its entries are those
 * of f itself. It falls into the blocks of its strong components, so systems of
 * any size can be asked, where the ranks of a whole array cost too much.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_BLOCKS_H
#define TAKT_ARRAY_BLOCKS_H

#include "array/array.h"
#include "array/rank.h"
#include "graph/blt.h"

typedef struct ArrayBlock {
    int block; /* of the Blt */
    int n;
    const int *row; /* of the array: equations */
    const int *var; /* of the Sys: unknowns */
    Rank rank;      /* the largest over the points */
} ArrayBlock;

typedef struct ArrayBlocks {
    int n;          /* blocks */
    const Blt *blt; /* equations: rows of the array; unknowns: places in
                       Array.unknown */
    int largest;    /* size */
    int skipped;    /* blocks with more rows than are looked at */
    ArrayBlock *singular;
    int nsingular;
    double
        kept; /* smallest singular value of a regular block over its largest */
} ArrayBlocks;

/* At points near the start at time t. NULL if structure is singular. */
const ArrayBlocks *array_blocks(Array *a, double t, Arena *arena);

#endif
