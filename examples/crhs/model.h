/* model.h - what desk.c and machine.c need of a model. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_H
#define MODEL_H

#include <takt/takt_rt.h>

enum { MODEL_N = 50 };

extern const TaktRtModel model;
void model_start(takt_rt_real *x);    /* the initial state */
void model_setup(TaktRtSetup *setup); /* what analyse should know */

#endif
