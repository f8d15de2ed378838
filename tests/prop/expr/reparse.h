/* reparse.h - reading back what expr_print wrote. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_REPARSE_H
#define TAKT_TESTS_REPARSE_H

#include "prop/expr/point.h"

/* The expression of a text as it is written, without simplification;
 * EXPR_NONE if the parser refuses it or it has something unknown. */
Expr reparse(Dag *d, const char *text);

#endif
