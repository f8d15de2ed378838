/* mixed_internal.h - what mixed.c and mixed_find.c share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_MIXED_INTERNAL_H
#define TAKT_TUNE_MIXED_INTERNAL_H

#include "graph/incidence.h"
#include "tune/mixed.h"

/* By how much a step may grow in each sample; NaN: the sample does not count.
 * Size nsample. */
double *mixed_allowed(const PencilSet *p, double tau, const MixOptions *o,
                      Arena *arena);
/* Is the step sound in a sample? *radius (may be NULL) gets that of R,
 * INFINITY if the implicit part is singular. */
bool mixed_is_sound(const PencilSet *p, int sample, double tau,
                    const bool *at_old, double allowed, const MixOptions *o,
                    double *radius);
/* The implicit part as a graph; the weight of an edge is its place in the
 * pattern. Places with a value of L are always in it. */
const Incidence *mixed_incidence(const PencilSet *p, const bool *at_old,
                                 Arena *out);
MixCost mixed_default_cost;
/* Fills in all figures but that of products; form, is_explicit, nexplicit and
 * at_old are given. */
void mixed_judge(const PencilSet *p, double tau, const double *allowed,
                 const MixOptions *o, MixedSet *set);
/* The figure of products, and what it means for `sound`. */
void mixed_judge_products(const PencilSet *p, double tau, const MixOptions *o,
                          MixedSet *set);

#endif
