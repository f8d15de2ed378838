/* reduced.h - rows of a derivative array, differentiated no oftener than
 * needed.
 *
 *   in    Array, ArrayIndex with its uniform index nu
 *   out   ArrayRows    row r up to order limit[r]
 *   next  complete.h, march.h: coordinate partitioning with fewer rows
 *
 * All rows of F_nu determine the whole of x'. What a partition integrates is
 * less: the constraints on x, and x' of the variables whose derivatives occur.
 * Structure says which equations need fewer derivatives: with the offsets c_i
 * of Pryce (BIT 41(2), 2001) equation i is differentiated c_i times where the
 * first is differentiated max c times, so of F_K it is taken up to the order
 * K - max c + c_i. Structure may be wrong, so numbers decide at the consistent
 * point and around it whether
 *
 *     as many constraints are left as F_nu has, and
 *     rank [G_x' G_w] = m + rank of it without the m columns of x' that occur.
 *
 * K = nu - 1 is asked before K = nu, rows by structure before all of them; if
 * nothing else serves, it is F_nu. A completion keeps F_nu: its v* beside the
 * manifold depends on every row.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_REDUCED_H
#define TAKT_ARRAY_REDUCED_H

#include "array/index.h"

/* Lives in `arena`; NULL: all rows of F_nu are needed. */
const ArrayRows *array_reduce(Array *a, const ArrayIndex *x, Arena *arena);

/* known[q * n + j]: given x, the rows (NULL: all of F_nu) determine derivative
 * q >= 1 of x_j at the consistent point. Of (k + 2) n columns, k that of the
 * rows. False: a number there is none. */
bool array_known(Array *a, const ArrayIndex *x, const ArrayRows *rows,
                 bool *known);

#endif
