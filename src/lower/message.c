/* message.c - texts of assertions, with their values. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/message.h"

#include <math.h>

const char *lower_message(const Lowered *low, Expr message, Expr mapped,
                          const double *r, Arena *arena)
{
    const Inlined *d = low->inlined;
    if (message == EXPR_NONE)
        return "";
    if (expr_op(d->dag, message) == EX_STR)
        return expr_node(d->dag, message)->text;
    double *value = NEW_ARRAY(arena, double, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++)
        value[i] = low->slot[i] == NONE ? NAN : r[low->slot[i]];
    InlinedPoint at = {value, r[low->tape->time]};
    const char *said =
        mapped == EXPR_NONE
            ? NULL
            : expr_said(d->dag, mapped, inlined_leaf_value, &at, arena);
    return said ? said
                : expr_text(d->dag, message, sys_var_name, (void *)d->sys, 300,
                            arena);
}
