/* words.h - the words of a plan, in the order of the enums of plan.h. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_WORDS_H
#define TAKT_PLAN_WORDS_H

static const char *const plan_algebraic_word[] = {"auto", "solve", "keep-small",
                                                  "keep", "tear"};
static const char *const plan_tearer_word[] = {"auto", "cellier", "modified",
                                               "exact"};
static const char *const plan_mode_word[] = {
    "implicit", "explicit", "explicit-column", "explicit-both"};
static const char *const plan_cut_word[] = {
#define CUT(name, word, place, leaves, iterated, help) word,
#include "plan/cuts.def"
#undef CUT
};
static const char *const plan_factor_word[] = {"auto", "lu", "qr", "dense"};
static const char *const plan_scalar_word[] = {"double", "float"};
static const char *const plan_math_word[] = {"libm", "constant"};

#endif
