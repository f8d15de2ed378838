/* order_internal.h - what order.c has from order_amd.c. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_ORDER_INTERNAL_H
#define TAKT_NUM_ORDER_INTERNAL_H

#include "num/order.h"

/* Pivot k is to stand at ((*row)[k], (*col)[k]). False if there is no
 * transversal of entries that pass the threshold as they are. */
bool order_amd(const OrderMatrix *m, int **row, int **col, Arena *arena);

#endif
