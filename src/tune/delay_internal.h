/* delay_internal.h - what delay.c and delay_find.c share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_DELAY_INTERNAL_H
#define TAKT_TUNE_DELAY_INTERNAL_H

#include "tune/delay.h"

/* An estimate: factors of dense blocks, k solutions; INFINITY for k NONE. */
double delay_work(const DelayBlock *b, const int *size, int nblock, int k);
/* Largest over the samples; NaN without old values. */
double delay_own_radius(const DelayBlock *b, const DelayOptions *o);

#endif
